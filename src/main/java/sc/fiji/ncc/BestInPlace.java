package sc.fiji.ncc;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the greatest response of each lag of a box, and by which template it is, where the result lies: for boxes of which nobody else writes the same lags,
 * so that one that is done again begins anew. Of equal responses the first template's counts.
 */
final class BestInPlace implements BoxSink {

	private static final int LOCKS = 64;

	private final float[] score;
	/** Unsigned. */
	private final Buffer which;
	private final int[] numbers;
	/** Where lag 0 lies in the arrays, and how far lines, planes and so on lie apart. */
	private final int offset;
	private final int[] strides, size;
	private final float undefined;
	private final AtomicBoolean merged;
	private final Object[] locks = new Object[LOCKS];
	private boolean cleared;

	/**
	 * @param score in raster order
	 * @param which the templates' numbers, in raster order: a heap buffer of bytes, shorts or ints
	 * @param numbers of the templates, as they are to be written, ascending
	 * @param offset where the box's first lag lies in both
	 * @param strides how far neighbours along each dimension lie apart, 1 along x
	 * @param size of the box
	 * @param undefined what is to be read where all templates are undefined
	 * @param merged set where that reads NaN so far, since some templates' responses may be yet to come
	 */
	BestInPlace(final float[] score, final Buffer which, final int[] numbers, final int offset, final int[] strides, final int[] size, final float undefined,
		final AtomicBoolean merged)
	{
		this.score = score;
		this.which = which;
		this.numbers = numbers;
		this.offset = offset;
		this.strides = strides;
		this.size = size;
		this.undefined = undefined;
		this.merged = merged;
		Arrays.setAll(locks, i -> new Object());
	}

	/** So that what is undefined is told from what is 0. */
	@Override
	public float undefined() {
		return Float.NaN;
	}

	@Override
	public synchronized void begin() {
		cleared = false;
	}

	@Override
	public void end() {}

	/** Where a row of a part of the box lies. */
	private int at(final long[] min, final int[] part, final int row) {
		int at = offset + (int) min[0];
		for (int d = 1, rest = row; d < part.length; d++) {
			at += ((int) min[d] + rest % part[d]) * strides[d];
			rest /= part[d];
		}
		return at;
	}

	private static int rows(final int[] part) {
		int rows = 1;
		for (int d = 1; d < part.length; d++) rows *= part[d];
		return rows;
	}

	private synchronized void clear() {
		if (cleared) return;
		final long[] zero = new long[size.length];
		for (int row = 0; row < rows(size); row++) {
			final int at = at(zero, size, row);
			Arrays.fill(score, at, at + size[0], Float.NaN);
			fill(at, size[0], 0);
		}
		merged.set(true);
		cleared = true;
	}

	private void fill(final int at, final int n, final int number) {
		if (which instanceof ByteBuffer) Arrays.fill(((ByteBuffer) which).array(), at, at + n, (byte) number);
		else if (which instanceof ShortBuffer) Arrays.fill(((ShortBuffer) which).array(), at, at + n, (short) number);
		else Arrays.fill(((IntBuffer) which).array(), at, at + n, number);
	}

	private void set(final int at, final int number) {
		if (which instanceof ByteBuffer) ((ByteBuffer) which).put(at, (byte) number);
		else if (which instanceof ShortBuffer) ((ShortBuffer) which).put(at, (short) number);
		else ((IntBuffer) which).put(at, number);
	}

	private int number(final int at) {
		if (which instanceof ByteBuffer) return ((ByteBuffer) which).get(at) & 0xff;
		return which instanceof ShortBuffer ? ((ShortBuffer) which).get(at) & 0xffff : ((IntBuffer) which).get(at);
	}

	@Override
	public void map(final int template, final long[] min, final int[] part, final Buffer from) {
		clear();
		final float[] row = new float[part[0]];
		final int number = numbers[template], first = from.position();
		for (int r = 0; r < rows(part); r++) {
			((FloatBuffer) from).get(first + r * part[0], row);
			final int o = at(min, part, r);
			// tiles of templates of another size may hold the same lags
			synchronized (locks[Math.floorMod(o - (int) min[0], LOCKS)]) {
				for (int x = 0; x < row.length; x++) {
					final float v = row[x], g = score[o + x];
					if (v > g || v == v && (g != g || v == g && number < number(o + x))) {
						score[o + x] = v;
						set(o + x, number);
					}
				}
			}
		}
	}

	@Override
	public void best(final long[] min, final int[] part, final FloatBuffer greatest, final ShortBuffer by) {
		final short[] row = new short[part[0]];
		for (int r = 0; r < rows(part); r++) {
			final int o = at(min, part, r);
			greatest.get(greatest.position() + r * part[0], score, o, part[0]);
			by.get(by.position() + r * part[0], row);
			if (which instanceof ByteBuffer) number(row, ((ByteBuffer) which).array(), o);
			else if (which instanceof ShortBuffer) number(row, ((ShortBuffer) which).array(), o);
			else number(row, ((IntBuffer) which).array(), o);
		}
	}

	private void number(final short[] row, final byte[] to, final int o) {
		for (int x = 0, i = o; x < row.length; x++, i++) {
			final boolean defined = score[i] == score[i];
			to[i] = defined ? (byte) numbers[row[x] & 0xffff] : 0;
			if (!defined) score[i] = undefined;
		}
	}

	private void number(final short[] row, final short[] to, final int o) {
		for (int x = 0, i = o; x < row.length; x++, i++) {
			final boolean defined = score[i] == score[i];
			to[i] = defined ? (short) numbers[row[x] & 0xffff] : 0;
			if (!defined) score[i] = undefined;
		}
	}

	private void number(final short[] row, final int[] to, final int o) {
		for (int x = 0, i = o; x < row.length; x++, i++) {
			final boolean defined = score[i] == score[i];
			to[i] = defined ? numbers[row[x] & 0xffff] : 0;
			if (!defined) score[i] = undefined;
		}
	}
}
