package sc.fiji.ncc.command;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.MeasuredChannels;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.ShownRange;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.ResponseType;

/** The common parameters of the commands that move images, and the new image. */
final class MovedImage {

	/** Prefixes of the titles of new images. */
	static final String CORRECTED = "Corrected ", REGISTERED = "Registered ";

	static final String CHANNELS = SettingWords.CHANNELS + "All channels are moved. Default: empty, the channel that is shown.";
	static final String BORDER = "What pixels outside the recorded frame are. edge: the nearest pixel. constant: the value below. nan: NaN, for 32-bit images. crop: frames are cropped to the"
		+ " region that all of them show. union: frames are enlarged to the region that any of them shows. Default: constant.";
	static final String VALUE = "The value of pixels outside, with the borders constant and union. Default: 0.";

	private MovedImage() {}

	static Interpolation interpolation(final String text) {
		return ChoiceText.of("interpolation", text, Interpolation.values());
	}

	static Outside outside(final String border, final double value) {
		return new Outside(ChoiceText.of("border", border, Outside.Kind.values()), value);
	}

	/** @return the channels from 0; the shown one if the text is empty */
	static List<Long> channels(final String text, final ImageInput image) {
		final int c = image.axes().indexOf('c');
		final long count = c < 0 ? 1 : image.pixels().dimension(c);
		if (text.isBlank()) return List.of(c < 0 ? 0 : image.shown()[c - 2]);
		final List<Long> channels = MeasuredChannels.of("channels=", text);
		MeasuredChannels.require("channels=", channels, count, "'" + image.name() + "'");
		return channels.isEmpty() ? LongStream.range(0, count).boxed().toList() : channels;
	}

	/**
	 * Opens an image with the axes and the calibration of another one.
	 *
	 * @param any the pixels
	 * @param source the image whose axes and calibration the new one has
	 * @param like the image whose colours and ranges the new one has; null for none
	 * @param origin the position of the first pixel in the source
	 * @return the output for scripts
	 */
	static Img<?> open(final NccCommand command, final RandomAccessibleInterval<?> any, final String name, final ImageInput source,
		final ImageInput like, final long[] origin, final Map<String, String> properties)
	{
		return typed(command, any, name, source, like, origin, properties);
	}

	@SuppressWarnings("unchecked") // images of commands have real pixels
	private static <T extends NativeType<T> & RealType<T>> Img<T> typed(final NccCommand command, final RandomAccessibleInterval<?> any, final String name,
		final ImageInput source, final ImageInput like, final long[] origin, final Map<String, String> properties)
	{
		final RandomAccessibleInterval<T> pixels = (RandomAccessibleInterval<T>) any;
		final Img<T> image = pixels instanceof Img ? (Img<T>) pixels : ImgView.wrap(pixels, new PlanarImgFactory<>(pixels.getType().createVariable()));
		final int c = source.axes().indexOf('c');
		// channels may have very different values
		final ShownRange range = c >= 0 && pixels.dimension(c) > 1 ? new ShownRange(Double.NaN, Double.NaN) : ShownRange.ofFirstPlane(pixels);
		final MapDescription.Shown shown = new MapDescription.Shown(range.min(), range.max(), ResponseType.FLOAT);
		return command.described(image, new MapDescription(name, source, origin, shown, like, properties));
	}
}
