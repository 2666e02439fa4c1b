package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.estimate.FourierError;
import sc.fiji.ncc.estimate.NumeratorError;
import sc.fiji.ncc.loops.Rows;

/** The numerators of a tile from those of a {@link WholeFrame}. A tile has all lags along x. */
public final class WholeNumerator implements Numerator {

	private final FourierError error;
	private TileInput tile;
	private WholeFrame frame;
	private WholeFrame.Numerators numerators;
	/** The first row of the tile. */
	private int first;
	private float[] row;

	/**
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 * @param maxLags the maximum number of lags along x
	 */
	public WholeNumerator(final boolean whole, final int maxLags) {
		error = FourierError.inFloat(whole, maxLags);
	}

	@Override
	public void begin(final TileInput tile, final BlockSpectra kept) {
		this.tile = tile;
		frame = (WholeFrame) tile.frame();
		first = (int) (tile.lag()[1] - frame.origin()[1]);
	}

	@Override
	public void correlate(final int index) {
		numerators = frame.numerators(index, tile.stop());
	}

	@Override
	public void startRow(final int z, final int y) {
		Rows.squaredSum(numerators.columnNoise(), numerators.rowNoise()[first + y], error.minVariance(), 0, tile.lagsX());
		row = numerators.rows()[first + y];
	}

	@Override
	public float[] floats(final float[] buffer) {
		return row;
	}

	@Override
	public void doubles(final double[] to) {
		Rows.toDouble(row, to, tile.lagsX());
	}

	@Override
	public NumeratorError error() {
		return error;
	}

	@Override
	public void release() {
		tile = null;
		frame = null;
		numerators = null;
		row = null;
	}
}
