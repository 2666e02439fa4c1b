package sc.fiji.ncc.result;

import java.util.List;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * The summary of a stream of frames.
 *
 * @param frames the number of frames
 * @param report the counts of the computed lags, over all templates and frames
 * @param rankings the candidates of each group of templates computed together, for the last frames; empty if there was no frame
 * @param seconds the elapsed time from the request for the first frame to the end of the last call of the consumer, without the time of measuring candidates
 * @param latency the mean time in seconds from reading a frame to passing on its result. It includes the time for which a frame waits for others in flight
 * @param longestLatency the longest of these times, in seconds
 */
public record StreamReport(long frames, Report report, List<Ranking> rankings, double seconds, double latency, double longestLatency) {

	public StreamReport {
		Given.nonNull(report, "report");
		Given.nonNull(rankings, "list of rankings");
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
