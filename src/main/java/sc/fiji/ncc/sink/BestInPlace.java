package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * Keeps the greatest response of each lag of a box, and the number of its template, directly in the arrays of the result. Use it only if no other box
 * contains the same lags, so that a repeated box can overwrite its first attempt. Of equal responses the first template's counts.
 */
final class BestInPlace implements BoxSink {

	private static final int LOCKS = 64;

	private final float[] score;
	/** The templates' numbers; unsigned. */
	private final Buffer which;
	private final int[] numbers;
	/** Whether they are 1, 2, 3 and so on. */
	private final boolean consecutive;
	/** The index of lag 0 in the arrays; below, the distance between the indices of neighbouring rows, planes and so on. */
	private final int offset;
	private final int[] strides, size;
	private final float undefined;
	private final AtomicBoolean merged;
	private final Object[] locks = new Object[LOCKS];
	private boolean cleared;

	/**
	 * The place of a box in an array.
	 *
	 * @param offset the index of the box's first lag
	 * @param strides the distance between the indices of neighbours along each dimension; 1 along x
	 * @param size the extents of the box
	 */
	record Place(int offset, int[] strides, int[] size) {}

	/**
	 * @param score the scores in raster order
	 * @param which the templates' numbers in raster order: a heap buffer of bytes, shorts or ints
	 * @param numbers the numbers of the templates as they are written, ascending
	 * @param box where the box lies in both arrays
	 * @param undefined the value where all templates are undefined
	 * @param merged set if that value is NaN for the moment, because responses of other templates can follow
	 */
	BestInPlace(final float[] score, final Buffer which, final int[] numbers, final Place box, final float undefined,
		final AtomicBoolean merged) {
		this.score = score;
		this.which = which;
		this.numbers = numbers;
		offset = box.offset;
		strides = box.strides;
		size = box.size;
		this.undefined = undefined;
		this.merged = merged;
		consecutive = IntStream.range(0, numbers.length).allMatch(i -> numbers[i] == i + 1);
		Arrays.setAll(locks, i -> new Object());
	}

	/** NaN, to distinguish an undefined response from 0. */
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

	private synchronized void clear() {
		if (cleared) return;
		final long[] zero = new long[size.length];
		for (int row = 0; row < Boxes.rows(size); row++) {
			final int index = offset + Boxes.row(strides, zero, size, row);
			Arrays.fill(score, index, index + size[0], Float.NaN);
			fill(index, size[0], 0);
		}
		merged.set(true);
		cleared = true;
	}

	private void fill(final int index, final int n, final int number) {
		if (which instanceof ByteBuffer) Arrays.fill(((ByteBuffer) which).array(), index, index + n, (byte) number);
		else if (which instanceof ShortBuffer) Arrays.fill(((ShortBuffer) which).array(), index, index + n, (short) number);
		else Arrays.fill(((IntBuffer) which).array(), index, index + n, number);
	}

	private void set(final int index, final int number) {
		if (which instanceof ByteBuffer) ((ByteBuffer) which).put(index, (byte) number);
		else if (which instanceof ShortBuffer) ((ShortBuffer) which).put(index, (short) number);
		else ((IntBuffer) which).put(index, number);
	}

	@Override
	public void map(final int template, final long[] min, final int[] part, final Buffer from) {
		clear();
		final float[] row = new float[part[0]];
		final int number = numbers[template], first = from.position();
		for (int r = 0; r < Boxes.rows(part); r++) {
			((FloatBuffer) from).get(first + r * part[0], row);
			final int rowStart = offset + Boxes.row(strides, min, part, r);
			// tiles of templates of another size may contain the same lags
			synchronized (locks[Math.floorMod(rowStart - (int) min[0], LOCKS)]) {
				for (int x = 0; x < row.length; x++) {
					final float v = row[x], g = score[rowStart + x];
					if (v > g || v == v && (g != g || v == g && number < BestSink.unsigned(which, rowStart + x))) {
						score[rowStart + x] = v;
						set(rowStart + x, number);
					}
				}
			}
		}
	}

	@Override
	public float undefinedBest() {
		return undefined;
	}

	@Override
	public void best(final long[] min, final int[] part, final FloatBuffer greatest, final Buffer ordinals) {
		final boolean copies = consecutive && (which instanceof ByteBuffer ? ordinals instanceof ByteBuffer : which instanceof ShortBuffer
			&& ordinals instanceof ShortBuffer);
		for (int r = 0; r < Boxes.rows(part); r++) {
			final int rowStart = offset + Boxes.row(strides, min, part, r), from = ordinals.position() + r * part[0];
			greatest.get(greatest.position() + r * part[0], score, rowStart, part[0]);
			if (copies) Buffers.copy(ordinals, from, which, rowStart, part[0]);
			else for (int x = 0; x < part[0]; x++) {
				final int ordinal = BestSink.unsigned(ordinals, from + x);
				set(rowStart + x, ordinal == 0 ? 0 : numbers[ordinal - 1]);
			}
		}
	}
}
