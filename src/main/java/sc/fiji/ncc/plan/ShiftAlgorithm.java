package sc.fiji.ncc.plan;

/** A method that finds the shifts between whole frames. */
public interface ShiftAlgorithm extends Algorithm<FramePairs> {

	@Override
	default Class<FramePairs> kind() {
		return FramePairs.class;
	}

	@Override
	ShiftPlan plan(FramePairs problem, Device device);
}
