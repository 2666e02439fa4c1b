package sc.fiji.ncc.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.InputStamp;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.front.Axes;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Ranking;

/** The options of all commands that correlate, and the inputs and the op that they describe. */
final class CommonOptions {

	@Parameters(index = "0", paramLabel = "IMAGE", description = {
		"The image to search. Formats: " + ImageFiles.KINDS + ", such as image.zarr or image.zarr/0. TIFF files may be stacks and hyperstacks.",
		"Or a folder of images: all of them, in the order of their names. Numbers in names count as numbers.",
		"A template of two dimensions is searched in each channel, slice and frame. A template of three dimensions is searched in each channel and frame." })
	String image;

	@Parameters(index = "1..*", arity = "0..*", paramLabel = "TEMPLATE",
		description = "The templates, in the same formats. A folder stands for all its images. Several templates of one size together take less time than one after the other. Or give --roi.")
	List<String> templates = new ArrayList<>();

	@Option(names = "--roi", paramLabel = "x,y,w,h|x,y,z,w,h,d",
		description = "Cut the template out of IMAGE: first pixel, counted from 0, and size, in pixels. In a stack the first frame is used.")
	WholeNumbers roi;

	static final String MASK = "An image of the templates' size. Pixels above 0 count, the others do not. It holds 0 and one other value, like ImageJ's masks.";

	@Option(names = "--mask", paramLabel = "FILE", description = MASK)
	String mask;

	@Option(names = "--weights", paramLabel = "FILE", description = {
		"An image of the templates' size with the weight of each pixel: finite numbers from 0, in any pixel type. Only their ratios matter.",
		"Instead of --mask." })
	String weights;

	@Mixin
	MissingOptions missing;

	@Option(names = "--channels", paramLabel = "joint|each|N", defaultValue = "auto", description = {
		"What to do with the channels of IMAGE. joint: all together give one coefficient, each about its own mean. The templates have as many channels.",
		"each: one map per channel, with the same templates of one channel. N: only this channel; the first channel is 1, of IMAGE and of templates with several. "
			+ "Default: joint for RGB images, otherwise each." })
	ChannelChoice channels;

	@Option(names = "--extent", paramLabel = "valid|same|full", defaultValue = "valid", description = {
		"Which responses are computed. valid: where the template lies inside the image. A response lies at the window's first pixel.",
		"same: as many as the image has pixels. A response lies at the template's centre, floor(size / 2).",
		"full: where at least a third of the template overlaps the image. A response lies at the window's first pixel, which may be negative. Default: valid." })
	Extent extent;

	@Option(names = "--border", paramLabel = "undefined|mirror|edge|constant[:VALUE]|overlap", description = {
		"What lies beyond the image's border, with same and full. undefined: no response. mirror: the mirrored image; the edge pixel is not repeated.",
		"edge: the edge pixel. constant: VALUE; default of VALUE: 0. overlap: nothing; only the part of the template inside the image counts. "
			+ "Default: undefined with same, overlap with full." })
	Border border;

	@Option(names = "--undefined", paramLabel = "0|nan", defaultValue = "0",
		description = "The value of an undefined response: all pixels of the window are equal, or one of them is NaN or infinite. Default: 0.")
	Undefined undefined;

	@Option(names = "--search", paramLabel = "x,y,w,h|x,y,z,w,h,d",
		description = "Compute only the responses in this box: the first one, counted from 0, and their number. With extent valid a response lies at its window's first pixel, "
			+ "so windows extend beyond the box to the right and below; see --inside.")
	WholeNumbers search;

	@Option(names = "--inside", paramLabel = "x,y,w,h|x,y,z,w,h,d",
		description = "Compute only windows that lie in this box of IMAGE with all their pixels: its first pixel, counted from 0, and its size. Instead of --search.")
	WholeNumbers inside;

	@Option(names = "--precision", paramLabel = "single|double", defaultValue = "single", description = {
		"The precision of coefficients. single: 32 bits, within 1e-5. double: 64 bits, within 1e-10, slower. Default: single.",
		"The scores of matches are exact with both." })
	Precision precision;

