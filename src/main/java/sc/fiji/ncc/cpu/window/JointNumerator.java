package sc.fiji.ncc.cpu.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.estimate.NumeratorError;
import sc.fiji.ncc.loops.Rows;

/**
 * The numerators of joint responses: the sums of the numerators of the channels.
 * <p>
 * The estimated error of a channel's numerator is {@code tolerance·‖T̂c‖·√vc}, vc the limits that the channel's {@link NumeratorError} states. The error of the
 * sum is at most {@code tolerance·Σ ‖T̂c‖·√vc ≤ tolerance·‖T̂‖·√Σ vc} (Cauchy and Schwarz), ‖T̂‖ the norm of all channels. So minimum variances add up, and
 * the least limit holds for the sum of the squared means.
 */
public final class JointNumerator implements Numerator, NumeratorError {

	private final List<Numerator> channels;
	/** For each template, whether the contrast of a channel matters. */
	private final boolean[][] matters;
	private final double[] row, sum, minVariance;
	private boolean estimated;
	private int template, lags;

	/**
	 * @param channels the numerators of each channel, whose templates have a common scale
	 * @param matters for each template and channel, whether the numerator of the channel differs from 0 by more than rounding errors
	 */
	public JointNumerator(final List<Numerator> channels, final boolean[][] matters, final int maxLags) {
		this.channels = channels;
		this.matters = matters;
		row = new double[maxLags];
		sum = new double[maxLags];
		minVariance = new double[maxLags];
	}

	/** The numerators of one channel. */
	public Numerator channel(final int c) {
		return channels.get(c);
	}

	@Override
	public void begin(final TileInput tile, final BlockSpectra kept) {
		lags = tile.lagsX();
		final int n = channels.size();
		for (int c = 0; c < n; c++) channels.get(c).begin(tile.channel(c, n), kept == null ? null : kept.channel(c, n));
	}

	@Override
	public BlockSpectra share(final BlockSpectra buffer) {
		final List<BlockSpectra> spectra = new ArrayList<>();
		for (int c = 0; c < channels.size(); c++) spectra.add(channels.get(c).share(buffer == null ? null : buffer.channel(c, channels.size())));
		return spectra.contains(null) ? null : BlockSpectra.join(spectra);
	}

	/** Also correlates channels that do not matter if they compute their moments then. */
	@Override
	public void correlate(final int index) {
		template = index;
		for (int c = 0; c < channels.size(); c++)
			if (matters[template][c] || channels.get(c).moments() != null) channels.get(c).correlate(index);
	}

	@Override
	public float[] floats(final float[] buffer) {
		Rows.toFloat(sum, buffer, lags);
		return buffer;
	}

	@Override
	public void doubles(final double[] to) {
		System.arraycopy(sum, 0, to, 0, lags);
	}

	@Override
	public void startRow(final int z, final int y) {
		Arrays.fill(sum, 0, lags, 0);
		Arrays.fill(minVariance, 0, lags, 0);
		estimated = false;
		for (int c = 0; c < channels.size(); c++) {
			if (!matters[template][c]) continue;
			channels.get(c).startRow(z, y);
			channels.get(c).doubles(row);
			Rows.add(sum, row, lags);
			final double[] least = channels.get(c).error().minVariance();
			if (least == null) continue;
			Rows.add(minVariance, least, lags);
			estimated = true;
		}
	}

	@Override
	public WindowMoments[] moments() {
		return channels.get(0).moments() == null ? null : channels.stream().map(n -> n.moments()[0]).toArray(WindowMoments[]::new);
	}

	@Override
	public NumeratorError error() {
		return this;
	}

	@Override
	public double limit() {
		double limit = Double.POSITIVE_INFINITY;
		for (int c = 0; c < channels.size(); c++)
			if (matters[template][c]) limit = Math.min(limit, channels.get(c).error().limit());
		return limit;
	}

	@Override
	public double partialLimit(final double share, final double contrast) {
		double limit = Double.POSITIVE_INFINITY;
		for (int c = 0; c < channels.size(); c++)
			if (matters[template][c]) limit = Math.min(limit, channels.get(c).error().partialLimit(share, contrast));
		return limit;
	}

	@Override
	public double floor() {
		double floor = 0;
		for (int c = 0; c < channels.size(); c++)
			if (matters[template][c]) floor = Math.max(floor, channels.get(c).error().floor());
		return channels.size() * floor;
	}

	@Override
	public double[] minVariance() {
		return estimated ? minVariance : null;
	}

	@Override
	public void release() {
		channels.forEach(Numerator::release);
	}
}
