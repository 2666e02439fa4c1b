package sc.fiji.ncc.cpu.frame;

/**
 * A frame that is ready to be correlated: its pixels, and unless it is flat or has a mask, its spectrum and its sums over boxes. Pairs with masks are transformed
 * when they meet. Immutable.
 */
public final class TransformedFrame {

	private final FramePixels pixels;
	private final FrameSpectrum spectrum;
	private final PrefixSums sums;

	TransformedFrame(final FramePixels pixels, final FrameSpectrum spectrum, final PrefixSums sums) {
		this.pixels = pixels;
		this.spectrum = spectrum;
		this.sums = sums;
	}

	public FramePixels pixels() {
		return pixels;
	}

	FrameSpectrum spectrum() {
		return spectrum;
	}

	PrefixSums sums() {
		return sums;
	}

	/** Whether a spectrum and sums exist. */
	boolean isReady() {
		return spectrum != null;
	}
}
