package sc.fiji.ncc.cpu.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.Rows;

/**
 * The numerators of joint responses: the sums of the numerators of the channels.
 * <p>
 * The estimated error of a channel's numerator is {@code tolerance·‖T̂c‖·√vc}, vc the limits that the channel's {@link Numerator} states. The error of the
 * sum is at most {@code tolerance·Σ ‖T̂c‖·√vc ≤ tolerance·‖T̂‖·√Σ vc} (Cauchy and Schwarz), ‖T̂‖ the norm of all channels. So minimum variances add up, and
 * the least limit holds for the sum of the squared means.
 *
 * @param <N> the type of the numerators of one channel
 */
public final class JointNumerator<N extends Numerator> implements Numerator {

	private final List<N> channels;
	/** For each template, whether the contrast of a channel matters. */
	private boolean[][] matters;
	private final double[] row, sum, minVariance;
	private boolean estimated;
	private int template, lags;

	/**
	 * @param channels the numerators of each channel, whose templates have a common scale
	 * @param matters for each template and channel, whether the numerator of the channel differs from 0 by more than rounding errors
	 */
	public JointNumerator(final List<N> channels, final boolean[][] matters, final int maxLags) {
		this.channels = channels;
		this.matters = matters;
		row = new double[maxLags];
		sum = new double[maxLags];
		minVariance = new double[maxLags];
	}

	/** The numerators of one channel. */
	public N channel(final int c) {
		return channels.get(c);
	}

	/** Changes the templates, after those of each channel were changed. */
	public void exchange(final boolean[][] others) {
		matters = others;
	}

	@Override
	public void begin(final TileReader[] planes, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {
		lags = lagsX;
		for (int c = 0; c < channels.size(); c++)
			channels.get(c).begin(ChannelMoments.planes(planes, c, channels.size()), scale.channel(c), lagsX, lagsY, lagsZ, stop);
	}

	@Override
	public BlockSpectra transform(final BlockSpectra room) {
		final List<BlockSpectra> spectra = new ArrayList<>();
		for (int c = 0; c < channels.size(); c++) spectra.add(channels.get(c).transform(room == null ? null : room.channel(c, channels.size())));
		return spectra.contains(null) ? null : BlockSpectra.join(spectra);
	}

	@Override
	public void resume(final BlockSpectra spectra, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {
		lags = lagsX;
		for (int c = 0; c < channels.size(); c++) channels.get(c).resume(spectra.channel(c, channels.size()), lagsX, lagsY, lagsZ, stop);
	}

	/** Also selects channels that do not matter if they compute their moments then. */
	@Override
	public void select(final int index) {
		template = index;
		for (int c = 0; c < channels.size(); c++)
			if (matters[template][c] || channels.get(c).moments() != null) channels.get(c).select(index);
	}

	@Override
	public void add(final int z, final int row, final int y0, final int y1) {
		for (int c = 0; c < channels.size(); c++)
			if (matters[template][c]) channels.get(c).add(z, row, y0, y1);
	}

	@Override
	public float[] finish(final int z, final int y, final float[] room) {
		finish(z, y, sum);
		Rows.toFloat(sum, room, lags);
		return room;
	}

	@Override
	public void finish(final int z, final int y, final double[] to) {
		Arrays.fill(to, 0, lags, 0);
		Arrays.fill(minVariance, 0, lags, 0);
		estimated = false;
		for (int c = 0; c < channels.size(); c++) {
			if (!matters[template][c]) continue;
			channels.get(c).finish(z, y, row);
			Rows.add(to, row, lags);
			final double[] least = channels.get(c).minVariance();
			if (least == null) continue;
			Rows.add(minVariance, least, lags);
			estimated = true;
		}
	}

	@Override
	public WindowMoments[] channelMoments() {
		return channels.get(0).moments() == null ? null : channels.stream().map(Numerator::moments).toArray(WindowMoments[]::new);
	}

	@Override
	public double limit() {
		double limit = Double.POSITIVE_INFINITY;
		for (int c = 0; c < channels.size(); c++)
			if (matters[template][c]) limit = Math.min(limit, channels.get(c).limit());
		return limit;
	}

	@Override
	public double partialLimit(final double share, final double contrast) {
		double limit = Double.POSITIVE_INFINITY;
		for (int c = 0; c < channels.size(); c++)
			if (matters[template][c]) limit = Math.min(limit, channels.get(c).partialLimit(share, contrast));
		return limit;
	}

	@Override
	public double floor() {
		double floor = 0;
		for (final N channel : channels) floor = Math.max(floor, channel.floor());
		return channels.size() * floor;
	}

	@Override
	public double[] minVariance() {
		return estimated ? minVariance : null;
	}
}
