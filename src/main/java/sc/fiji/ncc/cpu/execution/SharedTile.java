package sc.fiji.ncc.cpu.execution;

import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.MomentRecord;

/** The data of a tile that templates of one size share: the scale of its pixels, the moments of its windows, the spectra of its blocks. */
public final class SharedTile {

	/** One for each channel. */
	public final MomentRecord[] moments;
	public TileScale scale;
	/** Null if numerators are not computed from spectra. */
	public BlockSpectra spectra;

	public SharedTile(final int channels) {
		moments = IntStream.range(0, channels).mapToObj(c -> new MomentRecord()).toArray(MomentRecord[]::new);
	}
}
