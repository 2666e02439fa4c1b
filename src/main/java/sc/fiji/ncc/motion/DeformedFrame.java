package sc.fiji.ncc.motion;

import java.util.Arrays;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * A frame at the positions {@code x + s·u(x)} of a motion u: interpolated by B-splines of degree 5. With s of -1/2 for one frame and 1/2 for the
 * other one, two frames of the same
 * motion become alike (F. Scarano, Iterative image deformation methods in PIV, Meas. Sci. Technol. 13 (2002) R1-R19, DOI 10.1088/0957-0233/13/1/201).
 */
final class DeformedFrame {

	private final FrameSpline spline;
	private final int n;
	private final int[] size;
	private final Parallel parallel;

	DeformedFrame(final FrameSpline spline, final Parallel parallel) {
		this.spline = spline;
		this.parallel = parallel;
		size = spline.size();
		n = size.length;
	}

	/**
	 * The deformed frame, of floats, without the mean of the frame. NaN where a position lies outside the frame, or beside a missing pixel.
	 *
	 * @param share the factor s of the motion
	 */
	RandomAccessibleInterval<?> by(final GridSpline motion, final double share) {
		return by(motion, share, new long[n], size);
	}

	/**
	 * A box of the deformed frame, as {@link #by(GridSpline, double)}.
	 *
	 * @param min the first pixel of the box; it may lie outside the frame
	 * @param extents the size of the box
	 */
	RandomAccessibleInterval<?> by(final GridSpline motion, final double share, final long[] min, final int[] extents) {
		final float[] deformed = new float[Arrays.stream(extents).reduce(1, Math::multiplyExact)];
		final int width = extents[0];
		parallel.each(deformed.length / width, r -> {
			final double[] row = new double[n];
			row[0] = min[0];
			for (int d = 1, rest = r; d < n; rest /= extents[d++]) row[d] = min[d] + rest % extents[d];
			final double[][] moved = new double[n][width];
			for (int d = 0; d < n; d++) {
				motion.row(d, row, moved[d]);
				for (int x = 0; x < width; x++) moved[d][x] = (d == 0 ? min[0] + x : row[d]) + share * moved[d][x];
			}
			final FrameSpline.Positions sampler = spline.new Positions();
			for (int x = 0; x < width; x++) deformed[r * width + x] = sampler.at(moved, x);
		});
		return ArrayImgs.floats(deformed, Arrays.stream(extents).asLongStream().toArray());
	}
}
