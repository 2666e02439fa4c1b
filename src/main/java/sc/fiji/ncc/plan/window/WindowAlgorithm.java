package sc.fiji.ncc.plan.window;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.WindowPairs;

/** A method that correlates the windows of one frame with another frame. */
public interface WindowAlgorithm extends Algorithm<WindowPairs> {

	@Override
	default Class<WindowPairs> kind() {
		return WindowPairs.class;
	}

	@Override
	WindowPlan plan(WindowPairs problem, Device device);
}
