package sc.fiji.ncc.pose;

import java.util.Arrays;

import sc.fiji.ncc.numeric.PaddedGrid;
import sc.fiji.ncc.numeric.ResidualCovariance;
import sc.fiji.ncc.numeric.VectorProducts;

/**
 * The errors of a refined pose, from the residual of its pixels ({@link ResidualCovariance}). Each error holds whatever the errors of the other parameters are.
 *
 * @param position the covariance of the position, in square pixels; null if the pixels do not determine the pose
 * @param angle the standard deviation of the angle, in degrees; in three dimensions the root mean square of the angle between the refined and the true rotation. NaN without columns of
 *        the rotation
 * @param scale the standard deviation of the scale, in per cent; NaN without a column of the scale
 */
record PoseErrors(double[][] position, double angle, double scale) {

	/** The pixels do not determine the pose. */
	static final PoseErrors NONE = new PoseErrors(null, Double.NaN, Double.NaN);

	/**
	 * Complexity: the number of pixels times the number of displacements at which the residual is correlated.
	 *
	 * @param offsets the places of the pixels in the image relative to one point, pixel by pixel. Their differences are whole pixels
	 * @param n the number of dimensions
	 * @param f the pixels of the image, centred, channel after channel
	 * @param t the template there, centred
	 * @param columns the derivatives of t by each parameter, centred and orthogonal to t: the position, then the rotation in radians, then the logarithm of the scale
	 * @param turns the number of columns of the rotation: 0, or 1 in two and 3 in three dimensions
	 */
	static PoseErrors of(final double[] offsets, final int n, final double[] f, final double[] t, final double[][] columns, final int turns) {
		final int count = offsets.length / n, channels = f.length / count, parameters = columns.length;
		final double[][] normal = new double[parameters][parameters];
		for (int a = 0; a < parameters; a++) for (int b = 0; b < parameters; b++) normal[a][b] = VectorProducts.dot(columns[a], columns[b]);
		final double[][] inverse = ResidualCovariance.inverse(normal);
		final double contrast = VectorProducts.dot(f, t) / VectorProducts.dot(t, t);
		if (inverse == null || !(contrast > 0)) return NONE;
		// the pixels on the grid of the image
		final int[] size = new int[n];
		final double[] first = new double[n];
		for (int d = 0; d < n; d++) {
			double least = Double.POSITIVE_INFINITY;
			for (int i = 0; i < count; i++) least = Math.min(least, offsets[i * n + d]);
			first[d] = least;
			for (int i = 0; i < count; i++) size[d] = Math.max(size[d], (int) Math.rint(offsets[i * n + d] - least) + 1);
		}
		final PaddedGrid grid = PaddedGrid.of(size);
		// so that floats hold products of any values
		final double unit = Math.sqrt(t.length / VectorProducts.dot(t, t));
		final int all = grid.length();
		final float[] present = new float[all], residual = new float[channels * all];
		final float[][] moments = new float[parameters][channels * all];
		for (int i = 0; i < count; i++) {
			int at = 0;
			for (int d = 0; d < n; d++) at += (int) Math.rint(offsets[i * n + d] - first[d]) * grid.strides()[d];
			present[at] = 1;
			for (int c = 0; c < channels; c++) {
				residual[c * all + at] = (float) (unit * (f[c * count + i] / contrast - t[c * count + i]));
				for (int a = 0; a < parameters; a++) moments[a][c * all + at] = (float) (unit * columns[a][c * count + i]);
			}
		}
		for (final double[] row : inverse) for (int a = 0; a < parameters; a++) row[a] /= unit * unit;
		final double[][] covariance = new ResidualCovariance(grid, channels, parameters).of(inverse, moments, residual, present);
		double turned = turns == 0 ? Double.NaN : 0;
		for (int a = n; a < n + turns; a++) turned += covariance[a][a];
		return new PoseErrors(Arrays.stream(covariance, 0, n).map(row -> Arrays.copyOf(row, n)).toArray(double[][]::new), Math.toDegrees(Math.sqrt(turned)),
			n + turns == parameters ? Double.NaN : 100 * Math.sqrt(covariance[parameters - 1][parameters - 1]));
	}
}
