package sc.fiji.ncc.motion;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.PositionFit;
import sc.fiji.ncc.numeric.WindowScore;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.run.BoxQueue;
import sc.fiji.ncc.run.FailoverExecution;
import sc.fiji.ncc.track.FrameResponses;
import sc.fiji.ncc.track.SearchWindow;
import sc.fiji.ncc.track.TwoPeaks;

/**
 * The search for the windows of a grid in another frame: each window is a template with its own origin of lags. Windows with the same kind of weights
 * are correlated together. The executions
 * serve all pairs of frames of one size and type.
 */
final class WindowSearch implements AutoCloseable {

	/** Twice the error limit of responses, so that a rounding error cannot lose the best one. */
	private static final double TOLERANCE = 2e-5;
	/**
	 * The maximum number of windows, of their pixels and of responses that are computed at once. Windows with missing pixels, or at the border of the
	 * frame, share less work.
	 */
	private static final int WINDOWS = 1024, PARTIAL_WINDOWS = 32, PIXELS = 1 << 22, RESPONSES = 1 << 23;

	private final WindowGrid grid;
	private final ComputeOptions options;
	private final PixelType type;
	private final double minOverlap;
	private final long pairs;
	private final Parallel parallel;
	private final SearchWindow window;
	private final Size count;
	private final Bank whole, partial;
	private Report report = Report.NONE;

	/** Windows with the same kind of weights, and the execution that correlates them. */
	private final class Bank implements AutoCloseable {

		final Lags lags;
		private final int size;
		private FailoverExecution execution;

		Bank(final Lags lags, final int most) {
			this.lags = lags;
			size = Math.max(1, (int) Math.min(Math.min(grid.windows(), most), Math.min(PIXELS / grid.window().pixels(), RESPONSES / count.pixels())));
		}

		Ranking ranking(final Weights weights) {
			final Windows windows = new Windows(type, type, grid.frame(), IntStream.range(0, size).mapToObj(i -> grid.window()).toList(), lags, pairs, Precision.SINGLE);
			final Correlation problem = new Correlation(windows, weights, 1, Result.MAP);
			if (this == whole || options.algorithm().isEmpty()) return options.rank(problem);
			// many algorithms cannot compute partial windows
			final Ranking any = options.algorithm(null).rank(problem);
			return any.candidates().stream().anyMatch(c -> c.applies() && c.name().equals(options.algorithm().get())) ? options.rank(problem) : any;
		}

		/**
		 * Computes the maps of windows.
		 *
		 * @param members at most as many as the bank holds
		 */
		void correlate(final ImagePixels moving, final List<Cut> members, final float[][] maps) {
			final List<Cut> padded = new ArrayList<>(members);
			// the execution has a fixed number of templates
			while (padded.size() < size) padded.add(members.get(0));
			final List<Template> templates = padded.stream().map(Cut::template).toList();
			if (execution == null) execution = new FailoverExecution(ranking(Weights.of(templates.get(0))), templates);
			else execution.replace(templates);
			final LagBox box = new LagBox(padded.stream().map(c -> window.origin(grid.first(c.window))).toArray(long[][]::new), window.count());
			final FrameResponses responses = new FrameResponses(moving, size);
			final Monitor monitor = new CancelOnly(options.monitor());
			report = report.plus(execution.run(new BoxQueue(List.of(new BoxQueue.Box(() -> moving, box,
				responses.sink(IntStream.range(0, size).toArray(), box.size()), monitor)),
				monitor)));
			for (int i = 0; i < members.size(); i++) maps[members.get(i).index] = responses.maps()[i];
		}

		@Override
		public void close() {
			if (execution != null) execution.close();
		}
	}

	/** Progress is counted in windows, since some windows are not computed. */
	private record CancelOnly(Monitor monitor) implements Monitor {

		@Override
		public boolean canceled() {
			return monitor.canceled();
		}
	}

	/**
	 * A window of the fixed frame.
	 *
	 * @param index the index in its batch
	 * @param whole whether the window and its search lie in the frame, without missing pixels
	 */
	private record Cut(int index, int window, Template template, boolean whole) {}

