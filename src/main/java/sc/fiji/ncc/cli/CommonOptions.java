package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.InputFrames;
import sc.fiji.ncc.cli.picture.InputStamp;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.cli.picture.WholeNumbers;
import sc.fiji.ncc.front.Axes;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.WrittenNumber;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Frames;

/** What all commands that correlate ask for, and the inputs and the op that come of it. */
final class CommonOptions {

	@Parameters(index = "0", paramLabel = "IMAGE", description = {
		"The picture to search. Input formats: " + ImageFiles.KINDS + ", such as image.zarr or image.zarr/0; TIFF files may be stacks and hyperstacks.",
		"Or a folder of pictures: all of them, one after the other, in the order of their names, numbers in them counted as such.",
		"A template of two dimensions runs over its channels, slices and frames one by one; a template of three runs over x, y and z." })
	String image;

	@Parameters(index = "1..*", arity = "0..*", paramLabel = "TEMPLATE",
		description = "The picture to find, read likewise; or several. Those of one size together cost less than one after the other. Or give --roi.")
	List<String> templates = new ArrayList<>();

	@Option(names = "--roi", paramLabel = "x,y,w,h|x,y,z,w,h,d", converter = WholeNumbers.Converter.class,
		description = "Cut the template out of IMAGE: first pixel, counted from 0, and size, in pixels. Of a stack the first frame is taken.")
	WholeNumbers roi;

	@Option(names = "--mask", paramLabel = "FILE",
		description = "A picture of the templates' size that says which of their pixels count: those above 0. It holds 0 and one other value, as ImageJ's masks do.")
	String mask;

	@Option(names = "--weights", paramLabel = "FILE", description = {
		"A picture of the templates' size that says how much each of their pixels counts: numbers from 0 on, in any type of pixel, of which only the ratios matter.",
		"In place of --mask." })
	String weights;

	@Option(names = "--extent", paramLabel = "valid|same|full", defaultValue = "valid", description = {
		"Which responses are given. valid (unless said): where the template fits; a response lies at the window's first pixel.",
		"same: as large as the image; a response lies at the template's centre, floor(size / 2).",
		"full: wherever template and image overlap by a third; a response lies at the window's first pixel, which may be negative." })
	Extent extent;

	@Option(names = "--border", paramLabel = "undefined|mirror|edge|constant[:VALUE]|overlap", converter = BorderConverter.class, description = {
		"What stands where the template does not fit, with same and full. undefined (unless said, with same): no response.",
		"mirror: the image goes on mirrored. edge: it goes on with its edge pixels. constant: it goes on with VALUE, 0 unless said. overlap (unless said, with full): only the part that overlaps counts." })
	Border border;

	@Option(names = "--undefined", paramLabel = "0|nan", defaultValue = "0", converter = UndefinedConverter.class,
		description = "What is written where there is no correlation, because all pixels of a window are equal or one is NaN or infinite. Unless said: 0.")
	Undefined undefined;

	@Option(names = "--search", paramLabel = "x,y,w,h[,z,d]", converter = WholeNumbers.Converter.class,
		description = "Give only the responses that lie in this box: the first one, counted from 0, and how many. With extent valid a response lies at its window's first pixel, "
			+ "so windows reach beyond the box to the right and below; see --inside.")
	WholeNumbers search;

	@Option(names = "--inside", paramLabel = "x,y,w,h[,z,d]", converter = WholeNumbers.Converter.class,
		description = "Give only windows that lie in this box of IMAGE, with all their pixels: its first pixel, counted from 0, and its size. In place of --search.")
	WholeNumbers inside;

	@Option(names = "--precision", paramLabel = "single|double", defaultValue = "single", description = {
		"How exactly coefficients are computed. single (unless said): in 32 bits, within 1e-5. double: in 64 bits, within 1e-10; it takes longer.",
		"The scores of matches are exact in either." })
	Precision precision;

	@Mixin
	PlanningOptions planning;

	@Option(names = "--explain", description = "Print which methods there are for this problem, what each is expected to take, and why it is taken or not.")
	boolean explain;

	/**
	 * The inputs, read, and the op that fits them.
	 *
	 * @param image with the spatial dimensions first
	 * @param templates of two or three dimensions
	 */
	record Inputs(Picture image, List<RandomAccessibleInterval<?>> templates, NormalizedCrossCorrelation correlation) {

