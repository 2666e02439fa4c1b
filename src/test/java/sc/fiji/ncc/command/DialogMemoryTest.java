package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.scijava.command.CommandInfo;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.module.ModuleService;
import org.scijava.module.process.PreprocessorPlugin;
import org.scijava.plugin.PluginService;
import org.scijava.prefs.PrefService;

import sc.fiji.ncc.command.imagej.AfterDialog;
import sc.fiji.ncc.command.imagej.BeforeDialog;
import sc.fiji.ncc.command.program.Keys;

/** The values that SciJava's dialogs remember: only those of a dialog that was closed with OK. */
class DialogMemoryTest extends InSciJava {

	/** Keys that are not remembered in any command, or in one. */
	private static final List<String> NEVER = List.of("weights", "imagemask", "templates", "regions", "channels", "channel", "slice", "clear", "transforms", "trackmate", "frame", "mask", "second", "Track Templates... reference",
		"Correct Drift... inside", "Track Templates... depth");

	@AfterEach
	void forget() {
		preferences().clear(FindMatchesCommand.class);
	}

	@Test
	void valuesOfMacrosAndScriptsAreNotKept() throws Exception {
		run(FindMatchesCommand.class, "image", noise(30, 20), "template", cut(noise(30, 20), 7, 5, 6, 4), "minscore", 0.9, "max", 3);
		assertNull(preferences().get(FindMatchesCommand.class, "minscore"), "SciJava has kept it");
		assertEquals("0.5", inDialog().getInput("minscore"));
		for (final CommandInfo command : commands.getCommands()) if (command.getClassName().startsWith("sc.fiji.ncc.command."))
			for (final ModuleItem<?> input : command.inputs())
				if (Keys.isChosen(input)) assertFalse(input.isPersisted(), command.getTitle() + " " + input.getName());
	}

	@Test
	void whatADialogHasShownIsKept() throws Exception {
		final Module first = inDialog();
		first.setInput("minscore", "0.25");
		first.setInput("compete", false);
		first.setInput("extent", "same");
		first.setInput("templates", "coin*");
		AfterDialog.keep(first, preferences());
		final Module next = inDialog();
		assertEquals("0.25", next.getInput("minscore"));
		assertEquals(false, next.getInput("compete"));
		assertEquals("same", next.getInput("extent"));
		assertEquals("", next.getInput("templates"), "titles are not shown again");
	}

	@Test
	void whatAScriptGivesBesideADialogIsNotKept() throws Exception {
		final Module partly = commands.getCommand(FindMatchesCommand.class).createModule();
		partly.setInput("minscore", "0.25");
		partly.resolveInput("minscore");
		BeforeDialog.recall(partly, preferences());
		partly.setInput("max", 7);
		AfterDialog.keep(partly, preferences());
		final Module next = inDialog();
		assertEquals("0.5", next.getInput("minscore"));
		assertEquals(7, next.getInput("max"));
	}

	/** A dialog could not show it. */
	@Test
	void whatACommandRefusesIsNotRecalled() throws Exception {
		preferences().put(FindRotatedMatchesCommand.class, BeforeDialog.KEPT + "nan", "missing");
		preferences().put(FindRotatedMatchesCommand.class, BeforeDialog.KEPT + "support", "ring");
		try {
			final Module module = commands.getCommand(FindRotatedMatchesCommand.class).createModule();
			BeforeDialog.recall(module, preferences());
			assertEquals("undefined", module.getInput("nan"));
			assertEquals("ring", module.getInput("support"));
		}
		finally {
			preferences().clear(FindRotatedMatchesCommand.class);
		}
	}

	@Test
	void whatIsNoValueIsPassedOver() throws Exception {
		preferences().put(FindMatchesCommand.class, BeforeDialog.KEPT + "minscore", "7");
		preferences().put(FindMatchesCommand.class, BeforeDialog.KEPT + "extent", "whole");
		assertEquals("0.5", inDialog().getInput("minscore"));
		assertEquals("valid", inDialog().getInput("extent"));
	}

	@Test
	void titlesPositionsAndClearAreNotRemembered() {
		for (final CommandInfo command : commands.getCommands()) if (command.getClassName().startsWith("sc.fiji.ncc.command."))
			for (final ModuleItem<?> input : command.inputs())
				if (Keys.isChosen(input)) assertEquals(!Keys.isImage(input) && !NEVER.contains(input.getName()) && !NEVER.contains(command.getTitle() + " " + input.getName()), Keys.isRemembered(input), command.getTitle() + " " + input.getName());
	}

	/** Runs the preprocessors of the dialog, and those that keep values in SciJava. */
	@Test
	void theyStandAroundTheDialog() {
		final List<String> order = context.service(PluginService.class).getPluginsOfType(PreprocessorPlugin.class).stream()
			.map(plugin -> plugin.getClassName().replaceAll(".*\\.", "")).collect(Collectors.toList());
		assertTrue(order.indexOf("BeforeDialog") < order.indexOf("LoadInputsPreprocessor"), order.toString());
		assertTrue(order.indexOf("BeforeDialog") > order.indexOf("InitPreprocessor"), order.toString());
		assertTrue(order.indexOf("AfterDialog") > order.indexOf("SaveInputsPreprocessor"), order.toString());
	}

	/** A command in the state in which its dialog opens. */
	private static Module inDialog() throws Exception {
		final Module module = context.service(ModuleService.class).createModule(commands.getCommand(FindMatchesCommand.class));
		BeforeDialog.recall(module, preferences());
		return module;
	}

	private static PrefService preferences() {
		return context.service(PrefService.class);
	}
}
