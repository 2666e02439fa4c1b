package sc.fiji.ncc;

/** Which lags are answered, and where a response lies: of a correlation as it says here, of a {@link Convolution} always at the kernel's centre. */
public enum Extent {
	/** One response per lag at which the template fits; it lies at the window's first pixel. */
	VALID,
	/** As large as the image; the response lies at the template's centre, {@code floor(size / 2)}. */
	SAME,
	/** Every lag at which template and image overlap; the response lies at the window's first pixel, which may be negative. */
	FULL
}
