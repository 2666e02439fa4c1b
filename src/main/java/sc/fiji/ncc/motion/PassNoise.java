package sc.fiji.ncc.motion;

import java.util.Arrays;

import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * How much larger the errors of vectors are after passes with the same windows than after one. A vector of a later pass is the predicted motion at the
 * centre of its window, plus what the window measures: the mean of the motion less that of the prediction. So the errors of the prediction stay where it
 * differs between the centre and the mean: {@code e' = e + D·e}, with the errors e of the fits, which are nearly the same in both passes.
 */
final class PassNoise {

	/** Points along each dimension but x at which the mean over a window is taken. */
	private static final int POINTS = 4;
	/** Windows beside one that it reaches, besides those that overlap, and the largest number of windows along a dimension of a plane and of a volume. */
	private static final int BESIDE = 4, MOST = 25, OF_VOLUME = 13;

	private final WindowGrid grid;
	private final Parallel parallel;

	private PassNoise(final WindowGrid grid, final Parallel parallel) {
		this.grid = grid;
		this.parallel = parallel;
	}

	/**
	 * The factor of the standard deviations, far from the border and for vectors of the same error.
	 *
	 * @param passes the number of passes with these windows, at least 1
	 * @param smoothness the weight of the smoothness of a prediction
	 */
	static double factor(final Size window, final Size spacing, final int passes, final double smoothness, final Parallel parallel) {
		if (passes == 1) return 1;
		final long[] frame = window.toArray();
		for (int d = 0; d < frame.length; d++) {
			final long radius = (window.get(d) + spacing.get(d) - 1) / spacing.get(d) + BESIDE;
			frame[d] += spacing.get(d) * (Math.min(frame.length > 2 ? OF_VOLUME : MOST, 2 * radius + 1) - 1);
		}
		return new PassNoise(new WindowGrid(Size.of(frame), window, spacing), parallel).factor(passes, smoothness);
	}

	private double factor(final int passes, final double smoothness) {
		final int middle = grid.windows() / 2;
		final double[] weights = new double[grid.windows()];
		Arrays.fill(weights, 1);
		// the errors of all vectors after one error of 1 in the middle, which each pass has
		double[] errors = new double[grid.windows()];
		errors[middle] = 1;
		for (int p = 1; p < passes; p++) {
			errors = stays(FieldPass.smooth(grid, new double[][] { errors }, weights, smoothness, parallel));
			errors[middle]++;
		}
		final int[][] places = new int[errors.length][];
		for (int i = 0; i < places.length; i++) places[i] = grid.place(i);
		double variance = 0;
		for (int i = 0; i < errors.length; i++)
			for (int j = 0; j < errors.length; j++) variance += errors[i] * errors[j] * shared(places[i], places[j]);
		return Math.sqrt(variance);
	}

	/** The difference between the value of a prediction at the centre of each window and its mean over the window. */
	private double[] stays(final double[][] prediction) {
		final GridSpline spline = grid.spline(prediction);
		final double[] stays = new double[grid.windows()], row = new double[grid.dimensions()], values = new double[(int) grid.window().get(0)];
		int rows = 1;
		for (int d = 1; d < row.length; d++) rows *= POINTS;
		for (int i = 0; i < stays.length; i++) {
			final long[] first = grid.first(i);
			double mean = 0;
			for (int r = 0; r < rows; r++) {
				row[0] = first[0];
				for (int d = 1, rest = r; d < row.length; d++, rest /= POINTS) row[d] = first[d] + (rest % POINTS + 0.5) / POINTS * grid.window().get(d) - 0.5;
				spline.row(0, row, values);
				mean += Arrays.stream(values).sum() / values.length / rows;
			}
			stays[i] = spline.at(grid.centre(i))[0] - mean;
		}
		return stays;
	}

	/** The correlation of the errors of two windows: the share of their pixels that they have in common. */
	private double shared(final int[] p, final int[] q) {
		double share = 1;
		for (int d = 0; d < p.length && share > 0; d++) share *= Math.max(0, 1 - Math.abs(p[d] - q[d]) * grid.spacing().get(d) / (double) grid.window().get(d));
		return share;
	}
}
