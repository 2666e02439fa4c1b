package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.command.Previewable;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.command.input.NamedTemplate;
import sc.fiji.ncc.command.input.OrientedImage;
import sc.fiji.ncc.command.live.MatchPreview;
import sc.fiji.ncc.command.live.ScoreGraphs;
import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.LiveView;
import sc.fiji.ncc.front.NumberOrAuto;
import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.statistics.Background;

/**
 * Finds the positions of templates in an image. Each match has a row in the results table and a box on the image. In macros:
 * {@code run("Find Matches...", "image=[a.tif] template=[b.tif] templates=[c.tif; d*.tif] minscore=0.7 maxmatches=20");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Find Matches...", visible = false, headless = true)
public final class FindMatchesCommand extends CorrelationCommand implements Previewable {

	@Parameter(label = CorrelationCommand.TEMPLATES_LABEL, persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.TEMPLATES) },
		required = false, description = CorrelationCommand.TEMPLATES)
	private String templates = "";

	@Parameter(label = "Minimum score (-1 to 1, or auto)", persist = false, attrs = @Attr(name = Keys.OR_AUTO), min = "-1", max = "1",
		description = "The smallest correlation coefficient of a match, from -1 to 1. auto: it follows from the false alarms. Default: 0.5.")
	private String minscore = "0.5";

	// not boolean: SciJava's recorder leaves out a parameter without a value
	@Parameter(label = "Preview", persist = false, required = false, attrs = @Attr(name = Keys.PREVIEW),
		description = "Shows the matches and a histogram of the scores while this dialog is open.")
	private Boolean preview;

	@Parameter(label = "False alarms (0: use the minimum score)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0", stepSize = "0.05",
		description = FALSE_ALARMS)
	private double falsealarms = 0;

	@Parameter(label = "Maximum number of matches per plane (0: all)", persist = false, min = "0",
		description = MAX_MATCHES)
	private int maxmatches = 0;

	@Parameter(label = "Total number of matches (0: all)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0",
		description = "Keeps the matches with the highest scores in all planes together. Default: 0, all.")
	private int total = 0;

	@Parameter(label = "Maximum overlap (0 to 1)", persist = false, min = "0", max = "1", stepSize = "0.05",
		description = "The largest share of a match that a better match can cover. 0: matches do not overlap. 1: every peak is a match. Default: 0.5.")
	private double maxoverlap = 0.5;

	@Parameter(label = "Keep only the best of overlapping templates", persist = false, attrs = @Attr(name = Groups.TEMPLATES),
		description = COMPETE)
	private boolean compete = true;

	@Parameter(label = "Subpixel positions", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = "Refines each position by a quadratic that is fitted to the scores around it. Default: on.")
	private boolean subpixel = true;

	@Parameter(label = "Refine on the pixels", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = REFINE)
	private boolean refine = false;

	@Parameter(label = "Error ellipses", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = "Draws the ellipse of 68 % of each match that is refined on the pixels, enlarged 20 times. Default: off.")
	private boolean ellipses = false;

	@Parameter(label = "Quality of the peaks", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = "Adds the score of the runner-up, its ratio and the peak-to-sidelobe ratio to the table. Default: off.")
	private boolean quality = false;

	@Parameter(label = "Plot false alarms", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = "Plots the observed number of local maxima over the expected number of false alarms, at all thresholds. Default: off.")
	private boolean plotalarms = false;

	@Parameter(label = "Append to the table", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = APPEND)
	private boolean append = false;

	@Parameter(label = "Add boxes to ROI Manager", persist = false, description = ROIS)
	private boolean addrois = false;

	@Parameter(label = PositionParameters.SEARCH_LABEL, persist = false, attrs = @Attr(name = Groups.REGION), required = false,
		description = PositionParameters.SEARCH)
	private String search = "";

	@Parameter(label = PositionParameters.EXTENT_LABEL, persist = false, attrs = @Attr(name = Groups.REGION), choices = { "valid", "same", "full" },
		description = PositionParameters.EXTENT)
	private String extent = "valid";

	@Parameter(label = "Border", persist = false, attrs = @Attr(name = Groups.REGION),
		choices = { AUTO, "undefined", "mirror", "edge", "constant", "overlap" }, description = PositionParameters.BORDER)
	private String border = AUTO;

	@Parameter(label = "Constant for the border", persist = false, attrs = @Attr(name = Groups.REGION), description = PositionParameters.CONSTANT)
	private double constant = 0;

	@Parameter(label = "Precision", persist = false, attrs = @Attr(name = Groups.COMPUTATION), choices = { SINGLE, "double" },
		description = PRECISION)
	private String precision = SINGLE;

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-direct-exact", "cpu-direct", "cpu-fourier", "cpu-fourier-whole", "cpu-fourier-partitioned",
		"cuda-small-shifts", "cuda-direct-exact", "cuda-direct", "cuda-fourier", "cuda-fourier-tiles", "cuda-handbook-constant",
		"cuda-handbook-texture" })
	private String algorithm = AUTO;

	/** Output for scripts: the matches, highest score first. */
	@Parameter(label = "Matches", type = ItemIO.OUTPUT)
	private List<Match> matches;

	@Override
	protected String section() {
		return "user-guide.md#find-matches";
	}

	private final MatchPreview live = new MatchPreview(new MatchPreview.Host() {

		@Override
		public MatchPreview.Search search(final Monitor monitor) {
			return prepared(program(), monitor).search;
		}

		@Override
		public void compute(final BooleanSupplier canceled, final Consumer<Monitor> work) {
			FindMatchesCommand.this.compute(canceled, work);
		}

		@Override
		public LiveView view(final ImageInput of) {
			return program().live(of);
		}

		@Override
		public void say(final String text) {
			FindMatchesCommand.this.say(text);
		}
	});

	/** Follows the parameters while the dialog is open. Returns at once. */
	@Override
	public void preview() {
		live.follow(mapSettings(), Boolean.TRUE.equals(preview));
	}

	@Override
	public void invalid(final String reason) {
		live.reject(reason);
	}

	/** Ends the preview if the dialog is canceled. */
	@Override
	public void cancel() {
		live.end(null);
	}

	/** The values on which the maps depend, without those that choose matches. */
	private Object mapSettings() {
		final List<Object> settings = sharedMapSettings();
		settings.addAll(Arrays.asList(templates, search, extent, border, constant, computing(precision, algorithm)));
		return settings;
	}

	/** A search, and its matches as rows and boxes. */
	private record Prepared(MatchPreview.Search search, Function<TemplateMatching.Result, FoundMatches> shown) {}

	private PositionParameters coverage() {
		return new PositionParameters(extent, border, constant, search);
	}

	private Prepared prepared(final FrontEnd program, final Monitor monitor) {
		if (ellipses && !refine) throw new IllegalArgumentException("ellipses=true shows the errors of refined positions. Give refine=true, or leave out ellipses.");
		final List<NamedTemplate> all = templates(templates, program);
		final OrientedImage searched = searched(all);
		final TemplateMatching matching = TemplateMatching.with(correlation(all, searched, coverage(),
			computing(precision, algorithm), program, monitor)).maxOverlap(maxoverlap).compete(compete)
			.refine(refine).quality(quality);
		if (maxmatches > 0) matching.maxMatches(maxmatches);
		if (total > 0) matching.total(total);
		final OptionalDouble score = NumberOrAuto.of("minscore=", minscore, Range.SCORE);
		if (falsealarms > 0 || score.isEmpty()) matching.falseAlarms(falsealarms > 0 ? falsealarms : TemplateMatching.FALSE_ALARMS);
		else matching.minScore(score.getAsDouble());
		final ImageInput image = image();
		final Function<TemplateMatching.Result, FoundMatches> shown = found -> new FoundMatches(found.matches(), all,
			FoundMatches.Searched.of(image, searched.axes(), !search.isBlank()), subpixel,
			found.minScores().length > 0);
		return new Prepared(new MatchPreview.Search(image, searched.pixels(), matching, found -> shown.apply(found).boxes(),
			found -> count(found, "")), shown);
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		coverage().note().ifPresent(this::report);
		KeptMaxima kept = live.end(preview == null ? null : mapSettings());
		preview = null;
		final Prepared prepared = prepared(program, monitor);
		final MatchPreview.Search search = prepared.search;
		if (!search.matching().canFind(kept)) kept = plotalarms ? search.matching().keep(search.pixels(), MatchPreview.ALARMS) : null;
		final TemplateMatching.Result found = kept == null ? search.matching().find(search.pixels()) : search.matching().find(kept);
		matches = found.matches();
		final FoundMatches shown = prepared.shown.apply(found);
		program.show(shown.table(), append);
		final List<Box> boxes = new ArrayList<>(shown.boxes());
		if (ellipses) boxes.addAll(shown.ellipses());
		program.mark(search.image(), boxes, addrois);
		if (plotalarms) program.show(ScoreGraphs.alarms(search.image().name(), kept.alarms()));
		if (found.minScores().length > 0 && !program.isInteractive()) report(count(found, search.image().name()));
		if (!reasons(found).isEmpty()) note("the minimum score in " + search.image().name() + " is uncertain: " + reasons(found) + ".");
		done(count(found, "") + (found.minScores().length > 0 ? "" : String.format(Locale.ROOT, ", %s, %.3g s",
			Provenance.methods(found.rankings()), found.seconds())));
	}

	/**
	 * The number of matches and the minimum score that follows from the background.
	 *
	 * @param image title of the image; empty to leave it out
	 */
	private static String count(final TemplateMatching.Result found, final String image) {
		final int n = found.matches().size();
		return n + (n == 1 ? " match" : " matches") + minScore(found) + (image.isEmpty() ? "" : " in " + image);
	}

	/** The minimum score that follows from the background, for the status line; empty if the user gave it. */
	private static String minScore(final TemplateMatching.Result found) {
		final DoubleSummaryStatistics scores = Arrays.stream(found.minScores()).summaryStatistics();
		if (scores.getCount() == 0) return "";
		return ", minimum score " + BackgroundState.range(scores.getMin(), scores.getMax())
			+ (reasons(found).isEmpty() ? "" : " (uncertain)");
	}

	private static String reasons(final TemplateMatching.Result found) {
		return BackgroundState.reasons(found.backgrounds().stream().map(Background::state));
	}
}
