package sc.fiji.ncc;

/** Which way round a kernel lies on the image. */
public enum Sense {
	/** {@code Σ k(j)·x(i − j)}: an image of one bright pixel becomes the kernel. */
	CONVOLUTION,
	/** {@code Σ k(j)·x(i + j)}: the kernel lies on the image as it is, as in OpenCV's {@code filter2D}. */
	CORRELATION
}
