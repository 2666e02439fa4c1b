package sc.fiji.ncc.option;

/** The lags that are computed, and the positions of their responses. A {@link sc.fiji.ncc.Convolution} always puts a response at the kernel's centre. */
public enum Extent {
	/** One response for each lag at which the template lies inside the image. It is at the first pixel of the window. */
	VALID,
	/** A map as large as the image. A response is at the template's centre, {@code floor(size / 2)}. */
	SAME,
	/** One response for each lag at which template and image overlap. It is at the first pixel of the window, which can be negative. */
	FULL;

	/** The number of responses along a dimension. @param image the extent of the image @param template that of the template or kernel */
	public long responses(final long image, final long template) {
		return this == VALID ? image - template + 1 : this == SAME ? image : image + template - 1;
	}
}
