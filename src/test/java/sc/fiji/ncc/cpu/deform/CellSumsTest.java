package sc.fiji.ncc.cpu.deform;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.oracle.ReferenceDeformation;
import sc.fiji.ncc.plan.support.Parallel;

/** Sums of cells against their definition, for cuts and missing pixels that no windows have. */
class CellSumsTest {

	/** Extents, cuts along each dimension, and the share of missing pixels of the reference and of the other frame. */
	private record Case(int[] size, int[][] cuts, double missing, double missingOther) {}

	private static Stream<Case> cases() {
		final int[] many = IntStream.rangeClosed(0, 22).map(i -> 17 * i).toArray(), few = { 0, 5, 14, 20 };
		return Stream.of(0., 0.002, 0.2).flatMap(missing -> Stream.of(0., 0.002, 1.).flatMap(other -> Stream.of(
			new Case(new int[] { 380, 23 }, new int[][] { many, few }, missing, other),
			new Case(new int[] { 21, 40 }, new int[][] { few, { 0, 1, 2, 3, 39, 40 } }, missing, other),
			new Case(new int[] { 6, 9 }, new int[][] { { 0, 1, 2, 3, 4, 5, 6 }, { 0, 2, 9 } }, missing, other),
			new Case(new int[] { 3, 70 }, new int[][] { { 0, 3 }, { 0, 70 } }, missing, other),
			new Case(new int[] { 22, 15, 17 }, new int[][] { few, { 0, 6, 14 }, { 0, 5, 16 } }, missing, other))));
	}

	private static float[] values(final Random random, final int pixels, final double missing) {
		final float[] values = new float[pixels];
		for (int i = 0; i < pixels; i++) values[i] = random.nextDouble() >= missing ? 3 + (float) random.nextGaussian()
			: random.nextBoolean() ? Float.NaN : Float.POSITIVE_INFINITY;
		return values;
	}

	@ParameterizedTest
	@MethodSource("cases")
	void sumsOfCellsAreThoseOfTheirPixels(final Case c) {
		final Random random = new Random(5);
		final int pixels = Arrays.stream(c.size).reduce(1, (a, b) -> a * b);
		final float[] fixed = values(random, pixels, c.missing);
		try (Parallel parallel = new Parallel(2)) {
			final CellSums sums = new CellSums(c.size, c.cuts, parallel);
			for (final boolean several : new boolean[] { false, true }) {
				final CellSums.Reference reference = sums.reference(fixed, several);
				for (final boolean exact : new boolean[] { true, false }) {
					final float[] moving = values(random, pixels, c.missingOther);
					final double[][][] expected = ReferenceDeformation.sums(c.size, c.cuts, fixed, moving, exact);
					final double[][] found = sums.sums(reference, moving, exact, null);
					assertEquals(expected[0].length, found.length);
					for (int cell = 0; cell < found.length; cell++) for (int i = 0; i < found[cell].length; i++) if (!Double.isNaN(expected[0][cell][i]))
						assertEquals(expected[0][cell][i], found[cell][i], expected[1][cell][i], "cell " + cell + ", sum " + i + (several ? ", kept" : "")
							+ (exact ? ", exact" : ""));
				}
			}
		}
	}
}
