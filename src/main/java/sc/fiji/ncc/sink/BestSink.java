package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Precision;

/**
 * Keeps the greatest response of each lag of a box, and the number of its template. A box is collected in a buffer, and merged into the images when it is
 * complete. So a box that fails leaves no responses in the images. Of equal responses the first template's counts.
 */
final class BestSink implements BoxSink {

	private static final int LOCKS = 64;

	private final Precision precision;
	private final RandomAccessibleInterval<? extends RealType<?>> score;
	private final RandomAccessibleInterval<? extends IntegerType<?>> which;
	private final int[] numbers;
	/** The lock while a box is merged: templates of another size run separately, and can finish the same lags at the same time. */
	private final Object merging;
	private final long[] place;
	private final int[] size, strides;
	private final Object[] locks = new Object[LOCKS];
	/** For each lag of the box: the greatest response so far, NaN if there is none, and the index in {@link #numbers} of its template. */
	private Buffer greatest;
	private int[] templates;

	/**
	 * @param precision the precision of the responses
	 * @param score one frame of the scores, its first pixel at zero; NaN where there is no response so far
	 * @param which the same frame of the templates' numbers
	 * @param numbers the numbers of the templates as they are written, ascending
	 * @param merging a lock that all sinks of these images share
	 * @param place the position of the box's first lag in the frame
	 * @param size the extents of the box
	 */
	BestSink(final Precision precision, final RandomAccessibleInterval<? extends RealType<?>> score,
		final RandomAccessibleInterval<? extends IntegerType<?>> which,
		final int[] numbers, final Object merging, final long[] place, final int[] size)
	{
		this.precision = precision;
		this.score = score;
		this.which = which;
		this.numbers = numbers;
		this.merging = merging;
		this.place = place;
		this.size = size;
		strides = Boxes.strides(size);
		Arrays.setAll(locks, i -> new Object());
	}

	/** NaN, to distinguish an undefined response from 0. */
	@Override
	public float undefined() {
		return Float.NaN;
	}

	@Override
	public void begin() {
		final int n = Boxes.pixels(size);
		if (greatest == null) {
			greatest = precision.allocate(n);
			templates = new int[n];
		}
		Buffers.fill(greatest, Float.NaN);
	}

	@Override
	public void map(final int template, final long[] min, final int[] part, final Buffer from) {
		final boolean single = precision == Precision.SINGLE;
		final Buffer row = precision.allocate(part[0]);
		for (int r = 0; r < Boxes.rows(part); r++) {
			Buffers.copy(from, from.position() + r * part[0], row, 0, part[0]);
			final int rowStart = Boxes.row(strides, min, part, r);
			// tiles of templates of another size may contain the same lags
			synchronized (locks[rowStart / size[0] % LOCKS]) {
				if (single) merge(((FloatBuffer) row).array(), ((FloatBuffer) greatest).array(), rowStart, template);
				else merge(((DoubleBuffer) row).array(), ((DoubleBuffer) greatest).array(), rowStart, template);
			}
		}
	}

	/** Receives the result of an execution that has compared the templates of this box. */
	@Override
	public void best(final long[] min, final int[] part, final FloatBuffer scores, final Buffer ordinals) {
		final float[] row = new float[part[0]];
		for (int r = 0; r < Boxes.rows(part); r++) {
			scores.get(scores.position() + r * part[0], row);
			final int rowStart = Boxes.row(strides, min, part, r);
			((FloatBuffer) greatest).put(rowStart, row);
			for (int x = 0; x < row.length; x++) templates[rowStart + x] =
				Math.max(0, unsigned(ordinals, ordinals.position() + r * part[0] + x) - 1);
		}
	}

	/** An element of a buffer of unsigned bytes or shorts, or of ints. */
	static int unsigned(final Buffer from, final int index) {
		if (from instanceof ByteBuffer) return ((ByteBuffer) from).get(index) & 0xff;
		return from instanceof ShortBuffer ? ((ShortBuffer) from).get(index) & 0xffff : ((IntBuffer) from).get(index);
	}

	private void merge(final float[] row, final float[] greatest, final int rowStart, final int template) {
		for (int x = 0; x < row.length; x++) {
			final float r = row[x], g = greatest[rowStart + x];
			if (r > g || r == r && (g != g || r == g && template < templates[rowStart + x])) {
				greatest[rowStart + x] = r;
				templates[rowStart + x] = template;
			}
		}
	}

	private void merge(final double[] row, final double[] greatest, final int rowStart, final int template) {
		for (int x = 0; x < row.length; x++) {
			final double r = row[x], g = greatest[rowStart + x];
			if (r > g || r == r && (g != g || r == g && template < templates[rowStart + x])) {
				greatest[rowStart + x] = r;
				templates[rowStart + x] = template;
			}
		}
	}

	@Override
	public void end() {
		synchronized (merging) {
			merge();
		}
		greatest = null;
		templates = null;
	}

	private void merge() {
		final RandomAccess<? extends RealType<?>> s = score.randomAccess();
		final RandomAccess<? extends IntegerType<?>> w = which.randomAccess();
		final long[] position = new long[size.length];
		final int rows = Boxes.rows(size);
		for (int row = 0, i = 0; row < rows; row++) {
			for (int d = 0, rest = row; d < position.length; d++) {
				position[d] = place[d];
				if (d == 0) continue;
				position[d] += rest % size[d];
				rest /= size[d];
			}
			s.setPosition(position);
			w.setPosition(position);
			for (int x = 0; x < size[0]; x++, i++) {
				final double r = Buffers.value(greatest, false, i), g = s.get().getRealDouble();
				if (r > g || r == r && (g != g || r == g && numbers[templates[i]] < w.get().getIntegerLong())) {
					s.get().setReal(r);
					w.get().setInteger(numbers[templates[i]]);
				}
				s.fwd(0);
				w.fwd(0);
			}
		}
	}
}