	/** Two frames. Frames without missing pixels have no mask. */
	record Pair(ImagePixels fixed, ImagePixels moving, boolean refine) {}

	/**
	 * @param shift the largest shift from the place of a window along each dimension
	 * @param type the pixel type of the frames
	 * @param missing whether pixels of the frames may be missing
	 * @param pairs the number of pairs of frames
	 */
	WindowSearch(final WindowGrid grid, final long[] shift, final PixelType type, final boolean missing, final MotionSettings settings,
		final ComputeOptions options, final long pairs,
		final Parallel parallel)
	{
		this.grid = grid;
		this.options = options;
		this.type = type;
		this.pairs = pairs;
		this.parallel = parallel;
		minOverlap = settings.minOverlap();
		window = new SearchWindow(grid.frame().toArray(), grid.window(), shift, true);
		count = Size.of(Arrays.stream(window.count()).asLongStream().toArray());
		whole = new Bank(Lags.inside(count), WINDOWS);
		partial = new Bank(new Lags(count, true, missing, minOverlap), PARTIAL_WINDOWS);
	}

	WindowGrid grid() {
		return grid;
	}

	/** The number of responses of one pair. */
	long responses() {
		return grid.windows() * count.pixels();
	}

	Report report() {
		return report;
	}

	/** The candidates for the windows without missing pixels. */
	Ranking ranking() {
		return whole.execution == null ? whole.ranking(Weights.NONE) : whole.execution.ranking();
	}

	/**
	 * A vector that is not validated, except that a peak at the end of the search is rejected.
	 *
	 * @param second the lag of the second peak; null without one inside the search
	 */
	record Measured(MotionVector vector, long[] second) {

		static Measured missing(final double[] centre) {
			return new Measured(MotionVector.missing(centre), null);
		}
	}

	/** The motion of all windows. */
	List<Measured> measure(final Pair pair) {
		final Measured[] vectors = new Measured[grid.windows()];
		for (int from = 0; from < vectors.length; from += whole.size) {
			final int first = from, n = Math.min(whole.size, vectors.length - from);
			final Cut[] cuts = new Cut[n];
			parallel.each(n, i -> cuts[i] = cut(pair, i, first + i));
			final float[][] maps = new float[n][];
			correlate(whole, pair.moving, Arrays.stream(cuts).filter(c -> c != null && c.whole).toList(), maps);
			correlate(partial, pair.moving, Arrays.stream(cuts).filter(c -> c != null && !c.whole).toList(), maps);
			parallel.each(n, i -> {
				if (options.monitor().canceled()) throw new CancellationException("canceled");
				vectors[first + i] = cuts[i] == null ? Measured.missing(grid.centre(first + i)) : measured(pair, cuts[i], maps[i]);
			});
			options.monitor().done(n * count.pixels());
		}
		return Arrays.asList(vectors);
	}

	private static void correlate(final Bank bank, final ImagePixels moving, final List<Cut> members, final float[][] maps) {
		for (int from = 0; from < members.size(); from += bank.size) bank.correlate(bank.lags.masked() ? moving : moving.unmasked(),
			members.subList(from, Math.min(members.size(), from + bank.size)), maps);
	}

	/** @return null if the window has too few pixels, or no contrast */
	private Cut cut(final Pair pair, final int index, final int i) {
		final long[] first = grid.first(i);
		final int[] size = grid.window().toIntArray();
		final Buffer raw = type.allocate((int) grid.window().pixels());
		pair.fixed.read(first, size, raw);
		final double[] values = new double[(int) grid.window().pixels()];
		double[] weights = null;
		if (pair.fixed.mask() != null) {
			final byte[] present = new byte[values.length];
			pair.fixed.mask().read(first, size, ByteBuffer.wrap(present));
			int left = 0;
			for (final byte p : present) left += p;
			if (left < minOverlap * values.length || left == 0) return null;
			if (left < values.length) {
				weights = new double[values.length];
				for (int k = 0; k < weights.length; k++) weights[k] = present[k];
			}
		}
		boolean finite = true;
		for (int k = 0; k < values.length; k++) {
			values[k] = Buffers.value(raw, type.min == 0, k);
			if (weights != null && weights[k] == 0) values[k] = 0;
			finite &= Double.isFinite(values[k]);
		}
		final boolean isWhole = weights == null && isWhole(pair.moving, first);
		// all templates of a bank have one kind of weights
		if (!isWhole && weights == null) Arrays.fill(weights = new double[values.length], 1);
		final Template template = new Template(grid.window(), type, values, weights);
		return finite && template.hasContrast() ? new Cut(index, i, template, isWhole) : null;
	}

