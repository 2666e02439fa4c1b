package sc.fiji.ncc.register.correct;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * Moves the content of a frame back by its shift and its deformation: pixel x of the result is the frame at {@code x + shift + u(x)}. The pixel type
 * is kept, as by {@link FrameShifter}. Positions are rounded to 1/{@value #FRACTIONS} of a pixel.
 */
final class FrameWarper {

	private static final int FRACTION_BITS = 11, FRACTIONS = 1 << FRACTION_BITS;
	/** The weights of the neighbouring pixels, one fraction after the other. */
	private static final Map<Interpolation, double[]> WEIGHTS = new ConcurrentHashMap<>();

	private final Interpolation interpolation;
	private final boolean edge;
	private final double outside;
	/** The number of pixels along a dimension that count, and their weights. */
	private final int neighbours;
	private final double[] weights;

	/** @throws IllegalArgumentException for Fourier interpolation */
	FrameWarper(final Interpolation interpolation, final Outside outside) {
		requireNeighbours(interpolation);
		this.interpolation = interpolation;
		edge = outside.kind() == Outside.Kind.EDGE;
		this.outside = outside.kind() == Outside.Kind.NAN ? Double.NaN : outside.value();
		neighbours = interpolation.pixels;
		weights = WEIGHTS.computeIfAbsent(interpolation, FrameWarper::weights);
	}

	private static double[] weights(final Interpolation interpolation) {
		final int n = interpolation.pixels;
		final double[] weights = new double[FRACTIONS * n];
		// a whole pixel is copied
		weights[(n - 1) / 2] = 1;
		for (int i = 1; i < FRACTIONS; i++) System.arraycopy(interpolation.weights(i / (double) FRACTIONS), 0, weights, i * n, n);
		return weights;
	}

	/** @throws IllegalArgumentException for Fourier interpolation */
	static void requireNeighbours(final Interpolation interpolation) {
		if (interpolation == Interpolation.FOURIER) throw new IllegalArgumentException("Fourier interpolation moves whole frames, and these frames are "
			+ "deformed: choose lanczos or cubic");
	}

	/**
	 * A box of a corrected frame.
	 *
	 * @param frame the recorded frame, with its first pixel at 0
	 * @param shift the shift of its content
	 * @param deformation u
	 * @param min the first pixel of the box, in pixels of the frame; it may lie outside
	 * @param size the extents of the box
	 * @return the pixels, x fastest, in an array of the primitive type of {@link PixelType#allocate} for the frame's type
	 */
	Object box(final RandomAccessibleInterval<?> frame, final double[] shift, final GridSpline deformation, final long[] min, final int[] size) {
		final int n = size.length, before = (neighbours - 1) / 2;
		final long[] first = new long[n], block = new long[n];
		final int[] extents = { 1, 1, 1 };
		for (int d = 0; d < n; d++) {
			final double[] range = deformation.range(d);
			first[d] = (long) Math.floor(min[d] + shift[d] + range[0]) - before - 1;
			block[d] = (long) Math.ceil(min[d] + size[d] + shift[d] + range[1]) + neighbours - first[d];
			// pixels far outside repeat the edge
			final long low = Math.max(-neighbours, Math.min(frame.dimension(d), first[d])), high = Math.max(low + neighbours,
				Math.min(frame.dimension(d) + neighbours, first[d] + block[d]));
			first[d] = low;
			block[d] = high - low;
			extents[d] = Math.toIntExact(block[d]);
		}
		final ImagePixels pixels = ImagePixels.of(frame, Border.EDGE, first, block);
		final PixelType type = pixels.type();
		final int count = Math.multiplyExact(Math.multiplyExact(extents[0], extents[1]), extents[2]), width = size[0];
		final Buffer raw = type.allocate(count);
		pixels.read(new long[n], Arrays.copyOf(extents, n), raw);
		final double[] values = new double[count];
		Buffers.values(raw, type.min == 0, 0, values, count);
		int all = 1;
		for (final int s : size) all = Math.multiplyExact(all, s);
		final Object result = type.allocate(all).array();
		final double[][] u = new double[n][width];
		final double[] row = new double[n], line = new double[width];
		final Samples samples = new Samples(values, extents, width);
		final boolean[] inside = new boolean[width];
		final double beyond = Double.isNaN(outside) && type.integer ? 0 : outside;
		for (int r = 0; r < all / width; r++) {
			for (int d = 1, rest = r; d < n; rest /= size[d++]) row[d] = min[d] + rest % size[d];
			row[0] = min[0];
			Arrays.fill(inside, true);
			for (int d = 0; d < n; d++) {
				deformation.row(d, row, u[d]);
				samples.place(d, row[d], shift[d], u[d], first[d], frame.dimension(d) - 1, inside);
			}
			for (int x = 0; x < width; x++) line[x] = edge || inside[x] ? samples.at(x) : beyond;
			Buffers.narrow(line, type, result, r * width);
		}
		return result;
	}

	/** Samples a row of positions in a block of pixels. */
	private final class Samples {

		private final double[] values;
		private final int[] extents;
		/** Whether all pixels are finite numbers: then a weight of 0 leaves a pixel out. */
		private final boolean finite;
		/** Of each position: the first pixel that counts, and where its weights begin. */
		private final int[][] at, fraction;

		Samples(final double[] values, final int[] extents, final int width) {
			this.values = values;
			this.extents = extents;
			double zero = 0;
			for (final double v : values) zero += 0 * v;
			finite = zero == 0;
			at = new int[3][width];
			fraction = new int[3][width];
		}

		/**
		 * Sets the positions along a dimension.
		 *
		 * @param row the position of the row; that of its first pixel along x
		 * @param first the first pixel of the block
		 * @param last the last pixel of the frame
		 * @param inside becomes false for positions outside the frame
		 */
		void place(final int d, final double row, final double shift, final double[] u, final long first, final long last, final boolean[] inside) {
			final int step = d == 0 ? 1 : 0, highest = extents[d] - neighbours, before = (neighbours - 1) / 2;
			final boolean whole = interpolation == Interpolation.INTEGER;
			for (int x = 0; x < u.length; x++) {
				// the motion is rounded, not the position, so that pixels of one motion stay side by side
				final double motion = shift + u[x], place = row + step * x + (whole ? Math.rint(motion) : motion);
				if (!(place >= 0 && place <= last)) inside[x] = false;
				final long q = (long) Math.floor(place * FRACTIONS + 0.5);
				fraction[d][x] = ((int) q & FRACTIONS - 1) * neighbours;
				at[d][x] = (int) Math.max(0, Math.min(highest, (q >> FRACTION_BITS) - before - first));
			}
		}

		double at(final int x) {
			final int planes = extents[2] > 1 ? neighbours : 1, stride = extents[0];
			double sum = 0;
			for (int k = 0; k < planes; k++) {
				double plane = 0;
				for (int j = 0, from = ((at[2][x] + k) * extents[1] + at[1][x]) * stride + at[0][x]; j < neighbours; j++, from += stride) {
					final double w = weights[fraction[1][x] + j];
					if (finite) plane += w * along(fraction[0][x], from);
					else if (w != 0) plane += w * present(fraction[0][x], from);
				}
				if (planes == 1) return plane;
				final double w = weights[fraction[2][x] + k];
				if (finite || w != 0) sum += w * plane;
			}
			return sum;
		}

		/** The sum along x of finite pixels. */
		private double along(final int f, final int from) {
			final double[] w = weights, v = values;
			switch (neighbours) {
				case 1: return v[from];
				case 2: return w[f] * v[from] + w[f + 1] * v[from + 1];
				case 4: return w[f] * v[from] + w[f + 1] * v[from + 1] + (w[f + 2] * v[from + 2] + w[f + 3] * v[from + 3]);
				default: return w[f] * v[from] + w[f + 1] * v[from + 1] + (w[f + 2] * v[from + 2] + w[f + 3] * v[from + 3])
					+ (w[f + 4] * v[from + 4] + w[f + 5] * v[from + 5]);
			}
		}

		/** The sum along x of the pixels whose weight is not 0. */
		private double present(final int f, final int from) {
			double sum = 0;
			for (int i = 0; i < neighbours; i++) if (weights[f + i] != 0) sum += weights[f + i] * values[from + i];
			return sum;
		}
	}
}
