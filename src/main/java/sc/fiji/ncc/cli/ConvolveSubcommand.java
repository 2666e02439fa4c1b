package sc.fiji.ncc.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.cli.map.FolderOfMaps;
import sc.fiji.ncc.cli.map.MapFiles;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.InputFrames;
import sc.fiji.ncc.cli.picture.InputStamp;
import sc.fiji.ncc.cli.picture.KernelFile;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.cli.picture.WholeNumbers;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Frames;

/** {@code ncc convolve}: a picture and kernels to the pictures convolved with them. */
@Command(name = "convolve", mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, description = {
	"Convolves IMAGE with a kernel and writes the result as a 32-bit TIFF file or as an OME-Zarr folder. Nothing is normalised: a kernel that sums to 1 keeps "
		+ "the brightness.",
	"With --precision double the result has 64 bits a pixel; such a TIFF file ImageJ itself does not open.",
	"Pixel size, unit and the order of dimensions are kept, and what is seen stays where it is.",
	"Pictures and results may be larger than memory: they are then read and written part by part. An out.zarr that was not finished lies in out.zarr.part: "
		+ "the same command goes on from there, another one begins anew.",
	"Of a folder of pictures it writes a folder of results, each named as its picture, frame by frame, as they come; of a run that ends early those stay that are done.",
	"With several kernels it writes one picture for each, OUT-1.tif, OUT-2.tif and so on in their order." })
final class ConvolveSubcommand implements Callable<Integer> {

	private final Terminal program;

	@Parameters(index = "0", paramLabel = "IMAGE", description = {
		"The picture. Input formats: " + ImageFiles.KINDS + ", such as image.zarr or image.zarr/0; TIFF files may be stacks and hyperstacks.",
		"Or a folder of pictures, which are taken in the order of their names, numbers in them counted as such.",
		"A kernel of two dimensions runs over its channels, slices and frames one by one; a kernel of three runs over x, y and z." })
	private String image;

