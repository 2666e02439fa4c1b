package sc.fiji.ncc.cpu.fft;

/** The spectra of a tile's blocks, two blocks in one spectrum, and the energies from which their errors are estimated. */
public final class BlockSpectra {

	public final float[][][] re, im;
	public final SpectralNoise[] noise;

	public BlockSpectra(final TileFft fft, final int pairs) {
		re = new float[pairs][][];
		im = new float[pairs][][];
		noise = new SpectralNoise[pairs];
		for (int p = 0; p < pairs; p++) {
			re[p] = fft.allocateSpectrum();
			im[p] = fft.allocateSpectrum();
			noise[p] = new SpectralNoise(fft);
		}
	}

	public static long bytes(final long points, final long pairs) {
		return 8 * points * pairs;
	}
}
