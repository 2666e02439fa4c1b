package sc.fiji.ncc.register;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

/**
 * The mean of a volume along z and along y. The first gives the shift along x and y, the second that along z.
 *
 * @param alongZ x and y
 * @param alongY x and z
 */
record Projections(RandomAccessibleInterval<FloatType> alongZ, RandomAccessibleInterval<FloatType> alongY) {

	static Projections of(final RandomAccessibleInterval<?> volume) {
		final int w = (int) volume.dimension(0), h = (int) volume.dimension(1), d = (int) volume.dimension(2);
		final double[] xy = new double[w * h], xz = new double[w * d];
		final Cursor<?> c = Views.flatIterable(volume).cursor();
		for (int z = 0; z < d; z++)
			for (int y = 0; y < h; y++)
				for (int x = 0; x < w; x++) {
					final double v = ((RealType<?>) c.next()).getRealDouble();
					xy[y * w + x] += v;
					xz[z * w + x] += v;
				}
		return new Projections(image(xy, d, w, h), image(xz, h, w, d));
	}

	private static RandomAccessibleInterval<FloatType> image(final double[] sums, final int count, final long... size) {
		final float[] means = new float[sums.length];
		for (int i = 0; i < means.length; i++) means[i] = (float) (sums[i] / count);
		return ArrayImgs.floats(means, size);
	}
}
