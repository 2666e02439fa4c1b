package sc.fiji.ncc.fiji;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import ij.WindowManager;

import net.imagej.Dataset;
import net.imagej.patcher.LegacyInjector;

import org.scijava.Context;
import org.scijava.console.ConsoleService;
import org.scijava.convert.ConvertService;
import org.scijava.event.EventHandler;
import org.scijava.event.EventService;
import org.scijava.event.EventSubscriber;
import org.scijava.module.ModuleInfo;
import org.scijava.module.ModuleService;
import org.scijava.object.ObjectService;
import org.scijava.startup.StartupService;
import org.scijava.task.Task;
import org.scijava.task.event.TaskEvent;

import sc.fiji.ncc.command.program.ImageInput;

/**
 * ImageJ2 without windows, as Fiji starts it: patches ImageJ 1.x before its first class is loaded, then runs the command line. With {@value #IMPATIENT} as the
 * first argument, it cancels the first task that makes progress. With {@value #CLOSING} as the first argument, it closes all images at that time, and prints
 * the remaining images at the end.
 */
public final class HeadlessFiji {

	private static volatile Context running;

	static final String IMPATIENT = "impatient", CLOSING = "closing";

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

	private static final class Tidy {

		@EventHandler
		private void onEvent(final TaskEvent event) {
			final int[] open = event.getTask().getProgressValue() == 0 || event.getTask().isDone() ? null : WindowManager.getIDList();
			if (open == null) return;
			for (final int id : open) WindowManager.getImage(id).close();
			System.out.println("closed " + open.length + " images");
		}
	}

	/** Macros call it: the Datasets that a script gets of the open images. */
	public static String datasets() {
		final StringBuilder text = new StringBuilder();
		for (final int id : WindowManager.getIDList()) {
			final Dataset data = running.service(ConvertService.class).convert(WindowManager.getImage(id), Dataset.class);
			text.append(data.getName()).append(' ').append(data.getChannelMinimum(0)).append(' ').append(data.getChannelMaximum(0)).append(' ')
				.append(data.getProperties().get("NCC.template")).append("; ");
		}
		return text.toString();
	}

	/** Macros call it: what the search bar finds of this plugin. */
	public static String found() {
		return running.service(ModuleService.class).getModules().stream().filter(ModuleInfo::isVisible).map(ModuleInfo::getIdentifier)
			.filter(name -> name.contains("sc.fiji.ncc.")).collect(Collectors.joining(" "));
	}

	public static void main(final String[] args) {
		try (Context context = new Context()) {
			running = context;
			final Object somebody = args[0].equals(IMPATIENT) ? new TaskWindow() : args[0].equals(CLOSING) ? new Tidy() : null;
			// the event bus has weak references only
			final List<EventSubscriber<?>> subscribed = somebody == null ? List.of() : context.service(EventService.class).subscribe(somebody);
			context.service(ConsoleService.class).processArgs(somebody == null ? args : Arrays.copyOfRange(args, 1, args.length));
			// the command of --run waits for this
			context.service(StartupService.class).executeOperations();
			Reference.reachabilityFence(subscribed);
			Reference.reachabilityFence(somebody);
			if (args[0].equals(CLOSING)) System.out.println("left: " + context.service(ObjectService.class).getObjects(Dataset.class)
				+ context.service(ConvertService.class).getCompatibleInputs(ImageInput.class) + Arrays.toString(WindowManager.getImageTitles()));
		}
		System.exit(0);
	}
}
