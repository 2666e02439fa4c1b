package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import net.imglib2.RandomAccessibleInterval;

import org.scijava.ItemVisibility;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.front.Axes;
import sc.fiji.ncc.plan.Monitor;

/** What the commands share that look for templates in an image. */
public abstract class CorrelationCommand extends NccCommand {

	@Parameter(visibility = ItemVisibility.MESSAGE, persist = false, required = false)
	private String searched = "";

	@Parameter(label = "Image to search", persist = false, description = "Where to look. Pixels of 8, 16 or 32 bits; not RGB.")
	private ImageInput image;

	// without autoFill = false the active image would stand in for a template that a macro misspells
	@Parameter(label = "Template (same image: its selection)", persist = false, autoFill = false, required = false, initializer = "proposeTemplate",
		description = "What to look for: an open image, or as much of it as is selected there; a selection that is no rectangle masks it. The image itself "
			+ "stands for its selection; so does no template. One with fewer dimensions than the image is looked for in every slice, channel and frame.")
	private ImageInput template;

	// no image: a dialog of SciJava's has no way to choose none
	@Parameter(label = "Weights (image title; empty: none)", persist = false, attrs = @Attr(name = Keys.ONCE), required = false,
		description = "How much each pixel of the template counts: the title of an open image of its size with numbers from 0 on, of which only the ratios"
			+ " matter. Pixels of weight 0 do not count. Empty: all count alike.")
	private String weights = "";

	/** What a dialog shows first: the selection, if there is one; otherwise another image. */
	@SuppressWarnings("unused") // SciJava calls it
	private void proposeTemplate() {
		if (template != null || image == null || !program().isInteractive() || program().activeImage().isEmpty()) return;
		if (program().isActiveSelected()) template = image;
		else program().othersThan(program().activeImage().get()).stream().findFirst().ifPresent(title -> template = program().image(title));
	}

	@Override
	public Optional<String> missing(final FrontEnd program) {
		final Optional<String> active = program.activeImage();
		if (active.isEmpty()) return image == null ? Optional.of(NO_IMAGE) : Optional.empty();
		if (template != null || program.isActiveSelected() || program.openImages().size() > 1) return Optional.empty();
		return Optional.of("There is no template: nothing is selected in '" + active.get()
			+ "', and no other image is open. Draw a selection around what to look for, or open the template as a second image.");
	}

	protected final ImageInput image() {
		requireGray("image", image);
		return image;
	}

	/** Whether a template was given, be it the image itself. */
	protected final boolean isTemplateGiven() {
		return template != null;
	}

	/** The template that was given; the image's selection if none was. */
	protected final NamedTemplate template(final FrontEnd program) {
		if (!isSelection()) return template(template, program);
		final String name = image().name();
		return NamedTemplate.selected(image.pixels(), image.selection().orElseThrow(() -> new IllegalArgumentException(
			"The template is missing: nothing is selected in '" + name + "'. Draw a selection around what to look for, or choose another image as the template. "
				+ openImages(program.openImages()) + " In a macro: template=[title].")));
	}

	/** Another open image as a template. */
	protected final NamedTemplate template(final ImageInput other, final FrontEnd program) {
		return named("template", other, program);
	}

	/** @param noun what it is to the command */
	private NamedTemplate named(final String noun, final ImageInput other, final FrontEnd program) {
		requireGray(noun, other);
		final NamedTemplate named = NamedTemplate.of(other);
		Axes.requireSameSpace(other.axes(), image.axes(), "the " + noun + " '" + named.name() + "'");
		return named;
	}

	/** The title of the image of weights; empty if there is none. */
	protected final String weights() {
		return weights.trim();
	}

	/** Whether the image's selection is the template. */
	private boolean isSelection() {
		return template == null || image.equals(template);
	}

	/** The image as the op takes it. */
	protected final OrientedImage searched(final List<NamedTemplate> templates, final FrontEnd program) {
		return OrientedImage.of(image(), templates.get(0).pixels().numDimensions());
	}

	/** The op, all set. */
	protected final NormalizedCrossCorrelation correlation(final List<NamedTemplate> templates, final OrientedImage searched, final Coverage coverage,
		final Computing computing, final FrontEnd program, final Monitor monitor)
	{
		final List<RandomAccessibleInterval<?>> pixels = new ArrayList<>(), weighting = new ArrayList<>();
		final NamedTemplate by = weights().isEmpty() ? null : named("image of weights", program.image(weights()), program);
		final List<long[]> sizes = new ArrayList<>();
		boolean selected = false;
		for (final NamedTemplate t : templates) {
			pixels.add(t.pixels());
			weighting.add((by == null ? t : t.weighted(by)).weights());
			sizes.add(t.pixels().dimensionsAsLongArray());
			selected |= t.selected();
		}
		final long[] size = Arrays.copyOf(searched.pixels().dimensionsAsLongArray(), sizes.get(0).length);
		final Optional<Selection> region = selected || !coverage.isSelection() ? Optional.empty() : image.selection();
		return coverage.set(NormalizedCrossCorrelation.of(pixels).weights(weighting), size, sizes, region).compute(computing.options().monitor(monitor));
	}
}
