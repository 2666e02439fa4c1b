package sc.fiji.ncc.command;

import java.awt.Color;
import java.awt.Font;
import java.awt.GraphicsEnvironment;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import ij.ImagePlus;
import ij.gui.Overlay;
import ij.gui.PolygonRoi;
import ij.gui.Roi;
import ij.measure.Calibration;
import ij.plugin.frame.RoiManager;
import ij.process.ImageProcessor;

/** What the commands ask of an image of ImageJ 1.x, which Fiji and plain ImageJ share. */
public final class ImageJImage {

	/** Tells what we draw from what others do: boxes of matches, which may be tracked, from those along a way. */
	static final String MARK = "ncc", MATCH = "match", TRACK = "track";
	/** Of templates one after the other; the colour-blind tell them apart, too (M. Okabe, K. Ito, 2008). */
	private static final Color[] COLOURS = { new Color(0xf0e442), new Color(0x56b4e9), new Color(0xe69f00), new Color(0x009e73), new Color(0xcc79a7),
		new Color(0xd55e00), new Color(0x0072b2) };
	private static final Font LABELS = new Font(Font.SANS_SERIF, Font.PLAIN, 10);

	private ImageJImage() {}

	/** See {@link FrontEnd#axes}. */
	public static String axes(final ImagePlus imp) {
		return "xy" + (imp.getNChannels() > 1 ? "c" : "") + (imp.getNSlices() > 1 ? "z" : "") + (imp.getNFrames() > 1 ? "t" : "");
	}

	/** See {@link FrontEnd#space}. */
	public static Space space(final ImagePlus imp) {
		final Calibration c = imp.getCalibration();
		return new Space(new double[] { c.pixelWidth, c.pixelHeight, c.pixelDepth }, new double[] { c.xOrigin, c.yOrigin, c.zOrigin }, c.getUnit(),
			c.frameInterval, c.getTimeUnit());
	}

	/**
	 * See {@link FrontEnd#selection}.
	 *
	 * @param axes of the image as the command has it
	 */
	public static Optional<Selection> selection(final ImagePlus imp, final String axes) {
		final Roi roi = imp.getRoi();
		if (roi == null) return Optional.empty();
		final String what = "The selection in '" + imp.getTitle() + "' ";
		if (!roi.isArea()) throw new IllegalArgumentException(what + "(" + roi.getTypeAsString()
			+ ") has no area. Draw a rectangle or another closed shape, or remove it with Edit > Selection > Select None.");
		return Optional.of(area(roi, imp, plane(imp, axes), what));
	}

	/**
	 * An area, cut to the image.
	 *
	 * @param what it is to people
	 */
	static Selection area(final Roi roi, final ImagePlus imp, final long[] plane, final String what) {
		final Rectangle all = roi.getBounds(), inside = all.intersection(new Rectangle(imp.getWidth(), imp.getHeight()));
		if (inside.isEmpty()) throw new IllegalArgumentException(what + "lies outside the image.");
		return new Selection(inside.x, inside.y, inside.width, inside.height, mask(roi.getMask(), all, inside), plane);
	}

	/** See {@link FrontEnd#hasArea}. */
	public static boolean hasArea(final ImagePlus imp) {
		return imp.getRoi() != null && imp.getRoi().isArea();
	}

	/** The part of a mask that lies inside the image; null if all of that is selected. */
	private static byte[] mask(final ImageProcessor mask, final Rectangle all, final Rectangle inside) {
		if (mask == null) return null;
		final byte[] part = new byte[inside.width * inside.height];
		boolean whole = true;
		for (int y = 0; y < inside.height; y++)
			for (int x = 0; x < inside.width; x++) {
				part[y * inside.width + x] = (byte) mask.get(inside.x - all.x + x, inside.y - all.y + y);
				whole &= part[y * inside.width + x] != 0;
			}
		return whole ? null : part;
	}

