package sc.fiji.ncc.plan.resample;

/** A prepared plan for {@link sc.fiji.ncc.plan.Resampling}. If its device fails, {@link #sample} throws a {@link sc.fiji.ncc.plan.DeviceException}. */
public interface ResampleExecution extends Sampler, AutoCloseable {

	/** Nothing to release by default: memory is borrowed for each block. */
	@Override
	default void close() {}
}
