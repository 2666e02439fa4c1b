package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;

/**
 * The type of the responses in a map. 16 and 8 bits hold quantized responses: whole numbers, so a map takes a half or a fourth of the bytes of floats. The
 * quantization is linear. The number c stands for the response {@code r = (c − z) / n} with n = 32767 and z = 32768, or n = 127 and z = 128. It is
 * {@code c = z + n·r}, rounded to the nearest whole number. So z stands for exactly 0, and the rounding changes a response by at most {@code 1 / (2n)}:
 * 1.6e-5 or 0.004. The number 0 stands for a response that is NaN. The methods of numbers throw an {@link UnsupportedOperationException} for {@link #FLOAT}.
 */
public enum ResponseType {

	/** Floating-point numbers: floats, in double precision doubles. */
	FLOAT("float", 0),

	/** Quantized responses, unsigned numbers of 16 bits: {@code r = (c − 32768) / 32767}; 0 for NaN. */
	BITS_16("16-bit", 32_767),

	/** Quantized responses, unsigned numbers of 8 bits: {@code r = (c − 128) / 127}; 0 for NaN. */
	BITS_8("8-bit", 127);

	private final String words;
	/** The number of steps from the response 0 to 1, and the number of the response 0. */
	private final int steps, zero;

	ResponseType(final String words, final int steps) {
		this.words = words;
		this.steps = steps;
		zero = steps + 1;
	}

	/** Whether responses are whole numbers. */
	public boolean quantized() {
		return this != FLOAT;
	}

	private int steps() {
		if (!quantized()) throw new UnsupportedOperationException(this + " responses are not quantized: use the pixels of the map");
		return steps;
	}

	/** The type of a map's pixels, for responses of this precision. */
	public PixelType pixels(final Precision precision) {
		return switch (this) {
			case FLOAT -> precision == Precision.SINGLE ? PixelType.F32 : PixelType.F64;
			case BITS_16 -> PixelType.U16;
			case BITS_8 -> PixelType.U8;
		};
	}

	/** The type of the responses in a map with these pixels: the inverse of {@link #pixels}. */
	public static ResponseType of(final PixelType pixels) {
		return pixels == PixelType.U16 ? BITS_16 : pixels == PixelType.U8 ? BITS_8 : FLOAT;
	}

	/** The size in bytes of one response of this precision. */
	public int bytes(final Precision precision) {
		return pixels(precision).bytes;
	}

	/** A heap buffer for this number of responses: a FloatBuffer, a DoubleBuffer, a ShortBuffer or a ByteBuffer. */
	public Buffer allocate(final Precision precision, final int responses) {
		return pixels(precision).allocate(responses);
	}

	/** Whether new memory, all of whose bits are 0, holds this response. */
	public boolean initial(final float response) {
		return quantized() ? Float.isNaN(response) : Float.floatToRawIntBits(response) == 0;
	}

	/** The number of a response. The rounding is that of IEEE 754: halves to even numbers. A response beyond [-1, 1] counts as the nearer limit. */
	public int quantize(final float response) {
		return quantize(response, steps());
	}

	private static int quantize(final float response, final int steps) {
		if (Float.isNaN(response)) return 0;
		return steps + 1 + Math.max(-steps, Math.min(steps, (int) Math.rint(steps * response)));
	}

	/** The response of a number. @param number from 0 to 65535 or to 255; NaN for 0 */
	public double response(final int number) {
		final double n = steps();
		return number == 0 ? Double.NaN : (number - zero) / n;
	}

	/** What one step adds to a response: 1/n. */
	public double scale() {
		return 1.0 / steps();
	}

	/** What a linear function of the number adds to {@code scale·c}: −z/n. */
	public double offset() {
		return -zero / (double) steps();
	}

	/** Quantizes {@code n} responses from index {@code fromIndex} on. @param to a heap buffer: a ShortBuffer for 16 bits, a ByteBuffer for 8 */
	public void quantize(final FloatBuffer from, final int fromIndex, final Buffer to, final int toIndex, final int n) {
		final int first = to.arrayOffset() + toIndex, most = steps;
		if (this == BITS_16) {
			final short[] numbers = ((ShortBuffer) to).array();
			for (int i = 0; i < n; i++) numbers[first + i] = (short) quantize(from.get(fromIndex + i), most);
		}
		else {
			final byte[] numbers = ((ByteBuffer) to).array();
			for (int i = 0; i < n; i++) numbers[first + i] = (byte) quantize(from.get(fromIndex + i), most);
		}
	}

	/** {@code float}, {@code 16-bit} or {@code 8-bit}. */
	@Override
	public String toString() {
		return words;
	}
}
