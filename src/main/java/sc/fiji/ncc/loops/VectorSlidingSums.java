package sc.fiji.ncc.loops;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Sums over the windows of a row, by the Vector API: the prefix sums of what enters a window minus what leaves it. */
public final class VectorSlidingSums {

	private static final VectorSpecies<Double> D = VectorLanes.DOUBLES;
	private static final VectorSpecies<Integer> I = VectorLanes.INTS;
	private static final int L = VectorLanes.D, LI = VectorLanes.F;

	private VectorSlidingSums() {}

	/** Lane i takes the value of lane i - s. */
	private static VectorShuffle<Double> shift(final int s) {
		return VectorShuffle.fromOp(D, i -> Math.max(0, i - s));
	}

	private static VectorMask<Double> from(final int s) {
		final boolean[] bits = new boolean[L];
		for (int i = s; i < L; i++) bits[i] = true;
		return VectorMask.fromArray(D, bits, 0);
	}

	private static final VectorShuffle<Double> BY_1 = shift(1), BY_2 = shift(2), BY_4 = shift(4),
		LAST = VectorShuffle.fromOp(D, i -> L - 1);
	private static final VectorMask<Double> FROM_1 = from(1), FROM_2 = from(2), FROM_4 = from(4);

	/** Each lane becomes the sum of the lanes up to it. */
	private static DoubleVector prefix(final DoubleVector a) {
		DoubleVector v = a.add(a.rearrange(BY_1, FROM_1));
		if (L > 2) v = v.add(v.rearrange(BY_2, FROM_2));
		if (L > 4) v = v.add(v.rearrange(BY_4, FROM_4));
		return v;
	}

	/** Sums over {@code width} elements of two rows, starting at each of the first {@code n} elements. Equal to plain sums up to rounding. */
	public static void slide(final double[] a, final double[] b, final int width, final double[] toA, final double[] toB, final int n) {
		double p = 0, q = 0;
		for (int x = 0; x < width; x++) {
			p += a[x];
			q += b[x];
		}
		toA[0] = p;
		toB[0] = q;
		DoubleVector carryA = DoubleVector.broadcast(D, p), carryB = DoubleVector.broadcast(D, q);
		int x = 0;
		for (; x < n - L; x += L) {
			final DoubleVector v = prefix(DoubleVector.fromArray(D, a, x + width).sub(DoubleVector.fromArray(D, a, x))),
				w = prefix(DoubleVector.fromArray(D, b, x + width).sub(DoubleVector.fromArray(D, b, x)));
			v.add(carryA).intoArray(toA, x + 1);
			w.add(carryB).intoArray(toB, x + 1);
			carryA = carryA.add(v.rearrange(LAST));
			carryB = carryB.add(w.rearrange(LAST));
		}
		for (; x < n - 1; x++) {
			toA[x + 1] = toA[x] + (a[x + width] - a[x]);
			toB[x + 1] = toB[x] + (b[x + width] - b[x]);
		}
	}

	private static VectorShuffle<Integer> shiftInts(final int s) {
		return VectorShuffle.fromOp(I, i -> Math.max(0, i - s));
	}

	private static VectorMask<Integer> fromInts(final int s) {
		final boolean[] bits = new boolean[LI];
		for (int i = s; i < LI; i++) bits[i] = true;
		return VectorMask.fromArray(I, bits, 0);
	}

	private static final VectorShuffle<Integer> INTS_BY_1 = shiftInts(1), INTS_BY_2 = shiftInts(2), INTS_BY_4 = shiftInts(4),
		INTS_BY_8 = shiftInts(8), LAST_INT = VectorShuffle.fromOp(I, i -> LI - 1);
	private static final VectorMask<Integer> INTS_FROM_1 = fromInts(1), INTS_FROM_2 = fromInts(2), INTS_FROM_4 = fromInts(4),
		INTS_FROM_8 = fromInts(8);

	/** Each lane becomes the sum of the lanes up to it. */
	private static IntVector prefix(final IntVector a) {
		IntVector v = a.add(a.rearrange(INTS_BY_1, INTS_FROM_1));
		v = v.add(v.rearrange(INTS_BY_2, INTS_FROM_2));
		if (LI > 4) v = v.add(v.rearrange(INTS_BY_4, INTS_FROM_4));
		if (LI > 8) v = v.add(v.rearrange(INTS_BY_8, INTS_FROM_8));
		return v;
	}

	/** Sums over {@code width} elements of two rows, starting at each of the first {@code n} elements; those of {@code b} modulo 2^32. */
	public static void slide(final int[] a, final int[] b, final int width, final double[] toA, final double[] toB, final int n) {
		int p = 0, q = Integer.MIN_VALUE;
		for (int x = 0; x < width; x++) {
			p += a[x];
			q += b[x];
		}
		toA[0] = p;
		toB[0] = q + 0x1p31;
		int x = 0;
		IntVector carryA = IntVector.broadcast(I, p), carryB = IntVector.broadcast(I, q);
		for (; x < n - LI; x += LI) {
			final IntVector v = prefix(IntVector.fromArray(I, a, x + width).sub(IntVector.fromArray(I, a, x)));
			final IntVector w = prefix(IntVector.fromArray(I, b, x + width).sub(IntVector.fromArray(I, b, x)));
			final IntVector sums = v.add(carryA), unsigned = w.add(carryB);
			((DoubleVector) sums.convertShape(VectorOperators.I2D, D, 0)).intoArray(toA, x + 1);
			((DoubleVector) sums.convertShape(VectorOperators.I2D, D, 1)).intoArray(toA, x + 1 + L);
			((DoubleVector) unsigned.convertShape(VectorOperators.I2D, D, 0)).add(0x1p31).intoArray(toB, x + 1);
			((DoubleVector) unsigned.convertShape(VectorOperators.I2D, D, 1)).add(0x1p31).intoArray(toB, x + 1 + L);
			carryA = carryA.add(v.rearrange(LAST_INT));
			carryB = carryB.add(w.rearrange(LAST_INT));
		}
		for (; x < n - 1; x++) {
			toA[x + 1] = toA[x] + (a[x + width] - a[x]);
			toB[x + 1] = toB[x] + ((b[x + width] & 0xffffffffL) - (b[x] & 0xffffffffL));
		}
	}
}
