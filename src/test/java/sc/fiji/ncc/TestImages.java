package sc.fiji.ncc;

import java.util.Arrays;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgFactory;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import sc.fiji.ncc.plan.PixelType;

/** Between arrays, x fastest, and ImgLib2 images. */
final class TestImages {

	private TestImages() {}

	static Img<?> image(final PixelType type, final int[] size, final double[] values) {
		switch (type) {
			case U8: return image(new UnsignedByteType(), size, values);
			case S8: return image(new ByteType(), size, values);
			case U16: return image(new UnsignedShortType(), size, values);
			case S16: return image(new ShortType(), size, values);
			case U32: return image(new UnsignedIntType(), size, values);
			case S32: return image(new IntType(), size, values);
			case F32: return image(new FloatType(), size, values);
			default: return image(new DoubleType(), size, values);
		}
	}

	static <T extends RealType<T> & NativeType<T>> Img<T> image(final T type, final int[] size, final double[] values) {
		return image(new ArrayImgFactory<>(type), size, values);
	}

	static <T extends RealType<T>> Img<T> image(final ImgFactory<T> factory, final int[] size, final double[] values) {
		final Img<T> img = factory.create(longs(size));
		final Cursor<T> cursor = Views.flatIterable(img).cursor();
		for (final double v : values) cursor.next().setReal(v);
		return img;
	}

	static double[] values(final RandomAccessibleInterval<?> image) {
		@SuppressWarnings({ "unchecked", "rawtypes" })
		final RandomAccessibleInterval<? extends RealType<?>> real = (RandomAccessibleInterval) image;
		final double[] values = new double[(int) Views.iterable(real).size()];
		int i = 0;
		for (final RealType<?> v : Views.flatIterable(real)) values[i++] = v.getRealDouble();
		return values;
	}

	static int[] size(final RandomAccessibleInterval<?> image) {
		return Arrays.stream(image.dimensionsAsLongArray()).mapToInt(Math::toIntExact).toArray();
	}

	static long[] longs(final int[] a) {
		return Arrays.stream(a).asLongStream().toArray();
	}
}
