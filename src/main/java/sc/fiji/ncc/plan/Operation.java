package sc.fiji.ncc.plan;

/** The operation that is computed from each window of the image and a template. */
public enum Operation {

	/** Normalized cross-correlation. */
	NCC("normalized cross-correlation"),

	/** The sum of products, in the sense of correlation: a kernel is not mirrored. The templates are the kernels. */
	CONVOLUTION("convolution");

	private final String words;

	Operation(final String words) {
		this.words = words;
	}

	/** What slides over the image, in words. */
	public String noun() {
		return this == NCC ? "template" : "kernel";
	}

	@Override
	public String toString() {
		return words;
	}
}
