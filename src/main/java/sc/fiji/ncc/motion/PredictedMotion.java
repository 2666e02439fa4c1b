package sc.fiji.ncc.motion;

import java.util.Arrays;

import sc.fiji.ncc.image.DeformedFrame;
import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Where two frames are sampled so that a predicted motion u vanishes between them: the first one at {@code p}, the second one at
 * {@code p + u}. The middle of both is at most half a pixel from x along each dimension, and u is that of the middle. {@code p} is a whole
 * pixel, {@code x} less the rounded half of the motion. So only the second frame is interpolated: noise of the first one stays white, and
 * its pixels have no error of the interpolation. Two frames that are sampled along their motion become alike (F. Scarano, Iterative image
 * deformation methods in PIV, Meas. Sci. Technol. 13 (2002) R1-R19, DOI 10.1088/0957-0233/13/1/201).
 */
final class PredictedMotion {

	/** Steps towards the middle, which depends on the motion there. The error falls with the gradient of the motion at each step. */
	private static final int STEPS = 2;

	private final GridSpline motion;
	private final int n;

	PredictedMotion(final GridSpline motion, final int dimensions) {
		this.motion = motion;
		n = dimensions;
	}

	/**
	 * Both frames where they are alike.
	 *
	 * @param fixed the values of the first frame; NaN for missing pixels
	 * @param moving the spline of the second one
	 * @return the values of both; NaN outside the frames and for missing pixels, in the second frame also beside these
	 */
	float[][] sampled(final float[] fixed, final FrameSpline moving, final Parallel parallel) {
		final int[] size = moving.size();
		final float[][] to = new float[2][fixed.length];
		DeformedFrame.each(size, parallel, () -> {
			final Row places = new Row(size[0]);
			final FrameSpline.Positions positions = moving.new Positions(size[0]);
			return (row, place, at) -> {
				places.of(place);
				places.copy(fixed, size, row, to[0], at);
				positions.row(row, places.second, to[1], at);
			};
		});
		return to;
	}

	/** The positions for a row of pixels. Only one thread may use an object. */
	final class Row {

		/** How far the positions in both frames lie from the pixels, along each dimension. */
		final float[][] first, second;
		private final float[][] u, middle;
		/** The slopes of the components along each dimension. */
		private final float[][][] slopes;
		private final float[] before, after;

		Row(final int width) {
			first = new float[n][width];
			second = new float[n][width];
			u = new float[n][width];
			middle = new float[n][width];
			slopes = new float[n][n][width];
			before = new float[width];
			after = new float[width];
		}

		/** @param row the first pixel of the row */
		void of(final double[] row) {
			for (int c = 0; c < n; c++) {
				motion.row(c, row, u[c]);
				whole(first[c], u[c]);
				System.arraycopy(u[c], 0, second[c], 0, u[c].length);
				slope(u[c], slopes[c][0]);
				for (int d = 1; d < n; d++) motion.change(c, d, row, slopes[c][d]);
			}
			for (int step = 0; step < STEPS; step++) {
				for (int d = 0; d < n; d++) middle(middle[d], second[d], first[d]);
				for (int c = 0; c < n; c++) {
					System.arraycopy(u[c], 0, second[c], 0, u[c].length);
					for (int d = 0; d < n; d++) addProduct(second[c], slopes[c][d], middle[d]);
				}
			}
			for (int c = 0; c < n; c++) add(second[c], first[c]);
		}

		/** Differences over two pixels, or one at the ends. */
		private void slope(final float[] values, final float[] to) {
			final int last = values.length - 1;
			System.arraycopy(values, 0, before, 1, last);
			before[0] = values[0];
			System.arraycopy(values, 1, after, 0, last);
			after[last] = values[last];
			halfDifference(to, after, before);
			if (last > 0) {
				to[0] *= 2;
				to[last] *= 2;
			}
		}

		/** The end of the pixels from one on that move alike in the first frame. */
		private int alike(final int from) {
			int x = from + 1;
			for (; x < before.length; x++)
				for (final float[] motion : first) if (motion[x] != motion[from]) return x;
			return x;
		}

		/** Copies the pixels of the first frame: neighbours that move alike lie side by side. */
		private void copy(final float[] from, final int[] size, final long[] row, final float[] to, final int at) {
			for (int x = 0, end; x < size[0]; x = end) {
				end = alike(x);
				long line = 0;
				boolean inside = true;
				for (int d = 1, stride = size[0]; d < n; stride *= size[d++]) {
					final long place = row[d] + (long) first[d][x];
					inside &= place >= 0 && place < size[d];
					line += place * stride;
				}
				final long moved = row[0] + (long) first[0][x];
				final int left = inside ? (int) Math.max(x, Math.min(end, -moved)) : end, right = (int) Math.max(left, Math.min(end, size[0] - moved));
				Arrays.fill(to, at + x, at + left, Float.NaN);
				if (left < right) System.arraycopy(from, (int) (line + moved + left), to, at + left, right - left);
				Arrays.fill(to, at + right, at + end, Float.NaN);
			}
		}
	}

	// C2 vectorises the loops

	/** The part of the motion by which the first frame moves back. */
	private static void whole(final float[] to, final float[] u) {
		for (int i = 0; i < to.length; i++) to[i] = -(u[i] / 2 + FrameSpline.WHOLE - FrameSpline.WHOLE);
	}

	private static void middle(final float[] to, final float[] a, final float[] b) {
		for (int i = 0; i < to.length; i++) to[i] = a[i] / 2 + b[i];
	}

	private static void halfDifference(final float[] to, final float[] a, final float[] b) {
		for (int i = 0; i < to.length; i++) to[i] = (a[i] - b[i]) / 2;
	}

	private static void addProduct(final float[] to, final float[] a, final float[] b) {
		for (int i = 0; i < to.length; i++) to[i] += a[i] * b[i];
	}

	private static void add(final float[] to, final float[] more) {
		for (int i = 0; i < to.length; i++) to[i] += more[i];
	}
}
