package sc.fiji.ncc.command;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;

import org.scijava.service.SciJavaService;

/** The program around the commands: what it knows of an image beside the pixels, and how it stops. */
public interface FrontEnd extends SciJavaService {

	/** What people call the image. */
	String name(Img<?> image);

	/** Whether the image's pixels are colours, be it that they come as one type or as three channels. */
	boolean isColor(Img<?> image);

	/** What its dimensions mean, as {@link sc.fiji.ncc.Axes} has it; z for the third one where the program does not know. */
	String axes(Img<?> image);

	/** The titles of the images that are open, for messages. */
	List<String> openImages();

	/**
	 * Gives a response map what makes it an image of this program: name, axes and calibration of the image it came from, display range.
	 *
	 * @param map the pixels; as many dimensions as {@code source}
	 * @param origin where the map's first pixel lies, in pixels of {@code source}, one number per dimension
	 * @param min the value shown black
	 * @param max the value shown white
	 * @return an image that shares the map's pixels, or the map itself where the program knows no more than pixels
	 */
	Img<FloatType> describe(Img<FloatType> map, String name, Img<?> source, long[] origin, double min, double max);

	/** Forgets that Escape was pressed before. */
	void forgetEscape();

	/** Whether Escape was pressed since {@link #forgetEscape}. */
	boolean escapePressed();

	/**
	 * Ends the macro that runs the command, if one does: what failed must not pass for done.
	 *
	 * @param reason what the macro says in the end; empty to say nothing
	 * @return whether a macro ran, and has said the reason
	 */
	boolean abortMacro(String reason);
}
