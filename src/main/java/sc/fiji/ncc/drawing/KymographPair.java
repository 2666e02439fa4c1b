package sc.fiji.ncc.drawing;

import java.awt.image.BufferedImage;
import java.util.Arrays;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

/**
 * Kymographs of a stack before and after a correction, side by side with one brightness. Time runs downwards. The upper part shows the middle row of each frame, the lower
 * part its middle column. Content that does not move gives vertical lines.
 */
public final class KymographPair {

	/** The largest number of frames that are looked at, the smallest height of a kymograph, and the rows between the two. */
	private static final int FRAMES = 1000, LEAST_HEIGHT = 128, GAP = 4;

	private KymographPair() {}

	/**
	 * @param before x, y, perhaps z, and frames
	 * @param after an image of the same size
	 */
	public static BufferedImage draw(final RandomAccessibleInterval<?> before, final RandomAccessibleInterval<?> after) {
		final int w = (int) before.dimension(0), h = (int) before.dimension(1), wide = Math.max(w, h), last = before.numDimensions() - 1;
		final long frames = before.dimension(last), step = (frames + FRAMES - 1) / FRAMES;
		final int shown = (int) ((frames + step - 1) / step), repeats = (LEAST_HEIGHT + shown - 1) / shown, part = shown * repeats, high = 2 * part + GAP;
		return ProjectionPair.pair(lines(before, step, repeats, part, wide, high), lines(after, step, repeats, part, wide, high), wide, high);
	}

	private static double[] lines(final RandomAccessibleInterval<?> image, final long step, final int repeats, final int part, final int wide, final int high) {
		final RandomAccessibleInterval<?> stack = Views.zeroMin(image);
		final double[] picture = new double[wide * high];
		Arrays.fill(picture, Double.NEGATIVE_INFINITY);
		final RandomAccess<?> at = stack.randomAccess();
		final int last = stack.numDimensions() - 1;
		for (int d = 2; d < last; d++) at.setPosition(stack.dimension(d) / 2, d);
		for (int row = 0; row < part; row++) {
			at.setPosition(row / repeats * step, last);
			// the row and the column of a frame are read together, because a corrected frame is computed when it is read
			line(at, stack, 0, picture, row * wide);
			line(at, stack, 1, picture, (part + GAP + row) * wide);
		}
		return picture;
	}

	private static void line(final RandomAccess<?> at, final RandomAccessibleInterval<?> stack, final int along, final double[] to, final int start) {
		at.setPosition(stack.dimension(1 - along) / 2, 1 - along);
		for (int i = 0; i < stack.dimension(along); i++) {
			at.setPosition(i, along);
			to[start + i] = ((RealType<?>) at.get()).getRealDouble();
		}
	}
}
