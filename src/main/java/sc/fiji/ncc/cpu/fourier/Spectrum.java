package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.SpectralNoise;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.loops.Fused;

/**
 * The spectrum of a part of a template or of a mask in float: conjugate and scaled, so that the inverse transform of a product with it is the correlation. Shared by
 * all threads.
 */
final class Spectrum {

	final TileFft fft;
	final float[][] re, im;
	/** The root of the sum of the squares of all coefficients. */
	final double norm;
	/** The energies, which determine the share of a block's rounding errors that the template receives. */
	final SpectralNoise noise;

	/** The spectrum of two sets of coefficients, which lie in their places in two blocks. Overwrites both blocks. */
	Spectrum(final TileFft fft, final float[][] rowsRe, final float[][] rowsIm) {
		this.fft = fft;
		norm = Math.sqrt(energy(rowsRe) + energy(rowsIm));
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

	private static double energy(final float[][] rows) {
		double energy = 0;
		for (final float[] row : rows)
			for (final float v : row) energy += (double) v * v;
		return energy;
	}

	/** Multiplies a spectrum by this one. The result may overwrite it. */
	void multiply(final float[][] re, final float[][] im, final float[][] toRe, final float[][] toIm) {
		for (int k = 0; k < re.length; k++) multiply(re[k], im[k], this.re[k], this.im[k], toRe[k], toIm[k], re[k].length);
	}

	/** Adds the product of row {@code k} of a spectrum and of this one. */
	void addProduct(final int k, final float[] re, final float[] im, final float[] toRe, final float[] toIm) {
		addDifference(toRe, re, this.re[k], im, this.im[k], re.length);
		addSum(toIm, re, this.im[k], im, this.re[k], re.length);
	}

	/** {@code to + a·b − c·d}: C2 does not vectorise a loop over more arrays. */
	private static void addDifference(final float[] to, final float[] a, final float[] b, final float[] c, final float[] d, final int n) {
		for (int x = 0; x < n; x++) to[x] = Fused.add(a[x], b[x], to[x]) - c[x] * d[x];
	}

	private static void addSum(final float[] to, final float[] a, final float[] b, final float[] c, final float[] d, final int n) {
		for (int x = 0; x < n; x++) to[x] = Fused.add(c[x], d[x], Fused.add(a[x], b[x], to[x]));
	}

	/** Multiplies row {@code k} of a spectrum by that of this one. */
	void product(final int k, final float[] re, final float[] im, final float[] toRe, final float[] toIm) {
		multiply(re, im, this.re[k], this.im[k], toRe, toIm, re.length);
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
