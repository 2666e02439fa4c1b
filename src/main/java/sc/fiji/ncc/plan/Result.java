package sc.fiji.ncc.plan;

/** What comes back of each image. */
public enum Result {

	/** Every response. */
	MAP(""),

	/** Where the local maxima of the responses lie, and how great they are. */
	PEAKS("peaks only"),

	/** Of each lag the greatest response over all templates, and by which of them it is. */
	BEST("the best of each lag only");

	/** For people, after the rest of the problem. */
	final String words;

	Result(final String words) {
		this.words = words;
	}
}
