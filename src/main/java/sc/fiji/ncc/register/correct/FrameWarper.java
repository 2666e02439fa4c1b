package sc.fiji.ncc.register.correct;

import java.nio.Buffer;
import java.util.Arrays;

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

	private static final int FRACTIONS = 2048;

	private final Interpolation interpolation;
	private final boolean edge;
	private final double outside;
	/** The weights of the neighbouring pixels for each fraction. */
	private final double[][] weights;

	/** @throws IllegalArgumentException for Fourier interpolation */
	FrameWarper(final Interpolation interpolation, final Outside outside) {
		requireNeighbours(interpolation);
		this.interpolation = interpolation;
		edge = outside.kind() == Outside.Kind.EDGE;
		this.outside = outside.kind() == Outside.Kind.NAN ? Double.NaN : outside.value();
		weights = new double[interpolation == Interpolation.INTEGER ? 1 : FRACTIONS][];
		for (int i = 0; i < weights.length; i++) weights[i] = interpolation.weights(i / (double) FRACTIONS);
		// a whole pixel is copied
		Arrays.fill(weights[0], 0);
		weights[0][(interpolation.pixels - 1) / 2] = 1;
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
		final int n = size.length, kernelSize = interpolation.pixels, before = (kernelSize - 1) / 2;
		final long[] first = new long[n], block = new long[n];
		final int[] extents = { 1, 1, 1 };
		for (int d = 0; d < n; d++) {
			final double[] range = deformation.range(d);
			first[d] = (long) Math.floor(min[d] + shift[d] + range[0]) - before - 1;
			block[d] = (long) Math.ceil(min[d] + size[d] + shift[d] + range[1]) + kernelSize - first[d];
			// pixels far outside repeat the edge
			final long low = Math.max(-kernelSize, Math.min(frame.dimension(d), first[d])), high = Math.max(low + kernelSize,
				Math.min(frame.dimension(d) + kernelSize, first[d] + block[d]));
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
		final double[] row = new double[n], line = new double[width], place = new double[n];
		final Sampler sampler = new Sampler(values, extents, n);
		final double beyond = Double.isNaN(outside) && type.integer ? 0 : outside;
		for (int r = 0; r < all / width; r++) {
			for (int d = 1, rest = r; d < n; rest /= size[d++]) row[d] = min[d] + rest % size[d];
			row[0] = min[0];
			for (int d = 0; d < n; d++) deformation.row(d, row, u[d]);
			for (int x = 0; x < width; x++) {
				boolean inside = true;
				for (int d = 0; d < n; d++) {
					final double motion = shift[d] + u[d][x];
					// the motion is rounded, not the position, so that pixels of one motion stay side by side
					place[d] = (d == 0 ? min[0] + x : row[d]) + (interpolation == Interpolation.INTEGER ? Math.rint(motion) : motion);
					inside &= place[d] >= 0 && place[d] <= frame.dimension(d) - 1;
				}
				line[x] = inside || edge ? sampler.at(place, first) : beyond;
			}
			Buffers.narrow(line, type, result, r * width);
		}
		return result;
	}

	/** Samples a block of pixels. */
	private final class Sampler {

		private final double[] values;
		private final int[] extents;
		private final int n;
		private final int[] at = new int[3];
		private final double[][] w = { { 1 }, { 1 }, { 1 } };

		Sampler(final double[] values, final int[] extents, final int n) {
			this.values = values;
			this.extents = extents;
			this.n = n;
		}

		/** @param first the first pixel of the block */
		double at(final double[] place, final long[] first) {
			final int before = (interpolation.pixels - 1) / 2;
			for (int d = 0; d < n; d++) {
				final long q = Math.round(place[d] * FRACTIONS);
				w[d] = weights[(int) Math.floorMod(q, (long) FRACTIONS)];
				at[d] = (int) Math.max(0, Math.min(extents[d] - w[d].length, Math.floorDiv(q, (long) FRACTIONS) - before - first[d]));
			}
			double sum = 0;
			for (int k = 0; k < w[2].length; k++)
				for (int j = 0; j < w[1].length; j++) {
					final double weight = w[2][k] * w[1][j];
					if (weight == 0) continue;
					final int from = ((at[2] + k) * extents[1] + at[1] + j) * extents[0] + at[0];
					// a weight of 0 leaves out NaN
					for (int i = 0; i < w[0].length; i++) if (w[0][i] != 0) sum += weight * w[0][i] * values[from + i];
				}
			return sum;
		}
	}
}
