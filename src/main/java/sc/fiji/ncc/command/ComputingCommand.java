package sc.fiji.ncc.command;

import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;

import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;

/**
 * Base of the commands that compute: the parameters of the group {@link Groups#COMPUTATION} that all of them have. SciJava lists the parameters of a base class
 * first; {@link Groups#ordered} puts them in their order.
 */
public abstract class ComputingCommand extends NccCommand {

	static final String AUTO = Keys.AUTO, SINGLE = "single", FLOAT = "float";

	/** Tooltips of parameters that not all commands have, or that differ in their choices. */
	static final String PRECISION = "single: error below about 1e-5. double: error below about 1e-10; slower. Default: single."
		+ " ImageJ shows and saves 32-bit values in both cases. Scores of matches are always exact.";
	static final String ALGORITHM = "Default: auto, the fastest. Plugins > NCC > Devices... lists the algorithms that this computer can run.";
	static final String APPEND = "On: keeps the rows of the table. Off: replaces them. Default: off.";
	static final String ROIS = "Without windows there is no ROI Manager. Default: off.";
	static final String FALSE_ALARMS = "Above 0: the expected number of false matches in the whole search, such as 0.05. The minimum score "
		+ "follows from it. Default: "
		+ "0; with the minimum score auto, 0.05.";
	static final String MAX_MATCHES = "Keeps the matches with the highest scores in each slice, channel and frame. Default: 0, all.";
	static final String COMPETE = "On: where matches of several templates overlap, only the best is kept. Off: templates do not affect each "
		+ "other. Default: on.";
	static final String REFINE = "Refines the subpixel positions by least squares on the pixels, and adds their standard deviations to the table. "
		+ "Default: off.";

	@Parameter(label = "Backend", persist = false, attrs = @Attr(name = Groups.COMPUTATION), choices = { AUTO, "cpu", "cuda" },
		description = "cpu: the processor. cuda: an NVIDIA GPU. Default: auto, the fastest. Plugins > NCC > Devices... lists them.")
	private String backend = AUTO;

	@Parameter(label = "Effort", persist = false, attrs = @Attr(name = Groups.COMPUTATION), choices = { "estimate", "measure" }, description =
		"How the fastest algorithm is found. estimate: by models and earlier measurements. measure: each algorithm is timed on noise first, for up to 5 "
		+ "s. Default: estimate.")
	private String effort = "estimate";

	@Parameter(label = "Threads (0: all)", persist = false, attrs = @Attr(name = Groups.COMPUTATION), min = "0",
		description = "Number of threads. Default: 0, one for each processor.")
	private int threads = 0;

	@Parameter(label = "Memory in MB (0: all)", persist = false, attrs = @Attr(name = Groups.COMPUTATION), min = "0",
		description = "Working memory in MB, besides images and maps. With less memory, Fourier methods are slower. Default: 0, all of the Java heap.")
	private int memory = 0;

	/**
	 * How the command computes.
	 *
	 * @param algorithm id of an algorithm, or {@code auto} for any
	 * @throws IllegalArgumentException if a value is not one of the choices
	 */
	final ComputeOptions computing(final String precision, final String algorithm) {
		final ComputeOptions all = ComputeOptions.DEFAULT;
		return all.precision(ChoiceText.of("precision", precision, Precision.values())).backend(id(backend)).algorithm(id(algorithm))
			.effort(ChoiceText.of("effort", effort, Effort.values()), Planner.MEASURING_SECONDS).threads(threads == 0 ? all.threads() : threads)
			.memory(memory == 0 ? all.memory() : memory * 1_000_000L);
	}

	private static String id(final String text) {
		final String id = text.trim();
		return id.isEmpty() || id.equalsIgnoreCase(AUTO) ? AUTO : id;
	}
}
