package sc.fiji.ncc.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.InputStamp;
import sc.fiji.ncc.cli.input.KernelFile;
import sc.fiji.ncc.cli.map.FolderOfMaps;
import sc.fiji.ncc.cli.map.MapFiles;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.Parts;

/** {@code ncc convolve}: convolves an image with kernels. */
@Command(name = "convolve", description = {
	"Convolves IMAGE with a kernel and writes the result as a 32-bit TIFF or MRC file or as an OME-Zarr folder. Nothing is normalised: a kernel that "
		+ "sums to 1 keeps "
		+ "the brightness.",
	"With --precision double the result has 64 bits per pixel. ImageJ itself does not open such TIFF files.",
	"The result keeps pixel size, unit, position and the order of dimensions.",
	"Images and results may be larger than memory. They are then read and written part by part. An unfinished out.zarr lies in out.zarr.part: "
		+ "the same command continues it, another command starts again.",
	"For a folder of images it writes a folder of results with the same names. If a run ends early, the finished results stay.",
	"Several kernels write OUT-1.tif, OUT-2.tif and so on, in their order." })
final class ConvolveSubcommand extends Subcommand {

	/** How far below the root of the range the sum of a kernel lies for pixels as large as that root. */
	private static final double NEAR_RANGE = 1e9;

	@Parameters(index = "0", paramLabel = "IMAGE", description = {
		"The image. Formats: " + ImageFiles.KINDS + ", such as image.zarr or image.zarr/0. TIFF files may be stacks and hyperstacks.",
		"Or a folder of images, in the order of their names. Numbers in names count as numbers.",
		"A kernel of two dimensions is applied to each channel, slice and frame. A kernel of three dimensions is applied to each channel and frame." })
	private String image;

