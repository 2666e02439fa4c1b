package sc.fiji.ncc.cpu.ncc;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.execution.TiledPlan;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileShape;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Size;

/**
 * Direct correlation in floating point, for pixels of any type: one pass over the zero-mean template (Papamakarios, Rizos, Pitsianis, FLCC, eq. 6).
 * In single precision, numerators are sums in float and window sums are sums in double. In double precision, numerators are sums in double and window
 * sums are sums in pairs of doubles. Every response has an error estimate; {@link FallbackTiles} says what follows where it exceeds the tolerance.
 */
public final class CpuDirect implements SlidingAlgorithm.Correlating {

	private static final long MAX_PIXELS = 1 << 26;

	@Override
	public String id() {
		return "cpu-direct";
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.values());
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
		return new TiledPlan(id(), DirectCost.of(problem, device, single, false), problem, device, templates -> {
			final TemplateBatch batch = TemplateBatch.of(templates, problem, device.parallelism());
			return single ? FallbackTiles.of(batch, InFloat::new) : FallbackTiles.of(batch, InDouble::new);
		});
	}

	/** Numerators in float; the fallback is in double. */
	private static final class InFloat extends NumeratorMethod<DirectNumerator> {

		private final TemplateBatch batch;
		private final List<DirectTaps> taps;

		InFloat(final TemplateBatch batch) {
			super(TileShape.direct(batch.planes()), TileShape.unit());
			this.batch = batch;
			taps = batch.zeroMeans().stream().map(t -> DirectTaps.of(batch.planes(), t, batch.weights(), batch.problem().lags(), batch.problem().image().exact())).toList();
		}

		@Override
		DirectNumerator primary() {
			return DirectNumerator.inFloat(batch.planes(), taps, batch.problem().image().exact(), maxLags[0]);
		}

		@Override
		void exchange(final DirectNumerator primary) {
			primary.exchange(taps);
		}

		@Override
		Numerator fallback() {
			return DirectNumerator.inDouble(batch.planes(), batch.coefficients(), maxLags[0]);
		}

		@Override
		MaskSums maskSums() {
			return batch.directMaskSums(maxLags);
		}

		@Override
		void exchange(final MaskSums sums) {
			sums.exchange(batch.deviations());
		}
	}

	/** Numerators in double; the fallback is the same about another reference. */
	private static final class InDouble extends NumeratorMethod<DirectNumerator> {

		private final TemplateBatch batch;
		private final TemplatePlanes planes;
		private final List<double[]> coefficients;
		private final double[] limits;

		InDouble(final TemplateBatch batch) {
			super(TileShape.direct(batch.planes()), TileShape.unit());
			this.batch = batch;
			planes = batch.planes();
			coefficients = batch.coefficients();
			limits = DirectNumerator.doubleLimits(planes, batch.zeroMeans(), batch.weights());
		}

		@Override
		DirectNumerator primary() {
			return DirectNumerator.inDouble(planes, coefficients, limits, maxLags[0]);
		}

		@Override
		void exchange(final DirectNumerator primary) {
			primary.exchangeInDouble(coefficients, limits);
		}

		@Override
		Numerator fallback() {
			return primary();
		}

		@Override
		MaskSums maskSums() {
			return batch.directMaskSums(maxLags);
		}

		@Override
		void exchange(final MaskSums sums) {
			sums.exchange(batch.deviations());
		}
	}
}
