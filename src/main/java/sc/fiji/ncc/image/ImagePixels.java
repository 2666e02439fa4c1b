package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;

import net.imglib2.Interval;
import net.imglib2.RandomAccessible;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.blocks.PrimitiveBlocks;
import net.imglib2.converter.Converters;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.type.NativeType;
import net.imglib2.type.Type;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Util;
import net.imglib2.view.Views;

import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;

/**
 * An ImgLib2 image as {@link Pixels}. Pixels of the eight types of {@link PixelType} are copied unchanged, from arrays, planes, cells and views of them.
 * Smaller unsigned integers are converted to 8 or 16 bits. All other types are converted to double.
 */
public final class ImagePixels implements Pixels {

	private final PixelType type;
	/** Exactly one of the two is set. */
	private final ArrayBlocks array;
	private final PrimitiveBlocks<?> blocks;
	private final long[] origin, size;
	/** Null if no pixel is missing. */
	private final Pixels mask;
	/** This object and the further channels. */
	private List<ImagePixels> channels = List.of(this);

	private ImagePixels(final PixelType type, final ArrayBlocks array, final PrimitiveBlocks<?> blocks, final long[] origin,
		final long[] size, final Pixels mask)
	{
		this.mask = mask;
		this.type = type;
		this.array = array;
		this.blocks = blocks;
		this.origin = origin;
		this.size = size;
	}

	/** The whole image. */
	public static ImagePixels of(final RandomAccessibleInterval<?> image) {
		return of(image, Border.UNDEFINED, image.minAsLongArray(), image.dimensionsAsLongArray());
	}

	/**
	 * A part of an image and of its border.
	 *
	 * @param border MIRROR, EDGE or CONSTANT; with another border the part must lie inside the image
	 * @param origin the position of the part's first pixel in the coordinates of the image
	 * @param size the extents of the part
	 * @throws IllegalArgumentException if the image's type cannot hold the constant
	 */
	public static ImagePixels of(final RandomAccessibleInterval<?> image, final Border border, final long[] origin, final long[] size) {
		final List<ImagePixels> channels = new ArrayList<>();
		for (final RandomAccessibleInterval<?> c : JointImage.channelsOf(image)) channels.add(typed(supported(c), border,
			origin.clone(), size.clone()));
		final ImagePixels first = channels.get(0);
		first.channels = channels;
		return first;
	}

	private static <T extends NativeType<T> & RealType<T>> ImagePixels typed(final RandomAccessibleInterval<?> supported,
		final Border border, final long[] origin, final long[] size)
	{
		@SuppressWarnings("unchecked")
		final RandomAccessibleInterval<T> image = (RandomAccessibleInterval<T>) supported;
		final ArrayBlocks array = ArrayBlocks.of(image, border, () -> constant(image, border));
		if (array != null) return new ImagePixels(type(image), array, null, origin, size, null);
		final RandomAccessible<T> source;
		switch (border.kind()) {
			case MIRROR: source = mirrored(image); break;
			case EDGE: source = Views.extendBorder(image); break;
			case CONSTANT: source = Views.extendValue(image, value(Util.getTypeFromInterval(image), border.value())); break;
			default: source = image;
		}
		return new ImagePixels(type(image), null, PrimitiveBlocks.of(source, PrimitiveBlocks.OnFallback.ACCEPT).threadSafe(),
			origin, size, null);
	}

	/** An array of the image's type that holds the constant of the border. */
	private static <T extends NativeType<T> & RealType<T>> Object constant(final RandomAccessibleInterval<T> image, final Border border) {
		final T value = value(Util.getTypeFromInterval(image), border.value());
		final ArrayImg<T, ?> onePixel = new ArrayImgFactory<>(value).create(1);
		onePixel.firstElement().set(value);
		return ((ArrayDataAccess<?>) onePixel.update(null)).getCurrentStorageArray();
	}

	private static <T extends Type<T>> RandomAccessible<T> mirrored(final RandomAccessibleInterval<T> image) {
		for (int d = 0; d < image.numDimensions() && image.numDimensions() > 1; d++)
			if (image.dimension(d) == 1) {
				// mirroring one pixel repeats it without end; ImgLib2 would divide by zero
				final int last = image.numDimensions() - 1;
				return Views.moveAxis(Views.addDimension(mirrored(Views.hyperSlice(image, d, image.min(d)))), last, d);
			}
		return Views.extendMirrorSingle(image);
	}

