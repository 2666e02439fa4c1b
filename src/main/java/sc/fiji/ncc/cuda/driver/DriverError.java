package sc.fiji.ncc.cuda.driver;

import java.util.List;

import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.DeviceException;

/** The meaning of the error codes of NVIDIA's driver. */
final class DriverError {

	/** Errors after which the driver refuses all further work in this process. */
	private static final List<Integer> FATAL = List.of(CUresult.CUDA_ERROR_DEINITIALIZED, CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
		CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, CUresult.CUDA_ERROR_LAUNCH_TIMEOUT, CUresult.CUDA_ERROR_ASSERT,
		CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR, CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION, CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
		CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE, CUresult.CUDA_ERROR_INVALID_PC, CUresult.CUDA_ERROR_LAUNCH_FAILED,
		CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED);

	private DriverError() {}

	/**
	 * @param operation the operation, in words
	 * @throws DeviceException if the code is an error
	 */
	static void check(final int code, final String operation) {
		if (code != 0) throw new DeviceException(operation + " failed: " + name(code));
	}

	/** Whether the device is unusable after this error. */
	static boolean isFatal(final int code) {
		return FATAL.contains(code);
	}

	static String name(final int code) {
		final String[] text = new String[1];
		final String words = JCudaDriver.cuGetErrorString(code, text) == 0 && text[0] != null ? text[0] : "unknown error";
		return words + " (" + CUresult.stringFor(code) + ")";
	}
}
