package sc.fiji.ncc;

import java.util.List;

import net.imglib2.Dimensions;

import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.result.Response;

/**
 * An operation with options that say how it computes. Several threads can use it at the same time: each call uses the settings at its start.
 *
 * @param <O> the type of the operation itself
 */
public abstract class ComputingOp<O extends ComputingOp<O>> implements Cloneable {

	private ComputeOptions options = ComputeOptions.DEFAULT;
	/** A planner with all backends, for the number of threads in {@link #plannerThreads} and for {@link #plannerMemory}; null until it is needed. */
	private Planner planner;
	private int plannerThreads;
	private long plannerMemory;

	ComputingOp() {}

	/** The operation itself, for chains of calls. */
	abstract O self();

	/** Sets all options that say how the operation computes. Default: {@link ComputeOptions#DEFAULT}. */
	public final synchronized O compute(final ComputeOptions newOptions) {
		options = Given.nonNull(newOptions, "set of options");
		return self();
	}

	/**
	 * Sets the maximum number of CPU threads. Default: the number of processors.
	 *
	 * @throws IllegalArgumentException if the number is below 1
	 */
	public final synchronized O threads(final int threads) {
		return compute(options.threads(threads));
	}

	/**
	 * Sets the working memory for algorithms of the CPU, besides images and maps. Fourier methods then take smaller blocks and fewer threads, and cut large
	 * templates into parts. The plan states the memory. Default: that of the Java heap.
	 *
	 * @throws IllegalArgumentException if the number of bytes is below 1
	 */
	public final synchronized O memory(final long bytes) {
		return compute(options.memory(bytes));
	}

	/** Sets the backend: {@code auto}, or the id of one of {@link Backends#all}. Default: {@code auto}. */
	public final synchronized O backend(final String id) {
		return compute(options.backend(id));
	}

	/** Sets the algorithm: {@code auto}, or the id of an algorithm. Default: {@code auto}. */
	public final synchronized O algorithm(final String id) {
		return compute(options.algorithm(id));
	}

	/**
	 * Sets how the planner finds the fastest algorithm. Default: {@link Effort#ESTIMATE}.
	 *
	 * @param seconds the maximum time to measure a new problem, with {@link Effort#MEASURE}
	 */
	public final synchronized O effort(final Effort effort, final double seconds) {
		return compute(options.effort(effort, seconds));
	}

	/**
	 * Sets the precision. Default: {@link Precision#SINGLE}. Responses come as floats or as doubles ({@link Response#maps} or {@link
	 * Response#doubleMaps}). For tracking, it is the precision of the sub-pixel fit: with {@link Precision#DOUBLE} the coefficients around each peak are
	 * computed again, exactly. The pixel at which a template is found, and its score, are always exact.
	 */
	public final synchronized O precision(final Precision precision) {
		return compute(options.precision(precision));
	}

	/** Sets the monitor. It receives the progress as a number of responses, and can cancel. Default: {@link Monitor#NONE}. */
	public final synchronized O monitor(final Monitor monitor) {
		return compute(options.monitor(monitor));
	}

	/** Sets the backends. Default, also for null: {@link Backends#all}. */
	final synchronized O backends(final List<Backend> backends) {
		return compute(options.planner(backends == null ? null : new Planner(backends)));
	}

	final synchronized ComputeOptions options() {
		return options;
	}

	/** A copy with the current settings and a planner, for one call. Copies share the planner. */
	@SuppressWarnings("unchecked") // a clone has the same class
	final synchronized O snapshot() {
		prepareSnapshot();
		try {
			final ComputingOp<O> copy = (ComputingOp<O>) super.clone();
			if (options.planner().isEmpty()) copy.options = options.planner(planner());
			return copy.self();
		}
		catch (final CloneNotSupportedException e) {
			throw new IllegalStateException("internal error: the operation cannot be cloned", e);
		}
	}

	/** Reads inputs that all copies share. */
	void prepareSnapshot() {}

	private Planner planner() {
		if (planner == null || plannerThreads != options.threads() || plannerMemory != options.memory()) {
			planner = new Planner(Backends.all(options.threads(), options.memory()));
			plannerThreads = options.threads();
			plannerMemory = options.memory();
		}
		return planner;
	}

	/** Templates or kernels in words: {@code a 32x32 template}, {@code 3 templates of 32x32 and other sizes}. */
	static String text(final String noun, final List<Size> sizes) {
		final String size = sizes.get(0) + (sizes.stream().distinct().count() == 1 ? "" : " and other sizes");
		return sizes.size() == 1 ? "a " + size + " " + noun : sizes.size() + " " + noun + "s of " + size;
	}

	static List<Size> sizes(final List<? extends Dimensions> images) {
		return images.stream().map(i -> Size.of(i.dimensionsAsLongArray())).toList();
	}
}
