package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;

/** How a pixel is stored. A buffer of pixels holds raw bits: an unsigned type is stored in the signed Java type of the same width. */
public enum PixelType {
	U8(1, true, 0, 255), S8(1, true, -128, 127),
	U16(2, true, 0, 65_535), S16(2, true, -32_768, 32_767),
	U32(4, true, 0, 4_294_967_295.0), S32(4, true, -2_147_483_648.0, 2_147_483_647.0),
	F32(4, false, -Float.MAX_VALUE, Float.MAX_VALUE), F64(8, false, -Double.MAX_VALUE, Double.MAX_VALUE);

	/** Bytes of one pixel. */
	public final int bytes;
	/** Whether every value is a whole number. */
	public final boolean integer;
	/** The smallest and the largest finite value. */
	public final double min, max;

	PixelType(final int bytes, final boolean integer, final double min, final double max) {
		this.bytes = bytes;
		this.integer = integer;
		this.min = min;
		this.max = max;
	}

	/** Whether sums of products are exact in 64 bits for any template of less than 2^31 pixels: the 8- and 16-bit types. */
	public boolean exact() {
		return integer && bytes <= 2;
	}

	/** In words, as in "8 bit", "signed 16 bit" and "32 bit float". */
	public String words() {
		return (integer && min < 0 ? "signed " : "") + 8 * bytes + " bit" + (integer ? "" : " float");
	}

	/** A heap buffer for {@code pixels} pixels: Byte-, Short-, Int-, Float- or DoubleBuffer. */
	public Buffer allocate(final int pixels) {
		switch (this) {
			case U8: case S8: return ByteBuffer.allocate(pixels);
			case U16: case S16: return ShortBuffer.allocate(pixels);
			case U32: case S32: return IntBuffer.allocate(pixels);
			case F32: return FloatBuffer.allocate(pixels);
			default: return DoubleBuffer.allocate(pixels);
		}
	}
}
