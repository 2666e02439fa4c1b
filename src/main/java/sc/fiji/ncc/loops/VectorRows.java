package sc.fiji.ncc.loops;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector API versions of loops over one row: those of {@link Rows}, {@link Division}, {@link sc.fiji.ncc.cpu.tile.TileReader} and {@link
 * sc.fiji.ncc.cpu.window.WindowSums} that C2 does not vectorise, or that are faster as one loop. Default: results equal those of the plain loops to the bit.
 */
public final class VectorRows {

	private static final VectorSpecies<Double> D = VectorLanes.DOUBLES;
	private static final VectorSpecies<Float> F = VectorLanes.FLOATS, NARROW = VectorLanes.NARROW;
	private static final VectorSpecies<Integer> I = VectorLanes.INTS;
	private static final VectorSpecies<Byte> BYTES = VectorLanes.BYTES;
	private static final int L = VectorLanes.D, LI = VectorLanes.F;

	private VectorRows() {}

	private static DoubleVector load(final double[] a, final int x) {
		return DoubleVector.fromArray(D, a, x);
	}

	/** Loads as many floats as a vector has doubles. */
	private static DoubleVector load(final float[] a, final int x) {
		return (DoubleVector) FloatVector.fromArray(NARROW, a, x).convertShape(VectorOperators.F2D, D, 0);
	}

	private static FloatVector narrow(final DoubleVector a) {
		return (FloatVector) a.convertShape(VectorOperators.D2F, NARROW, 0);
	}

	/** {@code (from - reference)·scale}. NaN and infinite pixels become 0. */
	public static void read(final float[] from, final int o, final double[] to, final int t, final int n, final double reference, final double scale) {
		int x = 0;
		for (; x <= n - L; x += L) {
			final DoubleVector v = load(from, o + x).sub(reference).mul(scale);
			v.blend(0, v.abs().compare(VectorOperators.LE, Double.MAX_VALUE).not()).intoArray(to, t + x);
		}
		for (; x < n; x++) {
			final double v = (from[o + x] - reference) * scale;
			to[t + x] = Math.abs(v) <= Double.MAX_VALUE ? v : 0;
		}
	}

	/** The same, rounded to float once. */
	public static void read(final float[] from, final int o, final float[] to, final int t, final int n, final double reference, final double scale) {
		int x = 0;
		for (; x <= n - L; x += L) {
			final FloatVector v = narrow(load(from, o + x).sub(reference).mul(scale));
			v.blend(0, v.abs().compare(VectorOperators.LE, Float.MAX_VALUE).not()).intoArray(to, t + x);
		}
		for (; x < n; x++) {
			final float v = (float) ((from[o + x] - reference) * scale);
			to[t + x] = Math.abs(v) <= Float.MAX_VALUE ? v : 0;
		}
	}

	/** The same without a test for NaN and infinity, rounded to float at each step. */
	public static void read(final float[] from, final int o, final float[] to, final int t, final int n, final float reference, final float scale) {
		int x = 0;
		for (; x <= n - LI; x += LI) FloatVector.fromArray(F, from, o + x).sub(reference).mul(scale).intoArray(to, t + x);
		for (; x < n; x++) to[t + x] = (from[o + x] - reference) * scale;
	}

	/** Rows of sums of values and of their squares. The loops start at index {@code first}. */
	public record Sums(double[] values, double[] squares, int first) {}

	/** {@link Sums} of whole numbers. */
	public record IntSums(int[] values, int[] squares, int first) {}

	/** Adds {@code (from - reference)·scale}, and its square, to sums. */
	public static void addWithSquares(final float[] from, final int o, final double reference, final double scale, final Sums to, final int n) {
		final double[] values = to.values, squares = to.squares;
		final int t = to.first;
		int x = 0;
		for (; x <= n - L; x += L) {
			final DoubleVector v = load(from, o + x).sub(reference).mul(scale);
			load(values, t + x).add(v).intoArray(values, t + x);
			load(squares, t + x).add(v.mul(v)).intoArray(squares, t + x);
		}
		for (; x < n; x++) {
			final double v = (from[o + x] - reference) * scale;
			values[t + x] += v;
			squares[t + x] += v * v;
		}
	}

