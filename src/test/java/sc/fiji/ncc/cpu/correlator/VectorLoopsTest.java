package sc.fiji.ncc.cpu.correlator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.fft.VectorTileFft;
import sc.fiji.ncc.loops.Division;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.VectorRows;
import sc.fiji.ncc.loops.VectorSlidingSums;
import sc.fiji.ncc.loops.Vectors;

/** The Vector API loops against the plain loops, or against the simplest loops. {@code mvn -Pvector test} runs them. */
class VectorLoopsTest {

	@Test
	void vectorsAreUsedExactlyWhereTheyPay() {
		final boolean there = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() && Runtime.version().feature() >= 21;
		if (!there) {
			assertFalse(Vectors.USED);
			assertTrue(Vectors.UNAVAILABLE.contains("add-modules") || Vectors.UNAVAILABLE.contains("slower"), Vectors.UNAVAILABLE);
		}
		final FloatRowCorrelator floats = FloatRowCorrelator.of(2, 2, new float[1][4], 16, 8);
		final DoubleRowCorrelator doubles = DoubleRowCorrelator.of(2, 2, new double[1][4], 8);
		if (!Vectors.USED) {
			assertInstanceOf(ShiftedFloatCorrelator.class, floats);
			assertInstanceOf(ShiftedDoubleCorrelator.class, doubles);
			assertEquals(TileFft.class, TileFft.of(4, 4, 1).getClass());
		}
		else {
			assertInstanceOf(VectorFloatCorrelator.class, floats);
			assertInstanceOf(VectorDoubleCorrelator.class, doubles);
			assertInstanceOf(VectorTileFft.class, TileFft.of(4, 4, 1));
		}
	}

	@Nested
	class WithVectors {

		private final Random random = new Random(5);

		WithVectors() {
			Assumptions.assumeTrue(Vectors.USED, Vectors.UNAVAILABLE);
		}

		/** Whole numbers of the maximum size: any product that is lost, or sum that is rounded, changes the result. */
		@ParameterizedTest
		@CsvSource({ "1,1,1,1,1", "1,1,1,100,9", "8,8,1,500,40", "5,3,1,37,10", "16,16,1,64,33", "17,17,1,65,30", "32,32,1,130,21", "33,32,1,20,21",
			"3,40,1,200,50", "40,3,1,200,5", "1100,2,1,50,7", "2100,1,1,70,3", "3,1,1,7,6", "1,30,1,16,5", "4,4,4,50,9",
				"20,19,5,100,13", "2,2,3,3,1" })
		void directSumsAreExact(final int width, final int height, final int planes, final int lags, final int rows) {
			final float[][] floats = new float[planes][width * height];
			final double[][] doubles = new double[planes][width * height];
			for (int p = 0; p < planes; p++)
				for (int i = 0; i < floats[p].length; i++) doubles[p][i] = floats[p][i] = random.nextInt(8) == 0
					? random.nextInt(257) - 128 : 128;
			final FloatRowCorrelator floatCorrelator = new VectorFloatCorrelator(width, height, floats, 1024, false, lags + 3);
			final DoubleRowCorrelator doubleCorrelator = new VectorDoubleCorrelator(width, height, doubles, lags + 3);
			// twice, with fewer lags the first time: the second tile must not see the first
			tile(floatCorrelator, doubleCorrelator, doubles, width, height, Math.max(1, lags - 5), Math.max(1, rows - 2));
			tile(floatCorrelator, doubleCorrelator, doubles, width, height, lags, rows);
		}

