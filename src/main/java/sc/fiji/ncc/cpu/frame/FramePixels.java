package sc.fiji.ncc.cpu.frame;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.PixelType;

/**
 * The pixels of a frame, x fastest, as deviations from an offset near their mean. For 8- and 16-bit integers the offset is a whole number, so the deviations are
 * exact. Deviations of other pixels are scaled by a power of two to at most about 1, so that their squares fit a float. A pixel that does not count, or that is NaN or infinite, has the deviation 0 and the weight 0. Immutable.
 */
public final class FramePixels {

	/** Sums of this many squares of 17 bits are exact in double. */
	private static final int BLOCK = 1 << 16;

	private final int[] size;
	private final float[] deviations;
	/** 1 or 0 for each pixel; null if all pixels count. */
	private final float[] weights;
	/** The pixels themselves, for exact scores; null if the deviations are exact. */
	private final double[] values;
	private final double energy;
	/** The sum of the deviations and of their squares, of whole numbers; otherwise 0. */
	private final long total, squares;
	private final boolean flat;

	private FramePixels(final int[] size, final float[] deviations, final float[] weights, final double[] values, final boolean flat) {
		this.size = size;
		this.deviations = deviations;
		this.weights = weights;
		this.values = values;
		this.flat = flat;
		final boolean exact = values == null && weights == null && deviations.length > 0;
		total = exact ? (long) sum(deviations) : 0;
		long whole = 0;
		double any = 0;
		for (int i = 0; i < deviations.length; i += BLOCK) {
			final double part = energy(deviations, i, Math.min(deviations.length, i + BLOCK));
			whole += exact ? (long) part : 0;
			any += part;
		}
		squares = whole;
		energy = any;
	}

	private static double energy(final float[] d, final int from, final int until) {
		double a = 0, b = 0, c = 0, e = 0;
		int i = from;
		for (; i + 4 <= until; i += 4) {
			a += (double) d[i] * d[i];
			b += (double) d[i + 1] * d[i + 1];
			c += (double) d[i + 2] * d[i + 2];
			e += (double) d[i + 3] * d[i + 3];
		}
		for (; i < until; i++) a += (double) d[i] * d[i];
		return a + b + (c + e);
	}

	/**
	 * @param size the extents along x, y and z; 1 for a dimension that the frame does not have
	 * @param pixels raw bits, see {@link PixelType#allocate}
	 * @param mask 0 for pixels that do not count; null if all count
	 */
	public static FramePixels of(final int[] size, final PixelType type, final Buffer pixels, final boolean[] mask) {
		final int n = Math.multiplyExact(Math.multiplyExact(size[0], size[1]), size[2]);
		final boolean exact = type.exact();
		final double[] values = exact ? null : new double[n];
		final boolean unsigned = type.min == 0;
		boolean[] counts = mask;
		if (values != null) {
			for (int i = 0; i < n; i++) values[i] = Buffers.value(pixels, unsigned, i);
			for (int i = 0; i < n; i++)
				if (!Double.isFinite(values[i])) {
					if (counts == null || counts == mask) counts = copy(mask, n);
					counts[i] = false;
				}
		}
		final float[] deviations = new float[n];
		if (exact && counts == null) return whole(size, pixels, unsigned, deviations);
		if (exact) convert(pixels, unsigned, deviations);
		double sum = 0, first = Double.NaN;
		long count = 0;
		boolean flat = true;
		for (int i = 0; i < n; i++) {
			if (counts != null && !counts[i]) continue;
			final double v = exact ? deviations[i] : values[i];
			if (count == 0) first = v;
			flat &= v == first;
			// differences from a pixel do not overflow, and small contrast on a large offset is kept
			sum += v - first;
			count++;
		}
		final double mean = count == 0 ? 0 : first + sum / count, offset = exact ? Math.rint(mean) : mean;
		double largest = 0;
		for (int i = 0; !exact && i < n; i++)
			if (counts == null || counts[i]) largest = Math.max(largest, Math.abs(values[i] - offset));
		final double scale = largest == 0 ? 1 : Math.scalb(1.0, -Math.max(-1021, Math.min(1021, Math.getExponent(largest))));
		for (int i = 0; i < n; i++)
			deviations[i] = counts != null && !counts[i] ? 0 : exact ? deviations[i] - (float) offset : (float) ((values[i] - offset) * scale);
		float[] weights = null;
		if (counts != null) {
			weights = new float[n];
			for (int i = 0; i < n; i++) weights[i] = counts[i] ? 1 : 0;
		}
		return new FramePixels(size.clone(), deviations, weights, values, flat);
	}

