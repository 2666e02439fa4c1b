package sc.fiji.ncc.plan.shift;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;

/** A plan for pairs of whole frames. */
public interface ShiftPlan extends Plan {

	/**
	 * What the memory suffices for.
	 *
	 * @param heap the heap of the process, in bytes
	 */
	ShiftExecution.Capacity capacity(double heap);

	/**
	 * Allocates memory and compiles kernels.
	 *
	 * @param threads the maximum number of threads of the host
	 * @param monitor can cancel; receives no progress
	 * @throws DeviceException if the device has too little memory or fails
	 */
	ShiftExecution prepare(int threads, Monitor monitor);
}
