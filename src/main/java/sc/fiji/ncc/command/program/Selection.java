package sc.fiji.ncc.command.program;

import java.util.Arrays;

/**
 * What is selected in an image: an area of the plane that is shown.
 *
 * @param x the first pixel of its bounds, cut to the image
 * @param y likewise
 * @param width of the bounds
 * @param height of the bounds
 * @param mask a byte for each pixel of the bounds, row by row, 0 for those outside the selection; null if all are inside
 * @param plane the position of the plane along each dimension of the image beyond the second, from 0; -1 along those where it lies on all
 */
public record Selection(int x, int y, int width, int height, byte[] mask, long[] plane) {

	/** Whether another one has the same pixels, on whichever plane. */
	public boolean isSameArea(final Selection other) {
		return x == other.x && y == other.y && width == other.width && height == other.height && Arrays.equals(mask, other.mask);
	}

	/** {@code 56x56 at 274,235} */
	@Override
	public String toString() {
		return width + "x" + height + " at " + x + "," + y;
	}
}
