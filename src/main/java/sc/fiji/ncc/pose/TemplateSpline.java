package sc.fiji.ncc.pose;

import sc.fiji.ncc.numeric.CubicSpline;

/**
 * A template between its pixels: a cubic B-spline that passes through all pixels, mirrored at its border. Before a template is made smaller it is smoothed by
 * a Gaussian with a standard deviation of {@code 0.5·sqrt(1/scale² − 1)} pixels, so that details finer than the image's pixels do not appear as coarse ones.
 * Source: M. Unser, Splines: a perfect fit for signal and image processing, IEEE Signal Processing Magazine 16 (1999), DOI 10.1109/79.799930.
 */
final class TemplateSpline {

	final int[] size;
	private final double[] coefficients;
	private final double[] centre;
	/** Work space of one evaluation. */
	private final int[][] index;
	private final double[][] weight, slope;

	/**
	 * @param values the pixels, x fastest
	 * @param scale the scale of the poses that are sampled
	 */
	TemplateSpline(final double[] values, final int[] size, final double scale) {
		this(size, filtered(values.clone(), size, scale));
	}

	private TemplateSpline(final int[] size, final double[] coefficients) {
		this.size = size;
		this.coefficients = coefficients;
		centre = new double[size.length];
		for (int d = 0; d < size.length; d++) centre[d] = (size[d] - 1) / 2.0;
		index = new int[size.length][4];
		weight = new double[size.length][4];
		slope = new double[size.length][4];
	}

	/** The same spline with its own work space, for another thread. */
	TemplateSpline copy() {
		return new TemplateSpline(size, coefficients);
	}

	private static double[] filtered(final double[] c, final int[] size, final double scale) {
		int stride = 1;
		for (final int n : size) {
			final double[] line = new double[n];
			for (int first = 0; first < c.length; first++) {
				if (first / stride % n != 0) continue;
				for (int i = 0; i < n; i++) line[i] = c[first + i * stride];
				final double[] smooth = scale < 1 ? smoothed(line, 0.5 * Math.sqrt(1 / (scale * scale) - 1)) : line;
				CubicSpline.coefficients(smooth);
				for (int i = 0; i < n; i++) c[first + i * stride] = smooth[i];
			}
			stride *= n;
		}
		return c;
	}

	private static double[] smoothed(final double[] line, final double sigma) {
		final int reach = (int) Math.ceil(4 * sigma);
		final double[] kernel = new double[reach + 1];
		double sum = 0;
		for (int i = 0; i <= reach; i++) {
			kernel[i] = Math.exp(-0.5 * i * i / (sigma * sigma));
			sum += i == 0 ? kernel[i] : 2 * kernel[i];
		}
		final double[] out = new double[line.length];
		for (int x = 0; x < line.length; x++) {
			double v = kernel[0] * line[x];
			for (int i = 1; i <= reach; i++) v += kernel[i] * (line[CubicSpline.mirrored(x - i, line.length)] + line[CubicSpline.mirrored(x + i, line.length)]);
			out[x] = v / sum;
		}
		return out;
	}

	/**
	 * The value at an offset from the template's centre.
	 *
	 * @param gradient receives the derivatives; null if not wanted
	 */
	double at(final double[] offset, final double[] gradient) {
		final int n = size.length;
		for (int d = 0; d < n; d++) {
			final double x = offset[d] + centre[d], floor = Math.floor(x);
			CubicSpline.weights(x - floor, weight[d]);
			if (gradient != null) CubicSpline.slopes(x - floor, slope[d]);
			for (int i = 0; i < 4; i++) index[d][i] = inside((int) floor - 1 + i, size[d]);
		}
		if (gradient != null) for (int d = 0; d < n; d++) gradient[d] = sum(d);
		return sum(-1);
	}

	private static int inside(final int i, final int n) {
		return i >= 0 && i < n ? i : CubicSpline.mirrored(i, n);
	}

	/** @param along the dimension of the derivative; -1 for the value */
	private double sum(final int along) {
		final double[] wx = along == 0 ? slope[0] : weight[0], wy = along == 1 ? slope[1] : weight[1];
		if (size.length == 2) return plane(0, wx, wy);
		final double[] wz = along == 2 ? slope[2] : weight[2];
		double v = 0;
		for (int k = 0; k < 4; k++) v += wz[k] * plane(index[2][k] * size[0] * size[1], wx, wy);
		return v;
	}

	private double plane(final int first, final double[] wx, final double[] wy) {
		final int[] x = index[0];
		double v = 0;
		for (int j = 0; j < 4; j++) {
			final int row = first + index[1][j] * size[0];
			v += wy[j] * (wx[0] * coefficients[row + x[0]] + wx[1] * coefficients[row + x[1]] + wx[2] * coefficients[row + x[2]] + wx[3] * coefficients[row + x[3]]);
		}
		return v;
	}
}
