package sc.fiji.ncc.option;

/** The orientation of the kernel on the image. */
public enum Sense {
	/** {@code Σ k(j)·x(i − j)}: the kernel is mirrored. An image with one bright pixel becomes the kernel. */
	CONVOLUTION,
	/** {@code Σ k(j)·x(i + j)}: the kernel is not mirrored, as in OpenCV's {@code filter2D}. */
	CORRELATION
}
