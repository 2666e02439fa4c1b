package sc.fiji.ncc.cpu.window;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;

/** The window moments of a whole tile. They are computed once and serve all templates. */
public final class MomentRecord implements WindowMoments {

	private double[][] sums = {}, energies = {};
	/** Only for moments with error estimates. Default: null. */
	private double[][] minVariances, partialMinVariances, sumErrors;
	private double[] floors = {};
	/** Only for moments with known rounding errors. Default: null. */
	private double[][] sumRests, energyRests;
	/** The limit of the tile's windows. */
	private double limit;
	private int lagsX, lagsY, row;

	/** The memory of a record: two doubles a lag, three more with error estimates, two more with rounding errors. */
	public static long bytes(final long lags, final boolean estimates, final boolean rests) {
		return (16 + (estimates ? 24 : 0) + (rests ? 16 : 0)) * lags;
	}

	/** The sum of the weights of the pixels that each window of a row has inside the image. */
	public interface Inside {
		double[] row(int z, int y);
	}

	/**
	 * Computes and stores the moments of a tile.
	 *
	 * @param from the source, which has begun the tile
	 * @param height the template's height
	 * @param inside only for moments with error estimates where windows may leave the image. Default: null
	 */
	public void fill(final WindowMoments from, final int height, final int lagsX, final int lagsY, final int lagsZ, final Inside inside,
		final BooleanSupplier stop)
	{
		this.lagsX = lagsX;
		this.lagsY = lagsY;
		final int rows = lagsY * lagsZ;
		if (sums.length < rows || sums[0].length < lagsX) {
			sums = new double[rows][lagsX];
			energies = new double[rows][lagsX];
			floors = new double[rows];
		}
		for (int z = 0; z < lagsZ; z++)
			for (int row = 0; row < lagsY + height - 1; row++) {
				if (stop.getAsBoolean()) throw new CancellationException("canceled");
				final int y = row - height + 1;
				from.add(z, row, Math.max(0, y), Math.min(row, lagsY - 1));
				if (y < 0) continue;
				from.finish(z, y, sums[z * lagsY + y], energies[z * lagsY + y]);
				floors[z * lagsY + y] = from.floor();
				limit = from.limit();
				if (from.sumRests() != null) rests(from, z * lagsY + y, rows);
				if (from.minVariance() != null) estimates(from, z, y, rows, inside);
			}
	}

	private void rests(final WindowMoments from, final int row, final int rows) {
		if (sumRests == null || sumRests.length < rows || sumRests[0].length < lagsX) {
			sumRests = new double[rows][lagsX];
			energyRests = new double[rows][lagsX];
		}
		System.arraycopy(from.sumRests(), 0, sumRests[row], 0, lagsX);
		System.arraycopy(from.energyRests(), 0, energyRests[row], 0, lagsX);
	}

	private void estimates(final WindowMoments from, final int z, final int y, final int rows, final Inside inside) {
		if (minVariances == null || minVariances.length < rows || minVariances[0].length < lagsX) {
			minVariances = new double[rows][lagsX];
			partialMinVariances = new double[inside == null ? 0 : rows][lagsX];
			sumErrors = new double[inside == null ? 0 : rows][lagsX];
		}
		final int row = z * lagsY + y;
		System.arraycopy(from.minVariance(), 0, minVariances[row], 0, lagsX);
		if (inside == null) return;
		final double[] weight = inside.row(z, y);
		for (int x = 0; x < lagsX; x++) {
			partialMinVariances[row][x] = from.partialMinVariance(x, sums[row][x], weight[x]);
			sumErrors[row][x] = from.sumError(x);
		}
	}

	@Override
	public void begin(final TileReader[] planes, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ,
		final BooleanSupplier stop)
	{}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {}

	@Override
	public void finish(final int z, final int y, final double[] sums, final double[] energies) {
		row = z * lagsY + y;
		System.arraycopy(this.sums[row], 0, sums, 0, lagsX);
		System.arraycopy(this.energies[row], 0, energies, 0, lagsX);
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
	public double[] sumRests() {
		return sumRests == null ? null : sumRests[row];
	}

	@Override
	public double[] energyRests() {
		return energyRests == null ? null : energyRests[row];
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
