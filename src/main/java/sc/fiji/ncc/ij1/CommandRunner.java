package sc.fiji.ncc.ij1;

import java.awt.GraphicsEnvironment;
import java.util.List;
import java.util.concurrent.ExecutionException;

import ij.IJ;
import ij.plugin.PlugIn;
import ij.plugin.frame.Recorder;
import ij.util.Java2;

import org.scijava.Context;
import org.scijava.command.CommandInfo;
import org.scijava.command.CommandService;
import org.scijava.event.DefaultEventService;
import org.scijava.log.StderrLogService;
import org.scijava.module.Module;
import org.scijava.module.ModuleException;
import org.scijava.module.ModuleItem;
import org.scijava.plugin.Plugin;
import org.scijava.plugin.PluginIndex;
import org.scijava.plugin.PluginInfo;
import org.scijava.service.Service;
import org.scijava.task.DefaultTaskService;
import org.scijava.thread.DefaultThreadService;

import sc.fiji.ncc.command.Batch;
import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.imagej.ImageJ1;
import sc.fiji.ncc.command.imagej.InputDialog;
import sc.fiji.ncc.command.imagej.KeptValues;
import sc.fiji.ncc.command.imagej.MacroInputs;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MessageLines;

/**
 * Runs a command for {@link NccPlugIn}. In ImageJ2, SciJava runs it. In plain ImageJ 1.x, this class does. The command declares its parameters. Macros use the
 * same keys in both. Without a macro, a dialog shows the parameters.
 */
public final class CommandRunner implements PlugIn {

	/** The services that commands need. The list avoids a search on the class path, so that a context starts in milliseconds. */
	private static final List<Class<? extends Service>> SERVICES = List.of(StderrLogService.class, DefaultThreadService.class,
		DefaultEventService.class, DefaultTaskService.class, ImageJStatusService.class, ImageJFrontEnd.class);

	/** @param command the name of a class that extends {@link NccCommand} */
	@Override
	public void run(final String command) {
		if (ImageJ1.isInImageJ2()) runInImageJ2(command);
		else runInImageJ1(command);
	}

	/** As ImageJ2 runs an entry of its own menu. */
	private static void runInImageJ2(final String command) {
		final Context context = (Context) IJ.runPlugIn(Context.class.getName(), "");
		try {
			context.service(CommandService.class).run(command, true).get();
		}
		catch (final InterruptedException e) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(e);
		}
		catch (final ExecutionException e) {
			throw new IllegalStateException(e);
		}
	}

	private static void runInImageJ1(final String command) {
		String reason, title = "NCC";
		try (Context context = new Context(SERVICES, index())) {
			final CommandInfo info = info(command);
			title = info.getTitle().replace("...", "");
			reason = run(info.createModule(), context);
		}
		catch (final IllegalArgumentException e) {
			reason = e.getMessage();
			Batch.fail(title + ": " + reason);
		}
		catch (final ModuleException e) {
			throw new IllegalStateException("Internal error: cannot create the command " + command, e);
		}
		catch (final RuntimeException | Error e) {
			// ImageJ shows the stack trace, but does not end the macro
			if (Batch.isRunning()) e.printStackTrace();
			ImageJ1.abortMacro("");
			throw e;
		}
		if (reason == null) return;
		// a batch run has no user to close a window
		Batch.end();
		if (reason.isEmpty()) ImageJ1.abortMacro("");
		else IJ.error("NCC", GraphicsEnvironment.isHeadless() ? reason : MessageLines.of(reason));
	}

	/** An index of the services above. Without it, the context would warn about an empty class path. */
	private static PluginIndex index() {
		final PluginIndex index = new PluginIndex(null);
		for (final Class<? extends Service> service : SERVICES) index.add(new PluginInfo<>(service, Service.class));
		return index;
	}

	/** @return the reason of a failure; empty if the user canceled the command; null on success */
	private static String run(final Module module, final Context context) {
		final ImageJFrontEnd program = context.service(ImageJFrontEnd.class);
		final NccCommand command = (NccCommand) module.getDelegateObject();
		context.inject(command);
		if (program.isInteractive()) {
			if (InputDialog.isNeeded(module) && !isAnswered(module, program)) return "";
		}
		else {
			program.macro().ifPresent(options -> options.requireKnown(Keys.of(module.getInfo()), NccCommand.title(module.getInfo())));
			MacroInputs.resolve(module, program);
		}
		module.run();
		if (command.isCanceled()) return command.getCancelReason();
		command.openMaps();
		// ImageJ clears the status bar when it opens an image
		if (!command.summary().isEmpty()) IJ.showStatus(command.summary());
		KeptValues.finish(module);
		return null;
	}

	/** Asks for the parameters, and records them. @return false if the user canceled the dialog */
	private static boolean isAnswered(final Module module, final ImageJFrontEnd program) {
		((NccCommand) module.getDelegateObject()).missing(program).ifPresent(missing -> {
			throw new IllegalArgumentException(missing);
		});
		// Fiji sets its own
		Java2.setSystemLookAndFeel();
		if (!new InputDialog(module, program).ask()) return false;
		if (Recorder.record) record(module);
		return true;
	}

	/** Records the parameters, without those that the command refuses. GenericDialog would record a check box as a key without a value, which Fiji ignores. */
	private static void record(final Module module) {
		for (final ModuleItem<?> input : Groups.ordered(module.getInfo().inputs())) {
			if (!Keys.isChosen(input) || Keys.isRefused(module.getInfo(), input)) continue;
			final Object value = input.getValue(module);
			final String text = value instanceof ImageInput ? ((ImageInput) value).name() : String.valueOf(value).replaceFirst("\\.0$", "");
			Recorder.recordOption(input.getName(), text.isEmpty() ? "[]" : text);
		}
	}

	private static CommandInfo info(final String command) {
		try {
			final Class<? extends NccCommand> type = Class.forName(command).asSubclass(NccCommand.class);
			return new CommandInfo(type, type.getAnnotation(Plugin.class));
		}
		catch (final ClassNotFoundException e) {
			throw new IllegalArgumentException("Unknown command " + command + ". Install the plugin again; a file plugins.config of another version is in use.", e);
		}
	}
}
