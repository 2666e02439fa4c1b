package sc.fiji.ncc.motion;

import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
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
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.window.FoundWindow;
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
	static final double EXACT = 1e-9;

	private final WindowGrid grid;
	/** Which windows are searched; null for all. */
	private final boolean[] wanted;
	private final WindowPairs problem;
	private final ComputeOptions options;
	private final Lags lags;
	private final boolean byChance;
	/** The weights of the pixels of a window; null if all are 1. */
	private final double[] weights;
	private final SearchWindow window;
	/** Those that no thread uses. */
	private final Queue<PositionFit> fits = new ConcurrentLinkedQueue<>();
	private Failover<WindowExecution> execution;
	private Ranking ranking;
	private Report report = Report.NONE;

	/**
	 * Two frames. Frames without missing pixels have no mask.
	 *
	 * @param splines those of both frames, to refine motions; null for motions that are not refined
	 */
	record Pair(ImagePixels fixed, ImagePixels moving, Splines splines) {}

	/**
	 * The splines of two frames, made when they are first needed: a device has its own. Several threads may use it: a thread that needs one can be that of a
	 * pool whose others wait for it, so each spline is made by threads of its own.
	 */
	static final class Splines {

		private final ImagePixels a, b;
		private final int threads;
		private FrameSpline fixed, moving;
		private float[] values;

		Splines(final ImagePixels a, final ImagePixels b, final int threads) {
			this.a = a;
			this.b = b;
			this.threads = threads;
		}

		synchronized FrameSpline fixed() {
			if (fixed == null) fixed = made(a);
			return fixed;
		}

		synchronized FrameSpline moving() {
			if (moving == null) moving = made(b);
			return moving;
		}

		/** The pixels of the first frame, see {@link FrameSpline#values}. */
		synchronized float[] values() {
			if (values == null) values = inThreads(parallel -> FrameSpline.values(a, parallel));
			return values;
		}

		private FrameSpline made(final ImagePixels frame) {
			return inThreads(parallel -> new FrameSpline(frame, parallel));
		}

		private <T> T inThreads(final Function<Parallel, T> work) {
			try (Parallel parallel = new Parallel(threads)) {
				return work.apply(parallel);
			}
		}
	}

	/**
	 * @param wanted which windows are searched; null for all
	 * @param shift the largest shift from the place of a window along each dimension
	 * @param type the pixel type of the frames
	 * @param missing whether pixels of the frames may be missing
	 * @param pairs the number of pairs of frames
	 */
	WindowSearch(final WindowGrid grid, final boolean[] wanted, final long[] shift, final PixelType type, final boolean missing,
		final MotionSettings settings, final ComputeOptions options, final long pairs)
	{
		this.grid = grid;
		this.wanted = wanted;
		this.options = options;
		byChance = settings.validation().isByChance();
		window = new SearchWindow(grid.frame().toArray(), grid.window(), shift, true);
		final Size count = Size.of(Arrays.stream(window.count()).asLongStream().toArray());
		lags = new Lags(count, true, missing, settings.minOverlap());
		problem = new WindowPairs(type, grid.frame(), grid.window(), grid.spacing(), count, missing, settings.minOverlap(), pairs,
			settings.shape());
		weights = settings.shape().weights(grid.window());
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

	/** The candidates: ranked once, because that can take the time to measure them. */
	Ranking ranking() {
		if (execution != null) return execution.ranking();
		if (ranking == null) ranking = options.rank(problem);
		return ranking;
	}

	/**
	 * A vector that is not validated, except that a peak at the end of the search is rejected.
	 *
	 * @param second the lag of the second peak; null without one inside the search
	 */
	record Measured(MotionVector vector, long[] second) {}

	/** A window without a peak. */
	Measured absent(final int window) {
		return new Measured(MotionVector.without(grid.centre(window), wanted == null || wanted[window] ? State.MISSING : State.MASKED),
			null);
	}

	/** The motion of all windows. */
	List<Measured> measure(final Pair pair) {
		final Measured[] vectors = new Measured[grid.windows()];
		search(pair, new WindowExecution.Receiver() {

			@Override
			public void take(final int i, final double[] responses, final double error) {
				vectors[i] = measured(new Seen(pair, i), responses, error);
			}

			@Override
			public WindowExecution.Wanted wanted() {
				return pair.splines == null ? WindowExecution.Wanted.PEAKS : WindowExecution.Wanted.REFINED;
			}

			@Override
			public void take(final int i, final FoundWindow found) {
				vectors[i] = measured(new Seen(pair, i), found);
			}
		});
		for (int i = 0; i < vectors.length; i++) if (vectors[i] == null) vectors[i] = absent(i);
		return Arrays.asList(vectors);
	}

	/** Passes on the responses of all windows. After a failure of a device, it passes them on again. */
	void search(final Pair pair, final WindowExecution.Receiver to) {
		if (execution == null) execution = new Failover<>(ranking(), WindowPlan.class, plan -> plan.prepare(options.threads()));
		report = report.plus(execution.repeat(options.monitor(),
			(open, progress) -> open.search(pair.fixed, pair.moving, wanted, to, progress)));
	}

	/** The windows of a pair of frames. */
	FieldPass.Source in(final Pair pair) {
		return new FieldPass.Source() {

			@Override
			public WindowGrid grid() {
				return grid;
			}

			@Override
			public List<Measured> measure() {
				return WindowSearch.this.measure(pair);
			}

			@Override
			public MotionVector second(final Measured measured, final int i) {
				return WindowSearch.this.second(pair, measured, i);
			}
		};
	}

	SearchWindow lags() {
		return window;
	}

	/** The pixels of a window; null if too few are present, or if they are flat. */
	Template template(final Pair pair, final int i) {
		return FrameWindow.template(pair.fixed, grid.first(i), grid.window(), weights, lags.minOverlap());
	}

	/** The exact score of a window at a position of its first pixel. */
	double score(final Pair pair, final Template template, final long[] at) {
		return new WindowScore(pair.moving, template, lags).at(at);
	}

	/** What a fit of a window gives. */
	<T> T fit(final Pair pair, final Template template, final int i, final Function<PositionFit, T> work) {
		final PositionFit kept = fits.poll(), fit = kept == null ? new PositionFit(grid.window()) : kept;
		final T result = work.apply(fit.of(pair.moving, template, pair.splines.moving(), pair.splines.fixed(), grid.first(i)));
		fit.release();
		fits.add(fit);
		return result;
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
			if (template == null) template = WindowSearch.this.template(pair, window);
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
			final int index = index(at, origin, count);
			return index < 0 ? seen.score(at) : responses[index];
		};
		final List<Peak> peaks = WindowPeaks.of(responses, error, window, seen.place, error > EXACT ? seen::score : near);
		if (peaks.isEmpty()) return absent(seen.window);
		final long[] at = peaks.get(0).position();
		final Peak second = peaks.size() > 1 ? peaks.get(1) : null;
		final double score = peaks.get(0).value();
		final WindowChance chance = byChance ? new WindowChance() : null;
		if (byChance) chance.add(seen.pair, seen.place, at, grid.window());
		final MotionVector v = vector(seen, near, new Found(at, score, second == null ? Double.NaN : second.value(),
			falseAlarms(chance, score), window.edge(at, seen.place) ? State.REJECTED : State.MEASURED));
		return new Measured(v, second == null || window.edge(second.position(), seen.place) ? null : second.position());
	}

	/** The same for peaks that a device found. */
	private Measured measured(final Seen seen, final FoundWindow found) {
		final int[] count = window.count();
		final long[] at = at(found.best(), seen.place, count), second = found.second() < 0 ? null : at(found.second(), seen.place, count);
		final WindowChance chance = byChance ? new WindowChance() : null;
		if (byChance) chance.add(seen.pair, seen.place, at, grid.window());
		final Found peaks = new Found(at, found.score(), found.runnerUp(), falseAlarms(chance, found.score()),
			window.edge(at, seen.place) ? State.REJECTED : State.MEASURED);
		final MotionVector v = found.refined() ? vector(seen, peaks, found.offset(), found.covariance())
			: fitted(seen, peaks, found.offset());
		return new Measured(v, second == null || window.edge(second, seen.place) ? null : second);
	}

	private long[] at(final int index, final long[] place, final int[] count) {
		final long[] at = window.origin(place);
		for (int d = 0, rest = index; d < at.length; rest /= count[d++]) at[d] += rest % count[d];
		return at;
	}

	/** The index of a lag; -1 outside. */
	static int index(final long[] at, final long[] origin, final int[] count) {
		int index = 0;
		for (int d = count.length - 1; d >= 0; d--) {
			final long lag = at[d] - origin[d];
			if (lag < 0 || lag >= count[d]) return -1;
			index = index * count[d] + (int) lag;
		}
		return index;
	}

	/** The vector of the second peak of a window. */
	MotionVector second(final Pair pair, final Measured measured, final int i) {
		final Seen seen = new Seen(pair, i);
		return vector(seen, seen::score, new Found(measured.second, measured.vector.score(), measured.vector.runnerUp(),
			measured.vector.falseAlarms(), State.SECOND));
	}

	/** Whether the expected number of false alarms is wanted. */
	boolean isByChance() {
		return byChance;
	}

	/** @param chance null if it is not wanted */
	double falseAlarms(final WindowChance chance, final double score) {
		return chance == null ? Double.NaN : chance.falseAlarms(grid.dimensions(), score, lags.count().pixels());
	}

	private record Found(long[] at, double score, double runnerUp, double falseAlarms, State state) {}

	private MotionVector vector(final Seen seen, final ToDoubleFunction<long[]> score, final Found found) {
		return fitted(seen, found, QuadraticPeak.offset(found.at, score));
	}

	/** @param fraction the offset at which the fit starts */
	private MotionVector fitted(final Seen seen, final Found found, final double[] fraction) {
		final PositionFit.Fitted fitted = seen.pair.splines == null ? null
			: fit(seen.pair, seen.template(), seen.window, f -> f.at(found.at, fraction));
		return fitted == null ? vector(seen, found, fraction, null) : vector(seen, found, fitted.offset(), fitted.covariance());
	}

	private MotionVector vector(final Seen seen, final Found found, final double[] fraction, final double[][] covariance) {
		final double[] motion = new double[grid.dimensions()];
		for (int d = 0; d < motion.length; d++) motion[d] = found.at[d] - seen.place[d] + fraction[d];
		return new MotionVector(grid.centre(seen.window), motion, found.score, found.runnerUp, covariance, found.falseAlarms, found.state);
	}

	@Override
	public void close() {
		if (execution != null) execution.close();
	}
}
