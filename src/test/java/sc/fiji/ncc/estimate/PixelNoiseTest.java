package sc.fiji.ncc.estimate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;

import org.junit.jupiter.api.Test;

/** Each term of the estimate by its closed form, on pixels and coefficients for which it is the greatest. */
class PixelNoiseTest {

	private static final double LEVELS = Math.sqrt(10);
	/** The error of equal signs, and that at an alias, over the margin of 8. */
	private static final double SHARE = 2 / 8.0;

	/** The error of column 0 or row 0 for pixels {@code column + row} of 1024x1024, without signs. */
	private static double error(final double[] columns, final double[] rows, final double shift, final double[][] coefficients, final boolean ofRow) {
		final int n = 1024;
		final PixelNoise noise = new PixelNoise(n, n, 1, false);
		noise.begin();
		final float[] row = new float[n];
		for (int y = 0; y < n; y++) {
			for (int x = 0; x < n; x++) row[x] = (float) (columns[x] + rows[y]);
			noise.add(y, row, n);
		}
		noise.measure(shift, coefficients[0].length, coefficients.length);
		final double[] to = new double[n];
		final CoefficientNorms norms = CoefficientNorms.of(coefficients.length, false, coefficients);
		if (ofRow) noise.addRows(norms, to);
		else noise.addColumns(norms, to);
		return to[0];
	}

	private static double[] all(final double value) {
		final double[] all = new double[1024];
		Arrays.fill(all, value);
		return all;
	}

	private static double[] one(final int place, final double value) {
		final double[] one = new double[1024];
		one[place] = value;
		return one;
	}

	private static double[][] coefficients(final int width, final int height, final double value) {
		final double[][] all = new double[height][width];
		for (final double[] row : all) Arrays.fill(row, value);
		return all;
	}

	/** Noise in the places of pixels is independent: √log2(m)·rms·‖T̂‖. All coefficients are 1/3, and the least of all other terms is smaller. */
	@Test
	void independentErrors() {
		for (final boolean ofRow : new boolean[] { false, true }) {
			// an alias would add 1/8·32·rms·1/3
			assertEquals(LEVELS * 3, error(all(1), all(0), 0, coefficients(9, 9, 1 / 3.0), ofRow), 1e-6);
			// one line of pixels in the window: the root of the mean square of this line times the norm of one line of coefficients
			final double[] line = one(4, 6);
			final double found = error(ofRow ? all(0) : line, ofRow ? line : all(0), 0, coefficients(9, 9, 1 / 3.0), ofRow);
			assertEquals(LEVELS * 6 * 1, found, 1e-6);
		}
	}

	/** At an alias, a pixel errs by 2 eps: the root of the mean square of its line is 1/32 of it. It meets the greatest coefficient. */
	@Test
	void theAliasOfAPixel() {
		for (final boolean ofRow : new boolean[] { false, true }) {
			final double[] delta = one(0, 5);
			assertEquals(SHARE * 32 * 5 * 1, error(ofRow ? all(0) : delta, ofRow ? delta : all(0), 0, coefficients(1, 1, 1), ofRow), 1e-6);
			assertTrue(SHARE * 32 > LEVELS);
			// of a window without the line there is no error
			final double[] far = one(500, 5);
			assertEquals(0, error(ofRow ? all(0) : far, ofRow ? far : all(0), 0, coefficients(1, 1, 1), ofRow), 1e-6);
		}
	}

	/** Errors with the sign of the template: 2 eps of each line times the sum of its coefficients, which is 400 for the template of ones. */
	@Test
	void errorsWithTheSignOfTheTemplate() {
		final double[][] ones = coefficients(400, 400, 1);
		for (final boolean ofRow : new boolean[] { false, true }) {
			assertEquals(SHARE * 3 * 400 * 400, error(all(3), all(0), 0, ones, ofRow), 1e-2);
			// one strong line of 400: the sum of the roots over the window times the sum of a line
			final double[] line = one(10, 3);
			assertEquals(SHARE * 3 * 400, error(ofRow ? all(0) : line, ofRow ? line : all(0), 0, ones, ofRow), 1e-2);
			// a template with one line: the greatest line of pixels times the sum of all magnitudes
			final double[][] some = coefficients(400, 400, 0);
			for (int i = 0; i < 400; i++) for (int j = 0; j < 400; j++) some[i][j] = (ofRow ? i : j) == 5 ? 1 : 0;
			assertEquals(SHARE * 3 * 400, error(all(3), all(0), 0, some, ofRow), 1e-2);
			// sixteen lines in the window: the root of the sum of their mean squares times that of the sums of the template's lines
			final double[] sixteen = new double[1024];
			Arrays.fill(sixteen, 0, 16, 3);
			final double[][] four = coefficients(400, 400, 0);
			for (int i = 0; i < 400; i++) for (int j = 0; j < 400; j++) four[i][j] = (ofRow ? i : j) == 5 ? 1 : 0.1;
			final double sums = 400 * Math.sqrt(1 + 399 * 0.01), greatest = 3 * 400 * (1 + 39.9), roots = 16 * 3 * 400;
			assertEquals(SHARE * 12 * sums, error(ofRow ? all(0) : sixteen, ofRow ? sixteen : all(0), 0, four, ofRow), 1e-2);
			assertTrue(12 * sums < Math.min(greatest, roots), "the root of the sum of squares is the least");
		}
	}

