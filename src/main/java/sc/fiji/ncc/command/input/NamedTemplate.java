package sc.fiji.ncc.command.input;

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
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.Size;

/**
 * A template with its name and weights. In an image with a selection, the bounds of the selection are the template. A selection that is not a rectangle
 * is a mask: pixels outside it have weight 0.
 *
 * @param name name for tables and messages
 * @param pixels pixels of the template, in two or three dimensions
 * @param weights weights of the pixels, in the shape of {@code pixels}; null if all pixels count alike
 * @param selected whether the template is the selection in the searched image
 */
public record NamedTemplate(String name, RandomAccessibleInterval<?> pixels, RandomAccessibleInterval<?> weights, boolean selected) {

	/** A template from another image: all its planes, cut to its selection if there is one. */
	public static NamedTemplate of(final ImageInput image) {
		final String name = image.name();
		final RandomAccessibleInterval<?> pixels = image.pixels();
		return image.selection().map(s -> cut(name, pixels, s, false)).orElseGet(() -> new NamedTemplate(name, pixels, null, false));
	}

	/** A template from the selection in an image, in the plane that is shown. */
	public static NamedTemplate selected(final RandomAccessibleInterval<?> image, final Selection selection) {
		RandomAccessibleInterval<?> plane = image;
		for (int d = image.numDimensions() - 1; d >= 2; d--) {
			final int along = d;
			plane = JointImage.view(plane, p -> Views.hyperSlice(p, along, image.min(along) + selection.plane()[along - 2]));
		}
		return cut("selection", plane, selection, true);
	}

	/** A template from a region of an image. A region of all planes is cut from the plane that is shown. */
	public static NamedTemplate of(final Region region, final ImageInput image) {
		final Selection area = region.area();
		final long[] plane = area.plane().clone(), shown = image.shown();
		for (int d = 0; d < plane.length; d++) if (plane[d] < 0) plane[d] = shown[d];
		final NamedTemplate cut = selected(image.pixels(), new Selection(area.x(), area.y(), area.width(), area.height(), area.mask(), plane));
		return new NamedTemplate(region.name(), cut.pixels, cut.weights, true);
	}

	/** A template from a region of a plane. */
	public static NamedTemplate of(final Region region, final RandomAccessibleInterval<?> plane) {
		return cut(region.name(), plane, region.area(), true);
	}

	private static NamedTemplate cut(final String name, final RandomAccessibleInterval<?> image, final Selection s, final boolean selected) {
		final long[] min = image.minAsLongArray(), size = image.dimensionsAsLongArray();
		min[0] += s.x();
		min[1] += s.y();
		size[0] = s.width();
		size[1] = s.height();
		final RandomAccessibleInterval<?> pixels = JointImage.view(image, i -> Views.zeroMin(Views.offsetInterval(i, min, size)));
		RandomAccessibleInterval<?> mask = s.mask() == null ? null : ArrayImgs.unsignedBytes(s.mask(), s.width(), s.height());
		for (int d = 2; mask != null && d < size.length; d++) mask = repeated(mask, size[d]);
		return new NamedTemplate(name, pixels, mask, selected);
	}

	/**
	 * The same template with the pixel values of another image as weights. Pixels outside the selection keep weight 0.
	 *
	 * @throws IllegalArgumentException if the image of weights has another size than the template
	 */
	public NamedTemplate weighted(final NamedTemplate image) {
		if (!Intervals.equalDimensions(image.pixels, pixels)) throw new IllegalArgumentException("The image of weights '" + image.name + "' is "
			+ Size.of(image.pixels.dimensionsAsLongArray()) + ", and the template '" + name + "' is " + Size.of(pixels.dimensionsAsLongArray())
			+ ". They must have the same size.");
		return new NamedTemplate(name, pixels, within(weights, within(image.weights, image.pixels)), selected);
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
