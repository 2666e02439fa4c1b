package sc.fiji.ncc.plan.deform;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Device;

/** A method that deforms frames and sums their products over windows. */
public interface DeformAlgorithm extends Algorithm<Deformations> {

	@Override
	default Class<Deformations> kind() {
		return Deformations.class;
	}

	@Override
	DeformPlan plan(Deformations problem, Device device);
}
