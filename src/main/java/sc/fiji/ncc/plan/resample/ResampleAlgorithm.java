package sc.fiji.ncc.plan.resample;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Resampling;

/** A method that samples frames between their pixels. */
public interface ResampleAlgorithm extends Algorithm<Resampling> {

	@Override
	default Class<Resampling> kind() {
		return Resampling.class;
	}

	@Override
	ResamplePlan plan(Resampling problem, Device device);
}
