package sc.fiji.ncc.cpu.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.estimate.NumeratorError;
import sc.fiji.ncc.plan.PixelType;

/** The numerators, variances and errors of several channels from those of each. */
class JointChannelsTest {

	private static final int LAGS = 3;

	/** A channel with stated numerators and moments, which notes its calls. */
	private static final class Channel implements Numerator, NumeratorError {

		/** The first numerator of the last row. */
		private double first;
		private final double factor, limit, floor;
		private final double[] minVariance;
		private final boolean hasMoments;
		private final List<String> calls = new ArrayList<>();
		private final Moments moments = new Moments(this);

		Channel(final double factor, final double limit, final double floor, final double[] minVariance, final boolean hasMoments) {
			this.factor = factor;
			this.limit = limit;
			this.floor = floor;
			this.minVariance = minVariance;
			this.hasMoments = hasMoments;
		}

		@Override
		public void begin(final TileInput tile, final BlockSpectra kept) {
			calls.add("begin " + tile.planes().length);
		}

		@Override
		public void correlate(final int template) {
			calls.add("correlate " + template);
		}

		@Override
		public void startRow(final int z, final int y) {
			first = factor * (100 * z + 10 * y);
		}

		@Override
		public float[] floats(final float[] buffer) {
			throw new AssertionError("channels are added up in double");
		}

		@Override
		public void doubles(final double[] to) {
			for (int x = 0; x < LAGS; x++) to[x] = first + factor * x;
		}

		@Override
		public NumeratorError error() {
			return this;
		}

		@Override
		public WindowMoments[] moments() {
			return hasMoments ? new WindowMoments[] { moments } : null;
		}

		@Override
		public double limit() {
			return limit;
		}

		@Override
		public double floor() {
			return floor;
		}

		@Override
		public double[] minVariance() {
			return minVariance;
		}

		@Override
		public double partialLimit(final double share, final double contrast) {
			return limit * share * contrast;
		}

		@Override
		public void release() {
			calls.add("release");
		}
	}

	/** The moments of a channel, with its limits. */
	private static final class Moments implements WindowMoments, WindowMoments.Error {

		private final Channel of;
		private LowOrderParts low;

		Moments(final Channel of) {
			this.of = of;
		}

		@Override
		public void begin(final TileInput tile) {
			of.calls.add("moments " + tile.planes().length);
		}

		@Override
		public void row(final int z, final int y, final double[] sum, final double[] sumOfSquares) {
			for (int x = 0; x < LAGS; x++) {
				sum[x] = of.factor * (x + y + z);
				sumOfSquares[x] = of.factor * of.factor * 100;
			}
		}

		@Override
		public LowOrderParts lowOrderParts() {
			return low;
		}

		@Override
		public Error error() {
			return this;
		}

		@Override
		public double floor() {
			return of.floor;
		}

		@Override
		public double limit() {
			return of.limit;
		}

		@Override
		public double[] minVariance() {
			return of.minVariance;
		}
	}

	private static Channel channel(final double factor, final double limit, final double floor, final double... minVariance) {
		return new Channel(factor, limit, floor, minVariance.length == 0 ? null : minVariance, false);
	}

	/** A tile with two planes for each of three channels. */
	private static TileInput tile() {
		final TileReader[] planes = new TileReader[6];
		for (int i = 0; i < 6; i++) planes[i] = new TileReader(PixelType.U8);
		return TileInput.of(planes, TileScale.about(0), new int[] { LAGS, 1, 1 }, () -> false);
	}

	/** The first template has contrast in the channels 0 and 2, the second one in channel 1, the third one in all. */
	private static JointNumerator joint(final Channel... channels) {
		final JointNumerator joint = new JointNumerator(List.of(channels), new boolean[][] { { true, false, true }, { false, true, false },
			{ true, true, true } }, LAGS);
		joint.begin(tile(), null);
		return joint;
	}

	private static double[] row(final JointNumerator joint, final int template) {
		joint.correlate(template);
		final double[] row = { 9, 9, 9 };
		joint.startRow(1, 2);
		joint.doubles(row);
		return row;
	}

	@Test
	void numeratorsOfChannelsThatMatterAddUp() {
		final Channel[] channels = { channel(1, 5, 1), channel(10, 3, 7), channel(100, 4, 2) };
		final JointNumerator joint = joint(channels);
		final double[] one = { 120, 121, 122 };
		assertArrayEquals(Arrays.stream(one).map(v -> 101 * v).toArray(), row(joint, 0));
		assertArrayEquals(Arrays.stream(one).map(v -> 10 * v).toArray(), row(joint, 1));
		assertArrayEquals(Arrays.stream(one).map(v -> 111 * v).toArray(), row(joint, 2));
		assertArrayEquals(new float[] { 111 * 120, 111 * 121, 111 * 122 }, joint.floats(new float[LAGS]));
		// each channel has its own planes, and correlates what matters
		assertEquals(List.of("begin 2", "correlate 0", "correlate 2"), channels[0].calls);
		assertEquals(List.of("begin 2", "correlate 1", "correlate 2"), channels[1].calls);
		joint.release();
		for (final Channel c : channels) assertEquals("release", c.calls.get(c.calls.size() - 1));
		assertSame(channels[1], joint.channel(1));
		assertNull(joint.share(null));
	}

