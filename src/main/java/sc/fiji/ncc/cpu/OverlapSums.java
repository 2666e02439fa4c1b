package sc.fiji.ncc.cpu;

import sc.fiji.ncc.plan.Size;

/**
 * Sums over the part of a template that overlaps the image, for each lag: its weight N, Σ and Σ² of its weighted values. Summed-area tables
 * (Crow 1984) of any dimension; one lag costs a difference along x once {@link #row} has added up the corners of the other dimensions.
 */
final class OverlapSums {

	private final int[] size;
	private final int[] stride;
	private final double[] weights, values, squares;
	/** Sums over the overlapping part of the columns left of x. */
	final double[] weight, value, square;

	/**
	 * @param w weight of each pixel; null if each is 1
	 * @param t values; 0 where the weight is
	 */
	OverlapSums(final Size template, final double[] w, final double[] t) {
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
		for (int i = 0; i < t.length; i++) {
			int cell = 0;
			for (int d = 0, rest = i; d < size.length; d++) {
				cell += (rest % size[d] + 1) * stride[d];
				rest /= size[d];
			}
			weights[cell] = w == null ? 1 : w[i];
			values[cell] = t[i];
			squares[cell] = t[i] * t[i];
		}
		for (int d = 0; d < size.length; d++) {
			integrate(weights, d);
			integrate(values, d);
			integrate(squares, d);
		}
		weight = new double[size[0] + 1];
		value = new double[size[0] + 1];
		square = new double[size[0] + 1];
	}

	private OverlapSums(final OverlapSums shared) {
		size = shared.size;
		stride = shared.stride;
		weights = shared.weights;
		values = shared.values;
		squares = shared.squares;
		weight = new double[size[0] + 1];
		value = new double[size[0] + 1];
		square = new double[size[0] + 1];
	}

	/** One for another thread, with the same tables. */
	OverlapSums copy() {
		return new OverlapSums(this);
	}

	private void integrate(final double[] a, final int d) {
		for (int i = 0; i < a.length; i++)
			if (i / stride[d] % (size[d] + 1) > 0) a[i] += a[i - stride[d]];
	}

	/** Prepares the lags that share all but their x with {@code lag}. */
	void row(final long[] lag, final long[] image) {
		java.util.Arrays.fill(weight, 0);
		java.util.Arrays.fill(value, 0);
		java.util.Arrays.fill(square, 0);
		final int further = size.length - 1;
		final int[] low = new int[size.length], high = new int[size.length];
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
		}
	}

	/** The first column of the template that overlaps the image at lag {@code x}. */
	int from(final long x) {
		return (int) Math.min(size[0], Math.max(0, -x));
	}

	/** One past the last column that does. */
	int to(final long x, final long imageWidth) {
		return (int) Math.max(from(x), Math.min(size[0], imageWidth - x));
	}
}
