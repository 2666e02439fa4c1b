package sc.fiji.ncc.image;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** The templates of a correlation and their masks: images that are read when they are first needed. */
public final class TemplateImages {

	/** Empty if the templates follow later. */
	private final List<RandomAccessibleInterval<?>> images;
	/** The size of templates that follow later; otherwise null. */
	private final Size laterSize;
	/** One for all templates, or one per template; a null element for no mask. */
	private final List<RandomAccessibleInterval<?>> masks;
	/** Whether the masks are weights. */
	private final boolean weighted;
	/** Null before they are read. */
	private List<Template> templates;

	private TemplateImages(final List<RandomAccessibleInterval<?>> images, final Size laterSize, final List<RandomAccessibleInterval<?>> masks,
		final boolean weighted)
	{
		this.images = images;
		this.laterSize = laterSize;
		this.masks = masks;
		this.weighted = weighted;
	}

	/** Images of templates without masks. */
	public static TemplateImages of(final List<? extends RandomAccessibleInterval<?>> images) {
		return new TemplateImages(new ArrayList<>(images), null, Collections.singletonList(null), false);
	}

	/** Templates that follow later, of this size. */
	public static TemplateImages ofSize(final Size size) {
		return new TemplateImages(List.of(), size, Collections.singletonList(null), false);
	}

	/**
	 * The same templates with other masks or weights.
	 *
	 * @param masks one for all templates, or one per template; a null element for no mask
	 * @param weighted whether the masks are weights
	 */
	public TemplateImages with(final List<? extends RandomAccessibleInterval<?>> masks, final boolean weighted) {
		if (masks.size() != 1 && masks.size() != images.size()) throw new IllegalArgumentException(masks.size()
			+ (weighted ? " images of weights for " : " masks for ") + images.size() + " templates: give one for all, or one for each");
		return new TemplateImages(images, laterSize, new ArrayList<>(masks), weighted);
	}

	/** Whether only the size of the templates is set. */
	public boolean later() {
		return laterSize != null;
	}

	/** The templates, in one pixel type, read by one thread. */
	public List<Template> read() {
		return read(1);
	}

	/**
	 * The templates, in one pixel type.
	 *
	 * @param threads the maximum number of threads that read a large template
	 * @throws IllegalArgumentException if they follow later; or as {@link TemplateReader#read} and {@link TemplateReader#alike}
	 */
	public synchronized List<Template> read(final int threads) {
		if (later()) throw new IllegalArgumentException("the operation has a template size, " + laterSize + ", but no template: call prepare(image)");
		if (templates == null) {
			final List<Template> read = new ArrayList<>();
			for (int t = 0; t < images.size(); t++) read.add(TemplateReader.read(images.get(t), masks.get(masks.size() == 1 ? 0 : t), weighted, threads));
			templates = TemplateReader.alike(read, "template");
		}
		return templates;
	}

	/** The number of dimensions of each template. */
	public int dimensions() {
		return later() ? laterSize.dimensions() : read().get(0).size().dimensions();
	}

	/**
	 * A template of the size and mask that all templates have. If they follow later, it is a stand-in.
	 *
	 * @param type the pixel type of a stand-in
	 * @param channels the number of its channels
	 * @throws IllegalArgumentException if the templates differ in size or mask
	 */
	public Template shape(final PixelType type, final int channels) {
		if (later()) return TemplateReader.standIn(laterSize, type, channels, masks.get(0), weighted);
		final Template first = read().get(0);
		for (final Template t : read())
			if (!t.size().equals(first.size()) || !Arrays.equals(t.weights(), first.weights()))
				throw new IllegalArgumentException("the templates differ in size or mask: prepare the image once for each size and mask");
		return first;
	}

	/** The sizes, without reading the pixels. */
	public List<Size> sizes() {
		if (laterSize != null) return List.of(laterSize);
		return images.stream().map(i -> Size.of(i.dimensionsAsLongArray())).toList();
	}
}
