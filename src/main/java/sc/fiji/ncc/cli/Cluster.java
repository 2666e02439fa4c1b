package sc.fiji.ncc.cli;

import java.util.List;

import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.MotionParts;
import sc.fiji.ncc.register.DriftParts;
import sc.fiji.ncc.pose.PoseParts;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.parts.MatchParts;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.result.PosesFound;
import sc.fiji.ncc.stitch.StitchParts;

/** Processes that compute the boxes of a command. Each of them opens the parts of the same command line with {@link ClusterTask}. */
public interface Cluster {

	/**
	 * The matches of all frames.
	 *
	 * @param report the counts of the computed lags
	 * @param frames the matches of each frame
	 */
	record Found(Report report, List<MatchParts.FrameFound> frames) {}

	/**
	 * The matches of all frames in a search for poses.
	 *
	 * @param report the counts of the correlations
	 * @param frames those of each frame
	 */
	record Poses(Report report, List<PosesFound> frames) {}

	/** The number of CPU threads of a process, if the command line has no {@code --threads}. */
	int threads();

	/** The heap of a process in bytes. */
	long heap();

	/**
	 * Computes all boxes of maps.
	 *
	 * @param parts the maps in this process, which computes no boxes
	 * @param identity for {@link ClusterTask#open}
	 * @return the sums over all boxes
	 */
	MapParts.Done maps(MapParts parts, String identity);

	/**
	 * Finds the matches of all frames.
	 *
	 * @param parts the matches in this process, which reads no pixels
	 * @param identity for {@link ClusterTask#open}
	 */
	Found matches(MatchParts parts, String identity);

	/**
	 * Finds the matches of all frames in a search for poses.
	 *
	 * @param parts the search in this process, which reads no pixels
	 * @param identity for {@link ClusterTask#open}
	 */
	Poses poses(PoseParts parts, String identity);

	/**
	 * Measures a drift.
	 *
	 * @param parts the measurement in this process, which reads no pixels
	 * @param identity for {@link ClusterTask#open}
	 */
	Drift drift(DriftParts parts, String identity);

	/**
	 * Measures the positions of tiles.
	 *
	 * @param parts the measurement in this process, which reads no pixels
	 * @param identity for {@link ClusterTask#open}
	 */
	Mosaic mosaic(StitchParts parts, String identity);

	/**
	 * Measures the motion in pairs of frames.
	 *
	 * @param parts the measurement in this process, which measures no pair
	 * @param identity for {@link ClusterTask#open}
	 */
	MotionFields motion(MotionParts parts, String identity);

	/**
	 * Writes all parts of an image.
	 *
	 * @param parts the parts in this process, which writes none
	 * @param identity for {@link ClusterTask#open}
	 */
	void written(WrittenParts parts, String identity);

	/** One line about the processes and their work, for the user. */
	String summary();
}
