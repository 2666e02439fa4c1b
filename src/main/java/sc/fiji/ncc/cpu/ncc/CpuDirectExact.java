package sc.fiji.ncc.cpu.ncc;

import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.execution.TiledPlan;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/**
 * Direct correlation of 8- and 16-bit pictures in exact whole numbers: the sums of each window, with one multiply-add for each template pixel and lag.
 * <p>
 * The middle of the pixel type's range is subtracted from all values, which changes no response. For 8-bit pictures the products are added up in float in
 * runs of 1024, which is exact to 2^24; otherwise in double, exact to 2^53. {@code N·ΣPT - ΣP·ΣT} and both variances are computed in whole numbers of up to
 * 128 bits and then converted to double. Responses therefore need no error estimate and no recheck.
 */
public final class CpuDirectExact implements SlidingAlgorithm.Correlating {

	/** The number of pixels up to which a sum of products of two centred 16-bit values stays below 2^53. */
	private static final long MAX_PIXELS = 1L << 23;

	@Override
	public String id() {
		return "cpu-direct-exact";
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.values());
	}

	@Override
	public Optional<String> unsupported(final Correlation p) {
		if (!p.image().exact() || !p.template().exact())
			return Optional.of("exact sums support 8- and 16-bit pixels, not " + p.image() + " with " + p.template());
		if (p.weights() == Weights.REAL) return Optional.of("exact sums support masks of zeros and ones, not " + p.weights());
		for (final Size t : p.templates())
			if (t.pixels() * p.channels() > MAX_PIXELS) return Optional.of("exact sums support templates of at most " + MAX_PIXELS / p.channels() + " pixels, not " + t);
		return Optional.empty();
	}

	@Override
	public SlidingPlan plan(final Correlation problem, final Device device) {
		final boolean narrow = problem.image().bytes == 1 && problem.template().bytes == 1;
		return new TiledPlan(id(), DirectCost.of(problem, device, narrow, true), problem, device, templates -> new ExactTiles(templates, problem.image(), problem.lags()));
	}
}
