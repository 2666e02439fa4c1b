package sc.fiji.ncc.ij1;

import java.awt.AWTException;
import java.awt.Button;
import java.awt.Component;
import java.awt.Container;
import java.awt.Dialog;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.Menu;
import java.awt.MenuBar;
import java.awt.MenuItem;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Robot;
import java.awt.Toolkit;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.ActionListener;
import java.awt.event.InputEvent;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import javax.imageio.ImageIO;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JLabel;
import javax.swing.JTextField;

import ij.ImageJ;
import ij.Menus;

/** Operates ImageJ's windows: menus, dialogs and buttons. Takes pictures of them. */
final class Screen {

	/** Nanoseconds, for a machine with a high load. */
	private static final long PATIENCE = 120_000_000_000L;

	private final Path pictures;
	private final Robot robot;

	/** @param pictures a folder that exists */
	Screen(final Path pictures) throws AWTException {
		this.pictures = pictures;
		robot = new Robot();
	}

	/** The steps of a user. */
	@FunctionalInterface
	interface Steps {

		void on(Screen screen) throws Exception;
	}

	/** Starts ImageJ, takes the steps, and ends the process. Prints {@code end} if no step failed. */
	static void session(final String pictures, final Steps steps) throws Exception {
		session(pictures, () -> new ImageJ(ImageJ.STANDALONE), steps);
	}

	/** The same with another start. */
	static void session(final String pictures, final Runnable start, final Steps steps) throws Exception {
		final Path folder = Files.createDirectories(Path.of(pictures));
		start.run();
		try {
			steps.on(new Screen(folder));
			say("end", "");
		}
		catch (final RuntimeException e) {
			e.printStackTrace();
			say("dialogs", dialogs());
		}
		finally {
			Runtime.getRuntime().halt(0); // ImageJ would ask whether to save
		}
	}

	/** Prints what a step has shown. */
	static void say(final String what, final Object how) {
		System.out.println(what + ": " + how);
	}

	/** Waits until the supplier returns a value. */
	static <T> T await(final String what, final Supplier<T> thing) {
		final long start = System.nanoTime();
		for (;;) {
			final T found = thing.get();
			if (found != null) return found;
			if (System.nanoTime() - start > PATIENCE) throw new IllegalStateException("there is no " + what);
			pause(20);
		}
	}

	static void await(final String what, final BooleanSupplier condition) {
		await(what, () -> condition.getAsBoolean() ? what : null);
	}

