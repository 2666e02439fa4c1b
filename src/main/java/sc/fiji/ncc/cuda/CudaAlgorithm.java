package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import sc.fiji.ncc.cuda.driver.GpuGroup;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.PinnedStaging;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Slabs;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.SlidingPlan.Staging;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * The base of the algorithms on CUDA devices that slide: at most three dimensions; slabs that go through streams.
 *
 * @param <P> correlation or convolution
 */
public abstract class CudaAlgorithm<P extends Sliding> implements SlidingAlgorithm<P> {

	private final String id;
	private final Class<P> kind;

	CudaAlgorithm(final String id, final Class<P> kind) {
		this.id = id;
		this.kind = kind;
	}

	@Override
	public final Class<P> kind() {
		return kind;
	}

	@Override
	public final String id() {
		return id;
	}

	@Override
	public final Optional<String> unsupported(final P problem) {
		final Optional<String> unlike = otherPrecision(problem);
		if (unlike.isPresent()) return unlike;
		if (problem.lags().masked() && !joins()) return Optional.of("its kernels support images without missing pixels only: use cuda-direct or cuda-fourier");
		if (problem.channels() > 1 && !joins()) return Optional.of("its kernels support one channel, not joint responses of "
			+ problem.channels() + ": use cuda-direct or cuda-fourier");
		if (problem.weights() == Weights.REAL && !weighs()) return Optional.of("its kernels support masks of zeros and ones, not "
			+ problem.weights() + " weights");
		if (problem.size().dimensions() > 3)
			return Optional.of("its kernels support at most 3 dimensions, but the " + problem.noun() + " has "
				+ problem.size().dimensions());
		for (final Size t : problem.templates())
			if (t.pixels() > 1 << 26) return Optional.of("a " + problem.noun() + " of " + t
				+ " is larger than its kernels support (2^26 pixels)");
		return unsupportedShape(problem);
	}

	/** Whether it supports weights other than zeros and ones. Default: no. */
	boolean weighs() {
		return false;
	}

	/** Whether it supports missing pixels and joint responses of several channels. Default: no. */
	boolean joins() {
		return false;
	}

	/** The reason why it does not apply to a problem of at most three dimensions. Default: empty, it applies. */
	Optional<String> unsupportedShape(final P problem) {
		return Optional.empty();
	}

	/** Prepares one template on a device. The calling thread has entered the device. */
	abstract CudaMethod prepare(CudaDevice device, Template template, P problem);

	/** The number of templates, from the first on, that are prepared together. Default: 1. */
	int together(final CudaDevice device, final List<Template> templates, final P problem) {
		return 1;
	}

	/** Prepares several templates together. */
	CudaMethod prepare(final CudaDevice device, final List<Template> templates, final P problem) {
		return prepare(device, templates.get(0), problem);
	}

	/** Prepares all templates by several threads. */
	final List<CudaMethod> prepareAll(final CudaDevice device, final List<Template> templates, final P problem) {
		final List<List<Template>> groups = new ArrayList<>();
		for (int t = 0, n; t < templates.size(); t += n) {
			final List<Template> rest = templates.subList(t, templates.size());
			n = together(device, rest, problem);
			groups.add(rest.subList(0, n));
		}
		return inParallel(device, groups, g -> prepare(device, g, problem));
	}

	/** Prepares a method for each of some things by several threads, each in the device's context. If one fails, the others are closed. */
	static <T, M extends CudaMethod> List<M> inParallel(final CudaDevice device, final List<T> things, final Function<T, M> prepare) {
		final List<M> made = new ArrayList<>(Collections.nCopies(things.size(), null));
		// all threads end before the others are closed
		final AtomicReference<Throwable> failure = new AtomicReference<>();
		final IntConsumer one = i -> {
			if (failure.get() != null) return;
			try {
				device.enter();
				made.set(i, prepare.apply(things.get(i)));
			}
			catch (final RuntimeException | Error e) {
				failure.set(e);
			}
		};
		if (made.size() == 1) one.accept(0);
		else IntStream.range(0, made.size()).parallel().forEach(one);
		if (failure.get() == null) return made;
		made.stream().filter(Objects::nonNull).forEach(CudaMethod::close);
		if (failure.get() instanceof Error e) throw e;
		throw (RuntimeException) failure.get();
	}

	/** Whether an image is cut into slabs, so that the device copies one slab while it computes another. Default: yes. */
	boolean inSlabs() {
		return true;
	}

	/** The additional seconds of a single image that is not cut into slabs. */
	double wholeSeconds(final CudaCost costs) {
		return costs.seconds("frame-whole", CudaCost.WHOLE);
	}

	/** The seconds to prepare an execution. */
	double preparation(final CudaCost costs, final P p) {
		return costs.prepare() + costs.templates(p, "template-pixel", CudaCost.TEMPLATE);
	}

	/** The seconds per lag to convert pixels, sum windows and compute responses. {@link #deviceSeconds} does not include them. */
	double lagSeconds(final CudaCost costs, final P problem) {
		return costs.lag();
	}

	/** How many groups of templates are computed one after the other. Default: each template is one. */
	int rounds(final CudaDevice device, final P problem) {
		return problem.templates().size();
	}

	/** The additional time of each group that follows another one. */
	double roundSeconds(final CudaCost costs, final P problem) {
		return costs.round(problem, false);
	}

	/** The cost from pixels in Java's memory to responses in Java's memory. */
	Cost cost(final P problem, final CudaCost costs) {
		return costs.of(problem, this);
	}

	/** The seconds of the device for all lags of one template. */
	abstract double deviceSeconds(CudaCost costs, Size template, P problem);

	/** The execution that takes frames. Default: slabs, one frame after the other. */
	Execution execution(final CudaDevice device, final List<Template> templates, final P problem) {
		return Slabs.execution(device, templates, problem, all -> prepareAll(device, all, problem));
	}

	@Override
	public final SlidingPlan plan(final P problem, final Device device) {
		final List<CudaDevice> all = Driver.devices().list();
		for (final CudaDevice d : all) if (d.device.id().equals(device.id())) return plan(problem, new CudaCost(d, device.constants()));
		for (final GpuGroup g : GpuGroup.of(all))
			if (g.device().id().equals(device.id())) {
				final List<CudaCost> costs = g.gpus().stream().map(gpu -> new CudaCost(gpu, device.constants())).toList();
				final List<SlidingPlan> plans = costs.stream().map(c -> plan(problem, c)).toList();
				return new MultiDevicePlan(problem, plans, costs.get(0).spread(plans.get(0).cost(), problem, plans.size()));
			}
		throw new IllegalArgumentException("internal error: device " + device.id() + " does not exist");
	}

	private SlidingPlan plan(final P problem, final CudaCost costs) {
		final Cost cost = cost(problem, costs);
		final CudaDevice cuda = costs.gpu;
		return new SlidingPlan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				if (cuda.lost() != null) throw new DeviceException(cuda.lost());
				return execution(cuda, templates, problem);
			}

			@Override
			public Staging staging(final long bytes) {
				return cuda.lost() != null ? null : PinnedStaging.of(cuda, bytes);
			}
		};
	}
}