	/** What was subtracted from all pixels errs with the sign of the template as well, though no pixel is left. */
	@Test
	void theNumberThatWasSubtracted() {
		for (final boolean ofRow : new boolean[] { false, true }) {
			assertEquals(SHARE * 7 * 12, error(all(0), all(0), -7, coefficients(4, 3, 1), ofRow), 1e-9);
			assertEquals(SHARE * (64 * 64 + 7 * 64 * 64), error(all(1), all(0), 7, coefficients(64, 64, 1), ofRow), 1e-4);
		}
	}

	/** A folded line has parts of two rows: root two times the norms over rows. Parts that threads add up have the norms of the whole. */
	@Test
	void normsOfCoefficients() {
		final int width = 700, height = 500;
		final double[][] rows = new double[height][];
		final double[] all = new double[width * height];
		final Random random = new Random(1);
		for (int y = 0; y < height; y++) {
			rows[y] = random.doubles(width, -1, 1).toArray();
			System.arraycopy(rows[y], 0, all, y * width, width);
		}
		all[all.length - 1] = rows[height - 1][width - 1] = -3;
		final CoefficientNorms whole = CoefficientNorms.of(height, false, rows), folded = CoefficientNorms.of(height, true, rows),
			threads = CoefficientNorms.of(width, height, all, 2);
		assertEquals(3, whole.greatest());
		assertEquals(3, threads.greatest());
		for (final ToDoubleFunction<CoefficientNorms> norm
			: List.<ToDoubleFunction<CoefficientNorms>>of(CoefficientNorms::all, CoefficientNorms::column,
			CoefficientNorms::row, CoefficientNorms::sum, CoefficientNorms::sumOfColumns, CoefficientNorms::sumOfRows,
				CoefficientNorms::sumOfColumn,
			CoefficientNorms::sumOfRow)) assertEquals(norm.applyAsDouble(whole), norm.applyAsDouble(threads),
				1e-9 * norm.applyAsDouble(whole));
		assertEquals(Math.sqrt(2) * whole.row(), folded.row(), 1e-9 * whole.row());
		assertEquals(Math.sqrt(2) * whole.sumOfRows(), folded.sumOfRows(), 1e-9 * whole.sumOfRows());
		assertEquals(2 * whole.sumOfRow(), folded.sumOfRow(), 1e-9 * whole.sumOfRow());
		assertEquals(whole.sumOfColumns(), folded.sumOfColumns());
	}

	/** The energies of the columns of each plane count by themselves: equal planes have the noise of one of them. */
	@Test
	void planesOfAVolume() {
		final int side = 8;
		final PixelNoise plane = new PixelNoise(side, side, 1, false), volume = new PixelNoise(side, side, 2, false);
		final float[] row = new float[side];
		plane.begin();
		volume.begin();
		for (int z = 0; z < 2; z++) for (int y = 0; y < side; y++) {
			row[1] = 3;
			volume.add(z * side + y, row, side);
			if (z == 0) plane.add(y, row, side);
		}
		plane.measure(0, 1, 1);
		volume.measure(0, 1, 1);
		final CoefficientNorms norms = CoefficientNorms.of(1, false, new double[][] { { 1 } });
		final double[] ofPlane = new double[side], ofVolume = new double[side];
		plane.addColumns(norms, ofPlane);
		volume.addColumns(norms, ofVolume);
		assertArrayEquals(ofPlane, ofVolume, 1e-12);
		assertTrue(ofPlane[1] > 0);
	}
}