		private void tile(final FloatRowCorrelator floatCorrelator, final DoubleRowCorrelator doubleCorrelator, final double[][] c,
			final int width, final int height, final int lags, final int rows)
		{
			final int planes = c.length, columns = lags + width - 1;
			final float[][][] image = new float[planes][rows + height - 1][columns];
			for (final float[][] plane : image)
				for (final float[] row : plane)
					for (int x = 0; x < columns; x++) row[x] = random.nextInt(8) == 0 ? random.nextInt(257) - 128 : -128;
			floatCorrelator.begin(lags);
			doubleCorrelator.begin(lags);
			final double[] inFloat = new double[lags], inDouble = new double[lags], wide = new double[columns];
			for (int r = 0; r < rows + height - 1; r++) {
				final int y0 = Math.max(0, r - height + 1), y1 = Math.min(r, rows - 1);
				for (int p = 0; p < planes; p++) {
					floatCorrelator.add(p, image[p][r], r, y0, y1);
					for (int x = 0; x < columns; x++) wide[x] = image[p][r][x];
					doubleCorrelator.add(p, wide, r, y0, y1);
				}
				final int y = r - height + 1;
				if (y < 0) continue;
				floatCorrelator.finish(y, inFloat);
				doubleCorrelator.finish(y, inDouble);
				final double[] expected = new double[lags];
				for (int x = 0; x < lags; x++) {
					long sum = 0;
					for (int p = 0; p < planes; p++)
						for (int j = 0; j < height; j++)
							for (int i = 0; i < width; i++) sum += (long) c[p][j * width + i] * (long) image[p][y + j][x + i];
					expected[x] = sum;
				}
				assertArrayEquals(expected, inFloat, "float, row " + y);
				assertArrayEquals(expected, inDouble, "double, row " + y);
			}
		}

		@ParameterizedTest
		@CsvSource({ "1,1,1", "2,4,1", "16,16,1", "32,16,1", "8,64,1", "64,128,1", "512,32,1", "32,512,1", "48,96,1", "192,24,1", "256,256,1", "16,16,2", "32,16,8", "16,64,64",
			"4,4,16", "24,48,12" })
		void transformsAgreeAndComeBack(final int width, final int height, final int depth) {
			final TileFft plain = new TileFft(width, height, depth, false), vectors = new VectorTileFft(width, height, depth, false);
			final float[][] re = plain.allocateRows(), im = plain.allocateRows();
			fill(re);
			fill(im);
			final float[][] plainRe = plain.allocateSpectrum(), plainIm = plain.allocateSpectrum();
			final float[][] vectorRe = plain.allocateSpectrum(), vectorIm = plain.allocateSpectrum();
			plain.forward(copy(re), copy(im), plainRe, plainIm);
			vectors.forward(copy(re), copy(im), vectorRe, vectorIm);
			// values of size 1 over n points: each of size √n
			final double tolerance = 1e-6 * Math.sqrt(plain.points()) * (1 + Math.log(plain.points()));
			assertClose(plainRe, vectorRe, 1, tolerance);
			assertClose(plainIm, vectorIm, 1, tolerance);
			final float[][] backRe = plain.allocateRows(), backIm = plain.allocateRows();
			vectors.inverse(vectorRe, vectorIm, backRe, backIm);
			assertClose(re, backRe, plain.points(), 2e-6);
			assertClose(im, backIm, plain.points(), 2e-6);
		}

		private void fill(final float[][] a) {
			for (final float[] row : a)
				for (int x = 0; x < row.length; x++) row[x] = 2 * random.nextFloat() - 1;
		}

		private float[][] copy(final float[][] a) {
			final float[][] copy = new float[a.length][];
			for (int i = 0; i < a.length; i++) copy[i] = a[i].clone();
			return copy;
		}

		private void assertClose(final float[][] expected, final float[][] actual, final double factor, final double tolerance) {
			for (int y = 0; y < expected.length; y++)
				for (int x = 0; x < expected[y].length; x++)
					assertEquals(expected[y][x], actual[y][x] / factor, tolerance, x + ", " + y);
		}

		@ParameterizedTest
		@CsvSource({ "1", "7", "8", "31", "64", "101" })
		void pixelsAreReadToTheBit(final int n) {
			final float[] from = new float[n + 3];
			for (int x = 0; x < from.length; x++) from[x] = 1000 * random.nextFloat();
			if (n > 6) {
				from[5] = Float.NaN;
				from[6] = Float.NEGATIVE_INFINITY;
			}
			final double[] doubles = new double[n + 2];
			final float[] floats = new float[n + 2];
			VectorRows.read(from, 3, doubles, 1, n, 500.1, 0.25);
			VectorRows.read(from, 3, floats, 1, n, 500.1, 0.25);
			for (int x = 0; x < n; x++) {
				final double v = (from[3 + x] - 500.1) * 0.25;
				final boolean finite = Math.abs(v) < Double.POSITIVE_INFINITY;
				assertEquals(finite ? v : 0, doubles[1 + x]);
				assertEquals(finite ? (float) v : 0, floats[1 + x]);
			}
			assertEquals(0, doubles[0] + floats[0] + doubles[n + 1] + floats[n + 1], "written beyond the row");
		}

