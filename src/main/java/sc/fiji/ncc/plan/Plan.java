package sc.fiji.ncc.plan;

import java.util.List;

/** One algorithm for one problem on one device. Holds nothing until it is prepared. */
public interface Plan {

	Cost cost();

	/**
	 * Allocates, compiles and transforms what can be done once for all frames.
	 *
	 * @throws IllegalArgumentException if a template is flat
	 * @throws DeviceException if the device cannot take it
	 */
	Execution prepare(List<Template> templates);

	/**
	 * Memory from which the executions of this plan take pixels without a copy of their own.
	 *
	 * @return null where the heap is as good, or where there is not so much
	 */
	default Staging staging(final long bytes) {
		return null;
	}
}
