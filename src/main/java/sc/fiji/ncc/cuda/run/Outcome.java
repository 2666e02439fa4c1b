package sc.fiji.ncc.cuda.run;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;

/**
 * The output arrays for the responses of a box: {@code struct Outcome} of the kernels.
 *
 * @param map one float per lag, or in double precision one double
 * @param counts three 32-bit counters: undefined responses, suspects, responses computed again
 * @param suspects one 32-bit index per lag
 * @param undefined the value of an undefined response
 * @param pitch the distance between rows of the map in elements, as the method needs it
 */
public record Outcome(CUdeviceptr map, CUdeviceptr counts, CUdeviceptr suspects, float undefined, int pitch) {

	/** The same with another map. @param bytes how far it begins after this one */
	public Outcome after(final long bytes) {
		return new Outcome(map.withByteOffset(bytes), counts, suspects, undefined, pitch);
	}

	public long[] struct() {
		return new long[] { Addresses.of(map), Addresses.of(counts), Addresses.of(suspects), Float.floatToRawIntBits(undefined) & 0xffff_ffffL | (long) pitch << 32 };
	}
}
