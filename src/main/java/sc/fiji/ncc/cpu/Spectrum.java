package sc.fiji.ncc.cpu;

/** A template's spectrum in float, or a mask's: conjugate and scaled, so that a product with it and the inverse transform correlate. Shared by all threads. */
final class Spectrum {

	final TileFft fft;
	final float[][] re, im;
	/** The root of the sum of the coefficients' squares. */
	final double norm;
	/** Its energies, which tell what it takes up of a block's rounding errors. */
	final SpectralNoise noise;

	/** @param coefficients one a pixel of the template, x fastest */
	Spectrum(final TileFft fft, final TemplatePlanes planes, final float[] coefficients) {
		this.fft = fft;
		final float[][] rowsRe = fft.allocateRows(), rowsIm = fft.allocateRows();
		final int[] block = fft.block();
		double energy = 0;
		for (int i = 0; i < coefficients.length; i++) {
			final int place = planes.place(i, block);
			rowsRe[place / fft.width][place % fft.width] = coefficients[i];
			energy += (double) coefficients[i] * coefficients[i];
		}
		norm = Math.sqrt(energy);
		re = fft.allocateSpectrum();
		im = fft.allocateSpectrum();
		fft.forward(rowsRe, rowsIm, re, im);
		final float scale = 1f / fft.points();
		for (int k = 0; k < re.length; k++)
			for (int x = 0; x < re[k].length; x++) {
				re[k][x] *= scale;
				im[k][x] *= -scale;
			}
		noise = new SpectralNoise(fft);
		noise.measure(re, im);
	}

	/** Writes a spectrum times this one; to where it lies or elsewhere. */
	void multiply(final float[][] re, final float[][] im, final float[][] toRe, final float[][] toIm) {
		for (int k = 0; k < re.length; k++) multiply(re[k], im[k], this.re[k], this.im[k], toRe[k], toIm[k], re[k].length);
	}

	private static void multiply(final float[] re, final float[] im, final float[] c, final float[] d, final float[] toRe, final float[] toIm,
		final int n)
	{
		for (int x = 0; x < n; x++) {
			final float a = re[x], b = im[x];
			toRe[x] = a * c[x] - b * d[x];
			toIm[x] = a * d[x] + b * c[x];
		}
	}
}
