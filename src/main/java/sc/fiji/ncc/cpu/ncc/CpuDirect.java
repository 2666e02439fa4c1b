package sc.fiji.ncc.cpu.ncc;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.cpu.tile.TileShape;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.estimate.DirectError;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;

/**
 * Direct correlation in floating point, for pixels of any type: one pass over the zero-mean template (Papamakarios, Rizos, Pitsianis, FLCC, eq. 6).
 * In single precision, numerators are sums in float and window sums are sums in double, of 8-bit pixels in int. In double
 * precision, numerators are sums in double and window
 * sums are sums in pairs of doubles. Every response has an error estimate; {@link CorrelationWorker} says what follows where it exceeds the tolerance.
 *
 * <pre>
 * for each tile of lags (TiledExecution), on one thread (CorrelationWorker)
 *   read the pixels, subtract a reference and scale them (TilePixels, TileScale)
 *   for each template
 *     for each row y of lags
 *       window sums Σ P, Σ P² of the row (IntWindowSums, WindowSums, PairWindowSums; with weights WeightedMoments)
 *       for each row of pixels that the windows need and that was not read before (DirectNumerator.startRow)
 *         add its products with a row of the template to each row of lags that needs it
 *           (ShiftedFloatCorrelator, with the loops of ProductRows; VectorFloatCorrelator)
 *       r = Σ P·T̂ / √(Σ P² − (Σ P)²/N) / ‖T̂‖ (RealNormalisation, Division)
 *       compare each variance with the minimum that its error estimate allows (DirectError, WindowMoments.Error)
 *     compute suspects again: a few by their definition (Rechecks), many in double (CorrelationWorker.fallBack)
 * </pre>
 */
public final class CpuDirect implements SlidingAlgorithm.Correlating {

	private static final long MAX_PIXELS = 1 << 26;

	@Override
	public String id() {
		return "cpu-direct";
	}

	@Override
	public Optional<String> unsupported(final Correlation p) {
		for (final Size t : p.templates())
			if (t.pixels() > MAX_PIXELS) return Optional.of("direct sums support templates of at most " + MAX_PIXELS + " pixels, not " + t);
		return Optional.empty();
	}

	@Override
	public SlidingPlan plan(final Correlation problem, final Device device) {
		final boolean single = problem.precision() == Precision.SINGLE;
		return CorrelationMethod.plan(id(), CpuCost.of(problem, device, single, false), problem, device, single
			? InFloat::new : InDouble::new);
	}

	/** Numerators in float; the fallback is in double. */
	private static final class InFloat extends CorrelationMethod {

		private final List<DirectNumerator.FloatTemplate> coefficients;

		InFloat(final TemplateBatch batch) {
			super(batch, TileShape.direct(batch.planes()), TileShape.unit());
			final Lags lags = batch.problem().lags();
			final boolean whole = batch.problem().image().exact();
			final List<DirectCoefficients> rounded = batch.zeroMeans().stream()
				.map(t -> DirectCoefficients.of(batch.planes(), t, batch.weights(), lags,
				whole)).toList();
			final double partial = lags.partial() ? rounded.stream().mapToDouble(t -> t.partialError(batch.planes(), whole))
				.max().getAsDouble() : Double.POSITIVE_INFINITY;
			coefficients = rounded.stream().map(t -> new DirectNumerator.FloatTemplate(t.coefficients(), t.run(), false,
				new DirectError(t.limit(), t.rounded(), partial, Tolerance.RESPONSE, Tolerance.FLOOR))).toList();
		}

		@Override
		Numerator numerator(final Numerator previous) {
			return previous == null ? new DirectNumerator.InFloat(batch.planes(), coefficients, maxLags[0])
				: ((DirectNumerator.InFloat) previous).with(coefficients);
		}

		@Override
		Numerator fallback() {
			return new DirectNumerator.InDouble(batch.planes(), DirectNumerator.DoubleTemplate.of(batch), maxLags[0]);
		}
	}

	/** Numerators in double; the fallback is the same about another reference. */
	private static final class InDouble extends CorrelationMethod {

		private final List<DirectNumerator.DoubleTemplate> coefficients;

		InDouble(final TemplateBatch batch) {
			super(batch, TileShape.direct(batch.planes()), TileShape.unit());
			coefficients = DirectNumerator.DoubleTemplate.of(batch);
		}

		@Override
		Numerator numerator(final Numerator previous) {
			return previous == null ? new DirectNumerator.InDouble(batch.planes(), coefficients, maxLags[0])
				: ((DirectNumerator.InDouble) previous).with(coefficients);
		}

		@Override
		Numerator fallback() {
			return numerator(null);
		}
	}
}
