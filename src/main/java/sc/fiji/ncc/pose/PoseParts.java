package sc.fiji.ncc.pose;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.parts.ImageParts;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.run.Parts;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.result.PosesFound;

/**
 * A search for poses in parts. Processes find the local maxima of boxes of positions ({@link #maxima}); the first box makes the basis and the plan. One process chooses the
 * matches among all of them ({@link #matches}). It reads no pixels: the others refine the matches ({@link #refined}). The matches are those of one process.
 */
public final class PoseParts implements Parts {

	/** The sides of boxes are multiples of this number of positions: in two dimensions, and in three. The maximum number of positions of a box. */
	private static final int SIDE = 1024, SIDE_3D = 128;
	private static final long MAX_POSITIONS = 1L << 20;

	/**
	 * The local maxima of a box.
	 *
	 * @param frame the number of the frame
	 * @param minScore the minimum score of the frame
	 * @param background how far it holds; null if it is given
	 * @param report the counts of the correlations
	 */
	public record Maxima(long frame, double minScore, BackgroundState background, Report report, List<PoseMaximum> maxima)
		implements Serializable {}

	/** A maximum that was chosen as a match. */
	public record Chosen(long frame, PoseMaximum maximum) implements Serializable {}

	/** Refines matches in other processes. */
	@FunctionalInterface
	public interface Refiner {

		/** @return one match for each of the chosen maxima */
		List<PoseMatch> refined(List<Chosen> chosen);
	}

	private final PoseRun run;
	private final RandomAccessibleInterval<?> image;
	private final PoseSet set;
	private final PoseSettings.Choice settings;
	private final BoxGrid grid;
	/** The first position of all boxes. */
	private final long[] first;
	/** One box at a time: it uses all threads, and its correlations take much memory. */
	private final ExecutorService worker = Executors.newSingleThreadExecutor(Parallel.daemons("ncc-poses"));
	private final long start = System.nanoTime();
	/** The last frame that was prepared; its minimum score is not computed again. */
	private long prepared = -1;

	/** @param run ends with the parts */
	public PoseParts(final PoseRun run, final RandomAccessibleInterval<?> image, final PoseSettings.Choice settings) {
		this.run = run;
		this.image = image;
		this.settings = settings;
		final long[] size = run.size(frame(0));
		set = run.set(size);
		final long[][] positions = PoseFrame.positions(set, size);
		first = positions[0];
		final int[] side = new int[size.length];
		Arrays.fill(side, side.length < 3 ? SIDE : SIDE_3D);
		grid = BoxGrid.ofChunks(positions[1], new long[side.length], side, MAX_POSITIONS);
		run.inBoxes(grid.largest(), grid.count());
	}

	private RandomAccessibleInterval<?> frame(final long index) {
		return StackFrames.get(image, run.dimensions(), index);
	}

	@Override
	public long count() {
		return Math.multiplyExact(run.frames(), grid.count());
	}

	@Override
	public Monitor monitor() {
		return run.monitor();
	}

	@Override
	public synchronized String algorithms() {
		return prepared < 0 ? "" : ImageParts.algorithms(List.of(run.ranking()));
	}

	/** What the process without pixels says about the search. */
	public PoseReport report() {
		return new PoseReport(set.poses().size(), List.of(), List.of(), set.bytes(), Optional.empty());
	}

	/**
	 * Finds the local maxima of a box. Returns at once.
	 *
	 * @param index from 0 to {@link #count} - 1
	 */
	public CompletableFuture<Maxima> maxima(final long index) {
		return later(() -> {
			final long frame = index / grid.count();
			final long[][] box = grid.box(index % grid.count());
			for (int d = 0; d < first.length; d++) box[0][d] += first[d];
			prepare(frame);
			final Report report = run.frame(frame(frame), box);
			return new Maxima(frame, run.score(), run.state(), report, run.found().maxima(box));
		});
	}

	/** Refines matches, frame after frame. Returns at once. */
	public CompletableFuture<List<PoseMatch>> refined(final List<Chosen> chosen) {
		return later(() -> {
			final List<PoseMatch> refined = new ArrayList<>();
			for (int from = 0, to = 0; from < chosen.size(); from = to) {
				final long frame = chosen.get(from).frame;
				while (to < chosen.size() && chosen.get(to).frame == frame) to++;
				prepare(frame);
				refined.addAll(run.begin(frame(frame)).refined(chosen.subList(from, to).stream().map(Chosen::maximum).toList()));
			}
			return refined;
		});
	}

	private <T> CompletableFuture<T> later(final Supplier<T> work) {
		return CompletableFuture.supplyAsync(work, worker);
	}

	/** The first call plans. If the minimum score follows from the background, further frames can need a plan of their own. */
	private synchronized void prepare(final long frame) {
		if (frame != prepared) run.prepare(frame(frame));
		prepared = frame;
	}

	/**
	 * Chooses the matches.
	 *
	 * @param maxima those of all boxes, in any order
	 * @return those of each frame; {@link PoseMatch#frame} is empty
	 */
	public List<PosesFound> matches(final List<Maxima> maxima, final Refiner refiner) {
		final List<List<PoseMaximum>> ofFrame = new ArrayList<>();
		for (long f = 0; f < run.frames(); f++) ofFrame.add(new ArrayList<>());
		final double[] scores = new double[ofFrame.size()];
		final BackgroundState[] states = new BackgroundState[scores.length];
		final Report[] reports = new Report[ofFrame.size()];
		Arrays.fill(reports, Report.NONE);
		for (final Maxima m : maxima) {
			final int f = Math.toIntExact(m.frame);
			ofFrame.get(f).addAll(m.maxima);
			scores[f] = m.minScore;
			states[f] = m.background;
			reports[f] = reports[f].plus(m.report);
		}
		final List<Chosen> chosen = new ArrayList<>();
		for (int f = 0; f < ofFrame.size(); f++)
			for (final PoseMaximum m : PoseSelection.choose(set, settings, ofFrame.get(f))) chosen.add(new Chosen(f, m));
		final List<PoseMatch> refined = settings.refine() ? refiner.refined(chosen) : chosen.stream()
			.map(c -> PoseFrame.match(set, c.maximum, run.part(frame(c.frame)))).toList();
		final List<PosesFound> matches = new ArrayList<>();
		for (int f = 0, i = 0; f < ofFrame.size(); f++) {
			final int from = i;
			while (i < chosen.size() && chosen.get(i).frame == f) i++;
			final List<PoseMatch> placed = run.placed(PoseFrame.sorted(refined.subList(from, i)), scores[f], states[f]);
			matches.add(new PosesFound(placed, reports[f], report(), scores[f], Stream.ofNullable(states[f]).toList(), List.of(),
				1e-9 * (System.nanoTime() - start)));
		}
		return matches;
	}

	@Override
	public void close() {
		run.cancel();
		worker.shutdown();
		Parallel.await(() -> worker.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
		run.close();
	}
}
