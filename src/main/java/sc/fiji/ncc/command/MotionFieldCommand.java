package sc.fiji.ncc.command;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.drawing.FieldDrawing;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.MotionTable;
import sc.fiji.ncc.front.MotionText;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.motion.FieldMap;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.VectorField;
import sc.fiji.ncc.motion.WindowGrid;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.register.JointChannels;
import sc.fiji.ncc.register.StackLayout;

/** Measures the motion of windows between frames. In macros: {@code run("Motion Field...", "image=[vortex.tif] window=32 maxshift=8");} */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Motion Field...", visible = false, headless = true)
public final class MotionFieldCommand extends ComputingCommand {

	private static final String MOTION = "Motion of ", MAPS = "Maps of ";

	@Parameter(label = "Image", persist = false, description = "A stack, or the first of two images. 8, 16 or 32 bits per pixel; not RGB.")
	private ImageInput image;

	@Parameter(label = "Second image (none: stack)", persist = false, required = false, attrs = @Attr(name = Keys.TITLE),
		description = "The title of an open image of the same size and type, for the motion from the image to this one. Default: empty, the motion along the stack.")
	private String after = "";

	@Parameter(label = "Window (pixels: w,h)", persist = false, description = SettingWords.WINDOW)
	private String window = "32";

	@Parameter(label = "Spacing (pixels: x,y; empty: half)", persist = false, required = false, description = SettingWords.SPACING)
	private String spacing = "";

	@Parameter(label = "Maximum shift (pixels: x,y; empty: a third)", persist = false, required = false, description = SettingWords.MAX_MOTION)
	private String maxshift = "";

	@Parameter(label = "Passes", persist = false, min = "1", description = SettingWords.PASSES)
	private int passes = 3;

	@Parameter(label = "Picture of arrows", persist = false,
		description = "On: draws an arrow for each window over the frame, coloured by its speed, for the first pair of frames. Default: on.")
	private boolean quiver = true;

