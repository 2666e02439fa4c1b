package sc.fiji.ncc.result;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * The best score over all poses of a template for each position, and its pose.
 *
 * @param score the scores in [-1, 1], within 1e-5; NaN where no pose reaches the minimum score, or where no support lies inside the image
 * @param pose the number of the pose in {@code poses}, counted from 1; 0 where the score is NaN
 * @param origin the position in the image of the first pixel of both maps. A position is the first pixel of the unrotated, unscaled box of the template
 * @param poses all poses that were searched
 * @param plan how the scores were computed, one line per scale
 * @param seconds the elapsed time
 */
public record BestPoses(Img<FloatType> score, Img<IntType> pose, long[] origin, List<Pose> poses, List<String> plan, double seconds) {

	public BestPoses {
		Given.nonNull(score, "image of scores");
		Given.nonNull(pose, "image of poses");
		Given.nonNull(origin, "origin");
		Given.nonNull(poses, "list of poses");
		Given.nonNull(plan, "plan");
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
