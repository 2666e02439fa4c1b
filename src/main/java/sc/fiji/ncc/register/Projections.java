package sc.fiji.ncc.register;

import java.nio.Buffer;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.image.ImagePixels;

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
		final ImagePixels pixels = ImagePixels.of(volume);
		final boolean unsigned = pixels.type().min == 0;
		final Buffer plane = pixels.type().allocate(w * h);
		final double[] row = new double[w];
		for (int z = 0; z < d; z++) {
			pixels.read(new long[] { 0, 0, z }, new int[] { w, h, 1 }, plane.clear());
			for (int y = 0; y < h; y++) {
				RowInterpolation.read(plane, unsigned, y * w, row, w);
				add(row, xy, y * w);
				add(row, xz, z * w);
			}
		}
		return new Projections(image(xy, d, w, h), image(xz, h, w, d));
	}

	private static void add(final double[] row, final double[] to, final int at) {
		for (int x = 0; x < row.length; x++) to[at + x] += row[x];
	}

	private static RandomAccessibleInterval<FloatType> image(final double[] sums, final int count, final long... size) {
		final float[] means = new float[sums.length];
		for (int i = 0; i < means.length; i++) means[i] = (float) (sums[i] / count);
		return ArrayImgs.floats(means, size);
	}
}
