package sc.fiji.ncc.command.imagej;

import java.awt.Component;
import java.awt.Dialog;
import java.awt.Dimension;
import java.awt.EventQueue;
import java.awt.Frame;
import java.awt.Graphics;
import java.awt.Rectangle;
import java.awt.Window;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

import ij.ImagePlus;
import ij.gui.Overlay;

import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.command.program.LiveBoxes;
import sc.fiji.ncc.command.program.LiveView;

/** Boxes over an image of ImageJ 1.x and a graph beside it, while a dialog is open. The graph is no image of ImageJ, so that the active image stays. */
final class ImageJLive implements LiveView {

	/** The maximum number of boxes with labels. */
	private static final int MAX_LABELS = 300;

	private final LiveBoxes boxes;
	private final ImagePlus beside;
	/** The window of the graph; null before the first graph. Used by the event thread only. */
	private Frame window;
	private final Picture picture = new Picture();

	/** @param beside the image at whose side the graph appears; null for anywhere */
	ImageJLive(final LiveBoxes boxes, final ImagePlus beside) {
		this.boxes = boxes;
		this.beside = beside;
	}

	/** Boxes that replace those of an earlier run, until the overlay is restored. */
	static LiveBoxes boxes(final ImagePlus imp) {
		final Overlay before = imp.getOverlay();
		final boolean hidden = imp.getHideOverlay();
		return new LiveBoxes() {

			@Override
			public void show(final List<Box> all) {
				final Overlay overlay = before == null ? new Overlay() : before.duplicate();
				ImageJImage.put(overlay, imp, all);
				// ImageJ needs most of the time for the labels
				if (all.size() > MAX_LABELS) overlay.drawLabels(false);
				imp.setOverlay(overlay);
			}

			@Override
			public void restore() {
				imp.setOverlay(before);
				imp.setHideOverlay(hidden);
			}
		};
	}

	@Override
	public void show(final List<Box> all, final Graph graph) {
		boxes.show(all);
		final BufferedImage drawn = ImageJPlot.drawing(graph);
		EventQueue.invokeLater(() -> {
			picture.drawn = drawn;
			if (window == null) open(graph.title());
			picture.repaint();
		});
	}

	private void open(final String title) {
		window = new Frame(title);
		// the dialog keeps the keyboard, and does not block this window
		window.setFocusableWindowState(false);
		window.setModalExclusionType(Dialog.ModalExclusionType.APPLICATION_EXCLUDE);
		window.addWindowListener(new WindowAdapter() {

			@Override
			public void windowClosing(final WindowEvent e) {
				e.getWindow().setVisible(false);
			}
		});
		window.add(picture);
		window.pack();
		final List<Rectangle> others = new ArrayList<>();
		if (beside != null && beside.getWindow() != null) others.add(beside.getWindow().getBounds());
		for (final Window w : Window.getWindows()) if (w instanceof Dialog && w.isShowing()) others.add(w.getBounds());
		window.setLocation(FreePlace.of(window.getSize(), others));
		window.setVisible(true);
	}

	@Override
	public void clear() {
		boxes.restore();
		EventQueue.invokeLater(() -> {
			if (window != null) window.dispose();
			window = null;
		});
	}

	/** Shows the last graph. */
	private static final class Picture extends Component {

		private static final long serialVersionUID = 1;

		private transient BufferedImage drawn;

		@Override
		public Dimension getPreferredSize() {
			return new Dimension(drawn.getWidth(), drawn.getHeight());
		}

		@Override
		public void update(final Graphics g) {
			paint(g);
		}

		@Override
		public void paint(final Graphics g) {
			if (drawn != null) g.drawImage(drawn, 0, 0, null);
		}
	}
}
