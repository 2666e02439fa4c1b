package sc.fiji.ncc.cpu;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;

/**
 * An algorithm that computes images of one column as images of one row. Algorithms work row by row, and rows of one pixel would take many times as long. An
 * image of one column has the same pixels in the same order, so nothing is copied.
 */
final class ColumnAlgorithm<P extends Sliding> implements SlidingAlgorithm<P> {

	private final SlidingAlgorithm<P> algorithm;

	private ColumnAlgorithm(final SlidingAlgorithm<P> algorithm) {
		this.algorithm = algorithm;
	}

	static List<SlidingAlgorithm<?>> of(final SlidingAlgorithm<?>... algorithms) {
		return Arrays.stream(algorithms).<SlidingAlgorithm<?>> map(a -> new ColumnAlgorithm<>(a)).toList();
	}

	@Override
	public String id() {
		return algorithm.id();
	}

	@Override
	public Class<P> kind() {
		return algorithm.kind();
	}

	@Override
	public Set<Precision> precisions() {
		return algorithm.precisions();
	}

	@Override
	public Optional<String> unsupported(final P p) {
		return algorithm.unsupported(isColumn(p) ? swapped(p) : p);
	}

	@Override
	public Optional<String> unsupported(final P p, final Device device) {
		return algorithm.unsupported(isColumn(p) ? swapped(p) : p, device);
	}

	@Override
	public SlidingPlan plan(final P p, final Device device) {
		return isColumn(p) ? new ColumnPlan(algorithm.plan(swapped(p), device)) : algorithm.plan(p, device);
	}

	/** Whether images, templates and lags have one column, and images more than one row. */
	private static boolean isColumn(final Sliding p) {
		if (p.size().dimensions() < 2 || p.size().get(0) > 1 || p.size().get(1) == 1 || p.lags().count().get(0) > 1) return false;
		for (final Size t : p.templates())
			if (t.get(0) > 1) return false;
		return true;
	}

	private P swapped(final P p) {
		return kind().cast(p.with(new Sliding.Windows(p.image(), p.template(), swapped(p.size()), p.templates().stream().map(ColumnAlgorithm::swapped).toList(),
			p.lags().of(swapped(p.lags().count())), p.frames(), p.precision())));
	}

	static Size swapped(final Size size) {
		return Size.of(swapped(size.toArray()));
	}

	/** The same with the first two elements swapped. */
	static long[] swapped(final long[] a) {
		final long[] b = a.clone();
		b[0] = a[1];
		b[1] = a[0];
		return b;
	}

	static int[] swapped(final int[] a) {
		final int[] b = a.clone();
		b[0] = a[1];
		b[1] = a[0];
		return b;
	}
}
