package sc.fiji.ncc.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.PlannerMapDrawing;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.CostCalibration;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.PlannerMap;
import sc.fiji.ncc.result.NccException;

/** {@code ncc plan}: which method is the quickest for a problem of some size, or for all sizes. */
@Command(name = "plan", mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, description = {
	"Says which methods there are for images and templates of some size, what each takes, and which one is taken. No image is needed.",
	"Give --image and --template for one size, or --map for a picture of which method is the quickest at all sizes. --calibrate fits the estimates to "
		+ "this machine.",
	"What a method takes more when it first runs in a new process counts for one size, and not in a map." })
final class PlanSubcommand implements Callable<Integer> {

	private final Terminal program;

	@Option(names = "--image", paramLabel = "WxH[xD]", converter = SizeConverter.class,
		description = "The image's size in pixels, as in 2000x1500. Extents beyond the template's are frames: 2000x1500x50 with a template of 32x32 is a stack.")
	private Size image;

	@Option(names = "--template", paramLabel = "WxH[xD]", converter = SizeConverter.class, description = "The template's size in pixels, of two or three dimensions.")
	private Size template;

	@Option(names = "--map", paramLabel = "OUT.png", description = {
		"Draw a map instead: square images with sides of 32 to 4096 against square templates of 2 to 256, in the colour of the quickest method; "
			+ "white where the template does not fit. The numbers go beside it as OUT.csv: a row for each method, the quickest of a size first.",
		"With --effort estimate in fine steps, at once; with --effort measure at powers of two, in minutes." })
	private String map;

	@Option(names = "--calibrate", description = {
		"Measure on this machine what estimates are made of, in less than 10 s, while nothing else runs, and keep it; see 'ncc wisdom'. "
			+ "It holds for this number of threads and this Java. Without it estimates are made of what was measured on another machine." })
	private boolean calibrate;

	/** What a problem is about. */
	private enum What { CORRELATE, CONVOLVE }

	@Option(names = "--operation", paramLabel = "correlate|convolve", defaultValue = "correlate",
		description = "What is to be done: correlate (unless said), or convolve, the template being the kernel.")
	private What operation;

	@Option(names = "--terms", paramLabel = "N", defaultValue = "0", description = {
		"Of a convolution, of how many products of one-dimensional kernels the kernel is the sum: 1 for a Gaussian or a box, which are separable. "
			+ "Unless said, it is not such a sum." })
	private int terms;

	@Option(names = "--type", paramLabel = "u8|s8|u16|s16|u32|s32|f32|f64", defaultValue = "u8",
		description = "How the image's pixels are stored: unsigned, signed or floating, and how many bits. Unless said: u8.")
	private PixelType type;

	@Option(names = "--template-type", paramLabel = "TYPE", description = "How the template's pixels are stored. Unless said, as the image's.")
	private PixelType templateType;

	@Option(names = "--frames", paramLabel = "N", defaultValue = "1", description = "How many such images follow each other. Unless said: 1.")
	private long frames;

	@Option(names = "--extent", paramLabel = "valid|same|full", defaultValue = "valid",
		description = "Which responses are given; see 'ncc correlate --help'. Unless said: valid.")
	private Extent extent;

	@Option(names = "--precision", paramLabel = "single|double", defaultValue = "single",
		description = "How exactly responses are computed; see 'ncc correlate --help'. Unless said: single.")
	private Precision precision;

	@Mixin
	private PlanningOptions planning;

	PlanSubcommand(final Terminal program) {
		this.program = program;
	}

	@Override
	public Integer call() throws IOException {
		planning.check();
		if (frames < 1) throw new IllegalArgumentException("--frames " + frames + ": give 1 or more");
		if (terms < 0) throw new IllegalArgumentException("--terms " + terms + ": give 1 or more, or leave it out");
		if (terms > 0 && operation != What.CONVOLVE) throw new IllegalArgumentException("--terms " + terms + " is of kernels: give --operation convolve, too");
		if (templateType == null) templateType = type;
		try {
			if (calibrate) calibrate();
			else if (map == null) one();
			else all();
		}
		catch (final DeviceException e) {
			throw new NccException(e.getMessage(), e);
		}
		return 0;
	}

