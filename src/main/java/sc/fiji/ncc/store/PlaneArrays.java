package sc.fiji.ncc.store;

import java.util.List;
import java.util.function.Function;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.basictypeaccess.array.ByteArray;
import net.imglib2.img.basictypeaccess.array.DoubleArray;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.img.basictypeaccess.array.IntArray;
import net.imglib2.img.basictypeaccess.array.ShortArray;
import net.imglib2.img.planar.PlanarImg;
import net.imglib2.type.NativeType;
import net.imglib2.type.NativeTypeFactory;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.plan.PixelType;

/** Images in memory whose planes are primitive arrays, which are shared, not copied. */
public final class PlaneArrays {

	private PlaneArrays() {}

	/** The type of pixels in ImgLib2, and what gives access to an array of them. */
	record Kind<T extends NativeType<T>, A extends ArrayDataAccess<A>>(T type, Function<Object, A> access) {

		static Kind<?, ?> of(final PixelType type) {
			switch (type) {
				case U8: return new Kind<>(new UnsignedByteType(), a -> new ByteArray((byte[]) a));
				case S8: return new Kind<>(new ByteType(), a -> new ByteArray((byte[]) a));
				case U16: return new Kind<>(new UnsignedShortType(), a -> new ShortArray((short[]) a));
				case S16: return new Kind<>(new ShortType(), a -> new ShortArray((short[]) a));
				case U32: return new Kind<>(new UnsignedIntType(), a -> new IntArray((int[]) a));
				case S32: return new Kind<>(new IntType(), a -> new IntArray((int[]) a));
				case F32: return new Kind<>(new FloatType(), a -> new FloatArray((float[]) a));
				default: return new Kind<>(new DoubleType(), a -> new DoubleArray((double[]) a));
			}
		}
	}

	/** @param planes arrays of the primitive type of {@link PixelType#allocate}, the lowest dimension after y first */
	public static Img<?> of(final List<?> planes, final PixelType type, final long[] size) {
		return image(planes, Kind.of(type), size);
	}

	/** The same for colours in arrays of {@code int}. */
	public static Img<?> ofColours(final List<?> planes, final long[] size) {
		return image(planes, new Kind<ARGBType, IntArray>(new ARGBType(), a -> new IntArray((int[]) a)), size);
	}

	private static <T extends NativeType<T>, A extends ArrayDataAccess<A>> Img<T> image(final List<?> planes, final Kind<T, A> kind,
		final long[] size) {
		@SuppressWarnings("unchecked") // the access is that of the type
		final NativeTypeFactory<T, ? super A> linked = (NativeTypeFactory<T, ? super A>) kind.type.getNativeTypeFactory();
		if (planes.size() == 1) {
			final ArrayImg<T, A> plane = new ArrayImg<>(kind.access.apply(planes.get(0)), size, kind.type.getEntitiesPerPixel());
			plane.setLinkedType(linked.createLinkedType(plane));
			return plane;
		}
		final PlanarImg<T, A> stack = new PlanarImg<>(planes.stream().map(kind.access).toList(), size, kind.type.getEntitiesPerPixel());
		stack.setLinkedType(linked.createLinkedType(stack));
		return stack;
	}
}
