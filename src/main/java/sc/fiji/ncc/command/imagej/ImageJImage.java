package sc.fiji.ncc.command.imagej;

import java.awt.Color;
import java.awt.Font;
import java.awt.GraphicsEnvironment;
import java.awt.Rectangle;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import ij.CompositeImage;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.Line;
import ij.gui.Overlay;
import ij.gui.PolygonRoi;
import ij.gui.Roi;
import ij.plugin.frame.RoiManager;
import ij.process.ImageProcessor;
import ij.process.LUT;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.LiveBoxes;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.command.program.TrackLine;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.plan.ResponseType;

/** An open image of ImageJ 1.x, in plain ImageJ and in Fiji. Each call reads the current state of the image; ImageJ2's copy would miss later edits. */
public record ImageJImage(ImagePlus imp) implements ImageInput {

	/** The properties of maps start with it, as in NCC.method. */
	static final String PREFIX = "NCC.";
	/**
	 * Property of the boxes and lines that these commands draw, and its values. Boxes of matches can be templates for tracking, those of
	 * tracks cannot.
	 */
	static final String MARK = "ncc", MATCH = "match", TRACK = "track";
	/**
	 * Colours of templates. They can be distinguished with colour vision deficiency (M. Okabe and K. Ito, 2008). Orange is late, because it resembles
	 * yellow where both are dark, as on plots.
	 */
	private static final Color[] COLOURS = { new Color(0xf0e442), new Color(0x56b4e9), new Color(0xd55e00), new Color(0x009e73), new Color(0xcc79a7),
		new Color(0xe69f00), new Color(0x0072b2) };
	private static final Font LABELS = new Font(Font.SANS_SERIF, Font.PLAIN, 10);
	/** Height in pixels of a label at 100 %. */
	private static final int LABEL_HEIGHT = 16;
	/** The largest share of a box that its label hides. */
	private static final double HIDDEN = 0.5;

	@Override
	public Img<?> pixels() {
		return StackPixels.of(imp);
	}

	@Override
	public String name() {
		return imp.getTitle();
	}

	@Override
	public boolean isColor() {
		return imp.getType() == ImagePlus.COLOR_RGB;
	}

	@Override
	public String axes() {
		return "xy" + (imp.getNChannels() > 1 ? "c" : "") + (imp.getNSlices() > 1 ? "z" : "") + (imp.getNFrames() > 1 ? "t" : "");
	}

	@Override
	public String information() {
		return imp.getInfoProperty();
	}

	@Override
	public Calibration calibration() {
		final ij.measure.Calibration c = imp.getCalibration();
		return Calibration.of(new double[] { c.pixelWidth, c.pixelHeight, c.pixelDepth }, new double[] { c.xOrigin, c.yOrigin, c.zOrigin }, c.getUnit(),
			c.frameInterval, c.getTimeUnit());
	}

	@Override
	public Optional<Selection> selection() {
		final Roi roi = imp.getRoi();
		if (roi == null) return Optional.empty();
		final String what = "The selection in '" + imp.getTitle() + "' ";
		if (!roi.isArea()) throw new IllegalArgumentException(what + "(" + roi.getTypeAsString()
			+ ") has no area. Draw a rectangle or another closed shape, or remove it with Edit > Selection > Select None.");
		return Optional.of(area(roi, imp, shown(), what));
	}

	@Override
	public boolean hasArea() {
		return imp.getRoi() != null && imp.getRoi().isArea();
	}

	@Override
	public List<Region> managed() {
		return ImageJRegions.managed(imp, axes());
	}

	@Override
	public List<Region> overlay() {
		return ImageJRegions.overlay(imp, axes());
	}

	@Override
	public long[] shown() {
		return plane(imp.convertIndexToPosition(imp.getCurrentSlice()), axes(), 0);
	}

	@Override
	public boolean mark(final List<Box> boxes, final List<TrackLine> lines, final boolean manager) {
		return mark(imp, boxes, lines, manager);
	}

	@Override
	public LiveBoxes live() {
		return ImageJLive.boxes(imp);
	}

	@Override
	public boolean equals(final Object other) {
		return other instanceof ImageJImage && ((ImageJImage) other).imp == imp;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(imp);
	}

	/** The title. If another open image has the same title, the ID follows, because dialogs list only one of several equal texts. */
	@Override
	public String toString() {
		final int[] ids = WindowManager.getIDList();
		for (final int id : ids == null ? new int[0] : ids) {
			final ImagePlus other = WindowManager.getImage(id);
			if (other != null && other != imp && other.getTitle().equals(imp.getTitle())) return imp.getTitle() + " (" + imp.getID() + ")";
		}
		return imp.getTitle();
	}

