package sc.fiji.ncc.bounded;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.plan.bank.BankAlgorithm;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.BankPlan;
import sc.fiji.ncc.plan.bank.Members;

/**
 * A device correlates, and the host does the rest: the vectors of a basis with bounds and exact scores, or every member. The correlations
 * of a box of lags are maps in the Java heap. The fastest algorithm of the device computes them, by estimate; if it fails, the next one.
 */
public final class MappedBank implements BankAlgorithm {

	/** The least number of lags that a box must hold. */
	private static final long MIN_LAGS = 4096;
	/** The most memory for a box, in bytes, and its share of all memory: one part in so many. */
	private static final long MAX_BOX = 1L << 30, SHARE_OF_MEMORY = 4;

	private final String id;
	private final boolean bounded;
	/** The bytes of working memory of the host. Null: those of the device, which is the host. */
	private final Long hostMemory;
	private final List<? extends SlidingAlgorithm<?>> correlations;

	/**
	 * The host correlates, too.
	 *
	 * @param bounded whether a basis is correlated
	 * @param sliding algorithms of the host
	 */
	public MappedBank(final String id, final boolean bounded, final List<SlidingAlgorithm<?>> sliding) {
		this(id, bounded, null, sliding);
	}

	/**
	 * @param bounded whether a basis is correlated
	 * @param hostMemory the bytes of working memory of the host
	 * @param sliding algorithms of the device
	 */
	public MappedBank(final String id, final boolean bounded, final long hostMemory, final List<SlidingAlgorithm<?>> sliding) {
		this(id, bounded, Long.valueOf(hostMemory), sliding);
	}

	private MappedBank(final String id, final boolean bounded, final Long hostMemory, final List<SlidingAlgorithm<?>> sliding) {
		this.id = id;
		this.bounded = bounded;
		this.hostMemory = hostMemory;
		correlations = sliding.stream().filter(a -> a.kind() == Sliding.Correlation.class
			&& a.precisions().contains(Precision.SINGLE)).toList();
	}

	@Override
	public String id() {
		return id;
	}

	/** On a device that is not the host, the memory of the host decides about the number of boxes. */
	@Override
	public String key() {
		return isHost() || hostMemory == Runtime.getRuntime().maxMemory() ? id : id + " with " + hostMemory / 1_000_000 + " MB of the host";
	}

	@Override
	public Optional<String> unsupported(final BoundedBank p) {
		if (bounded && p.families().stream().allMatch(f -> f.basis() == null)) return Optional.of("no basis bounds the members");
		return Optional.empty();
	}

	@Override
	public Optional<String> unsupported(final BoundedBank p, final Device device) {
		final Optional<String> reason = unsupported(p);
		if (reason.isPresent()) return reason;
		final Mapped plan = plan(p, device);
		if (plan.lags < Math.min(MIN_LAGS, plan.most)) return Optional.of("a quarter of the memory of "
			+ memory(device) + " bytes holds " + plan.lags + " positions of "
			+ (plan.largest - 1) + " correlations: give at least " + SHARE_OF_MEMORY * Float.BYTES * plan.largest * MIN_LAGS
			+ " bytes, or fewer poses");
		return plan.batches().stream().filter(b -> b.candidates.isEmpty()).findFirst()
			.map(b -> "no algorithm of the device computes " + b.problem);
	}

	private long memory(final Device device) {
		return isHost() ? device.memory() : hostMemory;
	}

	/** Whether the host is the device. */
	private boolean isHost() {
		return hostMemory == null;
	}

	@Override
	public Mapped plan(final BoundedBank p, final Device device) {
		return new Mapped(p, device);
	}

	/**
	 * Families with boxes of one size, which are correlated together.
	 *
	 * @param families their indices
	 * @param problem that of a box of lags
	 * @param candidates the algorithms of the device that support it, the fastest first
	 */
	record Batch(List<Integer> families, Sliding problem, List<Candidate> candidates) {}

	/** @param id that of the algorithm */
	record Candidate(String id, SlidingPlan plan) {}

	/** The extents of a box of at most {@code most} lags: whole rows and planes if they fit. */
	private static long[] step(final long[] count, final long most) {
		final long[] step = count.clone();
		for (int d = step.length - 1; d >= 0 && Size.of(step).pixels() > most; d--) step[d] =
			Math.max(1, step[d] * most / Size.of(step).pixels());
		return step;
	}

	private final class Mapped implements BankPlan {

