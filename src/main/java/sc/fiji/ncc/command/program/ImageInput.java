package sc.fiji.ncc.command.program;

import java.util.List;
import java.util.Optional;

import net.imglib2.img.Img;

/**
 * An image that a command is given: its pixels and what belongs to them. An open image of ImageJ 1.x is always an {@link sc.fiji.ncc.command.imagej.ImageJImage}, in plain ImageJ as in
 * Fiji. Pixels that no window shows, as scripts give them, are {@link sc.fiji.ncc.command.imagej.ScriptImage}. Two inputs are equal if they are the same image. The text form is the
 * title: the macro recorder writes it, and dialogs show it.
 */
public interface ImageInput {

	/**
	 * The pixels as they are at the time of the call, shared and not copied, without the dimensions of size 1 beyond the second.
	 *
	 * @throws IllegalArgumentException if they cannot be read as numbers
	 */
	Img<?> pixels();

	/** What people call the image. */
	String name();

	/** Whether the pixels are colours, as one type or as three channels. */
	boolean isColor();

	/** What the dimensions mean, as {@link sc.fiji.ncc.Axes} has it; z for the third one where nothing else is known. */
	String axes();

	/** Where the pixels lie in the world. */
	Space space();

	/**
	 * What is selected in it; empty if nothing is.
	 *
	 * @throws IllegalArgumentException if a line or points are, which have no area
	 */
	Optional<Selection> selection();

	/** Whether an area is selected in it. */
	boolean hasArea();

	/**
	 * The regions that are selected in the ROI Manager, or all of them if none is; without the boxes of {@link #mark}.
	 *
	 * @throws IllegalArgumentException if one has no area, or lies outside the image
	 */
	List<Region> managed();

	/** The areas that lie over it, without those that we drew, without a copy of the live selection, and without texts and pictures. */
	List<Region> overlay();

	/** The plane that is shown: its position along each dimension beyond the second, from 0. */
	long[] shown();

	/**
	 * Draws boxes, and the ways from one to the next, over it, in place of those that were drawn before. What else lies over it stays.
	 *
	 * @param manager whether the boxes are added to the ROI Manager, too
	 * @return false if there is no ROI Manager to add them to
	 */
	boolean mark(List<Box> boxes, List<TrackLine> ways, boolean manager);
}
