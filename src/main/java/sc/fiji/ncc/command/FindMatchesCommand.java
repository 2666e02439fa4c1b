package sc.fiji.ncc.command;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.Button;

import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.statistics.Background;

/**
 * Finds the positions of templates in an image. Each match has a row in the results table and a box on the image. In macros:
 * {@code run("Find Matches...", "image=[a.tif] template=[b.tif] templates=[c.tif; d*.tif] minscore=0.7 max=20");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Find Matches...", headless = true)
public final class FindMatchesCommand extends CorrelationCommand {

	@Parameter(label = CorrelationCommand.TEMPLATES_LABEL, persist = false, attrs = @Attr(name = Keys.ONCE), required = false, description = CorrelationCommand.TEMPLATES)
	private String templates = "";

	@Parameter(label = "Minimum score", persist = false, min = "-1", max = "1", stepSize = "0.05",
		description = "The smallest correlation coefficient of a match, from -1 to 1. Default: 0.5.")
	private double minscore = 0.5;

	@Parameter(label = "False alarms (0: use the minimum score)", persist = false, min = "0", stepSize = "0.05",
		description = "Above 0: the expected number of false matches in the whole search, such as 0.05. The minimum score follows from it. Default: 0.")
	private double falsealarms = 0;

	@Parameter(label = "Maximum number of matches per plane (0: all)", persist = false, min = "0",
		description = "Keeps the matches with the highest scores in each slice, channel and frame. Default: 0, all.")
	private int max = 0;

	@Parameter(label = "Maximum overlap (0 to 1)", persist = false, min = "0", max = "1", stepSize = "0.05",
		description = "The largest share of a match that a better match can cover. 0: matches do not overlap. 1: every peak is a match. Default: 0.5.")
	private double overlap = 0.5;

	@Parameter(label = "Keep only the best of overlapping templates", persist = false,
		description = "On: where matches of several templates overlap, only the best is kept. Off: templates do not affect each other. Default: on.")
	private boolean compete = true;

	@Parameter(label = "Subpixel positions", persist = false, description = "Refines each position by a quadratic that is fitted to the scores around it. Default: on.")
	private boolean subpixel = true;

	@Parameter(label = "Append to Results", persist = false, description = "On: keeps the rows of the results table. Off: replaces them. Default: off.")
	private boolean append = false;

	@Parameter(label = "Add boxes to ROI Manager", persist = false, description = "Without windows there is no ROI Manager. Default: off.")
	private boolean rois = false;

	@Parameter(label = PositionParameters.SEARCH_LABEL, persist = false, required = false, description = PositionParameters.SEARCH)
	private String search = "";

	@Parameter(label = PositionParameters.EXTENT_LABEL, persist = false, choices = { "valid", "same", "full" }, description = PositionParameters.EXTENT)
	private String extent = "valid";

	@Parameter(label = "Border", persist = false, choices = { PositionParameters.AUTO, "undefined", "mirror", "edge", "constant", "overlap" }, description = PositionParameters.BORDER)
	private String border = PositionParameters.AUTO;

	@Parameter(label = "Constant for the border", persist = false, description = PositionParameters.CONSTANT)
	private double constant = 0;

	@Parameter(label = "Advanced...", callback = "advanced", persist = false, required = false, description = AdvancedParameters.ADVANCED)
	private Button advanced;

	@Parameter(label = "Precision", persist = false, choices = { AdvancedParameters.SINGLE, "double" }, description = AdvancedParameters.PRECISION)
	private String precision = AdvancedParameters.SINGLE;

	@Parameter(label = "Backend", persist = false, choices = { AdvancedParameters.AUTO, "cpu", "cuda" }, description = AdvancedParameters.BACKEND)
	private String backend = AdvancedParameters.AUTO;

	@Parameter(label = "Algorithm", persist = false, description = AdvancedParameters.ALGORITHM, choices = { AdvancedParameters.AUTO, "cpu-direct-exact", "cpu-direct", "cpu-fourier", "cpu-fourier-whole", "cpu-fourier-partitioned",
		"cuda-small-shifts", "cuda-direct-exact", "cuda-direct", "cuda-fourier", "cuda-fourier-tiles", "cuda-handbook-constant", "cuda-handbook-texture" })
	private String algorithm = AdvancedParameters.AUTO;

	@Parameter(label = "Effort", persist = false, choices = { "estimate", "measure" }, description = AdvancedParameters.EFFORT)
	private String effort = "estimate";

	@Parameter(label = "Threads (0: all)", persist = false, min = "0", description = AdvancedParameters.THREADS)
	private int threads = 0;

	@Parameter(label = "Memory in MB (0: all)", persist = false, min = "0", description = AdvancedParameters.MEMORY)
	private int memory = 0;

	@Parameter(label = "Help", callback = "help", persist = false, required = false)
	private Button help;

	/** Output for scripts: the matches, highest score first. */
	@Parameter(label = "Matches", type = ItemIO.OUTPUT)
	private List<Match> matches;

	@Override
	protected String section() {
		return "user-guide.md#find-matches";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		if (max < 0) throw new IllegalArgumentException("max=" + max + " is negative. Give 0 for all matches, or a number above 0.");
		final List<NamedTemplate> all = templates(templates, program);
		final OrientedImage searched = searched(all, program);
		if (!(falsealarms >= 0 && falsealarms < Double.POSITIVE_INFINITY))
			throw new IllegalArgumentException("falsealarms=" + falsealarms + ". Give 0 to use the minimum score, or a number above 0, such as 0.05.");
		final TemplateMatching matching = TemplateMatching.with(correlation(all, searched, new PositionParameters(extent, border, constant, search),
			new AdvancedParameters(precision, backend, algorithm, effort, threads, memory), program, monitor)).minScore(minscore).maxMatches(max == 0 ? Integer.MAX_VALUE : max)
			.overlap(overlap).templatesCompete(compete);
		final TemplateMatching.Result found = (falsealarms > 0 ? matching.falseAlarms(falsealarms) : matching).find(searched.pixels());
		matches = found.matches();
		final FoundMatches shown = new FoundMatches(matches, all, searched.axes(), image().name(), image().space(), subpixel, falsealarms > 0);
		program.show(shown.table(), append);
		program.mark(image(), shown.boxes(), rois);
		done(String.format(Locale.ROOT, "%d match%s in %s%s: %s, %.3g s", matches.size(), matches.size() == 1 ? "" : "es", image().name(), minScore(found),
			Provenance.methods(found.rankings()), found.seconds()));
	}

	/** The minimum score that follows from the background, for the status line; empty if the user gave it. */
	private static String minScore(final TemplateMatching.Result found) {
		final DoubleSummaryStatistics scores = Arrays.stream(found.minScores()).summaryStatistics();
		if (scores.getCount() == 0) return "";
		final String range = scores.getMax() - scores.getMin() < 5e-4 ? String.format(Locale.ROOT, "%.3f", scores.getMin())
			: String.format(Locale.ROOT, "%.3f to %.3f", scores.getMin(), scores.getMax());
		return ", minimum score " + range + (found.backgrounds().stream().allMatch(Background::isFitted) ? "" : " (background not fitted: too few responses)");
	}
}