	static void pause(final long milliseconds) {
		try {
			Thread.sleep(milliseconds);
		}
		catch (final InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/** The labels in a menu. */
	static List<String> labels(final String... path) {
		final Menu menu = (Menu) item(path);
		final List<String> labels = new ArrayList<>();
		for (int i = 0; i < menu.getItemCount(); i++) labels.add(menu.getItem(i).getLabel());
		return labels;
	}

	/** Chooses an item in the menu bar. */
	static void choose(final String... path) {
		final MenuItem item = item(path);
		final ActionEvent event = new ActionEvent(item, ActionEvent.ACTION_PERFORMED, item.getActionCommand());
		EventQueue.invokeLater(() -> {
			for (final ActionListener listener : item.getActionListeners()) listener.actionPerformed(event);
		});
	}

	private static MenuItem item(final String... path) {
		final MenuBar bar = Menus.getMenuBar();
		final List<MenuItem> items = new ArrayList<>();
		for (int i = 0; i < bar.getMenuCount(); i++) items.add(bar.getMenu(i));
		MenuItem found = null;
		for (final String label : path) {
			found = items.stream().filter(item -> item.getLabel().equals(label)).findFirst()
				.orElseThrow(() -> new IllegalStateException("the menu has no " + label + " of " + String.join(" > ", path)));
			items.clear();
			if (found instanceof Menu) for (int i = 0; i < ((Menu) found).getItemCount(); i++) items.add(((Menu) found).getItem(i));
		}
		return found;
	}

	/** Waits for a dialog. */
	static Dialog dialog(final String title) {
		return await("dialog " + title, () -> {
			for (final Window w : Window.getWindows())
				if (w instanceof Dialog && w.isShowing() && ((Dialog) w).getTitle().equals(title)) return (Dialog) w;
			return null;
		});
	}

	/** Opens the dialog of the other parameters. */
	static Dialog advanced(final Dialog dialog) {
		press(dialog, "Advanced...");
		return dialog(dialog.getTitle() + ": Advanced");
	}

	/** Presses OK, and waits until the dialog is closed. */
	static void accept(final Dialog dialog) {
		press(dialog, "OK");
		await("end of " + dialog.getTitle(), () -> !dialog.isShowing());
	}

	/** The titles of the dialogs that are open. */
	static List<String> dialogs() {
		final List<String> titles = new ArrayList<>();
		for (final Window w : Window.getWindows()) if (w instanceof Dialog && w.isShowing()) titles.add(((Dialog) w).getTitle());
		return titles;
	}

	/** Sets the value of the field with a label. */
	static void fill(final Dialog dialog, final String label, final String value) {
		final Component field = field(dialog, label);
		onEventThread(() -> {
			if (field instanceof JComboBox) ((JComboBox<?>) field).setSelectedItem(value);
			else if (field instanceof JCheckBox) ((JCheckBox) field).setSelected(Boolean.parseBoolean(value));
			else ((JTextField) field).setText(value);
		});
		if (!value.equals(read(dialog, label))) throw new IllegalStateException(label + " cannot be " + value + ": it is " + read(dialog, label));
	}

	private static void onEventThread(final Runnable step) {
		try {
			EventQueue.invokeAndWait(step);
		}
		catch (final InterruptedException | InvocationTargetException e) {
			throw new IllegalStateException(e);
		}
	}

	/** @return the value of the field with a label */
	static String read(final Dialog dialog, final String label) {
		final Component field = field(dialog, label);
		return field instanceof JComboBox ? String.valueOf(((JComboBox<?>) field).getSelectedItem())
			: field instanceof JCheckBox ? String.valueOf(((JCheckBox) field).isSelected()) : ((JTextField) field).getText();
	}

	private static Component field(final Container in, final String label) {
		for (final Component c : components(in)) {
			if (c instanceof JCheckBox && ((JCheckBox) c).getText().startsWith(label)) return c;
			if (c instanceof JLabel && ((JLabel) c).getLabelFor() != null && ((JLabel) c).getText().startsWith(label)) return ((JLabel) c).getLabelFor();
		}
		throw new IllegalStateException("the dialog has no field " + label);
	}

	/** The labels of the fields of a dialog, in their order. */
	static List<String> fields(final Dialog dialog) {
		final List<String> labels = new ArrayList<>();
		for (final Component c : components(dialog)) {
			if (c instanceof JCheckBox) labels.add(((JCheckBox) c).getText());
			if (c instanceof JLabel && ((JLabel) c).getLabelFor() != null) labels.add(((JLabel) c).getText());
		}
		return labels;
	}

	/** The components of a window, in their order, and those inside them. */
	static List<Component> components(final Container in) {
		final List<Component> all = new ArrayList<>();
		for (final Component c : in.getComponents()) {
			all.add(c);
			if (c instanceof Container) all.addAll(components((Container) c));
		}
		return all;
	}

	/** Presses a button. */
	static void press(final Dialog dialog, final String label) {
		for (final Component c : components(dialog)) {
			if (c instanceof JButton && label.equals(((JButton) c).getText())) {
				EventQueue.invokeLater(((JButton) c)::doClick);
				return;
			}
			if (c instanceof Button && ((Button) c).getLabel().trim().equals(label)) {
				final ActionEvent event = new ActionEvent(c, ActionEvent.ACTION_PERFORMED, label);
				EventQueue.invokeLater(() -> {
					for (final ActionListener listener : ((Button) c).getActionListeners()) listener.actionPerformed(event);
				});
				return;
			}
		}
		throw new IllegalStateException("the dialog has no button " + label);
	}

	/** Brings the window to the front and clicks with the mouse. Repeats this until the condition holds. */
	void click(final Window window, final Component on, final int x, final int y, final String effect, final BooleanSupplier condition) {
		final long start = System.nanoTime();
		do {
			if (System.nanoTime() - start > PATIENCE) throw new IllegalStateException("a click does not give " + effect);
			// a window that opens or moves at this moment can cover the component and take the click
			window.toFront();
			robot.waitForIdle();
			final Point corner = on.getLocationOnScreen();
			robot.mouseMove(corner.x + x, corner.y + y);
			robot.waitForIdle();
			robot.mousePress(InputEvent.BUTTON1_DOWN_MASK);
			robot.mouseRelease(InputEvent.BUTTON1_DOWN_MASK);
			robot.waitForIdle();
		}
		while (!within(2_000_000_000L, condition));
	}

	private static boolean within(final long nanoseconds, final BooleanSupplier condition) {
		final long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - start > nanoseconds) return false;
			pause(20);
		}
		return true;
	}

