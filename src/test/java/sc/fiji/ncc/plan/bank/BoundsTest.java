package sc.fiji.ncc.plan.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No window that reaches the minimum score is excluded, also if every correlation errs against it as much as it may. */
class BoundsTest {

	private static final int PIXELS = 60, MEMBERS = 16;

	private final Random random = new Random(4);

	private double[] unit(final double[] v) {
		double mean = 0, norm = 0;
		for (final double x : v) mean += x / v.length;
		for (int i = 0; i < v.length; i++) v[i] -= mean;
		for (final double x : v) norm += x * x;
		for (int i = 0; i < v.length; i++) v[i] /= Math.sqrt(norm);
		return v;
	}

	private double[] noise() {
		return unit(random.doubles(PIXELS, -1, 1).toArray());
	}

	private static double dot(final double[] a, final double[] b) {
		double sum = 0;
		for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
		return sum;
	}

	/** Orthonormal vectors without a mean. */
	private double[][] basis(final int size) {
		final double[][] basis = new double[size][];
		for (int k = 0; k < size; k++) {
			final double[] v = noise();
			for (int i = 0; i < k; i++) {
				final double c = dot(v, basis[i]);
				for (int x = 0; x < PIXELS; x++) v[x] -= c * basis[i][x];
			}
			basis[k] = unit(v);
		}
		return basis;
	}

	/** A vector whose part in the space of a basis has this share of its energy. */
	private double[] within(final double[][] basis, final double share) {
		final double[] in = new double[PIXELS], out = noise();
		for (final double[] b : basis) {
			final double c = random.nextGaussian(), o = dot(out, b);
			for (int x = 0; x < PIXELS; x++) {
				in[x] += c * b[x];
				out[x] -= o * b[x];
			}
		}
		unit(in);
		unit(out);
		final double[] v = new double[PIXELS];
		for (int x = 0; x < PIXELS; x++) v[x] = Math.sqrt(share) * in[x] + Math.sqrt(1 - share) * out[x];
		return v;
	}

	private static double[][] products(final double[][] vectors, final double[][] basis) {
		return Arrays.stream(vectors).map(v -> Arrays.stream(basis).mapToDouble(b -> dot(v, b)).toArray()).toArray(double[][]::new);
	}

	private static float[][] floats(final double[][] vectors) {
		final float[][] floats = new float[vectors.length][PIXELS];
		for (int i = 0; i < vectors.length; i++) for (int x = 0; x < PIXELS; x++) floats[i][x] = (float) vectors[i][x];
		return floats;
	}

	private static float product(final float[] row, final double[] c) {
		float sum = 0;
		for (int k = 0; k < row.length; k++) sum += row[k] * (float) c[k];
		return sum;
	}

	/** Windows whose score with a member is the minimum score, as far as rounding allows, with correlations that all err by 1e-5 in the worst direction. */
	@ParameterizedTest
	@ValueSource(doubles = { 0.5, 0.9, 0.99, 0.999999 })
	void windowsThatReachTheMinimumScoreAreKept(final double share) {
		for (final double minScore : new double[] { 0.5, 0.8, 0.95 })
			for (final int size : new int[] { 1, 4, 9 }) {
				final double[][] basis = basis(size), members = new double[MEMBERS][];
				for (int p = 0; p < MEMBERS; p++) members[p] = within(basis, share);
				final int[][] groups = { { 0, 1, 2, 3, 4, 5, 6, 7 }, { 8, 9, 10 }, { 11, 12, 13, 14, 15 } };
				final double[][] of = products(members, basis);
				final Bounds bounds = new Bounds(floats(basis), of, size, minScore, 1, List.<int[][]> of(groups));
				for (int p = 0; p < MEMBERS; p++) {
					// in the direction of the basis or beyond it: the window is the member and a vector that is orthogonal to it
					final double[] other = p % 2 == 0 ? noise() : within(basis, 0.999999);
					final double along = dot(other, members[p]);
					for (int x = 0; x < PIXELS; x++) other[x] -= along * members[p][x];
					unit(other);
					final double[] window = new double[PIXELS];
					for (int x = 0; x < PIXELS; x++) window[x] = minScore * members[p][x] + Math.sqrt(1 - minScore * minScore) * other[x];
					final double[] c = products(new double[][] { window }, basis)[0];
					for (int k = 0; k < size; k++) c[k] -= 1e-5 * Math.signum(of[p][k]);
					float energy = 0;
					for (final double v : c) energy += (float) (v * v);
					assertTrue(energy >= bounds.minEnergy, "energy " + energy + " of " + bounds.minEnergy);
					final float outside = bounds.outside(energy);
					assertTrue(product(bounds.products[p], c) + outside * bounds.residual[p] >= bounds.least(), "member " + p + ", score " + minScore);
					final double[] least = new double[1];
					bounds.groups(energy, outside, least);
					final int group = p < 8 ? 0 : p < 11 ? 1 : 2;
					assertTrue(product(bounds.levels.get(0).centres[group], c) >= least[0], "group of member " + p);
				}
			}
	}

