package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.swing.JButton;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JTextField;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.scijava.command.CommandInfo;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;

import ij.ImagePlus;
import ij.ImageStack;
import ij.WindowManager;
import ij.gui.Roi;
import ij.macro.Interpreter;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import sc.fiji.ncc.command.ConvolveImageCommand;
import sc.fiji.ncc.command.CorrectDriftCommand;
import sc.fiji.ncc.command.FindMatchesCommand;
import sc.fiji.ncc.command.FindRotatedMatchesCommand;
import sc.fiji.ncc.command.InSciJava;
import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.NormalizedCrossCorrelationCommand;
import sc.fiji.ncc.command.RegisterImagesCommand;
import sc.fiji.ncc.command.TrackTemplatesCommand;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;

/** The fields of the dialogs, without windows. */
class InputDialogTest extends InSciJava {

	/** With the buttons "Advanced..." and "OK", a first screen has at most nine controls. */
	private static final int CONTROLS = 9 - 2;

	@BeforeEach
	void images() {
		Interpreter.batchMode = true;
		open("b.tif", 9);
		open("b.tif", 8);
		// the last one is active
		open("a.tif", 40).setRoi(new Roi(1, 2, 3, 4));
	}

	@AfterEach
	void close() {
		for (final int id : WindowManager.getIDList()) Interpreter.removeBatchModeImage(WindowManager.getImage(id));
		Interpreter.batchMode = false;
	}

	private static ImagePlus open(final String title, final int side) {
		final ImagePlus image = new ImagePlus(title, new ByteProcessor(side, side));
		Interpreter.addBatchModeImage(image);
		return image;
	}

	static Stream<CommandInfo> commands() {
		return commands.getCommands().stream().filter(command -> command.getClassName().startsWith("sc.fiji.ncc.command.") && !Keys.of(command).isEmpty());
	}

	@ParameterizedTest
	@MethodSource("commands")
	void theFirstScreenHasAtMostNineControls(final CommandInfo command) throws Exception {
		final InputDialog dialog = dialog(command.createModule());
		final List<String> first = names(dialog.inputs(Optional.empty()));
		assertTrue(first.size() >= 3 && first.size() <= CONTROLS, first.toString());
		assertTrue(List.of("image", "fixed", "operation", "folder").contains(first.get(0)), first.toString());
	}

	@ParameterizedTest
	@MethodSource("commands")
	void everyOtherParameterIsInOneGroup(final CommandInfo command) throws Exception {
		final Module module = command.createModule();
		final InputDialog dialog = dialog(module);
		int shown = dialog.inputs(Optional.empty()).size();
		for (final String group : Groups.ALL) shown += dialog.inputs(Optional.of(group)).size();
		assertEquals(dialog.fields().size(), shown);
		for (final ModuleItem<?> input : command.inputs()) {
			assertTrue(Groups.ALL.stream().filter(input::is).count() <= 1, input.getName());
			assertEquals(Keys.isPreview(input) || Keys.isChosen(input) && !Keys.isRefused(command, input), dialog.fields().containsKey(input), input.getName());
		}
	}

	/** A spinner reads a decimal with another separator as 0. */
	@ParameterizedTest
	@MethodSource("commands")
	void numbersAreTextsWithBothSeparators(final CommandInfo command) throws Exception {
		final Module module = command.createModule();
		final InputDialog dialog = dialog(module);
		for (final ModuleItem<?> input : dialog.fields().keySet()) {
			final JComponent field = dialog.fields().get(input);
			final boolean decimal = input.getType() == double.class || input.is(Keys.OR_AUTO);
			if (!decimal && input.getType() != int.class) continue;
			final JTextField text = (JTextField) field;
			if (!decimal) continue;
			final String before = text.getText();
			for (final String quarter : List.of("0.25", "0,25", " 0,25 ", "+,25")) {
				text.setText(quarter);
				dialog.set();
				assertEquals(0.25, Double.parseDouble(String.valueOf(input.getValue(module))), input.getName());
			}
			for (final String wrong : List.of("1,234", "0.2.5", "0,2,5", "1.234,5", "1,234.5", "", "0;2")) {
				text.setText(wrong);
				assertTrue(assertThrows(IllegalArgumentException.class, dialog::set).getMessage().startsWith(input.getName() + "="), input.getName() + " " + wrong);
			}
			text.setText(before);
		}
	}