	private void one() {
		if (image == null || template == null)
			throw new IllegalArgumentException("no size: give --image and --template, as in --image 2000x2000 --template 32x32, or --map OUT.png");
		if (template.dimensions() > 3)
			throw new IllegalArgumentException("the template of " + template + " has " + template.dimensions() + " dimensions: give two or three");
		program.out().println(planner().rank(problem(image, template), PlanningOptions.only(planning.backend), PlanningOptions.only(planning.algorithm),
			planning.effort, Planner.MEASURING_SECONDS).explain());
	}

	private void calibrate() {
		if (image != null || template != null || map != null)
			throw new IllegalArgumentException("--calibrate is for all sizes: leave --image, --template and --map out");
		final List<CostCalibration> all;
		final Planner planner = planner();
		try (ProgressBar progress = program.progress(() -> false)) {
			all = planner.calibrate(CostCalibration.SECONDS, progress);
		}
		for (final CostCalibration c : all) {
			program.out().println(String.format(Locale.ROOT, "%s, %s: %d runs; the median estimate was off by %.0f%%, now by %.0f%%",
				c.device().id(), c.device().name(), c.runs(), 100 * c.errorBefore(), 100 * c.errorAfter()));
			c.constants().forEach((name, k) -> program.out().println(String.format("  %-20s %10s instead of %s", name, WisdomSubcommand.time(k.measured()),
				WisdomSubcommand.time(k.shipped()))));
		}
		program.out().println("kept in " + planner.wisdom().file());
	}

	private Planner planner() {
		return new Planner(Backends.all(planning.threads()));
	}

	private Problem problem(final Size imageSize, final Size templateSize) {
		if (operation == What.CONVOLVE) return Convolution.problem(type, imageSize, templateType, templateSize, terms, extent, frames).in(precision);
		return NormalizedCrossCorrelation.problem(type, imageSize, templateType, templateSize, extent, frames).in(precision);
	}

	private void all() throws IOException {
		if (image != null || template != null) throw new IllegalArgumentException("--map is drawn over all sizes: leave --image and --template out");
		if (!map.toLowerCase(Locale.ROOT).endsWith(".png")) throw new IllegalArgumentException("the map " + map + " would be a PNG file: let its name end in .png");
		final String table = map.substring(0, map.length() - ".png".length()) + ".csv";
		try (Outputs outputs = new Outputs(); ProgressBar progress = program.progress(outputs::canceled)) {
			final Path picture = outputs.promise(map, List.of()), numbers = outputs.promise(table, List.of());
			final Planner planner = planner();
			final boolean measure = planning.effort == Effort.MEASURE;
			final PlannerMap result = PlannerMap.of(measure ? PlannerMap.POWERS_OF_TWO : PlannerMap.EIGHTHS, (i, t) -> planner.rank(
				problem(Size.of(i, i), Size.of(t, t)), PlanningOptions.only(planning.backend), PlanningOptions.only(planning.algorithm), planning.effort,
				Planner.MEASURING_SECONDS, progress), progress);
			progress.close();
			try (Writer to = new BufferedWriter(new OutputStreamWriter(outputs.open(numbers), StandardCharsets.UTF_8))) {
				result.write(to);
			}
			try (OutputStream to = outputs.open(picture)) {
				Drawing.png(new PlannerMapDrawing(result).draw(PlannerMapDrawing.title(measure, type, templateType,
					operation == What.CONVOLVE ? terms == 0 ? "convolution" : "convolution, separable" : "", extent, frames, planning.threads())), to);
			}
			outputs.commit();
			result.summary().forEach(program.out()::println);
			program.out().println("wrote " + map + ", " + table);
		}
	}
}
