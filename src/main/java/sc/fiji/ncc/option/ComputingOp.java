package sc.fiji.ncc.option;

import java.util.List;
import java.util.function.BiFunction;

import sc.fiji.ncc.option.Components.Accessor;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;

/**
 * An operation with options that say how it computes. Several threads can use it at the same time: each call uses the settings at its start.
 *
 * @param <O> the type of the operation itself
 * @param <S> its other settings. A setter replaces the record; a call uses the one at its start
 */
public abstract class ComputingOp<O extends ComputingOp<O, S>, S extends Record> {

	/** Makes the backends for a number of threads and bytes of memory. */
	private final BiFunction<Integer, Long, List<Backend>> backends;
	private ComputeOptions options = ComputeOptions.DEFAULT;
	private S settings;
	/** Options with a planner of all backends, and the options that they were made of; null until they are needed. */
	private ComputeOptions planned, plannerFor;

	/**
	 * @param backends makes all backends, for a number of threads and bytes of memory
	 * @param settings the defaults
	 */
	protected ComputingOp(final BiFunction<Integer, Long, List<Backend>> backends, final S settings) {
		this.backends = backends;
		this.settings = settings;
	}

	/** The operation itself, for chains of calls. */
	@SuppressWarnings("unchecked") // the parameter is the type of the operation
	private O self() {
		return (O) this;
	}

	/** The current settings, without the options that say how the operation computes. */
	protected final synchronized S settings() {
		return settings;
	}

	/** Sets one setting. */
	protected final synchronized <V> O set(final Accessor<S, V> setting, final V value) {
		settings = Components.with(settings, setting, value);
		return self();
	}

	/** Sets one setting of a part of the settings. */
	protected final synchronized <P extends Record, V> O set(final Accessor<S, P> part, final Accessor<P, V> setting, final V value) {
		settings = Components.with(settings, part, setting, value);
		return self();
	}

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

	/** Sets the backend: {@code auto}, or the id of one of {@code sc.fiji.ncc.Backends}. Default: {@code auto}. */
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
	 * Sets the precision. Default: {@link Precision#SINGLE}. Responses come as floats or as doubles ({@code Response.maps} or {@code
	 * Response.doubleMaps}). For tracking, it is the precision of the sub-pixel fit: with {@link Precision#DOUBLE} the coefficients around each peak are
	 * computed again, exactly. The pixel at which a template is found, and its score, are always exact. Scores of registrations and drift
	 * corrections are exact, too.
	 */
	public final synchronized O precision(final Precision precision) {
		return compute(options.precision(precision));
	}

	/** Sets the monitor. It receives the progress in steps, see {@link Monitor}, and can cancel. Default: {@link Monitor#NONE}. */
	public final synchronized O monitor(final Monitor monitor) {
		return compute(options.monitor(monitor));
	}

	/** Sets the backends. Default, also for null: all. */
	protected final synchronized O planWith(final List<Backend> only) {
		return compute(options.planner(only == null ? null : new Planner(only)));
	}

	/** The current options, as they were set. */
	protected final synchronized ComputeOptions options() {
		return options;
	}

	/** The current options with a planner. Calls share it, as long as neither the number of threads nor the memory changes. */
	protected final synchronized ComputeOptions planned() {
		if (options.planner().isPresent()) return options;
		if (options == plannerFor) return planned;
		if (planned == null || plannerFor.threads() != options.threads() || plannerFor.memory() != options.memory())
			planned = options.planner(new Planner(backends.apply(options.threads(), options.memory())));
		else planned = options.planner(planned.planner().orElseThrow());
		plannerFor = options;
		return planned;
	}
}