		@ParameterizedTest
		@CsvSource({ "1", "15", "16", "50", "1000" })
		void maxDistanceIsThatOfTheFarthest(final int n) {
			final float[] a = new float[n];
			for (final int at : new int[] { 0, n / 2, n - 1 })
				for (final float far : new float[] { -900.3f, 900.7f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY }) {
					for (int x = 0; x < n; x++) a[x] = 100 + random.nextFloat();
					a[at] = far;
					assertEquals(Math.abs(far - 100.123), VectorRows.maxDistance(a, 100.123, n), far + " at " + at);
				}
		}

		@ParameterizedTest
		@CsvSource({ "1,1", "9,3", "64,8", "77,15" })
		void windowsSlideAlongRows(final int n, final int width) {
			final double[] a = new double[n], b = new double[n], sumsA = new double[n - width + 2], sumsB = new double[n - width + 2];
			for (int x = 0; x < n; x++) {
				a[x] = random.nextInt(1 << 20) - (1 << 19);
				b[x] = random.nextInt(1 << 20);
			}
			VectorSlidingSums.slide(a, b, width, sumsA, sumsB, n - width + 1);
			for (int x = 0; x <= n - width; x++) {
				double p = 0, q = 0;
				for (int i = 0; i < width; i++) {
					p += a[x + i];
					q += b[x + i];
				}
				assertEquals(p, sumsA[x]);
				assertEquals(q, sumsB[x]);
			}
			assertEquals(0, sumsA[n - width + 1] + sumsB[n - width + 1], "written beyond the row");
		}

		@ParameterizedTest
		@CsvSource({ "1", "8", "31", "64", "101" })
		void columnsTakeRowsToTheBit(final int n) {
			final float[] from = new float[2 * n + 5];
			final byte[] bytes = new byte[from.length];
			random.nextBytes(bytes);
			for (int x = 0; x < from.length; x++) from[x] = 1000 * random.nextFloat();
			final double[] values = new double[n + 2], squares = new double[n + 2], expected = new double[n],
				expectedSquares = new double[n];
			final int[] sums = new int[n + 2], energies = new int[n + 2], expectedSums = new int[n], expectedEnergies = new int[n];
			final int[][] steps = { { 3, -1 }, { n + 3, -1 }, { 1, 3 }, { -1, n + 3 } };
			final double[][] rows = new double[2][n];
			final int[][] wholeRows = new int[2][n];
			for (final int[] step : steps) {
				final int next = step[0], last = step[1];
				for (int i = 0; i < 2; i++)
					for (int x = 0; x < n; x++) {
						rows[i][x] = step[i] < 0 ? 0 : (from[step[i] + x] - 500.1) * 0.25;
						wholeRows[i][x] = step[i] < 0 ? 0 : (bytes[step[i] + x] & 0xff) - 17;
					}
				Rows.slideWithSquares(rows[0], rows[1], expected, expectedSquares, n);
				Rows.slideWithSquares(wholeRows[0], wholeRows[1], expectedSums, expectedEnergies, n);
				if (next < 0) {
					VectorRows.subtractWithSquares(from, last, 500.1, 0.25, new VectorRows.Sums(values, squares, 1), n);
					VectorRows.subtractWithSquares(bytes, last, 17, new VectorRows.IntSums(sums, energies, 1), n);
				}
				else if (last < 0) {
					VectorRows.addWithSquares(from, next, 500.1, 0.25, new VectorRows.Sums(values, squares, 1), n);
					VectorRows.addWithSquares(bytes, next, 17, new VectorRows.IntSums(sums, energies, 1), n);
				}
				else {
					VectorRows.slideWithSquares(from, next, last, 500.1, 0.25, new VectorRows.Sums(values, squares, 1), n);
					VectorRows.slideWithSquares(bytes, next, last, 17, new VectorRows.IntSums(sums, energies, 1), n);
				}
			}
			assertArrayEquals(expected, Arrays.copyOfRange(values, 1, n + 1));
			assertArrayEquals(expectedSquares, Arrays.copyOfRange(squares, 1, n + 1));
			assertArrayEquals(expectedSums, Arrays.copyOfRange(sums, 1, n + 1));
			assertArrayEquals(expectedEnergies, Arrays.copyOfRange(energies, 1, n + 1));
			assertEquals(0, values[0] + squares[n + 1] + sums[0] + energies[n + 1], "written beyond the row");
		}

