package sc.fiji.ncc;

import java.util.Arrays;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Reads a template and its mask, and refuses those that correlate with nothing. */
final class TemplateReader {

	private TemplateReader() {}

	/**
	 * @param mask zeros and one other, positive, value; null if every pixel counts
	 * @throws IllegalArgumentException if the template is flat or holds NaN where it counts, or the mask is of another shape, holds no
	 *         positive value, or more than one
	 */
	static Template read(final RandomAccessibleInterval<?> template, final RandomAccessibleInterval<?> mask) {
		final Size size = Size.of(template.dimensionsAsLongArray());
		if (size.pixels() > Integer.MAX_VALUE / 16)
			throw new IllegalArgumentException("a template of " + size + " is too large: at most " + Integer.MAX_VALUE / 16 + " pixels");
		final double[] values = values(template, size);
		final double[] weights = mask == null ? null : weights(mask, size);
		requireFinite(values, weights, size);
		final Template read = new Template(size, ImagePixels.type(template), values, weights);
		read.requireContrast();
		return read;
	}

	private static double[] values(final RandomAccessibleInterval<?> image, final Size size) {
		// refuses what is no real number
		ImagePixels.type(image);
		final double[] values = new double[(int) size.pixels()];
		final Cursor<?> cursor = Views.flatIterable(image).cursor();
		for (int i = 0; i < values.length; i++) values[i] = ((RealType<?>) cursor.next()).getRealDouble();
		return values;
	}

	private static double[] weights(final RandomAccessibleInterval<?> mask, final Size size) {
		final Size shape = Size.of(mask.dimensionsAsLongArray());
		if (!shape.equals(size)) throw new IllegalArgumentException(
			"the mask of " + shape + " must have the template's shape, " + size + ": it says which of the template's pixels count");
		final double[] w = values(mask, size);
		final double most = Arrays.stream(w).max().orElse(0);
		if (Arrays.stream(w).anyMatch(v -> !(v >= 0)))
			throw new IllegalArgumentException("the mask of " + shape + " holds a negative value or NaN: 0 means a pixel does not count, anything above that it does");
		if (most == 0) throw new IllegalArgumentException("the mask of " + shape + " is zero everywhere: no pixel of the template would count");
		for (int i = 0; i < w.length; i++) {
			if (w[i] != 0 && w[i] != most) throw new IllegalArgumentException("the mask of " + shape + " holds " + w[i] + " and " + most
				+ " beside 0: a mask has zeros and one other value; threshold it first");
			w[i] = w[i] == 0 ? 0 : 1;
		}
		return w;
	}

	private static void requireFinite(final double[] values, final double[] weights, final Size size) {
		for (int i = 0; i < values.length; i++)
			if ((weights == null || weights[i] > 0) && !Double.isFinite(values[i]))
				throw new IllegalArgumentException("the template of " + size + " holds " + values[i] + " at " + place(i, size)
					+ ": replace it, or leave it out with a mask");
	}

	private static String place(final int index, final Size size) {
		final long[] at = new long[size.dimensions()];
		long rest = index;
		for (int d = 0; d < at.length; d++) {
			at[d] = rest % size.get(d);
			rest /= size.get(d);
		}
		return Arrays.toString(at);
	}
}
