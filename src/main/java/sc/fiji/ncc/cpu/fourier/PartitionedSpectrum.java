package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;

/**
 * The spectra of a template's partitions, two partitions in one spectrum: conjugate and scaled, so that the sum of their products with
 * those of an image's blocks is the spectrum of the correlation. Shared by all threads.
 */
public final class PartitionedSpectrum {

	final Spectrum[] pairs;
	/** The root of the sum of the squares of all coefficients. */
	final double norm;

	/** @param coefficients one for each pixel of the template, x fastest */
	public PartitionedSpectrum(final TileFft fft, final PartitionShape shape, final TemplatePlanes planes, final double[] coefficients) {
		pairs = new Spectrum[shape.pairs()];
		double energy = 0;
		for (int q = 0; q < pairs.length; q++) {
			final double[][] re = new double[fft.height][shape.partitionWidth], im = new double[fft.height][shape.partitionWidth];
			energy += cut(shape, planes, coefficients, 2 * q, re) + cut(shape, planes, coefficients, 2 * q + 1, im);
			pairs[q] = new Spectrum(fft, re, im);
		}
		norm = Math.sqrt(energy);
	}

	/** Copies a partition and returns the sum of its squares. Copies nothing beyond the last partition. */
	private static double cut(final PartitionShape shape, final TemplatePlanes planes, final double[] from, final int partition, final double[][] to) {
		final int x0 = partition % shape.partitionsX * shape.partitionWidth, y0 = partition / shape.partitionsX * shape.partitionHeight;
		final int w = Math.min(shape.partitionWidth, planes.width - x0), h = Math.min(shape.partitionHeight, planes.height - y0);
		double energy = 0;
		for (int y = 0; y < h; y++) {
			System.arraycopy(from, (y0 + y) * planes.width + x0, to[y], 0, w);
			for (int x = 0; x < w; x++) energy += to[y][x] * to[y][x];
		}
		return energy;
	}
}