	@Parameters(index = "1..*", arity = "1..*", paramLabel = "KERNEL",
		description = "The kernel: a picture, read likewise; or a .txt file of rows of numbers with blanks or commas between them. Or several.")
	private List<String> kernels;

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "OUT.tif|OUT.zarr|OUTS", description = {
		"Where the result goes; of a folder of pictures, the folder for the results. What stands there is replaced; of folders, only one written by this program. Above 4 GB a TIFF file becomes a BigTIFF file." })
	private String output;

	@Option(names = "--sense", paramLabel = "convolution|correlation", defaultValue = "convolution", description = {
		"Which way round the kernel lies. convolution (unless said): one bright pixel becomes the kernel.",
		"correlation: the kernel lies on the picture as it is, turned by half a circle against the other." })
	private Sense sense;

	@Option(names = "--extent", paramLabel = "same|valid|full", defaultValue = "same", description = {
		"How large the result is. same (unless said): as the picture. valid: where the kernel fits. full: wherever the kernel touches the picture.",
		"In all of them a value lies at the kernel's centre, floor(size / 2)." })
	private Extent extent;

	@Option(names = "--border", paramLabel = "edge|mirror|constant[:VALUE]|undefined", converter = CommonOptions.BorderConverter.class, description = {
		"How the picture goes on beyond its border, with same and full. edge (unless said, with same): with its edge pixels. mirror: mirrored.",
		"constant: with VALUE, 0 unless said (so unless said with full). undefined: no value where the kernel does not fit." })
	private Border border;

	@Option(names = "--undefined", paramLabel = "0|nan", defaultValue = "nan", converter = CommonOptions.UndefinedConverter.class,
		description = "What is written where there is no value, because the kernel meets a pixel that is NaN or infinite, or does not fit. Unless said: nan.")
	private Undefined undefined;

	@Option(names = "--search", paramLabel = "x,y,w,h[,z,d]", converter = WholeNumbers.Converter.class,
		description = "Give only the values that lie in this box of IMAGE: the first one, counted from 0, and how many. A value lies at its window's centre.")
	private WholeNumbers search;

	@Option(names = "--precision", paramLabel = "single|double", defaultValue = "single", description = {
		"How exactly sums are computed. single (unless said): in 32 bits, within 1e-6 of the largest pixel times the sum of the kernel's magnitudes.",
		"double: in 64 bits, within 1e-13 of it; it takes longer. The file then has 64 bits a pixel, which ImageJ itself does not open." })
	private Precision precision;

	@Mixin
	private PlanningOptions planning;

	@Option(names = "--explain", description = "Print which methods there are for this problem, what each is expected to take, and why it is taken or not.")
	private boolean explain;

	ConvolveSubcommand(final Terminal program) {
		this.program = program;
	}

	@Override
	public Integer call() throws IOException {
		planning.check();
		try (Outputs outputs = new Outputs(); ProgressBar progress = program.progress(outputs::canceled)) {
			final List<String> inputs = new ArrayList<>(List.of(image));
			inputs.addAll(kernels);
			outputs.watch(InputFrames.folder(image) ? kernels : inputs);
			if (InputFrames.folder(image)) {
				folder(InputFrames.files(image, kernels), inputs, progress);
				outputs.requireUnchanged();
				return 0;
			}
			final MapFiles maps = new MapFiles(program, outputs, progress, output, null, kernels.size(), inputs);
			final Picture whole = ImageFiles.read(image);
			final List<RandomAccessibleInterval<?>> read = kernels(whole);
			final int dimensions = read.get(0).numDimensions();
			final Picture first = whole.spatialFirst(dimensions);
			final Convolution op = op(read).monitor(progress);
			final RandomAccessibleInterval<?> pixels = first.pixels();
			maps.make(new MapFiles.Making(op, first, dimensions, precision, false, () -> op.convolve(pixels), stores -> op.convolveInto(pixels, stores),
				each -> op.convolveEach(Frames.of(pixels, dimensions), each), rankings -> identity(read, rankings), explain));
		}
		return 0;
	}

	/** Every picture of a folder, to a result of its own in another. */
	private void folder(final List<String> pictures, final List<String> inputs, final ProgressBar progress) throws IOException {
		try (FolderOfMaps maps = new FolderOfMaps(output, image, inputs, kernels.size(), precision, false)) {
			final Picture first = ImageFiles.read(pictures.get(0));
			final List<RandomAccessibleInterval<?>> read = kernels(first);
			final int dimensions = read.get(0).numDimensions();
			final Convolution op = op(read).monitor(progress.cancelOnly());
			if (explain) for (final Ranking r : op.explainEach(Frames.of(first.spatialFirst(dimensions).pixels(), dimensions).get(0), -1)) program.out().println(r.explain());
			program.out().println(maps.make(pictures, dimensions, progress, op, op::convolveEach));
		}
	}

	private List<RandomAccessibleInterval<?>> kernels(final Picture picture) {
		final List<RandomAccessibleInterval<?>> read = new ArrayList<>();
		for (final String kernel : kernels)
			read.add(KernelFile.isText(kernel) ? KernelFile.read(kernel) : CommonOptions.solid(ImageFiles.read(kernel), picture, "kernel"));
		return read;
	}

	private Convolution op(final List<RandomAccessibleInterval<?>> read) {
		final Convolution op = Convolution.of(read).sense(sense).extent(extent).border(border).undefined(undefined)
			.compute(planning.options(precision));
		if (search != null) op.search(CommonOptions.box("--search", search, read.get(0).numDimensions(), "kernel"));
		return op;
	}

	/** All that decides which responses come. */
	private String identity(final List<RandomAccessibleInterval<?>> read, final List<Ranking> rankings) throws IOException {
		final List<String> lines = new ArrayList<>();
		for (final RandomAccessibleInterval<?> k : read) lines.add("kernel " + InputStamp.of(k));
		lines.add("sense " + sense + ", extent " + extent + ", border " + (border == null ? "its own" : border.kind() + " " + border.value()) + ", undefined " + undefined
			+ ", search " + search);
		return CommonOptions.identity(image, lines, rankings);
	}
}