	/** Makes an image from a map. */
	static ImagePlus of(final Img<? extends RealType<?>> map, final MapDescription description) {
		final String axes = description.source().axes();
		final int[] sizes = { 1, 1, 1 };
		RandomAccessibleInterval<? extends RealType<?>> ordered = map;
		int next = 2;
		// order of the planes in ImageJ 1.x: channels, slices, frames
		for (int i = 0; i < sizes.length; i++)
			for (int d = 2; d < axes.length(); d++) {
				if (hyperstackDimension(axes.charAt(d)) != i) continue;
				sizes[i] *= Math.toIntExact(map.dimension(d));
				final int moved = d + beyond(axes, d, i);
				if (moved != next) ordered = Views.moveAxis(ordered, moved, next);
				next++;
			}
		ImagePlus made = new ImagePlus(description.name(), StackPixels.stack(ordered));
		final ij.measure.Calibration calibration = calibration(description.source(), axes, description.origin());
		final ResponseType type = description.shown().type();
		// ImageJ drops the function of a calibration of an image with other bits, such as that of the source
		calibration.setImage(made);
		calibration.disableDensityCalibration();
		if (type.quantized()) calibration.setFunction(ij.measure.Calibration.STRAIGHT_LINE, new double[] { type.offset(), type.scale() }, "r");
		if (description.like() instanceof ImageJImage) setValues(calibration, ((ImageJImage) description.like()).imp.getCalibration());
		made.setCalibration(calibration);
		made.setDimensions(sizes[0], sizes[1], sizes[2]);
		if (!Double.isNaN(description.min())) made.setDisplayRange(description.min(), description.max());
		else if (sizes[0] > 1) made = withRanges(made);
		if (description.like() instanceof ImageJImage) colour(made, ((ImageJImage) description.like()).imp, true);
		if (description.like() instanceof FolderImage) colour(made, ((FolderImage) description.like()).image().imp, false);
		made.setOpenAsHyperStack(made.getNDimensions() > 3);
		final List<String> names = description.shown().channels();
		// channels come first
		for (int p = 0; p < made.getStackSize() && !names.isEmpty(); p++) made.getStack().setSliceLabel(names.get(p % names.size()), p + 1);
		// Image > Show Info... lists the properties, and TIFF files keep them
		description.properties().forEach(made::setProp);
		return made;
	}

	/** Makes an image from a picture. */
	static ImagePlus of(final BufferedImage picture, final String title, final Calibration calibration) {
		final ImagePlus made = new ImagePlus(title, picture);
		made.setCalibration(calibration(calibration));
		return made;
	}

	/** @return an image that shows each channel from the smallest to the largest value of its first plane */
	private static ImagePlus withRanges(final ImagePlus channels) {
		final CompositeImage made = new CompositeImage(channels, CompositeImage.GRAYSCALE);
		for (int c = made.getNChannels(); c > 0; c--) {
			final ImageProcessor plane = made.getStack().getProcessor(c);
			plane.resetMinAndMax();
			made.setC(c);
			made.setDisplayRange(plane.getMin(), plane.getMax());
		}
		return made;
	}

	/**
	 * Gives an image the colours of another one, and how it shows its channels.
	 *
	 * @param ranges whether the image has the ranges of the other one as well; otherwise its own ones stay
	 */
	private static void colour(final ImagePlus image, final ImagePlus like, final boolean ranges) {
		if (image.isComposite() != like.isComposite() || image.getNChannels() != like.getNChannels()) return;
		if (!image.isComposite()) {
			final LUT lut = like.getProcessor().getLut();
			image.getStack().setColorModel(lut);
			image.getProcessor().setColorModel(lut);
			if (ranges) image.setDisplayRange(like.getDisplayRangeMin(), like.getDisplayRangeMax());
			return;
		}
		final CompositeImage made = (CompositeImage) image;
		final LUT[] luts = like.getLuts(), own = made.getLuts();
		for (int c = 0; c < luts.length; c++) {
			final LUT lut = ranges ? luts[c] : new LUT(luts[c].getColorModel(), own[c].min, own[c].max);
			made.setChannelLut(lut, c + 1);
		}
		made.setMode(((CompositeImage) like).getMode());
	}

	/** @return the properties that these commands give to their maps */
	static Map<String, String> properties(final ImagePlus imp) {
		final Map<String, String> properties = new TreeMap<>();
		if (imp.getImageProperties() != null) imp.getImageProperties().forEach((key, value) -> {
			if (key.toString().startsWith(PREFIX)) properties.put(key.toString(), value.toString());
		});
		return properties;
	}

	/** @return 0 for channels, 1 for slices, 2 for frames and for axes that ImageJ 1.x lacks */
	private static int hyperstackDimension(final char axis) {
		return axis == 'c' ? 0 : axis == 'z' ? 1 : 2;
	}

