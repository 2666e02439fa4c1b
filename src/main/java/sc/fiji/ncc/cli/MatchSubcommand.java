package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.MapFiles;
import sc.fiji.ncc.cli.output.MatchSummary;
import sc.fiji.ncc.cli.output.MatchTable;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.drawing.AlarmsDrawing;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.MatchDrawing;
import sc.fiji.ncc.front.NumberOrAuto;
import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.parts.MatchParts;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.pose.PoseParts;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.Parts;
import sc.fiji.ncc.store.InputDataException;

/** {@code ncc match}: finds the positions where templates occur in an image. */
@Command(name = "match", description = {
	"Finds the positions where templates occur in IMAGE, and prints their number. With -o it writes them as a CSV table, frame by frame, the best match first.",
	"image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z,width,height,template_name,calibrated_x,calibrated_y,unit",
	"x, y, z: first pixel of the window, counted from 0. subpixel_*: the same, refined by a fitted quadratic. score: correlation coefficient. "
		+ "frame: number of the plane (for templates of three dimensions: of the volume), counted from 1 in the order of the file: channels first, then "
		+ "slices, then frames. "
		+ "template: number of the template, counted from 1 in the given order.",
	"width, height: size of the window. template_name: the template's file, or roi and its numbers. calibrated_*: refined centre of the window in the image's "
		+ "unit, relative to its origin. Without a calibration the unit is pixel. Templates of three dimensions also have depth and calibrated_z.",
	"With --angles, --scales or --mirrored, the templates are also searched rotated, scaled or mirrored. Then the table also has the columns "
	+ "angle,scale,mirrored.",
	"With --search or --inside, the table also has the column edge: 1 if the window, or the support of a rotated template, lies at the edge of the region and "
		+ "the image continues there, otherwise 0. At such an edge the true position may lie outside: enlarge the region.",
	"Of matches that overlap, only the best is kept, also if they are of different templates. --no-compete changes this." })
public final class MatchSubcommand extends Subcommand {

	private static final double DEFAULT = 0.5;
	/** The plot begins where white noise gives this many false alarms. */
	private static final double PLOTTED_ALARMS = 1000;

	@Mixin
	CommonOptions common;

	@Option(names = "--max-matches", paramLabel = "N", description = "The largest number of matches per frame, of all templates together. Default: all.")
	Integer maxMatches;

	@Option(names = "--total", paramLabel = "N", description = "The largest number of matches in all frames together, the best ones. Default: all.")
	private Integer total;

	@Option(names = "--max-overlap", paramLabel = "SHARE", defaultValue = "0.5",
		description = "The largest share of a match that a better match may cover, from 0 to 1. 0: matches do not overlap. 1: every peak is a match. Default: 0.5.")
	double maxOverlap;

	@Option(names = "--min-score", paramLabel = "S|auto", description = "The smallest score of a match, from -1 to 1. auto: it follows from --false-alarms, 0.05 by default. "
		+ "Default: 0.5; with --angles, --scales and --mirrored, 0.7, because the best of many poses scores higher in background, too.")
	String minScore;

	@Option(names = "--false-alarms", paramLabel = "E", description = {
		"In place of --min-score: the expected number of false matches in the background of each frame, such as 0.05. The smallest score follows from it, see "
			+ "the document statistics. The table then also has the columns probability, false_alarms, min_score and background; "
			+ "for rotated templates min_score and background." })
	private Double falseAlarms;

	@Option(names = "--refine", description = {
		"Refine subpixel_* by least squares on the pixels, in place of the quadratic. The table then also has the columns sigma_* and correlation_*: the standard "
			+ "deviations of the position in pixels, and the correlations of its errors; NaN if the position is not determined. See the document statistics." })
	private boolean refine;

	@Option(names = "--quality", description = "Add the columns runner_up, ratio and sidelobe_ratio to the table: how far a match stands out from the "
		+ "responses around it. See the document statistics.")
	private boolean quality;

	@Option(names = { "-o", "--output" }, paramLabel = "M.csv", description = "The table. An existing file is replaced. Default: none.")
	String output;

	@Option(names = "--overlay", paramLabel = "P.png", description = {
		"Write IMAGE with a box and a score for each match, of several templates in their colours and with their numbers. The range of its values is "
		+ "scaled to black and white.",
		"Of a stack, it shows the plane of the best match. For templates of three dimensions, the plane through the middle of that match." })
	String overlay;

	@Option(names = "--plot-alarms", paramLabel = "P.png", description = {
		"Draw the observed number of local maxima over the expected number of false alarms, at all scores. Background alone follows the gray line, see "
		+ "the document statistics." })
	private String plot;

	@Option(names = "--no-compete", description = "Find the matches of each template alone. --max-matches then counts per template. Default: matches "
		+ "of different templates that overlap compete.")
	boolean alone;

