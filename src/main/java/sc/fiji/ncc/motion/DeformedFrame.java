package sc.fiji.ncc.motion;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.numeric.CubicSpline;
import sc.fiji.ncc.numeric.QuinticSpline;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * A frame at the positions {@code x + s·u(x)} of a motion u: interpolated by B-splines of degree 5. With s of -1/2 for one frame and 1/2 for the
 * other one, two frames of the same
 * motion become alike (F. Scarano, Iterative image deformation methods in PIV, Meas. Sci. Technol. 13 (2002) R1-R19, DOI 10.1088/0957-0233/13/1/201).
 */
final class DeformedFrame {

	private final int n;
	private final long[] size;
	private final int[] strides;
	private final int pixels;
	/** The coefficients of the spline. */
	private final float[] coefficients;
	/** Whether a pixel is missing; null if none is. */
	private final boolean[] missing;
	private final Parallel parallel;

	/** @param frame pixels that are not finite are missing, too */
	DeformedFrame(final ImagePixels frame, final Parallel parallel) {
		this.parallel = parallel;
		size = frame.size();
		n = size.length;
		strides = new int[n];
		int all = 1;
		for (int d = 0; d < n; d++) {
			strides[d] = all;
			all = Math.multiplyExact(all, Math.toIntExact(size[d]));
		}
		pixels = all;
		coefficients = new float[pixels];
		final Buffer raw = frame.type().allocate(pixels);
		final int[] whole = new int[n];
		for (int d = 0; d < n; d++) whole[d] = (int) size[d];
		frame.read(new long[n], whole, raw);
		final byte[] present = new byte[pixels];
		if (frame.mask() == null) Arrays.fill(present, (byte) 1);
		else frame.mask().read(new long[n], whole, ByteBuffer.wrap(present));
		final boolean[] absent = new boolean[pixels];
		final boolean unsigned = frame.type().min == 0;
		double sum = 0;
		int defined = 0;
		for (int i = 0; i < pixels; i++) {
			final double value = Buffers.value(raw, unsigned, i);
			absent[i] = present[i] == 0 || !Double.isFinite(value);
			if (absent[i]) continue;
			sum += value;
			defined++;
		}
		missing = defined < pixels ? absent : null;
		for (int i = 0; i < pixels; i++)
			if (!absent[i]) coefficients[i] = (float) (Buffers.value(raw, unsigned, i) - sum / defined);
		for (int d = 0; d < n; d++) filter(d);
	}

	private void filter(final int d) {
		final int length = (int) size[d], stride = strides[d], lines = pixels / length;
		parallel.each(lines, l -> {
			final int first = l / stride * stride * length + l % stride;
			final double[] line = new double[length];
			for (int i = 0; i < length; i++) line[i] = coefficients[first + i * stride];
			QuinticSpline.coefficients(line);
			for (int i = 0; i < length; i++) coefficients[first + i * stride] = (float) line[i];
		});
	}

	/**
	 * The deformed frame, of floats, without the mean of the frame. NaN where a position lies outside the frame, or beside a missing pixel.
	 *
	 * @param share the factor s of the motion
	 */
	RandomAccessibleInterval<?> by(final DenseField motion, final double share) {
		final float[] deformed = new float[pixels];
		final int width = (int) size[0];
		parallel.each(pixels / width, r -> {
			final double[] row = new double[n];
			for (int d = 1, rest = r; d < n; rest /= size[d++]) row[d] = rest % size[d];
			final double[][] moved = new double[n][width];
			for (int d = 0; d < n; d++) {
				motion.row(d, row, moved[d]);
				for (int x = 0; x < width; x++) moved[d][x] = (d == 0 ? x : row[d]) + share * moved[d][x];
			}
			final Sampler sampler = new Sampler();
			for (int x = 0; x < width; x++) deformed[r * width + x] = sampler.at(moved, x);
		});
		return ArrayImgs.floats(deformed, size);
	}

	/** Samples the spline at one position after the other. */
	private final class Sampler {

		private final double[][] taps = new double[n][QuinticSpline.TAPS];
		/** The offsets of the coefficients that contribute, along each dimension. */
		private final int[][] offsets = new int[n][QuinticSpline.TAPS];

		float at(final double[][] positions, final int i) {
			for (int d = 0; d < n; d++) {
				final double p = positions[d][i];
				if (!(p >= -0.5 && p <= size[d] - 0.5)) return Float.NaN;
				final int whole = (int) Math.floor(p);
				QuinticSpline.weights(p - whole, taps[d]);
				for (int k = 0; k < QuinticSpline.TAPS; k++) offsets[d][k] = CubicSpline.mirrored(whole + k - 2, (int) size[d]) * strides[d];
			}
			if (missing != null && isBesideMissing(0, 0)) return Float.NaN;
			return (float) sum(n - 1, 0);
		}

		/** Whether one of the pixels around the position, two along each dimension, is missing. */
		private boolean isBesideMissing(final int d, final int base) {
			if (d == n) return missing[base];
			return isBesideMissing(d + 1, base + offsets[d][2]) || isBesideMissing(d + 1, base + offsets[d][3]);
		}

		private double sum(final int d, final int base) {
			final double[] t = taps[d];
			final int[] o = offsets[d];
			double sum = 0;
			if (d == 0) for (int k = 0; k < t.length; k++) sum += t[k] * coefficients[base + o[k]];
			else for (int k = 0; k < t.length; k++) sum += t[k] * sum(d - 1, base + o[k]);
			return sum;
		}
	}
}