	/** Whether the search of a window lies in the frame, without missing pixels. */
	private boolean isWhole(final ImagePixels moving, final long[] first) {
		final long[] origin = window.origin(first);
		final int[] size = window.count();
		int all = 1;
		for (int d = 0; d < size.length; d++) {
			size[d] += grid.window().get(d) - 1;
			all *= size[d];
			if (origin[d] < 0 || origin[d] + size[d] > grid.frame().get(d)) return false;
		}
		if (moving.mask() == null) return true;
		final byte[] present = new byte[all];
		moving.mask().read(origin, size, ByteBuffer.wrap(present));
		for (final byte p : present) if (p == 0) return false;
		return true;
	}

	private Measured measured(final Pair pair, final Cut cut, final float[] map) {
		final long[] place = grid.first(cut.window);
		final WindowScore score = score(pair, cut);
		final List<Peak> peaks = TwoPeaks.of(map, window, place, TOLERANCE, score::at);
		if (peaks.isEmpty()) return Measured.missing(grid.centre(cut.window));
		final long[] at = peaks.get(0).position();
		final Peak second = peaks.size() > 1 ? peaks.get(1) : null;
		final MotionVector v = vector(pair, cut, score, new Found(at, peaks.get(0).value(), second == null ? Double.NaN : second.value(),
			window.edge(at, place) ? State.REJECTED
			: State.MEASURED));
		return new Measured(v, second == null || window.edge(second.position(), place) ? null : second.position());
	}

	/** The vector of the second peak of a window. */
	MotionVector second(final Pair pair, final Measured measured, final int i) {
		final Cut cut = cut(pair, 0, i);
		return vector(pair, cut, score(pair, cut), new Found(measured.second, measured.vector.score(), measured.vector.runnerUp(), State.SECOND));
	}

	private WindowScore score(final Pair pair, final Cut cut) {
		return new WindowScore(cut.whole ? pair.moving.unmasked() : pair.moving, cut.template, cut.whole ? whole.lags : partial.lags);
	}

	private record Found(long[] at, double score, double runnerUp, State state) {}

	private MotionVector vector(final Pair pair, final Cut cut, final WindowScore score, final Found found) {
		final int n = grid.dimensions();
		double[] fraction = fraction(score, found.at);
		double[][] covariance = null;
		if (pair.refine) {
			final PositionFit.Fitted fitted = new PositionFit(pair.moving, cut.template).at(found.at, fraction);
			if (fitted != null) {
				fraction = fitted.offset();
				covariance = fitted.covariance();
			}
		}
		final long[] place = grid.first(cut.window);
		final double[] motion = new double[n];
		for (int d = 0; d < n; d++) motion[d] = found.at[d] - place[d] + fraction[d];
		return new MotionVector(grid.centre(cut.window), motion, found.score, found.runnerUp, covariance, found.state);
	}

	/** The offset of a peak from its pixel, by a quadratic through exact scores. */
	private static double[] fraction(final WindowScore score, final long[] at) {
		int all = 1;
		for (int d = 0; d < at.length; d++) all *= 3;
		final double[] scores = new double[all];
		final long[] p = new long[at.length];
		for (int k = 0; k < all; k++) {
			for (int d = 0, code = k; d < p.length; d++, code /= 3) p[d] = at[d] + code % 3 - 1;
			scores[k] = score.at(p);
		}
		return QuadraticPeak.offset(scores, at.length);
	}

	@Override
	public void close() {
		whole.close();
		partial.close();
	}
}
