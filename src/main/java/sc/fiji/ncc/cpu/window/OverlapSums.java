package sc.fiji.ncc.cpu.window;

import sc.fiji.ncc.plan.Size;

/**
 * Sums over the part of a template that overlaps the image, for each lag: the sum of the weights N, and the weighted sums of the values and of their
 * squares. Summed-area tables (Crow 1984) of any dimension. One lag costs a difference along x after {@link #row} has added up the corners of the other
 * dimensions.
 */
public final class OverlapSums {

	/** The maximum error of a part of the weights, as a share of all weight. */
	private static final double MAX_ERROR = 1e-6;

	/** Roundings of a product of means. */
	private static final double OF_MEANS = 4;

	private final int[] size;
	private final int[] stride;
	/** For weights other than 0 and 1: the number of positive weights. Default: null, since the sums of the weights then are these numbers. */
	private final double[] numbers;
	private final double[] weights, values, squares;
	/** The original weights, if they are not all 0 or 1. Default: null. */
	private final double[] given;
	/** The sum of all weights. */
	private final double totalWeight;
	/** The maximum errors of {@link #weight}, {@link #value} and {@link #square}, in roundings: each is a sum over corners of rounded tables. */
	private final double weightError, valueError, squareError;
	/** Sums over the overlapping part of the columns left of x. */
	public final double[] weight, value, square;
	private final double[] number;
	/** The start and end of the overlapping part of the template along all dimensions except x. */
	private final int[] low, high;

	/**
	 * @param w the weight of each pixel; null if each is 1
	 * @param t the values without weights; 0 where the weight is 0
	 */
	public OverlapSums(final Size template, final double[] w, final double[] t) {
		this(template, w, t, null);
	}

	/** @param given the weights before they were scaled or rounded, if they are not all 0 or 1. Default: null */
	public OverlapSums(final Size template, final double[] w, final double[] t, final double[] given) {
		this.given = given;
		size = template.toIntArray();
		stride = new int[size.length];
		int cells = 1;
		for (int d = 0; d < size.length; d++) {
			stride[d] = cells;
			cells = Math.multiplyExact(cells, size[d] + 1);
		}
		weights = new double[cells];
		values = new double[cells];
		squares = new double[cells];
		numbers = given == null ? null : new double[cells];
		double magnitude = 0;
		for (int i = 0; i < t.length; i++) {
			int cell = 0;
			for (int d = 0, rest = i; d < size.length; d++) {
				cell += (rest % size[d] + 1) * stride[d];
				rest /= size[d];
			}
			weights[cell] = w == null ? 1 : w[i];
			values[cell] = weights[cell] * t[i];
			squares[cell] = values[cell] * t[i];
			magnitude += Math.abs(values[cell]);
			if (given != null) numbers[cell] = given[i] > 0 ? 1 : 0;
		}
		for (int d = 0; d < size.length; d++) {
			integrate(weights, d);
			integrate(values, d);
			integrate(squares, d);
			if (given != null) integrate(numbers, d);
		}
		totalWeight = weights[cells - 1];
		// a table is rounded once for each dimension, and so is each addition of a corner; whole numbers are not
		final double roundings = (size.length + 1) * Math.scalb(1.0, size.length);
		weightError = given == null ? 0 : roundings * totalWeight;
		valueError = roundings * magnitude;
		squareError = roundings * squares[cells - 1];
		weight = new double[size[0] + 1];
		value = new double[size[0] + 1];
		square = new double[size[0] + 1];
		number = given != null ? new double[size[0] + 1] : weight;
		low = new int[size.length];
		high = new int[size.length];
	}

	private OverlapSums(final OverlapSums shared) {
		size = shared.size;
		stride = shared.stride;
		weights = shared.weights;
		values = shared.values;
		squares = shared.squares;
		numbers = shared.numbers;
		given = shared.given;
		totalWeight = shared.totalWeight;
		weightError = shared.weightError;
		valueError = shared.valueError;
		squareError = shared.squareError;
		weight = new double[size[0] + 1];
		value = new double[size[0] + 1];
		square = new double[size[0] + 1];
		number = numbers == null ? weight : new double[size[0] + 1];
		low = new int[size.length];
		high = new int[size.length];
	}

	/** An object for another thread, with the same tables. */
	public OverlapSums copy() {
		return new OverlapSums(this);
	}

	/** Running sums along a dimension, with compensation: the rounding errors of equal pixels are equal and would add up. */
	private void integrate(final double[] a, final int d) {
		final double[] roundingErrors = new double[a.length];
		for (int i = 0; i < a.length; i++)
			if (i / stride[d] % (size[d] + 1) > 0) {
				final int before = i - stride[d];
				final double p = a[i], q = a[before], s = p + q, part = s - p;
				roundingErrors[i] = roundingErrors[before] + ((p - (s - part)) + (q - part));
				a[i] = s;
			}
		for (int i = 0; i < a.length; i++) a[i] += roundingErrors[i];
	}