	private static <T extends RealType<T>> T value(final T type, final double value) {
		final T t = type.createVariable();
		t.setReal(value);
		// rounding is accepted for float only
		if (t instanceof FloatType ? !Double.isFinite(t.getRealDouble()) : t.getRealDouble() != value)
			throw new IllegalArgumentException("a pixel of " + type.getClass().getSimpleName() + " cannot hold the border's constant "
				+ value + ": choose another value, or convert the image");
		return t;
	}

	/** The same pixels, of which some are missing in all channels. */
	ImagePixels with(final Pixels otherMask) {
		final List<ImagePixels> masked = channels.stream()
			.map(c -> new ImagePixels(c.type, c.array, c.blocks, c.origin, c.size, otherMask)).toList();
		masked.get(0).channels = masked;
		return masked.get(0);
	}

	@Override
	public Pixels mask() {
		return mask;
	}

	@Override
	public PixelType type() {
		return type;
	}

	@Override
	public List<ImagePixels> channels() {
		return channels;
	}

	@Override
	public long[] size() {
		return size.clone();
	}

	@Override
	public boolean readsRowsFast() {
		return array != null;
	}

	@Override
	public void read(final long[] min, final int[] box, final Buffer to) {
		final long[] from = new long[min.length];
		for (int d = 0; d < min.length; d++) from[d] = origin[d] + min[d];
		if (array != null) {
			array.copy(from, to.hasArray() ? to.array() : to, to.hasArray() ? to.arrayOffset() + to.position() : to.position(), box);
			return;
		}
		if (to.hasArray() && to.arrayOffset() + to.position() == 0) {
			blocks.copy(from, to.array(), box);
			return;
		}
		final Buffer staging = type.allocate(Boxes.pixels(box));
		blocks.copy(from, staging.array(), box);
		Buffers.copy(staging, to);
	}

	@Override
	public Buffer memory() {
		return array == null ? null : array.memory(origin, size);
	}

	/** The type to which the image's pixels are converted when they are read. */
	public static PixelType type(final RandomAccessibleInterval<?> image) {
		final Object t = Util.getTypeFromInterval(supported(JointImage.channelsOf(image).get(0)));
		if (t instanceof UnsignedByteType) return PixelType.U8;
		if (t instanceof ByteType) return PixelType.S8;
		if (t instanceof UnsignedShortType) return PixelType.U16;
		if (t instanceof ShortType) return PixelType.S16;
		if (t instanceof UnsignedIntType) return PixelType.U32;
		if (t instanceof IntType) return PixelType.S32;
		return t instanceof FloatType ? PixelType.F32 : PixelType.F64;
	}

	/** The image itself if its type is one of the eight; otherwise a view that converts it to a type that holds all its values. */
	private static RandomAccessibleInterval<?> supported(final Interval interval) {
		final RandomAccessibleInterval<?> image = (RandomAccessibleInterval<?>) interval;
		final Object t = Util.getTypeFromInterval(image);
		if (t instanceof UnsignedByteType || t instanceof ByteType || t instanceof UnsignedShortType || t instanceof ShortType
			|| t instanceof UnsignedIntType || t instanceof IntType || t instanceof FloatType || t instanceof DoubleType) return image;
		if (!(t instanceof RealType)) throw new IllegalArgumentException(
			"cannot use pixels of " + t.getClass().getSimpleName()
			+ ", which are not real numbers: convert the image to 8-bit, 16-bit or 32-bit first");
		return converted(image);
	}

	private static <T extends RealType<T>> RandomAccessibleInterval<?> converted(final RandomAccessibleInterval<?> any) {
		@SuppressWarnings("unchecked")
		final RandomAccessibleInterval<T> image = (RandomAccessibleInterval<T>) any;
		final T t = Util.getTypeFromInterval(image);
		if (t instanceof IntegerType && t.getMinValue() >= 0 && t.getMaxValue() <= PixelType.U8.max)
			return Converters.convert(image, (in, out) -> out.setReal(in.getRealDouble()), new UnsignedByteType());
		if (t instanceof IntegerType && t.getMinValue() >= 0 && t.getMaxValue() <= PixelType.U16.max)
			return Converters.convert(image, (in, out) -> out.setReal(in.getRealDouble()), new UnsignedShortType());
		return Converters.convert(image, (in, out) -> out.setReal(in.getRealDouble()), new DoubleType());
	}
}
