package sc.fiji.ncc.command.imagej;

import java.awt.BorderLayout;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.GridBagConstraints;
import java.awt.GridBagLayout;
import java.awt.Insets;
import java.awt.Rectangle;
import java.awt.Window;
import java.awt.event.KeyEvent;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import javax.swing.BorderFactory;
import javax.swing.Box;
import javax.swing.BoxLayout;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JDialog;
import javax.swing.JFileChooser;
import javax.swing.JLabel;
import javax.swing.JOptionPane;
import javax.swing.JPanel;
import javax.swing.JTextField;
import javax.swing.KeyStroke;

import org.scijava.command.Previewable;
import org.scijava.module.Module;
import org.scijava.module.ModuleItem;
import org.scijava.widget.FileWidget;

import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;

import sc.fiji.ncc.command.NccCommand;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MessageLines;

/**
 * The dialog for the parameters of a command, in Fiji and in plain ImageJ. The first screen has the parameters without a group. The button
 * "Advanced..." shows the others under the titles of their groups, see {@link Groups}. Numbers are texts, because a spinner reads a decimal with
 * another separator as 0. Descriptions are tooltips.
 */
public final class InputDialog {

	/** The entry of a list of images that stands for none. */
	private static final String NONE = "(none)";

	/** Widths of text fields in characters, and of lists in pixels. */
	private static final int WIDE = 16, NARROW = 7, LIST = 110, WIDE_LIST = 240;
	/** Distances in pixels: between fields, between groups, and from the frame. */
	private static final int GAP = 4, MARGIN = 10;
	/** Groups with more rows in total have two columns. */
	private static final int ROWS = 14;
	/** The styles of parameters that name a file or a folder, with what the chooser offers. */
	private static final Map<String, Integer> FILES = Map.of(FileWidget.OPEN_STYLE, JFileChooser.FILES_ONLY, FileWidget.SAVE_STYLE,
		JFileChooser.FILES_ONLY, FileWidget.DIRECTORY_STYLE, JFileChooser.DIRECTORIES_ONLY);

	private final Module module;
	private final FrontEnd program;
	private final NccCommand command;
	private final List<ImageInput> images = ImageJ1.images();
	private final Map<ModuleItem<?>, JComponent> fields = new LinkedHashMap<>();
	private JDialog dialog;
	private boolean accepted, following;

	public InputDialog(final Module module, final FrontEnd program) {
		this.module = module;
		this.program = program;
		command = (NccCommand) module.getDelegateObject();
	}

	/** @return whether the command has parameters */
	public static boolean isNeeded(final Module module) {
		return !Keys.of(module.getInfo()).isEmpty();
	}

	/**
	 * Opens the dialog, and sets the parameters.
	 *
	 * @return false if the user cancels the dialog
	 */
	public boolean ask() {
		if (EventQueue.isDispatchThread()) open();
		else try {
			EventQueue.invokeAndWait(this::open);
		}
		catch (final InvocationTargetException e) {
			if (e.getCause() instanceof Error) throw (Error) e.getCause();
			throw (RuntimeException) e.getCause();
		}
		catch (final InterruptedException e) {
			EventQueue.invokeLater(() -> dialog.dispose());
			Thread.currentThread().interrupt();
		}
		if (accepted) command.answered(module);
		else preview().ifPresent(Previewable::cancel);
		return accepted;
	}

	/** Makes the fields. */
	void build() {
		for (final ModuleItem<?> input : Groups.ordered(module.getInfo().inputs())) if (isShown(input)) fields.put(input, field(input));
	}

	private void open() {
		build();
		final List<ModuleItem<?>> first = inputs(Optional.empty());
		dialog = new JDialog(IJ.getInstance(), title(), true);
		final List<JButton> extra = new ArrayList<>();
		if (first.size() < fields.size()) extra.add(button("Advanced...", this::askAdvanced));
		command.helpPage().ifPresent(page -> extra.add(button("Help", () -> program.browse(page))));
		fill(dialog, rows(first), extra, () -> {
			try {
				set();
			}
			catch (final IllegalArgumentException e) {
				complain(dialog, e);
				return;
			}
			KeptValues.keep(module, fields.keySet());
			accepted = true;
			dialog.dispose();
		});
		dialog.setLocation(FreePlace.of(dialog.getSize(), windows()));
		preview().ifPresent(previewed -> fields.values().forEach(field -> listen(field, () -> follow(previewed))));
		dialog.setVisible(true);
	}

	/** The windows of the image that is proposed first and of the active image. */
	private List<Rectangle> windows() {
		final ImagePlus active = WindowManager.getCurrentImage();
		if (active == null) return List.of();
		return Stream.of(WindowManager.getImage(command.proposed(program, active.getTitle())), active).filter(Objects::nonNull).distinct()
			.map(ImagePlus::getWindow).filter(window -> window != null && window.isShowing()).map(Component::getBounds).toList();
	}