	/** Prepares the lags that differ from {@code lag} only in x. */
	public void row(final long[] lag, final long[] image) {
		java.util.Arrays.fill(weight, 0);
		java.util.Arrays.fill(value, 0);
		java.util.Arrays.fill(square, 0);
		final int further = size.length - 1;
		if (numbers != null) java.util.Arrays.fill(number, 0);
		for (int d = 1; d < size.length; d++) {
			low[d] = (int) Math.min(size[d], Math.max(0, -lag[d]));
			high[d] = (int) Math.max(low[d], Math.min(size[d], image[d] - lag[d]));
		}
		for (int corner = 0; corner < 1 << further; corner++) {
			int o = 0, sign = 1;
			for (int d = 1; d < size.length; d++) {
				final boolean upper = (corner >> (d - 1) & 1) == 1;
				o += (upper ? high[d] : low[d]) * stride[d];
				if (!upper) sign = -sign;
			}
			for (int x = 0; x <= size[0]; x++) {
				weight[x] += sign * weights[o + x];
				value[x] += sign * values[o + x];
				square[x] += sign * squares[o + x];
			}
			if (numbers != null) for (int x = 0; x <= size[0]; x++) number[x] += sign * numbers[o + x];
		}
	}

	/**
	 * Whether a response that is computed with these sums stays within the tolerance. Where little weight overlaps, beside much that does not, they are
	 * differences of large numbers: their errors, times the means of window and template, count in the numerator and in both variances.
	 *
	 * @param meanP of the window's pixels that overlap
	 * @param meanT of the template's
	 * @param count their weight
	 * @param v N·σ² of the window
	 * @param varianceT N·σ² of the template
	 * @param root of the product of both
	 * @param rounding in double, over the tolerance
	 */
	public boolean holds(final double meanP, final double meanT, final double count, final double v, final double varianceT, final double root,
		final double rounding)
	{
		final double p = Math.abs(meanP), t = Math.abs(meanT), ofWeight = weightError + OF_MEANS * count;
		final double ofNumerator = p * (valueError + t * ofWeight), ofWindow = p * p * ofWeight, ofTemplate = squareError + t * (2 * valueError + t * ofWeight);
		return rounding * (2 * ofNumerator * root + ofWindow * varianceT + ofTemplate * v) <= 2 * v * varianceT;
	}

	/**
	 * Adds the errors of {@link #holds}, in eps, for one of several channels.
	 *
	 * @param meanP of the window's pixels that overlap
	 * @param meanT of the template's
	 * @param count their weight
	 * @param to the errors of the numerator, of the window's variance, and of the template's
	 */
	public void addErrors(final double meanP, final double meanT, final double count, final double[] to) {
		final double p = Math.abs(meanP), t = Math.abs(meanT), ofWeight = weightError + OF_MEANS * count;
		to[0] += p * (valueError + t * ofWeight);
		to[1] += p * p * ofWeight;
		to[2] += squareError + t * (2 * valueError + t * ofWeight);
	}

	/** The first column of the template that overlaps the image at lag {@code x}. */
	public int from(final long x) {
		return (int) Math.min(size[0], Math.max(0, -x));
	}

	/** The end of these columns, exclusive. */
	public int to(final long x, final long imageWidth) {
		return (int) Math.max(from(x), Math.min(size[0], imageWidth - x));
	}

	/**
	 * Whether any pixel that counts overlaps the image, and at least a share of the weight. At a few lags the tables may be too inaccurate to decide.
	 * There the weights are added up one by one, in their order, as an evaluation without tables does.
	 *
	 * @param from the first column of the current row that overlaps
	 * @param to the end of these columns, exclusive
	 */
	public boolean enough(final int from, final int to, final double share) {
		if (!(number[to] - number[from] > 0)) return false;
		final double part = weight[to] - weight[from], min = share * totalWeight;
		if (given == null || Math.abs(part - min) > MAX_ERROR * totalWeight) return part >= min;
		return share == 0 || inOrder(from, to, share);
	}

	private boolean inOrder(final int from, final int to, final double share) {
		double part = 0, totalWeight = 0;
		for (int i = 0; i < given.length; i++) {
			boolean inside = true;
			for (int d = 0, rest = i; d < size.length; d++) {
				final int p = rest % size[d];
				inside &= d == 0 ? p >= from && p < to : p >= low[d] && p < high[d];
				rest /= size[d];
			}
			totalWeight += given[i];
			if (inside) part += given[i];
		}
		return part >= share * totalWeight;
	}
}