	/**
	 * The sums of the deviations over bins, of a frame in which all pixels count. Pixels that do not fill a bin are left out.
	 *
	 * @param bin the extents of a bin
	 */
	FramePixels binned(final int[] bin) {
		final int[] to = new int[3];
		for (int d = 0; d < 3; d++) to[d] = size[d] / bin[d];
		final float[] sums = new float[to[0] * to[1] * to[2]], column = new float[to[0] * bin[0]];
		boolean equal = true;
		for (int z = 0, i = 0; z < to[2]; z++)
			for (int y = 0; y < to[1]; y++) {
				Arrays.fill(column, 0);
				for (int k = 0; k < bin[2]; k++)
					for (int j = 0; j < bin[1]; j++) addRow(deviations, ((z * bin[2] + k) * size[1] + y * bin[1] + j) * size[0], column);
				for (int x = 0; x < to[0]; x++, i++) {
					float sum = 0;
					for (int j = 0; j < bin[0]; j++) sum += column[x * bin[0] + j];
					sums[i] = sum;
					equal &= sum == sums[0];
				}
			}
		return new FramePixels(to, sums, null, null, equal);
	}

	private static void addRow(final float[] from, final int at, final float[] to) {
		for (int x = 0; x < to.length; x++) to[x] += from[at + x];
	}

	/** Integers of 8 or 16 bits that all count. They are read once: the sums of the deviations follow from those of the pixels. */
	private static FramePixels whole(final int[] size, final Buffer pixels, final boolean unsigned, final float[] deviations) {
		final long[] sums = convert(pixels, unsigned, deviations);
		final int n = deviations.length;
		int equal = 1;
		while (equal < n && deviations[equal] == deviations[0]) equal++;
		final long offset = (long) Math.rint((double) sums[0] / n);
		for (int i = 0; i < n; i++) deviations[i] -= offset;
		return new FramePixels(size.clone(), deviations, sums[0] - n * offset, sums[1] - 2 * offset * sums[0] + n * offset * offset, equal >= n);
	}

	private FramePixels(final int[] size, final float[] deviations, final long total, final long squares, final boolean flat) {
		this.size = size;
		this.deviations = deviations;
		this.total = total;
		this.squares = squares;
		this.flat = flat;
		energy = squares;
		weights = null;
		values = null;
	}

	/** Four sums, because each addition waits for the one before. Exact for whole numbers of 16 bits. */
	private static double sum(final float[] d) {
		double a = 0, b = 0, c = 0, e = 0;
		int i = 0;
		for (; i + 4 <= d.length; i += 4) {
			a += d[i];
			b += d[i + 1];
			c += d[i + 2];
			e += d[i + 3];
		}
		for (; i < d.length; i++) a += d[i];
		return a + b + (c + e);
	}

	private static boolean[] copy(final boolean[] mask, final int n) {
		if (mask != null) return mask.clone();
		final boolean[] all = new boolean[n];
		Arrays.fill(all, true);
		return all;
	}

	/** @return the sum of the pixels and that of their squares */
	private static long[] convert(final Buffer from, final boolean unsigned, final float[] to) {
		long sum = 0, squares = 0;
		if (from instanceof ByteBuffer) {
			final byte[] a = ((ByteBuffer) from).array();
			for (int i = 0; i < to.length; i++) {
				final int v = unsigned ? a[i] & 0xff : a[i];
				to[i] = v;
				sum += v;
				squares += v * v;
			}
		}
		else {
			final short[] a = ((ShortBuffer) from).array();
			for (int i = 0; i < to.length; i++) {
				final long v = unsigned ? a[i] & 0xffff : a[i];
				to[i] = v;
				sum += v;
				squares += v * v;
			}
		}
		return new long[] { sum, squares };
	}

	/** The extents along x, y and z. */
	public int[] size() {
		return size.clone();
	}

	/** Whether all pixels that count are equal, or none counts: the correlation is then undefined. */
	public boolean isFlat() {
		return flat;
	}

	/** Whether some pixels do not count. */
	public boolean isMasked() {
		return weights != null;
	}

	int extent(final int d) {
		return size[d];
	}

	int count() {
		return deviations.length;
	}

	float[] deviations() {
		return deviations;
	}

	float[] weights() {
		return weights;
	}

	double[] values() {
		return values;
	}

	/** The sum of the deviations, exact if they are whole numbers that all count. */
	long total() {
		return total;
	}

	/** The sum of the squares of the deviations, exact if they are whole numbers that all count. */
	long squares() {
		return squares;
	}

	/** The sum of the squares of the deviations. */
	double energy() {
		return energy;
	}
}
