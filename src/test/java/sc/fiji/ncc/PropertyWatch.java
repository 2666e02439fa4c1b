package sc.fiji.ncc;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Writes each property's seed to the log, so that what it tried can be tried again; and names one that hangs, with its stack. Registered for all properties. */
public final class PropertyWatch implements AroundPropertyHook {

	private static final Duration MOST = Duration.ofMinutes(10);
	private static final ScheduledExecutorService CLOCK = Executors.newSingleThreadScheduledExecutor(work -> {
		final Thread thread = new Thread(work, "property-watch");
		thread.setDaemon(true);
		return thread;
	});

	@Override
	public PropagationMode propagateTo() {
		return PropagationMode.ALL_DESCENDANTS;
	}

	@Override
	public PropertyExecutionResult aroundProperty(final PropertyLifecycleContext context, final PropertyExecutor property) {
		final Future<?> alarm = interruptAfter(MOST, Thread.currentThread(), context.extendedLabel());
		try {
			final PropertyExecutionResult result = property.execute();
			System.out.println(context.extendedLabel() + ": " + result.countTries() + " tries, seed " + result.seed().orElse("none") + ", " + result.status());
			return result;
		}
		finally {
			alarm.cancel(false);
		}
	}

	/** After some time says what a thread is at, and interrupts it. */
	static Future<?> interruptAfter(final Duration time, final Thread thread, final String name) {
		return CLOCK.schedule(() -> {
			System.err.println(name + " hangs: it takes longer than " + time + "\n"
				+ Arrays.stream(thread.getStackTrace()).map(frame -> "\tat " + frame).collect(Collectors.joining("\n")));
			thread.interrupt();
		}, time.toMillis(), TimeUnit.MILLISECONDS);
	}
}