	@Test
	void aCommaIsRefusedWhereItCanSeparateThousands() throws Exception {
		final Module module = commands.getCommand(NormalizedCrossCorrelationCommand.class).createModule();
		final InputDialog dialog = dialog(module);
		final JTextField constant = (JTextField) field(dialog, "constant");
		constant.setText("12,345");
		assertEquals("constant=12,345 is ambiguous. Write 12.345 or 12345.", assertThrows(IllegalArgumentException.class, dialog::set).getMessage());
		for (final String text : List.of("0,345", "1234,567", "12,3456", "-0,5", "1,5e3")) {
			constant.setText(text);
			dialog.set();
			assertEquals(Double.parseDouble(text.replace(',', '.')), module.getInput("constant"));
		}
	}

	@Test
	void imagesAreProposed() throws Exception {
		final Module module = commands.getCommand(NormalizedCrossCorrelationCommand.class).createModule();
		dialog(module).set();
		assertEquals("a.tif a.tif", name(module, "image") + " " + name(module, "template"));
		WindowManager.getCurrentImage().deleteRoi();
		final Module without = commands.getCommand(NormalizedCrossCorrelationCommand.class).createModule();
		dialog(without).set();
		assertEquals("a.tif b.tif", name(without, "image") + " " + name(without, "template"));
	}

	/** Two images of one title are two entries. */
	@ParameterizedTest
	@MethodSource("commands")
	void imagesOfOneTitleCanBeChosen(final CommandInfo command) throws Exception {
		final Module module = command.createModule();
		final InputDialog dialog = dialog(module);
		for (final ModuleItem<?> input : dialog.fields().keySet()) {
			if (!Keys.isImage(input)) continue;
			final JComboBox<?> list = (JComboBox<?>) dialog.fields().get(input);
			assertEquals(List.of("b.tif (1)", "b.tif (2)", "a.tif"), IntStream.range(0, list.getItemCount()).mapToObj(list::getItemAt).collect(Collectors.toList()));
			for (int i = 0; i < 2; i++) {
				list.setSelectedIndex(i);
				dialog.set();
				assertEquals(9 - i, ((ImageInput) module.getInput(input.getName())).pixels().dimension(0));
			}
		}
	}

	@Test
	void masksAndWeightsAreListsOfImages() throws Exception {
		for (final Class<? extends NccCommand> command : List.of(FindMatchesCommand.class, TrackTemplatesCommand.class)) {
			final Module module = commands.getCommand(command).createModule();
			final InputDialog dialog = dialog(module);
			for (final String key : List.of("weights", "imagemask")) {
				final JComboBox<?> list = (JComboBox<?>) field(dialog, key);
				dialog.set();
				assertEquals("", module.getInput(key));
				list.setSelectedItem("a.tif");
				dialog.set();
				assertEquals("a.tif", module.getInput(key));
			}
		}
	}

	@Test
	void anActiveImageThatOnlyFitsIntoAnotherImageIsTheTemplate() throws Exception {
		open("small.tif", 5);
		assertEquals(List.of("b.tif (1)", "small.tif"), proposed(FindMatchesCommand.class, "image", "template"));
		assertEquals(List.of("small.tif", "b.tif (1)"), proposed(RegisterImagesCommand.class, "fixed", "moving"));
	}

	@Test
	void anActiveImageWithASelectionOrASmallerImageIsSearched() throws Exception {
		assertEquals(List.of("a.tif", "a.tif"), proposed(FindMatchesCommand.class, "image", "template"));
		open("small.tif", 5).setRoi(new Roi(1, 2, 3, 2));
		assertEquals(List.of("small.tif", "small.tif"), proposed(FindMatchesCommand.class, "image", "template"));
		open("larger.tif", 6);
		assertEquals(List.of("larger.tif", "small.tif"), proposed(FindMatchesCommand.class, "image", "template"));
	}

	@ParameterizedTest
	@ValueSource(classes = { TrackTemplatesCommand.class, CorrectDriftCommand.class })
	void aStackIsProposedBeforeAnActivePlane(final Class<? extends NccCommand> command) throws Exception {
		assertEquals(List.of("a.tif"), proposed(command, "image"));
		for (final String title : List.of("first stack.tif", "second stack.tif")) {
			final ImageStack planes = new ImageStack(30, 30);
			for (int z = 0; z < 3; z++) planes.addSlice(new ByteProcessor(30, 30));
			Interpreter.addBatchModeImage(new ImagePlus(title, planes));
		}
		assertEquals(List.of("second stack.tif"), proposed(command, "image"));
		open("plane.tif", 20);
		assertEquals(List.of("first stack.tif"), proposed(command, "image"));
	}

