package sc.fiji.ncc.cpu.fourier;

import java.util.List;

import sc.fiji.ncc.cpu.fft.DoubleTileFft;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.estimate.CoefficientNorms;
import sc.fiji.ncc.estimate.SpectralNoise;

/**
 * The spectrum of a part of a template or of a mask in float: conjugate and scaled, so that the inverse transform of a product with it is the
 * correlation. It is transformed in double and then rounded. Each of its values errs by at most one eps of itself, so the mean of an image, which has
 * hardly any energy where the template has its own, adds nothing. Shared by all threads.
 */
final class Spectrum {

	final TileFft fft;
	final float[][] re, im;
	/** The magnitudes of the coefficients. */
	final CoefficientNorms norms;
	/** The energies, which determine the share of a block's rounding errors that the template receives. */
	final SpectralNoise noise;

	/** The spectrum of two sets of coefficients, which lie in their places in the first columns of two blocks. Overwrites both. */
	Spectrum(final TileFft fft, final double[][] rowsRe, final double[][] rowsIm) {
		this(fft, new double[][][] { rowsRe, rowsIm });
		final int[] block = fft.block();
		final DoubleTileFft inDouble = DoubleTileFft.of(block[0], block[1], block[2]);
		final double[][] toRe = inDouble.allocateSpectrum(), toIm = inDouble.allocateSpectrum();
		inDouble.forward(rowsRe, rowsIm, rowsRe[0].length, toRe, toIm);
		final double scale = 1.0 / fft.points();
		for (int k = 0; k < re.length; k++)
			for (int x = 0; x < re[k].length; x++) {
				re[k][x] = (float) (toRe[k][x] * scale);
				im[k][x] = (float) (toIm[k][x] * -scale);
			}
		noise.measure(re, im);
	}

	private Spectrum(final TileFft fft, final double[][][] coefficients) {
		this.fft = fft;
		norms = CoefficientNorms.of(fft.height, fft.folded, coefficients);
		re = fft.allocateSpectrum();
		im = fft.allocateSpectrum();
		noise = fft.newNoise();
	}

	/**
	 * The spectra of two blocks of coefficients of similar size, by one transform of {@code a + i·b}: that of {@code a} is the part of it that is its own mirrored
	 * conjugate. Overwrites both blocks. Not for folded lines.
	 */
	static Spectrum[] pair(final TileFft fft, final double[][] a, final double[][] b) {
		final Spectrum first = new Spectrum(fft, new double[][][] { a }), second = new Spectrum(fft, new double[][][] { b });
		final DoubleTileFft inDouble = DoubleTileFft.of(fft.width, fft.height, fft.depth);
		final double[][] re = inDouble.allocateSpectrum(), im = inDouble.allocateSpectrum();
		inDouble.forward(a, b, a[0].length, re, im);
		final int[] x = TileFft.negative(fft.width), y = TileFft.negative(fft.height), z = TileFft.negative(fft.depth);
		for (int k = 0; k < re.length; k++) {
			final int other = z[k / fft.width] * fft.width + x[k % fft.width];
			separate(re, im, k, other, y, first, second);
		}
		for (final Spectrum s : List.of(first, second)) s.noise.measure(s.re, s.im);
		return new Spectrum[] { first, second };
	}

	/** Row k of the conjugate spectra of both, from the row of the negative frequencies, too. Their places in that row are {@code y}. */
	private static void separate(final double[][] re, final double[][] im, final int k, final int other, final int[] y,
		final Spectrum first, final Spectrum second) {
		final double[] ofRe = re[k], ofIm = im[k], reOther = re[other], imOther = im[other];
		final float[] firstRe = first.re[k], firstIm = first.im[k], secondRe = second.re[k], secondIm = second.im[k];
		final double half = 0.5 / first.fft.points();
		for (int i = 0; i < ofRe.length; i++) {
			final double p = ofRe[i], q = ofIm[i], u = reOther[y[i]], v = imOther[y[i]];
			firstRe[i] = (float) ((p + u) * half);
			firstIm[i] = (float) ((v - q) * half);
			secondRe[i] = (float) ((q + v) * half);
			secondIm[i] = (float) ((p - u) * half);
		}
	}

	/** Multiplies a spectrum by this one. The result may overwrite it. */
	void multiply(final float[][] re, final float[][] im, final float[][] toRe, final float[][] toIm) {
		for (int k = 0; k < re.length; k++) multiply(re[k], im[k], this.re[k], this.im[k], toRe[k], toIm[k], re[k].length);
	}

	/** Adds the product of row {@code k} of a spectrum and of this one. */
	void addProduct(final int k, final float[] re, final float[] im, final float[] toRe, final float[] toIm) {
		Polyphase.addDifferences(re, this.re[k], im, this.im[k], toRe, re.length);
		Polyphase.addProducts(im, this.re[k], re, this.im[k], toIm, re.length);
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
