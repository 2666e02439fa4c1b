package sc.fiji.ncc.plan.support;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.ResponseType;

/** Operations on {@link Buffer}s of any primitive type. */
public final class Buffers {

	private Buffers() {}

	/** Copies the remaining values of {@code from} to the position of {@code to}. Both positions stay. Both buffers have the same type. */
	public static void copy(final Buffer from, final Buffer to) {
		final Buffer f = from.duplicate(), t = to.duplicate();
		if (f instanceof ByteBuffer) ((ByteBuffer) t).put((ByteBuffer) f);
		else if (f instanceof ShortBuffer) ((ShortBuffer) t).put((ShortBuffer) f);
		else if (f instanceof IntBuffer) ((IntBuffer) t).put((IntBuffer) f);
		else if (f instanceof FloatBuffer) ((FloatBuffer) t).put((FloatBuffer) f);
		else ((DoubleBuffer) t).put((DoubleBuffer) f);
	}

	/** The values of an array of bytes, shorts, ints, floats or doubles. */
	public static Buffer of(final Object array) {
		if (array instanceof byte[]) return ByteBuffer.wrap((byte[]) array);
		if (array instanceof short[]) return ShortBuffer.wrap((short[]) array);
		if (array instanceof int[]) return IntBuffer.wrap((int[]) array);
		return array instanceof float[] ? FloatBuffer.wrap((float[]) array) : DoubleBuffer.wrap((double[]) array);
	}

	/**
	 * Copies {@code n} responses from index {@code fromIndex} to index {@code toIndex}; positions are ignored. Both buffers have the same type, or
	 * floats become the numbers of a quantized {@link ResponseType}.
	 */
	public static void copy(final Buffer from, final int fromIndex, final Buffer to, final int toIndex, final int n) {
		if (from instanceof FloatBuffer && !(to instanceof FloatBuffer)) quantized(to).quantize((FloatBuffer) from, fromIndex, to, toIndex, n);
		else if (from instanceof FloatBuffer) ((FloatBuffer) to).put(toIndex, (FloatBuffer) from, fromIndex, n);
		else if (from instanceof ShortBuffer) ((ShortBuffer) to).put(toIndex, (ShortBuffer) from, fromIndex, n);
		else if (from instanceof ByteBuffer) ((ByteBuffer) to).put(toIndex, (ByteBuffer) from, fromIndex, n);
		else ((DoubleBuffer) to).put(toIndex, (DoubleBuffer) from, fromIndex, n);
	}

	/** The type of quantized responses in a ShortBuffer or a ByteBuffer. */
	private static ResponseType quantized(final Buffer responses) {
		return responses instanceof ShortBuffer ? ResponseType.BITS_16 : ResponseType.BITS_8;
	}

	/** Bytes as pixels of a type. */
	public static Buffer view(final ByteBuffer bytes, final PixelType type) {
		switch (type) {
			case U8: case S8: return bytes;
			case U16: case S16: return bytes.asShortBuffer();
			case U32: case S32: return bytes.asIntBuffer();
			case F32: return bytes.asFloatBuffer();
			default: return bytes.asDoubleBuffer();
		}
	}

	/** Fills a heap buffer of floats, doubles or quantized responses, from index 0 to its capacity, with {@code value}. */
	public static void fill(final Buffer to, final float value) {
		if (to instanceof ShortBuffer) Arrays.fill(((ShortBuffer) to).array(), (short) quantized(to).quantize(value));
		else if (to instanceof ByteBuffer) Arrays.fill(((ByteBuffer) to).array(), (byte) quantized(to).quantize(value));
		else if (to instanceof FloatBuffer) Arrays.fill(((FloatBuffer) to).array(), value);
		else Arrays.fill(((DoubleBuffer) to).array(), value);
	}