	@Mixin
	PlanningOptions.OfRun planning;

	/**
	 * @param image the image, spatial dimensions first
	 * @param templates the templates, of two or three dimensions
	 * @param correlation the op with all options
	 * @param channels the channels of the image
	 */
	record Inputs(InputImage image, List<RandomAccessibleInterval<?>> templates, NormalizedCrossCorrelation correlation, ChannelChoice channels) {

		/** The number of the templates' dimensions. */
		int dimensions() {
			return templates.get(0).numDimensions();
		}
	}

	/**
	 * The images of a folder, without the templates and masks. Null if IMAGE is not a folder.
	 *
	 * @param outputs files that must not lie in the folder; null values are ignored
	 */
	List<String> folder(final String... outputs) {
		if (!InputFrames.folder(image)) return null;
		for (final String output : outputs) InputFrames.requireElsewhere(image, output);
		return InputFrames.files(image, files().subList(1, files().size()));
	}

	/** A name for each template: its file, or the region that it is cut from. */
	List<String> templateNames() {
		return roi == null ? templates : List.of(name(roi));
	}

	/** The name of a template that is cut out of the image. */
	static String name(final WholeNumbers roi) {
		return "roi " + roi.toString().replace(',', ' ');
	}

	/** The files of templates, with the images of a folder in its place. */
	static List<String> expanded(final List<String> templates) {
		final List<String> files = new ArrayList<>();
		for (final String template : templates) {
			if (InputFrames.folder(template)) files.addAll(InputFrames.files(template, List.of()));
			else files.add(template);
		}
		return files;
	}

	/** The names of all input files, IMAGE first. */
	List<String> files() {
		final List<String> files = new ArrayList<>(List.of(image));
		files.addAll(templates);
		if (mask != null) files.add(mask);
		if (weights != null) files.add(weights);
		if (missing.mask != null) files.add(missing.mask);
		return files;
	}

	/** @throws IllegalArgumentException if the options contradict each other */
	void check(final Terminal program) {
		if (templates.isEmpty() && roi == null)
			throw new IllegalArgumentException("no template: give a file after " + image + ", or cut a template out of it with --roi x,y,w,h");
		if (!templates.isEmpty() && roi != null)
			throw new IllegalArgumentException("two templates, " + templates.get(0) + " and --roi " + roi + ": give one of them");
		if (mask != null && weights != null)
			throw new IllegalArgumentException("--mask " + mask + " and --weights " + weights + " both weight pixels: give one of them");
		if (search != null && inside != null)
			throw new IllegalArgumentException("--search " + search + " bounds responses and --inside " + inside + " bounds windows: give one of them");
		if (roi != null) roi.region("--roi ");
		noteBorder(program, border, extent);
		missing.check();
		planning.check();
		templates = expanded(templates);
		if (mask == null && weights == null) noteTransparency(program, templates);
	}

	/** Says that transparent pixels of templates count. It is no error, because images may have a channel of transparency without a use. */
	static void noteTransparency(final Terminal program, final List<String> templates) {
		for (final String template : templates) if (ImageFiles.isTransparent(template)) program.out().println("Note: the transparent pixels of " + template
			+ " count as the others do. Give a --mask that is 0 there to leave them out.");
	}

	/** Says that a border has no effect. It is no error, because scripts may give a border with every extent. */
	static void noteBorder(final Terminal program, final Border border, final Extent extent) {
		if (border != null && extent == Extent.VALID) program.out().println("Note: --border " + border.kind().name().toLowerCase(Locale.ROOT)
			+ " has no effect with --extent valid, which has no windows beyond the image's border. Give --extent same or full, or leave --border out.");
	}

	/** Resolves the file names for a process of a cluster. */
	void resolve(final ClusterTask.Command command) {
		image = command.resolve(image);
		templates.replaceAll(command::resolve);
		templates = expanded(templates);
		mask = command.resolve(mask);
		weights = command.resolve(weights);
		missing.mask = command.resolve(missing.mask);
		planning.processes(command.threads(), command.heap());
	}

