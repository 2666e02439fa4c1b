package sc.fiji.ncc;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.Arrays;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.real.FloatType;

/**
 * Keeps the greatest response of each lag of a box, and by which template it is. A box is gathered apart and merged into the images when all of
 * it has come: one that failed leaves nothing behind. Of equal responses the first template's counts.
 */
final class BestSink implements BoxSink {

	private static final int LOCKS = 64;

	private final RandomAccessibleInterval<FloatType> score;
	private final RandomAccessibleInterval<? extends IntegerType<?>> which;
	private final int[] numbers;
	private final long[] place;
	private final int[] size;
	private final Object[] locks = new Object[LOCKS];
	/** Of the box: the greatest so far, NaN where there is none, and the template's place in {@link #numbers}. */
	private float[] greatest;
	private int[] by;

	/**
	 * @param score one frame of the scores, its first pixel at zero; NaN where there is none so far
	 * @param which the same frame of the templates' numbers
	 * @param numbers of the templates, as they are to be written, ascending
	 * @param place where the box's first lag lies in the frame
	 * @param size of the box
	 */
	BestSink(final RandomAccessibleInterval<FloatType> score, final RandomAccessibleInterval<? extends IntegerType<?>> which, final int[] numbers,
		final long[] place, final int[] size)
	{
		this.score = score;
		this.which = which;
		this.numbers = numbers;
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
			greatest = new float[n];
			by = new int[n];
		}
		Arrays.fill(greatest, Float.NaN);
	}

	@Override
	public void map(final int template, final long[] min, final int[] part, final Buffer from) {
		final FloatBuffer responses = ((FloatBuffer) from).duplicate();
		final float[] row = new float[part[0]];
		final int rows = rows(part);
		for (int r = 0; r < rows; r++) {
			responses.get(row);
			int line = 0;
			for (int d = 1, rest = r, stride = 1; d < part.length; d++) {
				line += ((int) min[d] + rest % part[d]) * stride;
				rest /= part[d];
				stride *= size[d];
			}
			// tiles of templates of another size may hold the same lags
			synchronized (locks[line % LOCKS]) {
				merge(row, line * size[0] + (int) min[0], template);
			}
		}
	}

	private static int rows(final int[] size) {
		int rows = 1;
		for (int d = 1; d < size.length; d++) rows *= size[d];
		return rows;
	}

	private void merge(final float[] row, final int o, final int template) {
		for (int x = 0; x < row.length; x++) {
			final float r = row[x], g = greatest[o + x];
			if (r > g || r == r && (g != g || r == g && template < by[o + x])) {
				greatest[o + x] = r;
				by[o + x] = template;
			}
		}
	}

	@Override
	public void end() {
		final RandomAccess<FloatType> s = score.randomAccess();
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
				final float r = greatest[i], g = s.get().get();
				if (r > g || r == r && (g != g || r == g && numbers[by[i]] < w.get().getIntegerLong())) {
					s.get().set(r);
					w.get().setInteger(numbers[by[i]]);
				}
				s.fwd(0);
				w.fwd(0);
			}
		}
		greatest = null;
		by = null;
	}
}
