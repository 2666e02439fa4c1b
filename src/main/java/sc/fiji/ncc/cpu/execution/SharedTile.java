package sc.fiji.ncc.cpu.execution;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.MomentRecord;

/** The data of a tile that templates of one size share: the scale of its pixels, the moments of its windows, the spectra of its blocks. */
public final class SharedTile {

	public final MomentRecord moments = new MomentRecord();
	public TileScale scale;
	/** Null if numerators are not computed from spectra. */
	public BlockSpectra spectra;
}
