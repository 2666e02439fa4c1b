package sc.fiji.ncc.pose;

import sc.fiji.ncc.numeric.CubicSpline;

/**
 * A template between its pixels: a cubic B-spline that passes through all pixels. Beyond the border it continues with the opposite sign, about the value at the
 * border ({@code 2·f(0) − f(−x)}), so that its slope has no jump. Before a template is made smaller it is smoothed, because a pixel of the image then covers
 * more than a pixel of the template: by a Gaussian with the variance {@code (1/scale² − 1)/12}, by which that of the larger pixel exceeds that of the smaller one.
 * Source: M. Unser, Splines: a perfect fit for signal and image processing, IEEE Signal Processing Magazine 16 (1999), DOI 10.1109/79.799930.
 */
final class TemplateSpline {

	private static final int COEFFICIENTS = CubicSpline.COEFFICIENTS;
	private static final double POLE = Math.sqrt(3) - 2;
	/** The smallest relevant power of the pole. */
	private static final double NEGLIGIBLE = 1e-17;
	/** The number of coefficients beyond each border. */
	private static final int PAD = 2;

	final int[] size;
	/** x fastest; {@link #PAD} more than pixels on each side. */
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
		this(size, padded(filtered(values.clone(), size, scale), size));
	}

	private TemplateSpline(final int[] size, final double[] coefficients) {
		this.size = size;
		this.coefficients = coefficients;
		centre = new double[size.length];
		for (int d = 0; d < size.length; d++) centre[d] = (size[d] - 1) / 2.0;
		index = new int[size.length][COEFFICIENTS];
		weight = new double[size.length][COEFFICIENTS];
		slope = new double[size.length][COEFFICIENTS];
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
				final double[] smooth = scale < 1 ? smoothed(line, Math.sqrt((1 / (scale * scale) - 1) / 12)) : line;
				if (n > 1) interpolating(smooth);
				for (int i = 0; i < n; i++) c[first + i * stride] = smooth[i];
			}
			stride *= n;
		}
		return c;
	}

	private static double[] smoothed(final double[] line, final double sigma) {
		final int radius = (int) Math.ceil(4 * sigma);
		final double[] kernel = new double[radius + 1];
		double sum = 0;
		for (int i = 0; i <= radius; i++) {
			kernel[i] = Math.exp(-0.5 * i * i / (sigma * sigma));
			sum += i == 0 ? kernel[i] : 2 * kernel[i];
		}
		final double[] out = new double[line.length];
		for (int x = 0; x < line.length; x++) {
			double v = kernel[0] * line[x];
			for (int i = 1; i <= radius; i++) v += kernel[i] * (continued(line, x - i) + continued(line, x + i));
			out[x] = v / sum;
		}
		return out;
	}

	/** From pixels to the coefficients of the spline through them. The coefficients of a straight line are the line itself, so only what differs from it is filtered. */
	private static void interpolating(final double[] c) {
		final int n = c.length;
		final double start = c[0], slope = (c[n - 1] - start) / (n - 1);
		for (int i = 0; i < n; i++) c[i] -= start + slope * i;
		c[0] = 0;
		c[n - 1] = 0;
		final int horizon = (int) Math.ceil(Math.log(NEGLIGIBLE) / Math.log(Math.abs(POLE)));
		double first = 0, power = 1;
		for (int i = 0; i < horizon; i++) {
			first += power * continued(c, -i);
			power *= POLE;
		}
		c[0] = first;
		for (int i = 1; i < n; i++) c[i] += POLE * c[i - 1];
		c[n - 1] = 0;
		for (int i = n - 2; i >= 0; i--) c[i] = POLE * (c[i + 1] - c[i]);
		for (int i = 0; i < n; i++) c[i] = 6 * c[i] + start + slope * i;
	}

	/** The value at an index inside or outside a line. */
	private static double continued(final double[] line, final int index) {
		final int last = line.length - 1;
		if (last == 0) return line[0];
		final int period = 2 * last, m = Math.floorMod(index, period);
		// each period adds the same difference
		final double rise = 2 * (line[last] - line[0]) * Math.floorDiv(index, period);
		return rise + (m <= last ? line[m] : 2 * line[last] - line[period - m]);
	}

	/** The coefficients with those beyond the border. */
	private static double[] padded(final double[] c, final int[] size) {
		double[] from = c;
		int stride = 1, count = c.length;
		for (final int n : size) {
			final int lines = count / n, wide = n + 2 * PAD;
			final double[] to = new double[lines * wide], line = new double[n];
			for (int l = 0; l < lines; l++) {
				final int before = l % stride, block = l / stride;
				for (int i = 0; i < n; i++) line[i] = from[before + (block * n + i) * stride];
				for (int i = 0; i < wide; i++) to[before + (block * wide + i) * stride] = continued(line, i - PAD);
			}
			from = to;
			count = lines * wide;
			stride *= wide;
		}
		return from;
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
			for (int i = 0; i < COEFFICIENTS; i++) index[d][i] = Math.max(0, Math.min(size[d] + 2 * PAD - 1, (int) floor - 1 + i + PAD));
		}
		if (n == 2) return plane(0, gradient);
		final int plane = (size[0] + 2 * PAD) * (size[1] + 2 * PAD);
		double v = 0, x = 0, y = 0, z = 0;
		for (int k = 0; k < COEFFICIENTS; k++) {
			final double value = plane(index[2][k] * plane, gradient);
			v += weight[2][k] * value;
			if (gradient == null) continue;
			x += weight[2][k] * gradient[0];
			y += weight[2][k] * gradient[1];
			z += slope[2][k] * value;
		}
		if (gradient != null) {
			gradient[0] = x;
			gradient[1] = y;
			gradient[2] = z;
		}
		return v;
	}

	/** The sum over a plane of coefficients, and its derivatives by x and y if wanted. */
	private double plane(final int first, final double[] gradient) {
		final int[] x = index[0];
		final double[] wx = weight[0], sx = slope[0];
		double v = 0, alongX = 0, alongY = 0;
		for (int j = 0; j < COEFFICIENTS; j++) {
			final int row = first + index[1][j] * (size[0] + 2 * PAD);
			final double c0 = coefficients[row + x[0]], c1 = coefficients[row + x[1]], c2 = coefficients[row + x[2]], c3 = coefficients[row + x[3]];
			final double line = wx[0] * c0 + wx[1] * c1 + wx[2] * c2 + wx[3] * c3;
			v += weight[1][j] * line;
			if (gradient == null) continue;
			alongX += weight[1][j] * (sx[0] * c0 + sx[1] * c1 + sx[2] * c2 + sx[3] * c3);
			alongY += slope[1][j] * line;
		}
		if (gradient != null) {
			gradient[0] = alongX;
			gradient[1] = alongY;
		}
		return v;
	}
}
