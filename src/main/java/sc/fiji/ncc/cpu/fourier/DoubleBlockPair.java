package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;

import sc.fiji.ncc.cpu.fft.DoubleTileFft;
import sc.fiji.ncc.cpu.tile.TileInput;

/** {@link BlockPair} in double. */
final class DoubleBlockPair {

	/** The numbers of blocks. */
	interface Source {

		/** Reads a block, 0 outside the tile. Returns its energy. */
		double load(int block, double[][] to);
	}

	final double[][] re, im;
	private final DoubleTileFft fft;
	private final BlockGrid grid;
	/** The product has its own arrays if it is a sum over parts, or if the spectrum is needed again. */
	private final double[][] spectrumRe, spectrumIm, productRe, productIm;
	private TileInput tile;

	/** @param again whether a spectrum is needed again after it was multiplied */
	DoubleBlockPair(final DoubleTileFft fft, final BlockGrid grid, final boolean again) {
		this.fft = fft;
		this.grid = grid;
		final boolean own = again || grid.parts() > 1;
		re = fft.allocateRows();
		im = fft.allocateRows();
		spectrumRe = fft.allocateSpectrum();
		spectrumIm = fft.allocateSpectrum();
		productRe = own ? fft.allocateSpectrum() : spectrumRe;
		productIm = own ? fft.allocateSpectrum() : spectrumIm;
	}

	/** Starts a tile. */
	void begin(final TileInput input) {
		tile = input;
		grid.begin(input.lagsX(), input.lagsY(), input.lagsZ());
	}

	/** Reads two adjacent blocks, or the last one. Returns their energy. */
	double load(final Source source, final int block) {
		tile.poll();
		final double energy = source.load(block, re);
		if (block + 1 < grid.blocks) return energy + source.load(block + 1, im);
		for (final double[] row : im) Arrays.fill(row, 0);
		return energy;
	}

	/** Computes the spectrum of the blocks that were read. */
	void transform() {
		fft.forward(re, im, spectrumRe, spectrumIm);
	}

	/** Correlates two adjacent blocks with coefficients, and stores the sums over all parts. Returns the energy of the blocks. */
	double correlate(final Source source, final int block, final DoubleSpectra.DoubleSpectrum with, final double[][] to) {
		double energy = 0;
		for (int p = 0; p < grid.parts(); p++) {
			grid.part(p);
			energy += load(source, block);
			transform();
			if (p < grid.parts() - 1) multiply(p, with);
		}
		grid.part(0);
		correlateLast(block, with, to);
		return energy;
	}

	private void multiply(final int part, final DoubleSpectra.DoubleSpectrum with) {
		if (part == 0) with.multiply(0, spectrumRe, spectrumIm, productRe, productIm);
		else with.addProduct(part, spectrumRe, spectrumIm, productRe, productIm);
	}

	/** Multiplies the last spectrum, that of the last or the only part, and stores the sums. */
	void correlateLast(final int block, final DoubleSpectra.DoubleSpectrum with, final double[][] to) {
		multiply(grid.parts() - 1, with);
		fft.inverse(productRe, productIm, re, im);
		grid.store(re, block, to);
		if (block + 1 < grid.blocks) grid.store(im, block + 1, to);
	}
}