	@Mixin
	PoseOptions poses;

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		poses.check();
		// before the check of the other options, which would propose another extent
		if (poses.given()) requireNoPoses("--border", common.border != null, "leave it out");
		common.check(program);
		if (maxMatches != null) Range.COUNT.of("--max-matches ", maxMatches);
		if (total != null) Range.COUNT.of("--total ", total);
		Range.SHARE.of("--max-overlap ", maxOverlap);
		final OptionalDouble score = score();
		if (minScore != null && score.isPresent() && falseAlarms != null) throw new IllegalArgumentException("--min-score and --false-alarms are both given: give one of them");
		if (falseAlarms != null) Range.FALSE_ALARMS.of("--false-alarms ", falseAlarms);
		Outputs.requirePng("overlay", overlay);
		Outputs.requirePng("plot", plot);
		if (cluster != null) {
			ClusterTask.requireZarr(common.image);
			ClusterTask.requireAbsent("--overlay", overlay != null);
			ClusterTask.requireAbsent("--plot-alarms", plot != null);
			ClusterTask.requireAbsent("--refine", refine);
			ClusterTask.requireAbsent("--quality", quality);
			ClusterTask.requireAbsent("--score-map, --pose-map and --pose-list", poses.mapped());
			common.planning.processes(cluster.threads(), cluster.heap());
			ClusterTask.requireAbsent("--explain with --angles, --scales and --mirrored", common.planning.explain && poses.given());
		}
		if (poses.given()) {
			if (quality) throw new IllegalArgumentException("--quality does not go with --angles, --scales and --mirrored: leave it out");
			if (refine) throw new IllegalArgumentException("--refine does not go with --angles, --scales and --mirrored, which refine position and pose "
				+ "together: leave it out");
			requireNoPoses("--total", total != null, "give --max-matches");
			requireNoPoses("--plot-alarms", plot != null, "leave it out");
			new PoseMatching(this).run(outputs, progress);
			return;
		}
		final List<String> folder = common.folder(output, overlay, plot);
		outputs.watch(folder == null ? common.files() : common.files().subList(1, common.files().size()));
		final Path table = outputs.promiseTable(output, common.files());
		final Path drawn = outputs.promise(overlay, common.files());
		final Path plotted = outputs.promise(plot, common.files());
		final InputImage first = ImageFiles.read(folder == null ? common.image : folder.get(0));
		final CommonOptions.Inputs inputs = common.read(first, folder == null ? progress : progress.cancelOnly());
		final Found found = new Found(inputs, folder, new MatchTable(common.templateNames(), sizes(inputs), isAutomatic(), refine, quality,
			common.bounded()), total);
		final TemplateMatching matching = matching(inputs);
		if (folder != null) progress.total(folder.size());
		final StreamReport report;
		try (OutputStream to = outputs.open(table)) {
			to.write(found.table.head().getBytes(StandardCharsets.UTF_8));
			report = plot != null ? matching.keepEach(found.summary.frames(), PLOTTED_ALARMS, (index, kept) -> {
				found.count(kept);
				found.take(index, matching.find(kept), progress, to);
			}) : cluster == null ? matching.findEach(found.summary.frames(), (index, result) -> found.take(index, result, progress, to))
				: onCluster(matching, inputs, (index, result) -> found.take(index, result, progress, to));
			found.writeTotal(to);
		}
		catch (final RuntimeException e) {
			// the best of all frames are not known
			if (found.summary.count() == 0 || total != null || table == null) throw e;
			throw found.summary.unfinished(outputs.leave(table), e);
		}
		progress.close();
		common.planning.explain(report.rankings(), program.out());
		found.summary.requireUnchanged();
		outputs.bytes(drawn, found::draw);
		outputs.bytes(plotted, to -> Drawing.png(new AlarmsDrawing(found.alarms.expected(), found.alarms.observed()).draw(), to));
		outputs.commit();
		program.out().println(MapFiles.summary(report, folder) + found.summary.minScores()
			+ found.summary + wrote(output, overlay, plot));
	}

	/** The end of the summary: the names of the files. */
	static String wrote(final String... names) {
		final String wrote = Outputs.wrote(names);
		return wrote.isEmpty() ? "; wrote nothing: -o writes the table, --overlay a picture" : wrote;
	}

	/** The sizes of the templates. */
	private static List<long[]> sizes(final CommonOptions.Inputs inputs) {
		return inputs.templates().stream().map(RandomAccessibleInterval::dimensionsAsLongArray).toList();
	}

	private TemplateMatching matching(final CommonOptions.Inputs inputs) {
		final TemplateMatching matching = TemplateMatching.with(inputs.correlation()).maxMatches(maxMatches == null ? Integer.MAX_VALUE : maxMatches)
			.maxOverlap(maxOverlap).compete(!alone).refine(refine).quality(quality);
		if (total != null) matching.total(total);
		if (isAutomatic()) matching.falseAlarms(alarms());
		else if (minScore != null) matching.minScore(score().getAsDouble());
		return matching;
	}

	/** Empty for auto. */
	OptionalDouble score() {
		return minScore == null ? OptionalDouble.of(poses.given() ? PoseSearch.MIN_SCORE : DEFAULT) : NumberOrAuto.of("--min-score ", minScore, Range.SCORE);
	}

	/** Whether the minimum score follows from the background. */
	boolean isAutomatic() {
		return falseAlarms != null || score().isEmpty();
	}

	double alarms() {
		return falseAlarms == null ? TemplateMatching.FALSE_ALARMS : falseAlarms;
	}

	private static void requireNoPoses(final String option, final boolean given, final String instead) {
		if (given) throw new IllegalArgumentException(option + " does not go with --angles, --scales and --mirrored: " + instead);
	}

	private StreamReport onCluster(final TemplateMatching matching, final CommonOptions.Inputs inputs,
		final FrameConsumer<TemplateMatching.Result> consumer) throws IOException {
		final long start = System.nanoTime();
		try (MatchParts parts = matching.parts(inputs.image().pixels())) {
			final Cluster.Found found = cluster.matches(parts, common.identity(inputs, parts.rankings()));
			for (int f = 0; f < found.frames().size(); f++)
				consumer.accept(f, TemplateMatching.result(found.frames().get(f), parts.rankings()));
			final double seconds = 1e-9 * (System.nanoTime() - start);
			return new StreamReport(found.frames().size(), found.report(), parts.rankings(), seconds, seconds, seconds);
		}
	}

	@Override
	Parts parts(final Class<? extends Parts> kind, final ClusterTask.Command command) throws IOException {
		return kind == PoseParts.class ? poses(command) : matches(command);
	}

	private MatchParts matches(final ClusterTask.Command command) throws IOException {
		common.resolve(command);
		final CommonOptions.Inputs inputs = common.read(Monitor.NONE);
		ClusterTask.requireSame(command, common.lines(inputs));
		return matching(inputs).parts(inputs.image().pixels());
	}

	private PoseParts poses(final ClusterTask.Command command) throws IOException {
		common.resolve(command);
		poses.resolve(command);
		return new PoseMatching(this).parts(command);
	}

	/** The matches so far. */
	private static final class Found {

		private final CommonOptions.Inputs inputs;
		private final MatchTable table;
		private final MatchSummary<Match> summary;
		/** The maximum number of matches of all frames; null for all. */
		private final Integer total;
		/** With a maximum: the best rows of the frames so far. */
		private final List<Row> rows = new ArrayList<>();
		/** With a plot: the observed and the expected numbers of local maxima so far. */
		private KeptMaxima.Alarms alarms;

		Found(final CommonOptions.Inputs inputs, final List<String> folder, final MatchTable table, final Integer total) {
			this.inputs = inputs;
			this.total = total;
			this.table = table;
			summary = new MatchSummary<>(inputs.image(), inputs.dimensions(), inputs.channels(), folder, Match::score);
		}

		void take(final long index, final TemplateMatching.Result result, final ProgressBar progress, final OutputStream to) throws IOException {
			final List<Match> found = result.matches();
			for (int b = 0; b < result.minScores().length; b++) summary.minScore(result.minScores()[b], List.of(result.backgrounds().get(b).state()));
			final InputFrames.Place place = summary.place(index);
			// in one write, so that the rows of a frame are complete or absent
			if (total != null) keep(place, found);
			else if (!found.isEmpty()) to.write(table.rows(place.name(), place.index(), place.image().calibration(), found).getBytes(StandardCharsets.UTF_8));
			summary.add(place, found, progress);
		}

		/** A row of the table with the number of its frame. */
		private record Row(long frame, Match match, String text) {}

		/** Keeps the rows of a frame that are among the best so far. */
		private void keep(final InputFrames.Place place, final List<Match> found) {
			for (final Match m : found) rows.add(new Row(summary.count(), m, table.rows(place.name(), place.index(), place.image().calibration(), List.of(m))));
			// rows of earlier frames come first, as equal scores do in a search of one image
			rows.sort(Comparator.comparingDouble((Row row) -> -row.match.score()));
			if (rows.size() > total) rows.subList(total, rows.size()).clear();
		}

		/** Writes the best rows, frame by frame. */
		void writeTotal(final OutputStream to) throws IOException {
			if (total == null) return;
			rows.sort(Comparator.comparingLong(Row::frame));
			for (final Row row : rows) to.write(row.text.getBytes(StandardCharsets.UTF_8));
			summary.retain(rows.size(), m -> rows.stream().anyMatch(row -> row.match == m));
		}

		/** Adds the numbers of local maxima of a frame. */
		void count(final KeptMaxima kept) {
			final KeptMaxima.Alarms more = kept.alarms();
			if (alarms == null) alarms = more;
			else if (!Arrays.equals(alarms.thresholds(), more.thresholds())) refuse("--plot-alarms needs frames of one size, and frame " + summary.count()
				+ " has another: leave it out");
			else for (int i = 0; i < more.thresholds().length; i++) {
				alarms.observed()[i] += more.observed()[i];
				alarms.expected()[i] += more.expected()[i];
			}
		}

		/** Refuses an input in the middle of a run. */
		private void refuse(final String message) {
			throw new NccException(message, new InputDataException(message));
		}

		void draw(final OutputStream to) throws IOException {
			final MatchDrawing drawing = new MatchDrawing(frame -> summary.where().image().frame(frame, inputs.dimensions()), sizes(inputs));
			Drawing.png(drawing.draw(summary.best(), summary.where().index()), to);
		}
	}
}
