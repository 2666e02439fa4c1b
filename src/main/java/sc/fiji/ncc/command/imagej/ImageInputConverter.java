package sc.fiji.ncc.command.imagej;

import java.util.Collection;
import java.util.Optional;

import net.imglib2.img.Img;

import org.scijava.Priority;
import org.scijava.convert.AbstractConverter;
import org.scijava.convert.ConvertService;
import org.scijava.convert.Converter;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.program.ImageInput;

/**
 * Converts to an image input: an ImagePlus, the title of an open image, or an object that SciJava can convert to pixels. An open image is read from
 * ImageJ 1.x. ImageJ2's copy is not used: it misses later edits, and making it adds the selection to the image's overlay. Dialogs list the open images.
 */
@Plugin(type = Converter.class, priority = Priority.HIGH)
public final class ImageInputConverter extends AbstractConverter<Object, ImageInput> {

	@Parameter
	private ConvertService convert;

	@Override
	public boolean canConvert(final Object source, final Class<?> to) {
		return to == ImageInput.class && source != null && !(source instanceof ImageInput)
			&& (open(source).isPresent() || source instanceof Img || convert.supports(source, Img.class));
	}

	@Override
	public boolean canConvert(final Class<?> source, final Class<?> to) {
		return to == ImageInput.class && !ImageInput.class.isAssignableFrom(source);
	}

	@Override
	public <T> T convert(final Object source, final Class<T> to) {
		return to.cast(open(source).orElseGet(() -> pixels(source)));
	}

	private ImageInput pixels(final Object source) {
		final Img<?> pixels = source instanceof Img ? (Img<?>) source : convert.convert(source, Img.class);
		// a view of an open image is that image
		return pixels == null ? null : open(pixels).orElseGet(() -> new ScriptImage(pixels));
	}

	/** @return the open image of an ImagePlus, a title or a Dataset; empty for other objects */
	private Optional<ImageInput> open(final Object source) {
		if (source instanceof String) return ImageJ1.images().stream().filter(i -> i.name().equals(source)).findFirst();
		if (!(source instanceof Img)) return ImageJ1.input(source);
		return ImageJ2.shownAs((Img<?>) source, context()).flatMap(ImageJ1::input).filter(ImageJ1.images()::contains);
	}

	@Override
	public void populateInputCandidates(final Collection<Object> objects) {
		objects.addAll(ImageJ1.images());
	}

	@Override
	public Class<ImageInput> getOutputType() {
		return ImageInput.class;
	}

	@Override
	public Class<Object> getInputType() {
		return Object.class;
	}
}
