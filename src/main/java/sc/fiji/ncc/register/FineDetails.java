package sc.fiji.ncc.register;

import java.nio.Buffer;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * The fine details of an image: the mean of the 3 pixels along each dimension minus that of the 9 pixels. Smooth natural scenes have few independent details,
 * and high correlation coefficients at many shifts; their fine details have many, and one high coefficient. Shading is left out.
 */
final class FineDetails {

	private static final int NEAR = 1, FAR = 4;

	private FineDetails() {}

	/**
	 * Complexity: linear in the number of pixels. Pixels that are not finite stay so.
	 *
	 * @param mask false for pixels that do not count, which are NaN in the result; null if all count
	 */
	static RandomAccessibleInterval<?> of(final RandomAccessibleInterval<?> image, final PixelType type, final boolean[] mask) {
		final long[] size = image.dimensionsAsLongArray();
		final int[] extents = Size.of(size).toIntArray();
		final Buffer raw = ImagePixels.of(image).all();
		final int n = raw.capacity();
		final float[] pixels = new float[n];
		double sum = 0, count = 0;
		for (int i = 0; i < n; i++) {
			pixels[i] = mask == null || mask[i] ? (float) Buffers.value(raw, type.min == 0, i) : Float.NaN;
			if (!Float.isFinite(pixels[i])) continue;
			sum += pixels[i];
			count++;
		}
		final float[] near = new float[n];
		for (int i = 0; i < n; i++) near[i] = Float.isFinite(pixels[i]) ? (float) (pixels[i] - sum / count) : 0;
		final float[] far = near.clone();
		for (int d = 0, stride = 1; d < extents.length; stride *= extents[d++]) {
			means(near, stride, extents[d], NEAR);
			means(far, stride, extents[d], FAR);
		}
		for (int i = 0; i < n; i++) near[i] = Float.isFinite(pixels[i]) ? near[i] - far[i] : Float.NaN;
		return ArrayImgs.floats(near, size);
	}

	/** Replaces each pixel by the mean of the pixels up to a distance along one dimension, as far as they lie inside. */
	private static void means(final float[] pixels, final int stride, final int extent, final int radius) {
		final double[] sums = new double[extent + 1];
		for (int first = 0; first < pixels.length; first += first % stride == stride - 1 ? 1 + stride * (extent - 1) : 1) {
			for (int i = 0; i < extent; i++) sums[i + 1] = sums[i] + pixels[first + i * stride];
			for (int i = 0; i < extent; i++) {
				final int from = Math.max(0, i - radius), until = Math.min(extent, i + radius + 1);
				pixels[first + i * stride] = (float) ((sums[until] - sums[from]) / (until - from));
			}
		}
	}
}
