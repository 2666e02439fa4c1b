package sc.fiji.ncc.command.imagej;

import java.awt.Dimension;
import java.awt.GraphicsConfiguration;
import java.awt.GraphicsEnvironment;
import java.awt.Insets;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.Toolkit;
import java.awt.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import ij.ImagePlus;
import ij.WindowManager;

/** Places on the screen where a new window covers as little as possible of others. */
final class FreePlace {

	/** Distance between windows in pixels. */
	private static final int GAP = 8;

	private FreePlace() {}

	/**
	 * The place of a window on the screen of the first of the others.
	 *
	 * @param window size of the window
	 * @param others the windows that stay visible, the most important one first; empty to centre the window
	 */
	static Point of(final Dimension window, final List<Rectangle> others) {
		return of(window, screen(others), others);
	}

	/**
	 * The place with the smallest covered area; among equal ones the nearest to the first of the others.
	 *
	 * @param screen the usable part of the screen
	 */
	static Point of(final Dimension window, final Rectangle screen, final List<Rectangle> others) {
		final int right = screen.x + screen.width - window.width, bottom = screen.y + screen.height - window.height;
		if (others.isEmpty()) return new Point((screen.x + right) / 2, Math.max(screen.y, (screen.y + bottom) / 2));
		// a window that covers least touches the screen's edges or the others
		final List<Integer> xs = new ArrayList<>(List.of(right, screen.x)), ys = new ArrayList<>(List.of(bottom, screen.y));
		for (final Rectangle o : others) {
			xs.addAll(List.of(o.x + o.width + GAP, o.x - window.width - GAP, o.x));
			ys.addAll(List.of(o.y + o.height + GAP, o.y - window.height - GAP, o.y));
		}
		final Rectangle first = others.get(0);
		final List<Point> places = new ArrayList<>();
		for (final int x : xs) for (final int y : ys) places.add(new Point(within(x, screen.x, right), within(y, screen.y, bottom)));
		return places.stream().min(Comparator.<Point> comparingLong(p -> others.stream().mapToLong(o -> area(o.intersection(new Rectangle(p, window)))).sum())
			.thenComparingLong(p -> (long) p.distanceSq(first.getLocation()))).orElseThrow();
	}

	/** Moves a new window beside the others that are shown, on the screen of the current image. */
	static void move(final Window window) {
		final ImagePlus image = WindowManager.getCurrentImage();
		final Window first = image == null ? null : image.getWindow();
		window.setLocation(of(window.getSize(), Stream.of(Window.getWindows()).filter(other -> other.isShowing() && other != window)
			.sorted(Comparator.comparing(other -> other != first)).map(Window::getBounds).collect(Collectors.toList())));
	}

	/** The place of a window that is moved into its screen. */
	static Point inside(final Rectangle window) {
		final Rectangle screen = screen(List.of(window));
		return new Point(within(window.x, screen.x, screen.x + screen.width - window.width), within(window.y, screen.y, screen.y + screen.height - window.height));
	}

	/** Not above the maximum, and at least the minimum. */
	private static int within(final int value, final int min, final int max) {
		return Math.max(min, Math.min(value, max));
	}

	private static long area(final Rectangle r) {
		return r.isEmpty() ? 0 : (long) r.width * r.height;
	}

	/** The usable part of the screen that shows the first of the windows. */
	private static Rectangle screen(final List<Rectangle> windows) {
		final GraphicsEnvironment environment = GraphicsEnvironment.getLocalGraphicsEnvironment();
		GraphicsConfiguration on = environment.getDefaultScreenDevice().getDefaultConfiguration();
		for (final var device : environment.getScreenDevices())
			if (!windows.isEmpty() && device.getDefaultConfiguration().getBounds().contains(windows.get(0).getLocation())) on = device.getDefaultConfiguration();
		final Rectangle screen = on.getBounds();
		final Insets used = Toolkit.getDefaultToolkit().getScreenInsets(on);
		return new Rectangle(screen.x + used.left, screen.y + used.top, screen.width - used.left - used.right, screen.height - used.top - used.bottom);
	}
}
