package sc.fiji.ncc.cpu.window;

import java.util.Arrays;

import sc.fiji.ncc.plan.Size;

/**
 * {@link CountedSums} of the part of a template that overlaps the image. Summed-area tables (Crow 1984) of any dimension. One lag costs a difference
 * along x after {@link #row} has added up the corners of the other dimensions.
 */
public final class OverlapSums extends CountedSums implements Cloneable {

	private final int[] size;
	private final int[] stride;
	/** For weights other than 0 and 1: the number of positive weights. Default: null, since the sums of the weights then are these numbers. */
	private final double[] numbers;
	private final double[] weights, values, squares;
	/** The original weights, if they are not all 0 or 1. Default: null. */
	private final double[] given;
	/** The sum of all weights. */
	private final double totalWeight;
	/** Sums over the overlapping part of the columns left of x. */
	private double[] weightBefore, valueBefore, squareBefore, numberBefore;
	/** The first lag of the current row along x, and the width of the image. */
	private long lagX, imageWidth;
	/** The start and end of the overlapping part of the template along all dimensions except x. */
	private int[] low, high;

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
		for (int from = 0; from < t.length; from += size[0]) {
			int cell = 1;
			for (int d = 1, rest = from / size[0]; d < size.length; rest /= size[d++]) cell += (rest % size[d] + 1) * stride[d];
			for (int i = from; i < from + size[0]; i++, cell++) {
				weights[cell] = w == null ? 1 : w[i];
				values[cell] = weights[cell] * t[i];
				squares[cell] = values[cell] * t[i];
				magnitude += Math.abs(values[cell]);
				if (given != null) numbers[cell] = given[i] > 0 ? 1 : 0;
			}
		}
		for (int d = 0; d < size.length; d++) {
			integrate(weights, d);
			integrate(values, d);
			integrate(squares, d);
			if (given != null) integrate(numbers, d);
		}
		totalWeight = weights[cells - 1];
		// each sum is one over corners of rounded tables: a table is rounded once for each dimension, and so is each addition of a corner; whole numbers are not
		final double roundings = (size.length + 1) * Math.scalb(1.0, size.length);
		errors(given == null ? 0 : roundings * totalWeight, roundings * magnitude, roundings * squares[cells - 1]);
		allocate();
	}

	/** An object for another thread, with the same tables. */
	public OverlapSums copy() {
		try {
			final OverlapSums copy = (OverlapSums) clone();
			copy.allocate();
			return copy;
		}
		catch (final CloneNotSupportedException e) {
			throw new IllegalStateException(e);
		}
	}

	/** Allocates what belongs to one thread. */
	private void allocate() {
		weight = value = square = new double[0];
		weightBefore = new double[size[0] + 1];
		valueBefore = new double[size[0] + 1];
		squareBefore = new double[size[0] + 1];
		numberBefore = numbers == null ? weightBefore : new double[size[0] + 1];
		low = new int[size.length];
		high = new int[size.length];
	}

	/** Running sums along a dimension, with compensation: the rounding errors of equal pixels are equal and would add up. */
	private void integrate(final double[] a, final int d) {
		final int n = stride[d], length = (size[d] + 1) * n;
		final double[] sums = new double[n], errors = new double[n];
		for (int from = 0; from < a.length; from += length) {
			System.arraycopy(a, from, sums, 0, n);
			Arrays.fill(errors, 0);
			for (int row = from + n; row < from + length; row += n)
				for (int i = 0; i < n; i++) {
					final double p = a[row + i], q = sums[i], s = p + q, part = s - p;
					errors[i] += (p - (s - part)) + (q - part);
					sums[i] = s;
					a[row + i] = s + errors[i];
				}
		}
	}

	@Override
	public void row(final long[] lag, final long[] image, final int z, final int y, final int lags) {
		columns(lag, image, y);
		lagX = lag[0];
		imageWidth = image[0];
		if (weight.length < lags) {
			weight = new double[lags];
			value = new double[lags];
			square = new double[lags];
		}
		for (int x = 0; x < lags; x++) {
			final int from = from(x), to = to(x);
			weight[x] = weightBefore[to] - weightBefore[from];
			value[x] = valueBefore[to] - valueBefore[from];
			square[x] = squareBefore[to] - squareBefore[from];
		}
	}

	/** Adds up the corners of all dimensions except x. */
	private void columns(final long[] lag, final long[] image, final int y) {
		Arrays.fill(weightBefore, 0);
		Arrays.fill(valueBefore, 0);
		Arrays.fill(squareBefore, 0);
		final int further = size.length - 1;
		if (numbers != null) Arrays.fill(numberBefore, 0);
		for (int d = 1; d < size.length; d++) {
			final long at = d == 1 ? lag[d] + y : lag[d];
			low[d] = (int) Math.min(size[d], Math.max(0, -at));
			high[d] = (int) Math.max(low[d], Math.min(size[d], image[d] - at));
		}
		for (int corner = 0; corner < 1 << further; corner++) {
			int o = 0, sign = 1;
			for (int d = 1; d < size.length; d++) {
				final boolean upper = (corner >> (d - 1) & 1) == 1;
				o += (upper ? high[d] : low[d]) * stride[d];
				if (!upper) sign = -sign;
			}
			for (int x = 0; x <= size[0]; x++) {
				weightBefore[x] += sign * weights[o + x];
				valueBefore[x] += sign * values[o + x];
				squareBefore[x] += sign * squares[o + x];
			}
			if (numbers != null) for (int x = 0; x <= size[0]; x++) numberBefore[x] += sign * numbers[o + x];
		}
	}

	/** The first column of the template that overlaps the image at lag {@code x} of the current row. */
	private int from(final int x) {
		return (int) Math.min(size[0], Math.max(0, -(lagX + x)));
	}

	/** The end of these columns, exclusive. */
	private int to(final int x) {
		return (int) Math.max(from(x), Math.min(size[0], imageWidth - (lagX + x)));
	}

	/** {@inheritDoc} At a few lags the tables may be too inaccurate to decide. There the weights are added up one by one, as an evaluation without tables does. */
	@Override
	public boolean enough(final int x, final double share) {
		final int from = from(x), to = to(x);
		if (!(numberBefore[to] - numberBefore[from] > 0)) return false;
		final double min = share * totalWeight;
		if (given == null || Math.abs(weight[x] - min) > MAX_ERROR * totalWeight) return weight[x] >= min;
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
