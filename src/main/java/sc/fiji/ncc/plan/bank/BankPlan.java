package sc.fiji.ncc.plan.bank;

import java.util.List;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Plan;

/** A plan for the best member of each window. */
public interface BankPlan extends Plan {

	/**
	 * Allocates memory and compiles kernels.
	 *
	 * @param families the members, in the order of the problem's families
	 * @param minScore the exact minimum score
	 * @param threads the maximum number of threads of the host
	 * @throws DeviceException if the device has too little memory or fails
	 */
	BankExecution prepare(List<Members> families, double minScore, int threads);
}
