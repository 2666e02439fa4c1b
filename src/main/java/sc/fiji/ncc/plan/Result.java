package sc.fiji.ncc.plan;

/** The requested result for each image. */
public enum Result {

	/** Every response. */
	MAP(""),

	/** The positions and values of the local maxima of the responses. */
	PEAKS("peaks only"),

	/** For each lag the greatest response over all templates, and the index of that template. */
	BEST("the best of each lag only");

	/** For the user, at the end of the problem's text. */
	final String words;

	Result(final String words) {
		this.words = words;
	}
}
