package sc.fiji.ncc.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import sc.fiji.ncc.peaks.MapSample;
import sc.fiji.ncc.result.BackgroundState;

/**
 * Fits a {@link Background} to a sample of a map. Quantiles of the scores are compared with those of normal noise. In background, scores of both signs are equally likely, up
 * to a skewness. True matches add high scores only. So positive scores count up to a lower quantile than negative ones, unless these already show a skewness.
 * <p>
 * The sample is reduced to histograms of w² = r²/(1 − r²) in bins of equal ratio. So the cost of the fit does not depend on the size of the sample.
 */
public final class BackgroundFit {

	/** The normal values whose quantiles are compared. */
	private static final double[] QUANTILES = { 0.5, 1, 1.5, 2, 2.4, 2.8, 3.2, 3.6 };
	/** The greatest of them for positive scores: for symmetric background, and for skewed one. */
	private static final double POSITIVE = 1.5, SKEWED = 3.2;
	/** The normal values above which local maxima are counted. */
	private static final double[] LEVELS = { 2, 2.5, 3 };
	/** A quantile needs this number of scores beyond it. */
	private static final int BEYOND = 10;
	/** A bin holds the floats with the same upper bits: {@code 1 << BIN_BITS} bins for each power of 2, from 2⁻⁴⁸ to 2²⁴. */
	private static final int BIN_BITS = 6, SHIFT = 23 - BIN_BITS, FIRST = (127 - 48) << BIN_BITS, BINS = (48 + 24) << BIN_BITS;
	/** The minimum number of independent responses of a fit. The scale then has a relative error of 5 %. */
	private static final double MIN_INDEPENDENT = 200;
	/** The number of responses for the correlations of neighbours. */
	private static final int NEIGHBOURS = 1 << 13;
	/** The parts that threads count at the same time. */
	private static final int PARTS = 4;
	/**
	 * The greatest mean squared difference of the quantiles from the curve, in units of their errors: 1/f noise above this has 1.4 times as many matches
	 * as expected, and 4 % of the images of other noise are above it. And the greatest correlation of the slopes along
	 * two axes: in noise with twice the correlation length along one diagonal it is 0.6, and the number of false alarms is a quarter too large.
	 */
	private static final double MISFIT = 0.4, DIAGONAL = 0.3;
	/** The greatest distance at which correlations are computed. */
	private static final int FARTHEST = 128;
	/** The number of distances of neighbours. */
	private static final int DISTANCES = 2;
	/** The error of the model of normal noise in a quantile. */
	private static final double MODEL = 0.01;
	/** The normal value to which scores are cut for correlations, so that true matches do not dominate. */
	private static final double CUT = 3;
	/** Responses of magnitude 1 have no finite w². */
	private static final float MAX_SQUARE = 0.9999998f;

	private final List<MapSample.Block> blocks;
	private final boolean zeroIsUndefined;
	/** The numbers of scores in bins: those above 0, then those below. One array, because a branch for the sign of noise costs more than the rest. */
	private final int[] counts = new int[2 * BINS];
	/** For each sign and quantile the value in normal noise; NaN before it is needed. */
	private final double[][] known = new double[2][QUANTILES.length];
	/** The first bin with a score, and the one after the last. */
	private int from = BINS, to;

	private BackgroundFit(final MapSample sample, final boolean zeroIsUndefined) {
		blocks = sample.blocks();
		this.zeroIsUndefined = zeroIsUndefined;
		IntStream.range(0, PARTS).parallel().forEach(p -> {
			final int[] part = new int[2 * BINS];
			for (int b = p; b < blocks.size(); b += PARTS) count(blocks.get(b).values(), part);
			synchronized (counts) {
				for (int i = 0; i < part.length; i++) counts[i] += part[i];
			}
		});
		for (int i = 0; i < BINS; i++) if (counts[i] + counts[BINS + i] > 0) {
			from = Math.min(from, i);
			to = i + 1;
		}
		for (final double[] k : known) Arrays.fill(k, Double.NaN);
	}