	private String title() {
		return NccCommand.title(module.getInfo());
	}

	/** The parameters that the dialog shows: those that the command refuses have their defaults. */
	private boolean isShown(final ModuleItem<?> input) {
		return Keys.isPreview(input) || Keys.isChosen(input) && !Keys.isRefused(module.getInfo(), input);
	}

	/** @return the fields of the shown parameters */
	Map<ModuleItem<?>, JComponent> fields() {
		return fields;
	}

	/** The shown parameters of a group; of the first screen without a group. There, checkboxes come last, but a preview stays beside its field. */
	List<ModuleItem<?>> inputs(final Optional<String> group) {
		return fields.keySet().stream().filter(input -> Groups.of(input).equals(group)).sorted(Comparator.comparing(input -> group.isEmpty()
			&& Keys.isSwitch(input) && !Keys.isPreview(input))).toList();
	}

	/** Opens the dialog of the other parameters. If the user cancels it, the values stay. */
	private void askAdvanced() {
		final Map<ModuleItem<?>, String> before = new LinkedHashMap<>();
		fields.forEach((input, field) -> before.put(input, text(field)));
		final JDialog advanced = new JDialog(dialog, title() + ": Advanced", true);
		final boolean[] ok = new boolean[1];
		fill(advanced, groups(), List.of(), () -> {
			try {
				fields.keySet().stream().filter(input -> Groups.of(input).isPresent()).forEach(this::value);
			}
			catch (final IllegalArgumentException e) {
				complain(advanced, e);
				return;
			}
			ok[0] = true;
			advanced.dispose();
		});
		advanced.setLocationRelativeTo(dialog);
		advanced.setLocation(FreePlace.inside(advanced.getBounds()));
		advanced.setVisible(true);
		if (!ok[0]) before.forEach((input, text) -> write(fields.get(input), text));
	}

	/** The groups in one or two columns. */
	private JPanel groups() {
		final List<String> titles = Groups.ALL.stream().filter(title -> !inputs(Optional.of(title)).isEmpty()).toList();
		final int total = titles.stream().mapToInt(title -> height(inputs(Optional.of(title)))).sum();
		final JPanel columns = new JPanel(new GridBagLayout());
		JPanel column = null;
		int filled = 0;
		for (final String title : titles) {
			final int height = height(inputs(Optional.of(title)));
			// a group belongs to the column in which most of it lies
			if (column == null || total > ROWS && columns.getComponentCount() == 1 && filled + height / 2 > total / 2) {
				column = new JPanel();
				column.setLayout(new BoxLayout(column, BoxLayout.Y_AXIS));
				column.setAlignmentY(Component.TOP_ALIGNMENT);
				columns.add(column);
			}
			final JPanel group = rows(inputs(Optional.of(title)));
			group.setBorder(BorderFactory.createCompoundBorder(BorderFactory.createTitledBorder(title), group.getBorder()));
			group.setMaximumSize(new Dimension(Integer.MAX_VALUE, group.getPreferredSize().height));
			column.add(group);
			filled += height;
		}
		for (final Component c : columns.getComponents()) ((GridBagLayout) columns.getLayout())
			.setConstraints(c, new GridBagConstraints(-1, 0, 1, 1, 1, 1, GridBagConstraints.NORTH,
			GridBagConstraints.HORIZONTAL, new Insets(0, GAP, 0, GAP), 0, 0));
		return columns;
	}

	/** The height of a group in rows, with its title. */
	private static int height(final List<ModuleItem<?>> group) {
		return group.size() + 1;
	}

	/** The fields of some parameters, one in a row. A preview stands beside the field before it. */
	JPanel rows(final List<ModuleItem<?>> inputs) {
		final JPanel panel = new JPanel(new GridBagLayout());
		panel.setBorder(BorderFactory.createEmptyBorder(GAP, MARGIN, GAP, MARGIN));
		final GridBagConstraints at = new GridBagConstraints();
		at.insets = new Insets(GAP / 2, 0, GAP / 2, GAP);
		for (final ModuleItem<?> input : inputs) {
			final JComponent field = fields.get(input);
			final boolean beside = Keys.isPreview(input);
			if (!beside) {
				at.gridy++;
				at.gridx = 0;
				at.weightx = 0;
				at.anchor = GridBagConstraints.LINE_END;
				if (!Keys.isSwitch(input)) {
					final JLabel label = new JLabel(input.getLabel());
					label.setToolTipText(field.getToolTipText());
					label.setLabelFor(field);
					panel.add(label, at);
				}
			}
			at.gridx = beside ? 2 : 1;
			at.gridwidth = beside ? 1 : field instanceof JTextField && hasPreviewBeside(input, inputs) ? 1 : 2;
			at.weightx = beside ? 1 : 0;
			at.anchor = GridBagConstraints.LINE_START;
			panel.add(isFile(input) ? withBrowse(input, (JTextField) field) : field, at);
			at.gridwidth = 1;
		}
		// keeps the rows at the left
		panel.add(Box.createHorizontalGlue(), new GridBagConstraints(3, 0, 1, 1, 1, 1, GridBagConstraints.CENTER, GridBagConstraints.BOTH,
			new Insets(0, 0, 0, 0), 0, 0));
		return panel;
	}

