package sc.fiji.ncc.cuda;

import jcuda.driver.CUdeviceptr;

/**
 * Where the responses of a box go: {@code struct Outcome} of the kernels.
 *
 * @param map one float a lag, or one double in double precision
 * @param counts three 32-bit counters: undefined, suspects, computed again
 * @param suspects one 32-bit index a lag
 * @param undefined what an undefined response reads
 */
record Outcome(CUdeviceptr map, CUdeviceptr counts, CUdeviceptr suspects, float undefined) {

	long[] struct() {
		return new long[] { Addresses.of(map), Addresses.of(counts), Addresses.of(suspects), Float.floatToRawIntBits(undefined) & 0xffff_ffffL };
	}
}