	private boolean defined(final float r) {
		return r == r && !(r == 0 && zeroIsUndefined);
	}

	private void count(final float[] scores, final int[] to) {
		final float[] squares = new float[scores.length];
		// a loop of its own, which C2 vectorises
		for (int i = 0; i < scores.length; i++) {
			final float square = Math.min(MAX_SQUARE, scores[i] * scores[i]);
			squares[i] = square / (1 - square);
		}
		for (int i = 0; i < scores.length; i++) if (defined(scores[i]))
			to[(Float.floatToRawIntBits(scores[i]) >>> 31) * BINS + Math.max(0, (Float.floatToRawIntBits(squares[i]) >>> SHIFT) - FIRST)]++;
	}

	private static double lower(final int bin) {
		return Float.intBitsToFloat((bin + FIRST) << SHIFT);
	}

	/**
	 * Fits the background of a map. Complexity: linear in the number of sampled responses.
	 *
	 * @param sample responses of the map; NaN is left out
	 * @param size the number of responses of the map along each axis
	 * @param zeroIsUndefined whether a response that is exactly 0 is undefined and is left out
	 * @param noise called if the sample has enough responses
	 * @return empty if the sample has too few responses. If few of them are independent, only the share of local maxima follows from the sample
	 */
	public static Optional<Background> of(final MapSample sample, final long[] size, final boolean zeroIsUndefined, final Supplier<WindowNoise> noise) {
		return new BackgroundFit(sample, zeroIsUndefined).fit(size, noise);
	}

	private Optional<Background> fit(final long[] size, final Supplier<WindowNoise> noise) {
		final double negatives = sum(BINS), all = negatives + sum(0);
		if (negatives < MIN_INDEPENDENT) return Optional.empty();
		final float most = (float) upper(BINS, MaximaRate.normal(-CUT) * all);
		final double[][] correlations = correlations(size.length, most);
		final double[] first = correlations[0], second = correlations[1];
		// along the first axis, whose rows are whole, correlations can reach further than those of a Gaussian; so they do along the others
		final double further = Math.max(1, length(size[0], most) / length(first[0]));
		double independent = all;
		for (int d = 0; d < size.length; d++) if (size[d] > 1) independent /= length(first[d]) * further;
		final WindowNoise normal = noise.get();
		final boolean enough = independent >= MIN_INDEPENDENT;
		final boolean skewed = enough && correction(normal, all, independent, POSITIVE, TailCorrection.Prior.ANY).isSkewed();
		final TailCorrection tail = skewed ? correction(normal, all, independent, SKEWED, TailCorrection.Prior.SKEWED)
			: correction(normal, all, independent, POSITIVE, TailCorrection.Prior.EXPECTED);
		final BackgroundState state = !enough ? BackgroundState.FEW : tail.isSkewed() ? BackgroundState.SKEWED : normal.diagonal() > DIAGONAL
			? BackgroundState.DIAGONAL : tail.misfit() > MISFIT ? BackgroundState.MISFIT : BackgroundState.OK;
		double places = all, sampled = 0;
		for (final long s : size) places *= s;
		for (final MapSample.Block b : blocks) sampled += b.values().length;
		final MaximaRate rate = rate(size, first, second, all, skewed, normal.steepness());
		return Optional.of(new Background(normal.scores(), tail, first, rate, places / sampled, state));
	}

	/** The sum of the squared correlations along an axis, for a Gaussian autocorrelation with this correlation of neighbours. */
	private static double length(final double first) {
		return first > 0 ? Math.max(1, Math.sqrt(Math.PI / (-2 * Math.log(Math.min(0.999999, first))))) : 1;
	}

