package sc.fiji.ncc.statistics;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.Template;

/**
 * The effective number of independent pixels of a window, from the autocorrelations of template and image: the pixels divided by Σ ρ_T(k) ρ_I(k) over all
 * displacements k, and for several channels over all pairs of them (M. S. Bartlett, Some aspects of the time-correlation problem in regard to tests of significance, J. R. Stat. Soc. 98 (1935) 536-543). It
 * serves searches with too few responses for a {@link BackgroundFit}.
 */
final class Bartlett {

	/** The maximum side of the central box of the image whose autocorrelation is computed, in 2 and in 3 dimensions. */
	private static final int SIDE_2D = 128, SIDE_3D = 32;
	/** The maximum displacement along each axis, in 2 and in 3 dimensions. */
	private static final int DISPLACEMENT_2D = 8, DISPLACEMENT_3D = 3;

	private Bartlett() {}

	/**
	 * Complexity: the number of displacements and of pairs of channels times the number of pixels of the template and of the box.
	 *
	 * @param image an image with the dimensions and the channels of the template
	 */
	static double effectivePixels(final Template template, final RandomAccessibleInterval<?> image) {
		final long[] size = template.size().toArray();
		final int n = size.length, channels = template.channels();
		final Interval box = box(image, n > 2 ? SIDE_3D : SIDE_2D);
		final int[] t = new int[n], b = new int[n], k = new int[n];
		int count = 1;
		for (int d = 0; d < n; d++) {
			t[d] = (int) size[d];
			b[d] = (int) box.dimension(d);
			k[d] = Math.min(n > 2 ? DISPLACEMENT_3D : DISPLACEMENT_2D, Math.min(t[d], b[d]) - 1);
			count *= 2 * k[d] + 1;
		}
		final double[][] values = new double[channels][], background = new double[channels][];
		double energy = 0, power = 0, sum = 0;
		for (int c = 0; c < channels; c++) {
			values[c] = centred(template.channel(c).values());
			background[c] = centred(pixels(JointImage.channelsOf(image).get(c), box));
			energy += products(values[c], values[c], t, new int[n]);
			power += products(background[c], background[c], b, new int[n]);
		}
		final int[] shift = new int[n];
		for (int c = 0; c < count; c++) {
			for (int d = 0, rest = c; d < n; d++) {
				shift[d] = rest % (2 * k[d] + 1) - k[d];
				rest /= 2 * k[d] + 1;
			}
			for (int a = 0; a < channels; a++)
				for (int other = 0; other < channels; other++) sum += products(values[a], values[other], t, shift) * products(background[a], background[other], b, shift);
		}
		final double share = energy * power > 0 ? sum / (energy * power) : 0;
		return values[0].length / Math.max(1e-3, share);
	}

	private static double[] pixels(final RandomAccessibleInterval<?> image, final Interval box) {
		final double[] pixels = new double[(int) Intervals.numElements(box)];
		int i = 0;
		for (final Object p : Views.flatIterable(Views.interval(image, box))) pixels[i++] = ((RealType<?>) p).getRealDouble();
		return pixels;
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

	/** The sum of the products of pixels at a displacement. */
	private static double products(final double[] a, final double[] other, final int[] size, final int[] shift) {
		int step = 0, stride = 1;
		for (int d = 0; d < size.length; d++) {
			step += shift[d] * stride;
			stride *= size[d];
		}
		final int first = Math.max(0, -shift[0]), end = size[0] - Math.max(0, shift[0]);
		double products = 0;
		for (int row = 0; row < a.length; row += size[0]) {
			boolean inside = true;
			for (int d = 1, rest = row / size[0]; d < size.length; d++) {
				final int p = rest % size[d] + shift[d];
				inside &= p >= 0 && p < size[d];
				rest /= size[d];
			}
			if (inside) for (int i = row + first; i < row + end; i++) products += a[i] * other[i + step];
		}
		return products;
	}
}
