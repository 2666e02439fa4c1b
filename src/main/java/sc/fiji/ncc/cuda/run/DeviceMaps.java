package sc.fiji.ncc.cuda.run;

import jcuda.driver.CUdeviceptr;

/**
 * The responses of several templates to a box on the GPU, one map after another.
 *
 * @param lags the number of lags of a map along three dimensions
 * @param pitch the distance between rows on the GPU in elements; the content of the padding is undefined
 */
public record DeviceMaps(CUdeviceptr pointer, int templates, int[] lags, int pitch) {

	int lagsPerMap() {
		return lags[0] * lags[1] * lags[2];
	}

	/** The number of responses of all maps. */
	int responses() {
		return Math.multiplyExact(templates, lagsPerMap());
	}

	/** The number of rows of all maps. */
	int rows() {
		return templates * lags[1] * lags[2];
	}

	/** The number of elements of a map on the GPU, padding included. */
	public static long elements(final int[] lags, final int pitch) {
		return (long) pitch * lags[1] * lags[2];
	}
}
