package sc.fiji.ncc.motion;

import java.util.Arrays;

import sc.fiji.ncc.plan.deform.Level;

/** The windows of a {@link Level}, and motions in its boxes. */
final class FrameLevel {

	private final int[] box;
	private final WindowGrid windows, grid;

	/** @param windows the windows of all levels, over the frame and the pixels around it */
	FrameLevel(final WindowGrid windows, final Level level) {
		this.windows = windows;
		box = level.box();
		grid = new WindowGrid(level.area(), level.window(), level.spacing());
	}

	/** The windows in boxes. */
	WindowGrid grid() {
		return grid;
	}

	/** The extents of a box in pixels. */
	int[] box() {
		return box.clone();
	}

	/** Whether boxes are pixels. */
	boolean isWhole() {
		return Arrays.stream(box).allMatch(b -> b == 1);
	}

	/** The motion at the windows of this level in boxes, from that of the windows of the frame in pixels. */
	double[][] at(final double[][] motion) {
		if (isWhole()) return motion;
		if (isSame(grid)) return scaled(motion, false);
		final double[][] at = grid.centres();
		for (final double[] p : at) for (int d = 0; d < p.length; d++) p[d] = box[d] * p[d] + 0.5 * (box[d] - 1);
		return scaled(windows.spline(motion).at(at), false);
	}

	/** Whether windows in boxes are the windows of the frame. */
	private boolean isSame(final WindowGrid inBoxes) {
		boolean same = Arrays.equals(inBoxes.count(), windows.count());
		for (int d = 0; d < box.length; d++)
			same &= box[d] * inBoxes.window().get(d) == windows.window().get(d) && box[d] * inBoxes.spacing().get(d) == windows.spacing().get(d);
		return same;
	}

	private double[][] scaled(final double[][] motion, final boolean toPixels) {
		final double[][] all = new double[motion.length][];
		for (int d = 0; d < all.length; d++) {
			final double factor = toPixels ? box[d] : 1.0 / box[d];
			all[d] = Arrays.stream(motion[d]).map(u -> factor * u).toArray();
		}
		return all;
	}

	/** The motion of all windows of the frame, in pixels, from that of windows in boxes. */
	double[][] windows(final WindowGrid from, final double[][] motion) {
		if (isWhole() && from.equals(windows)) return motion;
		if (isSame(from)) return scaled(motion, true);
		final double[][] at = windows.centres();
		for (final double[] p : at) for (int d = 0; d < p.length; d++) p[d] = (p[d] - 0.5 * (box[d] - 1)) / box[d];
		return scaled(from.spline(motion).at(at), true);
	}
}
