package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cpu.fft.TileFft;

class SpectrumTest {

	/** Two spectra from one transform are those of two transforms, for powers of two, three times powers of two, and volumes. */
	@ParameterizedTest
	@CsvSource({ "8, 8, 1", "16, 4, 1", "12, 6, 1", "1, 16, 1", "24, 8, 6", "2, 3, 4" })
	void aPairIsTwoSpectra(final int width, final int height, final int depth) {
		final TileFft fft = new TileFft(width, height, depth, false);
		final double[][] a = random(fft, 1), b = random(fft, 2);
		final Spectrum[] alone = { new Spectrum(fft, random(fft, 1), new double[depth * height][width]),
			new Spectrum(fft, random(fft, 2), new double[depth * height][width]) };
		final Spectrum[] pair = Spectrum.pair(fft, a, b);
		for (int i = 0; i < 2; i++) {
			assertEquals(alone[i].norms.all(), pair[i].norms.all(), 1e-12);
			for (int k = 0; k < alone[i].re.length; k++) {
				assertArrayEquals(alone[i].re[k], pair[i].re[k], 1e-7f);
				assertArrayEquals(alone[i].im[k], pair[i].im[k], 1e-7f);
			}
		}
	}

	private static double[][] random(final TileFft fft, final long seed) {
		final Random random = new Random(seed);
		final double[][] rows = new double[fft.depth * fft.height][fft.width];
		for (final double[] row : rows)
			for (int x = 0; x < row.length; x++) row[x] = random.nextDouble() - 0.3;
		return rows;
	}
}
