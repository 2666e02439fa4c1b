package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.DoubleType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

import org.scijava.Context;
import org.scijava.command.Command;
import org.scijava.command.CommandModule;
import org.scijava.command.CommandService;
import org.scijava.event.EventHandler;
import org.scijava.event.EventService;
import org.scijava.event.EventSubscriber;
import org.scijava.task.Task;
import org.scijava.task.event.TaskEvent;

import ij.ImagePlus;
import ij.WindowManager;
import ij.macro.Interpreter;

import sc.fiji.ncc.fixture.RandomPixels;

/** Tests that run in a SciJava application without windows and without ImageJ2. */
public abstract class InSciJava {

	public static Context context;
	public static CommandService commands;

	@BeforeAll
	static void start() {
		// keep SciJava's preferences of the tests away from the user's and from those of other processes. Java reads the property once, so the folder must remain
		System.setProperty("java.util.prefs.userRoot", Path.of("target", "preferences", String.valueOf(ProcessHandle.current().pid())).toAbsolutePath().toString());
		System.setProperty("java.awt.headless", "true");
		context = new Context();
		commands = context.service(CommandService.class);
	}

	/** Images that tests before this one left open would be listed in messages. */
	@BeforeEach
	void closeImages() {
		final int[] ids = WindowManager.getIDList();
		if (ids == null) return;
		for (final int id : ids) {
			final ImagePlus image = WindowManager.getImage(id);
			Interpreter.removeBatchModeImage(image);
			image.changes = false;
			image.close();
		}
	}

	@AfterAll
	static void stop() {
		context.dispose();
	}

	static CommandModule run(final Class<? extends Command> command, final Object... inputs) throws Exception {
		return commands.run(command, true, inputs).get();
	}

	/** Cancels the first task that makes progress, like the X in the task window. */
	private static final class TaskWindow {

		private final AtomicReference<Task> canceled = new AtomicReference<>();

		@EventHandler
		private void onEvent(final TaskEvent event) {
			final Task task = event.getTask();
			if (task.getProgressValue() > 0 && !task.isDone() && !task.isCanceled() && canceled.compareAndSet(null, task)) task.cancel("");
		}
	}

	/** Runs a command, cancels it by its task as soon as there is progress, and checks that most of the work is not done. */
	static CommandModule runCanceled(final Class<? extends Command> command, final Object... inputs) throws Exception {
		final TaskWindow window = new TaskWindow();
		final List<EventSubscriber<?>> subscribed = context.service(EventService.class).subscribe(window);
		try {
			final CommandModule module = run(command, inputs);
			final Task task = window.canceled.get();
			assertTrue(module.isCanceled() && task != null, "it ended before it could be canceled");
			assertEquals("", module.getCancelReason());
			assertTrue(task.getProgressValue() < task.getProgressMaximum() / 2, task.getProgressValue() + " of " + task.getProgressMaximum() + " were done");
			return module;
		}
		finally {
			context.service(EventService.class).unsubscribe(subscribed);
		}
	}

	public static Img<UnsignedByteType> noise(final int width, final int height) {
		return RandomPixels.image(3, width, height);
	}

	static Img<DoubleType> cut(final Img<UnsignedByteType> image, final int x, final int y, final int width, final int height) {
		final Img<DoubleType> cut = ArrayImgs.doubles(width, height);
		for (int j = 0; j < height; j++)
			for (int i = 0; i < width; i++) cut.getAt(i, j).set(image.getAt(x + i, y + j).get());
		return cut;
	}
}
