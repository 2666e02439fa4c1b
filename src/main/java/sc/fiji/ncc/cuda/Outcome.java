package sc.fiji.ncc.cuda;

import jcuda.driver.CUdeviceptr;

/**
 * Where the responses of a box go: {@code struct Outcome} of the kernels.
 *
 * @param map one float a lag, or one double in double precision
 * @param counts three 32-bit counters: undefined, suspects, computed again
 * @param suspects one 32-bit index a lag
 * @param undefined what an undefined response reads
 * @param pitch elements of a row of the map, as the method wants it
 */
record Outcome(CUdeviceptr map, CUdeviceptr counts, CUdeviceptr suspects, float undefined, int pitch) {

	long[] struct() {
		return new long[] { Addresses.of(map), Addresses.of(counts), Addresses.of(suspects), Float.floatToRawIntBits(undefined) & 0xffff_ffffL | (long) pitch << 32 };
	}
}
