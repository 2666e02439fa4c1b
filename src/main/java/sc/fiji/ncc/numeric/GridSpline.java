package sc.fiji.ncc.numeric;

import java.util.Arrays;

import sc.fiji.ncc.plan.resample.Block;

/**
 * A vector at every pixel: cubic B-splines through the vectors of a regular grid. Beyond the outermost vectors it goes on linearly for one spacing,
 * then it is constant. Several threads may use it.
 */
public final class GridSpline {

	/** Nodes that are added at each end, so that the mirrored end of the spline has no effect inside. */
	private static final int ADDED = 4;

	private final Block.Field field;
	/** The number of dimensions; the number of nodes along each, with those that are added. */
	private final int n;
	private final int[] nodes, strides;
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
		this(new Block.Field(Arrays.stream(count).map(c -> c + 2 * ADDED).toArray(), origin.clone(), spacing.clone(), new double[components.length][]));
		for (int c = 0; c < components.length; c++) coefficients[c] = spline(continued(components[c], count));
	}

	/** @param field its nodes and their coefficients, which are used as they are */
	public GridSpline(final Block.Field field) {
		this.field = field;
		nodes = field.nodes();
		coefficients = field.coefficients();
		n = nodes.length;
		strides = new int[n];
		for (int d = 0, all = 1; d < n; all *= nodes[d++]) strides[d] = all;
	}

	/** Its nodes and their coefficients. */
	public Block.Field field() {
		return field;
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
			final int stride = strides[d];
			final double[] line = new double[nodes[d]];
			for (int block = 0; block < values.length; block += stride * line.length)
				for (int first = block; first < block + stride; first++) {
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
		final double[][] weights = new double[n][CubicSpline.COEFFICIENTS];
		int first = 0;
		for (int d = 0; d < n; d++) {
			final double at = node(position[d], d);
			// nodes are added at both ends, so no weight falls outside
			final int whole = (int) Math.floor(at);
			CubicSpline.weights(at - whole, weights[d]);
			first += (whole - 1) * strides[d];
		}
		final double[] vector = new double[coefficients.length];
		for (int c = 0; c < vector.length; c++) vector[c] = sum(coefficients[c], weights, n - 1, first);
		return vector;
	}

	private double sum(final double[] from, final double[][] weights, final int d, final int first) {
		final double[] w = weights[d];
		if (d == 0) return w[0] * from[first] + w[1] * from[first + 1] + w[2] * from[first + 2] + w[3] * from[first + 3];
		double sum = 0;
		for (int k = 0; k < w.length; k++) sum += w[k] * sum(from, weights, d - 1, first + k * strides[d]);
		return sum;
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
		for (int k = 0; k + 1 < x.runs.length; k++) {
			final int first = x.first[k];
			final double a = line[first], b = line[first + 1], p = line[first + 2], q = line[first + 3];
			cubic(to, x.fraction, x.runs[k], x.runs[k + 1], (a + 4 * b + p) / 6, (p - a) / 2, (a - 2 * b + p) / 2, (q - a + 3 * (b - p)) / 6);
		}
	}

	// C2 vectorises the loop
	private static void cubic(final double[] to, final double[] t, final int from, final int end, final double a, final double b, final double c,
		final double d)
	{
		for (int i = from; i < end; i++) to[i] = a + t[i] * (b + t[i] * (c + t[i] * d));
	}

	/** The least and the largest coefficient of a component: all values lie between them. */
	public double[] range(final int c) {
		return new double[] { Arrays.stream(coefficients[c]).min().orElseThrow(), Arrays.stream(coefficients[c]).max().orElseThrow() };
	}

	/**
	 * The pixels of a row: runs of pixels between the same nodes.
	 *
	 * @param runs the first pixel of each run, and the end of the last one
	 * @param first the first node of each run
	 * @param fraction the place of each pixel between two nodes
	 */
	private record Pixels(double from, int[] runs, int[] first, double[] fraction) {}

	private Pixels pixels(final double from, final int width) {
		final Pixels known = pixels;
		if (known != null && known.from == from && known.fraction.length == width) return known;
		final double[] fraction = new double[width];
		final int[] runs = new int[width + 1], first = new int[width];
		int count = 0;
		for (int x = 0; x < width; x++) {
			final double at = node(from + x, 0);
			final int whole = (int) Math.floor(at);
			if (count == 0 || first[count - 1] != whole - 1) {
				runs[count] = x;
				first[count++] = whole - 1;
			}
			fraction[x] = at - whole;
		}
		runs[count] = width;
		return pixels = new Pixels(from, Arrays.copyOf(runs, count + 1), Arrays.copyOf(first, count), fraction);
	}

	private double node(final double position, final int d) {
		return Math.max(ADDED - 1, Math.min(nodes[d] - ADDED, (position - field.origin()[d]) / field.spacing()[d] + ADDED));
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
			final double a = weights[0], b = weights[1], p = weights[2], q = weights[3];
			for (int i = 0, k = (whole - 1) * inner; i < inner; i++, k++)
				to[i] = a * from[k] + b * from[k + inner] + (p * from[k + 2 * inner] + q * from[k + 3 * inner]);
			from = to;
		}
		return from;
	}
}
