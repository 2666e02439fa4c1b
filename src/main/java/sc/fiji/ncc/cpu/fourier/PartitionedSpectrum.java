package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;

/**
 * The spectra of a template's parts, two parts in one: conjugate and scaled, so that the sum of their products with those of a picture's parts comes
 * back as the template's correlation. Shared by all threads.
 */
public final class PartitionedSpectrum {

	final Spectrum[] pairs;
	/** The root of the sum of all coefficients' squares. */
	final double norm;

	/** @param coefficients one a pixel of the template, x fastest */
	public PartitionedSpectrum(final TileFft fft, final PartitionShape shape, final TemplatePlanes planes, final float[] coefficients) {
		pairs = new Spectrum[shape.pairs()];
		double energy = 0;
		for (int q = 0; q < pairs.length; q++) {
			final float[][] re = fft.allocateRows(), im = fft.allocateRows();
			energy += cut(shape, planes, coefficients, 2 * q, re) + cut(shape, planes, coefficients, 2 * q + 1, im);
			pairs[q] = new Spectrum(fft, re, im);
		}
		norm = Math.sqrt(energy);
	}

	/** Copies a part; returns the sum of its squares. Beyond the last one nothing is left. */
	private static double cut(final PartitionShape shape, final TemplatePlanes planes, final float[] from, final int part, final float[][] to) {
		final int x0 = part % shape.partsX * shape.partWidth, y0 = part / shape.partsX * shape.partHeight;
		final int w = Math.min(shape.partWidth, planes.width - x0), h = Math.min(shape.partHeight, planes.height - y0);
		double energy = 0;
		for (int y = 0; y < h; y++) {
			System.arraycopy(from, (y0 + y) * planes.width + x0, to[y], 0, w);
			for (int x = 0; x < w; x++) energy += (double) to[y][x] * to[y][x];
		}
		return energy;
	}
}
