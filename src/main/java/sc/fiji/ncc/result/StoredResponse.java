package sc.fiji.ncc.result;

import java.util.List;

import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * What became of a correlation, or a convolution, whose maps went elsewhere.
 *
 * @param shapes of the maps, one a template
 * @param report counts of the lags that were computed
 * @param before how many responses were there from an earlier run
 * @param rankings as in {@link Response}
 * @param seconds wall clock, from reading the first pixel to the last response's being written
 */
public record StoredResponse(List<MapShape> shapes, Report report, long before, List<Ranking> rankings, double seconds) {}
