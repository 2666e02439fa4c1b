package sc.fiji.ncc.drawing;

import java.awt.image.BufferedImage;
import java.util.Arrays;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

/** The maximum of a stack over its frames, before and after a correction, side by side with one brightness. */
public final class ProjectionPair {

	/** The largest number of planes that are looked at, and the columns between the pictures. */
	private static final int PLANES = 200, GAP = 4;

	private ProjectionPair() {}

	/**
	 * @param before x, y and further dimensions
	 * @param after an image of the same size
	 */
	public static BufferedImage draw(final RandomAccessibleInterval<?> before, final RandomAccessibleInterval<?> after) {
		final int w = (int) before.dimension(0), h = (int) before.dimension(1);
		return pair(maximum(before), maximum(after), w, h);
	}

	/** Two pictures side by side. The first one determines the brightness of both. Pixels that are not finite are black. */
	static BufferedImage pair(final double[] a, final double[] b, final int w, final int h) {
		final double[] sorted = Arrays.stream(a).filter(Double::isFinite).sorted().toArray();
		final double low = sorted.length == 0 ? 0 : sorted[0], high = sorted.length == 0 ? 1 : sorted[(int) (0.998 * (sorted.length - 1))];
		final BufferedImage picture = new BufferedImage(2 * w + GAP, h, BufferedImage.TYPE_BYTE_GRAY);
		for (int y = 0; y < h; y++)
			for (int x = 0; x < w; x++) {
				picture.getRaster().setSample(x, y, 0, gray(a[y * w + x], low, high));
				picture.getRaster().setSample(x + w + GAP, y, 0, gray(b[y * w + x], low, high));
			}
		for (int y = 0; y < h; y++) for (int x = w; x < w + GAP; x++) picture.getRaster().setSample(x, y, 0, 255);
		return picture;
	}

	private static int gray(final double v, final double low, final double high) {
		return high > low ? (int) Math.max(0, Math.min(255, 255 * (v - low) / (high - low))) : 0;
	}

	private static double[] maximum(final RandomAccessibleInterval<?> image) {
		RandomAccessibleInterval<?> planes = Views.zeroMin(image);
		final long[] size = planes.dimensionsAsLongArray();
		final double[] maximum = new double[(int) (size[0] * size[1])];
		Arrays.fill(maximum, Double.NEGATIVE_INFINITY);
		long count = 1;
		for (int d = 2; d < size.length; d++) count *= size[d];
		final long step = Math.max(1, count / PLANES);
		for (long p = 0; p < count; p += step) {
			RandomAccessibleInterval<?> plane = planes;
			long rest = p;
			final long[] at = new long[size.length];
			for (int d = 2; d < size.length; rest /= size[d++]) at[d] = rest % size[d];
			for (int d = size.length - 1; d >= 2; d--) plane = Views.hyperSlice(plane, d, at[d]);
			final Cursor<?> c = Views.flatIterable(plane).cursor();
			for (int i = 0; i < maximum.length; i++) maximum[i] = Math.max(maximum[i], ((RealType<?>) c.next()).getRealDouble());
		}
		return maximum;
	}
}
