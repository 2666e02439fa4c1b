package sc.fiji.ncc.plan;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * The progress of a computation, for a user interface, and the means to cancel it. Progress is the share of steps that are done. A step is a response where
 * templates or kernels slide or poses are searched; a frame that is read, or a pair that is compared, where frames are; a plane where images are written. Any
 * thread may call it.
 */
public interface Monitor {

	/** Ignores progress and never cancels. */
	Monitor NONE = new Monitor() {};

	/** Ignores progress, and cancels when a condition is true. */
	static Monitor canceledIf(final BooleanSupplier condition) {
		return NONE.orIf(condition);
	}

	/** Reports the total number of steps. Called once, before the first step. */
	default void total(final long steps) {}

	/** Reports this many additional finished steps. */
	default void done(final long steps) {}

	/** Polled often. If it returns true, the work ends within a second with a {@link CancellationException}. */
	default boolean canceled() {
		return false;
	}

	/** @throws CancellationException if the work is canceled */
	default void requireNotCanceled() {
		if (canceled()) throw new CancellationException("canceled");
	}

	/** The same monitor, which also cancels when a condition is true. */
	default Monitor orIf(final BooleanSupplier condition) {
		return new Monitor() {

			@Override
			public void total(final long steps) {
				Monitor.this.total(steps);
			}

			@Override
			public void done(final long steps) {
				Monitor.this.done(steps);
			}

			@Override
			public boolean canceled() {
				return condition.getAsBoolean() || Monitor.this.canceled();
			}
		};
	}
}
