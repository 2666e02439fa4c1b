package sc.fiji.ncc.numeric;

import java.util.Arrays;

/**
 * A vector at every pixel: cubic B-splines through the vectors of a regular grid. Beyond the outermost vectors it goes on linearly for one spacing,
 * then it is constant. Several threads may use it.
 */
public final class GridSpline {

	/** Nodes that are added at each end, so that the mirrored end of the spline has no effect inside. */
	private static final int ADDED = 4;

	/** The number of nodes along each dimension, with those that are added. */
	private final int n;
	private final int[] nodes;
	private final double[] origin;
	private final double[] spacing;
	/** Of each component. */
	private final double[][] coefficients;
	/** Those of the last place and width of a row; null before the first one. */
	private volatile Pixels pixels;

	/**
	 * @param count the number of vectors along each dimension
	 * @param origin the position of the first vector in pixels
	 * @param spacing the distance of neighbouring vectors in pixels
	 * @param components finite values of each component, one for each vector, x fastest
	 */
	public GridSpline(final int[] count, final double[] origin, final double[] spacing, final double[][] components) {
		n = count.length;
		nodes = new int[n];
		this.origin = origin.clone();
		this.spacing = spacing.clone();
		for (int d = 0; d < n; d++) nodes[d] = count[d] + 2 * ADDED;
		coefficients = new double[components.length][];
		for (int c = 0; c < components.length; c++) coefficients[c] = spline(continued(components[c], count));
	}

	/** Adds values at both ends of each line, so that the first and the last difference go on. */
	private double[] continued(final double[] values, final int[] count) {
		double[] from = values;
		final int[] size = count.clone();
		for (int d = 0; d < n; d++) {
			final int length = size[d], stride = stride(size, d), outer = from.length / (stride * length);
			final double[] to = new double[stride * nodes[d] * outer];
			for (int o = 0; o < outer; o++)
				for (int i = 0; i < stride; i++) {
					final int first = o * length * stride + i, last = first + (length - 1) * stride, step = length > 1 ? stride : 0;
					for (int k = 0; k < nodes[d]; k++) {
						final int at = k - ADDED, beyond = at < 0 ? at : Math.max(0, at - length + 1);
						to[(o * nodes[d] + k) * stride + i] = beyond < 0 ? from[first] + beyond * (from[first + step] - from[first])
							: beyond > 0 ? from[last] + beyond * (from[last] - from[last - step]) : from[first + at * stride];
					}
				}
			size[d] = nodes[d];
			from = to;
		}
		return from;
	}

	private double[] spline(final double[] values) {
		for (int d = 0; d < n; d++) {
			final int stride = stride(nodes, d);
			final double[] line = new double[nodes[d]];
			for (int first = 0; first < values.length; first++) {
				if (first / stride % nodes[d] != 0) continue;
				for (int i = 0; i < line.length; i++) line[i] = values[first + i * stride];
				CubicSpline.coefficients(line);
				for (int i = 0; i < line.length; i++) values[first + i * stride] = line[i];
			}
		}
		return values;
	}

	private static int stride(final int[] size, final int d) {
		int stride = 1;
		for (int e = 0; e < d; e++) stride *= size[e];
		return stride;
	}

	/** The vector at a position in pixels. */
	public double[] at(final double[] position) {
		final double[] vector = new double[coefficients.length];
		for (int c = 0; c < vector.length; c++) vector[c] = value(line(c, position), position[0]);
		return vector;
	}

	/**
	 * The values of one row of pixels.
	 *
	 * @param c the component
	 * @param row the position of the first pixel of the row
	 * @param to a value for each pixel of the row
	 */
	public void row(final int c, final double[] row, final double[] to) {
		final double[] line = line(c, row);
		final Pixels x = pixels(row[0], to.length);
		for (int i = 0; i < to.length; i++) {
			final int a = x.first[i], t = CubicSpline.COEFFICIENTS * i;
			to[i] = x.weights[t] * line[a] + x.weights[t + 1] * line[a + 1] + x.weights[t + 2] * line[a + 2] + x.weights[t + 3] * line[a + 3];
		}
	}

	/** The least and the largest coefficient of a component: all values lie between them. */
	public double[] range(final int c) {
		return new double[] { Arrays.stream(coefficients[c]).min().orElseThrow(), Arrays.stream(coefficients[c]).max().orElseThrow() };
	}

	/** The first node and the weights of each pixel of a row. */
	private record Pixels(double from, int[] first, double[] weights) {}

	private Pixels pixels(final double from, final int width) {
		final Pixels known = pixels;
		if (known != null && known.from == from && known.first.length == width) return known;
		final Pixels all = new Pixels(from, new int[width], new double[CubicSpline.COEFFICIENTS * width]);
		final double[] weights = new double[CubicSpline.COEFFICIENTS];
		for (int x = 0; x < width; x++) {
			final double at = node(from + x, 0);
			// nodes are added at both ends, so no weight falls outside
			final int whole = (int) Math.floor(at);
			CubicSpline.weights(at - whole, weights);
			all.first[x] = whole - 1;
			System.arraycopy(weights, 0, all.weights, CubicSpline.COEFFICIENTS * x, weights.length);
		}
		return pixels = all;
	}

	private double node(final double position, final int d) {
		return Math.max(ADDED - 1, Math.min(nodes[d] - ADDED, (position - origin[d]) / spacing[d] + ADDED));
	}

	/** The coefficients along x at a position of the other dimensions. */
	private double[] line(final int c, final double[] position) {
		double[] from = coefficients[c];
		final double[] weights = new double[CubicSpline.COEFFICIENTS];
		for (int d = n - 1; d > 0; d--) {
			final double at = node(position[d], d);
			final int whole = (int) Math.floor(at), inner = from.length / nodes[d];
			CubicSpline.weights(at - whole, weights);
			final double[] to = new double[inner];
			for (int k = 0; k < weights.length; k++) {
				final int first = CubicSpline.mirrored(whole + k - 1, nodes[d]) * inner;
				for (int i = 0; i < inner; i++) to[i] += weights[k] * from[first + i];
			}
			from = to;
		}
		return from;
	}

	private double value(final double[] line, final double x) {
		final double at = node(x, 0);
		final int whole = (int) Math.floor(at);
		final double[] weights = new double[CubicSpline.COEFFICIENTS];
		CubicSpline.weights(at - whole, weights);
		double sum = 0;
		for (int k = 0; k < weights.length; k++) sum += weights[k] * line[CubicSpline.mirrored(whole + k - 1, nodes[0])];
		return sum;
	}
}
