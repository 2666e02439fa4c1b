package sc.fiji.ncc.cuda;

import jcuda.driver.CUdeviceptr;

/**
 * The responses of some templates to a box on the card, one map behind the other.
 *
 * @param lags of a map, three extents
 * @param pitch elements of a row on the card; what follows the lags means nothing
 */
record Maps(CUdeviceptr pointer, int templates, int[] lags, int pitch) {

	/** Lags of a map. */
	int each() {
		return lags[0] * lags[1] * lags[2];
	}

	/** Of all maps. */
	int responses() {
		return Math.multiplyExact(templates, each());
	}

	/** Rows of all maps. */
	int rows() {
		return templates * lags[1] * lags[2];
	}

	/** What a map takes on the card. */
	static long elements(final int[] lags, final int pitch) {
		return (long) pitch * lags[1] * lags[2];
	}
}
