package sc.fiji.ncc.cpu.window;

import java.util.Arrays;

import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.loops.Rows;

/**
 * The {@link WindowMoments} of each channel, and the variances of windows over all channels: the sum of the variances of the channels, each about its own
 * mean. Errors of variances add up, so floors and minimum variances do, too. Belongs to one thread.
 */
public final class ChannelMoments {

	private final WindowMoments[] channels;
	/** The sums of the row just computed, for each channel. */
	private final double[][] sums, energies;
	/** Only for several channels: (ΣP)²/N, its sum over the channels, and the sum of the minimum variances. */
	private final double[] mean, squaredMeans, variance, minVariance;

	/** @param maxLags the maximum length of a row */
	public ChannelMoments(final WindowMoments[] channels, final int maxLags) {
		this.channels = channels;
		final int count = channels.length;
		final double[][] rows = Rows.doubles(2 * count, maxLags), joint = new double[4][count == 1 ? 0 : maxLags];
		sums = Arrays.copyOf(rows, count);
		energies = Arrays.copyOfRange(rows, count, 2 * count);
		mean = joint[0];
		squaredMeans = joint[1];
		variance = joint[2];
		minVariance = joint[3];
	}

	/** The number of channels. */
	public int count() {
		return channels.length;
	}

	public WindowMoments channel(final int c) {
		return channels[c];
	}

	/** Starts a tile. */
	public void begin(final TileInput tile) {
		for (int c = 0; c < channels.length; c++) channels[c].begin(tile.channel(c, channels.length));
	}

	/** Computes the sums of a row of lags. */
	public void row(final int z, final int y) {
		for (int c = 0; c < channels.length; c++) channels[c].row(z, y, sums[c], energies[c]);
	}

	/** ΣP of each window of the row just computed. */
	public double[] sums(final int c) {
		return sums[c];
	}

	/** ΣP² of each window of the row just computed. */
	public double[] energies(final int c) {
		return energies[c];
	}

	/** The minimum N·σ² that is significant. */
	public double floor() {
		double floor = 0;
		for (final WindowMoments m : channels) floor += m.error().floor();
		return floor;
	}

	/** The maximum μ²/σ² at which the estimated error of variances stays below the tolerance. */
	public double limit() {
		double limit = Double.POSITIVE_INFINITY;
		for (final WindowMoments m : channels) limit = Math.min(limit, m.error().limit());
		return limit;
	}

	/** As {@link WindowMoments.Error#minVariance}, for the variances of all channels. */
	public double[] minVariance(final int lags) {
		if (channels.length == 1) return channels[0].error().minVariance();
		double[] all = null;
		for (final WindowMoments m : channels) {
			final double[] one = m.error().minVariance();
			if (one == null) continue;
			if (all == null) System.arraycopy(one, 0, minVariance, 0, lags);
			else Rows.sum(minVariance, one, minVariance, lags);
			all = minVariance;
		}
		return all;
	}

	/**
	 * The N·σ² of each window of the row just computed, over all channels. Only for several channels.
	 *
	 * @param n the sum of the weights
	 */
	public double[] variances(final double n, final int lags) {
		Arrays.fill(variance, 0, lags, 0);
		Arrays.fill(squaredMeans, 0, lags, 0);
		for (int c = 0; c < channels.length; c++) {
			// the variances overwrite the energies
			variances(c, n, mean, energies[c], lags);
			Rows.add(variance, energies[c], lags);
			Rows.add(squaredMeans, mean, lags);
		}
		return variance;
	}

	/** Writes N·σ² of one channel, and N·μ². */
	public void variances(final int c, final double n, final double[] mean, final double[] to, final int lags) {
		final WindowMoments.LowOrderParts low = channels[c].lowOrderParts();
		if (low == null) PairRows.variances(sums[c], energies[c], n, mean, to, lags);
		else PairRows.variances(new PairRows.Pair(sums[c], low.sums()), new PairRows.Pair(energies[c], low.energies()), n, mean, to, lags);
	}

	/** The sums of N·μ² over the channels, for the windows of {@link #variances(double, int)}. */
	public double[] squaredMeans() {
		return squaredMeans;
	}
}
