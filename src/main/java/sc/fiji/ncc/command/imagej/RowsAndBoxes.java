package sc.fiji.ncc.command.imagej;

import java.awt.Component;
import java.awt.GraphicsEnvironment;
import java.awt.Rectangle;
import java.awt.event.KeyAdapter;
import java.awt.event.KeyEvent;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.util.Arrays;
import java.util.List;

import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.ImageCanvas;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.measure.ResultsTable;
import ij.text.TextPanel;
import ij.text.TextWindow;

/**
 * Connects the rows of a table of matches with the boxes over the image: a click on a row shows its box with thick lines, and a click on a box selects its row. The name
 * of a box begins with the label of its row and a colon.
 */
final class RowsAndBoxes {

	/** Width in pixels of the lines of a selected box. */
	private static final double SELECTED = 4;
	private static final String IMAGE = "Image";

	private RowsAndBoxes() {}

	/**
	 * Connects the boxes of an image with the tables in these windows. Does nothing without windows.
	 *
	 * @param tables titles of the windows; windows that do not exist are left out
	 */
	static void connect(final ImagePlus imp, final List<String> tables) {
		if (GraphicsEnvironment.isHeadless()) return;
		for (final String title : tables) {
			final TextPanel table = table(title);
			if (table != null) listen(table);
		}
		final ImageCanvas canvas = imp.getCanvas();
		if (canvas == null || Arrays.stream(canvas.getMouseListeners()).anyMatch(Clicks.class::isInstance)) return;
		canvas.addMouseListener(new Clicks(canvas, imp, tables));
	}

	private static TextPanel table(final String title) {
		final var window = WindowManager.getWindow(title);
		return window instanceof TextWindow ? ((TextWindow) window).getTextPanel() : null;
	}

	private static void listen(final TextPanel table) {
		for (final Component c : table.getComponents()) {
			// the lines of a table, not its scroll bars
			if (c.getMouseMotionListeners().length == 0 || Arrays.stream(c.getMouseListeners()).anyMatch(Selections.class::isInstance)) continue;
			c.addMouseListener(new Selections(table));
			c.addKeyListener(new KeyAdapter() {

				@Override
				public void keyReleased(final KeyEvent e) {
					showBox(table);
				}
			});
		}
	}

	/** Shows the box of the selected row. */
	private static final class Selections extends MouseAdapter {

		private final TextPanel table;

		Selections(final TextPanel table) {
			this.table = table;
		}

		@Override
		public void mouseReleased(final MouseEvent e) {
			showBox(table);
		}
	}

	private static void showBox(final TextPanel panel) {
		final ResultsTable table = panel.getResultsTable();
		final int row = panel.getSelectionStart();
		if (table == null || row < 0 || row >= table.size() || table.getLabel(row) == null || !table.columnExists(IMAGE)) return;
		final ImagePlus imp = WindowManager.getImage(table.getStringValue(IMAGE, row));
		final Overlay overlay = imp == null ? null : imp.getOverlay();
		if (overlay == null) return;
		if (imp.getStackSize() > 1) imp.setPosition((int) table.getValue("Channel", row), (int) table.getValue("Slice", row), (int) table.getValue("Frame", row));
		final Rectangle bounds = select(overlay, table.getLabel(row));
		final ImageCanvas canvas = imp.getCanvas();
		if (canvas != null && bounds != null && !canvas.getSrcRect().contains(bounds)) {
			final Rectangle seen = new Rectangle(canvas.getSrcRect());
			seen.x = Math.max(0, Math.min(imp.getWidth() - seen.width, bounds.x + bounds.width / 2 - seen.width / 2));
			seen.y = Math.max(0, Math.min(imp.getHeight() - seen.height, bounds.y + bounds.height / 2 - seen.height / 2));
			canvas.setSourceRect(seen);
		}
		imp.draw();
	}

	/**
	 * Draws the boxes of one label with thick lines, and the others with thin lines.
	 *
	 * @return the bounds of the box; null if there is none
	 */
	static Rectangle select(final Overlay overlay, final String label) {
		Rectangle bounds = null;
		for (final Roi roi : overlay.toArray()) {
			if (!ImageJImage.MATCH.equals(roi.getProperty(ImageJImage.MARK)) || roi.getName() == null) continue;
			final boolean selected = roi.getName().startsWith(label + ":");
			roi.setStrokeWidth(selected ? SELECTED : 0);
			if (selected) bounds = roi.getBounds();
		}
		return bounds;
	}

	/** Selects the row of the box that is clicked. */
	private static final class Clicks extends MouseAdapter {

		private final ImageCanvas canvas;
		private final ImagePlus imp;
		private final List<String> tables;

		Clicks(final ImageCanvas canvas, final ImagePlus imp, final List<String> tables) {
			this.canvas = canvas;
			this.imp = imp;
			this.tables = tables;
		}

		@Override
		public void mouseClicked(final MouseEvent e) {
			final Roi box = at(imp, canvas.offScreenX(e.getX()), canvas.offScreenY(e.getY()));
			if (box == null) return;
			final String label = box.getName().substring(0, Math.max(0, box.getName().indexOf(':')));
			for (final String title : tables) {
				final TextPanel panel = table(title);
				final int row = panel == null || panel.getResultsTable() == null ? -1 : row(panel.getResultsTable(), imp.getTitle(), label);
				if (row < 0) continue;
				panel.setSelection(row, row);
				panel.showRow(row);
				select(imp.getOverlay(), label);
				imp.draw();
				IJ.showStatus(box.getName());
				return;
			}
		}
	}

	/** The smallest box of the shown plane that contains a pixel; null if there is none. */
	static Roi at(final ImagePlus imp, final int x, final int y) {
		Roi found = null;
		for (final Roi roi : imp.getOverlay() == null ? new Roi[0] : imp.getOverlay().toArray()) {
			if (!ImageJImage.MATCH.equals(roi.getProperty(ImageJImage.MARK)) || roi.getName() == null || !roi.contains(x, y) || !isShown(roi, imp)) continue;
			final Rectangle a = roi.getBounds(), b = found == null ? null : found.getBounds();
			if (b == null || (long) a.width * a.height < (long) b.width * b.height) found = roi;
		}
		return found;
	}

	private static boolean isShown(final Roi roi, final ImagePlus imp) {
		if (roi.hasHyperStackPosition()) return fits(roi.getCPosition(), imp.getC()) && fits(roi.getZPosition(), imp.getZ()) && fits(roi.getTPosition(), imp.getT());
		return fits(roi.getPosition(), imp.getCurrentSlice());
	}

	/** 0 means all positions. */
	private static boolean fits(final int position, final int shown) {
		return position == 0 || position == shown;
	}

	/** The last row with this image and label; -1 if there is none. */
	static int row(final ResultsTable table, final String image, final String label) {
		if (!table.columnExists(IMAGE)) return -1;
		for (int row = table.size() - 1; row >= 0; row--)
			if (label.equals(table.getLabel(row)) && image.equals(table.getStringValue(IMAGE, row))) return row;
		return -1;
	}
}
