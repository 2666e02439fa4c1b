package sc.fiji.ncc.plan;

/** What is computed of each window of the image and a template. */
public enum Operation {

	/** Normalized cross-correlation. */
	NCC("normalized cross-correlation"),

	/** The plain sum of products; a template is then a kernel, in the sense of correlation. */
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
