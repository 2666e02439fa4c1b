package sc.fiji.ncc.command.program;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import org.scijava.command.Command;
import org.scijava.service.SciJavaService;


/** The program around the commands: its open images, what it can show, and how it stops. */
public interface FrontEnd extends SciJavaService {

	/** The title of ImageJ's own table, which macros read. */
	String RESULTS = "Results";

	/** What the log says instead. */
	String NO_ROI_MANAGER = "There is no ROI Manager without windows; the boxes are in the image's overlay.";

	/** What the log says where a graph has no window. */
	String NO_PLOT = "Without windows and without a macro there is no plot; the motion is in the table.";

	/** The titles of the images that are open. */
	List<String> openImages();

	/** The title of the active image; empty if no image is open. */
	Optional<String> activeImage();

	/** Whether an area is selected in the active image. */
	boolean isActiveSelected();

	/** The titles of the open images with more than one plane. */
	List<String> stacks();

	/** The titles of the open images that may be a template or a kernel for the one of a title: others, grey, not larger, no results of our commands. */
	List<String> othersThan(String title);

	/**
	 * Asks people for the parameters that only experts change, in a dialog; the command keeps its values if they cancel it.
	 *
	 * @param command whose own dialog is open
	 */
	void askExpert(Command command);

	/**
	 * An open image.
	 *
	 * @throws IllegalArgumentException if there is not exactly one of that title
	 */
	ImageInput image(String title);

	/**
	 * A response map as scripts get it: with the name, axes and calibration of the image that it came from where the program has images of its own that
	 * hold these, and with the map's own pixels.
	 */
	<T extends NativeType<T> & RealType<T>> Img<T> describe(Img<T> map, MapDescription description);

	/** Opens a response map as an image; does nothing, but for a line in the log, where there is nothing to open it in. */
	void open(Img<? extends RealType<?>> map, MapDescription description);

	/**
	 * Shows a table. One of the title {@link #RESULTS}, and any in a macro, takes the place of ImageJ's results. Where people keep
	 * other measurements there, which ImageJ asks about, it has a window of its own.
	 *
	 * @param append whether rows that are there stay
	 */
	void show(Table table, boolean append);

	/** Opens a picture in a window. */
	void show(String title, BufferedImage picture);

	/**
	 * Draws boxes over an image, in place of those that were drawn before; what else lies over it stays.
	 *
	 * @param manager whether they are added to the ROI Manager, too; without windows there is none, and the log says so
	 */
	default void mark(final ImageInput image, final List<Box> boxes, final boolean manager) {
		mark(image, boxes, List.of(), manager);
	}

	/**
	 * Draws boxes, and the way from one to the next, over an image. As {@link #mark(ImageInput, List, boolean)}; the ways do not go to the ROI Manager.
	 */
	void mark(ImageInput image, List<Box> boxes, List<TrackLine> ways, boolean manager);

	/** Opens a graph in a window; without windows, gives it to the macro that runs. */
	void show(Graph graph);

	/** Opens a page in the user's browser. */
	void browse(String url);

	/** Forgets that Escape was pressed before. */
	void forgetEscape();

	/** Whether Escape was pressed since {@link #forgetEscape}. */
	boolean escapePressed();

	/** Whether people are asked for what a caller leaves out: there are windows, and no macro runs. */
	boolean isInteractive();

	/** What the macro that runs the command gives it; empty if no macro runs. */
	Optional<MacroOptions> macro();

	/**
	 * Ends the macro that runs the command, if one does: what failed must not pass for done. A program that runs one macro on the command line
	 * ends with it, see {@link sc.fiji.ncc.command.Batch}; so whoever calls this has logged the reason.
	 *
	 * @param reason what the macro says in the end; empty to say nothing
	 * @return whether a macro ran, and has said the reason
	 */
	boolean abortMacro(String reason);
}
