package sc.fiji.ncc.cpu.window;

import sc.fiji.ncc.cpu.tile.TileInput;

/** The window moments of a whole tile. They are computed once and serve all templates. */
public final class MomentRecord implements WindowMoments, WindowMoments.Error {

	private double[][] sums = {}, energies = {};
	/** Only for moments with minimum variances. Default: null. */
	private double[][] minVariances, partialMinVariances, sumErrors;
	private double[] floors = {};
	/** The low-order parts of each row. Default: null, unknown. */
	private LowOrderParts[] low;
	/** The limit of the tile's windows. */
	private double limit;
	private int lagsX, lagsY, row;

	/** The memory of a record: two doubles a lag, three more with minimum variances, two more with low-order parts. */
	public static long bytes(final long lags, final boolean estimates, final boolean lowOrderParts) {
		return (16 + (estimates ? 24 : 0) + (lowOrderParts ? 16 : 0)) * lags;
	}

	/** The sum of the weights of the pixels that each window of a row has inside the image. */
	public interface Inside {
		double[] row(int z, int y);
	}

	/**
	 * Computes and stores the moments of a tile.
	 *
	 * @param from the source, which has begun the tile
	 * @param inside only for moments with minimum variances where windows may leave the image. Default: null
	 */
	public void fill(final WindowMoments from, final TileInput tile, final Inside inside) {
		lagsX = tile.lagsX();
		lagsY = tile.lagsY();
		final int rows = lagsY * tile.lagsZ();
		if (tooSmall(sums, rows)) {
			sums = new double[rows][lagsX];
			energies = new double[rows][lagsX];
			floors = new double[rows];
		}
		for (int z = 0; z < tile.lagsZ(); z++)
			for (int y = 0; y < lagsY; y++) {
				tile.poll();
				final int r = z * lagsY + y;
				from.row(z, y, sums[r], energies[r]);
				floors[r] = from.error().floor();
				limit = from.error().limit();
				if (from.lowOrderParts() != null) lowOrderParts(from.lowOrderParts(), r, rows);
				if (from.error().minVariance() != null) estimates(from.error(), r, rows, inside == null ? null : inside.row(z, y));
			}
	}

	private boolean tooSmall(final double[][] a, final int rows) {
		return a == null || a.length < rows || a[0].length < lagsX;
	}

	private void lowOrderParts(final LowOrderParts from, final int r, final int rows) {
		if (low == null || low.length < rows || low[0].sums().length < lagsX) {
			low = new LowOrderParts[rows];
			for (int i = 0; i < rows; i++) low[i] = new LowOrderParts(new double[lagsX], new double[lagsX]);
		}
		System.arraycopy(from.sums(), 0, low[r].sums(), 0, lagsX);
		System.arraycopy(from.energies(), 0, low[r].energies(), 0, lagsX);
	}

	private void estimates(final Error from, final int r, final int rows, final double[] weight) {
		if (tooSmall(minVariances, rows)) {
			minVariances = new double[rows][lagsX];
			partialMinVariances = new double[weight == null ? 0 : rows][lagsX];
			sumErrors = new double[weight == null ? 0 : rows][lagsX];
		}
		System.arraycopy(from.minVariance(), 0, minVariances[r], 0, lagsX);
		for (int x = 0; weight != null && x < lagsX; x++) {
			partialMinVariances[r][x] = from.partialMinVariance(x, sums[r][x], weight[x]);
			sumErrors[r][x] = from.sumError(x);
		}
	}

	/** Nothing: the tile is stored. */
	@Override
	public void begin(final TileInput tile) {}

	@Override
	public void row(final int z, final int y, final double[] sums, final double[] energies) {
		row = z * lagsY + y;
		System.arraycopy(this.sums[row], 0, sums, 0, lagsX);
		System.arraycopy(this.energies[row], 0, energies, 0, lagsX);
	}

	@Override
	public LowOrderParts lowOrderParts() {
		return low == null ? null : low[row];
	}

	@Override
	public Error error() {
		return this;
	}

	@Override
	public double floor() {
		return floors[row];
	}

	@Override
	public double limit() {
		return limit;
	}

	@Override
	public double[] minVariance() {
		return minVariances == null ? null : minVariances[row];
	}

	@Override
	public double partialMinVariance(final int x, final double sum, final double weight) {
		return minVariances == null ? 0 : partialMinVariances[row][x];
	}

	@Override
	public double sumError(final int x) {
		return minVariances == null ? 0 : sumErrors[row][x];
	}
}
