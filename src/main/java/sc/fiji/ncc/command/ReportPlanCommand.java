package sc.fiji.ncc.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.scijava.command.Command;
import org.scijava.module.Module;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.drawing.PlannerMapDrawing;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.PlanOperation;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.front.WrittenNumber;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.PlannerMap;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;

/** Lists the algorithms of an operation for images and templates of one size: the time of each, which one is chosen, and why. */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Plan...", visible = false, headless = true)
public final class ReportPlanCommand extends ComputingCommand {

	private static final Map<String, Object> DEFAULTS = new ReportPlanCommand().settings();

	@Parameter(label = "Operation", persist = false, choices = { "correlate", "convolve", "rotate", "align", "move", "motion", "deform" },
		description = "convolve: the template is the kernel. rotate: the search for rotated templates. align: the drift of the frames."
			+ " move: the correction of the frames. motion: the motion of windows of the template's size."
			+ " deform: the deformations of the frames by such windows. align and move have no template. Default: correlate.")
	private String operation = "correlate";

	@Parameter(label = "Image size (pixels)", persist = false, description = "As in 2000x1500. Dimensions beyond the template's are frames.")
	private String image = "2000x2000";

	@Parameter(label = "Template size (pixels)", persist = false, description = "As in 32x32, or 16x16x8 with slices.")
	private String template = "32x32";

	@Parameter(label = "Pixel type", persist = false, choices = { "u8", "s8", "u16", "s16", "u32", "s32", "f32", "f64" },
		description = "u: unsigned integer. s: signed integer. f: floating point. The number is the number of bits. Images in ImageJ are u8, u16 or f32.")
	private String type = "u8";

	@Parameter(label = "Frames (0: automatic)", persist = false, min = "0",
		description = "Number of images of this size. Default: 0, automatic: 2 with align, motion and deform, which need at least 2;"
			+ " otherwise 1.")
	private int frames = 0;

	@Parameter(label = "Poses", persist = false, attrs = @Attr(name = Groups.TEMPLATES), min = "1",
		description = "Number of rotated, scaled and mirrored templates, with the operation rotate. Default: 360.")
	private int poses = PlanOperation.POSES;

	@Parameter(label = "Interpolation", persist = false, attrs = @Attr(name = Groups.MOVED), choices = { "linear", "cubic", "lanczos", "fourier" },
		description = "How frames are moved, with the operation move. Default: cubic.")
	private String interpolation = "cubic";

	@Parameter(label = "Deformed frames", persist = false, attrs = @Attr(name = Groups.MOVED),
		description = "With the operation move: frames are deformed, as Correct Motion corrects them. Default: off.")
	private boolean deformed = false;

	@Parameter(label = PositionParameters.EXTENT_LABEL, persist = false, choices = { "valid", "same", "full" }, description = PositionParameters.EXTENT)
	private String extent = "valid";

	@Parameter(label = "Map of the fastest algorithms", persist = false, description = "Draws the fastest algorithm for each size of image and template. With effort measure, this takes minutes.")
	private boolean map = false;

