package sc.fiji.ncc.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;

import sc.fiji.ncc.register.DriftParts;
import sc.fiji.ncc.pose.PoseParts;
import sc.fiji.ncc.cli.ClusterTask;
import sc.fiji.ncc.cli.ClusterTask.Command;
import sc.fiji.ncc.cli.WrittenParts;
import sc.fiji.ncc.motion.MotionParts;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.parts.MatchParts;
import sc.fiji.ncc.run.Parts;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.register.FitTask;
import sc.fiji.ncc.register.MeanPart;
import sc.fiji.ncc.register.PairTask;
import sc.fiji.ncc.register.PairTaskResult;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.stitch.LinkTask;
import sc.fiji.ncc.stitch.StitchParts;

/** The parts that the tasks of an executor compute. The first task opens them: templates, spectra, plan and devices are then shared by all tasks of the executor. */
final class ExecutorParts {

	/** The interval in milliseconds at which a waiting task polls whether it was killed. */
	private static final long POLL = 100;

	private static final Map<Command, Parts> OPEN = new HashMap<>();

	private ExecutorParts() {}

	private static synchronized <P extends Parts> P get(final Command command, final Class<P> kind) throws IOException {
		Parts parts = OPEN.get(command);
		// those of another frame keep tiles in memory; a late task may still use them
		if (parts == null) OPEN.values().removeIf(StitchParts.class::isInstance);
		if (parts == null) OPEN.put(command, parts = ClusterTask.open(command, kind));
		return kind.cast(parts);
	}

	/** Closes parts after a failure. The next task opens them again. */
	private static void discard(final Command command, final Parts parts) {
		synchronized (ExecutorParts.class) {
			OPEN.remove(command, parts);
		}
		parts.close();
	}

	/** Closes all parts of this process. On a cluster, executors end with their application. */
	static void close() {
		final List<Parts> all;
		synchronized (ExecutorParts.class) {
			all = List.copyOf(OPEN.values());
			OPEN.clear();
		}
		all.forEach(Parts::close);
	}

	/** Computes boxes of maps. Returns their sums. */
	static Share<MapParts.Done> maps(final Command command, final List<Long> boxes) throws Exception {
		final MapParts parts = get(command, MapParts.class);
		final List<CompletableFuture<MapParts.Done>> submitted = new ArrayList<>();
		boxes.forEach(box -> submitted.add(parts.compute(box)));
		Report report = Report.NONE;
		long before = 0;
		for (final MapParts.Done done : all(submitted, command, parts)) {
			report = report.plus(done.report());
			before += done.before();
		}
		return Share.of(parts, new MapParts.Done(report, before));
	}

	/** Finds the local maxima of boxes. */
	static Share<List<MatchParts.Maxima>> maxima(final Command command, final List<Long> boxes) throws Exception {
		final MatchParts parts = get(command, MatchParts.class);
		final List<CompletableFuture<MatchParts.Maxima>> submitted = new ArrayList<>();
		boxes.forEach(box -> submitted.add(parts.maxima(box)));
		return Share.of(parts, all(submitted, command, parts));
	}

	/** Computes exact scores. */
	static Share<double[]> scores(final Command command, final List<MatchParts.Window> windows) throws Exception {
		final MatchParts parts = get(command, MatchParts.class);
		return Share.of(parts, parts.scores(windows));
	}

	/** Finds the local maxima of boxes in a search for poses. */
	static Share<List<PoseParts.Maxima>> poses(final Command command, final List<Long> boxes) throws Exception {
		final PoseParts parts = get(command, PoseParts.class);
		final List<CompletableFuture<PoseParts.Maxima>> submitted = new ArrayList<>();
		boxes.forEach(box -> submitted.add(parts.maxima(box)));
		return Share.of(parts, all(submitted, command, parts));
	}

	/** Refines matches of a search for poses. */
	static Share<List<PoseMatch>> refined(final Command command, final List<PoseParts.Chosen> chosen) throws Exception {
		final PoseParts parts = get(command, PoseParts.class);
		return Share.of(parts, new ArrayList<>(get(parts.refined(chosen), command, parts)));
	}

	/** Measures pairs of frames. */
	static Share<List<PairTaskResult>> pairs(final Command command, final List<PairTask> tasks) throws Exception {
		final DriftParts parts = get(command, DriftParts.class);
		return Share.of(parts, parts.pairs(tasks));
	}

	/** Computes parts of a mean of corrected frames. */
	static Share<Integer> means(final Command command, final List<MeanPart> some) throws Exception {
		final DriftParts parts = get(command, DriftParts.class);
		for (final MeanPart part : some) parts.mean(part);
		return Share.of(parts, some.size());
	}

	/** Fits the deformations of frames. */
	static Share<List<FitTask.Result>> fits(final Command command, final List<FitTask> tasks) throws Exception {
		final DriftParts parts = get(command, DriftParts.class);
		stopIfKilled();
		return Share.of(parts, parts.fits(tasks));
	}

	/** Computes parts of a mean of frames without their deformations. */
	static Share<Integer> fitMeans(final Command command, final List<FitTask.Mean> some) throws Exception {
		final DriftParts parts = get(command, DriftParts.class);
		for (final FitTask.Mean part : some) parts.fitMean(part);
		return Share.of(parts, some.size());
	}

	/** Measures pairs of tiles. */
	static Share<List<LinkTask.Result>> links(final Command command, final List<LinkTask> tasks) throws Exception {
		final StitchParts parts = get(command, StitchParts.class);
		final List<LinkTask.Result> results = new ArrayList<>();
		for (final LinkTask task : tasks) {
			stopIfKilled();
			results.add(parts.measured(task));
		}
		return Share.of(parts, results);
	}

	/** Measures the motion in pairs of frames. */
	static Share<List<MotionParts.Measured>> motion(final Command command, final List<Integer> pairs) throws Exception {
		final MotionParts parts = get(command, MotionParts.class);
		stopIfKilled();
		return Share.of(parts, parts.measured(pairs));
	}

	/** Writes parts of a corrected stack or of a mosaic. */
	static Share<Integer> written(final Command command, final List<Long> some) throws Exception {
		final WrittenParts parts = get(command, WrittenParts.class);
		for (final long part : some) {
			stopIfKilled();
			parts.write(part);
		}
		return Share.of(parts, some.size());
	}

	private static <T> List<T> all(final List<CompletableFuture<T>> submitted, final Command command, final Parts parts) throws Exception {
		final List<T> done = new ArrayList<>();
		for (final CompletableFuture<T> future : submitted) done.add(get(future, command, parts));
		return done;
	}

	private static <T> T get(final CompletableFuture<T> future, final Command command, final Parts parts) throws Exception {
		while (true) {
			try {
				return future.get(POLL, TimeUnit.MILLISECONDS);
			}
			catch (final TimeoutException e) {
				stopIfKilled();
			}
			catch (final ExecutionException e) {
				discard(command, parts);
				if (e.getCause() instanceof Exception) throw (Exception) e.getCause();
				throw e;
			}
		}
	}

	private static void stopIfKilled() {
		final TaskContext task = TaskContext.get();
		if (task != null && task.isInterrupted()) throw new TaskKilledException("killed");
	}
}
