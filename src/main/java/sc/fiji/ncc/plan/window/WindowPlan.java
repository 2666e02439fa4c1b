package sc.fiji.ncc.plan.window;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Plan;

/** A plan for the windows of pairs of frames. */
public interface WindowPlan extends Plan {

	/**
	 * Allocates memory and compiles kernels.
	 *
	 * @param threads the maximum number of threads of the host
	 * @throws DeviceException if the device has too little memory or fails
	 */
	WindowExecution prepare(int threads);
}
