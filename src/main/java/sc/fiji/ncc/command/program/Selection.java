package sc.fiji.ncc.command.program;

import java.util.Arrays;

/**
 * An area of an image. Positions count from 0. The bounds are cut to the image.
 *
 * @param x first column of the bounds
 * @param y first row of the bounds
 * @param width width of the bounds in pixels
 * @param height height of the bounds in pixels
 * @param mask a byte for each pixel of the bounds, row by row; 0 outside the area; null if the area is a rectangle
 * @param plane position along each dimension of the image beyond the second, from 0; -1 if the area lies on all positions
 */
public record Selection(int x, int y, int width, int height, byte[] mask, long[] plane) {

	/** @return whether another area has the same pixels; the planes can differ */
	public boolean isSameArea(final Selection other) {
		return x == other.x && y == other.y && width == other.width && height == other.height && Arrays.equals(mask, other.mask);
	}

	/** @return size and position, as in {@code 56x56 at 274,235} */
	@Override
	public String toString() {
		return width + "x" + height + " at " + x + "," + y;
	}
}
