package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;

/** The accuracy of the responses, and the type that stores them. */
public enum Precision {

	/** Float. Error of a correlation: at most 1e-5. Error of a convolution: at most 1e-6·max|pixel|·Σ|kernel|. */
	SINGLE("single", Float.BYTES),

	/** Double. Error of a correlation: at most 1e-10. Error of a convolution: at most 1e-13·max|pixel|·Σ|kernel|. */
	DOUBLE("double", Double.BYTES);

	/** The size in bytes of one response. */
	public final int bytes;
	private final String words;

	Precision(final String words, final int bytes) {
		this.words = words;
		this.bytes = bytes;
	}

	/** A heap buffer for this number of responses: a FloatBuffer or a DoubleBuffer. */
	public Buffer allocate(final int responses) {
		return this == SINGLE ? FloatBuffer.allocate(responses) : DoubleBuffer.allocate(responses);
	}

	@Override
	public String toString() {
		return words;
	}
}
