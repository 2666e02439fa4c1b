package sc.fiji.ncc.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.command.input.NamedTemplate;
import sc.fiji.ncc.command.input.OrientedImage;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.NumberOrAuto;
import sc.fiji.ncc.front.PoseText;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseSupport;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PosesFound;

/**
 * Finds rotated and scaled templates in an image. Each match has a row in the results table and a rotated box on the image. In macros:
 * {@code run("Find Rotated Matches...", "image=[a.tif] template=[b.tif] angles=0:360:5 scales=0.8:1.25:1.05 minscore=0.7");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Find Rotated Matches...", visible = false, headless = true,
	attrs = @Attr(name = Keys.REFUSED, value = "weights imagemask nan minoverlap"))
public final class FindRotatedMatchesCommand extends CorrelationCommand {

	@Parameter(label = CorrelationCommand.TEMPLATES_LABEL, persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.TEMPLATES) },
		required = false, description = CorrelationCommand.TEMPLATES)
	private String templates = "";

	@Parameter(label = "Angles (degrees, from:to:step; auto)", persist = false,
		description = "The angles, counter-clockwise: from:to:step, as in 0:360:2, or numbers with commas. auto: all angles, with a step from the template."
			+ " For templates of three dimensions: uniform:STEP, all orientations about STEP degrees apart, or a file with a quaternion w x y z in each line. Default: auto.")
	private String angles = "auto";

	@Parameter(label = "Scales (from:to:factor)", persist = false,
		description = "The scales: from:to:factor, as in 0.8:1.25:1.05, or numbers with commas. Default: 1.")
	private String scales = "1";

	@Parameter(label = "Mirrored templates too", persist = false, attrs = @Attr(name = Groups.TEMPLATES),
		description = "Also searches the templates mirrored from left to right. Default: off.")
	private boolean mirrored = false;

	@Parameter(label = "Support", persist = false, attrs = @Attr(name = Groups.TEMPLATES), choices = { "disk", "ring", "whole" },
		description = "Which pixels of a rotated template count. disk: the largest disk in its bounds. ring: the outer half of that disk's radius."
			+ " whole: all pixels, or those of a selection that is not a rectangle; slower. Default: disk.")
	private String support = "disk";

	@Parameter(label = "Minimum score (-1 to 1, or auto)", persist = false, attrs = @Attr(name = Keys.OR_AUTO), min = "-1", max = "1",
		description = "The smallest correlation coefficient of a match, from -1 to 1. A lower one takes more time. auto: it follows from the false alarms. Default: 0.7.")
	private String minscore = "0.7";

	@Parameter(label = "False alarms (0: use the minimum score)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0", stepSize = "0.05",
		description = FALSE_ALARMS)
	private double falsealarms = 0;

	@Parameter(label = "Maximum number of matches per plane (0: all)", persist = false, min = "0",
		description = MAX_MATCHES)
	private int maxmatches = 0;

	@Parameter(label = "Maximum overlap (0 to 1)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0", max = "1", stepSize = "0.05",
		description = "The largest share of a match's support that a better match can cover. 0: supports do not overlap. Default: 0.5.")
	private double maxoverlap = 0.5;

	@Parameter(label = "Keep only the best of overlapping templates", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = COMPETE)
	private boolean compete = true;

	@Parameter(label = "Refine position, angle and scale", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = "On: between the searched angles and scales. Off: the best of those. Default: on.")
	private boolean refine = true;

	@Parameter(label = "Append to the table", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = APPEND)
	private boolean append = false;

	@Parameter(label = "Add boxes to ROI Manager", persist = false, description = ROIS)
	private boolean addrois = false;

	@Parameter(label = "Show maps of scores and poses", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = "Two images for each template: the best score over all poses at each position, and the number of its pose. A table explains the numbers."
			+ " Positions below the minimum score are empty: with -1 none are, which takes more time. Default: off.")
	private boolean maps = false;

	@Parameter(label = "Inside (x,y,w,h; empty: whole image)", persist = false, attrs = @Attr(name = Groups.REGION), required = false,
		description = "The box in which supports must lie with all their pixels: its first pixel, counted from 0, and its size. Default: empty, the whole image.")
	private String inside = "";

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-bounded", "cpu-every-pose", "cuda-bounded", "cuda-poses", "cuda-bounded-host", "cuda-every-pose" })
	private String algorithm = AUTO;

	/** Output for scripts: the matches, highest score first. */
	@Parameter(label = "Matches", type = ItemIO.OUTPUT)
	private List<PoseMatch> matches;

	/** Output for scripts: the maps, one for each template of the first frame, then those of the next; empty if they were not asked for. */
	@Parameter(label = "Best poses", type = ItemIO.OUTPUT)
	private List<BestPoses> bestposes;

	@Override
	protected String section() {
		return "poses.md#in-fiji-and-imagej";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		final List<NamedTemplate> all = templates(templates, program);
		final OrientedImage searched = searched(all);
		final PosesFound found = search(all).monitor(monitor).find(searched.pixels());
		matches = found.matches();
		bestposes = found.maps();
		final FoundMatches shown = FoundMatches.ofPoses(matches, all, FoundMatches.Searched.of(image(), searched.axes(), !inside.isBlank()),
			isAutomatic());
		program.show(shown.table(), append);
		program.mark(image(), shown.boxes(), addrois);
		if (maps) openMaps(found, all, searched, program);
		final String reasons = BackgroundState.reasons(found.backgrounds().stream());
		final String uncertain = reasons.isEmpty() ? "" : " (uncertain)";
		final String score = isAutomatic() ? String.format(Locale.ROOT, ", minimum score %.3f%s", found.minScore(), uncertain) : "";
		final String count = matches.size() + (matches.size() == 1 ? " match" : " matches") + score;
		if (isAutomatic() && !program.isInteractive()) report(count + " in " + image().name());
		if (!reasons.isEmpty()) note("the minimum score in " + image().name() + " is uncertain: " + reasons + ".");
		done(count + (isAutomatic() ? "" : String.format(Locale.ROOT, ", %d poses, %s, %.3g s", found.plan().poses(),
			found.plan().methods(), found.seconds())));
	}

	private void openMaps(final PosesFound found, final List<NamedTemplate> all, final OrientedImage searched, final FrontEnd program) {
		for (int t = 0; t < all.size(); t++) {
			final FoundPoseMaps ofTemplate = new FoundPoseMaps(found.maps(), t, all.size(), searched);
			final String name = image().name() + (all.size() == 1 ? "" : ", " + all.get(t).name());
			ofTemplate.open(this, image(), name);
			if (t == 0) program.show(ofTemplate.table(), false);
		}
	}

	/** Whether the minimum score follows from the background. */
	private boolean isAutomatic() {
		return falsealarms > 0 || NumberOrAuto.of("minscore=", minscore, Range.SCORE).isEmpty();
	}

	private PoseSearch search(final List<NamedTemplate> all) {
		final List<RandomAccessibleInterval<?>> pixels = new ArrayList<>(), masks = new ArrayList<>();
		for (final NamedTemplate t : all) {
			pixels.add(t.pixels());
			masks.add(t.weights());
		}
		if (!weights.isBlank()) throw new IllegalArgumentException("weights=[" + weights.trim()
			+ "] is not supported for rotated templates. Leave it empty; for a mask, use a selection and support=whole.");
		requireNoMissingPixels();
		final int dimensions = pixels.get(0).numDimensions();
		PoseGrid grid = PoseGrid.DEFAULT.scales(PoseText.scales("scales=", scales)).mirrored(mirrored);
		grid = dimensions == 3 ? grid.rotations(rotations()) : grid.angles(PoseText.angles("angles=", angles));
		final PoseSupport counts = ChoiceText.of("support", support, PoseSupport.values());
		final PoseSearch search = PoseSearch.of(pixels).poses(grid).support(counts).maxOverlap(maxoverlap).compete(compete)
			.refine(refine).maps(maps).compute(computing(SINGLE, algorithm));
		if (counts == PoseSupport.WHOLE) search.masks(masks);
		if (isAutomatic()) search.falseAlarms(falsealarms > 0 ? falsealarms : TemplateMatching.FALSE_ALARMS);
		else search.minScore(NumberOrAuto.of("minscore=", minscore, Range.SCORE).getAsDouble());
		if (maxmatches > 0) search.maxMatches(maxmatches);
		if (!inside.isBlank()) search.inside(WholeNumbers.parse("inside=", inside, "is not a box. Give x,y,w,h in whole pixels.")
			.box("inside=", dimensions, "template"));
		return search;
	}

	/** The rotations for templates of three dimensions. */
	private List<double[]> rotations() {
		final List<double[]> uniform = PoseText.uniform("angles=", angles);
		if (uniform != null) return uniform;
		PoseText.requireSpatial("angles=", angles);
		final Path file = Path.of(angles.trim());
		if (!Files.isRegularFile(file)) throw new IllegalArgumentException("angles=" + angles
			+ ": templates of three dimensions need uniform:STEP, as in uniform:30, or a file with a quaternion w x y z in each line.");
		try {
			return PoseText.rotations("angles=" + angles, Files.readAllLines(file, StandardCharsets.UTF_8));
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("angles=" + angles + ": the file cannot be read as text. " + e.getMessage(), e);
		}
	}
}