	@Parameters(index = "1..*", arity = "1..*", paramLabel = "KERNEL",
		description = "The kernels: images in the same formats, or .txt files with rows of numbers. Blanks or commas separate the numbers.")
	private List<String> kernels = new ArrayList<>();

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "OUT.tif|OUT.mrc|OUT.zarr|OUTS", description = {
		"The result; for a folder of images, a folder of results. An existing file is replaced, and an existing Zarr folder if this program wrote it. Above 4 GB a TIFF file becomes a BigTIFF file." })
	private String output;

	@Option(names = "--sense", paramLabel = "convolution|correlation", defaultValue = "convolution", description = {
		SettingWords.SENSE })
	private Sense sense;

	@Option(names = "--extent", paramLabel = "same|valid|full", defaultValue = "same", description = {
		"The size of the result. same: that of the image. valid: where the kernel lies inside the image. full: where the kernel overlaps the image.",
		"A value always lies at the kernel's centre, floor(size / 2). Default: same." })
	private Extent extent;

	@Option(names = "--border", paramLabel = "edge|mirror|constant[:VALUE]|undefined", description = {
		"What lies beyond the image's border, with same and full. edge: the edge pixel. mirror: the mirrored image; the edge pixel is not repeated.",
		"constant: VALUE; default of VALUE: 0. undefined: no value where the kernel does not fit. Default: edge with same, constant:0 with full." })
	private Border border;

	@Option(names = "--undefined", paramLabel = "0|nan", defaultValue = "nan",
		description = "The value where the kernel meets a pixel that is NaN or infinite, or does not fit. Default: nan.")
	private Undefined undefined;

	@Option(names = "--search", paramLabel = "x,y,w,h|x,y,z,w,h,d",
		description = "Compute only the values in this box of IMAGE: the first one, counted from 0, and their number.")
	private WholeNumbers search;

	@Option(names = "--precision", paramLabel = "single|double", defaultValue = "single", description = {
		"The precision of sums. single: 32 bits, within 1e-6 times the largest pixel times the sum of the kernel's absolute values.",
		"double: 64 bits, within 1e-13 times the same product, slower. Default: single." })
	private Precision precision;

	@Mixin
	private PlanningOptions.OfRun planning;

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		CommonOptions.noteBorder(program, border, extent);
		planning.check();
		if (cluster != null) {
			ClusterTask.requireZarr(image);
			ClusterTask.requireZarrMap(output);
			planning.processes(cluster.threads(), cluster.heap());
		}
		final List<String> inputs = new ArrayList<>(List.of(image));
		inputs.addAll(kernels);
		outputs.watch(InputFrames.folder(image) ? kernels : inputs);
		if (InputFrames.folder(image)) {
			folder(InputFrames.files(image, kernels), inputs, progress);
			outputs.requireUnchanged();
			return;
		}
		final MapFiles maps = new MapFiles(program, outputs, progress, MapFiles.names(output, kernels.size()), null, inputs);
		final InputImage whole = ImageFiles.read(image).of(ChannelChoice.EACH);
		final List<RandomAccessibleInterval<?>> read = kernels(whole);
		requireFinite(read, whole.pixels());
		maps.make(making(whole, read, op(read).monitor(progress)));
	}

	private MapFiles.Making making(final InputImage whole, final List<RandomAccessibleInterval<?>> read, final Convolution op) {
		final int dimensions = read.get(0).numDimensions();
		final InputImage first = whole.spatialFirst(dimensions);
		final RandomAccessibleInterval<?> pixels = first.pixels();
		final MapFiles.Parts parts = cluster == null ? (stores, identity) -> op.convolveInto(pixels, stores)
			: (stores, identity) -> ClusterTask.respond(cluster, op.parts(pixels, stores), op.mapShapes(pixels), identity);
		return new MapFiles.Making(op, first, dimensions, precision, false, () -> op.convolve(pixels), parts,
			each -> op.convolveEach(Frames.of(pixels, dimensions), each), rankings -> CommonOptions.identity(image, lines(read), rankings),
			cluster != null, planning.explain);
	}

	@Override
	Parts parts(final Class<? extends Parts> kind, final ClusterTask.Command command) throws IOException {
		image = command.resolve(image);
		kernels.replaceAll(command::resolve);
		planning.processes(command.threads(), command.heap());
		final InputImage whole = ImageFiles.read(image);
		final List<RandomAccessibleInterval<?>> read = kernels(whole);
		ClusterTask.requireSame(command, lines(read));
		final Convolution op = op(read);
		final MapFiles.Making making = making(whole, read, op);
		return op.parts(making.image().pixels(), MapFiles.shared(making, command.resolve(output), read.size(), command.identity()));
	}

	/** Convolves each image of a folder, and writes the results to another folder. */
	private void folder(final List<String> images, final List<String> inputs, final ProgressBar progress) throws IOException {
		try (FolderOfMaps maps = new FolderOfMaps(output, null, image, inputs, kernels.size(), precision, false)) {
			final InputImage first = ImageFiles.read(images.get(0)).of(ChannelChoice.EACH);
			final ChannelChoice channels = ChannelChoice.EACH.of(first.colour());
			final List<RandomAccessibleInterval<?>> read = kernels(first);
			requireFinite(read, first.pixels());
			final int dimensions = read.get(0).numDimensions();
			final Convolution op = op(read).monitor(progress.cancelOnly());
			final StreamReport report = maps.make(images, dimensions, channels, progress, op, op::convolveEach);
			planning.explain(report.rankings(), program.out());
			program.out().println(MapFiles.summary(report, images) + Outputs.wrote(output));
		}
	}

	private List<RandomAccessibleInterval<?>> kernels(final InputImage first) {
		final List<RandomAccessibleInterval<?>> read = new ArrayList<>();
		for (final String kernel : kernels)
			read.add(KernelFile.isText(kernel) ? KernelFile.read(kernel) : CommonOptions.spatial(ImageFiles.read(kernel).gray(), first, "kernel"));
		return read;
	}

	/** Refuses sums beyond the range of the result, which would be infinite. Pixels of images of floats are read only if the kernel alone comes near. */
	private void requireFinite(final List<RandomAccessibleInterval<?>> read, final RandomAccessibleInterval<?> pixels) {
		final double most = precision == Precision.SINGLE ? Float.MAX_VALUE : Double.MAX_VALUE;
		final PixelType type = ImagePixels.type(pixels);
		for (int k = 0; k < read.size(); k++) {
			double sum = 0, greatest = type.integer ? Math.max(-type.min, type.max) : 1;
			for (final Object v : Views.flatIterable(read.get(k))) sum += Math.abs(((RealType<?>) v).getRealDouble());
			if (!type.integer && sum > Math.sqrt(most) / NEAR_RANGE) for (final Object v : Views.iterable(pixels)) {
				final double pixel = Math.abs(((RealType<?>) v).getRealDouble());
				if (pixel > greatest && pixel < Double.POSITIVE_INFINITY) greatest = pixel;
			}
			if (sum * greatest > most) throw new IllegalArgumentException("the kernel " + kernels.get(k) + " has values of " + sum
				+ " in sum, and pixels reach " + greatest
				+ ": their product is above " + most + ", the largest number of --precision " + precision.name()
				.toLowerCase(Locale.ROOT) + "; divide the kernel by a constant"
				+ (precision == Precision.SINGLE ? ", or give --precision double" : ""));
		}
	}

	private Convolution op(final List<RandomAccessibleInterval<?>> read) {
		final Convolution op = Convolution.of(read).sense(sense).extent(extent).border(border).undefined(undefined).heap(planning.heap())
			.compute(planning.options(precision));
		if (search != null) op.search(search.box("--search ", read.get(0).numDimensions(), "kernel"));
		return op;
	}

	/** The kernels, and the options that change results, one per line. */
	private List<String> lines(final List<RandomAccessibleInterval<?>> read) {
		final List<String> lines = new ArrayList<>();
		for (final RandomAccessibleInterval<?> k : read) lines.add("kernel " + InputStamp.of(k));
		lines.add("sense " + sense + ", extent " + extent + ", border " + (border == null ? "default" : border.kind() + " " + border.value()) + ", undefined " + undefined
			+ ", search " + search);
		return lines;
	}
}
