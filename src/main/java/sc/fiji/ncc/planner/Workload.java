package sc.fiji.ncc.planner;

import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;

/**
 * Test data of a problem's shape, on which plans are timed. A large problem is replaced by a smaller one.
 *
 * @param <P> the kind of problem
 * @param <L> its plans
 * @param <E> what they prepare
 */
abstract class Workload<P extends Problem, L extends Plan, E extends Plan.Prepared> {

	/** The problem, and the one that is timed. */
	final P whole, measured;
	private final Class<L> plans;

	Workload(final P whole, final P measured, final Class<L> plans) {
		this.whole = whole;
		this.measured = measured;
		this.plans = plans;
	}

	/** The work of the problem, divided by that of the one that is timed, for an algorithm that states no cost. Default: the number of frames. */
	double ratio() {
		return (double) whole.frames() / measured.frames();
	}

	/** Prepares a plan for the problem that is timed. */
	abstract E prepare(L plan);

	/**
	 * Solves the problem that is timed.
	 *
	 * @throws CancellationException if the monitor cancels
	 */
	abstract void run(E execution, Monitor monitor);

	/** The seconds to prepare a plan, to solve the problem, and of both with the release of the memory. */
	record Times(double preparing, double running, double all) {}

	/** Prepares a plan, solves the problem and closes. A full heap is a failure as that of a device. @param clock nanoseconds */
	final Times time(final Plan plan, final LongSupplier clock, final Monitor monitor) {
		return time(plan, clock, execution -> run(execution, monitor));
	}

	/** Prepares a plan and closes. */
	final void open(final Plan plan) {
		time(plan, () -> 0, execution -> {});
	}

	private Times time(final Plan plan, final LongSupplier clock, final Consumer<E> work) {
		final long start = clock.getAsLong(), prepared, end;
		try (E execution = prepare(plans.cast(plan))) {
			prepared = clock.getAsLong();
			work.accept(execution);
			end = clock.getAsLong();
		}
		catch (final OutOfMemoryError e) {
			throw DeviceException.outOfHeap(e);
		}
		return new Times(1e-9 * (prepared - start), 1e-9 * (end - prepared), 1e-9 * (clock.getAsLong() - start));
	}

	/** Halves the longest extent, until the size is small enough, or no extent would have its least number of pixels. */
	static Size halved(final Size size, final IntToLongFunction least, final Predicate<Size> isSmall) {
		final long[] extents = size.toArray();
		while (!isSmall.test(Size.of(extents))) {
			int longest = -1;
			for (int d = 0; d < extents.length; d++)
				if ((extents[d] + 1) / 2 >= least.applyAsLong(d) && (longest < 0 || extents[d] > extents[longest])) longest = d;
			if (longest < 0) break;
			extents[longest] = (extents[longest] + 1) / 2;
		}
		return Size.of(extents);
	}
}
