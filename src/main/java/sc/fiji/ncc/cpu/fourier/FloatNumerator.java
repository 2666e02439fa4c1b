package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.estimate.FourierError;
import sc.fiji.ncc.estimate.NumeratorError;
import sc.fiji.ncc.loops.Rows;

/** Numerators of a tile that are computed in float, all before the first row of lags is asked for. */
abstract class FloatNumerator implements Numerator {

	final FourierError error;
	TileInput tile;
	/** The numerators of the last row of lags. */
	float[] row;

	FloatNumerator(final FourierError error) {
		this.error = error;
	}

	@Override
	public void begin(final TileInput input, final BlockSpectra kept) {
		tile = input;
	}

	@Override
	public final float[] floats(final float[] buffer) {
		return row;
	}

	@Override
	public final void doubles(final double[] to) {
		Rows.toDouble(row, to, tile.lagsX());
	}

	@Override
	public final NumeratorError error() {
		return error;
	}
}
