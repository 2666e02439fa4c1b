package sc.fiji.ncc.cpu.window;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.loops.Rows;

/**
 * The {@link WindowMoments} of each channel, and the variances of windows over all channels: the sum of the variances of the channels, each about its own
 * mean. Errors of variances add up, so floors and minimum variances do, too. Belongs to one thread.
 */
public final class ChannelMoments {

	private final WindowMoments[] channels;
	/** The sums of the row just finished, for each channel. */
	private final double[][] sums, energies;
	/** Only for several channels: (ΣP)²/N, its sum over the channels, and the sum of the minimum variances. */
	private final double[] mean, squaredMeans, variance, minVariance;

	/** @param maxLags the maximum length of a row */
	public ChannelMoments(final WindowMoments[] channels, final int maxLags) {
		this.channels = channels;
		sums = new double[channels.length][maxLags];
		energies = new double[channels.length][maxLags];
		final int room = channels.length == 1 ? 0 : maxLags;
		mean = new double[room];
		squaredMeans = new double[room];
		variance = new double[room];
		minVariance = new double[room];
	}

	/** The number of channels. */
	public int count() {
		return channels.length;
	}

	public WindowMoments channel(final int c) {
		return channels[c];
	}

	/** Starts a tile. Arguments as in {@link WindowMoments#begin}, with the planes of one channel after those of the other. */
	public void begin(final TileReader[] planes, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {
		for (int c = 0; c < channels.length; c++) channels[c].begin(planes(planes, c, channels.length), scale.channel(c), lagsX, lagsY, lagsZ, stop);
	}

	/** The planes of one of several channels. */
	public static TileReader[] planes(final TileReader[] planes, final int channel, final int channels) {
		if (channels == 1) return planes;
		final int n = planes.length / channels;
		return Arrays.copyOfRange(planes, channel * n, (channel + 1) * n);
	}

	/** As {@link WindowMoments#add}. */
	public void add(final int z, final int row, final int y0, final int y1) {
		for (final WindowMoments m : channels) m.add(z, row, y0, y1);
	}

	/** Computes the sums of a row of lags whose last row was added. */
	public void finish(final int z, final int y) {
		for (int c = 0; c < channels.length; c++) channels[c].finish(z, y, sums[c], energies[c]);
	}

	/** ΣP of each window of the row just finished. */
	public double[] sums(final int c) {
		return sums[c];
	}

	/** ΣP² of each window of the row just finished. */
	public double[] energies(final int c) {
		return energies[c];
	}

	/** The minimum N·σ² that is significant. */
	public double floor() {
		double floor = 0;
		for (final WindowMoments m : channels) floor += m.floor();
		return floor;
	}

	/** The maximum (μ - ref)²/σ² at which the estimated error of variances stays below the tolerance. */
	public double limit() {
		double limit = Double.POSITIVE_INFINITY;
		for (final WindowMoments m : channels) limit = Math.min(limit, m.limit());
		return limit;
	}

	/** As {@link WindowMoments#minVariance}, for the variances of all channels. */
	public double[] minVariance(final int lags) {
		if (channels.length == 1) return channels[0].minVariance();
		double[] all = null;
		for (final WindowMoments m : channels) {
			final double[] one = m.minVariance();
			if (one == null) continue;
			if (all == null) System.arraycopy(one, 0, minVariance, 0, lags);
			else Rows.sum(minVariance, one, minVariance, lags);
			all = minVariance;
		}
		return all;
	}

	/**
	 * The N·σ² of each window of the row just finished, over all channels. Only for several channels.
	 *
	 * @param n the sum of the weights
	 */
	public double[] variances(final double n, final int lags) {
		Arrays.fill(variance, 0, lags, 0);
		Arrays.fill(squaredMeans, 0, lags, 0);
		for (int c = 0; c < channels.length; c++) {
			// the variances overwrite the energies
			PairRows.variances(sums[c], channels[c].sumRests(), energies[c], channels[c].energyRests(), n, mean, energies[c], lags);
			Rows.add(variance, energies[c], lags);
			Rows.add(squaredMeans, mean, lags);
		}
		return variance;
	}

	/** The sums of N·μ² over the channels, for the windows of {@link #variances}. */
	public double[] squaredMeans() {
		return squaredMeans;
	}
}
