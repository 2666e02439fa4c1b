package sc.fiji.ncc.motion;

import java.util.List;

import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.plan.Given;

/**
 * The motion between two frames.
 *
 * @param grid the windows
 * @param from the index of the frame with the windows
 * @param to the index of the frame in which they were searched
 * @param vectors one for each window, x fastest
 * @param atEnd the share of the windows of the first pass whose highest peak lies at the end of the search: the motion can be larger there
 */
public record VectorField(WindowGrid grid, long from, long to, List<MotionVector> vectors, double atEnd) {

	public VectorField {
		Given.nonNull(grid, "grid");
		vectors = List.copyOf(Given.nonNull(vectors, "list of vectors"));
	}

	VectorField with(final List<MotionVector> others) {
		return new VectorField(grid, from, to, others, atEnd);
	}

	/** One component of the motion of all windows, in pixels. */
	public double[] component(final int d) {
		return vectors.stream().mapToDouble(v -> v.motion()[d]).toArray();
	}

	/** The vectors of the windows that the grid mask leaves, in their order. */
	public List<MotionVector> unmasked() {
		return vectors.stream().filter(v -> v.state() != State.MASKED).toList();
	}

	/** The number of valid vectors. */
	public long valid() {
		return vectors.stream().filter(MotionVector::isValid).count();
	}

	@Override
	public String toString() {
		return "motion of " + unmasked().size() + " windows of " + grid.window() + " from frame " + (from + 1) + " to " + (to + 1);
	}
}
