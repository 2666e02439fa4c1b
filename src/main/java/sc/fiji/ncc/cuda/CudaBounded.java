package sc.fiji.ncc.cuda;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.bounded.SearchCost;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.method.BoundedSearch;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.bank.BankAlgorithm;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.BankPlan;
import sc.fiji.ncc.plan.bank.Members;

/**
 * Bounded banks on a GPU: the basis by Fourier transforms with one spectrum of the image, then bounds and exact scores, see
 * {@code poses.cu}. Only what reaches the minimum score leaves the GPU. It needs cuFFT. One GPU searches.
 */
final class CudaBounded implements BankAlgorithm {

	/**
	 * Seconds of one multiprocessor for a point of the transform of one vector, and for the sums of a window; seconds for the launches of a
	 * vector, and for those of a family, with the slowest window of its exact scores and the way of its result.
	 */
	private static final double POINT = 132 * 19e-12, WINDOW = 132 * 130e-12, VECTOR = 15e-6, FAMILY = 2e-3;
	/**
	 * Seconds to prepare: the memory of all, with what the first frame takes longer (2026-11-28); a family: its memory and transforms; each vector: its
	 * spectrum; and each byte of its members.
	 */
	private static final double PREPARE = 8e-3, PREPARE_FAMILY = 1e-3, PREPARE_VECTOR = 75e-6, PREPARE_BYTE = 0.4e-9;
	/** The number of CPU threads that compute as many products of bounds as a multiprocessor. */
	private static final int THREADS = 2;

	@Override
	public String id() {
		return "cuda-bounded";
	}

	@Override
	public Optional<String> unsupported(final BoundedBank p) {
		if (p.families().stream().anyMatch(f -> f.basis() == null)) return Optional.of("no basis bounds all members");
		if (p.channels() > 1) return Optional.of("its kernels support one channel, not " + p.channels());
		final long most = p.families().stream().mapToLong(f -> (long) f.members() * f.values()).max().orElse(0);
		if (most > Integer.MAX_VALUE) return Optional.of("its kernels support " + Integer.MAX_VALUE
			+ " values of all members of a family, not " + most);
		return p.image().exact() || p.image() == PixelType.F32 ? Optional.empty()
			: Optional.of("its kernels support pixels of 8 and 16 bits and floats, not " + p.image());
	}

	@Override
	public Optional<String> unsupported(final BoundedBank p, final Device device) {
		final Optional<String> reason = unsupported(p);
		if (reason.isPresent()) return reason;
		if (Cufft.missing() != null) return Optional.of(Cufft.missing());
		return Driver.gpu(device).isEmpty() ? Optional.of("one GPU searches, and this device is several") : Optional.empty();
	}

	@Override
	public BankPlan plan(final BoundedBank p, final Device device) {
		final CudaDevice gpu = Driver.gpu(device).orElseThrow();
		final CudaCost costs = new CudaCost(gpu, device.constants());
		return new BankPlan() {

			@Override
			public Cost cost() {
				double points = 1, seconds = 0, once = PREPARE, vectors = 0;
				for (int d = 0; d < p.size().dimensions(); d++) points *= TransformExtents.best(Math.toIntExact(p.size().get(d)));
				for (final BoundedBank.Family f : p.families()) {
					final int k = f.basis().vectors();
					final double lags = p.lags(f).pixels();
					once += PREPARE_FAMILY + k * PREPARE_VECTOR + Float.BYTES * PREPARE_BYTE * f.members() * f.values();
					seconds += costs.seconds("bank-family", FAMILY) + k * costs.seconds("bank-vector", VECTOR)
						+ points * k * costs.shared("bank-point", POINT) + lags * costs.shared("bank-window", WINDOW)
						+ SearchCost.seconds(f, lags, Constants.SHIPPED) / THREADS / gpu.processors;
					vectors += k;
				}
				return new Cost(once + p.frames() * seconds, once, costs.start(), p.size().pixels() * p.image().bytes,
					BoundedSearch.bytes(device.memory(), points, vectors));
			}

			@Override
			public BankExecution prepare(final List<Members> families, final double minScore, final int threads) {
				return gpu.prepared(() -> new BoundedSearch(gpu, p.image(), p.size(), families, minScore));
			}
		};
	}
}
