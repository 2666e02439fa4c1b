package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.estimate.FourierError;
import sc.fiji.ncc.loops.Rows;

/** The numerators of a tile from those of a {@link WholeFrame}. A tile has all lags along x. */
public final class WholeNumerator extends FloatNumerator {

	private WholeFrame frame;
	private WholeFrame.Numerators numerators;
	/** The first row of the tile. */
	private int first;

	/**
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 * @param maxLags the maximum number of lags along x
	 */
	public WholeNumerator(final boolean whole, final int maxLags) {
		super(FourierError.inFloat(whole, maxLags));
	}

	@Override
	public void begin(final TileInput input, final BlockSpectra kept) {
		super.begin(input, kept);
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
	public void release() {
		tile = null;
		frame = null;
		numerators = null;
		row = null;
	}
}
