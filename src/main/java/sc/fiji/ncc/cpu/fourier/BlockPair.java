package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.estimate.ForwardNoise;
import sc.fiji.ncc.estimate.PixelNoise;
import sc.fiji.ncc.estimate.SpectralNoise;

/**
 * Two blocks of real numbers that share one complex transform in float, as {@code a + i·b}: since coefficients are real, the inverse transform of a product
 * is {@code a⋆T + i·(b⋆T)}. Belongs to one thread.
 */
final class BlockPair {

	/** The numbers of blocks. */
	interface Source {

		/**
		 * Reads a block: each number minus a mean, 0 outside the tile.
		 *
		 * @param energies receives the energies of the rows
		 * @return the mean, if the numbers minus the mean are rounded; else 0
		 */
		float load(int block, float[][] to, PixelNoise energies);
	}

	final TileFft fft;
	final BlockGrid grid;
	/** The numbers. If blocks are square, their spectrum may have the same arrays. */
	final float[][] re, im, spectrumRe, spectrumIm;
	/** The energies of the last spectrum in {@link #spectrumRe}. */
	final SpectralNoise noise;
	/** The products of the spectrum with each set of coefficients. A single one overwrites the spectrum, unless this is still needed. */
	private final float[][][] productRe, productIm;
	/** Whether sums have the arrays of their product, because those of the numbers have the spectrum. */
	private final boolean sumsInPlace;
	/** The errors of the forward transforms, for each set of coefficients. */
	private final ForwardNoise[] forward;
	private TileInput tile;

	/**
	 * @param sets the number of sets of coefficients that are correlated with the parts of a block at once
	 * @param again whether a spectrum is needed again after it was multiplied
	 * @param inPlace whether spectrum and numbers may have the same arrays
	 */
	BlockPair(final TileFft fft, final BlockGrid grid, final int sets, final boolean again, final boolean inPlace) {
		this.fft = fft;
		this.grid = grid;
		final boolean shared = inPlace && fft.transposesInPlace(), own = again || grid.parts() > 1;
		re = fft.allocateRows();
		im = fft.allocateRows();
		spectrumRe = shared ? re : fft.allocateSpectrum();
		spectrumIm = shared ? im : fft.allocateSpectrum();
		sumsInPlace = shared && again && grid.parts() == 1;
		noise = fft.newNoise();
		productRe = new float[sets][][];
		productIm = new float[sets][][];
		forward = new ForwardNoise[sets];
		for (int s = 0; s < sets; s++) {
			productRe[s] = own ? fft.allocateSpectrum() : spectrumRe;
			productIm[s] = own ? fft.allocateSpectrum() : spectrumIm;
			forward[s] = new ForwardNoise(fft.width, fft.height, false);
		}
	}

	/** Starts a tile. */
	void begin(final TileInput input) {
		tile = input;
		grid.begin(input.lagsX(), input.lagsY(), input.lagsZ());
	}

	/** The block after this one; -1 if there is none. */
	int next(final int block) {
		return block + 1 < grid.blocks ? block + 1 : -1;
	}

	/** Reads two adjacent blocks, or the last one, and computes their spectrum and its energies. */
	void forward(final Source source, final int block, final float[][] toRe, final float[][] toIm, final SpectralNoise energies) {
		tile.poll();
		energies.pixels.begin();
		double mean = Math.abs(source.load(block, re, energies.pixels));
		if (next(block) >= 0) mean = Math.max(mean, Math.abs(source.load(block + 1, im, energies.pixels)));
		else clear(im);
		forward(mean, toRe, toIm, energies);
	}

	/** Computes the spectrum of the numbers in {@link #re} and {@link #im}, whose energies were added. */
	void forward(final double mean, final float[][] toRe, final float[][] toIm, final SpectralNoise energies) {
		energies.pixels.measure(mean, grid.partWidth(), grid.partHeight());
		fft.forward(re, im, toRe, toIm);
		energies.measure(toRe, toIm);
	}

	/**
	 * Correlates a spectrum of two blocks with coefficients of one part, and stores the sums.
	 *
	 * @param other the second block; -1 if there is none
	 * @param rounding the error of the numbers, in the unit of {@link BlockSums#store}
	 */
	void correlate(final float[][] fromRe, final float[][] fromIm, final SpectralNoise energies, final BlockSums to, final int block, final int other,
		final double rounding)
	{
		final Spectrum with = to.spectrum(0);
		forward[0].begin();
		forward[0].add(energies, with.noise, with.norms);
		forward[0].finish(1, rounding);
		with.multiply(fromRe, fromIm, productRe[0], productIm[0]);
		store(0, block, other, to);
	}

	/**
	 * Correlates two adjacent blocks with sets of coefficients, and stores the sums over all parts. The errors of the forward transforms of the parts may be
	 * alike: they add up. So do those of the additions, which are relative to the products without the levels of a transform.
	 */
	void correlateParts(final Source source, final int block, final double rounding, final BlockSums... to) {
		for (int s = 0; s < to.length; s++) forward[s].begin();
		for (int p = 0; p < grid.parts(); p++) {
			grid.part(p);
			forward(source, block, spectrumRe, spectrumIm, noise);
			for (int s = 0; s < to.length; s++) {
				final Spectrum part = to[s].spectrum(p);
				forward[s].add(noise, part.noise, part.norms);
				for (int k = 0; k < spectrumRe.length; k++)
					if (p == 0) part.product(k, spectrumRe[k], spectrumIm[k], productRe[s][k], productIm[s][k]);
					else part.addProduct(k, spectrumRe[k], spectrumIm[k], productRe[s][k], productIm[s][k]);
			}
		}
		grid.part(0);
		for (int s = 0; s < to.length; s++) {
			forward[s].finish(BlockSums.additions(grid.parts(), fft.points()), rounding);
			store(s, block, next(block), to[s]);
		}
	}

	private void store(final int set, final int block, final int other, final BlockSums to) {
		final float[][] a = sumsInPlace ? productRe[set] : re, b = sumsInPlace ? productIm[set] : im;
		fft.inverse(productRe[set], productIm[set], a, b);
		to.store(block, a, other, other < 0 ? null : b, forward[set]);
	}

	static void clear(final float[][] a) {
		for (final float[] row : a) Arrays.fill(row, 0);
	}
}
