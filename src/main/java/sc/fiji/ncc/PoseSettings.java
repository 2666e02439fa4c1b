package sc.fiji.ncc;

import java.util.List;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseMethod;
import sc.fiji.ncc.pose.PoseSinks;
import sc.fiji.ncc.pose.PoseSupport;

/** The settings of a {@link PoseSearch}, with their defaults. */
final class PoseSettings {

	List<? extends RandomAccessibleInterval<?>> masks = List.of();
	PoseGrid grid = PoseGrid.DEFAULT;
	PoseSupport support = PoseSupport.DISK;
	double inner = 0.5;
	double minScore = PoseSearch.MIN_SCORE;
	/** The expected number of false alarms, which counts in place of the minimum score; NaN if the score counts. */
	double falseAlarms = Double.NaN;
	int maxMatches = Integer.MAX_VALUE;
	double overlap = 0.5;
	boolean compete = true;
	boolean refine = true;
	PoseMethod method = PoseMethod.AUTO;
	Interval inside;
	/** The factor of the bound's residual norms: 1. Tests make it smaller to see that they notice. */
	double boundShare = 1;

	PoseSettings() {}

	PoseSettings(final PoseSettings other) {
		masks = other.masks;
		grid = other.grid;
		support = other.support;
		inner = other.inner;
		minScore = other.minScore;
		falseAlarms = other.falseAlarms;
		maxMatches = other.maxMatches;
		overlap = other.overlap;
		compete = other.compete;
		refine = other.refine;
		method = other.method;
		inside = other.inside;
		boundShare = other.boundShare;
	}

	/** What the sinks need. */
	PoseSinks.Settings sinks() {
		return new PoseSinks.Settings(maxMatches, overlap, compete, refine);
	}
}
