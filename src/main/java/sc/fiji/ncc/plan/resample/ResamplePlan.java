package sc.fiji.ncc.plan.resample;

import sc.fiji.ncc.plan.Plan;

/** A plan for frames that are sampled between their pixels. */
public interface ResamplePlan extends Plan {

	/** @throws sc.fiji.ncc.plan.DeviceException if the device fails */
	Sampler prepare();
}
