package sc.fiji.ncc.command;

import java.util.Arrays;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.plan.Size;

/**
 * What to look for. Of an image in which something is selected, only that counts: its bounds are the template, and where the selection is no
 * rectangle, it is a mask.
 *
 * @param name for people
 * @param pixels of two or three dimensions
 * @param weights of the same shape: how much each pixel counts, 0 for those that do not; null if all do alike
 * @param selected whether it is what is selected in the image that is searched
 */
record NamedTemplate(String name, RandomAccessibleInterval<?> pixels, RandomAccessibleInterval<?> weights, boolean selected) {

	/** Another image: all its planes, as far as they are selected. */
	static NamedTemplate of(final ImageInput image) {
		final String name = image.name();
		final Img<?> pixels = image.pixels();
		return image.selection().map(s -> cut(name, pixels, s, false)).orElseGet(() -> new NamedTemplate(name, pixels, null, false));
	}

	/** The selection in an image, in the plane that is shown. */
	static NamedTemplate selected(final Img<?> image, final Selection selection) {
		RandomAccessibleInterval<?> plane = image;
		for (int d = image.numDimensions() - 1; d >= 2; d--) plane = Views.hyperSlice(plane, d, image.min(d) + selection.plane()[d - 2]);
		return cut("selection", plane, selection, true);
	}

	/** A region of a plane. */
	static NamedTemplate of(final Region region, final RandomAccessibleInterval<?> plane) {
		return cut(region.name(), plane, region.area(), true);
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

	/**
	 * The same template, of whose pixels each counts as much as another image says; one that is not selected still does not count.
	 *
	 * @throws IllegalArgumentException if that image is of another size
	 */
	NamedTemplate weighted(final NamedTemplate by) {
		if (!Intervals.equalDimensions(by.pixels, pixels)) throw new IllegalArgumentException("The image of weights '" + by.name + "' is "
			+ Size.of(by.pixels.dimensionsAsLongArray()) + ", and the template '" + name + "' is " + Size.of(pixels.dimensionsAsLongArray())
			+ ": they must be of one size.");
		return new NamedTemplate(name, pixels, within(weights, within(by.weights, by.pixels)), selected);
	}

	/** Weights where a mask is not 0, and 0 elsewhere. */
	private static RandomAccessibleInterval<?> within(final RandomAccessibleInterval<?> mask, final RandomAccessibleInterval<?> weights) {
		if (mask == null) return weights;
		final Img<DoubleType> both = ArrayImgs.doubles(weights.dimensionsAsLongArray());
		final Cursor<?> inside = Views.flatIterable(mask).cursor(), weight = Views.flatIterable(weights).cursor();
		for (final DoubleType w : both) {
			final double value = ((RealType<?>) weight.next()).getRealDouble();
			if (((RealType<?>) inside.next()).getRealDouble() != 0) w.set(value);
		}
		return both;
	}

	private static RandomAccessibleInterval<?> repeated(final RandomAccessibleInterval<?> mask, final long times) {
		final long[] max = Arrays.copyOf(mask.maxAsLongArray(), mask.numDimensions() + 1);
		max[mask.numDimensions()] = times - 1;
		return Views.interval(Views.addDimension(mask), new long[max.length], max);
	}
}
