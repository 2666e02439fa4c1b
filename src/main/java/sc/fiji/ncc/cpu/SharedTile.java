package sc.fiji.ncc.cpu;

/** What templates of one size share of a tile: how its pixels become numbers, the moments of its windows, the spectra of its blocks. */
final class SharedTile {

	final MomentRecord moments = new MomentRecord();
	TileScale scale;
	/** Null if numerators are not computed from spectra. */
	BlockSpectra spectra;
}
