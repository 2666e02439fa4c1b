package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;

/** Numerators by transforms in double, against sums of products; and their errors, which follow from the energy of a pair of blocks. */
class DoubleFourierNumeratorTest {

	private static final Device DEVICE = new Device("cpu", "test", 1, 1L << 30);

	/** The left half of the image is bright, so blocks differ. Two blocks share a transform, and with it the error. */
	@ParameterizedTest
	@CsvSource({ "13, 12, 4, 5, SINGLE", "13, 12, 4, 5, DOUBLE", "5, 4, 20, 15, SINGLE", "5, 4, 20, 15, DOUBLE", "3, 3, 300, 40, DOUBLE",
		"16, 9, 90, 200, SINGLE" })
	void sumsAndTheirErrors(final int w, final int h, final int lagsX, final int lagsY, final Precision precision) {
		final Random random = new Random(2);
		final int width = lagsX + w - 1, height = lagsY + h - 1;
		final double[] pixels = new double[width * height], template = random.doubles(w * h, -1, 1).toArray();
		for (int i = 0; i < pixels.length; i++) pixels[i] = (i % width < width / 2 ? 100 : 1) * random.nextGaussian();
		final Size size = Size.of(w, h);
		final FourierShape shape = FourierShape.of(size, Size.of(lagsX, lagsY), DEVICE);
		final DoubleSpectra spectra = new DoubleSpectra(new TemplateParts(new TemplatePlanes(size), shape), List.of(template), null);
		final int[] lags = { lagsX, lagsY, 1 };
		final DoubleFourierNumerator numerator = new DoubleFourierNumerator(spectra, w * h, new int[] { lagsX, lagsY, 1 }, precision);
		final TileReader reader = new TileReader(PixelType.F64);
		reader.read(new ArrayPixels(PixelType.F64, new int[] { width, height }, pixels), new long[2], width, height);
		numerator.begin(TileInput.of(new TileReader[] { reader }, TileScale.about(0), lags, () -> false), null);
		numerator.correlate(0);
		final double norm = Math.sqrt(sumOfSquares(template));
		final int[] block = shape.block();
		double least = Double.POSITIVE_INFINITY, most = 0;
		for (int y = 0; y < lagsY; y++) {
			final double[] row = new double[lagsX];
			numerator.startRow(0, y);
			numerator.doubles(row);
			final double[] variances = numerator.error().minVariance();
			for (int x = 0; x < lagsX; x++) {
				double sum = 0;
				for (int i = 0; i < w * h; i++) sum += template[i] * pixels[(y + i / w) * width + x + i % w];
				assertEquals(sum, row[x], 1e-11 * norm * 100 * Math.sqrt(w * h), x + ", " + y);
				least = Math.min(least, variances[x]);
				most = Math.max(most, variances[x]);
			}
		}
		// of a pair of blocks, which overlap, no pixel counts more than twice
		final double unit = 64 * Math.sqrt(w * h) * Tolerance.EPS_DOUBLE / Tolerance.of(precision), points = (double) block[0] * block[1];
		assertTrue(most <= 2 * unit * unit * sumOfSquares(pixels) / points, most + " is more than the energy of the image allows");
		assertTrue(least > 0 && (lagsX < 300 || least < most / 2), "blocks of the faint half have smaller errors");
		if (lagsX < 10) {
			assertTrue(block[0] >= width && block[1] >= height, "several blocks");
			assertEquals(unit * unit * sumOfSquares(pixels) / points, most, 1e-9 * most, "one block has all pixels");
			assertEquals(most, least);
		}
		assertEquals(Math.sqrt(most) * Tolerance.of(precision) * norm, numerator.worstError(), 1e-9 * numerator.worstError());
		assertTrue(numerator.error().limit() > 1e6, "a limit from the rounding of pixels alone");
	}

	private static double sumOfSquares(final double[] values) {
		double sum = 0;
		for (final double v : values) sum += v * v;
		return sum;
	}
}
