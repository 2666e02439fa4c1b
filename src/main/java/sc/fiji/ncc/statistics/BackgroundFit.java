package sc.fiji.ncc.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * Fits a {@link Background} to a sample of a map by maximum likelihood. In background, scores of both signs are equally likely. True matches add high scores only.
 * So the fit leaves out scores above the {@link #POSITIVE} quantile of the magnitudes of the negative scores, and the {@link #NEGATIVE} tail of these. It also leaves
 * out scores near 0. The likelihood counts that they are missing.
 * <p>
 * The sample is reduced to a histogram of w = r/√(1 − r²) in bins of equal ratio. So the cost of the fit does not depend on the size of the sample.
 */
public final class BackgroundFit {

	/** The quantiles of |w| beyond which positive and negative scores are left out. */
	private static final double POSITIVE = 0.98, NEGATIVE = 0.9999;
	/** The quantile of |w| below which scores are left out: the shape of the tails counts. */
	private static final double CENTRE = 0.5;
	/** A bin holds the floats with the same upper bits: {@code 1 << BIN_BITS} bins for each power of 2. */
	private static final int BIN_BITS = 6, SHIFT = 23 - BIN_BITS, BINS = 1 << (31 - SHIFT);
	/** The minimum number of independent responses of a fit. The scale then has a relative error of 5 %. */
	private static final double MIN_INDEPENDENT = 200;
	/** The number of responses for the correlations of neighbours. */
	private static final int NEIGHBOURS = 1 << 16;
	/** The range of the shape: from tails that end at 3 deviations to one degree of freedom. */
	private static final double MIN_KAPPA = -0.1, MAX_KAPPA = 1;
	/** Smaller errors of the shape change the expected number of false alarms by a few percent. */
	private static final double MIN_ERROR = 0.003;
	/** Nodes, in deviations, and weights of Gauss-Hermite quadrature. */
	private static final double[] SHAPES = { -2.8569700138728, -1.3556261799743, 0, 1.3556261799743, 2.8569700138728 },
			SHAPE_WEIGHTS = { 0.011257411327721, 0.22207592200561, 0.53333333333334, 0.22207592200561, 0.011257411327721 },
			SCALES = { -1.7320508075689, 0, 1.7320508075689 }, SCALE_WEIGHTS = { 1 / 6.0, 2 / 3.0, 1 / 6.0 };
	/** The logarithm of the density outside the bounds, so that the likelihood stays finite. */
	private static final double IMPOSSIBLE = -50;
	/** Responses of magnitude 1 have no finite w. */
	private static final float MAX_SCORE = 0.9999999f;

	private final List<MapSample.Block> blocks;
	private final boolean zeroIsUndefined;
	private final long[] negative = new long[BINS], positive = new long[BINS];
	/** The first bin that counts. */
	private int begin;
	private double scale;
	private PearsonDistribution distribution;

	private BackgroundFit(final MapSample sample, final boolean zeroIsUndefined) {
		blocks = sample.blocks();
		this.zeroIsUndefined = zeroIsUndefined;
		for (final MapSample.Block b : blocks) for (final float r : b.values()) if (defined(r)) {
			final float w = w(r);
			(r < 0 ? negative : positive)[bin(w)]++;
		}
	}

	private boolean defined(final float r) {
		return r == r && !(r == 0 && zeroIsUndefined);
	}

	private static float w(final float r) {
		final float c = Math.max(-MAX_SCORE, Math.min(MAX_SCORE, r));
		return c / (float) Math.sqrt((1 - c) * (1 + c));
	}

	private static int bin(final float w) {
		return (Float.floatToRawIntBits(w) & Integer.MAX_VALUE) >>> SHIFT;
	}

	private static double lower(final int bin) {
		return Float.intBitsToFloat(bin << SHIFT);
	}

	/**
	 * Fits the background of a map. Complexity: linear in the number of sampled responses.
	 *
	 * @param sample responses of the map; NaN is left out
	 * @param size the number of responses of the map along each axis
	 * @param zeroIsUndefined whether a response that is exactly 0 is undefined and is left out
	 * @return empty if the sample has too few independent responses
	 */
	public static Optional<Background> of(final MapSample sample, final long[] size, final boolean zeroIsUndefined) {
		return new BackgroundFit(sample, zeroIsUndefined).fit(size);
	}

	private Optional<Background> fit(final long[] size) {
		final long negatives = sum(negative, BINS);
		if (negatives < MIN_INDEPENDENT) return Optional.empty();
		final int positiveEnd = quantile(negative, negatives, POSITIVE), negativeEnd = quantile(negative, negatives, NEGATIVE);
		final double median = lower(quantile(negative, negatives, 0.5));
		begin = quantile(negative, negatives, CENTRE);
		final double start = Math.log(median / 0.6745);
		final UnivariateFunction profile = kappa -> scale(new PearsonDistribution(kappa), start, negativeEnd, positiveEnd)[1];
		distribution = new PearsonDistribution(maximum(profile, MIN_KAPPA, MAX_KAPPA)[0]);
		scale = Math.exp(scale(distribution, start, negativeEnd, positiveEnd)[0]);
		final double[] first = new double[size.length], second = new double[size.length];
		double independent = sum(negative, BINS) + sum(positive, BINS);
		for (int d = 0; d < size.length; d++) {
			first[d] = correlation(d, 1);
			second[d] = correlation(d, 2);
			// the sum of the squared correlations along an axis, for a Gaussian autocorrelation
			if (first[d] > 0) independent /= Math.max(1, Math.sqrt(Math.PI / (-2 * Math.log(Math.min(0.999999, first[d])))));
		}
		if (independent < MIN_INDEPENDENT) return Optional.empty();
		return Optional.of(new Background(components(independent, start, negativeEnd, positiveEnd), first, second, size, true));
	}

	/**
	 * The range of the parameters, by Gauss-Hermite quadrature over their errors: the shape has a deviation of √(2/(3n)), the logarithm of the scale of 1/√(2n),
	 * for n independent responses.
	 */
	private List<Background.Component> components(final double independent, final double start, final int negativeEnd, final int positiveEnd) {
		final double shapeError = Math.sqrt(2 / (3 * independent)), scaleError = Math.sqrt(0.5 / independent);
		if (shapeError < MIN_ERROR) return List.of(new Background.Component(1, scale, distribution));
		final List<Background.Component> all = new ArrayList<>();
		for (int i = 0; i < SHAPES.length; i++) {
			final PearsonDistribution shape = new PearsonDistribution(Math.max(MIN_KAPPA, Math.min(MAX_KAPPA, distribution.kappa() + SHAPES[i] * shapeError)));
			final double best = scale(shape, start, negativeEnd, positiveEnd)[0];
			for (int j = 0; j < SCALES.length; j++)
				all.add(new Background.Component(SHAPE_WEIGHTS[i] * SCALE_WEIGHTS[j], Math.exp(best + SCALES[j] * scaleError), shape));
		}
		return all;
	}

	/** The logarithm of the scale with the greatest likelihood, and the likelihood. */
	private double[] scale(final PearsonDistribution shape, final double start, final int negativeEnd, final int positiveEnd) {
		return maximum(logScale -> likelihood(Math.exp(logScale), shape, negativeEnd, positiveEnd), start - 1, start + 1);
	}

	private static long sum(final long[] bins, final int end) {
		long sum = 0;
		for (int i = 0; i < end; i++) sum += bins[i];
		return sum;
	}

	/** The first bin above this share of the values. */
	private static int quantile(final long[] bins, final long total, final double share) {
		long left = (long) Math.ceil(share * total);
		int i = 0;
		for (; i < BINS - 1 && left > 0; i++) left -= bins[i];
		return i;
	}

	/** The place and the value of the maximum of a function. */
	private static double[] maximum(final UnivariateFunction f, final double low, final double high) {
		final var found = new BrentOptimizer(1e-6, 1e-6).optimize(new UnivariateObjectiveFunction(f), GoalType.MAXIMIZE, new SearchInterval(low, high), MaxEval.unlimited());
		return new double[] { found.getPoint(), found.getValue() };
	}

	/** The logarithm of the likelihood of |w|, for negative scores in the bins before one end and positive scores before another. */
	private double likelihood(final double s, final PearsonDistribution shape, final int negativeEnd, final int positiveEnd) {
		final double peak = shape.logPeak() - Math.log(s);
		double sum = 0;
		for (int i = begin; i < Math.max(negativeEnd, positiveEnd); i++) {
			final long n = (i < negativeEnd ? negative[i] : 0) + (i < positiveEnd ? positive[i] : 0);
			if (n > 0) sum += n * (peak + Math.max(IMPOSSIBLE, shape.logRelative((lower(i) + lower(i + 1)) / (2 * s))));
		}
		final double first = shape.beyond(lower(begin) / s);
		return sum - (sum(negative, negativeEnd) - sum(negative, begin)) * Math.log(first - shape.beyond(lower(negativeEnd) / s))
			- (sum(positive, positiveEnd) - sum(positive, begin)) * Math.log(first - shape.beyond(lower(positiveEnd) / s));
	}

	/** The correlation of responses at a distance along an axis, after a transformation to normal values. */
	private double correlation(final int axis, final int distance) {
		long values = 0;
		for (final MapSample.Block b : blocks) values += b.values().length;
		final int every = (int) Math.max(1, values / NEIGHBOURS);
		double products = 0, squares = 0;
		for (final MapSample.Block block : blocks) {
			final int[] extents = { block.width(), block.height(), block.depth() };
			final int step = axis == 0 ? 1 : axis == 1 ? block.width() : block.width() * block.height();
			extents[axis] -= distance;
			for (int p = 0; p < extents[2]; p++) for (int y = 0; y < extents[1]; y++) {
				final int row = (p * block.height() + y) * block.width();
				for (int x = 0; x < extents[0]; x += every) {
					final float v = block.values()[row + x], w = block.values()[row + x + distance * step];
					if (!defined(v) || !defined(w)) continue;
					final double e = normal(v), f = normal(w);
					products += e * f;
					squares += (e * e + f * f) / 2;
				}
			}
		}
		return squares > 0 ? products / squares : 0;
	}

	/** The normal value with nearly the same density relative to the peak, at most 3 in magnitude. */
	private double normal(final float r) {
		final double u = Math.sqrt(-2 * distribution.logRelative(w(r) / scale));
		return Math.copySign(Math.min(3, u), r);
	}
}
