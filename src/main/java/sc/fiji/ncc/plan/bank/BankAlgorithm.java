package sc.fiji.ncc.plan.bank;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Device;

/** A method that finds the best member of each window. */
public interface BankAlgorithm extends Algorithm<BoundedBank> {

	@Override
	default Class<BoundedBank> kind() {
		return BoundedBank.class;
	}

	@Override
	BankPlan plan(BoundedBank problem, Device device);
}
