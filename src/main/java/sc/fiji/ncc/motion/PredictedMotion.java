package sc.fiji.ncc.motion;

import sc.fiji.ncc.numeric.GridSpline;

/**
 * Where two frames are sampled so that a predicted motion u vanishes between them: the first one at {@code p}, the second one at
 * {@code p + u}. The middle of both is at most half a pixel from x along each dimension, and u is that of the middle. {@code p} is a whole
 * pixel, {@code x} less the rounded half of the motion. So only the second frame is interpolated: noise of the first one stays white, and
 * its pixels have no error of the interpolation.
 */
final class PredictedMotion {

	/** Steps towards the middle, which depends on the motion there. The error falls with the gradient of the motion at each step. */
	private static final int STEPS = 2;

	private final GridSpline motion;
	private final int n;

	PredictedMotion(final GridSpline motion, final int dimensions) {
		this.motion = motion;
		n = dimensions;
	}

	/** Positions in the first frame. */
	void first(final double[] row, final double[][] to) {
		motion(row, to);
		for (int d = 0; d < n; d++) for (int x = 0; x < to[d].length; x++) to[d][x] = place(row, d, x) - whole(to[d][x]);
	}

	/** Positions in the second frame. */
	void second(final double[] row, final double[][] to) {
		final int width = to[0].length;
		final double[][] u = new double[n][width];
		motion(row, u);
		final double[][][] slopes = slopes(row, u);
		final double[] middle = new double[n];
		for (int x = 0; x < width; x++) {
			for (int d = 0; d < n; d++) to[d][x] = u[d][x];
			for (int step = 0; step < STEPS; step++) {
				for (int d = 0; d < n; d++) middle[d] = to[d][x] / 2 - whole(u[d][x]);
				for (int c = 0; c < n; c++) {
					to[c][x] = u[c][x];
					for (int d = 0; d < n; d++) to[c][x] += slopes[c][d][x] * middle[d];
				}
			}
			for (int d = 0; d < n; d++) to[d][x] += place(row, d, x) - whole(u[d][x]);
		}
	}

	private static double place(final double[] row, final int d, final int x) {
		return d == 0 ? row[0] + x : row[d];
	}

	/** The part of a motion by which the first frame moves. */
	private static double whole(final double motion) {
		return Math.rint(motion / 2);
	}

	private void motion(final double[] row, final double[][] to) {
		for (int c = 0; c < n; c++) motion.row(c, row, to[c]);
	}

	/** The slopes of the components along each dimension, as differences over a pixel, or two along x. */
	private double[][][] slopes(final double[] row, final double[][] u) {
		final int width = u[0].length;
		final double[][][] slopes = new double[n][n][width];
		for (int c = 0; c < n; c++) {
			for (int x = 0; x < width; x++) {
				final int before = Math.max(0, x - 1), after = Math.min(width - 1, x + 1);
				slopes[c][0][x] = (u[c][after] - u[c][before]) / Math.max(1, after - before);
			}
			final double[] before = new double[width], at = row.clone();
			for (int d = 1; d < n; d++) {
				at[d] = row[d] - 0.5;
				motion.row(c, at, before);
				at[d] = row[d] + 0.5;
				motion.row(c, at, slopes[c][d]);
				at[d] = row[d];
				for (int x = 0; x < width; x++) slopes[c][d][x] -= before[x];
			}
		}
		return slopes;
	}
}
