package sc.fiji.ncc.motion;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.PositionFit;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.numeric.FrameWindow;
import sc.fiji.ncc.numeric.WindowScore;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.window.WindowExecution;
import sc.fiji.ncc.plan.window.WindowPlan;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.run.Failover;
import sc.fiji.ncc.track.SearchWindow;

/**
 * The search for the windows of a grid in another frame: the two highest peaks of each window, the highest one refined between the pixels.
 * The execution serves all pairs of frames of one size and type.
 */
final class WindowSearch implements AutoCloseable {

	/** Responses of peaks with a larger error are computed again. */
	private static final double EXACT = 1e-9;

	private final WindowGrid grid;
	private final WindowPairs problem;
	private final ComputeOptions options;
	private final Lags lags;
	private final SearchWindow window;
	private Failover<WindowExecution> execution;
	private Report report = Report.NONE;

	/**
	 * Two frames. Frames without missing pixels have no mask.
	 *
	 * @param fixedSpline the splines of both frames, to refine motions; null for motions that are not refined
	 */
	record Pair(ImagePixels fixed, ImagePixels moving, FrameSpline fixedSpline, FrameSpline movingSpline) {}

	/**
	 * @param shift the largest shift from the place of a window along each dimension
	 * @param type the pixel type of the frames
	 * @param missing whether pixels of the frames may be missing
	 * @param pairs the number of pairs of frames
	 */
	WindowSearch(final WindowGrid grid, final long[] shift, final PixelType type, final boolean missing, final MotionSettings settings,
		final ComputeOptions options, final long pairs)
	{
		this.grid = grid;
		this.options = options;
		window = new SearchWindow(grid.frame().toArray(), grid.window(), shift, true);
		final Size count = Size.of(Arrays.stream(window.count()).asLongStream().toArray());
		lags = new Lags(count, true, missing, settings.minOverlap());
		problem = new WindowPairs(type, grid.frame(), grid.window(), grid.spacing(), count, missing, settings.minOverlap(), pairs);
	}

	WindowGrid grid() {
		return grid;
	}

	/** The number of responses of one pair. */
	long responses() {
		return grid.windows() * lags.count().pixels();
	}

	Report report() {
		return report;
	}

	/** The candidates. */
	Ranking ranking() {
		return execution == null ? options.rank(problem) : execution.ranking();
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
		if (execution == null) execution = new Failover<>(ranking(), c -> ((WindowPlan) c.plan()).prepare(options.threads()));
		final Measured[] vectors = new Measured[grid.windows()];
		report = report.plus(execution.repeat(options.monitor(), (open, progress) -> open.search(pair.fixed, pair.moving, (i, responses, error) -> vectors[i] =
			measured(new Seen(pair, i), responses, error), progress)));
		for (int i = 0; i < vectors.length; i++) if (vectors[i] == null) vectors[i] = Measured.missing(grid.centre(i));
		return Arrays.asList(vectors);
	}

	/** A window, its template, and its exact scores, which are made when they are needed. */
	private final class Seen {

		final Pair pair;
		final int window;
		final long[] place;
		private Template template;
		private WindowScore score;

		Seen(final Pair pair, final int window) {
			this.pair = pair;
			this.window = window;
			place = grid.first(window);
		}

		Template template() {
			if (template == null) template = FrameWindow.template(pair.fixed, place, grid.window(), lags.minOverlap());
			return template;
		}

		double score(final long[] at) {
			if (score == null) score = new WindowScore(pair.moving, template(), lags);
			return score.at(at);
		}
	}

	private Measured measured(final Seen seen, final double[] responses, final double error) {
		final long[] origin = window.origin(seen.place);
		final int[] count = window.count();
		final ToDoubleFunction<long[]> near = at -> {
			int index = 0;
			for (int d = count.length - 1; d >= 0; d--) {
				final long lag = at[d] - origin[d];
				if (lag < 0 || lag >= count[d]) return seen.score(at);
				index = index * count[d] + (int) lag;
			}
			return responses[index];
		};
		final List<Peak> peaks = WindowPeaks.of(responses, error, window, seen.place, error > EXACT ? seen::score : near);
		if (peaks.isEmpty()) return Measured.missing(grid.centre(seen.window));
		final long[] at = peaks.get(0).position();
		final Peak second = peaks.size() > 1 ? peaks.get(1) : null;
		final MotionVector v = vector(seen, near, new Found(at, peaks.get(0).value(), second == null ? Double.NaN : second.value(), window.edge(at, seen.place)
			? State.REJECTED : State.MEASURED));
		return new Measured(v, second == null || window.edge(second.position(), seen.place) ? null : second.position());
	}

	/** The vector of the second peak of a window. */
	MotionVector second(final Pair pair, final Measured measured, final int i) {
		final Seen seen = new Seen(pair, i);
		return vector(seen, seen::score, new Found(measured.second, measured.vector.score(), measured.vector.runnerUp(), State.SECOND));
	}

	private record Found(long[] at, double score, double runnerUp, State state) {}

	private MotionVector vector(final Seen seen, final ToDoubleFunction<long[]> score, final Found found) {
		final int n = grid.dimensions();
		double[] fraction = fraction(score, found.at);
		double[][] covariance = null;
		if (seen.pair.movingSpline != null) {
			final PositionFit.Fitted fitted = new PositionFit(seen.pair.moving, seen.template(), seen.pair.movingSpline, seen.pair.fixedSpline,
				seen.place).at(found.at, fraction);
			if (fitted != null) {
				fraction = fitted.offset();
				covariance = fitted.covariance();
			}
		}
		final double[] motion = new double[n];
		for (int d = 0; d < n; d++) motion[d] = found.at[d] - seen.place[d] + fraction[d];
		return new MotionVector(grid.centre(seen.window), motion, found.score, found.runnerUp, covariance, found.state);
	}

	/** The offset of a peak from its pixel, by a quadratic through scores. */
	private static double[] fraction(final ToDoubleFunction<long[]> score, final long[] at) {
		int all = 1;
		for (int d = 0; d < at.length; d++) all *= 3;
		final double[] scores = new double[all];
		final long[] p = new long[at.length];
		for (int k = 0; k < all; k++) {
			for (int d = 0, code = k; d < p.length; d++, code /= 3) p[d] = at[d] + code % 3 - 1;
			scores[k] = score.applyAsDouble(p);
		}
		return QuadraticPeak.offset(scores, at.length);
	}

	@Override
	public void close() {
		if (execution != null) execution.close();
	}
}
