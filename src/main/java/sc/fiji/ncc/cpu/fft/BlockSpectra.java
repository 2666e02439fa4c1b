package sc.fiji.ncc.cpu.fft;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.estimate.SpectralNoise;

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
			noise[p] = fft.newNoise();
		}
	}

	private BlockSpectra(final float[][][] re, final float[][][] im, final SpectralNoise[] noise) {
		this.re = re;
		this.im = im;
		this.noise = noise;
	}

	/** The spectra of several channels, as many for each, one channel after the other. */
	public static BlockSpectra join(final List<BlockSpectra> channels) {
		return new BlockSpectra(channels.stream().flatMap(s -> Arrays.stream(s.re)).toArray(float[][][]::new),
			channels.stream().flatMap(s -> Arrays.stream(s.im)).toArray(float[][][]::new), channels.stream().flatMap(s -> Arrays.stream(s.noise))
				.toArray(SpectralNoise[]::new));
	}

	/** The spectra of one of several channels. */
	public BlockSpectra channel(final int channel, final int channels) {
		final int from = re.length / channels * channel, to = re.length / channels * (channel + 1);
		return new BlockSpectra(Arrays.copyOfRange(re, from, to), Arrays.copyOfRange(im, from, to), Arrays.copyOfRange(noise, from, to));
	}

	public static long bytes(final long points, final long pairs) {
		return 8 * points * pairs;
	}
}