	/** The least limit counts, and the largest floor for each of the channels, of those that matter. */
	@Test
	void theWorstChannelThatMattersLimitsAll() {
		final JointNumerator joint = joint(channel(1, 5, 1), channel(10, 3, 7), channel(100, 4, 2));
		final double[][] expected = { { 4, 3 * 2 }, { 3, 3 * 7 }, { 3, 3 * 7 } };
		for (int t = 0; t < 3; t++) {
			row(joint, t);
			assertEquals(expected[t][0], joint.error().limit());
			assertEquals(expected[t][0] * 0.5 * 0.25, joint.error().partialLimit(0.5, 0.25));
			assertEquals(expected[t][1], joint.error().floor());
			assertNull(joint.error().minVariance());
		}
	}

	/** Minimum variances add up, also beside a channel that states none. */
	@Test
	void minimumVariancesAddUp() {
		final JointNumerator joint = joint(channel(1, 5, 1, 1, 2, 3), channel(1, 5, 1), channel(1, 5, 1, 10, 20, 30));
		row(joint, 0);
		assertArrayEquals(new double[] { 11, 22, 33 }, joint.error().minVariance());
		row(joint, 0);
		assertArrayEquals(new double[] { 11, 22, 33 }, joint.error().minVariance(), "each row begins anew");
		row(joint, 1);
		assertNull(joint.error().minVariance());
		row(joint, 2);
		assertArrayEquals(new double[] { 11, 22, 33 }, joint.error().minVariance());
	}

	/** Channels that compute their moments must correlate, whether they matter or not. */
	@Test
	void momentsAreThoseOfEachChannel() {
		final Channel[] channels = new Channel[3];
		for (int c = 0; c < 3; c++) channels[c] = new Channel(c, 1, 1, null, true);
		final JointNumerator joint = joint(channels);
		joint.correlate(0);
		assertEquals(List.of("begin 2", "correlate 0"), channels[1].calls);
		assertArrayEquals(Arrays.stream(channels).map(c -> c.moments).toArray(), joint.moments());
		assertNull(joint(channel(1, 1, 1), channel(1, 1, 1), channel(1, 1, 1)).moments());
	}

	/** N·σ² of a channel is ΣP² − (ΣP)²/N. Variances, squared means, floors and minimum variances of channels add up; the least limit counts. */
	@Test
	void variancesAddUp() {
		final Channel[] channels = { channel(1, 5, 1, 1, 2, 3), channel(2, 3, 7), channel(3, 4, 2, 10, 20, 30) };
		channels[2].moments.low = new WindowMoments.LowOrderParts(new double[LAGS], new double[] { 0.5, 0.25, 0 });
		final ChannelMoments moments = new ChannelMoments(Arrays.stream(channels).map(c -> c.moments).toArray(WindowMoments[]::new), LAGS);
		moments.begin(tile());
		assertEquals(List.of("moments 2"), channels[2].calls);
		assertEquals(3, moments.count());
		for (int repeated = 0; repeated < 2; repeated++) {
			moments.row(1, 1);
			final double[] squares = new double[LAGS], variances = new double[LAGS];
			for (int x = 0; x < LAGS; x++)
				for (int c = 0; c < 3; c++) {
					final double sum = (c + 1) * (x + 2);
					assertEquals(sum, moments.sums(c)[x]);
					assertEquals((c + 1) * (c + 1) * 100, moments.energies(c)[x]);
					squares[x] += sum * sum / 8;
					variances[x] += (c + 1) * (c + 1) * 100 + (c == 2 ? channels[2].moments.low.energies()[x] : 0) - sum * sum / 8;
				}
			assertArrayEquals(variances, moments.variances(8, LAGS), 1e-12);
			assertArrayEquals(squares, moments.squaredMeans(), 1e-12);
		}
		assertEquals(10, moments.floor());
		assertEquals(3, moments.limit());
		assertArrayEquals(new double[] { 11, 22, 33 }, moments.minVariance(LAGS));
		assertNull(new ChannelMoments(new WindowMoments[] { channels[1].moments, channels[1].moments }, LAGS).minVariance(LAGS));
		assertSame(channels[0].minVariance, new ChannelMoments(new WindowMoments[] { channels[0].moments }, LAGS).minVariance(LAGS));
		assertSame(channels[1].moments, moments.channel(1));
	}
}
