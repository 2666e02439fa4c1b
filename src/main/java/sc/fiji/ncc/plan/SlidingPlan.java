package sc.fiji.ncc.plan;

import java.nio.ByteBuffer;
import java.util.List;

/** A plan for templates or kernels that slide over an image. */
public interface SlidingPlan extends Plan {

	/**
	 * Allocates memory, compiles kernels and transforms templates: the work that is done once for all frames.
	 *
	 * @throws IllegalArgumentException if a template is flat
	 * @throws DeviceException if the device has too little memory or fails
	 */
	Execution prepare(List<Template> templates);

	/**
	 * Allocates memory from which the executions of this plan read pixels without a copy of their own.
	 *
	 * @return null if the Java heap serves as well, or if there is not enough memory
	 */
	default Staging staging(final long bytes) {
		return null;
	}

	/** Memory outside the Java heap that a device reads directly. Closing releases it; a second close does nothing. */
	interface Staging extends AutoCloseable {

		/** The memory, in native byte order. Do not access it after closing. */
		ByteBuffer bytes();

		@Override
		void close();
	}
}
