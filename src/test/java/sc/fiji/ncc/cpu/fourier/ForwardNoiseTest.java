package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.estimate.ForwardNoise;
import sc.fiji.ncc.estimate.SpectralNoise;

/** The errors of two parts of a template: as independent ones, and as ones that add up. */
class ForwardNoiseTest {

	private static final int SIDE = 32;

	/** The energies of a block of pixels, of which one column and one row are brighter. */
	private static SpectralNoise block(final TileFft fft, final int column, final int row, final Random random) {
		final SpectralNoise noise = fft.newNoise();
		final float[][] re = fft.allocateSpectrum(), im = fft.allocateSpectrum();
		for (final float[][] part : new float[][][] { re, im }) for (final float[] line : part) for (int i = 0; i < line.length; i++)
			line[i] = (float) random.nextGaussian();
		noise.measure(re, im);
		noise.pixels.begin();
		final float[] pixels = new float[SIDE];
		for (int y = 0; y < SIDE; y++) {
			for (int x = 0; x < SIDE; x++) pixels[x] = (float) random.nextGaussian() * (x == column || y == row ? 40 : 1);
			noise.pixels.add(y, pixels, SIDE);
		}
		noise.pixels.measure(0, 4, 4);
		return noise;
	}

	private static Spectrum part(final TileFft fft, final Random random) {
		final double[][] re = new double[SIDE][SIDE];
		for (int y = 0; y < 4; y++) for (int x = 0; x < 4; x++) re[y][x] = random.nextGaussian();
		return new Spectrum(fft, re, new double[SIDE][SIDE]);
	}

	@Test
	void severalParts() {
		final Random random = new Random(1);
		final TileFft fft = TileFft.of(SIDE, SIDE, 1);
		final SpectralNoise[] blocks = { block(fft, 9, -1, random), block(fft, -1, 20, random) };
		final Spectrum[] parts = { part(fft, random), part(fft, random) };
		final double[] noise = new double[2], columns = new double[SIDE], rows = new double[SIDE];
		for (int k = 0; k < 2; k++) {
			noise[k] = blocks[k].of(parts[k].noise);
			blocks[k].pixels.addColumns(parts[k].norms, columns);
			blocks[k].pixels.addRows(parts[k].norms, rows);
		}
		for (final boolean independent : new boolean[] { true, false }) {
			final ForwardNoise forward = new ForwardNoise(SIDE, SIDE, independent);
			for (int frame = 0; frame < 2; frame++) {
				forward.begin();
				for (int k = 0; k < 2; k++) forward.add(blocks[k], parts[k].noise, parts[k].norms);
				forward.finish(3, 0.25);
				final double all = independent ? Math.hypot(noise[0], noise[1]) : noise[0] + noise[1], least = Math.max(all, Arrays.stream(columns).min().orElseThrow());
				final String what = (independent ? "independent" : "in sum") + ", frame " + frame;
				assertEquals(3 * all + 0.25, forward.block, 1e-9 * forward.block, what);
				final double[] ofColumns = Arrays.stream(columns).map(c -> 3 * Math.max(0, c - all)).toArray(),
					ofRows = Arrays.stream(rows).map(r -> 3 * Math.max(0, r - least)).toArray();
				assertArrayEquals(ofColumns, forward.columns, 1e-6, what);
				assertArrayEquals(ofRows, forward.rows, 1e-6, what);
				assertTrue(Arrays.stream(ofColumns).max().orElseThrow() > 1 && Arrays.stream(ofRows).max().orElseThrow() > 1, "the bright lines exceed the block");
			}
		}
	}
}
