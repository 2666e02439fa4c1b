package sc.fiji.ncc.result;

import java.util.List;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Report;

/**
 * The matches of rotated templates in an image or a frame.
 *
 * @param matches the matches, best first
 * @param report the counts of the correlations
 * @param plan how the matches were found
 * @param minScore the minimum score, given or from the expected number of false alarms; of several frames the least one
 * @param backgrounds how far the minimum score of each frame holds; empty if it was given
 * @param maps the maps of best scores and poses, if they were asked for: one for each template of the first frame, then those of the next; otherwise empty
 * @param seconds the elapsed time, for a whole image without the time of measuring candidates
 */
public record PosesFound(List<PoseMatch> matches, Report report, PoseReport plan, double minScore, List<BackgroundState> backgrounds,
	List<BestPoses> maps, double seconds)
{

	public PosesFound {
		Given.nonNull(matches, "list of matches");
		Given.nonNull(report, "report");
		Given.nonNull(plan, "plan");
		Given.nonNull(backgrounds, "list of backgrounds");
		Given.nonNull(maps, "list of maps");
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
