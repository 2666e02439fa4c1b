package sc.fiji.ncc.cuda;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.method.MemberSearch;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.bank.BankAlgorithm;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.BankPlan;
import sc.fiji.ncc.plan.bank.Members;

/**
 * Every member of a bank in a volume on a GPU: {@link MemberSearch}. The time of a member depends on the volume alone, and is far below
 * that of a correlation whose map is stored. It needs NVIDIA's run-time compiler. One GPU searches.
 */
final class CudaPoses implements BankAlgorithm {

	/**
	 * Seconds of one multiprocessor for a point of the transforms of a member, and for a row of a window's sums. Measured with {@code
	 * VolumePoses} on an H200, 2026-11-29.
	 */
	private static final double POINT = 132 * 7.2e-12, RUN = 132 * 2e-12;
	/** Seconds to prepare: the memory of all and the kernels; a family; and each byte of its members. */
	private static final double PREPARE = 0.1, PREPARE_FAMILY = 1e-3, PREPARE_BYTE = 0.4e-9;
	/** Seconds for the launches of a member, and for those of a family in a volume with the way of its result. */
	private static final double MEMBER = 5e-6, FAMILY = 3e-3;
	/** The share of the GPU's memory that is used at most. */
	private static final double SHARE_OF_MEMORY = 0.8;
	/** The seconds for a byte of a volume on its way to the GPU. */
	private static final double BYTE = 1 / 5e9;

	@Override
	public String id() {
		return "cuda-poses";
	}

	@Override
	public Optional<String> unsupported(final BoundedBank p) {
		if (p.size().dimensions() != 3) return Optional.of("its transforms support volumes only");
		if (p.families().stream().anyMatch(f -> f.basis() != null)) return Optional.of("it correlates every member, not a basis");
		if (p.channels() > 1) return Optional.of("its kernels support one channel, not " + p.channels());
		return p.image().exact() || p.image() == PixelType.F32 ? Optional.empty()
			: Optional.of("its kernels support pixels of 8 and 16 bits and floats, not " + p.image());
	}

	@Override
	public Optional<String> unsupported(final BoundedBank p, final Device device) {
		final Optional<String> reason = unsupported(p);
		if (reason.isPresent()) return reason;
		final Optional<CudaDevice> gpu = Driver.gpu(device);
		if (gpu.isEmpty()) return Optional.of("one GPU searches, and this device is several");
		if (!gpu.get().kernels().compiles()) return Optional.of("NVIDIA's run-time compiler is missing");
		for (final BoundedBank.Family f : p.families()) {
			final int[] lags = lags(p, f, device);
			if (lags == null) return Optional.of("the memory of " + device.memory() + " bytes does not hold " + f
				+ " with a part of the volume");
		}
		return Optional.empty();
	}

	private static long members(final BoundedBank p) {
		return p.families().stream().mapToLong(f -> (long) Float.BYTES * f.members() * f.values()).sum();
	}

	private static long memory(final Device device) {
		return (long) (SHARE_OF_MEMORY * device.memory());
	}

	/** The lags of a box that are searched at once; null if the memory is too small. */
	private static int[] lags(final BoundedBank p, final BoundedBank.Family f, final Device device) {
		return MemberSearch.lags(Driver.gpu(device).orElseThrow(), p.image(), p.size(), f.box(), memory(device) - members(p));
	}

	@Override
	public BankPlan plan(final BoundedBank p, final Device device) {
		final CudaDevice gpu = Driver.gpu(device).orElseThrow();
		final CudaCost costs = new CudaCost(gpu, device.constants());
		return new BankPlan() {

			@Override
			public Cost cost() {
				double seconds = p.size().pixels() * p.image().bytes * BYTE, once = PREPARE + members(p) * PREPARE_BYTE;
				long bytes = 0;
				for (final BoundedBank.Family f : p.families()) {
					final int[] box = lags(p, f, device);
					final TransformExtents e = MemberSearch.extents(gpu, f.box(), box);
					double boxes = 1;
					for (int d = 0; d < 3; d++) boxes *= Math.ceil(p.lags(f).get(d) / (double) box[d]);
					once += PREPARE_FAMILY;
					seconds += boxes * (costs.seconds("poses-family", FAMILY) + f.members() * (costs.seconds("poses-member", MEMBER)
						+ e.reals() * costs.shared("poses-point", POINT)))
						// the rows of a support are those of its box
						+ p.lags(f).pixels() * (double) f.box().get(1) * f.box().get(2) * costs.shared("poses-run", RUN);
					bytes = Math.max(bytes, MemberSearch.bytes(gpu, p.image(), f.box(), box));
				}
				return new Cost(once + p.frames() * seconds, once, costs.start(), p.size().pixels() * p.image().bytes, bytes + members(p));
			}

			@Override
			public BankExecution prepare(final List<Members> families, final double minScore, final int threads) {
				return gpu.prepared(() -> new MemberSearch(gpu, p.image(), p.size(), families, minScore, memory(device)));
			}
		};
	}
}
