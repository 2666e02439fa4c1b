package sc.fiji.ncc.motion;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;

import sc.fiji.ncc.image.PositionFit;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.motion.WindowSearch.Measured;
import sc.fiji.ncc.motion.WindowSearch.Pair;
import sc.fiji.ncc.numeric.ResidualCovariance;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.track.SearchWindow;

/**
 * The windows of several pairs of frames with one motion, as of a steady flow: the two highest peaks of the mean of the responses over the pairs
 * (C. D. Meinhart, S. T. Wereley and J. G. Santiago, A PIV algorithm for estimating time-averaged velocity fields, J. Fluids Eng.
 * 122 (2000) 285-289, DOI 10.1115/1.483256).
 * The highest one is refined by least squares over the pixels of all pairs. One pair is in memory at a time; the channels of one pair are in memory together.
 */
final class EnsembleSearch implements FieldPass.Source {

	/** The largest number of Gauss-Newton steps, a step that needs no further one, and a last step that is too long for a solution, in pixels. */
	private static final int STEPS = 6;
	private static final double SMALL = 1e-3, LONG = 0.02;
	/** The largest distance from the pixel of a peak, and from the start, in pixels. */
	private static final double NEAR = 1.5, FAR = 1;

	/** The pairs of frames. */
	interface Pairs {

		/** @param splines whether the splines are needed */
		Pair get(int number, boolean splines);
	}

	private final WindowSearch search;
	private final WindowGrid grid;
	private final Pairs pairs;
	private final int count;
	private final boolean exact, refine;
	private final Parallel parallel;
	private final Monitor monitor;
	private final Mean[] means;

	/**
	 * @param count the number of pairs
	 * @param exact whether scores have to be exact
	 * @param refine whether motions are refined on the pixels
	 */
	EnsembleSearch(final WindowSearch search, final Pairs pairs, final int count, final boolean exact, final boolean refine,
		final Parallel parallel, final Monitor monitor)
	{
		this.search = search;
		this.pairs = pairs;
		this.count = count;
		this.exact = exact;
		this.refine = refine;
		this.parallel = parallel;
		this.monitor = monitor;
		grid = search.grid();
		means = new Mean[grid.windows()];
	}

	/** The mean responses of a window, its peaks, and the fit of the highest one. */
	private static final class Mean {

		/** The sums over the pairs, later their means; NaN for lags that too few pairs have. */
		final double[] responses;
		/** The number of pairs with a response. */
		final int[] pairs;
		double error;
		WindowChance chance;
		List<Peak> peaks = List.of();
		final double[] scores = new double[2];
		/** The offset from the pixel of the highest peak, where it began, and its last change. */
		double[] start, offset;
		double change = Double.POSITIVE_INFINITY;
		/** The sums of one step over the pairs. */
		double[][] jacobian, noise, covariance;
		double[] right;

		Mean(final int lags) {
			responses = new double[lags];
			pairs = new int[lags];
		}

		void add(final double[] of, final double largestError) {
			for (int i = 0; i < of.length; i++) if (!Double.isNaN(of[i])) {
				responses[i] += of[i];
				pairs[i]++;
			}
			error = Math.max(error, largestError);
		}

		/** A lag has a mean if at least half as many pairs have it as any other lag. */
		void divide() {
			final int most = Arrays.stream(pairs).max().orElse(0);
			for (int i = 0; i < pairs.length; i++) responses[i] = pairs[i] > 0 && 2 * pairs[i] >= most
				? responses[i] / pairs[i] : Double.NaN;
		}

		boolean isRefined() {
			return offset != null && change < SMALL;
		}
	}

	@Override
	public WindowGrid grid() {
		return grid;
	}

	@Override
	public List<Measured> measure() {
		for (int p = 0; p < count; p++) {
			final double[][] responses = new double[means.length][];
			final double[] errors = new double[means.length];
			search.search(pairs.get(p, false), (i, of, error) -> {
				responses[i] = of.clone();
				errors[i] = error;
			});
			windows(i -> {
				if (responses[i] == null) return;
				if (means[i] == null) means[i] = new Mean(responses[i].length);
				means[i].add(responses[i], errors[i]);
			});
		}
		windows(this::peaks);
		if (search.isByChance() || exact && Arrays.stream(means).anyMatch(m -> m != null && m.error > WindowSearch.EXACT)) scores();
		for (int step = 0; refine && step < STEPS && !Arrays.stream(means)
			.allMatch(m -> m == null || m.offset == null || m.isRefined()); step++) step();
		final Measured[] vectors = new Measured[means.length];
		windows(i -> vectors[i] = measured(i));
		return Arrays.asList(vectors);
	}

	/** Does work for each window, on several threads. */
	private void windows(final IntConsumer work) {
		final int row = grid.count()[0];
		parallel.each(means.length / row, r -> {
			for (int i = r * row; i < (r + 1) * row; i++) work.accept(i);
		});
	}

	private void peaks(final int i) {
		final Mean m = means[i];
		if (m == null) return;
		m.divide();
		final long[] place = grid.first(i);
		m.peaks = WindowPeaks.of(m.responses, m.error, search.lags(), place, responses(m, place));
		for (int k = 0; k < m.peaks.size(); k++) m.scores[k] = m.peaks.get(k).value();
		if (m.peaks.isEmpty()) return;
		m.start = QuadraticPeak.offset(m.peaks.get(0).position(), responses(m, place));
		m.offset = m.start.clone();
	}

