package sc.fiji.ncc.image;

import java.util.function.Supplier;

import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Parallel;

/** A frame at other positions than those of its pixels: interpolated by B-splines. */
public final class DeformedFrame {

	/** Rows that one task samples. */
	private static final int ROWS = 16;

	private final FrameSpline spline;
	private final int n;
	private final Parallel parallel;

	public DeformedFrame(final FrameSpline spline, final Parallel parallel) {
		this.spline = spline;
		this.parallel = parallel;
		n = spline.size().length;
	}

	/** Samples rows. Only one thread uses an object. */
	public interface Rows {

		/**
		 * @param row the first pixel of the row, and {@code place} the same pixel as a position
		 * @param at the index of the row's first value
		 */
		void sample(long[] row, double[] place, int at);
	}

	/**
	 * Samples all rows of pixels, from the first pixel of a frame on.
	 *
	 * @param extents those of the pixels
	 * @param rows samples the rows of a part of them
	 */
	public static void each(final int[] extents, final Parallel parallel, final Supplier<Rows> rows) {
		final int end = Boxes.rows(extents);
		parallel.each((end + ROWS - 1) / ROWS, chunk -> {
			final Rows sampled = rows.get();
			final long[] row = new long[extents.length];
			final double[] place = new double[row.length];
			for (int r = chunk * ROWS; r < Math.min(end, (chunk + 1) * ROWS); r++) {
				for (int d = 1, rest = r; d < row.length; rest /= extents[d++]) row[d] = rest % extents[d];
				for (int d = 0; d < row.length; d++) place[d] = row[d];
				sampled.sample(row, place, r * extents[0]);
			}
		});
	}

	/**
	 * The frame at the positions {@code x + u(x)} of a motion u: values without the mean of the frame, x fastest. NaN where a position lies
	 * outside the frame, or beside a missing pixel.
	 *
	 * @param extents those of the pixels x, from the first pixel of the frame on
	 * @param to receives the values
	 */
	public float[] by(final GridSpline motion, final int[] extents, final float[] to) {
		each(extents, parallel, () -> {
			final float[][] u = new float[n][extents[0]];
			final FrameSpline.Positions sampled = spline.new Positions(extents[0]);
			return (row, place, at) -> {
				for (int d = 0; d < n; d++) motion.row(d, place, u[d]);
				sampled.row(row, u, to, at);
			};
		});
		return to;
	}
}