	/** @return how far a dimension has moved, because later dimensions of an earlier kind were moved before it */
	private static int beyond(final String axes, final int d, final int kind) {
		return (int) axes.substring(d + 1).chars().filter(axis -> hyperstackDimension((char) axis) < kind).count();
	}

	private static ij.measure.Calibration calibration(final ImageInput source, final String axes, final long[] origin) {
		final ij.measure.Calibration c = source instanceof ImageJImage ? ((ImageJImage) source).imp.getCalibration().copy() : calibration(source.calibration());
		for (int d = 0; d < axes.length(); d++) {
			if (axes.charAt(d) == 'x') c.xOrigin -= origin[d];
			if (axes.charAt(d) == 'y') c.yOrigin -= origin[d];
			if (axes.charAt(d) == 'z') c.zOrigin -= origin[d];
		}
		return c;
	}

	/** Gives a calibration the values for which the pixels of an image with another calibration stand. */
	private static void setValues(final ij.measure.Calibration calibration, final ij.measure.Calibration of) {
		if (of.getFunction() == ij.measure.Calibration.CUSTOM) calibration.setCTable(of.getCTable(), of.getValueUnit());
		else calibration.setFunction(of.getFunction(), of.getCoefficients(), of.getValueUnit(), of.zeroClip());
	}

	private static ij.measure.Calibration calibration(final Calibration calibration) {
		final ij.measure.Calibration c = new ij.measure.Calibration();
		c.pixelWidth = calibration.pixelWidth();
		c.pixelHeight = calibration.pixelHeight();
		c.pixelDepth = calibration.pixelDepth();
		c.xOrigin = calibration.xOrigin();
		c.yOrigin = calibration.yOrigin();
		c.zOrigin = calibration.zOrigin();
		c.setUnit(calibration.units(1));
		c.frameInterval = calibration.frameInterval();
		if (!calibration.timeUnit().isEmpty()) c.setTimeUnit(calibration.timeUnit());
		return c;
	}

	/**
	 * Converts a region and cuts it to the image.
	 *
	 * @param what start of the error message: what the region is
	 * @throws IllegalArgumentException if the region lies outside the image
	 */
	static Selection area(final Roi roi, final ImagePlus imp, final long[] plane, final String what) {
		final Rectangle all = roi.getBounds(), inside = all.intersection(new Rectangle(imp.getWidth(), imp.getHeight()));
		if (inside.isEmpty()) throw new IllegalArgumentException(what + "lies outside the image.");
		return new Selection(inside.x, inside.y, inside.width, inside.height, mask(roi.getMask(), all, inside), plane);
	}

	/** @return the part of a mask inside the image; null if the mask has no pixel of value 0 there */
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

	/**
	 * Converts a position of ImageJ 1.x.
	 *
	 * @param position channel, slice and frame, from 1; 0 for all
	 * @param axes axes of the image
	 * @param unknown the position along other axes
	 * @return the position along each dimension beyond the second, from 0; -1 for all
	 */
	static long[] plane(final int[] position, final String axes, final long unknown) {
		final long[] plane = new long[axes.length() - 2];
		for (int d = 0; d < plane.length; d++) {
			final int i = "czt".indexOf(axes.charAt(d + 2));
			plane[d] = i < 0 ? unknown : position[i] - 1;
		}
		return plane;
	}

	private static boolean mark(final ImagePlus imp, final List<Box> boxes, final List<TrackLine> lines, final boolean manager) {
		final Overlay overlay = imp.getOverlay() == null ? new Overlay() : imp.getOverlay();
		final boolean windows = !GraphicsEnvironment.isHeadless();
		final List<Roi> drawn = put(overlay, imp, boxes);
		if (!lines.isEmpty()) drawn.forEach(roi -> roi.setProperty(MARK, TRACK));
		if (manager && windows) {
			// in a macro in batch mode there is one without a window, beside which getRoiManager would make another one
			final RoiManager open = RoiManager.getInstance2(), list = open == null ? RoiManager.getRoiManager() : open;
			for (final Roi roi : drawn) if (roi.getName() != null) list.addRoi((Roi) roi.clone());
		}
		if (!lines.isEmpty()) {
			for (final Roi roi : drawn) overlay.add(label(roi, imp));
			overlay.drawLabels(true);
		}
		for (final TrackLine way : lines) overlay.add(line(imp, way));
		imp.setOverlay(overlay);
		if (lines.isEmpty()) RowsAndBoxes.connect(imp, List.of(FrontEnd.MATCHES, ImageJ1.RESULTS_TABLE));
		return !manager || windows;
	}

