package sc.fiji.ncc.front;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

/**
 * The values of an image that are shown black and white.
 *
 * @param min the smallest finite value
 * @param max the largest finite value
 */
public record ShownRange(double min, double max) {

	/** The range of all pixels; from 0 to 1 if they have fewer than two finite values. */
	public static ShownRange of(final RandomAccessibleInterval<? extends RealType<?>> pixels) {
		double min = Double.POSITIVE_INFINITY, max = Double.NEGATIVE_INFINITY;
		for (final RealType<?> pixel : Views.flatIterable(pixels)) {
			final double v = pixel.getRealDouble();
			if (!(Math.abs(v) <= Float.MAX_VALUE)) continue;
			min = Math.min(min, v);
			max = Math.max(max, v);
		}
		return min < max ? new ShownRange(min, max) : new ShownRange(0, 1);
	}

	/** The range of the first plane. */
	public static ShownRange ofFirstPlane(final RandomAccessibleInterval<? extends RealType<?>> pixels) {
		RandomAccessibleInterval<? extends RealType<?>> plane = pixels;
		while (plane.numDimensions() > 2) plane = Views.hyperSlice(plane, plane.numDimensions() - 1, plane.min(plane.numDimensions() - 1));
		return of(plane);
	}
}
