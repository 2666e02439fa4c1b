package sc.fiji.ncc.plan.deform;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Plan;

/** A plan for deformations of frames. */
public interface DeformPlan extends Plan {

	/**
	 * Allocates memory and compiles kernels.
	 *
	 * @param threads the maximum number of threads of the host
	 * @throws DeviceException if the device has too little memory or fails
	 */
	DeformExecution prepare(int threads);
}
