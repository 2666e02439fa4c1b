package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.InputStamp;
import sc.fiji.ncc.cli.map.FolderOfMaps;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.cli.output.DriftTable;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.TemporaryFolder;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.MotionDrawing;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.register.DriftParts;
import sc.fiji.ncc.register.StackLayout;
import sc.fiji.ncc.register.correct.CorrectedStack;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.run.Parts;
import sc.fiji.ncc.store.DriftFile;

/** {@code ncc align}: measures and corrects the drift of a stack. */
@Command(name = "align", description = {
	"Measures how far the content of each frame of STACK has moved against a reference, and moves it back. All channels move alike. The pixel type stays.",
	"Frames are time points, or slices if the stack has no time. A stack with slices and time points is corrected in three dimensions.",
	"Shifts are measured by normalized cross-correlation of whole frames over the part that overlaps, and refined between the pixels.",
	"The table has the columns frame,dx,dy,dz,score,overlap,residual,runner_up,state,sigma_x,sigma_y,correlation_xy, in pixels; for volumes also those with z. Frames that are flat, lost or have a far lower score than their "
		+ "neighbours are named in the column state. Flat, lost and doubtful frames get the shift of their neighbours.",
	"Stacks may be larger than memory. An unfinished aligned.zarr lies in aligned.zarr.part: the same command continues it.",
	"A folder of images is a time series, one frame per file, in the order of their names. The output is then a folder of TIFF files with the same names." })
final class AlignSubcommand extends Subcommand {

	/** The options that only the measurement has, and those that also count for the pixels of moved frames. */
	private static final List<String> MEASURING = List.of("--algorithm", "--reference", "--max-shift", "--min-overlap", "--channels", "--slice",
		"--inside", "--image-mask", "--projections", "--move-doubtful", "--piecewise", "--smoothing"),
		MOVING = List.of("--backend", "--effort", "--memory", "--explain");

	/** What begins the line of an identity with the folder for means, and the line with the shifts. */
	private static final String MEANS = "means ", SHIFTS = "drift ";
	/** The end of the name of the file that keeps measured shifts until the corrected stack is complete. */
	private static final String KEPT = ".drift.part";

	/** The stack and the version, one per line. It takes long for many files. */
	private String identity;

	@Parameters(index = "0", paramLabel = "STACK", description = "A TIFF or MRC stack or hyperstack, a Zarr folder, or a folder of images of one size "
		+ "and type. Formats: " + ImageFiles.KINDS + ".")
	private String stack;

	@Option(names = { "-o", "--output" }, paramLabel = "ALIGNED.tif|ALIGNED.mrc|ALIGNED.zarr|FOLDER",
		description = "The corrected stack. Default: none, only the measurement.")
	private String output;

	@Option(names = "--reference", paramLabel = "first|previous|mean|multi|N", description = {
		"What frames are measured against. first: the first frame. previous: the frame before. mean: the mean of all corrected frames, sharpened in two "
		+ "rounds. N: a frame, counted from 1.",
		"multi: several earlier frames, joined by robust least squares; errors do not pile up, and single bad frames do not matter. Default: multi." })
	private String reference;

	@Option(names = "--dimensions", paramLabel = "2|3", description = "The number of dimensions of a frame. Default: 3 for a stack with slices and time points, otherwise 2.")
	private Integer dimensions;

	@Option(names = "--slice", paramLabel = "N", description = "With --dimensions 2: the slice to measure on, counted from 1. All slices are moved. "
		+ "Default: the middle slice.")
	private Integer slice;

	@Option(names = "--inside", paramLabel = "x,y,w,h|x,y,z,w,h,d", description =
		"Measure only in this box of the frames: its first pixel, counted from 0, and its size. Whole frames are moved.")
	private WholeNumbers inside;

	@Option(names = "--image-mask", paramLabel = "FILE", description = "An image of the size of a frame: 0 for missing pixels, other values for the "
		+ "others. Missing pixels do not count in the measurement.")
	private String imageMask;

	@Option(names = "--projections", description = "Measure volumes by their mean along z and along y. Faster, and less exact.")
	private boolean projections;

	@Option(names = "--move-doubtful", description = "Move doubtful frames by their measured shifts, too. Default: they get the shift of their neighbours.")
	private boolean moveDoubtful;

	@Option(names = "--piecewise", paramLabel = "N|w,h[,d]", description = { SettingWords.PIECEWISE,
		"One number counts for each dimension. Default: none, frames are shifted as a whole." })
	private WholeNumbers piecewise;

	@Option(names = "--smoothing", paramLabel = "S", defaultValue = "0", description = "Smooth the shifts in time by a Gaussian with a standard deviation of S frames. Default: 0, off.")
	private double smoothing;