	/** See {@link FrontEnd#shown}. */
	public static long[] plane(final ImagePlus imp, final String axes) {
		// of a dimension that ImageJ 1.x does not know, it shows the first position
		return plane(imp.convertIndexToPosition(imp.getCurrentSlice()), axes, 0);
	}

	/**
	 * @param position channel, slice and frame, from 1
	 * @param unknown where it is along other dimensions
	 */
	static long[] plane(final int[] position, final String axes, final long unknown) {
		final long[] plane = new long[axes.length() - 2];
		for (int d = 0; d < plane.length; d++) {
			final int i = "czt".indexOf(axes.charAt(d + 2));
			plane[d] = i < 0 ? unknown : position[i] - 1;
		}
		return plane;
	}

	/** What is to be known of an image beside its pixels; Image > Show Info lists it, and TIFF files keep it. */
	public static void describe(final ImagePlus imp, final Map<String, String> properties) {
		properties.forEach(imp::setProp);
	}

	/**
	 * See {@link FrontEnd#mark}.
	 *
	 * @return false if there is no ROI Manager to add them to
	 */
	public static boolean mark(final ImagePlus imp, final List<Box> boxes, final List<Way> ways, final boolean manager) {
		final Overlay overlay = imp.getOverlay() == null ? new Overlay() : imp.getOverlay();
		for (int i = overlay.size() - 1; i >= 0; i--) if (overlay.get(i).getProperty(MARK) != null) overlay.remove(i);
		final boolean windows = !GraphicsEnvironment.isHeadless();
		final RoiManager rois = manager && windows ? RoiManager.getRoiManager() : null;
		for (final Box box : boxes)
			for (final int[] plane : planes(imp, box)) {
				final Roi roi = new Roi(box.x(), box.y(), box.width(), box.height());
				dress(roi, box.label(), box.group(), ways.isEmpty() ? MATCH : TRACK);
				if (imp.isHyperStack()) roi.setPosition(plane[0], plane[1], plane[2]);
				else if (imp.getStackSize() > 1) roi.setPosition(imp.getStackIndex(plane[0], plane[1], plane[2]));
				overlay.add(roi);
				if (rois != null) rois.addRoi((Roi) roi.clone());
			}
		for (final Way way : ways) overlay.add(line(imp, way));
		overlay.drawLabels(true);
		overlay.drawNames(true);
		overlay.drawBackgrounds(true);
		overlay.setLabelFont(LABELS);
		overlay.setLabelColor(Color.WHITE);
		imp.setOverlay(overlay);
		return !manager || windows;
	}

	private static void dress(final Roi roi, final String label, final int group, final String kind) {
		roi.setName(label);
		roi.setStrokeColor(colour(group));
		roi.setProperty(MARK, kind);
	}

	/** Of what has this number. */
	static Color colour(final int group) {
		return COLOURS[group % COLOURS.length];
	}

	private static Roi line(final ImagePlus imp, final Way way) {
		final float[] x = new float[way.x().length], y = new float[x.length];
		for (int i = 0; i < x.length; i++) {
			x[i] = (float) way.x()[i];
			y[i] = (float) way.y()[i];
		}
		final Roi line = new PolygonRoi(x, y, Roi.POLYLINE);
		dress(line, null, way.group(), TRACK);
		// 0: on all
		if (imp.isHyperStack()) line.setPosition(way.channel() + 1, way.slice() + 1, way.frame() + 1);
		return line;
	}

	/** Channel, slice and frame of the planes that there are under a box. */
	private static List<int[]> planes(final ImagePlus imp, final Box b) {
		final List<int[]> planes = new ArrayList<>();
		for (int t = Math.max(0, b.frame()); t < Math.min(imp.getNFrames(), b.frame() + b.frames()); t++)
			for (int z = Math.max(0, b.slice()); z < Math.min(imp.getNSlices(), b.slice() + b.slices()); z++)
				for (int c = Math.max(0, b.channel()); c < Math.min(imp.getNChannels(), b.channel() + b.channels()); c++)
					planes.add(new int[] { c + 1, z + 1, t + 1 });
		return planes;
	}
}
