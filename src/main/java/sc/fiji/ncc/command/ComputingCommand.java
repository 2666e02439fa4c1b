package sc.fiji.ncc.command;

import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;

import sc.fiji.ncc.command.program.Groups;

/** Base of the commands that compute: the parameters of the group {@link Groups#COMPUTATION} that all of them have. */
public abstract class ComputingCommand extends NccCommand {

	@Parameter(label = "Backend", persist = false, attrs = @Attr(name = Groups.COMPUTATION), choices = { AdvancedParameters.AUTO, "cpu", "cuda" },
		description = AdvancedParameters.BACKEND)
	private String backend = AdvancedParameters.AUTO;

	@Parameter(label = "Effort", persist = false, attrs = @Attr(name = Groups.COMPUTATION), choices = { "estimate", "measure" },
		description = AdvancedParameters.EFFORT)
	private String effort = "estimate";

	@Parameter(label = "Threads (0: all)", persist = false, attrs = @Attr(name = Groups.COMPUTATION), min = "0", description = AdvancedParameters.THREADS)
	private int threads = 0;

	@Parameter(label = "Memory in MB (0: all)", persist = false, attrs = @Attr(name = Groups.COMPUTATION), min = "0", description = AdvancedParameters.MEMORY)
	private int memory = 0;

	/** How the command computes, with its own precision and algorithm. */
	final AdvancedParameters computing(final String precision, final String algorithm) {
		return new AdvancedParameters(precision, backend, algorithm, effort, threads, memory);
	}
}