	@Parameter(label = "Reference (previous, first or a frame)", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) },
		description = "The frame of a stack whose windows are searched in the others: previous, first, or the number of a frame, counted from 1. Default: previous.")
	private String reference = "previous";

	@Parameter(label = "Frames in pairs (1 and 2, 3 and 4, ...)", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) },
		description = "On: frames are recorded in pairs. There is no motion between pairs, and the reference does not count. Default: off.")
	private boolean doubleframes = false;

	@Parameter(label = "One motion for all pairs", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) },
		description = "On: " + SettingWords.ENSEMBLE + " Default: off.")
	private boolean ensemble = false;

	@Parameter(label = "Channel (empty: shown)", persist = false, required = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) },
		description = "The channel to measure on, counted from 1. Several channels, as in 1,2: their common motion. joint: that of all channels. "
			+ "Default: empty, the channel that is shown.")
	private String channels = "";

	@Parameter(label = "Shape of a window", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), choices = { "square", "circle", "gaussian" },
		description = SettingWords.SHAPE)
	private String shape = "square";

	@Parameter(label = "Refine on the pixels", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = "On: motions are refined by least squares on the pixels, with standard deviations. Off: by a quadratic through the scores, in"
			+ " less time. Default: on.")
	private boolean refine = true;

	@Parameter(label = "Score (at least)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "-1", max = "1", stepSize = "0.05",
		description = SettingWords.LEAST_SCORE)
	private double minscore = 0.2;

	@Parameter(label = "Ratio of two peaks (at least)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0", stepSize = "0.05",
		description = SettingWords.MIN_RATIO)
	private double minratio = 1.1;

	@Parameter(label = "False alarms (at most, 0: any)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0", stepSize = "0.05",
		description = "The largest expected number of peaks by chance of a valid vector, such as 0.05. It follows from the texture of the window."
			+ " The table then has the column FalseAlarms. Default: 0, any number.")
	private double falsealarms = 0;

	@Parameter(label = "Residual of the median test (at most)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0.01", stepSize = "0.5",
		description = SettingWords.MAX_RESIDUAL)
	private double maxresidual = 3;

	@Parameter(label = "Keep rejected vectors", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = "On: rejected vectors stay as they were measured. Off: the second peak or the mean of the neighbours replaces them. Default: off.")
	private boolean keeprejected = false;

	@Parameter(label = "Smoothing (empty: none, auto, or a weight)", persist = false, required = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = "The weight of the smoothness, such as 0.1, or auto for the best one by generalised cross-validation. Default: empty, none.")
	private String smoothing = "";

	@Parameter(label = "Image mask", persist = false, required = false, attrs = { @Attr(name = Keys.TITLE), @Attr(name = Groups.MISSING) },
		description = "The title of an open image of the size of a frame. Pixels of 0 do not count. Default: none, all pixels count.")
	private String imagemask = "";

	@Parameter(label = "Grid mask", persist = false, required = false, attrs = { @Attr(name = Keys.TITLE), @Attr(name = Groups.MISSING) },
		description = "The title of an open image of the size of a frame, or with a pixel for each window. " + SettingWords.GRID_MASK)
	private String gridmask = "";

	@Parameter(label = "Overlap (at least)", persist = false, attrs = @Attr(name = Groups.MISSING), min = "0", max = "1", stepSize = "0.05",
		description = "The smallest share of the pixels of a window that must lie in the frame and be present. Default: 0.5.")
	private double minoverlap = 0.5;

	@Parameter(label = "Speed, vorticity and strain", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = "On: opens an image with the channels speed, divergence, vorticity, strain xx, yy and xy, for volumes also zz, xz and yz. Pixels are windows."
			+ " Default: off.")
	private boolean derived = false;

	@Parameter(label = "Append to the table", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = APPEND)
	private boolean append = false;

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-windows", "cpu-window-templates", "cuda-windows", "cuda-window-templates" })
	private String algorithm = AUTO;

	/** Windows along x, y and z, components, pairs of frames. */
	@Parameter(label = "Motion in pixels", type = ItemIO.OUTPUT)
	private Img<?> output;

	/** Windows along x, y and z, maps, pairs of frames. Null without {@code derived}. */
	@Parameter(label = "Speed, vorticity and strain", type = ItemIO.OUTPUT)
	private Img<?> maps;

	/** Output for scripts. */
	@Parameter(label = "Motion fields", type = ItemIO.OUTPUT)
	private MotionFields motion;

	@Override
	public Optional<String> missing(final FrontEnd program) {
		return program.activeImage().isEmpty() && image == null ? Optional.of(NO_IMAGE) : Optional.empty();
	}

	@Override
	protected String section() {
		return "motion.md#in-fiji";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		requireChannels("image", image);
		final RandomAccessibleInterval<?> frames;
		final int n;
		if (after.isBlank()) {
			final StackLayout layout = StackLayout.of(image.pixels(), image.axes(), 0, "'" + image.name() + "'");
			frames = layout.joint(MovedImage.channels(channels, image), -1);
			n = layout.dimensions();
		}
		else {
			final ImageInput other = program.image(after.trim());
			requireChannels("second image", other);
			n = image.axes().indexOf('z') < 0 ? 2 : 3;
			frames = MotionText.pair(frame(image, n), frame(other, n), "'" + image.name() + "'", "'" + other.name() + "'");
		}
		motion = field(n, program).monitor(monitor).measure(frames);
		output = open(program, motion.image(), MOTION + image.name(), MotionTable.components(n));
		if (derived) maps = open(program, motion.derived(), MAPS + image.name(), FieldMap.of(n).stream().map(FieldMap::toString).toList());
		program.show(MotionTable.of(motion.fields(), n, falsealarms != 0).table(FrontEnd.MOTION), append);
		final VectorField first = motion.fields().get(0);
		if (quiver) {
			final RandomAccessibleInterval<?> still = StackFrames.get(frames, n, first.from());
			final BufferedImage arrows = FieldDrawing.draw(first, still);
			program.show("Arrows of " + image.name(), arrows, image.calibration().enlarged(arrows.getWidth() / still.dimension(0)));
		}
		if (motion.isEmpty()) note("no window of " + image.name()
			+ " has a motion: all are flat, or have too few pixels. Check the window, the image mask and the overlap.");
		else if (motion.valid() == 0) note("no vector of " + image.name() + " is valid. Check the window, the maximum shift, the score and the ratio of two peaks.");
		for (final String check : MotionText.notes(motion, "maximum shift")) note(image.name() + ", " + check + ".");
		done(String.format(Locale.ROOT, "%d of %d vectors are valid, %.3g s", motion.valid(), motion.windows(), motion.seconds()));
	}

	/** Opens an image whose pixels are windows. */
	private Img<?> open(final FrontEnd program, final Img<FloatType> windows, final String name, final List<String> channels) {
		final WindowGrid grid = motion.grid();
		final ImageInput source = program.image(windows, grid.dimensions() == 2 ? "xyct" : "xyzct",
			image.calibration().every(grid.spacing(), grid.origin()));
		// channels may have very different values
		final MapDescription.Shown shown = new MapDescription.Shown(Double.NaN, Double.NaN, ResponseType.FLOAT, channels);
		return described(windows, new MapDescription(name, source, new long[windows.numDimensions()], shown, null, Map.of("NCC.channels",
			String.join(", ", channels), "NCC.window", grid.window().toString(), "NCC.spacing", grid.spacing().toString())));
	}

	private MotionField field(final int n, final FrontEnd program) {
		final MotionField field = MotionField.ofWindows(WholeNumbers.lengths("window=", window, n, 1))
			.shape(ChoiceText.of("shape", shape, WindowPairs.Shape.values()))
			.passes(passes).reference(DriftReference.of(reference)).refine(refine).minScore(minscore)
			.minRatio(minratio).falseAlarms(falsealarms == 0 ? Double.NaN : falsealarms)
			.doubleFrames(doubleframes).ensemble(ensemble).maxResidual(maxresidual).keepRejected(keeprejected).minOverlap(minoverlap)
			.compute(computing(SINGLE, algorithm));
		if (!spacing.isBlank()) field.spacing(WholeNumbers.lengths("spacing=", spacing, n, 1));
		if (!maxshift.isBlank()) field.maxShift(WholeNumbers.lengths("maxshift=", maxshift, n, 0));
		if (!smoothing.isBlank()) field.smoothing(MotionText.smoothing("smoothing=", smoothing));
		if (!imagemask.isBlank()) field.imageMask(program.image(imagemask.trim()).pixels());
		if (!gridmask.isBlank()) field.gridMask(program.image(gridmask.trim()).pixels());
		return field;
	}

	/** The only frame of an image. */
	private RandomAccessibleInterval<?> frame(final ImageInput input, final int n) {
		if (input.axes().indexOf('t') >= 0 || input.axes().indexOf('z') >= 0 != (n == 3)) throw new IllegalArgumentException("'" + input.name() + "' (" + input.axes()
			+ ") is not one frame. Use two planes, or two stacks of slices.");
		final int c = input.axes().indexOf('c'), z = input.axes().indexOf('z');
		final RandomAccessibleInterval<?> pixels = z > 2 ? Views.moveAxis(input.pixels(), z, 2) : input.pixels();
		return c < 0 ? pixels : JointChannels.joint(pixels, n, MovedImage.channels(channels, input));
	}


}
