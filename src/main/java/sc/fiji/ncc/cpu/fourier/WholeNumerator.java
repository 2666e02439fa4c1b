package sc.fiji.ncc.cpu.fourier;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.FrameData;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/** The numerators of a tile from those of a {@link WholeFrame}. A tile has all lags along x. */
public final class WholeNumerator implements Numerator {

	private final double limit;
	private WholeFrame frame;
	private WholeFrame.Numerators numerators;
	private int first, lags;
	private final double[] minVariance;
	private BooleanSupplier stop;

	/**
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 * @param maxLags the maximum number of lags along x
	 */
	public WholeNumerator(final boolean whole, final int maxLags) {
		minVariance = new double[maxLags];
		limit = Tolerance.roundedLimit(whole);
	}

	@Override
	public void use(final FrameData data, final long[] lag) {
		frame = (WholeFrame) data;
		if (frame == null) numerators = null;
		else first = (int) (lag[1] - frame.origin()[1]);
	}

	@Override
	public TileScale scale() {
		return frame.scale();
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {
		resume(null, lagsX, lagsY, lagsZ, stop);
	}

	@Override
	public void resume(final BlockSpectra spectra, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {
		lags = lagsX;
		this.stop = stop;
	}

	@Override
	public void select(final int index) {
		numerators = frame.numerators(index, stop);
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {}

	@Override
	public float[] finish(final int z, final int y, final float[] room) {
		estimate(y);
		return numerators.rows()[first + y];
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		estimate(y);
		Rows.toDouble(numerators.rows()[first + y], to, lags);
	}

	@Override
	public double limit() {
		return limit;
	}

	@Override
	public double partialLimit(final double share, final double contrast) {
		return limit * share;
	}

	@Override
	public double floor() {
		// the estimate uses energies, which are squares in float
		return Tolerance.FLOOR;
	}

	@Override
	public double[] minVariance() {
		return minVariance;
	}

	private void estimate(final int y) {
		Rows.squaredSum(numerators.columnNoise(), numerators.rowNoise()[first + y], minVariance, 0, lags);
	}
}
