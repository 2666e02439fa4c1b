package sc.fiji.ncc.command.imagej;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

/** Copies planes of an image to arrays as ImageJ 1.x has them: bytes, shorts or floats. */
final class PlaneReader {

	private final RandomAccessibleInterval<? extends RealType<?>> image;
	private final int pixels;

	PlaneReader(final RandomAccessibleInterval<? extends RealType<?>> image) {
		this.image = Views.zeroMin(image);
		pixels = Math.toIntExact(image.dimension(0) * image.dimension(1));
	}

	/** @return the bits of a pixel */
	int bits() {
		return image.getType() instanceof UnsignedByteType ? 8 : image.getType() instanceof UnsignedShortType ? 16 : 32;
	}

	long planeBytes() {
		return (long) pixels * bits() / 8;
	}

	/** @param index the number of the plane, from 0, lower dimensions first */
	Object read(final int index) {
		RandomAccessibleInterval<? extends RealType<?>> plane = image;
		long rest = index;
		while (plane.numDimensions() > 2) {
			final long count = plane.dimension(2);
			plane = Views.hyperSlice(plane, 2, rest % count);
			rest /= count;
		}
		final Cursor<? extends RealType<?>> c = Views.flatIterable(plane).cursor();
		switch (bits()) {
			case 8: {
				final byte[] to = new byte[pixels];
				for (int i = 0; i < pixels; i++) to[i] = (byte) (int) c.next().getRealDouble();
				return to;
			}
			case 16: {
				final short[] to = new short[pixels];
				for (int i = 0; i < pixels; i++) to[i] = (short) (int) c.next().getRealDouble();
				return to;
			}
			default: {
				final float[] to = new float[pixels];
				for (int i = 0; i < pixels; i++) to[i] = c.next().getRealFloat();
				return to;
			}
		}
	}
}
