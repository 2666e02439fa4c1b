package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.MapFiles;
import sc.fiji.ncc.cli.map.PoseMaps;
import sc.fiji.ncc.cli.output.MatchSummary;
import sc.fiji.ncc.cli.output.MatchTable;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.MatchDrawing;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.pose.PoseParts;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.result.PosesFound;

/** {@code ncc match} with rotated, scaled or mirrored templates. */
final class PoseMatching {

	private final MatchSubcommand match;
	private final CommonOptions common;
	private final PoseOptions poses;
	private PoseReport plan;

	PoseMatching(final MatchSubcommand match) {
		this.match = match;
		common = match.common;
		poses = match.poses;
	}

	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		requireSupported();
		final long start = System.nanoTime();
		final List<String> folder = common.folder(match.output, match.overlay, poses.scoreMap, poses.poseMap, poses.poseList);
		poses.checkMaps(folder != null);
		outputs.watch(folder == null ? common.files() : common.files().subList(1, common.files().size()));
		final Path table = outputs.promiseTable(match.output, common.files());
		final Path drawn = outputs.promise(match.overlay, common.files());
		final InputImage first = ImageFiles.read(folder == null ? common.image : folder.get(0));
		final CommonOptions.Inputs inputs = common.read(first, progress);
		final MatchSummary<PoseMatch> summary = new MatchSummary<>(inputs.image(), inputs.dimensions(), inputs.channels(), folder, PoseMatch::score);
		final PoseSearch search = search(first, inputs).monitor(folder == null ? progress : progress.cancelOnly());
		if (folder != null) progress.total(folder.size());
		final List<long[]> sizes = inputs.templates().stream().map(RandomAccessibleInterval::dimensionsAsLongArray).toList();
		final MatchTable rows = new MatchTable(common.templateNames(), sizes, match.isAutomatic(), poses.refines(), false, common.bounded());
		final Report report;
		final PoseMaps maps = new PoseMaps(outputs, poses.scoreMap, poses.poseMap, poses.poseList, inputs.templates().size(), common.files());
		try (OutputStream to = outputs.open(table)) {
			to.write(rows.poseHead().getBytes(StandardCharsets.UTF_8));
			final FrameConsumer<PosesFound> consumer = (index, found) -> {
				plan = found.plan();
				summary.minScore(found.minScore(), found.backgrounds());
				final InputFrames.Place place = summary.place(index);
				if (poses.mapped()) maps.write(inputs.image(), index, found.maps());
				// in one write, so that the rows of a frame are complete or absent
				to.write(rows.poseRows(place.name(), place.index(), place.image().calibration(), found.matches()).getBytes(StandardCharsets.UTF_8));
				summary.add(place, found.matches(), progress);
			};
			report = match.cluster == null ? search.findEach(summary.frames(), consumer) : onCluster(search, inputs, consumer);
			maps.finish();
		}
		catch (final RuntimeException e) {
			if (summary.count() == 0 || table == null) throw e;
			throw summary.unfinished(outputs.leave(table), e);
		}
		progress.close();
		if (plan != null) {
			if (common.planning.explain) plan.explain().forEach(match.program.out()::println);
			common.planning.explain(plan.ranking().stream().toList(), match.program.out());
		}
		summary.requireUnchanged();
		outputs.bytes(drawn, to -> Drawing.png(new MatchDrawing(frame -> summary.where().image().frame(frame, inputs.dimensions()), sizes)
			.drawPoses(summary.best(), summary.where().index()), to));
		outputs.commit();
		match.program.out().println(MapFiles.summary(report, plan == null ? "" : plan.methods(),
			Ranking.secondsSince(start, plan == null ? List.of() : plan.ranking().stream().toList())) + "; "
			+ (plan == null ? 0 : plan.poses()) + " poses" + (match.minScore != null && !match.isAutomatic() ? "" : summary.minScores()) + summary
				+ MatchSubcommand.wrote(Stream.concat(Stream.of(match.output, match.overlay), maps.names().stream()).toArray(String[]::new)));
	}

	private Report onCluster(final PoseSearch search, final CommonOptions.Inputs inputs, final FrameConsumer<PosesFound> consumer) throws IOException {
		try (PoseParts parts = search.parts(inputs.image().pixels())) {
			final Cluster.Poses found = match.cluster.poses(parts, CommonOptions.identity(common.image, lines(inputs), List.of()));
			for (int f = 0; f < found.frames().size(); f++) consumer.accept(f, found.frames().get(f));
			return found.report();
		}
	}

	private List<String> lines(final CommonOptions.Inputs inputs) throws IOException {
		final List<String> lines = new ArrayList<>(common.lines(inputs));
		lines.addAll(poses.lines());
		return lines;
	}

	/** The search for a process of a cluster. */
	PoseParts parts(final ClusterTask.Command command) throws IOException {
		final InputImage whole = ImageFiles.read(common.image);
		final CommonOptions.Inputs inputs = common.read(whole, Monitor.NONE);
		ClusterTask.requireSame(command, lines(inputs));
		return search(whole, inputs).parts(inputs.image().pixels());
	}

	/** Refuses options of the unrotated search that have no meaning here. */
	private void requireSupported() {
		final String given = "--angles, --scales and --mirrored";
		if (common.extent != Extent.VALID) throw new IllegalArgumentException("--extent " + common.extent.name().toLowerCase(Locale.ROOT) + " does not go with " + given + ": leave it out");
		if (common.search != null) throw new IllegalArgumentException("--search " + common.search + " does not go with " + given + ": give --inside");
		if (common.missing.mask != null || common.missing.nan != NaNs.UNDEFINED || common.missing.minOverlap != null)
			throw new IllegalArgumentException("--image-mask, --nan missing and --min-overlap do not go with " + given + ": leave them out; NaN leaves windows without a score");
		if (common.precision == Precision.DOUBLE)
			throw new IllegalArgumentException("--precision double does not go with " + given + ": leave it out; the scores of matches are within 1e-9 without it");
		if (common.undefined == Undefined.NAN)
			throw new IllegalArgumentException("--undefined nan does not go with " + given + ": leave it out; windows without a score are no matches");
		if (common.weights != null) throw new IllegalArgumentException("--weights " + common.weights + " does not go with " + given + ": give --mask with --support whole");
	}

	private PoseSearch search(final InputImage whole, final CommonOptions.Inputs inputs) throws IOException {
		final PoseSearch search = PoseSearch.of(inputs.templates()).maxOverlap(match.maxOverlap).compete(!match.alone)
			.compute(common.planning.options(Precision.SINGLE));
		if (match.isAutomatic()) search.falseAlarms(match.alarms());
		else search.minScore(match.score().getAsDouble());
		if (match.maxMatches != null) search.maxMatches(match.maxMatches);
		if (common.mask != null) search.masks(Collections.nCopies(inputs.templates().size(), CommonOptions.spatial(ImageFiles.read(common.mask).gray(), whole, "mask")));
		if (common.inside != null) search.inside(common.inside.box("--inside ", inputs.dimensions(), "template"));
		return poses.set(search, inputs.dimensions());
	}
}
