package sc.fiji.ncc.ij1;

import java.awt.Checkbox;
import java.awt.Choice;
import java.awt.TextField;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import ij.Prefs;
import ij.gui.GenericDialog;
import ij.plugin.frame.Recorder;

import org.scijava.command.Previewable;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;

import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.program.Keys;

/**
 * A dialog for the parameters of a command. This class reads the fields and records the macro itself, because GenericDialog records a checkbox as a key
 * without a value, which Fiji ignores. The key is the name of the parameter's field; labels are free texts.
 */
final class InputDialog {

	/** Width of a text field in characters. */
	private static final int WIDE = 20, NARROW = 8;

	private final Module module;
	private final ImageJFrontEnd program;
	private final List<String> openImages;
	/** Values of the advanced parameters. */
	private final Map<ModuleItem<?>, String> expert = new LinkedHashMap<>();
	private final GenericDialog dialog;

	InputDialog(final Module module, final ImageJFrontEnd program) {
		this.module = module;
		this.program = program;
		openImages = program.openImages();
		dialog = new GenericDialog(title());
		for (final ModuleItem<?> input : module.getInfo().inputs()) {
			if (!isShown(input)) continue;
			if (Keys.isExpert(input)) expert.put(input, initial(input));
			else add(dialog, input, Keys.isImage(input) ? proposal(input) : initial(input));
		}
		if (!expert.isEmpty()) dialog.addButton("Advanced...", pressed -> askExpert());
		preview().ifPresent(command -> dialog.addDialogListener((d, event) -> {
			// without an event the dialog opens or closes
			if (event != null) follow(command);
			return true;
		}));
		((NccCommand) module.getDelegateObject()).helpPage().ifPresent(dialog::addHelp);
	}

	private static boolean isShown(final ModuleItem<?> input) {
		return Keys.isChosen(input) || Keys.isPreview(input);
	}

	private boolean isRefused(final ModuleItem<?> input) {
		return Keys.isRefused(module.getInfo(), input);
	}

	/** The command if it has a preview. */
	private Optional<Previewable> preview() {
		return Optional.of(module.getDelegateObject()).filter(Previewable.class::isInstance).map(Previewable.class::cast);
	}

	/** Passes the current values to the preview. A value that is not valid, for example while the user types, is shown in the status bar. */
	private void follow(final Previewable command) {
		try {
			Inputs.set(module, values(), program);
			command.preview();
		}
		catch (final IllegalArgumentException e) {
			((NccCommand) module.getDelegateObject()).invalid(e.getMessage());
		}
	}

	private String title() {
		return module.getInfo().getTitle().replace("...", "");
	}

	/** Opens the dialog of the advanced parameters. If the user cancels it, the values stay. */
	private void askExpert() {
		final GenericDialog more = new GenericDialog(title() + ": Advanced");
		final List<ModuleItem<?>> offered = expert.keySet().stream().filter(input -> !isRefused(input)).toList();
		offered.forEach(input -> add(more, input, expert.get(input)));
		more.showDialog();
		if (!more.wasCanceled()) read(more, offered).forEach((key, text) -> expert.replaceAll((input, old) -> input.getName().equals(key) ? text : old));
		preview().ifPresent(this::follow);
	}

	/**
	 * Reads the fields of a dialog.
	 *
	 * @param inputs the parameters of the dialog, in the order of their fields
	 */
	private static Map<String, String> read(final GenericDialog dialog, final List<ModuleItem<?>> inputs) {
		final Map<String, String> texts = new LinkedHashMap<>();
		final Iterator<?> choices = components(dialog.getChoices()), boxes = components(dialog.getCheckboxes()), fields = components(dialog.getStringFields());
		for (final ModuleItem<?> input : inputs)
			texts.put(input.getName(), isChoice(input) ? ((Choice) choices.next()).getSelectedItem()
				: isBox(input) ? String.valueOf(((Checkbox) boxes.next()).getState()) : ((TextField) fields.next()).getText().trim());
		return texts;
	}

