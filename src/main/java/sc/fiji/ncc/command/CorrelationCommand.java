package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import net.imglib2.RandomAccessibleInterval;

import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.command.input.NamedTemplate;
import sc.fiji.ncc.command.input.OrientedImage;
import sc.fiji.ncc.command.input.TemplateRegions;
import sc.fiji.ncc.command.program.ChosenInput;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Monitor;

/** Base of the commands that search an image for templates: the parameters image, template and channels. */
public abstract class CorrelationCommand extends MaskedCommand {

	static final String CHANNELS_LABEL = "Channels (auto, joint, each, or a number)";
	static final String CHANNELS = "joint: the channels of the image together give one coefficient; the template has as many channels. each: every channel by itself, with a template of"
		+ " one channel. A number: only this channel, counted from 1. Default: auto, joint for RGB images, otherwise each.";

	static final String TEMPLATES_LABEL = "Further templates (titles; * = any text)";
	static final String TEMPLATES = "Separated by semicolons: titles of further open images, where * stands for any text, and * alone means all other open images; manager, the regions"
		+ " of the ROI Manager; overlay, the regions of the image's overlay; a folder, all images in it. Default: none.";

	@Parameter(label = "Image to search", persist = false, description = "An image with 8, 16 or 32 bits per pixel, or an RGB image.")
	private ImageInput image;

	// without autoFill = false SciJava would use the active image if a macro misspells the template's title
	@Parameter(label = "Template (same image: its selection)", persist = false, autoFill = false, required = false,
		description = "The object to find: an open image, or the selection in it. A selection that is not a rectangle is a mask. Choose the image itself to use its selection. "
			+ "A template with fewer dimensions than the image is searched in every slice, channel and frame. Default: the selection in the image.")
	private ImageInput template;

	@Parameter(label = CHANNELS_LABEL, persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.TEMPLATES) }, description = CHANNELS)
	private String channels = AUTO;

	@Override
	public Optional<String> missing(final FrontEnd program) {
		final Optional<String> active = program.activeImage();
		if (active.isEmpty()) return image == null ? Optional.of(NO_IMAGE) : Optional.empty();
		if (template != null || program.isActiveSelected() || program.openImages().size() > 1
			|| program.hasRegions()) return Optional.empty();
		return Optional.of("The template is missing: nothing is selected in '" + active.get()
			+ "', and no other image is open. Draw a selection around the object, or open the template as a second image.");
	}

	@Override
	public String proposed(final FrontEnd program, final String active) {
		return program.isActiveSelected() || program.hasRegions() ? active : holder(program, active);
	}

	/**
	 * The image with the chosen channels.
	 *
	 * @throws IllegalArgumentException if the image is missing, or lacks the channel
	 */
	protected final ImageInput image() {
		requireImage("image", image);
		return ChosenInput.of(image, ChannelChoice.of(channels));
	}

	/** The values of the parameters of this class on which the maps depend, and the selections that they use. */
	final List<Object> sharedMapSettings() {
		final List<Object> settings = new ArrayList<>(Arrays.asList(image, template, channels, weights, imagemask, nan, minoverlap));
		for (final ImageInput i : Arrays.asList(image, template)) {
			final Selection s = i == null || !i.hasArea() ? null : i.selection().orElse(null);
			settings.addAll(s == null ? Arrays.asList((Object) null)
				: Arrays.asList(s.toString(), Arrays.hashCode(s.mask()), Arrays.toString(s.plane())));
		}
		return settings;
	}

	/** @return whether the parameter template has a value; the value can be the image itself */
	protected final boolean isTemplateGiven() {
		return template != null;
	}

	/**
	 * The template: another image, or the selection in the image.
	 *
	 * @throws IllegalArgumentException if nothing is selected, or the template does not fit
	 */
	protected final NamedTemplate template(final FrontEnd program) {
		if (!isSelection()) return template(template);
		final String name = image().name();
		return NamedTemplate.selected(image().pixels(), image().selection().orElseThrow(() -> new IllegalArgumentException(
			"The template is missing: nothing is selected in '" + name
			+ "'. Draw a selection around the object, or choose another image as the template. "
				+ openImages(program.openImages()) + " In a macro: template=[title].")));
	}

	/**
	 * All templates, each once. Without the parameters template and templates: the selection in the image.
	 *
	 * @param further further templates, separated by semicolons: titles of images, where * stands for any text; folders; regions of the image, see {@link #TEMPLATES}
	 */
	protected final List<NamedTemplate> templates(final String further, final FrontEnd program) {
		final List<NamedTemplate> listed = new ArrayList<>();
		for (final String part : further.split(";")) if (!part.isBlank()) listed(part.trim(), program, listed);
		final List<NamedTemplate> all = new ArrayList<>();
		// a dialog always has a template; regions in its place do not need a selection too
		final boolean regions = listed.stream().anyMatch(NamedTemplate::selected);
		if (listed.isEmpty() || isTemplateGiven() && !(isSelection() && regions)) all.add(template(program));
		for (final NamedTemplate t : listed) if (all.stream().noneMatch(other -> other.name().equals(t.name()))) all.add(t);
		return all;
	}

	/** Adds the templates of one part of a list. */
	private void listed(final String part, final FrontEnd program, final List<NamedTemplate> to) {
		final boolean open = program.openImages().contains(part);
		if (!open && (part.equals(TemplateRegions.MANAGER) || part.equals(TemplateRegions.OVERLAY)))
			for (final Region r : TemplateRegions.marked(part, image())) to.add(NamedTemplate.of(r, image()));
		else for (final ImageInput other : images(part, image().name(), program)) to.add(template(other));
	}

	/** Another open image as a template. */
	protected final NamedTemplate template(final ImageInput other) {
		requireImage("template", other);
		requireImage("image", image);
		return named(ChosenInput.template(other, ChannelChoice.of(channels).of(image.isColor())), image());
	}

	/** @throws IllegalArgumentException if a parameter about missing pixels is set */
	protected final void requireNoMissingPixels() {
		if (!imagemask.isBlank() || !nan.equals("undefined") || !minoverlap.equals(AUTO))
			throw new IllegalArgumentException("imagemask, nan and minoverlap are not supported for rotated templates. Leave them out; a window with NaN has no score.");
	}

	/** @return whether the template is the selection in the image */
	private boolean isSelection() {
		return template == null || image.equals(template);
	}

	/** @return the image with the templates' dimensions first */
	protected final OrientedImage searched(final List<NamedTemplate> templates) {
		return OrientedImage.of(image(), templates.get(0).pixels().numDimensions());
	}

	/** @return the operation with all parameters set */
	protected final NormalizedCrossCorrelation correlation(final List<NamedTemplate> templates, final OrientedImage searched,
		final PositionParameters coverage, final ComputeOptions computing, final FrontEnd program, final Monitor monitor)
	{
		final List<RandomAccessibleInterval<?>> pixels = new ArrayList<>();
		final List<long[]> sizes = new ArrayList<>();
		boolean selected = false;
		for (final NamedTemplate t : templates) {
			pixels.add(t.pixels());
			sizes.add(t.pixels().dimensionsAsLongArray());
			selected |= t.selected();
		}
		final long[] size = Arrays.copyOf(searched.pixels().dimensionsAsLongArray(), sizes.get(0).length);
		final Optional<Selection> region = selected || !coverage.isSelection() ? Optional.empty() : image().selection();
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(pixels).weights(weights(templates, program));
		setMissing(op::minOverlap, op::nan, op::imageMask, image(), size.length, program);
		return coverage.set(op, size, sizes, region).compute(computing.monitor(monitor));
	}
}