		@ParameterizedTest
		@CsvSource({ "1,1", "9,3", "64,8", "77,15", "200,64" })
		void wholeNumbersAreReadAndSummedExactly(final int n, final int apart) {
			final byte[] from = new byte[n + 3];
			random.nextBytes(from);
			final int[] a = new int[n + 2], squares = new int[n];
			final float[] floats = new float[n + 2];
			VectorRows.read(from, 3, a, 0, n, 17);
			VectorRows.read(from, 3, floats, 1, n, 17);
			for (int x = 0; x < n; x++) {
				assertEquals((from[3 + x] & 0xff) - 17, a[x]);
				assertEquals(a[x], floats[1 + x]);
				squares[x] = a[x] * a[x];
			}
			assertEquals(0, a[n] + floats[0] + floats[n + 1], "written beyond the row");
			final double[] windows = new double[n - apart + 1], energies = new double[n - apart + 1];
			VectorSlidingSums.slide(a, squares, apart, windows, energies, windows.length);
			for (int x = 0; x < windows.length; x++) {
				double sum = 0, energy = 0;
				for (int i = 0; i < apart; i++) {
					sum += a[x + i];
					energy += squares[x + i];
				}
				assertEquals(sum, windows[x]);
				assertEquals(energy, energies[x]);
			}
		}

		@ParameterizedTest
		@CsvSource({ "1,false", "8,false", "45,false", "45,true", "64,true" })
		void responsesAreThePlainOnes(final int n, final boolean withLeast) {
			for (int spoilt = -1; spoilt < n; spoilt++) {
				final float[] products = new float[n], r = new float[n + 2], expected = new float[n];
				final double[] sums = new double[n], energies = new double[n], least = new double[n];
				for (int x = 0; x < n; x++) {
					products[x] = (float) random.nextGaussian();
					sums[x] = random.nextGaussian();
					energies[x] = sums[x] * sums[x] / 9 + 1 + random.nextDouble();
					least[x] = 0.5;
				}
				if (spoilt >= 0) {
					if (spoilt % 2 == 0) energies[spoilt] = 0.01;
					else sums[spoilt] = 1e9;
				}
				final double[] margin = new double[n], expectedMargin = new double[n];
				final Division.Sums of = new Division.Sums(products, sums, energies, withLeast ? least : null);
				final Division.Terms terms = new Division.Terms(1 / 9.0, 0.5f, 1e-6, 0.1);
				final Division division = new Division(n);
				assertEquals(spoilt < 0, division.vectors(of, terms, margin, r, 1, n));
				assertEquals(spoilt < 0, division.plain(of, terms, expectedMargin, expected, 0, n));
				assertArrayEquals(expectedMargin, margin, "margin");
				assertArrayEquals(expected, Arrays.copyOfRange(r, 1, n + 1), "r");
				assertEquals(0, r[0] + r[n + 1], "written beyond the row");
			}
		}

		@ParameterizedTest
		@CsvSource({ "1", "8", "50", "131" })
		void roundingSeesNaN(final int n) {
			final double[] r = new double[n];
			final float[] to = new float[n + 2];
			for (int x = 0; x < n; x++) r[x] = random.nextGaussian();
			assertFalse(VectorRows.toFloat(r, to, 1, n));
			r[n - 1] = Double.NaN;
			assertTrue(VectorRows.toFloat(r, to, 1, n));
			for (int x = 0; x < n; x++) assertEquals((float) r[x], to[1 + x]);
			assertEquals(0, to[0] + to[n + 1], "written beyond the row");
		}

		@ParameterizedTest
		@CsvSource({ "1", "31", "32", "100", "257" })
		void sumsAreThePlainOnes(final int n) {
			final float[] a = new float[n + 5];
			double sum = 0;
			for (int x = 0; x < n; x++) sum += a[x] = random.nextInt(1000) - 300;
			a[n] = 1e9f;
			assertEquals(sum, VectorRows.sum(a, n));
		}
	}
}
