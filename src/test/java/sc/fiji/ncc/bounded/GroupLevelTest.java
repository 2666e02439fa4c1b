package sc.fiji.ncc.bounded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.bank.GroupLevel;

class GroupLevelTest {

	private static final int SIZE = 6, MEMBERS = 200;

	/** Products of members along a curve, as rotations give them, of different norms. */
	private static double[][] products(final SplittableRandom random) {
		final double[][] d = new double[MEMBERS][SIZE];
		final double[] phase = random.doubles(SIZE).map(x -> 6 * x).toArray();
		for (int p = 0; p < MEMBERS; p++) {
			for (int k = 0; k < SIZE; k++) d[p][k] = Math.cos((1 + k / 2) * 2 * Math.PI * p / MEMBERS + phase[k]);
			final double norm = Math.sqrt(dot(d[p], d[p]) / (0.6 + 0.3 * random.nextDouble()));
			for (int k = 0; k < SIZE; k++) d[p][k] /= norm;
		}
		return d;
	}

	private static double dot(final double[] a, final double[] b) {
		double sum = 0;
		for (int k = 0; k < a.length; k++) sum += a[k] * b[k];
		return sum;
	}

	private static double[] doubles(final float[] v) {
		final double[] d = new double[v.length];
		for (int k = 0; k < v.length; k++) d[k] = v[k];
		return d;
	}

	/** No window with a member above the limit is left out. */
	@Test
	void theBoundHolds() {
		final SplittableRandom random = new SplittableRandom(1);
		for (int run = 0; run < 20; run++) {
			final double[][] d = products(random);
			final double gamma = Arrays.stream(d).mapToDouble(x -> Math.sqrt(dot(x, x))).max().orElseThrow();
			final List<int[][]> ways = MemberGroups.of(d);
			assertTrue(ways.size() > 1, "ways: " + ways.size());
			for (final int[][] groups : ways) {
				assertEquals(MEMBERS, Arrays.stream(groups).flatMapToInt(Arrays::stream).distinct().count());
				final GroupLevel level = new GroupLevel(d, groups, SIZE);
				for (int i = 0; i < 300; i++) {
					final double[] near = d[random.nextInt(MEMBERS)];
					final double[] c = random.doubles(SIZE).map(x -> x - 0.5).toArray();
					for (int k = 0; k < SIZE; k++) c[k] = 0.9 * near[k] + c[k] * (i % 10) / 10;
					final double e = Math.sqrt(dot(c, c));
					for (int g = 0; g < groups.length; g++) {
						final double product = dot(c, doubles(level.centres[g]));
						for (final int p : groups[g]) {
							final double s = dot(c, d[p]) / gamma;
							if (s > 0) assertTrue(product >= level.least(e, s) - 1e-6, product + " " + level.least(e, s));
						}
					}
				}
			}
		}
	}

	/** A window beyond the outermost member, seen from the centre of its group, attains the bound: an angle 1 % smaller would lose it. */
	@Test
	void theBoundIsAttained() {
		final double[][] d = { { 1, 0, 0 }, { Math.cos(0.4), Math.sin(0.4), 0 } };
		final GroupLevel level = new GroupLevel(d, new int[][] { { 0, 1 } }, 3);
		final double e = 0.8;
		for (final double beyond : new double[] { 0.05, 0.3, 1 }) {
			final double[] c = { e * Math.cos(0.4 + beyond), e * Math.sin(0.4 + beyond), 0 };
			final double s = dot(c, d[1]), product = dot(c, doubles(level.centres[0])), angleOfMember = 0.2;
			assertEquals(product, level.least(e, s), 1e-5);
			assertTrue(product >= level.least(e, s) - 1e-6);
			final double tooSmall = s * Math.cos(0.99 * angleOfMember) - Math.sqrt(e * e - s * s) * Math.sin(0.99 * angleOfMember);
			assertTrue(product < tooSmall - 1e-4, "a bound 1 % too small leaves the window out");
		}
	}

	/** Groups wider than 90 degrees have no bound. */
	@Test
	void aWideGroupLeavesNothingOut() {
		final GroupLevel level = new GroupLevel(new double[][] { { 1, 0 }, { -0.5, 0.8 }, { -0.5, -0.8 } }, new int[][] { { 0, 1, 2 } }, 2);
		assertEquals(Double.NEGATIVE_INFINITY, level.least(1, 0.5));
	}
}
