package sc.fiji.ncc.front;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;

import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/**
 * The columns of a table of matches that all front ends have.
 *
 * @param pose the pose of the match in a row; null if templates are not rotated
 */
public record MatchColumns<R>(TableColumns<R> to, Function<? super R, Match> match, Function<? super R, PoseMatch> pose) {

	/**
	 * Adds how far the minimum score holds that follows from the background, before it the probability of such a score in background at one position, and
	 * the expected number of such matches in the background of the whole search. Rotated templates have neither.
	 */
	public void statistics() {
		if (pose == null) to.add("Probability", ShownNumber.PROBABILITY, r -> match.apply(r).probability())
			.add("FalseAlarms", ShownNumber.PROBABILITY, r -> match.apply(r).falseAlarms());
		to.add("MinScore", ShownNumber.SCORE, r -> match.apply(r).minScore())
			.add("Background", r -> match.apply(r).background().name().toLowerCase(Locale.ROOT));
	}

	/** Adds standard deviations: of positions in pixels, of angles in degrees, of scales in per cent. And the correlations of the errors of positions. */
	public void errors(final int dimensions) {
		to.errors(dimensions, (r, d) -> match.apply(r).sigma(d), (r, d, e) -> match.apply(r).correlation(d, e));
		if (pose != null) to.add("SigmaAngle", ShownNumber.SCORE, r -> pose.apply(r).sigmaAngle())
			.add("SigmaScale", ShownNumber.SCORE, r -> pose.apply(r).sigmaScale());
	}

	public void quality() {
		to.add("RunnerUp", ShownNumber.SCORE, r -> match.apply(r).quality().runnerUp())
			.add("Ratio", r -> match.apply(r).quality().ratio(match.apply(r).score())).add("SidelobeRatio", r -> match.apply(r).quality().sidelobe());
	}

	/** Adds whether the window lies at the edge of the searched region and the image continues there. */
	public void edge() {
		to.add("Edge", r -> match.apply(r).edge());
	}

	/** Adds the angle, the scale and the reflection, and in three dimensions the quaternion of the rotation. */
	public void poses(final int dimensions) {
		poses(to, dimensions, r -> pose.apply(r).pose());
	}

	private static <R> TableColumns<R> poses(final TableColumns<R> to, final int dimensions, final Function<? super R, Pose> pose) {
		to.add("Angle", r -> pose.apply(r).angle()).add("Scale", ShownNumber.SCORE, r -> pose.apply(r).scale()).add("Mirrored", r -> pose.apply(r).mirrored());
		for (int q = 0; dimensions > 2 && q < 4; q++) {
			final int part = q;
			to.add("Rotation" + "WXYZ".charAt(q), ShownNumber.SCORE, r -> pose.apply(r).rotation()[part]);
		}
		return to;
	}

	/** A table of poses and their numbers, counted from 1. */
	public static TableColumns<Integer> list(final List<Pose> poses) {
		return poses(new TableColumns<>(IntStream.range(0, poses.size()).boxed().toList()).add("Pose", i -> i + 1),
			poses.get(0).rotation() == null ? 2 : 3, poses::get);
	}
}
