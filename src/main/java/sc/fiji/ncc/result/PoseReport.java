package sc.fiji.ncc.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
 * @param parts the predicted time of all frames, part by part; empty if nothing was predicted
 * @param bytes the memory for the sampled templates and for the correlations of a box, or that of the device
 * @param rankings the candidates of the engine for each bank of correlations; empty if a device searches alone
 * @param device the device that searches alone; empty if the engine correlates
 */
public record PoseReport(int poses, List<String> lines, List<Part> parts, long bytes, List<Ranking> rankings, Optional<String> device) {

	/**
	 * A part of a search.
	 *
	 * @param name in words
	 * @param seconds its predicted time
	 */
	public record Part(String name, double seconds) {

		public Part {
			Given.nonNull(name, "name");
		}
	}

	public PoseReport {
		Given.nonNull(lines, "list of lines");
		Given.nonNull(parts, "list of parts");
		Given.nonNull(rankings, "list of rankings");
		Given.nonNull(device, "choice of the device");
	}

	/** What computes, in words: the device that searches alone, or the engine's algorithms. */
	public String methods() {
		return device.orElseGet(() -> rankings.stream().map(r -> r.best().map(c -> c.name()).orElse("?")).distinct().collect(Collectors.joining(" and ")));
	}

	/** The predicted time of all frames, in seconds: the sum of the parts. */
	public double seconds() {
		return parts.stream().mapToDouble(Part::seconds).sum();
	}

	/** For the user: the decisions, then each part of the predicted time, and their sum. */
	public List<String> explain() {
		final List<String> all = new ArrayList<>(lines);
		for (final Part p : parts) all.add(line(p.name(), p.seconds()));
		if (!parts.isEmpty()) all.add(line("predicted in total", seconds()));
		return all;
	}

	private static String line(final String name, final double seconds) {
		return String.format(Locale.ROOT, "  %-36s %12.2f ms", name, 1e3 * seconds);
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