	/** Subtracts the same. */
	public static void subtractWithSquares(final float[] from, final int o, final double reference, final double scale, final Sums to, final int n) {
		final double[] values = to.values, squares = to.squares;
		final int t = to.first;
		int x = 0;
		for (; x <= n - L; x += L) {
			final DoubleVector v = load(from, o + x).sub(reference).mul(scale);
			load(values, t + x).sub(v).intoArray(values, t + x);
			load(squares, t + x).sub(v.mul(v)).intoArray(squares, t + x);
		}
		for (; x < n; x++) {
			final double v = (from[o + x] - reference) * scale;
			values[t + x] -= v;
			squares[t + x] -= v * v;
		}
	}

	/** Adds the same of one row of the array and subtracts that of another row. */
	public static void slideWithSquares(final float[] from, final int next, final int last, final double reference,
		final double scale, final Sums to, final int n) {
		final double[] values = to.values, squares = to.squares;
		final int t = to.first;
		int x = 0;
		for (; x <= n - L; x += L) {
			final DoubleVector v = load(from, next + x).sub(reference).mul(scale), w = load(from, last + x).sub(reference).mul(scale);
			load(values, t + x).add(v.sub(w)).intoArray(values, t + x);
			load(squares, t + x).add(v.mul(v).sub(w.mul(w))).intoArray(squares, t + x);
		}
		for (; x < n; x++) {
			final double v = (from[next + x] - reference) * scale, w = (from[last + x] - reference) * scale;
			values[t + x] += v - w;
			squares[t + x] += v * v - w * w;
		}
	}

	/** Loads unsigned bytes into a vector of ints. */
	private static IntVector load(final byte[] a, final int x) {
		return (IntVector) ByteVector.fromArray(BYTES, a, x).convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
	}

	/** {@code from - reference}, the bytes unsigned. */
	public static void read(final byte[] from, final int o, final int[] to, final int t, final int n, final int reference) {
		int x = 0;
		for (; x <= n - LI; x += LI) load(from, o + x).sub(reference).intoArray(to, t + x);
		for (; x < n; x++) to[t + x] = (from[o + x] & 0xff) - reference;
	}

	/** Adds {@code from - reference}, the bytes unsigned, and its square to sums. */
	public static void addWithSquares(final byte[] from, final int o, final int reference, final IntSums to, final int n) {
		final int[] values = to.values, squares = to.squares;
		final int t = to.first;
		int x = 0;
		for (; x <= n - LI; x += LI) {
			final IntVector v = load(from, o + x).sub(reference);
			IntVector.fromArray(I, values, t + x).add(v).intoArray(values, t + x);
			IntVector.fromArray(I, squares, t + x).add(v.mul(v)).intoArray(squares, t + x);
		}
		for (; x < n; x++) {
			final int v = (from[o + x] & 0xff) - reference;
			values[t + x] += v;
			squares[t + x] += v * v;
		}
	}

	/** Subtracts the same. */
	public static void subtractWithSquares(final byte[] from, final int o, final int reference, final IntSums to, final int n) {
		final int[] values = to.values, squares = to.squares;
		final int t = to.first;
		int x = 0;
		for (; x <= n - LI; x += LI) {
			final IntVector v = load(from, o + x).sub(reference);
			IntVector.fromArray(I, values, t + x).sub(v).intoArray(values, t + x);
			IntVector.fromArray(I, squares, t + x).sub(v.mul(v)).intoArray(squares, t + x);
		}
		for (; x < n; x++) {
			final int v = (from[o + x] & 0xff) - reference;
			values[t + x] -= v;
			squares[t + x] -= v * v;
		}
	}

