package sc.fiji.ncc.command.program;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import org.scijava.service.SciJavaService;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.Table;

/** The application around the commands: its open images, its windows, and its macros. */
public interface FrontEnd extends SciJavaService {

	/** Title of ImageJ's results table, which macros read. */
	String MATCHES = "NCC Matches", TRACKS = "NCC Tracks", DRIFT = "NCC Drift", REGISTRATION = "NCC Registration",
		MOSAIC = "NCC Mosaic", LINKS = "NCC Links", MOTION = "NCC Motion",
		POSES = "NCC Poses";

	/** Log message if the ROI Manager is not available. */
	String NO_ROI_MANAGER = "Without windows there is no ROI Manager. The boxes are in the image's overlay.";

	/** Log message if a graph cannot be shown. */
	String NO_PLOT = "Without windows and without a macro there is no plot. The motion is in the table.";

	/** @return the titles of the open images */
	List<String> openImages();

	/** @return the title of the active image; empty if no image is open */
	Optional<String> activeImage();

	/** @return whether an area is selected in the active image */
	boolean isActiveSelected();

	/** @return the titles of the open images with more than one plane */
	List<String> stacks();

	/**
	 * Candidates for the template or the kernel of an image: other open images that are not larger, in RGB only for an RGB image, and not results of these commands.
	 *
	 * @param title title of the image
	 * @return the titles of the candidates
	 */
	List<String> othersThan(String title);

	/**
	 * Finds an open image by its title.
	 *
	 * @throws IllegalArgumentException if no image or several images have this title
	 */
	ImageInput image(String title);

	/**
	 * An image without a window.
	 *
	 * @param axes a letter for each dimension, see {@link ImageInput#axes}; those of an image of ImageJ2 count instead
	 * @param calibration the calibration, unless it is an image of ImageJ2
	 */
	ImageInput image(Img<?> pixels, String axes, Calibration calibration);

	/**
	 * Opens the images of a folder without showing them, in the order of their names. Their pixels are read again when memory was short.
	 *
	 * @throws IllegalArgumentException if the folder has no image, or one cannot be read
	 */
	List<ImageInput> folder(String path);

	/** @return whether the ROI Manager or the overlay of the active image has regions */
	boolean hasRegions();

	/**
	 * Makes the output for scripts from a map. In ImageJ2 it has a name, axes and a calibration. It shares the pixels of the map.
	 */
	<T extends NativeType<T> & RealType<T>> Img<T> describe(Img<T> map, MapDescription description);

	/** Opens a map as an image. If that is not possible, writes a line to the log. */
	void open(Img<? extends RealType<?>> map, MapDescription description);

	/**
	 * Shows a table in a window of its own. In a macro, and without windows, the rows are in ImageJ's results table, which macros read.
	 *
	 * @param append whether existing rows stay
	 */
	void show(Table table, boolean append);

	/** Opens a picture in a window. */
	void show(String title, BufferedImage picture, Calibration calibration);

	/** Opens a picture without a calibration. */
	default void show(final String title, final BufferedImage picture) {
		show(title, picture, Calibration.NONE);
	}

	/**
	 * Draws boxes over an image. Replaces the boxes and lines of an earlier run. Other overlay elements stay.
	 *
	 * @param manager whether to add the boxes to the ROI Manager as well; without windows, a line goes to the log
	 */
	default void mark(final ImageInput image, final List<Box> boxes, final boolean manager) {
		mark(image, boxes, List.of(), manager);
	}

	/**
	 * Draws boxes and lines over an image, see {@link #mark(ImageInput, List, boolean)}. Lines are not added to the ROI Manager.
	 */
	void mark(ImageInput image, List<Box> boxes, List<TrackLine> lines, boolean manager);

	/** Shows a graph in a window. In a macro without windows, the graph becomes an open image. */
	void show(Graph graph);

	/** Starts to show a search of an image while the dialog is open. */
	LiveView live(ImageInput image);

	/** Writes a line to ImageJ's log window, or without windows to the standard output. */
	void note(String line);

	/** Opens a page in the user's browser. */
	void browse(String url);

	/** Clears the state of the Escape key. */
	void forgetEscape();

	/** @return whether Escape was pressed since {@link #forgetEscape} */
	boolean escapePressed();

	/** @return whether dialogs ask for missing parameters: there are windows, and no macro runs */
	boolean isInteractive();

	/** @return the options that the macro passes to the command; empty if no macro runs */
	Optional<MacroOptions> macro();

	/**
	 * Ends the macro that runs the command, if there is one, because the macro cannot use a result that does not exist. Ends the program in a batch run, see
	 * {@link sc.fiji.ncc.command.Batch}. The caller logs the reason before.
	 *
	 * @param reason the message of the macro; empty for none
	 * @return whether a macro ran and has shown the reason
	 */
	boolean abortMacro(String reason);
}
