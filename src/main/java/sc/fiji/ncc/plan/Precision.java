package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;

/** How exact responses are, and the type in which they are given. */
public enum Precision {

	/** Float, within 1e-5 of the exact correlation; of a convolution within 1e-6·max|pixel|·Σ|kernel|. */
	SINGLE("single", Float.BYTES),

	/** Double, within 1e-10; of a convolution 1e-13. */
	DOUBLE("double", Double.BYTES);

	/** Of a response. */
	public final int bytes;
	private final String words;

	Precision(final String words, final int bytes) {
		this.words = words;
		this.bytes = bytes;
	}

	/** A heap buffer for so many responses: a Float- or a DoubleBuffer. */
	public Buffer allocate(final int responses) {
		return this == SINGLE ? FloatBuffer.allocate(responses) : DoubleBuffer.allocate(responses);
	}

	@Override
	public String toString() {
		return words;
	}
}