	/**
	 * Reads the inputs. Finds errors in files and options before anything is computed.
	 *
	 * @throws IllegalArgumentException if a file is missing or not supported, or an option does not fit it
	 */
	Inputs read(final Monitor monitor) {
		return read(ImageFiles.read(image), monitor);
	}

	/** @param all the image, or the first image of a folder */
	Inputs read(final InputImage all, final Monitor monitor) {
		final ChannelChoice choice = channels.of(all.colour());
		final InputImage whole = all.of(choice);
		final List<RandomAccessibleInterval<?>> cut = new ArrayList<>();
		if (roi != null) cut.add(whole.cut(roi));
		for (final String template : templates) cut.add(spatial(ImageFiles.read(template).template(choice), whole, "template"));
		final int dimensions = cut.get(0).numDimensions();
		return new Inputs(whole.spatialFirst(dimensions), cut, correlation(cut, whole, monitor), choice);
	}

	/**
	 * The op with all options.
	 *
	 * @param image the image with its channels chosen
	 */
	NormalizedCrossCorrelation correlation(final List<RandomAccessibleInterval<?>> cut, final InputImage image, final Monitor monitor) {
		final int dimensions = cut.get(0).numDimensions();
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(cut).extent(extent).undefined(undefined).heap(planning.heap())
			.compute(planning.options(precision).monitor(monitor));
		if (mask != null) op.mask(spatial(ImageFiles.read(mask).gray(), image, "mask"));
		if (weights != null) op.weights(spatial(ImageFiles.read(weights).gray(), image, "image of weights"));
		missing.set(op::minOverlap, op::nan, op::imageMask, image, dimensions, m -> m.channel(channels.number()));
		if (border != null) op.border(border);
		if (search != null) op.search(search.box("--search ", dimensions, "template"));
		if (inside != null) op.inside(inside.box("--inside ", dimensions, "template"));
		return op;
	}

	/** Whether only a region is searched. */
	boolean bounded() {
		return search != null || inside != null;
	}

	/** The pixels of a template, mask or kernel. Refuses channels and frames. */
	static RandomAccessibleInterval<?> spatial(final InputImage other, final InputImage image, final String what) {
		Axes.requireSameSpace(other.axes(), image.axes(), "the " + what + " " + other.name() + ", " + other.size() + ",");
		return other.pixels();
	}

	/**
	 * A text that is equal for two runs if their maps are equal: inputs, options and algorithms, one per line.
	 *
	 * @param rankings the rankings with the chosen algorithms
	 */
	String identity(final Inputs inputs, final List<Ranking> rankings) throws IOException {
		return identity(image, lines(inputs), rankings);
	}

	/** The inputs but the image, and the options that change maps, one per line. */
	List<String> lines(final Inputs inputs) throws IOException {
		final List<String> lines = new ArrayList<>();
		for (final RandomAccessibleInterval<?> t : inputs.templates()) lines.add("template " + InputStamp.of(t));
		if (weights != null) lines.add("weights " + InputStamp.of(ImageFiles.read(weights).pixels()));
		if (mask != null) lines.add("mask " + InputStamp.of(ImageFiles.read(mask).pixels()));
		if (missing.mask != null) lines.add("image mask " + InputStamp.of(ImageFiles.path(missing.mask)));
		lines.add(missing.text());
		lines.add("extent " + extent + ", border " + (border == null ? "default" : border.kind() + " " + border.value()) + ", undefined " + undefined + ", search " + search + ", inside " + inside + ", channels " + inputs.channels());
		return lines;
	}

	/**
	 * The same for any command.
	 *
	 * @param image the file or folder
	 * @param options the other inputs and options, one per line
	 * @param rankings the rankings with the chosen algorithms
	 */
	static String identity(final String image, final List<String> options, final List<Ranking> rankings) throws IOException {
		final List<String> lines = new ArrayList<>();
		lines.add(Subcommand.Version.text());
		lines.add("image " + InputStamp.of(ImageFiles.path(image)));
		lines.addAll(options);
		for (final Ranking r : rankings) lines.add(r.best().map(c -> c.name() + " on " + c.device().name()).orElse("?") + ": " + r.problem());
		return String.join("\n", lines);
	}
}
