package sc.fiji.ncc.cpu.frame;

/**
 * A frame that is ready to be correlated: its pixels, and unless it is flat or has a mask, its spectrum and its sums over boxes. A large frame has a binned frame, and
 * gets a spectrum of its own when a pair needs it. Pairs with masks are transformed when they meet.
 */
public final class TransformedFrame {

	private final FramePixels pixels;
	private final TransformedFrame binned;
	/** Null until they are needed. Guarded by this. */
	private FrameSpectrum spectrum;
	private PrefixSums sums;

	/** @param binned null for none */
	TransformedFrame(final FramePixels pixels, final TransformedFrame binned) {
		this.pixels = pixels;
		this.binned = binned;
	}

	public FramePixels pixels() {
		return pixels;
	}

	TransformedFrame binned() {
		return binned;
	}

	synchronized void set(final FrameSpectrum newSpectrum, final PrefixSums newSums) {
		spectrum = newSpectrum;
		sums = newSums;
	}

	/** Null if not yet computed. */
	synchronized FrameSpectrum spectrum() {
		return spectrum;
	}

	synchronized PrefixSums sums() {
		return sums;
	}
}
