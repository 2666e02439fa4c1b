package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.scijava.command.CommandInfo;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.PluginService;
import org.scijava.widget.InputHarvester;

import ij.IJ;
import ij.Prefs;
import sc.fiji.ncc.command.FindMatchesCommand;
import sc.fiji.ncc.command.InSciJava;
import sc.fiji.ncc.command.StitchTilesCommand;
import sc.fiji.ncc.command.program.Keys;

/** The values that dialogs remember: only those of a dialog that was closed with OK. Those for one image only if the command then failed. */
class KeptValuesTest extends InSciJava {

	/** Keys that are not remembered in any command, or in one. */
	private static final List<String> NEVER = List.of("weights", "imagemask", "gridmask", "templates", "roi", "channels", "slice", "clear", "transforms",
		"trackmate", "frame", "fixedmask", "movingmask", "Track Templates... reference", "Track Templates... template",
		"Correct Drift... inside", "Correct Motion... inside", "Track Templates... depth", "Stitch Tiles... folder", "Stitch Tiles... grid",
			"Stitch Tiles... overlap",
		"Stitch Tiles... pattern", "Stitch Tiles... positions", "Stitch Tiles... flatfield", "Motion Field... after", "Motion Field... reference",
		"Motion Field... doubleframes", "Motion Field... ensemble");

	@TempDir
	Path folder;

	@AfterEach
	void forget() throws Exception {
		final Module module = module();
		for (final ModuleItem<?> input : module.getInfo().inputs()) Prefs.set(KeptValues.key(module, input), null);
	}

	@Test
	void valuesOfMacrosAndScriptsAreNotKept() throws Exception {
		commands.run(FindMatchesCommand.class, true, "image", noise(30, 20), "template", noise(6, 4), "minscore", 0.9, "maxmatches", 3).get();
		assertEquals("0.5", kept("minscore"));
		assertEquals("0", kept("maxmatches"));
		for (final CommandInfo command : commands.getCommands()) if (command.getClassName().startsWith("sc.fiji.ncc.command."))
			for (final ModuleItem<?> input : command.inputs())
				if (Keys.isChosen(input)) assertFalse(input.isPersisted(), command.getTitle() + " " + input.getName());
	}

	@Test
	void whatADialogHasShownIsKept() throws Exception {
		final Module first = module();
		first.setInput("minscore", "0.25");
		first.setInput("maxoverlap", 0.125);
		first.setInput("falsealarms", 2.0);
		first.setInput("compete", false);
		first.setInput("extent", "same");
		first.setInput("templates", "coin*");
		first.setInput("maxmatches", 7);
		final List<ModuleItem<?>> shown = new ArrayList<>();
		first.getInfo().inputs().forEach(shown::add);
		shown.removeIf(input -> input.getName().equals("maxmatches"));
		KeptValues.keep(first, shown);
		assertEquals("coin*", kept("templates"), "the command has not run to its end");
		KeptValues.finish(first);
		assertEquals(List.of("0.25", "0.125", "2", "false", "same", "", "0"),
			List.of(kept("minscore"), kept("maxoverlap"), kept("falsealarms"), kept("compete"), kept("extent"), kept("templates"), kept("maxmatches")));
	}

	/** After an error, nobody has to type everything again. */
	@Test
	void aDialogHasTheValuesOfARunThatFailed() throws Exception {
		final Module module = commands.getCommand(StitchTilesCommand.class).createModule();
		final ModuleItem<?> grid = module.getInfo().getInput("grid");
		for (final String overlap : List.of("", "20")) {
			final Path tiles = Files.createDirectories(folder.resolve("tiles"));
			for (int i = 0; i < 2; i++) IJ.saveAsTiff(IJ.createImage("tile", "8-bit noise", 60, 50, 1), tiles.resolve(i + ".tif").toString());
			module.setInput("folder", tiles.toString());
			module.setInput("grid", "2x1");
			KeptValues.keep(module, List.of(grid));
			final Module run = commands.run(StitchTilesCommand.class, true, "folder", tiles.toString(), "grid", "2x1", "overlap", overlap, "graph", false)
				.get();
			final boolean failed = ((StitchTilesCommand) run.getDelegateObject()).isCanceled();
			assertEquals(overlap.isEmpty(), failed);
			assertEquals(failed ? "2x1" : "", KeptValues.of(commands.getCommand(StitchTilesCommand.class).createModule(), grid));
		}
	}

	@Test
	void whatIsNoValueIsPassedOver() throws Exception {
		final Module module = module();
		Prefs.set(KeptValues.key(module, module.getInfo().getInput("minscore")), "7");
		Prefs.set(KeptValues.key(module, module.getInfo().getInput("extent")), "whole");
		assertEquals("7", Prefs.get(KeptValues.key(module, module.getInfo().getInput("minscore")), ""));
		assertEquals("0.5", kept("minscore"));
		assertEquals("valid", kept("extent"));
	}

	@Test
	void titlesPositionsAndClearAreNotRemembered() {
		for (final CommandInfo command : commands.getCommands()) if (command.getClassName().startsWith("sc.fiji.ncc.command."))
			for (final ModuleItem<?> input : command.inputs())
				if (Keys.isChosen(input)) assertEquals(!Keys.isImage(input) && !NEVER.contains(input.getName())
					&& !NEVER.contains(command.getTitle() + " " + input.getName()), Keys.isRemembered(input), command.getTitle() + " " + input.getName());
	}

	/** After what other programs set, and before SciJava's dialog. */
	@Test
	void theDialogOpensBeforeSciJavas() {
		final List<String> order = context.service(PluginService.class).getPluginsOfType(PreprocessorPlugin.class).stream()
			.map(plugin -> plugin.getClassName().replaceAll(".*\\.", "")).collect(Collectors.toList());
		assertTrue(order.indexOf("DialogInputs") < order.indexOf("LoadInputsPreprocessor"), order.toString());
		assertTrue(order.indexOf("DialogInputs") > order.indexOf("InitPreprocessor"), order.toString());
		assertTrue(context.service(PluginService.class).getPlugin(DialogInputs.class).getPriority() > InputHarvester.PRIORITY, order.toString());
	}

	private static Module module() throws Exception {
		return commands.getCommand(FindMatchesCommand.class).createModule();
	}

	private static String kept(final String key) throws Exception {
		final Module module = module();
		return KeptValues.of(module, module.getInfo().getInput(key));
	}
}