		/** How many frames the image has. */
		long frameCount() {
			return image.frames(dimensions());
		}

		RandomAccessibleInterval<?> firstFrame() {
			return Frames.of(image.pixels(), dimensions()).get(0);
		}

		/** Dimensions of the templates. */
		int dimensions() {
			return templates.get(0).numDimensions();
		}

		/** The image's extents beyond the template's dimensions. */
		long[] frames() {
			final long[] all = image.pixels().dimensionsAsLongArray();
			return Arrays.copyOfRange(all, dimensions(), all.length);
		}
	}

	/**
	 * The pictures to search: of a folder all but the templates and masks; null if it is no folder.
	 *
	 * @param outputs files that must not lie among them; null ones are none
	 */
	List<String> folder(final String... outputs) {
		if (!InputFrames.folder(image)) return null;
		for (final String output : outputs) InputFrames.requireElsewhere(image, output);
		return InputFrames.files(image, files().subList(1, files().size()));
	}

	/** One a template, for people: its file, or the region that it is cut from. */
	List<String> templateNames() {
		return roi == null ? templates : List.of("roi " + roi.toString().replace(',', ' '));
	}

	/** The files that are read. */
	List<String> files() {
		final List<String> files = new ArrayList<>(List.of(image));
		files.addAll(templates);
		if (mask != null) files.add(mask);
		if (weights != null) files.add(weights);
		return files;
	}

	/** @throws IllegalArgumentException if the options contradict each other */
	void check() {
		if (templates.isEmpty() && roi == null)
			throw new IllegalArgumentException("no template: name a file after " + image + ", or cut one out of it with --roi x,y,w,h");
		if (!templates.isEmpty() && roi != null)
			throw new IllegalArgumentException("two templates, " + templates.get(0) + " and --roi " + roi + ": give one of them");
		if (mask != null && weights != null)
			throw new IllegalArgumentException("--mask " + mask + " and --weights " + weights + " both say what counts: give one of them");
		if (search != null && inside != null)
			throw new IllegalArgumentException("--search " + search + " bounds responses and --inside " + inside + " bounds windows: give one of them");
		planning.check();
	}

	/** Prints which methods there are, if that is wished. */
	void explain(final Supplier<List<Ranking>> rankings, final PrintStream to) {
		if (!explain) return;
		for (final Ranking ranking : rankings.get()) to.println(ranking.explain());
	}

	/**
	 * Reads the inputs.
	 *
	 * @throws IllegalArgumentException if a file does not exist or cannot be used, or an option does not fit it
	 */
	Inputs read(final Monitor monitor) {
		return read(ImageFiles.read(image), monitor);
	}

	/** @param whole the picture, or the first of a folder */
	Inputs read(final Picture whole, final Monitor monitor) {
		final List<RandomAccessibleInterval<?>> cut = new ArrayList<>();
		if (roi != null) cut.add(whole.cut(roi));
		for (final String template : templates) cut.add(solid(ImageFiles.read(template), whole, "template"));
		final int dimensions = cut.get(0).numDimensions();
		final Picture first = whole.spatialFirst(dimensions);
		NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(cut).extent(extent).undefined(undefined)
			.compute(planning.options(precision).monitor(monitor));
		if (mask != null) op = op.mask(solid(ImageFiles.read(mask), whole, "mask"));
		if (weights != null) op = op.weights(solid(ImageFiles.read(weights), whole, "picture of weights"));
		if (border != null) op = op.border(border);
		if (search != null) op = op.search(box("--search", search, dimensions, "template"));
		if (inside != null) op = op.inside(box("--inside", inside, dimensions, "template"));
		return new Inputs(first, cut, op);
	}

	/** A picture with nothing but dimensions in space. */
	static RandomAccessibleInterval<?> solid(final Picture picture, final Picture image, final String what) {
		Axes.requireSameSpace(picture.axes(), image.axes(), "the " + what + " " + picture.name() + ", " + picture.size() + ",");
		return picture.pixels();
	}