	@Mixin
	private DriftOptions common;

	@Option(names = "--border", paramLabel = "edge|constant[:VALUE]|nan|crop|union[:VALUE]", description = {
		"What pixels outside the recorded frame are. edge: the nearest pixel. constant: VALUE; default of VALUE: 0. nan: NaN, for floats.",
		"crop: frames are cropped to the region that all of them show. union: frames are enlarged to the region that any of them shows. Default: constant." })
	private void border(final Outside outside) {
		common.border = outside;
	}

	@Option(names = "--apply", paramLabel = "DRIFT.json", description = "Do not measure: use the shifts in this file, which --transforms has written.")
	private String apply;

	@Option(names = "--transforms", paramLabel = "DRIFT.json", description = "Write the shifts as JSON, for --apply.")
	private String transforms;

	@Option(names = "--table", paramLabel = "DRIFT.csv", description = "Write the shifts as a table.")
	private String table;

	@Option(names = "--plot", paramLabel = "DRIFT.png", description = "Draw the shifts over the frames. Frames to check have crosses.")
	private String plot;

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		final boolean folder = InputFrames.folder(stack);
		check(folder);
		if (cluster != null) {
			ClusterTask.requireZarr(stack);
			common.planning.measuredOn(cluster);
			ClusterTask.requireAbsent("--explain", common.explain);
			ClusterTask.requireAbsent("--piecewise with --reference previous", piecewise != null && "previous".equals(reference));
			if (output != null) ClusterTask.requireZarrMap(output);
		}
		final List<String> files = folder ? InputFrames.files(stack, imageMask == null ? List.of() : List.of(imageMask)) : List.of(stack);
		final List<String> inputs = new ArrayList<>(files);
		if (imageMask != null) inputs.add(imageMask);
		if (apply != null) inputs.add(apply);
		for (final String file : new String[] { transforms, table, plot }) if (folder) InputFrames.requireElsewhere(stack, file);
		outputs.watch(inputs);
		final Path json = outputs.promise("--transforms", transforms, inputs, ".json"), csv = outputs.promise("--table", table, inputs, ".csv"),
			png = outputs.promise("--plot", plot, inputs, ".png");
		final Path place = output == null ? null : folder ? ImageFiles.path(output).toAbsolutePath().normalize() : outputs.promiseImage(output, inputs);
		final AlignedFolder frames = folder ? new AlignedFolder(files, dimensions == null ? 0 : dimensions, common.channels()) : null;
		final InputImage input = folder ? null : ImageFiles.read(stack);
		final StackLayout layout = folder ? null : layout(input);
		if (output != null && folder) frames.check(output, stack, common.border);
		else if (output != null) {
			StackWriter.require(output, input);
			CorrectedStack.requireBorder(input.pixels(), common.border);
		}
		final List<Path> earlier = place == null ? List.of() : kept(place);
		final Drift drift = drift(layout, frames, place, progress);
		write(outputs, drift, json, csv, png);
		if (output != null) requireRegion(drift, outputs, Stream.of(json, csv, png).filter(Objects::nonNull).toList(), place);
		if (folder && place != null) {
			final DriftCorrection moving = moving(frames.dimensions(), progress.cancelOnly());
			explain(moving, frames.recorded(), drift);
			frames.write(moving, drift, output, common, progress);
		}
		else if (place != null) corrected(outputs, input, layout, drift, place, progress);
		progress.close();
		outputs.commit();
		for (final Path shifts : earlier) Files.deleteIfExists(shifts);
		if (place != null && apply == null) Files.deleteIfExists(kept(place, identity()));
		program.out().println(summary(drift));
	}

	/** Refuses a border that the measured shifts leave no region for. What was measured is kept. */
	private void requireRegion(final Drift drift, final Outputs outputs, final List<Path> measured, final Path place) throws IOException {
		try {
			CorrectedStack.region(drift, common.interpolation, common.border);
		}
		catch (final IllegalArgumentException e) {
			outputs.commit(measured);
			final Path kept = place == null || apply != null ? null : kept(place, identity());
			if (kept != null && transforms != null) Files.deleteIfExists(kept);
			throw new IllegalArgumentException(e.getMessage() + (transforms != null ? "; wrote " + transforms + ": give --apply " + transforms + " with another border"
				: kept != null ? "; " + kept + " keeps the shifts for this command with another border" : ""), e);
		}
	}

	private StackLayout layout(final InputImage input) {
		return StackLayout.of(input.pixels(), input.axes(), dimensions == null ? 0 : dimensions, stack);
	}

	private void check(final boolean folder) {
		if (output == null && transforms == null && table == null && plot == null)
			throw new IllegalArgumentException("there is nothing to write: give -o, --transforms, --table or --plot");
		common.check(folder ? null : output);
		if (folder && output != null) FolderOfMaps.requireFolderName(output);
		if (apply != null) requireOnlyMoving();
		if (dimensions != null && dimensions != 2 && dimensions != 3) throw new IllegalArgumentException("--dimensions " + dimensions + ": give 2 or 3");
		if (slice != null && slice < 1) throw new IllegalArgumentException("--slice " + slice + ": give the number of a slice, counted from 1");
		if (reference != null) DriftReference.of(reference);
		if (piecewise != null) piecewise.lengths("--piecewise ", piecewise.count() == 3 ? 3 : 2, DriftCorrection.LEAST_WINDOW);
		if (piecewise != null && smoothing > 0) throw new IllegalArgumentException("--smoothing smooths shifts in time, and --piecewise would measure "
			+ "what this takes away: leave out --smoothing, or --piecewise");
		if (output != null) CorrectedStack.requireInterpolation(piecewise != null, common.interpolation);
		if (inside != null) inside.region("--inside ");
	}

	/** Refuses options that change the measurement of the shifts, and without an output also those that change how frames are moved. */
	private void requireOnlyMoving() {
		final String measuring = MEASURING.stream().filter(given()::contains).collect(Collectors.joining(", "));
		if (!measuring.isEmpty()) throw new IllegalArgumentException("--apply " + apply + " uses known shifts, and these options measure shifts: " + measuring
			+ ". Leave them out, or leave out --apply");
		if (output == null && !Collections.disjoint(given(), MOVING)) throw new IllegalArgumentException("--apply " + apply
			+ " without -o moves no frames: give -o, or leave out --backend, --effort, --memory and --explain");
	}

	/** Measures the drift, or reads it. Until the output is complete, its drift is kept, so that a run that continues need not measure again. */
	private Drift drift(final StackLayout layout, final AlignedFolder frames, final Path place, final ProgressBar progress) throws IOException {
		final int n = layout == null ? frames.dimensions() : layout.dimensions();
		if (apply != null) {
			final Drift drift = DriftFile.read(ImageFiles.path(apply));
			if (drift.dimensions() != n) throw new IllegalArgumentException("the transforms in " + apply + " have " + drift.dimensions()
				+ " dimensions, and frames have " + n
				+ ": give --dimensions " + drift.dimensions() + ", or transforms of another stack");
			if (layout == null) drift.requireFor(frames.size(), frames.count());
			else drift.requireFor(Arrays.copyOf(layout.stack().dimensionsAsLongArray(), n), layout.stack().dimension(layout.time()));
			if (output != null) {
				CorrectedStack.requireVisible(drift, common.border);
				CorrectedStack.requireInterpolation(drift.deformation() != null, common.interpolation);
			}
			return drift;
		}
		final long count = layout == null ? frames.count() : layout.stack().dimension(layout.time());
		if (reference != null && DriftReference.of(reference).frame() >= count) throw new IllegalArgumentException("--reference " + reference
			+ ": there are only " + count + " frames: give the number of a frame from 1 to " + count);
		final Path kept = place == null ? null : kept(place, identity());
		if (kept != null && Files.exists(kept)) return DriftFile.read(kept);
		final Drift drift = layout == null ? measured(correction(n, progress), frames.measured()) : measured(layout, progress);
		if (kept != null) {
			Files.createDirectories(kept.getParent());
			final Path temporary = kept.resolveSibling(kept.getFileName() + ".tmp");
			Files.writeString(temporary, DriftFile.text(drift));
			Files.move(temporary, kept, StandardCopyOption.ATOMIC_MOVE);
		}
		return drift;
	}

	private Drift measured(final StackLayout layout, final ProgressBar progress) throws IOException {
		final DriftCorrection correction = correction(layout.dimensions(), progress);
		final RandomAccessibleInterval<?> image = layout.measured(common.channels(), slice == null ? -1 : slice - 1);
		if (cluster == null) return measured(correction, Frames.of(image, layout.dimensions()));
		final List<String> lines = new ArrayList<>(List.of(identity()));
		lines.addAll(lines());
		final DriftReference.Kind kind = (reference == null ? DriftReference.MULTI : DriftReference.of(reference)).kind();
		if (kind != DriftReference.Kind.MEAN && (piecewise == null || kind != DriftReference.Kind.MULTI))
			return cluster.drift(correction.parts(image, cluster.heap(), null), String.join("\n", lines));
		final Path written = ImageFiles.path(Stream.of(output, transforms, table, plot).filter(Objects::nonNull).findFirst().orElseThrow())
			.toAbsolutePath().normalize();
		try (TemporaryFolder means = TemporaryFolder.beside(written, "means")) {
			lines.add(MEANS + means.path());
			return cluster.drift(correction.parts(image, cluster.heap(), means.path()), String.join("\n", lines));
		}
	}

	private Drift measured(final DriftCorrection correction, final List<? extends RandomAccessibleInterval<?>> frames) {
		if (common.explain) {
			program.out().println(correction.explain(frames).explain());
			if (piecewise != null) program.out().println(correction.explainPiecewise(frames).explain());
		}
		return correction.measure(frames);
	}

	/** What moves frames. On a cluster, all processes compute on their CPUs, so that they write the same bytes. */
	private DriftCorrection moving(final int n, final Monitor monitor) {
		return DriftCorrection.ofFrames(n).compute(common.compute(monitor));
	}

	private DriftCorrection correction(final int n, final Monitor monitor) {
		final DriftCorrection correction = DriftCorrection.ofFrames(n)
			.reference(reference == null ? DriftReference.MULTI : DriftReference.of(reference)).minOverlap(common.minOverlap)
			.projections(projections).moveDoubtful(moveDoubtful).smoothing(smoothing).compute(common.compute(monitor));
		if (common.maxShift != null) correction.maxShift(common.maxShift(n));
		if (piecewise != null) correction.piecewise(piecewise.lengths("--piecewise ", n, DriftCorrection.LEAST_WINDOW));
		if (inside != null) correction.inside(inside.region("--inside "));
		if (imageMask != null) correction.imageMask(ImageFiles.read(imageMask).gray().pixels());
		return correction;
	}

	/** The inputs but the stack, one per line. */
	private List<String> lines() throws IOException {
		return imageMask == null ? List.of() : List.of("mask " + InputStamp.of(ImageFiles.read(imageMask).pixels()));
	}

	private InputImage input(final ClusterTask.Command command) {
		stack = command.resolve(stack);
		imageMask = command.resolve(imageMask);
		common.planning.processes(command.threads(), command.heap());
		return ImageFiles.read(stack);
	}

	@Override
	Parts parts(final Class<? extends Parts> kind, final ClusterTask.Command command) throws IOException {
		return kind == WrittenParts.class ? written(command) : drift(command);
	}

	private DriftParts drift(final ClusterTask.Command command) throws IOException {
		final StackLayout layout = layout(input(command));
		ClusterTask.requireSame(command, lines());
		final Path means = command.identity().lines().filter(l -> l.startsWith(MEANS)).map(l -> Path.of(l.substring(MEANS.length()))).findFirst().orElse(null);
		return correction(layout.dimensions(), Monitor.NONE).parts(layout.measured(common.channels(), slice == null ? -1 : slice - 1), command.heap(), means);
	}

	private WrittenParts written(final ClusterTask.Command command) throws IOException {
		final InputImage input = input(command);
		final StackLayout layout = layout(input);
		final Path place = Path.of(command.resolve(output)).toAbsolutePath().normalize();
		final String inputs = command.identity().substring(0, command.identity().indexOf("\n" + SHIFTS));
		final Drift drift = DriftFile.read(apply == null ? kept(place, inputs) : Path.of(command.resolve(apply)));
		ClusterTask.requireSame(command, List.of(shifts(drift)));
		final Img<?> moved = moving(layout.dimensions(), Monitor.NONE).backend("cpu")
			.corrected(layout.stack(), layout.time(), drift, common.interpolation, common.border);
		final StackWriter writer = writer(input, layout, drift, Monitor.NONE);
		return frames(writer, layout, moved, writer.chunks(layout.back(moved), place, command.identity()), Monitor.NONE);
	}

	/** A file beside the output whose name has a checksum of the input and the options of the measurement. */
	private Path kept(final Path place, final String inputs) throws IOException {
		final int options = (inputs + reference + dimensions + slice + inside + moveDoubtful + projections + piecewise + smoothing + common.channels
			+ common.maxShift + common.minOverlap
			+ (imageMask == null ? "" : InputStamp.of(ImageFiles.read(imageMask).pixels()))).hashCode();
		return place.resolveSibling(place.getFileName() + "." + Integer.toHexString(options) + KEPT);
	}

	/** These files of earlier runs with any options, and the ones that they were writing. */
	private static List<Path> kept(final Path place) throws IOException {
		if (!Files.isDirectory(place.getParent())) return List.of();
		final Pattern name = Pattern.compile(Pattern.quote(place.getFileName() + ".") + "[0-9a-f]+" + Pattern.quote(KEPT) + "(\\.tmp)?");
		try (Stream<Path> beside = Files.list(place.getParent())) {
			return beside.filter(p -> name.matcher(p.getFileName().toString()).matches()).toList();
		}
	}

	private String identity() throws IOException {
		if (identity == null) identity = CommonOptions.identity(stack, List.of(), List.of());
		return identity;
	}

	private void corrected(final Outputs outputs, final InputImage input, final StackLayout layout, final Drift drift, final Path place,
		final ProgressBar progress) throws IOException
	{
		final DriftCorrection moving = moving(layout.dimensions(), progress.cancelOnly());
		if (cluster != null) moving.backend("cpu");
		explain(moving, layout.stack(), drift);
		final Img<?> moved = moving.corrected(layout.stack(), layout.time(), drift, common.interpolation, common.border);
		final StackWriter writer = writer(input, layout, drift, progress);
		final String corrected = identity() + "\n" + shifts(drift);
		if (cluster == null) writer.image(layout.back(moved), outputs, place, corrected);
		else writer.zarr(layout.back(moved), place, corrected, true, to -> cluster.written(frames(writer, layout, moved, to, progress), corrected));
	}

	/** Says what moves the frames, if the user wants it. */
	private void explain(final DriftCorrection moving, final RandomAccessibleInterval<?> recorded, final Drift drift) {
		final Supplier<Ranking> ranking = () -> moving.explainCorrected(recorded, drift, common.interpolation);
		if (common.explain) program.out().println(drift.deformation() != null ? ranking.get().explain() : common.explainMoving(ranking));
	}

	private StackWriter writer(final InputImage input, final StackLayout layout, final Drift drift, final Monitor monitor) {
		final long[] origin = Arrays.copyOf(CorrectedStack.region(drift, common.interpolation, common.border).min(), input.pixels().numDimensions());
		return new StackWriter(input, layout.back(origin), common.threads(), monitor);
	}

	/** A part is a frame. */
	private static WrittenParts frames(final StackWriter writer, final StackLayout layout, final Img<?> moved, final MapStore to, final Monitor monitor) {
		final ImagePixels corrected = ImagePixels.of(layout.back(moved));
		final int time = layout.timeInImage();
		return new WrittenParts(to.size()[time], frame -> writer.planes(corrected, time, frame, to), monitor);
	}

	/** A line that is equal for equal corrections. */
	private String shifts(final Drift drift) {
		return SHIFTS + Integer.toHexString(DriftFile.text(drift).hashCode()) + ", " + common.interpolation + ", " + common.border;
	}

	private static void write(final Outputs outputs, final Drift drift, final Path json, final Path csv, final Path png) throws IOException {
		outputs.bytes(json, to -> DriftFile.write(drift, to));
		outputs.text(csv, to -> DriftTable.write(drift, to));
		outputs.bytes(png, to -> Drawing.png(MotionDrawing.of(drift).draw(), to));
	}

	private String summary(final Drift drift) {
		final StringBuilder s = new StringBuilder().append(drift.frames().size()).append(" frames, ").append(drift.largestText());
		if (!drift.toCheck().isEmpty()) s.append("; ").append(drift.checkText(""));
		final long doubtful = drift.doubtful();
		if (doubtful > 0) s.append(String.format(Locale.ROOT, "; %d of %d frames %s doubtful, because other shifts fit almost as well or pairs of "
			+ "frames disagree: %s", doubtful, drift.frames().size(), doubtful == 1 ? "is" : "are",
			apply != null ? "the shifts are those of the file" : moveDoubtful ? "moved by the measured shifts"
			: (IntStream.range(0, drift.dimensions()).allMatch(d -> drift.largest(d) == 0) ? "none is moved" : "moved as the neighbours")
			+ (drift.deformation() == null ? "" : "; larger windows or another --reference can help")
			+ "; --move-doubtful moves by the measured shifts"));
		final long edge = drift.frames().stream().filter(FrameShift::edge).count();
		if (edge > 0) s.append("; in ").append(edge).append(edge == 1 ? " frame" : " frames").append(" the peak lies at the end of the search: ")
			.append(common.farther());
		final List<Long> empty = output == null ? List.of() : CorrectedStack.empty(drift, common.border);
		if (!empty.isEmpty()) s.append("; no pixels of ").append(empty.size() == 1 ? "frame "
			: "frames ").append(empty.stream().map(f -> Long.toString(f + 1)).collect(Collectors.joining(", ")))
			.append(" are in the output: --border union shows them");
		return s.append(Outputs.wrote(output, transforms, table, plot)).toString();
	}
}