	private static boolean hasPreviewBeside(final ModuleItem<?> input, final List<ModuleItem<?>> inputs) {
		final int next = inputs.indexOf(input) + 1;
		return next < inputs.size() && Keys.isPreview(inputs.get(next));
	}

	private static boolean isFile(final ModuleItem<?> input) {
		return input.getWidgetStyle() != null && FILES.containsKey(input.getWidgetStyle());
	}

	private JComponent withBrowse(final ModuleItem<?> input, final JTextField field) {
		final JPanel panel = new JPanel(new BorderLayout(GAP, 0));
		panel.add(field);
		panel.add(button("Browse...", () -> {
			final String text = text(field), folder = IJ.getDirectory("file");
			final JFileChooser chooser = new JFileChooser(folder);
			chooser.setFileSelectionMode(FILES.get(input.getWidgetStyle()));
			if (!text.isEmpty()) chooser.setSelectedFile(new File(text));
			final boolean save = FileWidget.SAVE_STYLE.equals(input.getWidgetStyle());
			if ((save ? chooser.showSaveDialog(field) : chooser.showOpenDialog(field))
				== JFileChooser.APPROVE_OPTION) field.setText(chooser.getSelectedFile()
				.getPath());
		}), BorderLayout.LINE_END);
		return panel;
	}

	/** Gives a dialog its contents and the buttons. */
	private static void fill(final JDialog dialog, final JPanel contents, final List<JButton> extra, final Runnable accept) {
		final JButton ok = button("OK", accept), cancel = button("Cancel", dialog::dispose);
		final JPanel buttons = new JPanel();
		buttons.setLayout(new BoxLayout(buttons, BoxLayout.X_AXIS));
		buttons.setBorder(BorderFactory.createEmptyBorder(GAP, MARGIN, MARGIN, MARGIN));
		for (final JButton button : extra) {
			buttons.add(button);
			buttons.add(Box.createHorizontalStrut(GAP));
		}
		buttons.add(Box.createHorizontalStrut(MARGIN));
		buttons.add(Box.createHorizontalGlue());
		buttons.add(ok);
		buttons.add(Box.createHorizontalStrut(GAP));
		buttons.add(cancel);
		contents.setBorder(BorderFactory.createCompoundBorder(BorderFactory.createEmptyBorder(MARGIN / 2, 0, 0, 0), contents.getBorder()));
		dialog.add(contents);
		dialog.add(buttons, BorderLayout.PAGE_END);
		dialog.setDefaultCloseOperation(JDialog.DISPOSE_ON_CLOSE);
		dialog.getRootPane().setDefaultButton(ok);
		dialog.getRootPane().registerKeyboardAction(pressed -> dialog.dispose(), KeyStroke.getKeyStroke(KeyEvent.VK_ESCAPE, 0),
			JComponent.WHEN_IN_FOCUSED_WINDOW);
		dialog.pack();
		dialog.setResizable(false);
	}

	private static JButton button(final String label, final Runnable action) {
		final JButton button = new JButton(label);
		button.addActionListener(pressed -> action.run());
		return button;
	}

	private void complain(final Window over, final IllegalArgumentException wrong) {
		JOptionPane.showMessageDialog(over, MessageLines.of(wrong.getMessage()), title(), JOptionPane.ERROR_MESSAGE);
	}

	/** The command if it has a preview. */
	private Optional<Previewable> preview() {
		return Optional.of(command).filter(Previewable.class::isInstance).map(Previewable.class::cast);
	}

	/**
	 * Passes the current values to the preview, once for the events that wait. A value that is not valid, for example while the user types, is shown in
	 * the status bar.
	 */
	private void follow(final Previewable previewed) {
		if (following) return;
		following = true;
		EventQueue.invokeLater(() -> {
			following = false;
			if (accepted || !dialog.isVisible()) return;
			try {
				set();
				previewed.preview();
			}
			catch (final IllegalArgumentException e) {
				command.invalid(e.getMessage());
			}
		});
	}