	/**
	 * All that decides which responses come, a line each: what runs have in common that give the same maps.
	 *
	 * @param rankings whose methods are taken
	 */
	String identity(final Inputs inputs, final List<Ranking> rankings) throws IOException {
		final List<String> lines = new ArrayList<>();
		for (final RandomAccessibleInterval<?> t : inputs.templates()) lines.add("template " + InputStamp.of(t));
		if (weights != null) lines.add("weights " + InputStamp.of(ImageFiles.read(weights).pixels()));
		if (mask != null) lines.add("mask " + InputStamp.of(ImageFiles.read(mask).pixels()));
		lines.add("extent " + extent + ", border " + (border == null ? "its own" : border.kind() + " " + border.value()) + ", undefined " + undefined + ", search " + search + ", inside " + inside);
		return identity(image, lines, rankings);
	}

	/**
	 * The same for any command.
	 *
	 * @param image file or folder
	 * @param options what else counts, a line each
	 */
	static String identity(final String image, final List<String> options, final List<Ranking> rankings) throws IOException {
		final List<String> lines = new ArrayList<>();
		lines.add(new VersionProvider().getVersion()[0]);
		lines.add("image " + InputStamp.of(ImageFiles.path(image)));
		lines.addAll(options);
		for (final Ranking r : rankings) lines.add(r.best().map(c -> c.name() + " on " + c.device().name()).orElse("?") + ": " + r.problem());
		return String.join("\n", lines);
	}

	/**
	 * What {@code --search} and {@code --inside} mean.
	 *
	 * @param option its name
	 * @param noun what has that many dimensions
	 */
	static FinalInterval box(final String option, final WholeNumbers search, final int dimensions, final String noun) {
		if (search.count() != 2 * dimensions)
			throw new IllegalArgumentException(option + " " + search + " has " + search.count() + " numbers, and the " + noun + " has " + dimensions
				+ " dimensions: give " + (dimensions == 2 ? "x,y,w,h" : "x,y,w,h,z,d"));
		final long[] v = search.values();
		final long[] min = { v[0], v[1], dimensions == 3 ? v[4] : 0 }, size = { v[2], v[3], dimensions == 3 ? v[5] : 1 };
		for (final long s : size)
			if (s < 1) throw new IllegalArgumentException(option + " " + search + " is empty: give at least 1 along each dimension");
		return FinalInterval.createMinSize(Arrays.copyOf(min, dimensions), Arrays.copyOf(size, dimensions));
	}

	/**
	 * How many responses there will be along each dimension of an image.
	 *
	 * @param sliding extents of the template or kernel
	 * @param search null for all
	 */
	static long[] responses(final long[] image, final long[] sliding, final Extent extent, final WholeNumbers search) {
		final long[] size = image.clone();
		for (int d = 0; d < sliding.length; d++)
			if (search != null) size[d] = search.values()[d < 2 ? d + 2 : 5];
			else if (extent == Extent.VALID) size[d] += 1 - sliding[d];
			else if (extent == Extent.FULL) size[d] += sliding[d] - 1;
		return size;
	}

	/** Reads {@code constant:12.5} and its like. */
	static final class BorderConverter implements ITypeConverter<Border> {

		@Override
		public Border convert(final String text) {
			final String[] parts = text.toLowerCase(Locale.ROOT).split(":", 2);
			if (parts.length == 2 && !parts[0].equals("constant")) throw new TypeConversionException("'" + text + "': only constant takes a value");
			switch (parts[0]) {
				case "undefined": return Border.UNDEFINED;
				case "mirror": return Border.MIRROR;
				case "edge": return Border.EDGE;
				case "overlap": return Border.OVERLAP;
				case "constant":
					try {
						return Border.constant(parts.length == 1 ? 0 : WrittenNumber.toDouble(parts[1]));
					}
					catch (final IllegalArgumentException e) {
						throw new TypeConversionException("'" + parts[1] + "' in '" + text + "' is not a finite number");
					}
				default: throw new TypeConversionException("'" + text + "' is not one of undefined, mirror, edge, constant, constant:VALUE, overlap");
			}
		}
	}

	/** Reads 0 and nan. */
	static final class UndefinedConverter implements ITypeConverter<Undefined> {

		@Override
		public Undefined convert(final String text) {
			if (text.equals("0")) return Undefined.ZERO;
			if (text.equalsIgnoreCase("nan")) return Undefined.NAN;
			throw new TypeConversionException("'" + text + "' is neither 0 nor nan");
		}
	}
}
