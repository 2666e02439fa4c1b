package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.TileFft;

/** The spectra of the parts of a template or a mask, in float. Shared by all threads. */
public final class PartSpectra {

	final TileFft fft;
	final TemplateParts parts;
	final Spectrum[] spectra;
	/** The root of the sum of the squares of all coefficients. */
	public final double norm;

	/** @param coefficients one for each pixel of the template, x fastest */
	public PartSpectra(final TileFft fft, final TemplateParts parts, final double[] coefficients) {
		this.fft = fft;
		this.parts = parts;
		spectra = new Spectrum[parts.count];
		for (int p = 0; p < spectra.length; p++) {
			final double[][] rows = rows(fft);
			parts.forEach(p, fft.width, (pixel, row, x) -> rows[row][x] = coefficients[pixel]);
			spectra[p] = new Spectrum(fft, rows, rows(fft));
		}
		norm = norm(coefficients);
	}

	private PartSpectra(final TileFft fft, final TemplateParts parts, final double norm) {
		this.fft = fft;
		this.parts = parts;
		this.norm = norm;
		spectra = new Spectrum[parts.count];
	}

	/** The spectra of two sets of coefficients of similar size, by one transform for both. Not for folded lines. */
	static PartSpectra[] pair(final TileFft fft, final TemplateParts parts, final double[] a, final double[] b) {
		final PartSpectra[] pair = { new PartSpectra(fft, parts, norm(a)), new PartSpectra(fft, parts, norm(b)) };
		for (int p = 0; p < parts.count; p++) {
			final double[][] first = rows(fft), second = rows(fft);
			parts.forEach(p, fft.width, (pixel, row, x) -> {
				first[row][x] = a[pixel];
				second[row][x] = b[pixel];
			});
			final Spectrum[] both = Spectrum.pair(fft, first, second);
			for (int i = 0; i < 2; i++) pair[i].spectra[p] = both[i];
		}
		return pair;
	}

	private static double norm(final double[] coefficients) {
		double energy = 0;
		for (final double c : coefficients) energy += c * c;
		return Math.sqrt(energy);
	}

	private static double[][] rows(final TileFft fft) {
		return new double[fft.depth * fft.height][fft.width];
	}
}
