package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.DoubleTileFft;

/** The spectra of templates of one size and of their mask, in double. Each is computed when a thread first needs it. Shared by all threads. */
public final class DoubleSpectra {

	final DoubleTileFft fft;
	final TemplateParts parts;
	private final List<double[]> coefficients;
	private final DoubleSpectrum[] templates;
	private final double[] weights;
	private DoubleSpectrum mask;

	/**
	 * @param coefficients those of each template, x fastest
	 * @param weights the weights of the templates, if the moments are computed, too. Default: null
	 */
	public DoubleSpectra(final TemplateParts parts, final List<double[]> coefficients, final double[] weights) {
		this.parts = parts;
		this.coefficients = coefficients;
		this.weights = weights;
		fft = DoubleTileFft.of(parts.block[0], parts.block[1], parts.block[2]);
		templates = new DoubleSpectrum[coefficients.size()];
	}

	boolean weighted() {
		return weights != null;
	}

	/** The number of pixels of a template. */
	int pixels() {
		return coefficients.get(0).length;
	}

	synchronized DoubleSpectrum template(final int index) {
		if (templates[index] == null) templates[index] = new DoubleSpectrum(fft, parts, coefficients.get(index));
		return templates[index];
	}

	/** The spectra of the weights; null without weights. */
	synchronized DoubleSpectrum mask() {
		if (mask == null && weights != null) mask = new DoubleSpectrum(fft, parts, weights);
		return mask;
	}

	/** The spectra of the parts of a template, conjugate and scaled. */
	static final class DoubleSpectrum {

		private final double[][][] re, im;
		final double norm;

		DoubleSpectrum(final DoubleTileFft fft, final TemplateParts parts, final double[] coefficients) {
			re = new double[parts.count][][];
			im = new double[parts.count][][];
			final double[][] rowsIm = fft.allocateRows();
			for (int p = 0; p < parts.count; p++) {
				final double[][] rowsRe = fft.allocateRows();
				for (final double[] row : rowsIm) Arrays.fill(row, 0);
				parts.forEach(p, fft.width, (pixel, row, x) -> rowsRe[row][x] = coefficients[pixel]);
				re[p] = fft.allocateSpectrum();
				im[p] = fft.allocateSpectrum();
				fft.forward(rowsRe, rowsIm, re[p], im[p]);
				for (final double[] row : re[p]) scale(row, 1.0 / fft.points());
				for (final double[] row : im[p]) scale(row, -1.0 / fft.points());
			}
			double energy = 0;
			for (final double c : coefficients) energy += c * c;
			norm = Math.sqrt(energy);
		}

		private static void scale(final double[] a, final double s) {
			for (int x = 0; x < a.length; x++) a[x] *= s;
		}

		/** Multiplies a spectrum by that of part {@code p}. The result may overwrite it. */
		void multiply(final int p, final double[][] re, final double[][] im, final double[][] toRe, final double[][] toIm) {
			for (int k = 0; k < re.length; k++) multiply(re[k], im[k], this.re[p][k], this.im[p][k], toRe[k], toIm[k], re[k].length);
		}

		/** Adds the product of a spectrum and that of part {@code p}. */
		void addProduct(final int p, final double[][] re, final double[][] im, final double[][] toRe, final double[][] toIm) {
			for (int k = 0; k < re.length; k++) {
				addProduct(toRe[k], re[k], this.re[p][k], im[k], this.im[p][k], -1, re[k].length);
				addProduct(toIm[k], re[k], this.im[p][k], im[k], this.re[p][k], 1, re[k].length);
			}
		}

		private static void addProduct(final double[] to, final double[] a, final double[] b, final double[] c, final double[] d, final int sign, final int n) {
			for (int x = 0; x < n; x++) to[x] += a[x] * b[x] + sign * c[x] * d[x];
		}

		private static void multiply(final double[] re, final double[] im, final double[] c, final double[] d, final double[] toRe, final double[] toIm,
			final int n)
		{
			for (int x = 0; x < n; x++) {
				final double a = re[x], b = im[x];
				toRe[x] = a * c[x] - b * d[x];
				toIm[x] = a * d[x] + b * c[x];
			}
		}
	}
}
