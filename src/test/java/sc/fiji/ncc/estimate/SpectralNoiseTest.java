package sc.fiji.ncc.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.fft.TileFft;

/** Each term of the estimate by its closed form, on spectra for which it is the greatest. A spectrum has {@code depth·width} rows of {@code height} values. */
class SpectralNoiseTest {

	private static double levels(final int points) {
		return Math.log(points) / Math.log(2);
	}

	/** A spectrum with the value 3 + 4i at some places: {@code {z, x, y}}. */
	private static SpectralNoise spectrum(final TileFft fft, final int[]... places) {
		final float[][] re = new float[fft.depth * fft.width][fft.height], im = new float[fft.depth * fft.width][fft.height];
		for (final int[] p : places) {
			re[p[0] * fft.width + p[1]][p[2]] = 3;
			im[p[0] * fft.width + p[1]][p[2]] = 4;
		}
		final SpectralNoise noise = fft.newNoise();
		noise.measure(re, im);
		return noise;
	}

	/** Energies of 25 and 25 that meet on a line of an axis count there, and as noise along y and z where they do not meet. */
	@Test
	void energiesMeetOnTheLinesOfAnAxis() {
		final TileFft fft = TileFft.of(32, 16, 8);
		final double product = 25 * 25, spread = product / (32 * 16 * 8), y = levels(fft.height), x = levels(fft.width), z = levels(fft.depth);
		final SpectralNoise image = spectrum(fft, new int[] { 2, 5, 7 });
		// the same place
		assertEquals(product * (y / fft.height + x / fft.width + z / fft.depth), squared(image, spectrum(fft, new int[] { 2, 5, 7 })), 1e-6);
		// the same line along y, x or z only
		assertEquals(product * y / fft.height + spread * z, squared(image, spectrum(fft, new int[] { 2, 5, 8 })), 1e-6);
		assertEquals(spread * (y + z) + product * x / fft.width, squared(image, spectrum(fft, new int[] { 2, 6, 7 })), 1e-6);
		assertEquals(spread * y + product * z / fft.depth, squared(image, spectrum(fft, new int[] { 3, 5, 7 })), 1e-6);
		// no common line
		assertEquals(spread * (y + z), squared(image, spectrum(fft, new int[] { 3, 6, 8 })), 1e-6);
		// the energy of two places
		assertEquals(2 * spread * (y + z), squared(image, spectrum(fft, new int[] { 3, 6, 8 }, new int[] { 4, 7, 9 })), 1e-6);
	}

	/** The twiddle factors of a folded line are one level more. */
	@Test
	void aFoldedLineHasOneLevelMore() {
		final TileFft fft = TileFft.of(4096, 1, 1);
		final double product = 25 * 25;
		assertEquals(product / fft.height * (levels(fft.height) + 1) + product / fft.width * levels(fft.width),
			squared(spectrum(fft, new int[] { 0, 1, 2 }), spectrum(fft, new int[] { 0, 1, 2 })), 1e-6);
	}

	private static double squared(final SpectralNoise image, final SpectralNoise template) {
		return Math.pow(image.of(template), 2);
	}

	/** An object serves one block after another. */
	@Test
	void energiesOfTheBlockBeforeAreForgotten() {
		final int width = 4, height = 8, depth = 2;
		final Random random = new Random(1);
		final SpectralNoise fresh = new SpectralNoise(width, height, depth, false), used = new SpectralNoise(width, height, depth, false);
		final float[][] zero = new float[width * depth][height], before = new float[width * depth][height],
			values = new float[width * depth][height];
		for (final float[][] block : new float[][][] { before, values }) for (final float[] row
			: block) for (int i = 0; i < height; i++) row[i] = random.nextFloat();
		fresh.measure(values, zero);
		used.measure(before, zero);
		used.measure(values, zero);
		assertEquals(fresh.of(fresh), used.of(used));
	}

	/** Sums of equal columns have, with their signs, the energy of these columns. */
	@Test
	void signsOfColumns() {
		final int width = 4000, lags = 10;
		final float[] sums = new float[SignedSums.columns(lags, width)];
		for (int x = 0; x < width; x++) SignedSums.add(x, new float[] { 1 }, 0, sums, SignedSums.place(x, lags), 1);
		double energy = 0;
		for (final float s : sums) energy += s * s;
		assertEquals(1, energy / width, 1);
	}
}
