package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.PlannerMapDrawing;
import sc.fiji.ncc.front.PlanOperation;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.CostCalibration;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.PlannerMap;
import sc.fiji.ncc.result.NccException;

/** {@code ncc plan}: which algorithm is the fastest for one size of problem, or for all sizes. */
@Command(name = "plan", description = {
	"Prints the algorithms for an image and a template of given sizes, the expected time of each, and the choice. It needs no image.",
	"Give --image and --template for one size, or --map for an image of the fastest algorithm at all sizes. --calibrate fits the estimates to this machine.",
	"The extra time of an algorithm's first run in a new process counts for one size. It does not count in a map." })
final class PlanSubcommand extends Subcommand {

	/** The time limit of a calibration for each device. Tests shorten it. */
	static double calibrationSeconds = CostCalibration.SECONDS;

	private static final Set<String> OF_CALIBRATION = Set.of("--calibrate", "--backend", "--threads", "--memory");

	@Option(names = "--image", paramLabel = "WxH[xD]",
		description = "The size of the image in pixels, as in 2000x1500. Dimensions beyond the template's are frames: 2000x1500x50 with a template of 32x32 is a stack.")
	private Size image;

	@Option(names = "--template", paramLabel = "WxH[xD]", description = "The size of the template in pixels, with two or three dimensions.")
	private Size template;

	@Option(names = "--map", paramLabel = "OUT.png", description = {
		"Draw a map instead: the fastest algorithm, as a colour, for square images of 32 to 4096 and square templates of 2 to 256 pixels. "
			+ "White: the template does not fit. Also writes the numbers to OUT.csv: one row per algorithm, the fastest of each size first.",
		"With --effort estimate: fine steps, at once. With --effort measure: powers of two, some minutes." })
	private String map;

	@Option(names = "--calibrate", description = {
		"Measure the constants of the estimates on this machine, in 20 to 30 s a device, and keep them; see 'ncc wisdom'. Run it while nothing else runs. "
			+ "They hold for this number of threads and this Java. Without them, estimates use constants from another machine." })
	private boolean calibrate;

	@Option(names = "--operation", paramLabel = "correlate|convolve|rotate|align|move|motion|deform", defaultValue = "correlate", description = {
		"The operation. convolve: the template is the kernel. Default: correlate.",
		"rotate: the search for --poses of the template. align: the drift of --frames, without a template, with the reference multi. "
			+ "move: the correction of --frames by --interpolation, also if they are --deformed.",
		"motion: the motion field of --frames in one pass; the template is a window, half a window from the next one, and shifts are up to a third of it.",
		"deform: the deformations of --frames, as of 'ncc align --piecewise', with the reference multi; the template is a window." })
	private PlanOperation operation;

	@Option(names = "--terms", paramLabel = "N", description = {
		"For a convolution: the kernel is a sum of N products of one-dimensional kernels. 1 for a Gaussian or a box. Default: not such a sum." })
	private Integer terms;

	@Option(names = "--poses", paramLabel = "N", defaultValue = "" + PlanOperation.POSES, description = {
		"The number of rotated, scaled and mirrored templates, with --operation rotate. Default: ${DEFAULT-VALUE}.",
		"Every pose is correlated. A basis of the poses, which mostly saves time, depends on the pixels: 'ncc match --angles ... --explain' plans with it." })
	private int poses;

	@Option(names = "--interpolation", paramLabel = "linear|cubic|lanczos|fourier", defaultValue = "cubic",
		description = "How frames are moved, with --operation move. Default: cubic.")
	private Interpolation interpolation;

	@Option(names = "--deformed",
		description = "With --operation move: frames are deformed, as 'ncc align --piecewise' corrects them. Default: they are shifted.")
	private boolean deformed;

	@Option(names = "--type", paramLabel = "u8|s8|u16|s16|u32|s32|f32|f64", defaultValue = "u8",
		description = "The pixel type of the image: u (unsigned), s (signed) or f (floating point), and the number of bits. Default: u8.")
	private PixelType type;

	@Option(names = "--template-type", paramLabel = "TYPE", description = "The pixel type of the template. Default: that of the image.")
	private PixelType templateType;

	@Option(names = "--frames", paramLabel = "N", description = "The number of images of this size, one after the other. Default: 1, and 2 with"
		+ " --operation align, motion and deform, which need at least 2.")
	private Long frames;

	@Option(names = "--extent", paramLabel = "valid|same|full", defaultValue = "valid",
		description = "Which responses are computed; see 'ncc correlate --help'. Default: valid.")
	private Extent extent;

	@Option(names = "--precision", paramLabel = "single|double", defaultValue = "single",
		description = "The precision of responses; see 'ncc correlate --help'. Default: single.")
	private Precision precision;

	@Option(names = "--response-type", paramLabel = "float|16-bit|8-bit", defaultValue = "float",
		description = "The type of the coefficients in a map, with --operation correlate; see 'ncc correlate --help'. Default: float.")
	private ResponseType responseType;