	/** Adds the same of one row of the array and subtracts that of another row. */
	public static void slideWithSquares(final byte[] from, final int next, final int last, final int reference, final IntSums to, final int n) {
		final int[] values = to.values, squares = to.squares;
		final int t = to.first;
		int x = 0;
		for (; x <= n - LI; x += LI) {
			final IntVector v = load(from, next + x).sub(reference), w = load(from, last + x).sub(reference);
			IntVector.fromArray(I, values, t + x).add(v.sub(w)).intoArray(values, t + x);
			IntVector.fromArray(I, squares, t + x).add(v.mul(v).sub(w.mul(w))).intoArray(squares, t + x);
		}
		for (; x < n; x++) {
			final int v = (from[next + x] & 0xff) - reference, w = (from[last + x] & 0xff) - reference;
			values[t + x] += v - w;
			squares[t + x] += v * v - w * w;
		}
	}

	/** {@code from - reference}, the bytes unsigned. */
	public static void read(final byte[] from, final int o, final float[] to, final int t, final int n, final int reference) {
		int x = 0;
		for (; x <= n - LI; x += LI)
			((FloatVector) load(from, o + x).sub(reference).convertShape(VectorOperators.I2F, F, 0)).intoArray(to, t + x);
		for (; x < n; x++) to[t + x] = (from[o + x] & 0xff) - reference;
	}

	/** The maximum of |a - reference|; NaN or infinite if a value is. */
	public static double maxDistance(final float[] a, final double reference, final int n) {
		FloatVector max = FloatVector.broadcast(F, Float.NEGATIVE_INFINITY), min = FloatVector.broadcast(F, Float.POSITIVE_INFINITY);
		// stays 0 as long as all values are finite
		FloatVector zero = FloatVector.zero(F);
		int x = 0;
		for (; x <= n - F.length(); x += F.length()) {
			final FloatVector v = FloatVector.fromArray(F, a, x);
			max = max.blend(v, v.compare(VectorOperators.GT, max));
			min = min.blend(v, v.compare(VectorOperators.LT, min));
			zero = zero.add(v.sub(v));
		}
		double maxDistance = 0;
		if (!zero.compare(VectorOperators.EQ, 0).allTrue()) x = 0;
		else if (x > 0) maxDistance = Math.max(Math.abs(max.reduceLanes(VectorOperators.MAX) - reference),
			Math.abs(min.reduceLanes(VectorOperators.MIN) - reference));
		for (; x < n; x++) maxDistance = Math.max(maxDistance, Math.abs(a[x] - reference));
		return maxDistance;
	}

	/** Σ|a|; NaN or infinite if a value is. */
	public static double magnitude(final float[] a, final int n) {
		FloatVector p = FloatVector.zero(F), q = p;
		int x = 0;
		for (; x <= n - 2 * LI; x += 2 * LI) {
			p = p.add(FloatVector.fromArray(F, a, x).abs());
			q = q.add(FloatVector.fromArray(F, a, x + LI).abs());
		}
		double sum = p.add(q).reduceLanes(VectorOperators.ADD);
		for (; x < n; x++) sum += Math.abs(a[x]);
		return sum;
	}

	/** {@code a + b}, both from index {@code o} on, to {@code to} from index {@code t} on. */
	public static void sum(final float[] a, final float[] b, final int o, final float[] to, final int t, final int n) {
		int x = 0;
		for (; x <= n - LI; x += LI) FloatVector.fromArray(F, a, o + x).add(FloatVector.fromArray(F, b, o + x)).intoArray(to, t + x);
		for (; x < n; x++) to[t + x] = a[o + x] + b[o + x];
	}

	public static double sum(final float[] a, final int n) {
		FloatVector p = FloatVector.zero(F), q = p;
		int x = 0;
		for (; x <= n - 2 * LI; x += 2 * LI) {
			p = p.add(FloatVector.fromArray(F, a, x));
			q = q.add(FloatVector.fromArray(F, a, x + LI));
		}
		double sum = p.add(q).reduceLanes(VectorOperators.ADD);
		for (; x < n; x++) sum += a[x];
		return sum;
	}

