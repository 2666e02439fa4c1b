package sc.fiji.ncc.command.imagej;

import java.util.LinkedHashMap;
import java.util.Map;

import org.scijava.Context;
import org.scijava.command.Command;
import org.scijava.command.CommandInfo;
import org.scijava.command.CommandModule;
import org.scijava.command.CommandService;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.PluginService;
import org.scijava.widget.InputHarvester;

import sc.fiji.ncc.command.program.Keys;

/** SciJava's dialog for the advanced parameters of a command, on top of the main dialog. */
final class ExpertDialog {

	private final CommandService commands;
	private final PluginService plugins;

	ExpertDialog(final Context context) {
		commands = context.service(CommandService.class);
		plugins = context.service(PluginService.class);
	}

	/** Opens the dialog. If the user cancels it, the command keeps its values. */
	void ask(final Command command) {
		final CommandInfo info = commands.getCommand(command.getClass());
		final CommandModule module = new CommandModule(info, command);
		final Map<String, Object> before = new LinkedHashMap<>();
		for (final ModuleItem<?> input : info.inputs()) {
			if (Keys.isExpert(input) && !Keys.isRefused(info, input)) before.put(input.getName(), input.getValue(module));
			else module.resolveInput(input.getName());
		}
		for (final PreprocessorPlugin p : plugins.createInstancesOfType(PreprocessorPlugin.class)) {
			if (!(p instanceof InputHarvester)) continue;
			p.process(module);
			if (p.isCanceled()) before.forEach(module::setInput);
		}
	}
}
