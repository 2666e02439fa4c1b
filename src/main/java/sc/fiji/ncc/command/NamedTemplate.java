package sc.fiji.ncc.command;

import java.util.Arrays;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

/**
 * What to look for. Of an image in which something is selected, only that counts: its bounds are the template, and where the selection is no
 * rectangle, it is the mask.
 *
 * @param name for people
 * @param pixels of two or three dimensions
 * @param mask of the same shape, 0 for pixels that do not count; null if all do
 * @param selected whether it is what is selected in the image that is searched
 */
record NamedTemplate(String name, RandomAccessibleInterval<?> pixels, RandomAccessibleInterval<?> mask, boolean selected) {

	/** Another image: all its planes, as far as they are selected. */
	static NamedTemplate of(final Img<?> image, final FrontEnd program) {
		final String name = program.name(image);
		return program.selection(image).map(s -> cut(name, image, s, false)).orElseGet(() -> new NamedTemplate(name, image, null, false));
	}

	/** The selection in an image, in the plane that is shown. */
	static NamedTemplate selected(final Img<?> image, final Selection selection) {
		RandomAccessibleInterval<?> plane = image;
		for (int d = image.numDimensions() - 1; d >= 2; d--) plane = Views.hyperSlice(plane, d, image.min(d) + selection.plane()[d - 2]);
		return cut("selection", plane, selection, true);
	}

	private static NamedTemplate cut(final String name, final RandomAccessibleInterval<?> image, final Selection s, final boolean selected) {
		final long[] min = image.minAsLongArray(), size = image.dimensionsAsLongArray();
		min[0] += s.x();
		min[1] += s.y();
		size[0] = s.width();
		size[1] = s.height();
		final RandomAccessibleInterval<?> pixels = Views.zeroMin(Views.offsetInterval(image, min, size));
		RandomAccessibleInterval<?> mask = s.mask() == null ? null : ArrayImgs.unsignedBytes(s.mask(), s.width(), s.height());
		for (int d = 2; mask != null && d < size.length; d++) mask = repeated(mask, size[d]);
		return new NamedTemplate(name, pixels, mask, selected);
	}

	private static RandomAccessibleInterval<?> repeated(final RandomAccessibleInterval<?> mask, final long times) {
		final long[] max = Arrays.copyOf(mask.maxAsLongArray(), mask.numDimensions() + 1);
		max[mask.numDimensions()] = times - 1;
		return Views.interval(Views.addDimension(mask), new long[max.length], max);
	}
}
