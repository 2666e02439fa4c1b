package sc.fiji.ncc.image;

import java.util.Arrays;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * A frame at other positions than those of its pixels: interpolated by B-splines. Two frames that are sampled along their motion become
 * alike (F. Scarano, Iterative image deformation methods in PIV, Meas. Sci. Technol. 13 (2002) R1-R19, DOI 10.1088/0957-0233/13/1/201).
 */
public final class DeformedFrame {

	/** Rows that one task samples. */
	private static final int ROWS = 16;

	private final FrameSpline spline;
	private final int n;
	private final int[] size;
	private final Parallel parallel;

	public DeformedFrame(final FrameSpline spline, final Parallel parallel) {
		this.spline = spline;
		this.parallel = parallel;
		size = spline.size();
		n = size.length;
	}

	/** The positions in the frame of the pixels of a row. */
	public interface Places {

		/**
		 * @param row the first pixel of the row
		 * @param to the positions along each dimension
		 */
		void of(double[] row, double[][] to);
	}

	/**
	 * A box of the frame at the positions {@code x + u(x)} of a motion u: values without the mean of the frame, x fastest. NaN where a position lies
	 * outside the frame, or beside a missing pixel.
	 *
	 * @param min the first pixel of the box; it may lie outside the frame
	 * @param extents the size of the box
	 * @param to receives the values
	 */
	public float[] by(final GridSpline motion, final long[] min, final int[] extents, final float[] to) {
		final double[] places = new double[extents[0]];
		for (int x = 0; x < places.length; x++) places[x] = min[0] + x;
		return at((row, positions) -> {
			for (int d = 0; d < n; d++) motion.row(d, row, positions[d]);
			add(positions[0], places);
			for (int d = 1; d < n; d++) add(positions[d], row[d]);
		}, min, extents, to);
	}

	private static void add(final double[] to, final double[] more) {
		for (int x = 0; x < to.length; x++) to[x] += more[x];
	}

	private static void add(final double[] to, final double more) {
		for (int x = 0; x < to.length; x++) to[x] += more;
	}

	/** The whole frame at other positions: as {@link #by}. */
	public RandomAccessibleInterval<?> at(final Places places) {
		return ArrayImgs.floats(at(places, new long[n], size, new float[Arrays.stream(size).reduce(1, Math::multiplyExact)]),
			Arrays.stream(size).asLongStream().toArray());
	}

	private float[] at(final Places places, final long[] min, final int[] extents, final float[] deformed) {
		final int width = extents[0], rows = deformed.length / width;
		parallel.each((rows + ROWS - 1) / ROWS, chunk -> {
			final double[] row = new double[n];
			final double[][] positions = new double[n][width];
			final FrameSpline.Positions sampled = spline.new Positions();
			for (int r = chunk * ROWS; r < Math.min(rows, (chunk + 1) * ROWS); r++) {
				row[0] = min[0];
				for (int d = 1, rest = r; d < n; rest /= extents[d++]) row[d] = min[d] + rest % extents[d];
				places.of(row, positions);
				sampled.row(positions, deformed, r * width);
			}
		});
		return deformed;
	}
}
