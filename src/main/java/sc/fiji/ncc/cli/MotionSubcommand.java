package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.InputStamp;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.FieldDrawing;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.MeasuredChannels;
import sc.fiji.ncc.front.MotionTable;
import sc.fiji.ncc.front.MotionText;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.motion.FieldFile;
import sc.fiji.ncc.motion.FieldMap;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.VectorField;
import sc.fiji.ncc.motion.WindowGrid;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.register.JointChannels;
import sc.fiji.ncc.run.Parts;

/** {@code ncc motion}: the motion of windows between frames. */
@Command(name = "motion", description = {
	"Measures the motion of windows on a grid between two images, or along a stack, in two or three dimensions, as in particle image velocimetry.",
	"Each window of a frame is searched in the next one. With several passes, the first one has windows of twice the size, and later ones have"
		+ " windows that follow the motion so far.",
	"Vectors are validated: by the score, by the ratio to the second peak, and by the median of the neighbours. The second peak or the mean of the"
		+ " neighbours replaces a rejected vector, "
		+ "and the column state says so." })
final class MotionSubcommand extends Subcommand {

	private static final String CHANNELS = "--channels ";

	@Parameters(arity = "1..2", paramLabel = "BEFORE AFTER|STACK", description = "Two images of one size and type, or a stack. Formats: " + ImageFiles.KINDS + ".")
	private List<String> images;

	@Option(names = "--window", paramLabel = "N|w,h[,d]", defaultValue = "32", description = SettingWords.WINDOW)
	private WholeNumbers window;

	@Option(names = "--spacing", paramLabel = "N|x,y[,z]", description = SettingWords.SPACING)
	private WholeNumbers spacing;

	@Option(names = "--shape", paramLabel = "square|circle|gaussian", defaultValue = "square", description = SettingWords.SHAPE)
	private WindowPairs.Shape shape;

	@Option(names = "--max-shift", paramLabel = "N|dx,dy[,dz]", description = SettingWords.MAX_MOTION)
	private WholeNumbers maxShift;

	@Option(names = "--passes", paramLabel = "N", defaultValue = "3", description = SettingWords.PASSES)
	private int passes;

	@Option(names = "--reference", paramLabel = "previous|first|N", defaultValue = "previous", description = "The frame whose windows are searched in the others. "
		+ "previous: the frame before. N: frame N, counted from 1. Default: previous.")
	private String reference;

	@Option(names = "--double-frames", description = "Frames are recorded in pairs: 1 and 2, 3 and 4, and so on. There is no motion between pairs,"
		+ " and --reference does not count.")
	private boolean doubleFrames;

	@Option(names = "--ensemble", description = SettingWords.ENSEMBLE)
	private boolean ensemble;

	@Option(names = "--no-refine", description = "Fit a quadratic to the scores around the peak, in place of least squares on the pixels. It takes"
		+ " less time, and there are no standard deviations.")
	private boolean noRefine;

	@Option(names = "--min-score", paramLabel = "S", defaultValue = "0.2", description = SettingWords.LEAST_SCORE)
	private double minScore;

	@Option(names = "--min-ratio", paramLabel = "R", defaultValue = "1.1", description = SettingWords.MIN_RATIO)
	private double minRatio;

	@Option(names = "--false-alarms", paramLabel = "E", description = "The largest expected number of peaks by chance of a valid vector, such as 0.05. "
		+ "It follows from the texture of the window. The table then has the column false_alarms. Default: any.")
	private Double falseAlarms;

	@Option(names = "--max-residual", paramLabel = "R", defaultValue = "3", description = SettingWords.MAX_RESIDUAL)
	private double maxResidual;

	@Option(names = "--keep-rejected", description = "Replace no vector. Rejected vectors stay as they were measured, and have the state rejected.")
	private boolean keepRejected;

	@Option(names = "--smoothing", paramLabel = "auto|S", description = "Smooth the fields by penalised least squares (Garcia 2010). S: the weight"
		+ " of the smoothness, such as 0.1. "
		+ "auto: the best one by generalised cross-validation. Default: none.")
	private String smoothing;

	@Option(names = "--channels", paramLabel = "N[,N…]|joint", defaultValue = "1", description = {
		"The channel to measure on, counted from 1. Several channels: their common motion. joint: that of all channels. Default: 1." })
	private String channels;

	@Option(names = { "-o", "--output" }, paramLabel = "FIELD.csv",
		description = "The table. Columns: frame,x,y,u,v,score,ratio,sigma_u,sigma_v,valid,state; for volumes also z, w and sigma_w, with --false-alarms"
			+ " also false_alarms. Default: none.")
	private String output;

	@Option(names = "--field", paramLabel = "FIELD.tif", description = "The motion in pixels as an image of floats: x and y (and z) count windows,"
		+ " channels are the components, frames the pairs of frames.")
	private String image;

	@Option(names = "--derived", paramLabel = "MAPS.tif", description = "Speed, divergence, vorticity and strains as an image of floats: channels are"
		+ " speed, divergence, vorticity, strain xx, yy and xy, for volumes also zz, xz and yz; else as --field.")
	private String derived;

