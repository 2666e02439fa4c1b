package sc.fiji.ncc.loops;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Sums over the windows of a row, by the Vector API: the prefix sums of what enters a window minus what leaves it. */
final class VectorSlidingSums {

	private static final VectorSpecies<Double> D = VectorLanes.DOUBLES;
	private static final int L = VectorLanes.D;

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

	/** As {@link SlidingSums#row}. Equal to plain sums up to rounding. */
	static void row(final double[] a, final int width, final double[] to, final int n) {
		double first = 0;
		for (int x = 0; x < width; x++) first += a[x];
		to[0] = first;
		DoubleVector carry = DoubleVector.broadcast(D, first);
		int x = 0;
		for (; x < n - L; x += L) {
			final DoubleVector v = prefix(DoubleVector.fromArray(D, a, x + width).sub(DoubleVector.fromArray(D, a, x)));
			v.add(carry).intoArray(to, x + 1);
			carry = carry.add(v.rearrange(LAST));
		}
		for (; x < n - 1; x++) to[x + 1] = to[x] + (a[x + width] - a[x]);
	}
}
