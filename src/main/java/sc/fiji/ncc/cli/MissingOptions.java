package sc.fiji.ncc.cli;

import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.Option;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Range;

/** The options of all commands that correlate for missing pixels of the image. */
final class MissingOptions {

	@Option(names = "--image-mask", paramLabel = "FILE", description = {
		"An image of the size of the image, or of one frame for all frames: 0 for missing pixels, other values for the others. Responses use the present pixels only." })
	String mask;

	@Option(names = "--nan", paramLabel = "undefined|missing", defaultValue = "undefined", description = {
		"What a pixel of the image that is NaN means. undefined: the responses of all windows with that pixel are undefined. missing: as with --image-mask. "
			+ "Default: undefined." })
	NaNs nan;

	@Option(names = "--min-overlap", paramLabel = "SHARE", description = {
		"The smallest share of the template or window, from 0 to 1, that must lie inside the image and on present pixels. Responses with less are undefined.",
		"Default: 0.5 for motion fields. For others a third with extent full or with missing pixels, otherwise 0." })
	Double minOverlap;

	/** @throws IllegalArgumentException if an option is out of range */
	void check() {
		if (minOverlap != null) Range.SHARE.of("--min-overlap ", minOverlap);
	}

	/**
	 * Sets the options of an operation by its setters.
	 *
	 * @param image with the chosen channels and slices only
	 * @param dimensions the number of dimensions of a frame
	 * @param part chooses the same of a mask with all channels and slices
	 */
	void set(final DoubleConsumer share, final Consumer<NaNs> meaning, final Consumer<RandomAccessibleInterval<?>> setMask, final InputImage image,
		final int dimensions, final UnaryOperator<InputImage> part)
	{
		if (minOverlap != null) share.accept(minOverlap);
		meaning.accept(nan);
		setMask.accept(mask(image, dimensions, part));
	}

	/** The mask with the dimensions of a frame first; null if there is none. */
	private RandomAccessibleInterval<?> mask(final InputImage image, final int dimensions, final UnaryOperator<InputImage> part) {
		if (mask == null) return null;
		final InputImage read = ImageFiles.read(mask).gray(), maskImage = read.pixels().numDimensions() <= dimensions ? read : part.apply(read);
		if (maskImage.pixels().numDimensions() <= dimensions) return CommonOptions.spatial(maskImage, image, "image mask");
		if (!maskImage.axes().equals(image.axes())) throw new IllegalArgumentException("the image mask " + mask + " has the axes " + read.axes()
			+ ", and the chosen part of " + image.name() + " has " + image.axes() + ": give a mask with the same axes, or of one frame");
		return maskImage.spatialFirst(dimensions).pixels();
	}

	/** The options as text, for the identity of a run, without the mask. */
	String text() {
		return "nan " + nan + ", minimum overlap " + minOverlap;
	}
}
