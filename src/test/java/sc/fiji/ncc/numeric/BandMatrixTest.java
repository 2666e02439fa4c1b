package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;

import org.junit.jupiter.api.Test;

class BandMatrixTest {

	/** A symmetric matrix with a large diagonal, whose elements far from it are 0. */
	private static double[][] matrix(final int n, final int width, final Random random) {
		final double[][] m = new double[n][n];
		for (int i = 0; i < n; i++)
			for (int j = Math.max(0, i - width); j <= i; j++) m[i][j] = m[j][i] = i == j ? width + 1 + random.nextDouble() : random.nextDouble() - 0.5;
		return m;
	}

	private static BandMatrix band(final double[][] m, final int width) {
		final BandMatrix band = new BandMatrix(m.length, width);
		for (int i = 0; i < m.length; i++)
			for (int j = Math.max(0, i - width); j <= i; j++) band.add(i, j, m[i][j]);
		return band;
	}

	/** The inverse by elimination and the product with the solution are the oracles. */
	@Test
	void solutionAndInverseAreThoseOfTheWholeMatrix() {
		final Random random = new Random(4);
		for (final int[] shape : new int[][] { { 1, 0 }, { 5, 0 }, { 2, 1 }, { 12, 3 }, { 30, 7 }, { 9, 8 }, { 6, 20 } }) {
			final int n = shape[0], width = Math.min(shape[1], n - 1);
			final double[][] m = matrix(n, width, random), expected = ResidualCovariance.inverse(m);
			final BandMatrix band = band(m, shape[1]), twice = band.times(2);
			band.factorize();
			twice.factorize();
			for (int sides = 1; sides <= 3; sides++) {
				final double[][] right = new double[sides][], x = new double[sides][];
				for (int s = 0; s < sides; s++) x[s] = (right[s] = random.doubles(n).toArray()).clone();
				(sides == 2 ? twice : band).solve(x);
				for (int s = 0; s < sides; s++) for (int i = 0; i < n; i++) {
					double product = 0;
					for (int j = 0; j < n; j++) product += (sides == 2 ? 2 : 1) * m[i][j] * x[s][j];
					assertEquals(right[s][i], product, 1e-12, n + " rows, row " + i);
				}
			}
			final BandMatrix inverse = band.inverse();
			for (int i = 0; i < n; i++) {
				for (int j = Math.max(0, i - width); j <= Math.min(n - 1, i + width); j++) assertEquals(expected[i][j], inverse.get(i, j),
					1e-12, n + " rows, " + i + ", " + j);
			}
		}
	}

	@Test
	void whatIsNotPositiveDefiniteIsRefused() {
		final BandMatrix band = band(new double[][] { { 1, 2 }, { 2, 1 } }, 1);
		assertEquals("the matrix is not positive definite: row 1 of 2", assertThrows(ArithmeticException.class, band::factorize).getMessage());
		assertFalse(new BandMatrix(5, 2).holds(0, 3));
		for (final int beside : new int[] { 3, 4 }) assertThrows(IndexOutOfBoundsException.class, () -> new BandMatrix(5, 2).add(beside, 0, 1));
	}
}
