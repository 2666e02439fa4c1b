package sc.fiji.ncc.pose;

import java.util.List;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.option.Range;

/**
 * The settings of a search for poses.
 *
 * @param masks one for each template; empty if there are none
 * @param inner the inner radius of a ring as a share of the outer one
 * @param minScore the minimum score of a match
 * @param falseAlarms the expected number of false alarms, which counts in place of the minimum score; NaN if the score counts
 * @param choice which matches are found
 * @param inside the box for supports; null for the whole image
 * @param maps whether the search also returns the best score and the pose of each position
 * @param boundShare the factor of the bound's residual norms: 1. Tests make it smaller to see that they notice
 */
public record PoseSettings(List<? extends RandomAccessibleInterval<?>> masks, PoseGrid grid, PoseSupport support, double inner,
	double minScore, double falseAlarms, Choice choice, Interval inside, boolean maps, double boundShare)
{

	/**
	 * Which matches are found.
	 *
	 * @param maxMatches the largest number in a frame
	 * @param overlap the largest share of the smaller of two supports that both have in common
	 * @param compete whether a match suppresses overlapping matches of other templates
	 * @param refine whether position, angle and scale are refined
	 */
	public record Choice(int maxMatches, double overlap, boolean compete, boolean refine) {

		public Choice {
			Range.COUNT.of("the maximum number of matches is ", maxMatches);
			Range.SHARE.of("the maximum overlap is ", overlap);
		}
	}

	public static final PoseSettings DEFAULT = new PoseSettings(List.of(), PoseGrid.DEFAULT, PoseSupport.DISK, 0.5, 0.7, Double.NaN,
		new Choice(Integer.MAX_VALUE, 0.5, true, true), null, false, 1);

	public PoseSettings {
		Range.SCORE.of("the minimum score is ", minScore);
	}
}
