package sc.fiji.ncc.cpu.response;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.estimate.NumeratorError;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;

class RealNormalisationTest {

	private static final int LAGS = 5;

	/** Numerators whose error is small in even rows and large in odd rows. */
	private static final class Alternating implements Numerator, NumeratorError {

		private final double[] minVariance = new double[LAGS];

		@Override
		public void begin(final TileInput tile, final BlockSpectra kept) {}

		@Override
		public void correlate(final int template) {}

		@Override
		public void startRow(final int z, final int y) {
			Arrays.fill(minVariance, y % 2 * 1000);
		}

		@Override
		public float[] floats(final float[] buffer) {
			return buffer;
		}

		@Override
		public void doubles(final double[] to) {}

		@Override
		public NumeratorError error() {
			return this;
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
	private static final class Transformed implements WindowMoments, WindowMoments.Error {

		@Override
		public void begin(final TileInput tile) {}

		@Override
		public void row(final int z, final int y, final double[] sums, final double[] energies) {
			Arrays.fill(sums, 0);
			Arrays.fill(energies, 100);
		}

		@Override
		public LowOrderParts lowOrderParts() {
			return new LowOrderParts(new double[LAGS], new double[LAGS]);
		}

		@Override
		public Error error() {
			return this;
		}

		@Override
		public double[] minVariance() {
			return new double[LAGS];
		}
	}

	@ParameterizedTest
	@EnumSource(Precision.class)
	void theEstimateOfARowIsThatOfTheSameRow(final Precision precision) {
		final RealNormalisation normalisation = new RealNormalisation(new Lags(Size.of(LAGS, 2), false, 1), 4, precision, LAGS);
		normalisation.to(SumsPlace.compact(precision == Precision.SINGLE ? new float[2 * LAGS] : new double[2 * LAGS], LAGS, 2));
		final CurrentTemplate template = new CurrentTemplate(List.of(new CurrentTemplate.Prepared(null, 1, null)));
		final Normalisation.Sums sums = new Normalisation.Sums(new Alternating(), new ChannelMoments(new WindowMoments[] { new Transformed() }, LAGS), null);
		final Normalisation.Plane plane = new Normalisation.Plane(sums, null, TileInput.of(null, null, new int[] { LAGS, 2, 1 }, () -> false), new long[2], 0, 0);
		assertTrue(holds(normalisation, plane, template, 0));
		assertFalse(holds(normalisation, plane, template, 1), "the second row has large errors");
		assertTrue(holds(normalisation, plane, template, 0), "the first row has small errors");
	}

	private static boolean holds(final Normalisation normalisation, final Normalisation.Plane plane, final CurrentTemplate template, final int y) {
		plane.sums().moments().row(0, y);
		plane.sums().numerator().startRow(0, y);
		return normalisation.divide(plane, template, y, y * LAGS);
	}
}
