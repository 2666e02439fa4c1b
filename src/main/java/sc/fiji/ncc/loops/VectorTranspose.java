package sc.fiji.ncc.loops;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Transposes with the Vector API in squares of one vector by one vector. Halves of each square are swapped, then quarters, down to single values (Eklundh
 * 1972). Two of these steps are done each time the square passes through registers.
 */
public final class VectorTranspose {

	private static final VectorSpecies<Float> S = VectorLanes.FLOATS;
	private static final int L = VectorLanes.F;

	private VectorTranspose() {}

	/**
	 * Rows {@code from..} of {@code a} become columns of {@code b}: {@code rows} rows of {@code columns} values. Both numbers are multiples of a vector's
	 * lanes.
	 */
	public static void transpose(final float[][] a, final int from, final int rows, final float[][] b, final int to, final int columns) {
		final float[] square = new float[L * L];
		for (int y = 0; y < rows; y += L)
			for (int x = 0; x < columns; x += L) {
				first(a, from + y, x, square);
				last(square, b, to + x, y);
			}
	}

	/** Transposes a square matrix in place. Its side is a multiple of a vector's lanes. */
	public static void transpose(final float[][] a) {
		final float[] p = new float[L * L], q = new float[L * L];
		for (int y = 0; y < a.length; y += L) {
			first(a, y, y, p);
			last(p, a, y, y);
			for (int x = y + L; x < a.length; x += L) {
				first(a, y, x, p);
				first(a, x, y, q);
				last(p, a, x, y);
				last(q, a, y, x);
			}
		}
	}

	private static void first(final float[][] a, final int row, final int x, final float[] square) {
		if (L > 4) firstTwo(a, row, x, square);
		else for (int i = 0; i < L; i++) FloatVector.fromArray(S, a[row + i], x).intoArray(square, i * L);
	}

	private static void last(final float[] square, final float[][] b, final int row, final int x) {
		if (L == 8) lastOne(square, b, row, x);
		else lastTwo(square, b, row, x);
	}

	/** Swaps lane i with lane i ^ s. */
	private static VectorShuffle<Float> swap(final int s) {
		return VectorShuffle.fromOp(S, i -> i ^ s);
	}

	/** The lanes whose index has bit s set. */
	private static VectorMask<Float> upper(final int s) {
		final boolean[] bits = new boolean[L];
		for (int i = 0; i < L; i++) bits[i] = (i & s) != 0;
		return VectorMask.fromArray(S, bits, 0);
	}

	private static final int HALF = L / 2, QUARTER = L / 4;
	private static final VectorShuffle<Float> SWAP_HALVES = swap(HALF), SWAP_QUARTERS = swap(QUARTER), SWAP_PAIRS = swap(2),
		SWAP_ONES = swap(1);
	private static final VectorMask<Float> UPPER_HALF = upper(HALF), UPPER_QUARTERS = upper(QUARTER), UPPER_PAIRS = upper(2),
		UPPER_ONES = upper(1);

	private static void firstTwo(final float[][] a, final int row, final int x, final float[] square) {
		final VectorShuffle<Float> s = SWAP_HALVES, t = SWAP_QUARTERS;
		final VectorMask<Float> m = UPPER_HALF, u = UPPER_QUARTERS, lm = m.not(), lu = u.not();
		for (int i = 0; i < QUARTER; i++) {
			final FloatVector p = FloatVector.fromArray(S, a[row + i], x), q = FloatVector.fromArray(S, a[row + i + QUARTER], x);
			final FloatVector r = FloatVector.fromArray(S, a[row + i + HALF], x), v = FloatVector.fromArray(S, a[row + i + HALF + QUARTER], x);
			final FloatVector pp = p.blend(r.rearrange(s), m), rr = r.blend(p.rearrange(s), lm);
			final FloatVector qq = q.blend(v.rearrange(s), m), vv = v.blend(q.rearrange(s), lm);
			pp.blend(qq.rearrange(t), u).intoArray(square, i * L);
			qq.blend(pp.rearrange(t), lu).intoArray(square, (i + QUARTER) * L);
			rr.blend(vv.rearrange(t), u).intoArray(square, (i + HALF) * L);
			vv.blend(rr.rearrange(t), lu).intoArray(square, (i + HALF + QUARTER) * L);
		}
	}

	private static void lastTwo(final float[] square, final float[][] b, final int row, final int x) {
		final VectorShuffle<Float> s = SWAP_PAIRS, t = SWAP_ONES;
		final VectorMask<Float> m = UPPER_PAIRS, u = UPPER_ONES, lm = m.not(), lu = u.not();
		for (int i = 0; i < L; i += 4) {
			final FloatVector p = FloatVector.fromArray(S, square, i * L), q = FloatVector.fromArray(S, square, (i + 1) * L), r = FloatVector.fromArray(S,
				square, (i + 2) * L), v = FloatVector.fromArray(S, square, (i + 3) * L);
			final FloatVector pp = p.blend(r.rearrange(s), m), rr = r.blend(p.rearrange(s), lm);
			final FloatVector qq = q.blend(v.rearrange(s), m), vv = v.blend(q.rearrange(s), lm);
			pp.blend(qq.rearrange(t), u).intoArray(b[row + i], x);
			qq.blend(pp.rearrange(t), lu).intoArray(b[row + i + 1], x);
			rr.blend(vv.rearrange(t), u).intoArray(b[row + i + 2], x);
			vv.blend(rr.rearrange(t), lu).intoArray(b[row + i + 3], x);
		}
	}

	private static void lastOne(final float[] square, final float[][] b, final int row, final int x) {
		final VectorShuffle<Float> t = SWAP_ONES;
		final VectorMask<Float> u = UPPER_ONES, lu = u.not();
		for (int i = 0; i < L; i += 2) {
			final FloatVector p = FloatVector.fromArray(S, square, i * L), q = FloatVector.fromArray(S, square, (i + 1) * L);
			p.blend(q.rearrange(t), u).intoArray(b[row + i], x);
			q.blend(p.rearrange(t), lu).intoArray(b[row + i + 1], x);
		}
	}
}
