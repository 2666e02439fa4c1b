package sc.fiji.ncc.command;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;

import org.scijava.ItemIO;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.widget.FileWidget;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.drawing.KymographPair;
import sc.fiji.ncc.drawing.ProjectionPair;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.OutputFile;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.register.DriftSettings;
import sc.fiji.ncc.register.StackLayout;
import sc.fiji.ncc.register.correct.CorrectedStack;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.store.DriftFile;

/** Base of the commands that measure a stack and correct all its channels: what they have in common. */
public abstract class StackCorrectionCommand extends ComputingCommand {

	private static final String FRAME = "frame", MAX = "max", KYMOGRAPH = "kymograph", SELECTION = "selection";

	@Parameter(label = "Image", persist = false,
		description = "A stack with 8, 16 or 32 bits per pixel; not RGB. Frames are time points, or slices if the stack has no time. A virtual stack is "
			+ "read frame by frame.")
	private ImageInput image;

	@Parameter(label = "Reference", persist = false, choices = { "multi", "first", "previous", "mean", FRAME },
		description = "What frames are measured against. multi: several earlier frames, joined by robust least squares. first: the first frame. previous: "
			+ "the frame before."
			+ " mean: the mean of all corrected frames. frame: the frame below. Default: multi.")
	private String reference = "multi";