	/** The mean responses; NaN outside the search. */
	private ToDoubleFunction<long[]> responses(final Mean m, final long[] place) {
		final SearchWindow lags = search.lags();
		final long[] origin = lags.origin(place);
		return at -> {
			final int index = WindowSearch.index(at, origin, lags.count());
			return index < 0 ? Double.NaN : m.responses[index];
		};
	}

	/** The means of the exact scores of the peaks, and the details of the highest ones. */
	private void scores() {
		final double[][] sums = new double[means.length][2];
		final int[][] pairsOf = new int[means.length][2];
		for (int p = 0; p < count; p++) {
			final Pair pair = next(p, false);
			windows(i -> {
				final Template template = means[i] == null ? null : search.template(pair, i);
				if (template == null) return;
				if (search.isByChance() && !means[i].peaks.isEmpty()) {
					if (means[i].chance == null) means[i].chance = new WindowChance();
					means[i].chance.add(pair, grid.first(i), means[i].peaks.get(0).position(), grid.window());
				}
				for (int k = 0; k < means[i].peaks.size(); k++) {
					final double score = search.score(pair, template, means[i].peaks.get(k).position());
					if (Double.isNaN(score)) continue;
					sums[i][k] += score;
					pairsOf[i][k]++;
				}
			});
		}
		windows(i -> {
			for (int k = 0; means[i] != null && k < means[i].peaks.size(); k++) means[i].scores[k] = sums[i][k] / pairsOf[i][k];
		});
	}

	private Pair next(final int number, final boolean splines) {
		monitor.requireNotCanceled();
		return pairs.get(number, splines);
	}

	/** One Gauss-Newton step of all windows over all pairs. */
	private void step() {
		final int n = grid.dimensions();
		windows(i -> {
			final Mean m = means[i];
			if (m == null || m.offset == null || m.isRefined()) return;
			m.jacobian = new double[n][n];
			m.noise = new double[n][n];
			m.right = new double[n];
		});
		for (int p = 0; p < count; p++) {
			final Pair pair = next(p, true);
			windows(i -> add(pair, i));
		}
		windows(i -> {
			final Mean m = means[i];
			if (m == null || m.offset == null || m.isRefined()) return;
			final double[][] inverse = ResidualCovariance.inverseOfFloats(m.jacobian);
			m.change = 0;
			boolean near = inverse != null;
			for (int d = 0; d < n && near; d++) {
				double change = 0;
				for (int e = 0; e < n; e++) change += inverse[d][e] * m.right[e];
				change = Math.max(-0.5, Math.min(0.5, change));
				m.offset[d] += change;
				m.change = Math.max(m.change, Math.abs(change));
				near = Math.abs(m.offset[d]) <= NEAR && Math.abs(m.offset[d] - m.start[d]) <= FAR;
			}
			m.covariance = near ? ResidualCovariance.around(inverse, m.noise) : null;
			if (!near) m.offset = null;
		});
	}

	private void add(final Pair pair, final int i) {
		final Mean m = means[i];
		if (m == null || m.offset == null || m.isRefined()) return;
		final Template template = search.template(pair, i);
		if (template == null) return;
		final PositionFit.Step step = search.fit(pair, template, i, fit -> fit.step(m.peaks.get(0).position(), m.offset));
		if (step == null) return;
		for (int d = 0; d < m.right.length; d++) {
			m.right[d] += step.right()[d];
			for (int e = 0; e < m.right.length; e++) {
				m.jacobian[d][e] += step.jacobian()[d][e];
				m.noise[d][e] += step.noise()[d][e];
			}
		}
	}

	private Measured measured(final int i) {
		final Mean m = means[i];
		if (m == null || m.peaks.isEmpty()) return search.absent(i);
		final long[] place = grid.first(i);
		final boolean refined = refine && m.offset != null && m.change < LONG;
		final boolean edge = search.lags().edge(m.peaks.get(0).position(), place), two = m.peaks.size() > 1;
		final MotionVector v = new MotionVector(grid.centre(i), motion(m.peaks.get(0), place, refined ? m.offset : m.start), m.scores[0],
			two ? m.scores[1] : Double.NaN, refined ? m.covariance : null, search.falseAlarms(m.chance, m.scores[0]), edge ? State.REJECTED
			: State.MEASURED);
		return new Measured(v, two && !search.lags().edge(m.peaks.get(1).position(), place) ? m.peaks.get(1).position() : null);
	}

	private static double[] motion(final Peak peak, final long[] place, final double[] offset) {
		final double[] motion = offset.clone();
		for (int d = 0; d < motion.length; d++) motion[d] += peak.position()[d] - place[d];
		return motion;
	}

	/** The second peak has the position of the quadratic through the mean responses. */
	@Override
	public MotionVector second(final Measured measured, final int i) {
		final long[] place = grid.first(i);
		final Peak peak = means[i].peaks.get(1);
		final double[] offset = QuadraticPeak.offset(peak.position(), responses(means[i], place));
		return new MotionVector(grid.centre(i), motion(peak, place, offset), measured.vector().score(), measured.vector().runnerUp(), null,
			measured.vector().falseAlarms(), State.SECOND);
	}
}
