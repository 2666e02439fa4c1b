package sc.fiji.ncc.ij1;

import java.awt.Checkbox;
import java.awt.Choice;
import java.awt.Font;
import java.awt.TextField;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.scijava.ItemVisibility;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;

import ij.ImagePlus;
import ij.Prefs;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.plugin.frame.Recorder;

import sc.fiji.ncc.command.ImageJImage;
import sc.fiji.ncc.command.Keys;
import sc.fiji.ncc.command.NccCommand;

/**
 * A dialog made of a command's parameters. What is chosen is recorded as a macro that runs in Fiji, too, so it is read from the fields here:
 * GenericDialog's own way records a checkbox by its bare key, which Fiji overlooks.
 */
final class InputDialog {

	private static final Font HEADING = new Font(Font.SANS_SERIF, Font.BOLD, 12);
	/** Columns of a text field. */
	private static final int WIDE = 20, NARROW = 8;

	private final Module module;
	private final List<String> openImages;
	private final GenericDialog dialog;

	InputDialog(final Module module, final ImageJFrontEnd program) {
		this.module = module;
		openImages = program.openImages();
		dialog = new GenericDialog(module.getInfo().getTitle().replace("...", ""));
		for (final ModuleItem<?> input : module.getInfo().inputs())
			if (input.getVisibility() == ItemVisibility.MESSAGE) dialog.addMessage(input.getLabel() + ": " + input.getValue(module), HEADING);
			else if (Keys.isChosen(input)) add(input);
		dialog.addHelp(((NccCommand) module.getDelegateObject()).helpPage());
	}

	/** Whether there is anything to ask. */
	static boolean isNeeded(final Module module) {
		return !Keys.of(module.getInfo()).isEmpty();
	}

	/** The inputs as texts; empty if the dialog was canceled. */
	Optional<Map<String, String>> ask() {
		dialog.showDialog();
		if (dialog.wasCanceled()) return Optional.empty();
		final Map<String, String> texts = new LinkedHashMap<>();
		final Iterator<?> choices = components(dialog.getChoices());
		final Iterator<?> boxes = components(dialog.getCheckboxes());
		final Iterator<?> fields = components(dialog.getStringFields());
		for (final ModuleItem<?> input : module.getInfo().inputs()) {
			if (!Keys.isChosen(input)) continue;
			final String text = isChoice(input) ? ((Choice) choices.next()).getSelectedItem()
				: isBox(input) ? String.valueOf(((Checkbox) boxes.next()).getState()) : ((TextField) fields.next()).getText().trim();
			texts.put(input.getName(), text);
			if (Recorder.record) Recorder.recordOption(input.getName(), text.isEmpty() ? "[]" : text);
		}
		remember(texts);
		return Optional.of(texts);
	}

	/**
	 * Keeps them for the next time.
	 *
	 * @throws IllegalArgumentException if one is no value of its input; then none is kept
	 */
	private void remember(final Map<String, String> texts) {
		for (final ModuleItem<?> input : module.getInfo().inputs()) if (Keys.isRemembered(input)) Keys.value(input, texts.get(input.getName()));
		for (final ModuleItem<?> input : module.getInfo().inputs()) if (Keys.isRemembered(input)) Prefs.set(key(input), texts.get(input.getName()));
	}

	private void add(final ModuleItem<?> input) {
		final String label = input.getLabel();
		if (Keys.isImage(input)) dialog.addChoice(label, openImages.toArray(new String[0]), proposal(input));
		else if (isChoice(input))
			dialog.addChoice(label, input.getChoices().stream().map(String::valueOf).toArray(String[]::new), initial(input));
		else if (isBox(input)) dialog.addCheckbox(label, Boolean.parseBoolean(initial(input)));
		else dialog.addStringField(label, initial(input), input.getType() == String.class ? WIDE : NARROW);
	}

	/** The active image where to look; as a template its selection, if it has one, or else another image. */
	private String proposal(final ModuleItem<?> input) {
		final ImagePlus active = WindowManager.getCurrentImage();
		if (input.isAutoFill() || ImageJImage.hasArea(active)) return active.getTitle();
		return openImages.stream().filter(title -> !title.equals(active.getTitle())).findFirst().orElse(active.getTitle());
	}

	/** The value of the last time, or the declared default. */
	private String initial(final ModuleItem<?> input) {
		final Object value = input.getValue(module);
		final String declared = value == null ? "" : value.toString().replaceFirst("\\.0$", "");
		return Keys.isRemembered(input) ? Prefs.get(key(input), declared) : declared;
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
