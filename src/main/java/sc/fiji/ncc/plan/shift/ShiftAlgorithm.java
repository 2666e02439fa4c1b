package sc.fiji.ncc.plan.shift;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.FramePairs;

/** A method that finds the shifts between whole frames. */
public interface ShiftAlgorithm extends Algorithm<FramePairs> {

	@Override
	default Class<FramePairs> kind() {
		return FramePairs.class;
	}

	@Override
	ShiftPlan plan(FramePairs problem, Device device);
}