	@Mixin
	private PlanningOptions planning;

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		planning.check();
		frames = operation.frames(frames, "--", " ");
		final List<String> given = given();
		given.forEach(option -> operation.require(option.substring(2), "--", " "));
		if (terms != null && terms < 1) throw new IllegalArgumentException("--terms " + terms + ": give 1 or more, or leave it out");
		if (calibrate && !OF_CALIBRATION.containsAll(given)) throw new IllegalArgumentException("--calibrate holds for all problems: leave "
			+ given.stream().filter(option -> !OF_CALIBRATION.contains(option)).collect(Collectors.joining(", ")) + " out");
		if (interpolation == Interpolation.INTEGER)
			throw new IllegalArgumentException("--interpolation integer computes nothing: give linear, cubic, lanczos or fourier");
		if (templateType == null) templateType = type;
		try {
			if (calibrate) calibrate(progress);
			else if (map == null) one(progress);
			else all(outputs, progress);
		}
		catch (final DeviceException e) {
			throw new NccException(e.getMessage(), e);
		}
	}

	private void one(final ProgressBar progress) {
		final boolean noTemplate = template == null && operation.has("template");
		if (image == null && (noTemplate || !operation.has("template"))) throw new IllegalArgumentException("no size: give --image"
			+ (noTemplate ? " and --template, as in --image 2000x2000 --template 32x32" : ", as in --image 2000x2000")
			+ (operation.has("map") ? ", or --map OUT.png" : ""));
		if (image == null) throw new IllegalArgumentException("no size of the image: give --image too, as in --image 2000x2000");
		if (noTemplate) throw new IllegalArgumentException("no size of the template: give --template too, as in --template 32x32");
		if (template != null && template.dimensions() > 3)
			throw new IllegalArgumentException("the template of " + template + " has " + template.dimensions() + " dimensions: give two or three");
		program.out().println(computing(progress).rank(operation.problem(image, template, settings())).explain());
		final String maps = operation.maps(image, template, settings());
		if (!maps.isEmpty()) program.out().println(maps);
	}

	private void calibrate(final ProgressBar progress) {
		final ComputeOptions computing = computing(progress);
		final Planner planner = computing.planner().orElseThrow();
		final List<CostCalibration> all = planner.calibrate(calibrationSeconds, computing.backend(), progress);
		progress.close();
		for (final CostCalibration c : all) lines(c).forEach(program.out()::println);
		program.out().println("kept in " + planner.wisdom().file());
	}

	/** A calibration in words: how good the estimates are, and each constant. */
	static List<String> lines(final CostCalibration c) {
		final List<String> lines = new ArrayList<>();
		lines.add(String.format(Locale.ROOT, "%s, %s: %d runs; median error of the estimates: %.0f%% before, %.0f%% after",
			c.device().id(), c.device().name(), c.runs(), 100 * c.errorBefore(), 100 * c.errorAfter()));
		c.constants().forEach((name, k) -> lines.add(String.format("  %-20s %10s instead of %s", name, WisdomSubcommand.time(k.measured()),
			WisdomSubcommand.time(k.shipped()))));
		return lines;
	}

	private ComputeOptions computing(final Monitor monitor) {
		return planning.options(precision).monitor(monitor).planner(new Planner(Backends.all(planning.threads(), planning.memory())));
	}

	/** The number of products of one-dimensional kernels; 0 if the kernel is no such sum. */
	private int terms() {
		return terms == null ? 0 : terms;
	}

	private PlanOperation.Settings settings() {
		return new PlanOperation.Settings(type, templateType, frames, terms(), poses, interpolation, deformed, extent, precision, responseType);
	}

	private void all(final Outputs outputs, final ProgressBar progress) throws IOException {
		if (image != null || template != null) throw new IllegalArgumentException("--map shows all sizes: leave --image and --template out");
		Outputs.requirePng("map", map);
		final String table = map.substring(0, map.length() - ".png".length()) + ".csv";
		final Path picture = outputs.promise(map, List.of()), numbers = outputs.promise(table, List.of());
		final ComputeOptions computing = computing(progress);
		final boolean measure = planning.effort == Effort.MEASURE;
		final PlannerMap result = PlannerMap.of(measure ? PlannerMap.POWERS_OF_TWO : PlannerMap.EIGHTHS,
			(i, t) -> computing.rank(operation.problem(Size.of(i, i), Size.of(t, t), settings())), progress);
		progress.close();
		outputs.text(numbers, result::write);
		outputs.bytes(picture, to -> Drawing.png(new PlannerMapDrawing(result).draw(PlannerMapDrawing.title(measure, type, templateType,
			operation == PlanOperation.CONVOLVE ? terms() == 0 ? "convolution" : "convolution, separable" : "", extent,
			responseType.pixels(precision), frames, planning.threads())), to));
		outputs.commit();
		result.summary().forEach(program.out()::println);
		program.out().println("wrote " + map + ", " + table);
	}
}
