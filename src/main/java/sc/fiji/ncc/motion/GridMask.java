package sc.fiji.ncc.motion;

import java.util.Arrays;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.Size;

/** Which windows of a grid are measured. */
final class GridMask {

	private GridMask() {}

	/**
	 * The windows at which a mask is neither 0 nor NaN.
	 *
	 * @param mask with a pixel for each window, or of the size of a frame: then the pixel at the centre of a window counts, the lower one of two
	 * @return one for each window
	 * @throws IllegalArgumentException if it has another size or several channels, or no window is left
	 */
	static boolean[] of(final RandomAccessibleInterval<?> mask, final WindowGrid grid) {
		ImagePixels.type(mask);
		JointImage.requireOneChannel("grid mask", mask);
		final Size size = Size.of(mask.dimensionsAsLongArray()), windows = Size.of(Arrays.stream(grid.count()).asLongStream().toArray());
		if (!size.equals(windows) && !size.equals(grid.frame())) throw new IllegalArgumentException("the grid mask of " + size
			+ " fits neither the " + windows + " windows nor the frame of " + grid.frame() + ": give a mask of one of these sizes");
		final boolean[] wanted = new boolean[grid.windows()];
		final RandomAccess<?> at = Views.zeroMin(mask).randomAccess();
		boolean any = false;
		for (int i = 0; i < wanted.length; i++) {
			final int[] place = grid.place(i);
			final double[] centre = grid.centre(i);
			for (int d = 0; d < place.length; d++) at.setPosition(size.equals(windows) ? place[d] : (long) centre[d], d);
			final double value = ((RealType<?>) at.get()).getRealDouble();
			any |= wanted[i] = value != 0 && !Double.isNaN(value);
		}
		if (!any) throw new IllegalArgumentException("the grid mask of " + size + " is 0 at all " + windows
			+ " windows, so none is left: give a mask with other values where motion is wanted");
		return wanted;
	}

	/** The windows of the coarse grid that hold the centre of a wanted window; the nearest one beyond the last of them. */
	static boolean[] larger(final WindowGrid grid, final boolean[] wanted) {
		final WindowGrid coarse = grid.coarse();
		final boolean[] larger = new boolean[coarse.windows()];
		for (int i = 0; i < wanted.length; i++) if (wanted[i]) mark(larger, coarse, grid.centre(i), coarse.dimensions() - 1, 0);
		return larger;
	}

	/** Marks the windows that hold a position, or the nearest ones, from the last dimension on. */
	private static void mark(final boolean[] windows, final WindowGrid grid, final double[] at, final int d, final int index) {
		if (d < 0) {
			windows[index] = true;
			return;
		}
		final double spacing = grid.spacing().get(d);
		final int count = grid.count()[d];
		final int first = (int) Math.min(count - 1, Math.max(0, Math.ceil((at[d] - grid.window().get(d) + 1) / spacing)));
		// the large windows can end before the small ones, and have gaps between them
		for (int i = first; i < count && (i == first || i * spacing <= at[d]); i++) mark(windows, grid, at, d - 1, index * count + i);
	}
}