	/** Takes a picture of the whole screen. */
	void photograph(final String name) throws IOException {
		robot.waitForIdle();
		pause(500);
		ImageIO.write(robot.createScreenCapture(new Rectangle(Toolkit.getDefaultToolkit().getScreenSize())), "png", pictures.resolve(name + ".png").toFile());
		final List<String> texts = new ArrayList<>();
		for (final Window w : Window.getWindows()) if (w.isShowing()) texts.addAll(WindowTexts.of(w));
		Files.write(pictures.resolve(name + ".txt"), texts);
	}

	/** Takes a picture of a window as it is on the screen. */
	void photograph(final Window window, final String name) throws IOException {
		await("window for " + name, window::isShowing);
		// move the window into the screen
		final Dimension screen = Toolkit.getDefaultToolkit().getScreenSize();
		final int x = Math.max(0, Math.min(window.getX(), screen.width - window.getWidth())), y = Math.max(0, Math.min(window.getY(), screen.height - window.getHeight()));
		// without a window manager, Java can have another location than the screen, and does not move a window to the location that it has
		window.setLocation(x + 1, y);
		window.setLocation(x, y);
		window.toFront();
		// without this, a changed text is drawn over the former one
		window.repaint();
		robot.waitForIdle();
		pause(300);
		// the desktop can still be moving the window
		for (int i = 0; i < 100 && !window.getLocationOnScreen().equals(window.getLocation()); i++) pause(20);
		BufferedImage before, picture = capture(window);
		int tries = 0;
		do {
			// another window can come to the front late
			window.toFront();
			pause(100);
			before = picture;
			picture = capture(window);
		}
		while (tries++ < 100 && !(drawn(picture) && isSame(before, picture)));
		ImageIO.write(picture, "png", pictures.resolve(name + ".png").toFile());
		Files.write(pictures.resolve(name + ".txt"), WindowTexts.of(window));
	}

	/** Writes the part of a picture with windows. The bare screen around them, which is black, becomes white. */
	static void crop(final Path picture, final Path to) throws IOException {
		ImageIO.write(cropped(ImageIO.read(picture.toFile())), "png", to.toFile());
	}

	private static BufferedImage cropped(final BufferedImage picture) {
		final int width = picture.getWidth(), height = picture.getHeight();
		final BufferedImage copy = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
		copy.createGraphics().drawImage(picture, 0, 0, null);
		final ArrayDeque<Point> bare = new ArrayDeque<>();
		for (int x = 0; x < width; x++) bare.addAll(List.of(new Point(x, 0), new Point(x, height - 1)));
		for (int y = 0; y < height; y++) bare.addAll(List.of(new Point(0, y), new Point(width - 1, y)));
		while (!bare.isEmpty()) {
			final Point p = bare.poll();
			if (p.x < 0 || p.y < 0 || p.x >= width || p.y >= height || (copy.getRGB(p.x, p.y) & 0xffffff) != 0) continue;
			copy.setRGB(p.x, p.y, 0xffffff);
			bare.addAll(List.of(new Point(p.x - 1, p.y), new Point(p.x + 1, p.y), new Point(p.x, p.y - 1), new Point(p.x, p.y + 1)));
		}
		final Rectangle windows = new Rectangle(-1, -1);
		for (int y = 0; y < height; y++)
			for (int x = 0; x < width; x++) if ((copy.getRGB(x, y) & 0xffffff) != 0xffffff) windows.add(new Rectangle(x, y, 1, 1));
		return copy.getSubimage(windows.x, windows.y, windows.width, windows.height);
	}

	private BufferedImage capture(final Window window) {
		return robot.createScreenCapture(new Rectangle(window.getLocationOnScreen(), window.getSize()));
	}

	private static boolean isSame(final BufferedImage a, final BufferedImage b) {
		return Arrays.equals(pixels(a), pixels(b));
	}

	private static int[] pixels(final BufferedImage picture) {
		return picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
	}

	/** Whether no corner shows the bare screen, which is black, and the window has contents: at least background, lines and text. */
	private static boolean drawn(final BufferedImage picture) {
		boolean all = Arrays.stream(pixels(picture)).distinct().limit(3).count() == 3;
		for (final int x : new int[] { 3, picture.getWidth() - 4 })
			for (final int y : new int[] { 3, picture.getHeight() - 4 }) all &= (picture.getRGB(x, y) & 0xffffff) != 0;
		return all;
	}
}
