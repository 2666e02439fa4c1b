package sc.fiji.ncc.plan;

import java.util.Arrays;

/** The requested result for each image. */
public enum Result {

	/** Every response. */
	MAP("", ResponseType.FLOAT),

	/** Every response, in 16 bits. */
	MAP_16_BIT("16-bit responses", ResponseType.BITS_16),

	/** Every response, in 8 bits. */
	MAP_8_BIT("8-bit responses", ResponseType.BITS_8),

	/** The positions and values of the local maxima of the responses. */
	PEAKS("peaks only", null),

	/** For each lag the greatest response over all templates, and the index of that template. */
	BEST("the best of each lag only", null);

	/** For the user, at the end of the problem's text. */
	final String words;
	/** The type of the responses in a map; null if the result is no map. */
	private final ResponseType type;

	Result(final String words, final ResponseType type) {
		this.words = words;
		this.type = type;
	}

	/** Maps with responses of this type. */
	public static Result map(final ResponseType type) {
		return Arrays.stream(values()).filter(r -> r.type == type).findFirst().orElseThrow();
	}

	/** Whether every response is requested. */
	public boolean isMap() {
		return type != null;
	}

	/** The type of the responses in a map. Other results are floats. */
	public ResponseType type() {
		return isMap() ? type : ResponseType.FLOAT;
	}
}