	@Parameter(label = "Frame of the reference (reference: frame)", persist = false, min = "0", attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) },
		description = "With reference frame: the number of the frame, counted from 1. 0: the frame that is shown. Default: 0.")
	private int frame = 0;

	@Parameter(label = "Channel (empty: shown)", persist = false, required = false, attrs = @Attr(name = Keys.ONCE), description = MovedImage.CHANNELS)
	private String channels = "";

	@Parameter(label = "Dimensions", persist = false, attrs = @Attr(name = Groups.STACK), choices = { AUTO, "2", "3" },
		description = "The number of dimensions of a frame. Default: auto, which is 3 for a stack with slices and frames, otherwise 2.")
	private String dimensions = AUTO;

	@Parameter(label = "Slice (dimensions: 2; 0: middle)", persist = false, min = "0", attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) },
		description = "With dimensions 2 and a stack with slices and frames: the slice to measure on, counted from 1. All slices are moved. Default: 0, the "
			+ "middle slice.")
	private int slice = 0;

	@Parameter(label = "Maximum shift (pixels: x,y; empty: any)", persist = false, required = false, description = SettingWords.MAX_SHIFT)
	private String maxshift = "";

	@Parameter(label = "Overlap of two frames (at least)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0", max = "1",
		stepSize = "0.05", description = SettingWords.MIN_OVERLAP)
	private double minoverlap = DriftSettings.MIN_OVERLAP;

	@Parameter(label = "Inside (x,y,w,h or selection; empty: all)", persist = false,
		attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.MEASUREMENT) }, required = false,
		description = "The box in which the drift is measured: its first pixel, counted from 0, and its size (x,y,z,w,h,d for volumes), or the word "
		+ "selection for the selection in the image."
			+ " A selection that is not a rectangle is a mask. Whole frames are moved. Default: empty, whole frames.")
	private String inside = "";

	@Parameter(label = "Interpolation", persist = false, attrs = @Attr(name = Groups.MOVED),
		choices = { "integer", "linear", "cubic", "lanczos", "fourier" }, description = SettingWords.INTERPOLATION)
	private String interpolation = "cubic";

	@Parameter(label = "Border", persist = false, attrs = @Attr(name = Groups.MOVED),
		choices = { "edge", "constant", "nan", "crop", "union" }, description = MovedImage.BORDER)
	private String border = "constant";

	@Parameter(label = "Value outside", persist = false, attrs = @Attr(name = Groups.MOVED), description = MovedImage.VALUE)
	private double constant = 0;

	@Parameter(label = "Transforms file (empty: none)", persist = false, style = FileWidget.SAVE_STYLE, required = false,
		attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.RESULTS) },
		description = "A JSON file for the shifts, which Apply Drift reads. An existing file is replaced. Default: empty, no file.")
	private String transforms = "";

	@Parameter(label = "Append to the table", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = APPEND)
	private boolean append = false;

	@Parameter(label = "Plot the drift", persist = false, description = "Plots the shift along each dimension over time, in the unit of the image. Default: on.")
	private boolean plot = true;

	@Parameter(label = "Show before and after", persist = false,
		description = "Shows the measured channel before and after the correction, side by side. Default: off.")
	private boolean show = false;

	@Parameter(label = "Before and after as", persist = false, attrs = @Attr(name = Groups.RESULTS), choices = { MAX, KYMOGRAPH },
		description = "max: the maximum over time. kymograph: the middle row and the middle column of each frame, with time downwards. Default: max.")
	private String view = MAX;

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-frames-binned", "cpu-frames", "cuda-frames" })
	private String algorithm = AUTO;

	@Parameter(label = "Corrected", type = ItemIO.OUTPUT)
	private Img<?> output;

	/** Output for scripts. */
	@Parameter(label = "Drift", type = ItemIO.OUTPUT)
	private Drift drift;

	@Override
	public Optional<String> missing(final FrontEnd program) {
		return missingStack(program, image, name());
	}

	@Override
	public String proposed(final FrontEnd program, final String active) {
		return proposedStack(program, active);
	}

	/** The name of the command, for messages. */
	abstract String name();

	/** Whether frames are deformed, not only shifted. */
	abstract boolean deforms();

	/** Sets what the command has for itself. */
	abstract void set(DriftCorrection correction, int dimensions);

	@Override
	protected final void execute(final FrontEnd program, final Monitor monitor) {
		requireChannels("image", image);
		final Interpolation between = MovedImage.interpolation(interpolation);
		CorrectedStack.requireInterpolation(deforms(), between);
		final Outside beyond = MovedImage.outside(border, constant);
		final boolean lines = ChoiceText.of("view", view, MAX, KYMOGRAPH).equals(KYMOGRAPH);
		final Path file = OutputFile.of("transforms", transforms, ".json", "a JSON");
		final StackLayout layout = StackLayout.of(image.pixels(), image.axes(), dimensions.equals(AUTO)
			? 0 : Integer.parseInt(ChoiceText.of("dimensions", dimensions, "2", "3")),
			"'" + image.name() + "'");
		CorrectedStack.requireBorder(layout.stack(), beyond);
		final RandomAccessibleInterval<?> measured = layout.measured(MovedImage.channels(channels, image), slice - 1L);
		final DriftCorrection correction = correction(layout).monitor(monitor);
		drift = correction.measure(measured);
		OutputFile.write(file, to -> to.write(DriftFile.text(drift)));
		final Img<?> corrected = correction.corrected(layout.stack(), layout.time(), drift, between, beyond);
		final long[] origin = Arrays.copyOf(CorrectedStack.region(drift, between, beyond).min(), corrected.numDimensions());
		output = MovedImage.open(this, layout.back(corrected), MovedImage.CORRECTED + image.name(), image, image, layout.back(origin),
			Map.of("NCC.reference", drift.reference(), "NCC.interpolation", interpolation));
		final FoundDrift found = new FoundDrift(drift, image.name(), image.calibration(), layout.axes().charAt(layout.time()) == 't');
		program.show(found.table(), append);
		if (plot) program.show(found.graph());
		if (show) {
			// black and below every maximum; repeated pixels of the edge would look like a bad correction
			final double lowest = ((RealType<?>) measured.getType()).getMinValue();
			final Img<?> after = correction.corrected(measured, layout.dimensions(), drift, between, new Outside(Outside.Kind.CONSTANT, lowest));
			program.show("Before and after, " + image.name(), lines ? KymographPair.draw(measured, after) : ProjectionPair.draw(measured, after),
				lines ? Calibration.NONE : image.calibration());
		}
		found.notes().forEach(this::note);
		done(drift.largestText());
	}

	private DriftCorrection correction(final StackLayout layout) {
		final int n = layout.dimensions();
		final DriftCorrection correction = DriftCorrection.ofFrames(n).reference(reference(layout)).minOverlap(Range.PART.of("minoverlap=", minoverlap))
			.compute(computing(SINGLE, algorithm));
		set(correction, n);
		if (!maxshift.isBlank()) correction.maxShift(WholeNumbers.lengths("maxshift=", maxshift, n, 0));
		if (inside.trim().equalsIgnoreCase(SELECTION)) {
			final Selection area = image.selection().orElseThrow(() -> new IllegalArgumentException("Nothing is selected in '" + image.name()
				+ "'. Select the region in which the drift is measured, or omit inside=selection."));
			inside(correction, area, layout);
		}
		else if (!inside.isBlank()) correction.inside(box(n));
		return correction;
	}

	private static void inside(final DriftCorrection correction, final Selection area, final StackLayout layout) {
		final long depth = layout.dimensions() == 3 ? layout.stack().dimension(2) : 1;
		correction.inside(layout.dimensions() == 2 ? FinalInterval.createMinSize(area.x(), area.y(), area.width(), area.height())
			: FinalInterval.createMinSize(area.x(), area.y(), 0, area.width(), area.height(), depth));
		if (area.mask() == null) return;
		if (layout.dimensions() == 2) {
			correction.imageMask(ArrayImgs.unsignedBytes(area.mask(), area.width(), area.height()));
			return;
		}
		final byte[] all = new byte[Math.multiplyExact(area.mask().length, (int) depth)];
		for (int z = 0; z < depth; z++) System.arraycopy(area.mask(), 0, all, z * area.mask().length, area.mask().length);
		correction.imageMask(ArrayImgs.unsignedBytes(all, area.width(), area.height(), depth));
	}

	private FinalInterval box(final int dimensions) {
		return WholeNumbers.parse("inside=", inside, "is not a box. Give " + (dimensions == 2 ? "x,y,w,h" : "x,y,z,w,h,d")
			+ " in whole pixels, or selection.").box("inside=", dimensions, "frame");
	}

	private DriftReference reference(final StackLayout layout) {
		final String kind = ChoiceText.of("reference", reference, "multi", "first", "previous", "mean", FRAME);
		if (!kind.equals(FRAME)) return DriftReference.of(kind);
		final long count = layout.stack().dimension(layout.time());
		if (frame < 0 || frame > count) throw new IllegalArgumentException("frame=" + frame + ": '" + image.name() + "' has " + count
			+ " frames. Give a number from 1 to " + count
			+ ", or 0 for the frame that is shown.");
		final int shown = image.axes().indexOf(layout.axes().charAt(layout.time())) - 2;
		return DriftReference.frame(frame == 0 ? image.shown()[shown] : frame - 1);
	}
}