		private final BoundedBank problem;
		private final Device device;
		/** The number of maps of a box, with those of energies; the largest number of lags, and that of a box. */
		private final long largest, most, lags;
		/** The indices of families with boxes of one size. */
		private final List<List<Integer>> alike;
		/** Null before they are needed. */
		private List<Batch> batches;

		Mapped(final BoundedBank p, final Device device) {
			problem = p;
			this.device = device;
			final Map<List<Object>, List<Integer>> byBox = new LinkedHashMap<>();
			for (int f = 0; f < p.families().size(); f++) {
				final BoundedBank.Family family = p.families().get(f);
				byBox.computeIfAbsent(List.of(family.box(), isFull(family)), box -> new ArrayList<>()).add(f);
			}
			alike = List.copyOf(byBox.values());
			long maps = 0, greatest = 1;
			for (final List<Integer> all : alike) {
				maps = Math.max(maps, all.stream().mapToLong(f -> templates(p.families().get(f)) + 1).sum());
				greatest = Math.max(greatest, p.lags(p.families().get(all.get(0))).pixels());
			}
			largest = maps;
			most = greatest;
			lags = Math.min(most, Math.min(MAX_BOX, memory(device) / SHARE_OF_MEMORY) / (Float.BYTES * largest));
		}

		private List<Batch> batches() {
			if (batches == null) batches = alike.stream().map(this::batch).toList();
			return batches;
		}

		private boolean isFull(final BoundedBank.Family f) {
			return f.values() == f.box().pixels() * problem.channels();
		}

		private int templates(final BoundedBank.Family f) {
			return bounded ? f.correlations() : f.members();
		}

		private Batch batch(final List<Integer> families) {
			final BoundedBank.Family first = problem.families().get(families.get(0));
			final int templates = families.stream().mapToInt(f -> templates(problem.families().get(f))).sum();
			final Sliding.Windows windows = new Sliding.Windows(problem.image(), PixelType.F32, problem.size(),
				Collections.nCopies(templates, first.box()), Lags.inside(Size.of(step(problem.lags(first).toArray(), lags))), 1,
				Precision.SINGLE);
			final Sliding.Correlation box = new Sliding.Correlation(windows, isFull(first) ? Weights.NONE : Weights.BINARY,
				problem.channels(), Result.MAP);
			// the rest of the memory, for the correlations
			final long left = isHost() ? Math.max(device.memory() / 2, device.memory() - Float.BYTES * largest * lags) : device.memory();
			final Device rest = new Device(device.id(), device.name(), device.parallelism(), left, device.constants());
			return new Batch(families, box, correlations.stream().filter(a -> a.refuses(box, rest).isEmpty())
				.map(a -> new Candidate(a.id(), a.planAny(box, rest)))
				.sorted(Comparator.comparingDouble(c -> c.plan.cost().seconds())).toList());
		}

		@Override
		public Cost cost() {
			final Constants constants = isHost() ? device.constants() : Constants.SHIPPED;
			final int threads = isHost() ? device.parallelism() : Runtime.getRuntime().availableProcessors();
			double once = 0, seconds = 0, start = 0;
			long hostBytes = Float.BYTES * largest * lags, deviceBytes = 0, work = 0;
			for (final Batch b : batches()) {
				final Cost c = b.candidates.get(0).plan.cost();
				final double all = problem.lags(problem.families().get(b.families.get(0))).pixels();
				once += c.onceSeconds();
				seconds += c.frameSeconds() * Math.max(1, all / b.problem.lags().count().pixels());
				for (final int f : b.families) {
					final BoundedBank.Family family = problem.families().get(f);
					seconds += SearchCost.seconds(bounded ? family : family.bare(), all, constants) / threads;
				}
				start = Math.max(start, c.startSeconds());
				work = Math.max(work, c.hostBytes());
				deviceBytes = Math.max(deviceBytes, c.deviceBytes());
			}
			hostBytes += work;
			// the memory suffices for one batch: several are prepared again for each frame
			if (batches().size() > 1) {
				seconds += once;
				once = 0;
			}
			return new Cost(once + problem.frames() * seconds, once, start, hostBytes, deviceBytes);
		}

		@Override
		public BankExecution prepare(final List<Members> families, final double minScore, final int threads) {
			return new MappedSearch(bounded ? families : families.stream().map(f -> f.with(null)).toList(), batches(),
				minScore, problem.each(), isHost() ? device.parallelism() : threads);
		}
	}
}
