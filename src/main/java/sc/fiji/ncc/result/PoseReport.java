package sc.fiji.ncc.result;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import sc.fiji.ncc.image.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.planner.Ranking;

/**
 * How rotated templates are searched.
 *
 * @param poses the number of poses, over all templates
 * @param lines the decision for each template and scale: the number of correlations, and the estimated times
 * @param bytes the memory for the sampled templates and for the correlations of a box, or that of the device
 * @param rankings the candidates of the engine for each bank of correlations; empty if a device searches alone
 * @param device the device that searches alone; empty if the engine correlates
 */
public record PoseReport(int poses, List<String> lines, long bytes, List<Ranking> rankings, Optional<String> device) {

	public PoseReport {
		Given.nonNull(lines, "list of lines");
		Given.nonNull(rankings, "list of rankings");
		Given.nonNull(device, "choice of the device");
	}

	/** What computes, in words: the device that searches alone, or the engine's algorithms. */
	public String methods() {
		return device.orElseGet(() -> rankings.stream().map(r -> r.best().map(c -> c.name()).orElse("?")).distinct().collect(Collectors.joining(" and ")));
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
