package sc.fiji.ncc.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.view.Views;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.Registration;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.front.TableColumns;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.register.JointChannels;
import sc.fiji.ncc.result.Alignment;

/** Moves an image onto another one. In macros: {@code run("Register Images...", "fixed=[a.tif] moving=[b.tif] maxshift=40,40");} */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Register Images...", visible = false, headless = true)
public final class RegisterImagesCommand extends ComputingCommand {

	@Parameter(label = "Fixed image", persist = false, description = "The image that stays: a plane, or a stack of slices. 8, 16 or 32 bits per pixel; not RGB.")
	private ImageInput fixed;

	// without autoFill = false SciJava would use the active image if a macro misspells the title
	@Parameter(label = "Moving image", persist = false, autoFill = false,
		description = "The image that is moved. Its size can differ from that of the fixed image.")
	private ImageInput moving;

	@Parameter(label = "Channel (empty: shown)", persist = false, required = false, attrs = @Attr(name = Keys.ONCE), description = MovedImage.CHANNELS)
	private String channels = "";

	@Parameter(label = "Maximum shift (pixels: x,y; empty: any)", persist = false, required = false, description = SettingWords.MAX_SHIFT)
	private String maxshift = "";

	@Parameter(label = "Overlap (at least)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0", max = "1",
		stepSize = "0.05", description = SettingWords.MIN_OVERLAP)
	private double minoverlap = Registration.MIN_OVERLAP;

	@Parameter(label = "Mask of the fixed image", persist = false, required = false, attrs = { @Attr(name = Keys.TITLE), @Attr(name = Groups.MISSING) },
		description = "The title of an open image of the size of the fixed image. Pixels of 0 do not count. Default: none, all pixels count.")
	private String fixedmask = "";

	@Parameter(label = "Mask of the moving image", persist = false, required = false, attrs = { @Attr(name = Keys.TITLE), @Attr(name = Groups.MISSING) },
		description = "The title of an open image of the size of the moving image. Pixels of 0 do not count. Default: none, all pixels count.")
	private String movingmask = "";

	@Parameter(label = "Peaks in the table", persist = false, attrs = @Attr(name = Groups.RESULTS), min = "1",
		description = "The number of peaks of the correlation in the results table. Default: 2.")
	private int peaks = 2;

	@Parameter(label = "Interpolation", persist = false, choices = { "integer", "linear", "cubic", "lanczos", "fourier" },
		description = SettingWords.INTERPOLATION)
	private String interpolation = "cubic";

	@Parameter(label = "Border", persist = false, attrs = @Attr(name = Groups.MOVED), choices = { "edge", "constant", "nan" },
		description = "What pixels outside the moving image are. edge: the nearest pixel. constant: the value below. nan: NaN, for 32-bit images. Default: constant.")
	private String border = "constant";

	@Parameter(label = "Value outside", persist = false, attrs = @Attr(name = Groups.MOVED), description = MovedImage.VALUE)
	private double constant = 0;

	@Parameter(label = "Append to the table", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = APPEND)
	private boolean append = false;

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-frames", "cuda-frames" })
	private String algorithm = AUTO;

	@Parameter(label = "Registered", type = ItemIO.OUTPUT)
	private Img<?> output;

	/** Output for scripts. */
	@Parameter(label = "Alignment", type = ItemIO.OUTPUT)
	private Alignment alignment;

	@Override
	public Optional<String> missing(final FrontEnd program) {
		if (program.activeImage().isEmpty()) return fixed == null ? Optional.of(NO_IMAGE) : Optional.empty();
		return moving != null || program.openImages().size() > 1 ? Optional.empty()
			: Optional.of("Register Images needs two images: open a second image. " + openImages(program.openImages()));
	}

	/** A plane for a plane, and a stack for a stack. */
	@Override
	public List<String> preferred(final FrontEnd program, final String active) {
		final List<String> stacks = program.stacks();
		return program.openImages().stream().filter(title -> !title.equals(active) && stacks.contains(title) == stacks.contains(active))
			.toList();
	}

