package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;

/** Copies pixels of one type between arrays and buffers, in any combination. */
final class PixelCopies {

	private PixelCopies() {}

	/** Copies {@code n} pixels from index {@code o} of an array or buffer to index {@code t} of another, or of the same if the ranges do not overlap. */
	static void copy(final Object from, final int o, final Object to, final int t, final int n) {
		if (!(from instanceof Buffer) && !(to instanceof Buffer)) System.arraycopy(from, o, to, t, n);
		else if (from instanceof byte[] || from instanceof ByteBuffer) bytes(from, o, to, t, n);
		else if (from instanceof short[] || from instanceof ShortBuffer) shorts(from, o, to, t, n);
		else if (from instanceof int[] || from instanceof IntBuffer) ints(from, o, to, t, n);
		else if (from instanceof float[] || from instanceof FloatBuffer) floats(from, o, to, t, n);
		else doubles(from, o, to, t, n);
	}

	static boolean hasNativeOrder(final Buffer b) {
		final ByteOrder nativeOrder = ByteOrder.nativeOrder();
		if (b instanceof ShortBuffer) return ((ShortBuffer) b).order() == nativeOrder;
		if (b instanceof IntBuffer) return ((IntBuffer) b).order() == nativeOrder;
		if (b instanceof FloatBuffer) return ((FloatBuffer) b).order() == nativeOrder;
		return b instanceof ByteBuffer || ((DoubleBuffer) b).order() == nativeOrder;
	}

	private static void bytes(final Object from, final int o, final Object to, final int t, final int n) {
		if (!(to instanceof ByteBuffer)) ((ByteBuffer) from).get(o, (byte[]) to, t, n);
		else if (from instanceof byte[]) ((ByteBuffer) to).put(t, (byte[]) from, o, n);
		else ((ByteBuffer) to).put(t, (ByteBuffer) from, o, n);
	}

	private static void shorts(final Object from, final int o, final Object to, final int t, final int n) {
		if (!(to instanceof ShortBuffer)) ((ShortBuffer) from).get(o, (short[]) to, t, n);
		else if (from instanceof short[]) ((ShortBuffer) to).put(t, (short[]) from, o, n);
		else ((ShortBuffer) to).put(t, (ShortBuffer) from, o, n);
	}

	private static void ints(final Object from, final int o, final Object to, final int t, final int n) {
		if (!(to instanceof IntBuffer)) ((IntBuffer) from).get(o, (int[]) to, t, n);
		else if (from instanceof int[]) ((IntBuffer) to).put(t, (int[]) from, o, n);
		else ((IntBuffer) to).put(t, (IntBuffer) from, o, n);
	}

	private static void floats(final Object from, final int o, final Object to, final int t, final int n) {
		if (!(to instanceof FloatBuffer)) ((FloatBuffer) from).get(o, (float[]) to, t, n);
		else if (from instanceof float[]) ((FloatBuffer) to).put(t, (float[]) from, o, n);
		else ((FloatBuffer) to).put(t, (FloatBuffer) from, o, n);
	}

	private static void doubles(final Object from, final int o, final Object to, final int t, final int n) {
		if (!(to instanceof DoubleBuffer)) ((DoubleBuffer) from).get(o, (double[]) to, t, n);
		else if (from instanceof double[]) ((DoubleBuffer) to).put(t, (double[]) from, o, n);
		else ((DoubleBuffer) to).put(t, (DoubleBuffer) from, o, n);
	}
}
