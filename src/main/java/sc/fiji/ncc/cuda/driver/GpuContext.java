package sc.fiji.ncc.cuda.driver;

import sc.fiji.ncc.plan.DeviceException;

/** The context of a GPU, for its memory and its kernels. */
public interface GpuContext {

	/** The name of the GPU. */
	String name();

	/** Compute capability times ten, for example 90. */
	int architecture();

	/** Makes the context current in the calling thread. */
	void enter();

	/**
	 * @param code the result of a call of the driver
	 * @param operation the operation, in words
	 * @throws DeviceException if the code is an error. After an error that corrupts the context, the device is off until Java is started again
	 */
	void check(int code, String operation);
}