	@Override
	protected String section() {
		return "registration.md#in-fiji";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		requireImage("fixed", fixed);
		requireImage("moving", moving);
		requireChannels("fixed image", fixed);
		requireChannels("moving image", moving);
		final boolean volume = fixed.axes().indexOf('z') >= 0;
		final int n = volume ? 3 : 2;
		if (volume != moving.axes().indexOf('z') >= 0) throw new IllegalArgumentException("'" + fixed.name() + "' has " + n
			+ " spatial dimensions, and '" + moving.name() + "' has " + (volume ? 2 : 3) + ". Use two planes, or two stacks of slices.");
		final Outside beyond = MovedImage.outside(border, constant);
		final Registration registration = Registration.of(measured(fixed, n)).minOverlap(Range.PART.of("minoverlap=", minoverlap))
			.peaks(Math.max(2, peaks)).compute(computing(SINGLE, algorithm).monitor(monitor));
		if (!maxshift.isBlank()) registration.maxShift(WholeNumbers.lengths("maxshift=", maxshift, n, 0));
		if (!fixedmask.isBlank()) registration.fixedMask(program.image(fixedmask.trim()).pixels());
		if (!movingmask.isBlank()) registration.movingMask(program.image(movingmask.trim()).pixels());
		alignment = registration.register(measured(moving, n));
		final int third = volume ? moving.axes().indexOf('z') : 2;
		final Img<?> moved = registration.move(third == 2 ? moving.pixels() : Views.moveAxis(moving.pixels(), third, 2), alignment.shift(),
			MovedImage.interpolation(interpolation), beyond);
		final ImageInput source = fixed.axes().equals(moving.axes()) ? fixed : moving;
		output = MovedImage.open(this, third == 2 ? moved : Views.moveAxis(moved, 2, third),
			MovedImage.REGISTERED + moving.name(), source, moving, new long[moved.numDimensions()],
			Map.of("NCC.fixed", fixed.name(), "NCC.interpolation", interpolation));
		program.show(table(), append);
		if (alignment.doubtful()) note("the shift of " + moving.name() + " is doubtful: " + alignment.doubt()
			+ ". A smaller maximum shift can help, or a smaller minimum overlap.");
		if (alignment.edge()) note("the peak of " + moving.name() + " lies at the end of the search. Increase the maximum shift.");
		done(String.format(Locale.ROOT, "%sshift %s pixels, score %.4f", alignment.doubtful() ? "doubtful " : "",
			Arrays.stream(alignment.shift()).mapToObj(s -> String.format(Locale.ROOT, "%.2f", s)).collect(Collectors.joining(", ")),
			alignment.score()));
	}

	private RandomAccessibleInterval<?> measured(final ImageInput image, final int n) {
		if (image.axes().indexOf('t') >= 0) throw new IllegalArgumentException("'" + image.name()
			+ "' has several frames. Use Correct Drift for a stack, or duplicate one frame.");
		final int c = image.axes().indexOf('c');
		final RandomAccessibleInterval<?> pixels = image.pixels();
		if (c < 0) return pixels;
		final RandomAccessibleInterval<?> spatial = n == 3 && image.axes().indexOf('z') != 2
			? Views.moveAxis(pixels, image.axes().indexOf('z'), 2) : pixels;
		return JointChannels.of(spatial, n == 3 ? 3 : 2, MovedImage.channels(channels, image), n);
	}

	/**
	 * A row for each peak, the best first. D: the shift in pixels. Shift: the shift in the unit of the fixed image. Planes have no Z. Sigma: the
	 * standard deviation of D in pixels, for the best peak, which alone is refined.
	 */
	private Table table() {
		final int n = alignment.shift().length;
		final IntFunction<Alignment.Peak> peak = alignment.peaks()::get;
		return new TableColumns<>(IntStream.range(0, Math.min(peaks, alignment.peaks().size())).boxed().toList())
			.add("Peak", i -> i + 1).add("Score", ShownNumber.SCORE, i -> peak.apply(i).score())
			.each("D", n, (i, d) -> peak.apply(i).shift()[d]).add("Image", i -> moving.name())
			.lengths("Shift", n, d -> fixed.calibration().size(d), (i, d) -> peak.apply(i).shift()[d] * fixed.calibration().size(d))
			.add("Unit", i -> fixed.calibration().units(1))
			.add("Overlap", ShownNumber.SCORE, i -> peak.apply(i).overlap()).add("Doubtful", i -> alignment.doubtful())
			.add("FalseAlarms", ShownNumber.PROBABILITY, i -> i == 0 ? alignment.falseAlarms() : Double.NaN)
			.errors(n, (i, d) -> i == 0 ? alignment.sigma(d) : Double.NaN, (i, d, e) -> i == 0 ? alignment.correlation(d, e) : Double.NaN)
			.table(FrontEnd.REGISTRATION);
	}
}
