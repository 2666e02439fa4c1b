package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

/** What java.nio has for each type of buffer, for any. */
public final class Buffers {

	private Buffers() {}

	/** All of {@code from} to {@code to}, from its position on; both positions stay. The two are of one type. */
	public static void copy(final Buffer from, final Buffer to) {
		final Buffer f = from.duplicate(), t = to.duplicate();
		if (f instanceof ByteBuffer) ((ByteBuffer) t).put((ByteBuffer) f);
		else if (f instanceof ShortBuffer) ((ShortBuffer) t).put((ShortBuffer) f);
		else if (f instanceof IntBuffer) ((IntBuffer) t).put((IntBuffer) f);
		else if (f instanceof FloatBuffer) ((FloatBuffer) t).put((FloatBuffer) f);
		else ((DoubleBuffer) t).put((DoubleBuffer) f);
	}

	/** {@code n} responses, Float- or DoubleBuffers both, from place {@code o} of one to place {@code p} of the other, whatever their positions. */
	public static void copy(final Buffer from, final int o, final Buffer to, final int p, final int n) {
		if (from instanceof FloatBuffer) ((FloatBuffer) to).put(p, (FloatBuffer) from, o, n);
		else ((DoubleBuffer) to).put(p, (DoubleBuffer) from, o, n);
	}

	/** Makes all responses of a heap buffer of floats or doubles, from 0 to its capacity, {@code value}. */
	public static void fill(final Buffer to, final float value) {
		if (to instanceof FloatBuffer) Arrays.fill(((FloatBuffer) to).array(), value);
		else Arrays.fill(((DoubleBuffer) to).array(), value);
	}

	/** Value {@code i} of raw pixels, as a number. */
	public static double value(final Buffer raw, final boolean unsigned, final int i) {
		if (raw instanceof ByteBuffer) return unsigned ? ((ByteBuffer) raw).get(i) & 0xff : ((ByteBuffer) raw).get(i);
		if (raw instanceof ShortBuffer) return unsigned ? ((ShortBuffer) raw).get(i) & 0xffff : ((ShortBuffer) raw).get(i);
		if (raw instanceof IntBuffer) return unsigned ? ((IntBuffer) raw).get(i) & 0xffffffffL : ((IntBuffer) raw).get(i);
		if (raw instanceof FloatBuffer) return ((FloatBuffer) raw).get(i);
		return ((DoubleBuffer) raw).get(i);
	}
}