	/** The same along the first axis, from the correlations at some distances. */
	private double length(final long width, final float most) {
		final int[] distances = IntStream.iterate(1, d -> d <= Math.min(FARTHEST, width / 2), d -> Math.max(d + 1, d * 4 / 3)).toArray();
		final double[] squares = IntStream.of(distances).parallel().mapToDouble(d -> Math.pow(correlation(0, d, every(), most), 2)).toArray();
		double sum = 1;
		for (int i = 0, before = 0; i < squares.length; before = distances[i++]) sum += 2 * (distances[i] - before) * squares[i];
		return sum;
	}

	/** The share of local maxima. Minima of scores below 0 are as steep, and no true matches are among them. Skewed scores need those above 0. */
	private MaximaRate rate(final long[] size, final double[] first, final double[] second, final double all, final boolean skewed, final Steepness steepness) {
		final float[] least = new float[LEVELS.length];
		final long[] exceeding = new long[LEVELS.length], maxima = new long[LEVELS.length];
		for (int i = 0; i < least.length; i++) {
			final double r = upper(skewed ? 0 : BINS, MaximaRate.normal(-LEVELS[i]) * all);
			least[i] = r > 0 ? (float) r : Float.POSITIVE_INFINITY;
		}
		final float sign = skewed ? 1 : -1;
		final long[][][] counted = IntStream.range(0, PARTS).parallel().mapToObj(p -> maxima(p, least, sign, size)).toArray(long[][][]::new);
		for (final long[][] c : counted) for (int k = 0; k < LEVELS.length; k++) {
			exceeding[k] += c[0][k];
			maxima[k] += c[1][k];
		}
		return new MaximaRate(size, first, second, steepness).calibrated(LEVELS, exceeding, maxima);
	}

	/** For each level, in a part of the blocks: how many scores of a sign exceed it, and how many of them are local maxima. */
	private long[][] maxima(final int part, final float[] least, final float sign, final long[] size) {
		final long[] exceeding = new long[LEVELS.length], maxima = new long[LEVELS.length];
		final float lowest = least[0];
		for (int n = part; n < blocks.size(); n += PARTS) {
			final MapSample.Block b = blocks.get(n);
			final int[] extents = { b.width(), b.height(), b.depth() };
			final int[] neighbours = neighbours(extents, size);
			final float[] values = b.values();
			for (int i = 0; i < values.length; i++) {
				final float v = sign * values[i];
				if (!(v > lowest) || !isInner(i, extents, size)) continue;
				boolean maximum = true;
				for (final int step : neighbours) maximum &= !(sign * values[i + step] > v);
				for (int k = 0; k < LEVELS.length && v > least[k]; k++) {
					exceeding[k]++;
					if (maximum) maxima[k]++;
				}
			}
		}
		return new long[][] { exceeding, maxima };
	}

	/** The differences of the indices of a response and its neighbours in a block; 0 is one of them. */
	private static int[] neighbours(final int[] extents, final long[] size) {
		int[] steps = { 0 };
		for (int d = 0, stride = 1; d < size.length; stride *= extents[d++]) {
			if (size[d] < 2) continue;
			final int along = stride;
			steps = Arrays.stream(steps).flatMap(s -> IntStream.of(s - along, s, s + along)).toArray();
		}
		return steps;
	}

	/** Whether all neighbours of a response in the map are in its block. */
	private static boolean isInner(final int index, final int[] extents, final long[] size) {
		for (int d = 0, rest = index; d < size.length; rest /= extents[d++])
			if (size[d] > 1 && (rest % extents[d] == 0 || rest % extents[d] == extents[d] - 1)) return false;
		return true;
	}

