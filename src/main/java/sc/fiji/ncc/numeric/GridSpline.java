package sc.fiji.ncc.numeric;

import java.util.Arrays;
import java.util.stream.IntStream;

import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.support.Boxes;

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
	/** From the first node that contributes to a value to the first one of each line of four nodes along x. */
	private final int[] lines;
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
		this(new Block.Field(Arrays.stream(count).map(c -> c + 2 * ADDED).toArray(), origin.clone(), spacing.clone(),
			new double[components.length][]));
		for (int c = 0; c < components.length; c++) coefficients[c] = spline(components[c], count);
	}

	/** @param field its nodes and their coefficients, which are used as they are */
	public GridSpline(final Block.Field field) {
		this.field = field;
		nodes = field.nodes();
		coefficients = field.coefficients();
		n = nodes.length;
		strides = Boxes.strides(nodes);
		int[] starts = { 0 };
		for (int d = n - 1; d > 0; d--) {
			final int stride = strides[d];
			starts = Arrays.stream(starts).flatMap(s -> IntStream.range(0, CubicSpline.COEFFICIENTS).map(k -> s + k * stride)).toArray();
		}
		lines = starts;
	}

	/** Its nodes and their coefficients. */
	public Block.Field field() {
		return field;
	}

	/** The coefficients of a component. Each dimension is filtered as the last one, and then becomes the first one: filtering lines side by side is fast. */
	private double[] spline(final double[] values, final int[] count) {
		double[] from = values;
		for (int d = n - 1; d >= 0; d--) {
			final int beside = from.length / count[d], last = nodes[d] - 1 - ADDED;
			final double[][] rows = new double[nodes[d]][beside];
			for (int k = 0; k < rows.length; k++) System.arraycopy(from, Math.max(ADDED, Math.min(last, k)) * beside - ADDED * beside,
				rows[k], 0, beside);
			// the first and the last difference go on
			for (int k = 1; k <= ADDED; k++)
				for (int i = 0; i < beside; i++) {
					rows[ADDED - k][i] += k * (rows[ADDED][i] - rows[ADDED + 1][i]);
					rows[last + k][i] += k * (rows[last][i] - rows[last - 1][i]);
				}
			CubicSpline.coefficients(rows);
			from = new double[beside * rows.length];
			for (int i = 0, at = 0; i < beside; i++) for (final double[] row : rows) from[at++] = row[i];
		}
		return from;
	}

	/** The vector at a position in pixels. */
	public double[] at(final double[] position) {
		return Arrays.stream(at(new double[][] { position })).mapToDouble(values -> values[0]).toArray();
	}

	/** The values of each component at some positions in pixels. */
	public double[][] at(final double[][] positions) {
		return at(places(positions));
	}

	/**
	 * Positions between the nodes.
	 *
	 * @param first the first node that contributes to the value at a position
	 * @param along the weights of four nodes along x
	 * @param across those of all lines of four nodes
	 */
	public record Places(int[] first, double[][] along, double[][] across) {}

	/** Places for all splines with nodes at the places of those of this one. @param positions in pixels */
	public Places places(final double[][] positions) {
		final Places places = new Places(new int[positions.length], new double[positions.length][], new double[positions.length][]);
		for (int i = 0; i < positions.length; i++) {
			double[] across = { 1 };
			for (int d = n - 1; d >= 0; d--) {
				final double at = node(positions[i][d], d);
				// nodes are added at both ends, so no weight falls outside
				final int whole = (int) at;
				final double[] weights = new double[CubicSpline.COEFFICIENTS];
				CubicSpline.weights(at - whole, weights);
				places.first[i] += (whole - 1) * strides[d];
				if (d == 0) places.along[i] = weights;
				else across = products(across, weights);
			}
			places.across[i] = across;
		}
		return places;
	}

	private static double[] products(final double[] outer, final double[] inner) {
		final double[] products = new double[outer.length * inner.length];
		int at = 0;
		for (final double a : outer) for (final double b : inner) products[at++] = a * b;
		return products;
	}

	/** The values of each component at some places. */
	public double[][] at(final Places places) {
		final double[][] values = new double[coefficients.length][places.first.length];
		for (int c = 0; c < values.length; c++) for (int i = 0; i < values[c].length; i++)
			values[c][i] = sum(coefficients[c], places.first[i], places.along[i], places.across[i]);
		return values;
	}

	private double sum(final double[] from, final int first, final double[] along, final double[] across) {
		final double a = along[0], b = along[1], c = along[2], d = along[3];
		double sum = 0;
		for (int l = 0; l < across.length; l++) {
			final int i = first + lines[l];
			sum += across[l] * (a * from[i] + b * from[i + 1] + (c * from[i + 2] + d * from[i + 3]));
		}
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
			cubic(to, x.fraction, x.runs[k], x.runs[k + 1], (a + 4 * b + p) / 6, (p - a) / 2, (a - 2 * b + p) / 2,
				(q - a + 3 * (b - p)) / 6);
		}
	}

	/** The same in floats. */
	public void row(final int c, final double[] row, final float[] to) {
		row(line(c, row), row[0], to);
	}

	/** How much the values of a row change over a pixel along another dimension than x, half of it before the row and half behind. */
	public void change(final int c, final int along, final double[] row, final float[] to) {
		final double[] at = row.clone();
		at[along] = row[along] - 0.5;
		final double[] before = line(c, at);
		at[along] = row[along] + 0.5;
		final double[] change = line(c, at);
		for (int i = 0; i < change.length; i++) change[i] -= before[i];
		row(change, row[0], to);
	}

	private void row(final double[] line, final double from, final float[] to) {
		final Pixels x = pixels(from, to.length);
		for (int k = 0; k + 1 < x.runs.length; k++) {
			final int first = x.first[k];
			final double a = line[first], b = line[first + 1], p = line[first + 2], q = line[first + 3];
			cubic(to, x.floats, x.runs[k], x.runs[k + 1], (float) ((a + 4 * b + p) / 6), (float) ((p - a) / 2), (float) ((a - 2 * b + p) / 2),
				(float) ((q - a + 3 * (b - p)) / 6));
		}
	}

	// C2 vectorises the loops

	private static void cubic(final double[] to, final double[] t, final int from, final int end, final double a, final double b, final double c,
		final double d)
	{
		for (int i = from; i < end; i++) to[i] = a + t[i] * (b + t[i] * (c + t[i] * d));
	}

	private static void cubic(final float[] to, final float[] t, final int from, final int end, final float a, final float b, final float c,
		final float d)
	{
		for (int i = from; i < end; i++) to[i] = a + t[i] * (b + t[i] * (c + t[i] * d));
	}

	/**
	 * Bounds of a component at the positions of a box: the least and the largest coefficient that contributes to a value.
	 *
	 * @param from the least position along each dimension, and {@code to} the largest one, in pixels
	 */
	public double[] range(final int c, final double[] from, final double[] to) {
		double least = Double.POSITIVE_INFINITY, largest = Double.NEGATIVE_INFINITY;
		for (int i = 0; i < coefficients[c].length; i++) {
			boolean contributes = true;
			for (int d = 0; d < n; d++) {
				final int at = i / strides[d] % nodes[d];
				contributes &= at >= (int) node(from[d], d) - 1 && at <= (int) node(to[d], d) + 2;
			}
			if (!contributes) continue;
			least = Math.min(least, coefficients[c][i]);
			largest = Math.max(largest, coefficients[c][i]);
		}
		return new double[] { least, largest };
	}

	/**
	 * The pixels of a row: runs of pixels between the same nodes.
	 *
	 * @param runs the first pixel of each run, and the end of the last one
	 * @param first the first node of each run
	 * @param fraction the place of each pixel between two nodes, and {@code floats} the same
	 */
	private record Pixels(double from, int[] runs, int[] first, double[] fraction, float[] floats) {}

	private Pixels pixels(final double from, final int width) {
		final Pixels known = pixels;
		if (known != null && known.from == from && known.fraction.length == width) return known;
		final double[] fraction = new double[width];
		final float[] floats = new float[width];
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
			floats[x] = (float) fraction[x];
		}
		runs[count] = width;
		return pixels = new Pixels(from, Arrays.copyOf(runs, count + 1), Arrays.copyOf(first, count), fraction, floats);
	}

	private double node(final double position, final int d) {
		return Math.max(ADDED - 1, Math.min(nodes[d] - ADDED, (position - field.origin()[d]) / field.spacing()[d] + ADDED));
	}

	/** The coefficients along x at a position of the other dimensions. */
	private double[] line(final int c, final double[] position) {
		if (n == 1) return coefficients[c];
		double[] across = { 1 };
		int from = 0;
		for (int d = n - 1; d > 0; d--) {
			final double at = node(position[d], d);
			final int whole = (int) at;
			final double[] weights = new double[CubicSpline.COEFFICIENTS];
			CubicSpline.weights(at - whole, weights);
			from += (whole - 1) * strides[d];
			across = products(across, weights);
		}
		final double[] line = new double[nodes[0]];
		for (int l = 0; l < across.length; l += CubicSpline.COEFFICIENTS) add(line, across, l, coefficients[c], from + lines[l], strides[1]);
		return line;
	}

	/** Adds four neighbouring lines. */
	private static void add(final double[] to, final double[] factors, final int f, final double[] more, final int from, final int stride) {
		final double a = factors[f], b = factors[f + 1], c = factors[f + 2], d = factors[f + 3];
		for (int i = 0, k = from; i < to.length; i++, k++)
			to[i] += a * more[k] + b * more[k + stride] + (c * more[k + 2 * stride] + d * more[k + 3 * stride]);
	}
}
