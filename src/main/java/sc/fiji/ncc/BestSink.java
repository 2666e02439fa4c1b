package sc.fiji.ncc;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.Precision;

/**
 * Keeps the greatest response of each lag of a box, and by which template it is. A box is gathered apart and merged into the images when all of
 * it has come: one that failed leaves nothing behind. Of equal responses the first template's counts.
 */
final class BestSink implements BoxSink {

	private static final int LOCKS = 64;

	private final Precision precision;
	private final RandomAccessibleInterval<? extends RealType<?>> score;
	private final RandomAccessibleInterval<? extends IntegerType<?>> which;
	private final int[] numbers;
	/** Held while a box is merged: templates of another size go through on their own, and may end the same lags at the same time. */
	private final Object merging;
	private final long[] place;
	private final int[] size;
	private final Object[] locks = new Object[LOCKS];
	/** Of the box: the greatest so far, NaN where there is none, and the template's place in {@link #numbers}. */
	private Buffer greatest;
	private int[] by;

	/**
	 * @param precision of the responses
	 * @param score one frame of the scores, its first pixel at zero; NaN where there is none so far
	 * @param which the same frame of the templates' numbers
	 * @param numbers of the templates, as they are to be written, ascending
	 * @param merging one for all sinks of these images
	 * @param place where the box's first lag lies in the frame
	 * @param size of the box
	 */
	BestSink(final Precision precision, final RandomAccessibleInterval<? extends RealType<?>> score, final RandomAccessibleInterval<? extends IntegerType<?>> which,
		final int[] numbers, final Object merging, final long[] place, final int[] size)
	{
		this.precision = precision;
		this.score = score;
		this.which = which;
		this.numbers = numbers;
		this.merging = merging;
		this.place = place;
		this.size = size;
		Arrays.setAll(locks, i -> new Object());
	}

	/** So that what is undefined is told from what is 0. */
	@Override
	public float undefined() {
		return Float.NaN;
	}

	@Override
	public void begin() {
		int n = 1;
		for (final int extent : size) n = Math.multiplyExact(n, extent);
		if (greatest == null) {
			greatest = precision.allocate(n);
			by = new int[n];
		}
		Buffers.fill(greatest, Float.NaN);
	}

	@Override
	public void map(final int template, final long[] min, final int[] part, final Buffer from) {
		final boolean single = precision == Precision.SINGLE;
		final Buffer row = precision.allocate(part[0]);
		final int rows = rows(part);
		for (int r = 0; r < rows; r++) {
			Buffers.copy(from, from.position() + r * part[0], row, 0, part[0]);
			int line = 0;
			for (int d = 1, rest = r, stride = 1; d < part.length; d++) {
				line += ((int) min[d] + rest % part[d]) * stride;
				rest /= part[d];
				stride *= size[d];
			}
			// tiles of templates of another size may hold the same lags
			synchronized (locks[line % LOCKS]) {
				if (single) merge(((FloatBuffer) row).array(), ((FloatBuffer) greatest).array(), line * size[0] + (int) min[0], template);
				else merge(((DoubleBuffer) row).array(), ((DoubleBuffer) greatest).array(), line * size[0] + (int) min[0], template);
			}
		}
	}

	/** From an execution that has compared the templates of this box. */
	@Override
	public void best(final long[] min, final int[] part, final FloatBuffer scores, final ShortBuffer which) {
		final float[] row = new float[part[0]];
		final int rows = rows(part);
		for (int r = 0; r < rows; r++) {
			scores.get(scores.position() + r * part[0], row);
			int at = 0;
			for (int d = 1, rest = r, stride = 1; d < part.length; d++) {
				at += ((int) min[d] + rest % part[d]) * stride;
				rest /= part[d];
				stride *= size[d];
			}
			at = at * size[0] + (int) min[0];
			((FloatBuffer) greatest).put(at, row);
			for (int x = 0; x < row.length; x++) by[at + x] = which.get(which.position() + r * part[0] + x) & 0xffff;
		}
	}

	private static int rows(final int[] size) {
		int rows = 1;
		for (int d = 1; d < size.length; d++) rows *= size[d];
		return rows;
	}

	private void merge(final float[] row, final float[] greatest, final int o, final int template) {
		for (int x = 0; x < row.length; x++) {
			final float r = row[x], g = greatest[o + x];
			if (r > g || r == r && (g != g || r == g && template < by[o + x])) {
				greatest[o + x] = r;
				by[o + x] = template;
			}
		}
	}

	private void merge(final double[] row, final double[] greatest, final int o, final int template) {
		for (int x = 0; x < row.length; x++) {
			final double r = row[x], g = greatest[o + x];
			if (r > g || r == r && (g != g || r == g && template < by[o + x])) {
				greatest[o + x] = r;
				by[o + x] = template;
			}
		}
	}

	@Override
	public void end() {
		synchronized (merging) {
			merge();
		}
		greatest = null;
		by = null;
	}

	private void merge() {
		final RandomAccess<? extends RealType<?>> s = score.randomAccess();
		final RandomAccess<? extends IntegerType<?>> w = which.randomAccess();
		final long[] at = new long[size.length];
		final int rows = rows(size);
		for (int row = 0, i = 0; row < rows; row++) {
			for (int d = 0, rest = row; d < at.length; d++) {
				at[d] = place[d];
				if (d == 0) continue;
				at[d] += rest % size[d];
				rest /= size[d];
			}
			s.setPosition(at);
			w.setPosition(at);
			for (int x = 0; x < size[0]; x++, i++) {
				final double r = Buffers.value(greatest, false, i), g = s.get().getRealDouble();
				if (r > g || r == r && (g != g || r == g && numbers[by[i]] < w.get().getIntegerLong())) {
					s.get().setReal(r);
					w.get().setInteger(numbers[by[i]]);
				}
				s.fwd(0);
				w.fwd(0);
			}
		}
	}
}
