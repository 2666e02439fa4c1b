package sc.fiji.ncc.plan;

/**
 * What is to be computed: all properties that decide which algorithm is best, and no others. Problems have value equality. Their text is
 * complete, because it is a key of {@link sc.fiji.ncc.planner.Wisdom}.
 */
public sealed interface Problem permits Sliding, FramePairs, BoundedBank, WindowPairs, Resampling, Deformations {

	/** The number of images of the same size. */
	long frames();
}
