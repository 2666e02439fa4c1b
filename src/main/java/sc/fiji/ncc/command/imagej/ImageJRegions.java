package sc.fiji.ncc.command.imagej;

import java.awt.GraphicsEnvironment;
import java.util.ArrayList;
import java.util.List;

import ij.ImagePlus;
import ij.gui.ImageRoi;
import ij.gui.Overlay;
import ij.gui.Roi;
import ij.gui.TextRoi;
import ij.plugin.frame.RoiManager;

import sc.fiji.ncc.command.program.Region;

/** Regions of an image in the ROI Manager of ImageJ 1.x and in the image's overlay. */
public final class ImageJRegions {

	private ImageJRegions() {}

	/**
	 * See {@link sc.fiji.ncc.command.program.ImageInput#managed}.
	 *
	 * @param axes axes of the image
	 */
	public static List<Region> managed(final ImagePlus imp, final String axes) {
		final List<Region> regions = new ArrayList<>();
		final RoiManager manager = GraphicsEnvironment.isHeadless() ? null : RoiManager.getInstance2();
		if (manager == null) return regions;
		for (final Roi roi : manager.getSelectedRoisAsArray()) {
			if (ImageJImage.TRACK.equals(roi.getProperty(ImageJImage.MARK))) continue;
			final String what = "The region '" + roi.getName() + "' in the ROI Manager ";
			if (!isArea(roi)) throw new IllegalArgumentException(what + "(" + roi.getTypeAsString()
				+ ") has no area. Delete it there, or select only regions with an area in the list.");
			regions.add(region(roi, imp, axes, what));
		}
		return regions;
	}

	/**
	 * See {@link sc.fiji.ncc.command.program.ImageInput#overlay}.
	 *
	 * @param axes axes of the image
	 */
	public static List<Region> overlay(final ImagePlus imp, final String axes) {
		final List<Region> regions = new ArrayList<>();
		final Overlay overlay = imp.getOverlay();
		for (int i = 0; overlay != null && i < overlay.size(); i++) {
			final Roi roi = overlay.get(i);
			// ImageJ2's commands add the current selection to the overlay; texts and pictures are annotations
			if (roi != imp.getRoi() && isArea(roi) && roi.getProperty(ImageJImage.MARK) == null)
				regions.add(region(roi, imp, axes, "The region '" + (roi.getName() == null ? "" + (i + 1) : roi.getName()) + "' over '" + imp.getTitle() + "' "));
		}
		return regions;
	}

	private static boolean isArea(final Roi roi) {
		return roi.isArea() && !(roi instanceof TextRoi) && !(roi instanceof ImageRoi);
	}

	private static Region region(final Roi roi, final ImagePlus imp, final String axes, final String what) {
		return new Region(roi.getName() == null ? "" : roi.getName(), ImageJImage.area(roi, imp, ImageJImage.plane(position(roi, imp), axes, -1), what));
	}

	/** @return channel, slice and frame, from 1; 0 for all */
	private static int[] position(final Roi roi, final ImagePlus imp) {
		if (roi.hasHyperStackPosition()) return new int[] { roi.getCPosition(), roi.getZPosition(), roi.getTPosition() };
		final int plane = roi.getPosition();
		return plane < 1 || plane > imp.getStackSize() ? new int[3] : imp.convertIndexToPosition(plane);
	}
}
