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
			final double[][] rows = rows(fft, parts);
			parts.forEach(p, fft.width, (pixel, row, x) -> rows[row][x] = coefficients[pixel]);
			spectra[p] = new Spectrum(fft, rows, rows(fft, parts));
		}
		double energy = 0;
		for (final double c : coefficients) energy += c * c;
		norm = Math.sqrt(energy);
	}

	/** The columns of a block that a part may take: transforms of the others are not needed. */
	private static double[][] rows(final TileFft fft, final TemplateParts parts) {
		return new double[fft.depth * fft.height][Math.min(fft.width, parts.part[0])];
	}
}