	/** Stores values as pixels: integers are rounded, and clipped to the range of the type. Changes the values. Values of integers must not be NaN. */
	public static void narrow(final double[] values, final PixelType type, final Object to, final int at) {
		final int n = values.length;
		if (to instanceof double[]) {
			System.arraycopy(values, 0, (double[]) to, at, n);
			return;
		}
		if (to instanceof float[]) {
			final float[] a = (float[]) to;
			for (int i = 0; i < n; i++) a[at + i] = (float) values[i];
			return;
		}
		final double min = type.min, max = type.max;
		for (int i = 0; i < n; i++) values[i] = Math.rint(Math.max(min, Math.min(max, values[i])));
		if (to instanceof byte[]) {
			final byte[] a = (byte[]) to;
			for (int i = 0; i < n; i++) a[at + i] = (byte) (int) values[i];
		}
		else if (to instanceof short[]) {
			final short[] a = (short[]) to;
			for (int i = 0; i < n; i++) a[at + i] = (short) (int) values[i];
		}
		else {
			final int[] a = (int[]) to;
			for (int i = 0; i < n; i++) a[at + i] = (int) (long) values[i];
		}
	}

	/** Reads {@code n} raw pixels from index {@code at} on, in a heap buffer, as numbers. */
	public static void values(final Buffer pixels, final boolean unsigned, final int at, final double[] to, final int n) {
		if (pixels instanceof ByteBuffer) {
			final byte[] a = ((ByteBuffer) pixels).array();
			if (unsigned) for (int i = 0; i < n; i++) to[i] = a[at + i] & 0xff;
			else for (int i = 0; i < n; i++) to[i] = a[at + i];
		}
		else if (pixels instanceof ShortBuffer) {
			final short[] a = ((ShortBuffer) pixels).array();
			if (unsigned) for (int i = 0; i < n; i++) to[i] = a[at + i] & 0xffff;
			else for (int i = 0; i < n; i++) to[i] = a[at + i];
		}
		else if (pixels instanceof IntBuffer) {
			final int[] a = ((IntBuffer) pixels).array();
			if (unsigned) for (int i = 0; i < n; i++) to[i] = a[at + i] & 0xffffffffL;
			else for (int i = 0; i < n; i++) to[i] = a[at + i];
		}
		else if (pixels instanceof FloatBuffer) {
			final float[] a = ((FloatBuffer) pixels).array();
			for (int i = 0; i < n; i++) to[i] = a[at + i];
		}
		else System.arraycopy(((DoubleBuffer) pixels).array(), at, to, 0, n);
	}

	/** Reads {@code n} raw pixels of 8 or 16 bits from index {@code at} on, in a heap buffer, as floats at the same indices. Returns their sum. */
	public static double floats(final Buffer pixels, final boolean unsigned, final int at, final float[] to, final int n) {
		long sum = 0;
		if (pixels instanceof ByteBuffer) {
			final byte[] a = ((ByteBuffer) pixels).array();
			for (int i = at; i < at + n; i++) {
				final int value = unsigned ? a[i] & 0xff : a[i];
				to[i] = value;
				sum += value;
			}
		}
		else {
			final short[] a = ((ShortBuffer) pixels).array();
			for (int i = at; i < at + n; i++) {
				final int value = unsigned ? a[i] & 0xffff : a[i];
				to[i] = value;
				sum += value;
			}
		}
		return sum;
	}

	/** As {@link #values(Buffer, boolean, int, double[], int)}, of every {@code stride}th pixel. */
	public static void values(final Buffer pixels, final boolean unsigned, final int at, final int stride, final double[] to, final int n) {
		if (stride == 1) values(pixels, unsigned, at, to, n);
		else if (pixels instanceof ShortBuffer) {
			final short[] a = ((ShortBuffer) pixels).array();
			final int mask = unsigned ? 0xffff : -1;
			for (int i = 0, k = at; i < n; i++, k += stride) to[i] = a[k] & mask;
		}
		else for (int i = 0; i < n; i++) to[i] = value(pixels, unsigned, at + i * stride);
	}

	/** The pixel at index {@code i} of a buffer of raw pixels. */
	public static double value(final Buffer raw, final boolean unsigned, final int i) {
		if (raw instanceof ByteBuffer) return unsigned ? ((ByteBuffer) raw).get(i) & 0xff : ((ByteBuffer) raw).get(i);
		if (raw instanceof ShortBuffer) return unsigned ? ((ShortBuffer) raw).get(i) & 0xffff : ((ShortBuffer) raw).get(i);
		if (raw instanceof IntBuffer) return unsigned ? ((IntBuffer) raw).get(i) & 0xffffffffL : ((IntBuffer) raw).get(i);
		if (raw instanceof FloatBuffer) return ((FloatBuffer) raw).get(i);
		return ((DoubleBuffer) raw).get(i);
	}
}
