package sc.fiji.ncc.cuda.run;

/** The layout of boxes for methods that transform boxes or tiles. */
public interface TransformMethod extends CudaMethod {

	/** The width of the template. */
	int width();

	/** Rows begin at multiples of 32 pixels. */
	@Override
	default int pitch(final int lagsX) {
		return (lagsX + width() - 1 + 31) / 32 * 32;
	}

	/** Boxes are large, so that few pixels are transformed twice. */
	@Override
	default long lagsAtOnce(final long lags, final int slabs) {
		return 1 << 24;
	}
}