	@Parameter(label = "Clear earlier measurements", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.COMPUTATION) },
		description = "Deletes the measured times and the calibration of the models.")
	private boolean clear = false;

	@Parameter(label = "Type of responses", persist = false, attrs = @Attr(name = Groups.RESULTS), choices = { FLOAT, "16-bit", "8-bit" },
		description = "The type of the pixels of a map, with the operation correlate. Default: float.")
	private String responsetype = FLOAT;

	@Parameter(label = "Precision", persist = false, attrs = @Attr(name = Groups.COMPUTATION), choices = { SINGLE, "double" },
		description = PRECISION)
	private String precision = SINGLE;

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-direct-exact", "cpu-direct", "cpu-fourier", "cpu-fourier-whole", "cpu-fourier-partitioned",
		"cuda-small-shifts", "cuda-direct-exact", "cuda-direct", "cuda-fourier", "cuda-fourier-tiles", "cuda-handbook-constant", "cuda-handbook-texture",
		"cpu-convolve-separable", "cpu-convolve-direct", "cpu-convolve-fourier", "cuda-convolve-separable", "cuda-convolve-direct", "cuda-convolve-fourier",
		"cpu-bounded", "cpu-every-pose", "cuda-bounded", "cuda-poses", "cuda-bounded-host", "cuda-every-pose", "cpu-frames-binned", "cpu-frames", "cuda-frames",
		"cpu-resample", "cuda-resample", "cpu-windows", "cpu-window-templates", "cuda-windows", "cuda-window-templates", "cpu-deform",
		"cuda-deform" })
	private String algorithm = AUTO;

	@Override
	protected String section() {
		return "user-guide.md#plan";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		final ComputeOptions chosen = computing(precision, algorithm);
		final Planner planner = new Planner(Backends.all(chosen.threads(), chosen.memory()));
		final ComputeOptions computing = chosen.planner(planner).monitor(monitor);
		if (clear) clear(planner);
		final PlanOperation what = operation();
		final PixelType pixels = ChoiceText.of("type", type, PixelType.values());
		final Extent where = ChoiceText.of("extent", extent, Extent.values());
		unused(what).forEach(key -> what.require(key, "", "="));
		final long count = what.frames(frames == 0 ? null : (long) frames, "", "=");
		final PlanOperation.Settings settings = new PlanOperation.Settings(pixels, pixels, count, 0, poses,
			ChoiceText.of("interpolation", interpolation, Interpolation.LINEAR, Interpolation.CUBIC, Interpolation.LANCZOS,
				Interpolation.FOURIER), deformed, where, computing.precision(), ChoiceText.of("responsetype", responsetype, ResponseType.values()));
		final Size images = size("image", image), templates = what.has("template") ? size("template", template) : null;
		program.show(table(computing.rank(what.problem(images, templates, settings))), false);
		done(what.maps(images, templates, settings));
		if (!map) return;
		final boolean measure = computing.effort() == Effort.MEASURE;
		final PlannerMap fastest = PlannerMap.of(measure ? PlannerMap.POWERS_OF_TWO : PlannerMap.EIGHTHS,
			(i, t) -> computing.rank(what.problem(Size.of(i, i), Size.of(t, t), settings)), monitor);
		program.show("NCC Planner Map",
			new PlannerMapDrawing(fastest).draw(PlannerMapDrawing.title(measure, pixels, pixels, what == PlanOperation.CONVOLVE
			? "convolution" : "", where, settings.responseType().pixels(settings.precision()), settings.frames(), computing.threads())));
	}

	/** The keys of other operations whose values are not the defaults. */
	private List<String> unused(final PlanOperation what) {
		return settings().keySet().stream().filter(key -> !what.has(key) && !settings().get(key).equals(DEFAULTS.get(key))).toList();
	}

	/** The values of the keys that not all operations have. */
	private Map<String, Object> settings() {
		return new TreeMap<>(Map.of("template", template, "poses", poses, "interpolation", interpolation, "deformed", deformed, "extent", extent,
			"precision", precision, "responsetype", responsetype, "map", map));
	}

	/**
	 * A dialog shows the settings of all operations and the values of the last dialog. What the operation does not have gets its default, also
	 * in a recorded macro.
	 */
	@Override
	public void answered(final Module module) {
		unused(operation()).forEach(key -> module.setInput(key, DEFAULTS.get(key)));
	}

	private PlanOperation operation() {
		return ChoiceText.of("operation", operation, PlanOperation.values());
	}

	private static void clear(final Planner planner) {
		try {
			planner.wisdom().clear();
		}
		catch (final IOException e) {
			throw new UncheckedIOException("Cannot delete the measured times in " + planner.wisdom().file(), e);
		}
	}

	private static Size size(final String key, final String text) {
		return WrittenNumber.read(text, WholeNumbers::size, key + "=" + text + " is not a size. Give whole pixels above 0, as in 2000x1500 or 512x512x40.");
	}

	private static Table table(final Ranking ranking) {
		final Table table = new Table("NCC Plan", "Method", "Predicted (ms)", "To start (ms)", "Measured (ms)", "Memory (MB)", "Why", "Device");
		table.decimals(1, List.of("Memory (MB)"));
		for (final Candidate c : ranking.candidates()) table.row(c.name(), c.applies() ? Ranking.milliseconds(c.plan().cost().seconds()) : "-",
			c.applies() ? Ranking.milliseconds(c.startSeconds()) : "-", c.measured().isPresent() ? Ranking.milliseconds(c.measured().getAsDouble()) : "-",
			c.applies() ? Math.round(c.plan().cost().hostBytes() / 1e5) / 10.0 : "-", c.reason(), c.device() == null ? "-" : c.device().name());
		return table;
	}
}
