package sc.fiji.ncc.bench;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

/**
 * An image in memory.
 *
 * @param values from 0 to 255, x fastest
 * @param floats whether it is one of floats; else of bytes, rounded
 */
public record Pixmap(float[] values, int width, int height, boolean floats) {

	public RandomAccessibleInterval<?> img() {
		return floats ? ArrayImgs.floats(values, width, height) : ArrayImgs.unsignedBytes(bytes(), width, height);
	}

	public byte[] bytes() {
		final byte[] b = new byte[values.length];
		for (int i = 0; i < b.length; i++) b[i] = (byte) Math.round(values[i]);
		return b;
	}

	/** A part of it, left above the middle. */
	public Pixmap cut(final int w, final int h) {
		if (w > width || h > height) throw new IllegalArgumentException("no template of " + w + "x" + h + " in an image of " + width + "x" + height);
		final int x0 = (width - w) / 3, y0 = (height - h) / 4;
		final float[] part = new float[w * h];
		for (int y = 0; y < h; y++) System.arraycopy(values, (y0 + y) * width + x0, part, y * w, w);
		return new Pixmap(part, w, h, floats);
	}

	/** Width and height of {@code 512x300}. */
	public static int[] size(final String text) {
		final String[] parts = text.split("x");
		if (parts.length != 2) throw new IllegalArgumentException("a size reads like 512x512, unlike " + text);
		return new int[] { Integer.parseInt(parts[0]), Integer.parseInt(parts[1]) };
	}

	/** Whether a type is {@code float}, not {@code u8}. */
	public static boolean floats(final String type) {
		if (!type.equals("u8") && !type.equals("float")) throw new IllegalArgumentException("the type is u8 or float, not " + type);
		return type.equals("float");
	}
}