	private static void listen(final JComponent field, final Runnable changed) {
		if (field instanceof JComboBox) ((JComboBox<?>) field).addActionListener(event -> changed.run());
		else if (field instanceof JCheckBox) ((JCheckBox) field).addItemListener(event -> changed.run());
		else ((JTextField) field).getDocument().addUndoableEditListener(edit -> changed.run());
	}

	/**
	 * Sets the parameters to the values of the fields.
	 *
	 * @throws IllegalArgumentException if a value is not valid
	 */
	void set() {
		final Map<String, Object> values = new LinkedHashMap<>();
		fields.keySet().forEach(input -> values.put(input.getName(), value(input)));
		values.forEach(module::setInput);
	}

	private Object value(final ModuleItem<?> input) {
		final JComponent field = fields.get(input);
		if (Keys.isImage(input)) return images.get(((JComboBox<?>) field).getSelectedIndex());
		if (input.is(Keys.TITLE) && ((JComboBox<?>) field).getSelectedIndex() == 0) return "";
		return Keys.typed(input, text(field));
	}

	private JComponent field(final ModuleItem<?> input) {
		final JComponent field;
		if (Keys.isImage(input)) field = list(labels(), proposal(input));
		else if (input.is(Keys.TITLE)) field = list(Stream.concat(Stream.of(NONE), images.stream().map(ImageInput::name)).toList(), 0);
		else {
			final String text = KeptValues.of(module, input);
			final List<String> choices = input.getChoices() == null ? List.of() : input.getChoices().stream().map(String::valueOf).toList();
			if (!choices.isEmpty()) field = list(choices, choices.indexOf(text));
			else if (Keys.isSwitch(input)) field = new JCheckBox(input.getLabel(), Boolean.parseBoolean(text));
			else field = new JTextField(text, input.getType() == String.class && !input.is(Keys.OR_AUTO) ? WIDE : NARROW);
		}
		if (input.getDescription() != null) field.setToolTipText("<html>"
			+ MessageLines.of(input.getDescription()).replace("<", "&lt;").replace("\n", "<br>"));
		return field;
	}

	private static JComboBox<String> list(final List<String> entries, final int selected) {
		final JComboBox<String> list = new JComboBox<>(entries.toArray(new String[0]));
		list.setSelectedIndex(selected);
		final Dimension size = list.getPreferredSize();
		list.setPreferredSize(new Dimension(Math.max(LIST, Math.min(WIDE_LIST, size.width)), size.height));
		return list;
	}

	/** The titles of the open images. Equal titles have numbers. */
	private List<String> labels() {
		final List<String> titles = images.stream().map(ImageInput::name).toList(), labels = new ArrayList<>();
		for (int i = 0; i < titles.size(); i++) {
			final String title = titles.get(i);
			labels.add(Collections.frequency(titles, title) == 1 ? title
				: title + " (" + (Collections.frequency(titles.subList(0, i), title) + 1) + ")");
		}
		return labels;
	}

	/**
	 * The index of the image that the dialog proposes. For the first image: see {@link NccCommand#proposed}. For the template: the active image if it has a
	 * selection or is not the first image, otherwise another image. For the kernel: another image. See {@link NccCommand#preferred}.
	 */
	private int proposal(final ModuleItem<?> input) {
		final ImageInput active = ImageJ1.active().orElseThrow(), first = first(active);
		if (input.isAutoFill()) return images.indexOf(first);
		if (!first.equals(active) || !input.isRequired() && program.isActiveSelected()) return images.indexOf(active);
		final List<String> fitting = command.preferred(program, active.name());
		return Stream.concat(images.stream().filter(image -> fitting.contains(image.name())), images.stream())
			.filter(image -> !image.equals(active)).findFirst().map(images::indexOf)
			.orElse(images.indexOf(active));
	}

	private ImageInput first(final ImageInput active) {
		final String title = command.proposed(program, active.name());
		return title.equals(active.name()) ? active : images.stream().filter(image -> image.name().equals(title))
			.findFirst().orElse(active);
	}

	private static String text(final JComponent field) {
		return field instanceof JComboBox ? String.valueOf(((JComboBox<?>) field).getSelectedItem()) : field instanceof JCheckBox
			? String.valueOf(((JCheckBox) field).isSelected())
			: ((JTextField) field).getText().trim();
	}

	private static void write(final JComponent field, final String text) {
		if (field instanceof JComboBox) ((JComboBox<?>) field).setSelectedItem(text);
		else if (field instanceof JCheckBox) ((JCheckBox) field).setSelected(Boolean.parseBoolean(text));
		else ((JTextField) field).setText(text);
	}
}