	/** The bounds are as narrow as the errors allow: a window a little below the minimum score is excluded if the basis holds all of it. */
	@Test
	void windowsBelowTheMinimumScoreAreExcluded() {
		final double[][] basis = basis(6), members = new double[MEMBERS][];
		for (int p = 0; p < MEMBERS; p++) members[p] = within(basis, 1);
		final double minScore = 0.8;
		final Bounds bounds = new Bounds(floats(basis), products(members, basis), 6, minScore, 1, List.of());
		// six correlations, each within 1.02e-5; four roundings of a float for each of them and for eight more operations; two exact scores
		assertEquals(Math.sqrt(6) * 1.02e-5 + (6 + 8) * 4 * 0x1p-24 + 2e-9, bounds.error, 1e-11);
		assertEquals(6, bounds.size());
		assertTrue(bounds.largest > 0 && bounds.largest < 2e-6 && Math.abs(bounds.gamma - 1) < 1e-6);
		final double[] other = within(basis, 1);
		final double along = dot(other, members[0]);
		for (int x = 0; x < PIXELS; x++) other[x] -= along * members[0][x];
		unit(other);
		for (final double below : new double[] { 0, 2 * bounds.error }) {
			final double score = minScore - below;
			final double[] window = new double[PIXELS];
			for (int x = 0; x < PIXELS; x++) window[x] = score * members[0][x] + Math.sqrt(1 - score * score) * other[x];
			final double[] c = products(new double[][] { window }, basis)[0];
			assertEquals(below == 0, product(bounds.products[0], c) + bounds.outside(1) * bounds.residual[0] >= bounds.least());
		}
		// the part of a window in the basis must have the cosine of the angle that the minimum score leaves
		assertEquals(minScore, bounds.minNorm(), 1e-5);
		assertEquals(minScore * minScore, bounds.minEnergy, 2.5 * bounds.error);
		assertEquals(Math.sqrt(1 - 0.36), bounds.outside(0.36f), 2 * bounds.error);
		assertEquals(0, bounds.outside(1.1f), 1e-40);
	}

	/** A basis that misses more of the members than the minimum score leaves excludes no window by its energy. */
	@Test
	void aPoorBasisExcludesNothingByEnergy() {
		final double[][] basis = basis(2), members = { within(basis, 0.3) };
		final Bounds bounds = new Bounds(floats(basis), products(members, basis), 2, 0.5, 1, List.of());
		assertEquals(0, bounds.minEnergy);
		assertEquals(0, bounds.minNorm());
		assertEquals(Math.sqrt(0.7), bounds.residual[0], 1e-5);
		// nine tenths of the residual: a broken proof, for tests of the search
		assertEquals(0.9 * Math.sqrt(0.7), new Bounds(floats(basis), products(members, basis), 2, 0.5, 0.9, List.of()).residual[0], 1e-5);
	}
}
