package sc.fiji.ncc.result;

import java.util.List;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * The summary of a correlation or a convolution whose maps were written to stores.
 *
 * @param shapes the sizes and origins of the maps, one per template
 * @param report the counts of the computed lags
 * @param before the number of responses that the stores had from an earlier run
 * @param rankings as in {@link Response}
 * @param seconds the elapsed time from reading the first pixel to the end of the last write, without the time of measuring candidates
 */
public record StoredResponse(List<MapShape> shapes, Report report, long before, List<Ranking> rankings, double seconds) {

	public StoredResponse {
		Given.nonNull(shapes, "list of shapes");
		Given.nonNull(report, "report");
		Given.nonNull(rankings, "list of rankings");
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
