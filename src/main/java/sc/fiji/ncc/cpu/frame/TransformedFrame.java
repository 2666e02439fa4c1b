package sc.fiji.ncc.cpu.frame;

import java.lang.ref.SoftReference;

/**
 * A frame that is ready to be correlated: its pixels, and unless it is flat or has a mask, its spectrum and its sums over boxes. A large frame has a binned frame, and
 * gets a spectrum of its own when a pair needs it; that spectrum is dropped when memory is short. Pairs with masks are transformed when they meet.
 */
public final class TransformedFrame {

	/** A spectrum, null if pairs are transformed block by block, and sums over boxes. */
	record Spectrum(FrameSpectrum values, PrefixSums sums) {}

	private final FramePixels pixels;
	private final TransformedFrame binned;
	/** Null until it is needed. Guarded by this. The first is for frames with a binned frame, the second for others. */
	private SoftReference<Spectrum> dropped;
	private Spectrum kept;

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

	synchronized void set(final Spectrum spectrum) {
		if (binned == null) kept = spectrum;
		else dropped = new SoftReference<>(spectrum);
	}

	/** Null if it is to be computed. */
	synchronized Spectrum spectrum() {
		return dropped == null ? kept : dropped.get();
	}
}