	/** A kernel is a plane, or a stack of no more slices than the image, it is not larger, and it has no colours. */
	@Test
	void onlyAnImageThatCanBeTheKernelIsProposed() throws Exception {
		colours("small colours.tif", 3);
		stack("slices.tif", 5, 2, 1);
		stack("frames.tif", 5, 1, 3);
		open("kernel.tif", 4);
		open("image.tif", 5);
		assertEquals(List.of("image.tif", "kernel.tif"), proposed(ConvolveImageCommand.class, "image", "kernel"));
		stack("volume.tif", 5, 2, 1);
		assertEquals(List.of("volume.tif", "slices.tif"), proposed(ConvolveImageCommand.class, "image", "kernel"));
		open("last.tif", 3);
		assertEquals(List.of("b.tif (1)", "last.tif"), proposed(ConvolveImageCommand.class, "image", "kernel"));
		colours("colours.tif", 5);
		assertEquals(List.of("colours.tif", "kernel.tif"), proposed(ConvolveImageCommand.class, "image", "kernel"));
	}

	private static void colours(final String title, final int side) {
		Interpreter.addBatchModeImage(new ImagePlus(title, new ColorProcessor(side, side)));
	}

	private static void stack(final String title, final int side, final int slices, final int frames) {
		final ImagePlus stack = new ImagePlus(title, ImageStack.create(side, side, slices * frames, 8));
		stack.setDimensions(1, slices, frames);
		Interpreter.addBatchModeImage(stack);
	}

	private static List<String> proposed(final Class<? extends NccCommand> command, final String... keys) throws Exception {
		final InputDialog dialog = dialog(commands.getCommand(command).createModule());
		return Stream.of(keys).map(key -> String.valueOf(((JComboBox<?>) field(dialog, key)).getSelectedItem())).toList();
	}

	/** Fields whose labels name a file or a folder have a button that opens the chooser, and no others have one. */
	@ParameterizedTest
	@MethodSource("commands")
	void filesAndFoldersHaveABrowser(final CommandInfo command) throws Exception {
		final InputDialog dialog = dialog(command.createModule());
		for (final Optional<String> group : Stream.concat(Stream.of(Optional.<String>empty()), Groups.ALL.stream().map(Optional::of)).toList()) dialog.rows(
			dialog.inputs(group));
		dialog.fields().forEach((input, field) -> assertEquals(input.getLabel().matches(".*\\b(file|Folder|to write)\\b.*"),
			Stream.of(field.getParent().getComponents()).anyMatch(beside -> beside instanceof JButton), command.getTitle() + " " + input.getName()));
	}

	/** Dialogs offer nothing that the command refuses. */
	@Test
	void refusedParametersAreNotOffered() throws Exception {
		final InputDialog rotated = dialog(commands.getCommand(FindRotatedMatchesCommand.class).createModule()),
			matches = dialog(commands.getCommand(FindMatchesCommand.class).createModule());
		assertTrue(rotated.inputs(Optional.of(Groups.MISSING)).isEmpty());
		assertFalse(names(List.copyOf(rotated.fields().keySet())).contains("weights"));
		assertEquals(List.of("imagemask", "nan", "minoverlap"), names(matches.inputs(Optional.of(Groups.MISSING))));
		assertTrue(names(matches.inputs(Optional.of(Groups.TEMPLATES))).contains("weights"));
	}

	@Test
	void thePreviewFollowsTheMinimumScore() throws Exception {
		final List<String> first = names(dialog(commands.getCommand(FindMatchesCommand.class).createModule()).inputs(Optional.empty()));
		assertEquals(List.of("image", "template", "minscore", "preview"), first.subList(0, 4));
	}

	/** SciJava has those of a base class first. */
	@Test
	void checkboxesOfTheFirstScreenComeLast() throws Exception {
		for (final CommandInfo command : commands().collect(Collectors.toList())) {
			final List<ModuleItem<?>> first = dialog(command.createModule()).inputs(Optional.empty()).stream().filter(i -> !Keys.isPreview(i)).toList();
			assertTrue(first.stream().dropWhile(i -> !Keys.isSwitch(i)).allMatch(Keys::isSwitch), command.getTitle() + ": " + names(first));
		}
	}

	@Test
	void everyFieldHasATooltip() throws Exception {
		for (final CommandInfo command : commands().collect(Collectors.toList()))
			dialog(command.createModule()).fields().forEach((input, field) -> assertNotNull(field.getToolTipText(), command.getTitle() + " " + input.getName()));
	}

	private static InputDialog dialog(final Module module) {
		final InputDialog dialog = new InputDialog(module, context.service(FrontEnd.class));
		dialog.build();
		return dialog;
	}

	private static JComponent field(final InputDialog dialog, final String key) {
		return dialog.fields().entrySet().stream().filter(entry -> entry.getKey().getName().equals(key)).findFirst().orElseThrow().getValue();
	}

	private static List<String> names(final List<ModuleItem<?>> inputs) {
		return inputs.stream().map(ModuleItem::getName).collect(Collectors.toList());
	}

	private static String name(final Module module, final String key) {
		return ((ImageInput) module.getInput(key)).name();
	}
}
