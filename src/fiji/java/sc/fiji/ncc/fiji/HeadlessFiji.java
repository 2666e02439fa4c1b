package sc.fiji.ncc.fiji;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;

import net.imagej.patcher.LegacyInjector;

import org.scijava.Context;
import org.scijava.console.ConsoleService;
import org.scijava.event.EventHandler;
import org.scijava.event.EventService;
import org.scijava.event.EventSubscriber;
import org.scijava.startup.StartupService;
import org.scijava.task.Task;
import org.scijava.task.event.TaskEvent;

/**
 * ImageJ2 without windows, as Fiji starts it: patches ImageJ 1.x before any of it is loaded, then does what the command line says. With {@value #IMPATIENT}
 * before that, somebody presses the X of the first task that has come some way.
 */
final class HeadlessFiji {

	static final String IMPATIENT = "impatient";

	static {
		LegacyInjector.preinit();
	}

	private HeadlessFiji() {}

	private static final class TaskWindow {

		@EventHandler
		private void onEvent(final TaskEvent event) {
			final Task task = event.getTask();
			if (task.getProgressValue() == 0 || task.isDone() || task.isCanceled()) return;
			System.out.println("canceled " + task.getName() + (task.getProgressValue() < task.getProgressMaximum() / 2 ? " on the way" : " too late"));
			task.cancel("");
		}
	}

	public static void main(final String[] args) {
		try (Context context = new Context()) {
			final boolean impatient = args[0].equals(IMPATIENT);
			final TaskWindow window = new TaskWindow();
			// events know those who listen weakly
			final List<EventSubscriber<?>> subscribed = impatient ? context.service(EventService.class).subscribe(window) : List.of();
			context.service(ConsoleService.class).processArgs(impatient ? Arrays.copyOfRange(args, 1, args.length) : args);
			// what --run asks for waits for this
			context.service(StartupService.class).executeOperations();
			Reference.reachabilityFence(subscribed);
		}
		System.exit(0);
	}
}
