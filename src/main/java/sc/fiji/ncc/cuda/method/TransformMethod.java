package sc.fiji.ncc.cuda.method;

import sc.fiji.ncc.cuda.run.CudaMethod;

/** A method that transforms whole boxes or tiles of them: what it asks of boxes. */
interface TransformMethod extends CudaMethod {

	/** The template's. */
	int width();

	/** Rows begin at multiples of 32 pixels. */
	@Override
	default int pitch(final int lagsX) {
		return (lagsX + width() - 1 + 31) / 32 * 32;
	}

	/** In large boxes few pixels are transformed twice. */
	@Override
	default long lagsAtOnce(final long lags, final int slabs) {
		return 1 << 24;
	}
}
