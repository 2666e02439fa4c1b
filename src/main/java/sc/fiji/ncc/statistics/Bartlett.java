package sc.fiji.ncc.statistics;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

/**
 * The effective number of independent pixels of a window, from the autocorrelations of template and image: the pixels divided by Σ ρ_T(k) ρ_I(k) over all
 * displacements k (M. S. Bartlett, Some aspects of the time-correlation problem in regard to tests of significance, J. R. Stat. Soc. 98 (1935) 536-543). It
 * serves searches with too few responses for a {@link BackgroundFit}.
 */
final class Bartlett {

	/** The maximum side of the central box of the image whose autocorrelation is computed, in 2 and in 3 dimensions. */
	private static final int SIDE_2D = 128, SIDE_3D = 32;
	/** The maximum displacement along each axis, in 2 and in 3 dimensions. */
	private static final int REACH_2D = 8, REACH_3D = 3;

	private Bartlett() {}

	/**
	 * Complexity: the number of displacements times the number of pixels of the template and of the box.
	 *
	 * @param values the pixels of the template, x fastest
	 * @param size the extents of the template
	 * @param image an image with the dimensions of the template
	 */
	static double effectivePixels(final double[] values, final long[] size, final RandomAccessibleInterval<?> image) {
		final int n = size.length;
		final Interval box = box(image, n > 2 ? SIDE_3D : SIDE_2D);
		final double[] pixels = new double[(int) Views.interval(image, box).size()];
		int i = 0;
		for (final Object p : Views.flatIterable(Views.interval(image, box))) pixels[i++] = ((RealType<?>) p).getRealDouble();
		final int[] t = new int[n], b = new int[n], k = new int[n];
		int count = 1;
		for (int d = 0; d < n; d++) {
			t[d] = (int) size[d];
			b[d] = (int) box.dimension(d);
			k[d] = Math.min(n > 2 ? REACH_3D : REACH_2D, Math.min(t[d], b[d]) - 1);
			count *= 2 * k[d] + 1;
		}
		final double[] template = centred(values), background = centred(pixels);
		double sum = 0;
		final int[] shift = new int[n];
		for (int c = 0; c < count; c++) {
			for (int d = 0, rest = c; d < n; d++) {
				shift[d] = rest % (2 * k[d] + 1) - k[d];
				rest /= 2 * k[d] + 1;
			}
			sum += correlation(template, t, shift) * correlation(background, b, shift);
		}
		return values.length / Math.max(1e-3, sum);
	}

	private static Interval box(final Interval image, final int side) {
		final long[] min = image.minAsLongArray(), max = image.maxAsLongArray();
		for (int d = 0; d < min.length; d++) {
			final long cut = Math.max(0, max[d] - min[d] + 1 - side);
			min[d] += cut / 2;
			max[d] -= cut - cut / 2;
		}
		return new FinalInterval(min, max);
	}

	/** The finite values minus their mean; 0 in place of others. */
	private static double[] centred(final double[] values) {
		double sum = 0;
		int count = 0;
		for (final double v : values) if (Double.isFinite(v)) {
			sum += v;
			count++;
		}
		final double[] to = new double[values.length];
		for (int i = 0; i < to.length; i++) to[i] = Double.isFinite(values[i]) ? values[i] - sum / count : 0;
		return to;
	}

	/** The autocorrelation at a displacement, with the divisor of displacement 0. */
	private static double correlation(final double[] a, final int[] size, final int[] shift) {
		int step = 0, stride = 1;
		for (int d = 0; d < size.length; d++) {
			step += shift[d] * stride;
			stride *= size[d];
		}
		double products = 0, squares = 0;
		for (int i = 0; i < a.length; i++) {
			squares += a[i] * a[i];
			boolean inside = true;
			for (int d = 0, rest = i; d < size.length; d++) {
				final int p = rest % size[d] + shift[d];
				inside &= p >= 0 && p < size[d];
				rest /= size[d];
			}
			if (inside) products += a[i] * a[i + step];
		}
		return squares > 0 ? products / squares : 0;
	}
}