	private TailCorrection correction(final WindowNoise normal, final double all, final double independent, final double positiveEnd,
		final TailCorrection.Prior prior) {
		final double[] y = new double[2 * QUANTILES.length], z = new double[y.length];
		int n = 0;
		for (int side = -1; side <= 1; side += 2) for (int k = 0; k < QUANTILES.length; k++) {
			final double q = QUANTILES[k];
			if (MaximaRate.normal(-q) * independent < BEYOND || side > 0 && q > positiveEnd) continue;
			final double value = quantile(normal.scores(), side < 0 ? 1 : 0, k, all);
			if (!(value > 0)) continue;
			y[n] = side * q;
			z[n++] = side * value;
		}
		final double[][] covariance = new double[n][n];
		final double[] beyond = new double[n], density = new double[n];
		for (int i = 0; i < n; i++) {
			beyond[i] = MaximaRate.normal(-Math.abs(y[i]));
			density[i] = density(y[i]);
		}
		for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
			final double p = beyond[i], q = beyond[j];
			// quantiles on both sides of the middle have the covariance −pq
			covariance[i][j] = (y[i] * y[j] > 0 ? Math.min(p, q) - p * q : p * q) / (independent * density[i] * density[j]) + (i == j ? MODEL * MODEL : 0);
		}
		return TailCorrection.fit(Arrays.copyOf(y, n), Arrays.copyOf(z, n), covariance, prior, normal, independent);
	}

	/** The magnitude of a quantile of the scores of one sign, as a value in normal noise; 0 if there are too few scores. */
	private double quantile(final GaussianScores scores, final int sign, final int k, final double all) {
		if (Double.isNaN(known[sign][k])) {
			final double r = upper(sign * BINS, MaximaRate.normal(-QUANTILES[k]) * all);
			known[sign][k] = r > 0 ? scores.normal(r) : 0;
		}
		return known[sign][k];
	}

	private static double density(final double y) {
		return Math.exp(-y * y / 2) / Math.sqrt(2 * Math.PI);
	}

	/**
	 * The magnitude that so many scores exceed; 0 if there are not as many.
	 *
	 * @param first the first bin: 0 for scores above 0, {@link #BINS} for scores below
	 */
	private double upper(final int first, final double count) {
		double left = count;
		for (int i = to - 1; i >= from; i--) {
			final int n = counts[first + i];
			if (n >= left) {
				final double square = lower(i + 1) - (lower(i + 1) - lower(i)) * left / n;
				return Math.sqrt(square / (1 + square));
			}
			left -= n;
		}
		return 0;
	}

	private long sum(final int first) {
		long sum = 0;
		for (int i = from; i < to; i++) sum += counts[first + i];
		return sum;
	}

	/**
	 * The correlations of responses at distances 1 and 2 along each axis.
	 *
	 * @param most the magnitude to which scores are cut
	 */
	private double[][] correlations(final int axes, final float most) {
		final double[][] correlations = new double[DISTANCES][axes];
		IntStream.range(0, DISTANCES * axes).parallel()
			.forEach(i -> correlations[i % DISTANCES][i / DISTANCES] = correlation(i / DISTANCES, i % DISTANCES + 1, every(), most));
		return correlations;
	}

	/** The step along a row from one response to the next one that counts. */
	private int every() {
		return (int) Math.max(1, blocks.stream().mapToLong(b -> b.values().length).sum() / NEIGHBOURS);
	}

	private double correlation(final int axis, final int distance, final int every, final float most) {
		double products = 0, squares = 0;
		for (final MapSample.Block block : blocks) {
			final int[] ends = { block.width(), block.height(), block.depth() };
			ends[axis] -= distance;
			final int step = distance * (axis == 0 ? 1 : axis == 1 ? block.width() : block.width() * block.height());
			final float[] scores = block.values();
			for (int z = 0; z < ends[2]; z++) for (int y = 0; y < ends[1]; y++) {
				final int row = (z * block.height() + y) * block.width();
				for (int x = row; x < row + ends[0]; x += every) {
					if (!defined(scores[x]) || !defined(scores[x + step])) continue;
					final float e = Math.max(-most, Math.min(most, scores[x])), f = Math.max(-most, Math.min(most, scores[x + step]));
					products += e * f;
					squares += (e * e + f * f) / 2;
				}
			}
		}
		return squares > 0 ? products / squares : 0;
	}
}