	/**
	 * Moves the name of a box to a dot below it, or above it at the lower border, where the image has the whole name at 100 %. ImageJ draws a name
	 * over its element, where it hides a small object.
	 */
	private static Roi label(final Roi box, final ImagePlus imp) {
		final Rectangle b = box.getBounds();
		// ImageJ centres the text at the dot
		final int half = (int) Math.ceil(width(box.getName()) / 2);
		final int x = Math.max(half, Math.min(b.x + b.width / 2, imp.getWidth() - half)), below = b.y + b.height + LABEL_HEIGHT / 2;
		final int y = below + LABEL_HEIGHT / 2 <= imp.getHeight() ? below : b.y - LABEL_HEIGHT / 2;
		// ImageJ's files lose the frame of a point, and keep that of a line
		final Roi dot = new Line(x, y, x, y);
		dot.setName(box.getName());
		dot.setStrokeColor(box.getStrokeColor());
		dot.setProperty(MARK, TRACK);
		if (box.hasHyperStackPosition()) dot.setPosition(box.getCPosition(), box.getZPosition(), box.getTPosition());
		else dot.setPosition(box.getPosition());
		box.setName(null);
		return dot;
	}

	/** The width in pixels of a label at 100 %. */
	private static double width(final String label) {
		return LABELS.getStringBounds(label, new FontRenderContext(null, true, true)).getWidth();
	}

	/** Whether ImageJ can draw the label of a box in its middle, at 100 %. */
	private static boolean labelFits(final Box box) {
		return box.label() == null || Math.min(box.width(), width(box.label())) * Math.min(box.height(), LABEL_HEIGHT)
			<= HIDDEN * box.width() * box.height();
	}

	/**
	 * Replaces the boxes and lines of these commands in an overlay by other boxes. They have labels if all of them are large enough.
	 *
	 * @return the new elements
	 */
	static List<Roi> put(final Overlay overlay, final ImagePlus imp, final List<Box> boxes) {
		for (int i = overlay.size() - 1; i >= 0; i--) if (overlay.get(i).getProperty(MARK) != null || overlay.get(i) == imp.getRoi()) overlay.remove(i);
		final List<Roi> drawn = new ArrayList<>();
		for (final Box box : boxes)
			for (final int[] plane : planes(imp, box)) {
				final Roi roi = box.outline() == null ? new Roi(box.x(), box.y(), box.width(), box.height())
					: new PolygonRoi(box.outline()[0], box.outline()[1], Roi.POLYGON);
				style(roi, box.label(), box.group(), MATCH);
				if (imp.isHyperStack()) roi.setPosition(plane[0], plane[1], plane[2]);
				else if (imp.getStackSize() > 1) roi.setPosition(plane[0] == 0 ? 0 : imp.getStackIndex(plane[0], plane[1], plane[2]));
				overlay.add(roi);
				drawn.add(roi);
			}
		overlay.drawLabels(boxes.stream().allMatch(ImageJImage::labelFits));
		overlay.drawNames(true);
		overlay.drawBackgrounds(true);
		overlay.setLabelFont(LABELS);
		overlay.setLabelColor(Color.WHITE);
		return drawn;
	}

	private static void style(final Roi roi, final String label, final int group, final String kind) {
		roi.setName(label);
		roi.setStrokeColor(colour(group));
		roi.setProperty(MARK, kind);
	}

	/** @return the colour of a group */
	static Color colour(final int group) {
		return COLOURS[group % COLOURS.length];
	}

	private static Roi line(final ImagePlus imp, final TrackLine way) {
		final float[] x = new float[way.x().length], y = new float[x.length];
		for (int i = 0; i < x.length; i++) {
			x[i] = (float) way.x()[i];
			y[i] = (float) way.y()[i];
		}
		final Roi line = new PolygonRoi(x, y, Roi.POLYLINE);
		style(line, null, way.group(), TRACK);
		// 0 means all
		if (imp.isHyperStack()) line.setPosition(way.channel() + 1, way.slice() + 1, way.frame() + 1);
		return line;
	}

	/** @return channel, slice and frame, from 1, of each existing plane with the box; channel 0 for all channels, if ImageJ has such a position */
	private static List<int[]> planes(final ImagePlus imp, final Box b) {
		final List<int[]> planes = new ArrayList<>();
		final int channels = imp.getNChannels();
		final boolean all = channels > 1 && b.channel() <= 0 && b.channel() + b.channels() >= channels
			&& (imp.isHyperStack() || imp.getStackSize() == channels);
		for (int t = Math.max(0, b.frame()); t < Math.min(imp.getNFrames(), b.frame() + b.frames()); t++)
			for (int z = Math.max(0, b.slice()); z < Math.min(imp.getNSlices(), b.slice() + b.slices()); z++)
				if (all) planes.add(new int[] { 0, z + 1, t + 1 });
				else for (int c = Math.max(0, b.channel()); c < Math.min(channels, b.channel() + b.channels()); c++)
					planes.add(new int[] { c + 1, z + 1, t + 1 });
		return planes;
	}
}
