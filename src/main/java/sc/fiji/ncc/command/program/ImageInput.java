package sc.fiji.ncc.command.program;

import java.util.List;
import java.util.Optional;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.front.Calibration;

/**
 * An input image of a command: pixels, title, axes, calibration, selection and regions. An open image is an
 * {@link sc.fiji.ncc.command.imagej.ImageJImage}, in plain ImageJ and in Fiji. An image without a window, from a script, is a
 * {@link sc.fiji.ncc.command.imagej.ScriptImage}. It has no selection and no regions, and nothing is drawn over it.
 * Two inputs are equal if they are the same image. {@code toString} returns the title: the macro recorder writes it, and dialogs show it.
 */
public interface ImageInput {

	/**
	 * The current pixels. They are shared, not copied. Dimensions of size 1 beyond the second are left out.
	 *
	 * @throws IllegalArgumentException if the pixels are indices of colours
	 */
	RandomAccessibleInterval<?> pixels();

	/** @return the title */
	String name();

	/** @return whether the image is an RGB image, with one or three channels */
	boolean isColor();

	/** @return a letter for each dimension, see {@link sc.fiji.ncc.front.Axes}; an unknown third dimension is z */
	String axes();

	/** @return the index of the channel that was chosen; 0 if none was chosen */
	default long channel() {
		return 0;
	}

	/** @return the text that the file of the image holds about it, such as OME-XML; null if there is none */
	default String information() {
		return null;
	}

	/** @return the calibration */
	Calibration calibration();

	/**
	 * The selection in the image; empty if nothing is selected.
	 *
	 * @throws IllegalArgumentException if the selection is a line or points, which have no area
	 */
	default Optional<Selection> selection() {
		return Optional.empty();
	}

	/** @return whether an area is selected */
	default boolean hasArea() {
		return false;
	}

	/**
	 * The regions that are selected in the ROI Manager, or all of its regions if none is selected. Boxes from {@link #mark} are left out.
	 *
	 * @throws IllegalArgumentException if a region has no area, or lies outside the image
	 */
	default List<Region> managed() {
		return List.of();
	}

	/** The areas in the overlay, without the boxes and lines from {@link #mark}, the current selection, texts and pictures. */
	default List<Region> overlay() {
		return List.of();
	}

	/** @return the position of the shown plane along each dimension beyond the second, from 0 */
	long[] shown();

	/**
	 * Draws boxes and lines over the image. Replaces the boxes and lines of an earlier run. Other overlay elements stay.
	 *
	 * @param manager whether to add the boxes to the ROI Manager as well
	 * @return false if the ROI Manager is needed and not available
	 */
	default boolean mark(final List<Box> boxes, final List<TrackLine> lines, final boolean manager) {
		return !manager;
	}

	/** Starts to draw boxes while a dialog is open. Nothing changes before the first call of {@link LiveBoxes#show}. */
	default LiveBoxes live() {
		return new LiveBoxes() {};
	}
}