	/** See {@link Rows#addEnergies(float[], float[], float[], float[], int)}; the sum may differ by rounding. */
	static double addEnergies(final float[] re, final float[] im, final float[] to, final int n) {
		FloatVector sum = FloatVector.zero(F);
		int x = 0;
		for (; x <= n - LI; x += LI) {
			final FloatVector a = FloatVector.fromArray(F, re, x), b = FloatVector.fromArray(F, im, x), e = a.mul(a).add(b.mul(b));
			FloatVector.fromArray(F, to, x).add(e).intoArray(to, x);
			sum = sum.add(e);
		}
		double all = sum.reduceLanes(VectorOperators.ADD);
		for (; x < n; x++) {
			final float e = re[x] * re[x] + im[x] * im[x];
			to[x] += e;
			all += e;
		}
		return all;
	}

	/** See {@link Rows#addEnergies(float[], float[], int)}; the sum may differ by rounding. */
	static double addEnergies(final float[] a, final float[] to, final int n) {
		FloatVector sum = FloatVector.zero(F);
		int x = 0;
		for (; x <= n - LI; x += LI) {
			final FloatVector v = FloatVector.fromArray(F, a, x), e = v.mul(v);
			FloatVector.fromArray(F, to, x).add(e).intoArray(to, x);
			sum = sum.add(e);
		}
		double all = sum.reduceLanes(VectorOperators.ADD);
		for (; x < n; x++) {
			to[x] += a[x] * a[x];
			all += a[x] * a[x];
		}
		return all;
	}

	/** See {@link Rows#subtractAndAddEnergies}; sums may differ by rounding. */
	static double subtractAndAddEnergies(final float[] a, final float b, final float[] squares, final int n) {
		FloatVector sum = FloatVector.zero(F);
		int x = 0;
		for (; x <= n - LI; x += LI) {
			final FloatVector v = FloatVector.fromArray(F, a, x).sub(b), e = v.mul(v);
			v.intoArray(a, x);
			FloatVector.fromArray(F, squares, x).add(e).intoArray(squares, x);
			sum = sum.add(e);
		}
		double all = sum.reduceLanes(VectorOperators.ADD);
		for (; x < n; x++) {
			final float v = a[x] - b, e = v * v;
			a[x] = v;
			squares[x] += e;
			all += e;
		}
		return all;
	}

	/** Rounds to float. Returns true if a value is NaN. */
	public static boolean toFloat(final double[] from, final float[] to, final int o, final int n) {
		boolean whole = true;
		int x = 0;
		for (; x <= n - L; x += L) {
			final DoubleVector v = load(from, x);
			whole &= v.compare(VectorOperators.EQ, v).allTrue();
			narrow(v).intoArray(to, o + x);
		}
		for (; x < n; x++) {
			whole &= from[x] == from[x];
			to[o + x] = (float) from[x];
		}
		return !whole;
	}

	/** As {@link Division#row}. */
	static boolean divide(final Division.Sums of, final Division.Terms terms, final double[] margin, final float[] to, final int o, final int n) {
		final float[] products = of.products();
		final double[] sums = of.sums(), energies = of.energies(), minVariance = of.minVariance();
		final double perPixel = terms.perPixel(), share = terms.share(), floor = terms.floor();
		final float scale = terms.perNorm();
		boolean hold = true;
		int x = 0;
		for (; x <= n - L; x += L) {
			final DoubleVector s = load(sums, x), mean = s.mul(s).mul(perPixel), v = load(energies, x).sub(mean);
			DoubleVector left = v.sub(mean.mul(share)).sub(floor);
			if (minVariance != null) left = left.sub(load(minVariance, x));
			left.intoArray(margin, x);
			hold &= left.compare(VectorOperators.GE, 0).allTrue();
			final FloatVector q = FloatVector.fromArray(NARROW, products, x).mul(scale).div(narrow(v).sqrt());
			q.blend(1, q.compare(VectorOperators.GT, 1)).blend(-1, q.compare(VectorOperators.LT, -1)).intoArray(to, o + x);
		}
		for (; x < n; x++) {
			final double mean = sums[x] * sums[x] * perPixel, v = energies[x] - mean;
			margin[x] = v - mean * share - floor - (minVariance == null ? 0 : minVariance[x]);
			hold &= margin[x] >= 0;
			to[o + x] = Math.max(-1, Math.min(1, products[x] * scale / (float) Math.sqrt((float) v)));
		}
		return hold;
	}
}