	@Option(names = "--quiver", paramLabel = "FIELD.png", description = "A picture with an arrow for each window, coloured by its speed, over the"
		+ " frame; see --frame.")
	private String quiver;

	@Option(names = "--vti", paramLabel = "FIELD.vti", description = "One field as an image for VTK and ParaView, in the unit of the image; see --frame.")
	private String vti;

	@Option(names = "--openpiv", paramLabel = "FIELD.txt", description = "One field as a table of OpenPIV, in pixels; see --frame.")
	private String openpiv;

	@Option(names = "--piv", paramLabel = "FIELD.txt", description = "One field as a table of the PIV plugin for ImageJ, in pixels; see --frame.")
	private String piv;

	@Option(names = "--frame", paramLabel = "N",
		description = "The frame whose motion --quiver, --vti, --openpiv and --piv write, counted from 1. The reference has none. Default: the first"
			+ " one with a motion.")
	private Integer frame;

	@Option(names = "--grid-mask", paramLabel = "FILE", description = "An image of the size of a frame, or with a pixel for each window. "
		+ SettingWords.GRID_MASK)
	private String gridMask;

	@Mixin
	private MissingOptions missing;

	@Mixin
	private PlanningOptions.OfRun planning;

	@Override
	void check() {
		planning.check();
		missing.check();
		MeasuredChannels.of(CHANNELS, channels);
		DriftReference.of(reference);
		if (frame != null && frame < 1) throw new IllegalArgumentException("--frame " + frame
			+ ": give the number of a frame, counted from 1");
		if (frame != null && ensemble) throw new IllegalArgumentException("--frame " + frame
			+ " with --ensemble: there is one field, leave out --frame");
		if (frame != null && doubleFrames && frame % 2 != 0) throw new IllegalArgumentException("--frame " + frame
			+ " with --double-frames: give an even number, the later frame of a pair");
		if (falseAlarms != null) Range.FALSE_ALARMS.of("--false-alarms ", falseAlarms);
		if (cluster == null) return;
		if (images.size() > 1) throw new IllegalArgumentException("a cluster measures the motion along one stack: give a Zarr folder with frames");
		ClusterTask.requireZarr(images.get(0));
		planning.measuredOn(cluster);
		ClusterTask.requireAbsent("--ensemble", ensemble);
	}

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		final List<String> inputs = new ArrayList<>(images);
		if (missing.mask != null) inputs.add(missing.mask);
		if (gridMask != null) inputs.add(gridMask);
		outputs.watch(inputs);
		final Path table = outputs.promise("--output", output, inputs, ".csv"),
			tiff = outputs.promise("--field", image, inputs, ".tif", ".tiff"),
			maps = outputs.promise("--derived", derived, inputs, ".tif", ".tiff"),
			png = outputs.promise("--quiver", quiver, inputs, ".png");
		final List<FieldFile> formats = List.of(FieldFile.VTI, FieldFile.OPENPIV, FieldFile.PIV);
		final List<Path> files = Arrays.asList(outputs.promise("--vti", vti, inputs, ".vti"), outputs.promise("--openpiv", openpiv, inputs, ".txt"),
			outputs.promise("--piv", piv, inputs, ".txt"));
		final InputImage first = ImageFiles.read(images.get(0));
		final int n = dimensions(first);
		final InputImage input = first.spatialFirst(n);
		final RandomAccessibleInterval<?> frames = frames(input, n);
		final long last = frames.dimension(frames.numDimensions() - 1);
		if (frame != null && frame > last)
			throw new IllegalArgumentException("--frame " + frame + ": " + images.get(0) + " has " + last + " frames");
		if (frame != null && !doubleFrames && frame - 1 == DriftReference.of(reference).frame())
			throw new IllegalArgumentException("--frame " + frame + " has no motion: give another one");
		final MotionField field = field(input, n, progress);
		final MotionFields motion = cluster == null ? field.measure(frames)
			: cluster.motion(field.parts(frames), CommonOptions.identity(images.get(0), masks(), List.of()));
		progress.close();
		final VectorField shown = motion.fields().stream().filter(f -> frame == null || f.to() == frame - 1).findFirst().orElseThrow();
		outputs.text(table, MotionTable.of(motion.fields(), n, falseAlarms != null)::write);
		if (tiff != null) write(motion.image(), MotionTable.components(n), image, motion.grid(), input, outputs, tiff);
		final List<String> quantities = FieldMap.of(n).stream().map(FieldMap::toString).toList();
		if (maps != null) write(motion.derived(), quantities, derived, motion.grid(), input, outputs, maps);
		outputs.bytes(png, to -> Drawing.png(FieldDrawing.draw(shown, StackFrames.get(frames, n, shown.from())), to));
		for (int i = 0; i < formats.size(); i++) {
			final FieldFile format = formats.get(i);
			outputs.text(files.get(i), to -> format.write(shown,
				(format == FieldFile.VTI ? input.calibration() : Calibration.NONE).sizes(n), to));
		}
		outputs.commit();
		planning.explain(motion.rankings(), program.out());
		if (motion.valid() == 0) program.err().println(motion.isEmpty()
			? "no window has a motion: all are flat, or have too few pixels. Check the images, --window, --image-mask and --min-overlap"
			: "no vector is valid: check --window, --max-shift, --min-score and --min-ratio");
		MotionText.notes(motion, "--max-shift").forEach(program.err()::println);
		program.out().println(summary(motion));
	}

	private MotionField field(final InputImage input, final int n, final Monitor monitor) {
		final MotionField field = MotionField.ofWindows(window.lengths("--window ", n, 1)).shape(shape).passes(passes)
			.reference(DriftReference.of(reference))
			.refine(!noRefine).doubleFrames(doubleFrames).ensemble(ensemble).minScore(minScore).minRatio(minRatio)
			.falseAlarms(falseAlarms == null ? Double.NaN : falseAlarms).maxResidual(maxResidual).keepRejected(keepRejected)
			.compute(planning.options(Precision.SINGLE).monitor(monitor));
		final List<Long> chosen = MeasuredChannels.of(CHANNELS, channels);
		missing.set(field::minOverlap, field::nan, field::imageMask, new InputImage(input.name(), input.pixels(), input.axes().replace("c", ""),
			input.calibration()), n, m -> m.channel(chosen.size() == 1 ? chosen.get(0) + 1 : 0));
		if (spacing != null) field.spacing(spacing.lengths("--spacing ", n, 1));
		if (maxShift != null) field.maxShift(maxShift.lengths("--max-shift ", n, 0));
		if (gridMask != null) field.gridMask(ImageFiles.read(gridMask).gray().spatialFirst(n).pixels());
		if (smoothing != null) field.smoothing(MotionText.smoothing("--smoothing ", smoothing));
		return field;
	}

	/** The masks, one per line. */
	private List<String> masks() throws IOException {
		final List<String> lines = new ArrayList<>();
		for (final String mask : new String[] { missing.mask, gridMask }) if (mask != null) lines.add("mask "
			+ InputStamp.of(ImageFiles.read(mask).pixels()));
		return lines;
	}

	@Override
	Parts parts(final Class<? extends Parts> kind, final ClusterTask.Command command) throws IOException {
		images = List.of(command.resolve(images.get(0)));
		missing.mask = command.resolve(missing.mask);
		gridMask = command.resolve(gridMask);
		final InputImage first = ImageFiles.read(images.get(0));
		ClusterTask.requireSame(command, masks());
		planning.processes(command.threads(), command.heap());
		final int n = dimensions(first);
		final InputImage input = first.spatialFirst(n);
		return field(input, n, Monitor.NONE).parts(frames(input, n));
	}

	/** The number of dimensions of a frame. The slices of a stack without time points are its frames. */
	private int dimensions(final InputImage first) {
		return first.axes().indexOf('z') >= 0 && (images.size() == 2 || first.axes().indexOf('t') >= 0) ? 3 : 2;
	}

	/** The frames of one channel, after the spatial dimensions. */
	private RandomAccessibleInterval<?> frames(final InputImage input, final int n) {
		final RandomAccessibleInterval<?> all = channel(input);
		if (images.size() == 1) return all;
		final InputImage other = ImageFiles.read(images.get(1));
		for (final InputImage each : List.of(input, other)) if (each.axes().indexOf('t') >= 0)
			throw new IllegalArgumentException(each.name() + " has several frames: give two images of one frame, or one stack");
		return MotionText.pair(all, channel(other.spatialFirst(n)), images.get(0), images.get(1));
	}

	private RandomAccessibleInterval<?> channel(final InputImage input) {
		final int c = input.axes().indexOf('c');
		final List<Long> chosen = MeasuredChannels.of(CHANNELS, channels);
		MeasuredChannels.require(CHANNELS, chosen, c < 0 ? 1 : input.pixels().dimension(c), input.name());
		return c < 0 ? input.pixels() : JointChannels.joint(input.pixels(), c, chosen);
	}

	/** Writes an image whose pixels are windows. */
	private void write(final Img<FloatType> windows, final List<String> channels, final String name, final WindowGrid grid,
		final InputImage input, final Outputs outputs, final Path place)
		throws IOException
	{
		final InputImage described = new InputImage(name, windows, grid.dimensions() == 2 ? "xyct" : "xyzct",
			input.calibration().every(grid.spacing(), grid.origin()));
		new StackWriter(described, new long[windows.numDimensions()], planning.threads(), Monitor.NONE).withChannels(channels)
			.file(windows, outputs, place);
	}

	private String summary(final MotionFields motion) {
		final String methods = Ranking.methods(motion.rankings());
		final String wrote = Outputs.wrote(output, image, derived, quiver, vti, openpiv, piv);
		return String.format(Locale.ROOT, "%s, by %s in %.1f ms%s", motion.summary(), methods, 1e3 * motion.seconds(), wrote.isEmpty()
			? "; wrote nothing: -o, --field, --derived, --quiver, --vti, --openpiv and --piv write the field" : wrote);
	}
}
