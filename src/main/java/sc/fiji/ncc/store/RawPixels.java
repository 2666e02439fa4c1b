package sc.fiji.ncc.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.support.Boxes;

/** Conversion between the bytes of a file and primitive arrays of pixels. */
public final class RawPixels {

	private RawPixels() {}

	/**
	 * Reads pixels into a primitive array of their type.
	 *
	 * @param bytes the bytes, from the position of the buffer, in its byte order; the buffer must have an array
	 */
	public static Object array(final ByteBuffer bytes, final PixelType type, final int pixels) {
		switch (type) {
			case U8: case S8: {
				if (bytes.array().length == pixels) return bytes.array();
				final byte[] v = new byte[pixels];
				bytes.duplicate().get(v);
				return v;
			}
			case U16: case S16: {
				final short[] v = new short[pixels];
				bytes.asShortBuffer().get(v);
				return v;
			}
			case U32: case S32: {
				final int[] v = new int[pixels];
				bytes.asIntBuffer().get(v);
				return v;
			}
			case F32: {
				final float[] v = new float[pixels];
				bytes.asFloatBuffer().get(v);
				return v;
			}
			default: {
				final double[] v = new double[pixels];
				bytes.asDoubleBuffer().get(v);
				return v;
			}
		}
	}

	/** An array of pixels of one value. */
	static Object filled(final PixelType type, final double value, final int pixels) {
		switch (type) {
			case U8: case S8: {
				final byte[] v = new byte[pixels];
				Arrays.fill(v, (byte) (long) value);
				return v;
			}
			case U16: case S16: {
				final short[] v = new short[pixels];
				Arrays.fill(v, (short) (long) value);
				return v;
			}
			case U32: case S32: {
				final int[] v = new int[pixels];
				Arrays.fill(v, (int) (long) value);
				return v;
			}
			case F32: {
				final float[] v = new float[pixels];
				Arrays.fill(v, (float) value);
				return v;
			}
			default: {
				final double[] v = new double[pixels];
				Arrays.fill(v, value);
				return v;
			}
		}
	}

	/**
	 * Cuts a block to its first pixels along each dimension.
	 *
	 * @param bytes the bytes of a block of size {@code from}, x fastest
	 * @param to the new size, not larger
	 * @return {@code bytes} itself if the sizes are equal
	 */
	static byte[] corner(final byte[] bytes, final int[] from, final int[] to, final int pixelBytes) {
		if (Arrays.equals(from, to)) return bytes;
		final int rows = Boxes.rows(to), n = to[0] * pixelBytes;
		final int[] strides = Boxes.strides(from);
		final long[] min = new long[to.length];
		final byte[] part = new byte[rows * n];
		for (int row = 0; row < rows; row++) System.arraycopy(bytes, Boxes.row(strides, min, to, row) * pixelBytes, part, row * n, n);
		return part;
	}

	static ByteBuffer wrap(final byte[] bytes, final ByteOrder order) {
		return ByteBuffer.wrap(bytes).order(order);
	}
}
