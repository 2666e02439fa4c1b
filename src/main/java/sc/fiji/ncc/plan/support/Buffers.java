package sc.fiji.ncc.plan.support;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

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

	/** Copies {@code n} responses from index {@code fromIndex} to index {@code toIndex}; positions are ignored. Both are Float- or both DoubleBuffers. */
	public static void copy(final Buffer from, final int fromIndex, final Buffer to, final int toIndex, final int n) {
		if (from instanceof FloatBuffer) ((FloatBuffer) to).put(toIndex, (FloatBuffer) from, fromIndex, n);
		else ((DoubleBuffer) to).put(toIndex, (DoubleBuffer) from, fromIndex, n);
	}

	/** Fills a heap buffer of floats or doubles, from index 0 to its capacity, with {@code value}. */
	public static void fill(final Buffer to, final float value) {
		if (to instanceof FloatBuffer) Arrays.fill(((FloatBuffer) to).array(), value);
		else Arrays.fill(((DoubleBuffer) to).array(), value);
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
