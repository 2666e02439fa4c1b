package sc.fiji.ncc.command.imagej;

import java.awt.Dialog;
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
import java.util.stream.Stream;

import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.ImageCanvas;
import ij.gui.ImageWindow;

/** Places on the screen where a new window covers as little as possible of others. */
final class FreePlace {

	/** Distance between windows in pixels. */
	static final int GAP = 8;
	/** A covered pixel of an image, a dialog or ImageJ's own window counts as much as so many of a table. */
	static final int IMPORTANT = 8;
	/** An image whose longer side has fewer pixels on the screen is enlarged. */
	private static final int SMALL = 128;
	/** The maximum number of windows that count: the search takes a time that grows with their third power. */
	private static final int MOST = 24;

	/**
	 * A window that stays visible.
	 *
	 * @param weight how much a covered pixel counts
	 */
	record Shown(Rectangle bounds, int weight) {}

	private FreePlace() {}

	/**
	 * The place of a window on the screen of the first of the others.
	 *
	 * @param window size of the window
	 * @param others the windows that stay visible; empty to centre the window
	 */
	static Point of(final Dimension window, final List<Rectangle> others) {
		return of(window, screen(others), others.stream().map(o -> new Shown(o, 1)).toList());
	}

	/**
	 * The place with the smallest covered area; among equal ones the nearest to the first of the others.
	 *
	 * @param screen the usable part of the screen
	 */
	static Point of(final Dimension window, final Rectangle screen, final List<Shown> others) {
		final int right = screen.x + screen.width - window.width, bottom = screen.y + screen.height - window.height;
		if (others.isEmpty()) return new Point((screen.x + right) / 2, Math.max(screen.y, (screen.y + bottom) / 2));
		// a window that covers least touches the screen's edges or the others
		final List<Integer> xs = new ArrayList<>(List.of(right, screen.x)), ys = new ArrayList<>(List.of(bottom, screen.y));
		for (final Shown other : others) {
			final Rectangle o = other.bounds;
			xs.addAll(List.of(o.x + o.width + GAP, o.x - window.width - GAP, o.x));
			ys.addAll(List.of(o.y + o.height + GAP, o.y - window.height - GAP, o.y));
		}
		final Rectangle first = others.get(0).bounds;
		final List<Point> places = new ArrayList<>();
		for (final int x : xs) for (final int y : ys) places.add(new Point(within(x, screen.x, right), within(y, screen.y, bottom)));
		return places.stream().min(Comparator.<Point> comparingLong(p -> covered(new Rectangle(p, window), others))
			.thenComparingLong(p -> (long) p.distanceSq(first.getLocation()))).orElseThrow();
	}

	/** The covered area in pixels, times the weights. */
	static long covered(final Rectangle window, final List<Shown> others) {
		return others.stream().mapToLong(o -> o.weight * area(o.bounds.intersection(window))).sum();
	}

	/**
	 * The first of several sizes of a window that covers no other window, or else the last one. Without windows, the first.
	 *
	 * @param beside see {@link #move}
	 */
	static Dimension size(final List<Dimension> sizes, final ImagePlus beside) {
		if (GraphicsEnvironment.isHeadless()) return sizes.get(0);
		final List<Shown> others = shown(null, beside);
		return size(sizes, screen(bounds(others)), others);
	}

	static Dimension size(final List<Dimension> sizes, final Rectangle screen, final List<Shown> others) {
		return sizes.stream().filter(size -> covered(new Rectangle(of(size, screen, others), size), others) == 0).findFirst().orElse(sizes.get(sizes.size() - 1));
	}

	/**
	 * Moves a new window to where it covers as little as possible of the others that are shown: above all of images, dialogs and ImageJ's own window.
	 *
	 * @param window null in batch mode, where nothing happens
	 * @param beside the image on whose screen, and as near as possible to which, the window appears; null for none
	 */
	static void move(final Window window, final ImagePlus beside) {
		if (window == null) return;
		final List<Shown> others = shown(window, beside);
		window.setLocation(of(window.getSize(), screen(bounds(others)), others));
	}

	/** Shows a new image beside the current one. An image of few pixels, such as one with a pixel for each window of a motion field, is enlarged. */
	static void show(final ImagePlus image) {
		final ImagePlus before = WindowManager.getCurrentImage();
		image.show();
		final ImageCanvas canvas = image.getCanvas();
		// at its greatest magnification ImageJ enlarges no further
		for (double m = 0; canvas != null && canvas.getMagnification() > m
			&& canvas.getMagnification() * Math.max(image.getWidth(), image.getHeight()) < SMALL;) {
			m = canvas.getMagnification();
			canvas.zoomIn(0, 0);
		}
		move(image.getWindow(), before);
	}

	/** The windows that are shown, that of an image first, then those that matter more. */
	private static List<Shown> shown(final Window except, final ImagePlus first) {
		final Window image = first == null ? null : first.getWindow();
		return Stream.of(Window.getWindows()).filter(w -> w.isShowing() && w != except).sorted(Comparator.<Window, Boolean> comparing(w -> w != image)
			.thenComparing(w -> -weight(w))).limit(MOST).map(w -> new Shown(w.getBounds(), weight(w))).toList();
	}

	private static int weight(final Window window) {
		return window instanceof ImageWindow || window instanceof Dialog || window == IJ.getInstance() ? IMPORTANT : 1;
	}

	private static List<Rectangle> bounds(final List<Shown> shown) {
		return shown.stream().map(Shown::bounds).toList();
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