	/** @return whether the command has parameters */
	static boolean isNeeded(final Module module) {
		return !Keys.of(module.getInfo()).isEmpty();
	}

	/**
	 * Opens the dialog.
	 *
	 * @return the values under their keys; empty if the user cancels the dialog
	 */
	Optional<Map<String, String>> ask() {
		dialog.showDialog();
		if (dialog.wasCanceled()) {
			preview().ifPresent(Previewable::cancel);
			return Optional.empty();
		}
		final Map<String, String> texts = values();
		if (Recorder.record) for (final ModuleItem<?> input : module.getInfo().inputs()) {
			final String key = input.getName();
			if (Keys.isChosen(input) && !isRefused(input)) Recorder.recordOption(key, texts.get(key).isEmpty() ? "[]" : texts.get(key));
		}
		remember(texts);
		return Optional.of(texts);
	}

	/** The values of all parameters under their names. */
	private Map<String, String> values() {
		final List<ModuleItem<?>> shown = new ArrayList<>();
		module.getInfo().inputs().forEach(input -> {
			if (isShown(input) && !Keys.isExpert(input)) shown.add(input);
		});
		final Map<String, String> texts = read(dialog, shown);
		expert.forEach((input, text) -> texts.put(input.getName(), text));
		return texts;
	}

	/**
	 * Keeps the values for the next dialog.
	 *
	 * @throws IllegalArgumentException if a value is not valid; then no value is kept
	 */
	private void remember(final Map<String, String> texts) {
		for (final ModuleItem<?> input : module.getInfo().inputs()) if (Keys.isRemembered(input)) Keys.value(input, texts.get(input.getName()));
		for (final ModuleItem<?> input : module.getInfo().inputs()) if (Keys.isRemembered(input)) Prefs.set(key(input), texts.get(input.getName()));
	}

	private void add(final GenericDialog to, final ModuleItem<?> input, final String text) {
		final String label = input.getLabel();
		if (Keys.isImage(input)) to.addChoice(label, openImages.toArray(new String[0]), text);
		else if (isChoice(input)) to.addChoice(label, input.getChoices().stream().map(String::valueOf).toArray(String[]::new), text);
		else if (isBox(input)) to.addCheckbox(label, Boolean.parseBoolean(text));
		else to.addStringField(label, text, input.getType() == String.class ? WIDE : NARROW);
	}

	/**
	 * The image that the dialog proposes. For the searched image: the active image. For the template: the active image if it has a selection, otherwise another
	 * image. For the kernel: another image.
	 */
	private String proposal(final ModuleItem<?> input) {
		final String active = program.activeImage().orElseThrow();
		if (input.isAutoFill() || !input.isRequired() && program.isActiveSelected()) return active;
		return Stream.concat(program.othersThan(active).stream(), openImages.stream().filter(title -> !title.equals(active))).findFirst().orElse(active);
	}

	/** The value of the last dialog, or the declared default. */
	private String initial(final ModuleItem<?> input) {
		final Object value = input.getValue(module);
		final String declared = value == null ? "" : value.toString().replaceFirst("\\.0$", "");
		return Keys.isRemembered(input) && !isRefused(input) ? Prefs.get(key(input), declared) : declared;
	}

	private static boolean isChoice(final ModuleItem<?> input) {
		return Keys.isImage(input) || input.getChoices() != null && !input.getChoices().isEmpty();
	}

	private static boolean isBox(final ModuleItem<?> input) {
		return input.getType() == boolean.class || input.getType() == Boolean.class;
	}

	private static Iterator<?> components(final List<?> ofOneKind) {
		return (ofOneKind == null ? List.of() : ofOneKind).iterator();
	}

	private String key(final ModuleItem<?> input) {
		return "ncc." + module.getDelegateObject().getClass().getSimpleName() + "." + input.getName();
	}
}
