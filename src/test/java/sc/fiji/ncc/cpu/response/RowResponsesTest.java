package sc.fiji.ncc.cpu.response;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;

class RowResponsesTest {

	private static final int LAGS = 5;

	/** Numerators whose error is small in even rows and large in odd rows. */
	private static final class Alternating implements Numerator {

		private final double[] minVariance = new double[LAGS];

		private void estimate(final int y) {
			Arrays.fill(minVariance, y % 2 * 1000);
		}

		@Override
		public void begin(final TileReader[] planes, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {}

		@Override
		public void select(final int template) {}

		@Override
		public void add(final int z, final int row, final int y0, final int y1) {}

		@Override
		public float[] finish(final int z, final int y, final float[] room) {
			estimate(y);
			return room;
		}

		@Override
		public void finish(final int z, final int y, final double[] to) {
			estimate(y);
		}

		@Override
		public double limit() {
			return Double.POSITIVE_INFINITY;
		}

		@Override
		public double partialLimit(final double share, final double contrast) {
			return Double.POSITIVE_INFINITY;
		}

		@Override
		public double floor() {
			return 0;
		}

		@Override
		public double[] minVariance() {
			return minVariance;
		}
	}

	/** Windows of variance 100 with an estimate of their own, as transforms under a mask have. */
	private static final class Transformed implements WindowMoments {

		@Override
		public void begin(final TileReader[] planes, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ, final BooleanSupplier stop) {}

		@Override
		public void add(final int z, final int row, final int y0, final int y1) {}

		@Override
		public void finish(final int z, final int y, final double[] sums, final double[] energies) {
			Arrays.fill(sums, 0);
			Arrays.fill(energies, 100);
		}

		@Override
		public double floor() {
			return 0;
		}

		@Override
		public double[] minVariance() {
			return new double[LAGS];
		}

		@Override
		public double[] sumRests() {
			return new double[LAGS];
		}

		@Override
		public double[] energyRests() {
			return new double[LAGS];
		}
	}

	@ParameterizedTest
	@EnumSource(Precision.class)
	void theEstimateOfARowIsThatOfTheSameRow(final Precision precision) {
		final ResponseRow row = ResponseRow.of(precision, LAGS);
		row.select(4, 1);
		row.to(precision == Precision.SINGLE ? new float[2 * LAGS] : new double[2 * LAGS]);
		final RowResponses responses = new RowResponses(new Lags(Size.of(LAGS, 2), false, 1), 4, precision, row, LAGS);
		final SelectedTemplate template = new SelectedTemplate(List.of(new PreparedTemplate(null, 1, null)));
		final TilePlane plane = new TilePlane(new Alternating(), new ChannelMoments(new WindowMoments[] { new Transformed() }, LAGS), null, null, null, new long[2], 0, LAGS, 2, 0);
		assertTrue(responses.compute(plane, template, 0, 0));
		assertFalse(responses.compute(plane, template, 1, LAGS), "the second row has large errors");
		assertTrue(responses.compute(plane, template, 0, 0), "the first row has small errors");
	}
}
