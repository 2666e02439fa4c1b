package sc.fiji.ncc.oracle;

import java.util.Arrays;
import java.util.TreeSet;

import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.deform.SumLayout;

/**
 * The definition of {@link Deformations} in boxes of one size, in plain loops over doubles. A frame is the means of its boxes. The cubic
 * B-spline through these, mirrored at the first and the last one, is taken where a motion in pixels leads the centre of each box of the area.
 * Its products with a reference are summed over the cells between the borders of windows. An oracle for tests.
 */
public final class ReferenceDeformation {

	/** Positions may be rounded to multiples of this part of a box, or to smaller parts. */
	private static final double ROUNDED = 1.0 / 1024;
	/** The rounding of positions in double, which decides whether the last position lies inside. */
	private static final double TINY = 1e-9;
	/**
	 * The largest error of a deformed frame as a share of its largest coefficient, besides what the rounding of positions makes. Coefficients
	 * and weights are floats, so this is four times their rounding. A coefficient of a cubic B-spline is at most three times the largest value
	 * for each dimension.
	 */
	private static final double FLOAT = 0x1p-22;
	/** The largest error of a sum as a share of the size of what is summed. Products are summed in floats, those of a column of a cell. */
	private static final double SUM = 3e-6;

	private final Deformations problem;
	private final int n;
	private final int[] box, frame, area;
	/** Means of boxes, NaN if a pixel is missing. */
	private final double[] means;
	private final double[] coefficients;

	/**
	 * @param box the extents of a box in pixels
	 * @param pixels those of the frame without their mean, x fastest; NaN for missing ones, which count as 0 in the spline
	 */
	public ReferenceDeformation(final Deformations problem, final int[] box, final double[] pixels) {
		this.problem = problem;
		this.box = box;
		n = box.length;
		final int[] size = problem.frame().toIntArray(), position = new int[n], inner = new int[n];
		frame = size.clone();
		area = problem.area().toIntArray();
		for (int d = 0; d < n; d++) {
			frame[d] /= box[d];
			area[d] /= box[d];
		}
		means = new double[ReferenceNcc.pixels(frame)];
		final int inBox = ReferenceNcc.pixels(box);
		for (int i = 0; i < means.length; i++)
			for (int k = 0; k < inBox; k++) {
				ReferenceNcc.unravel(i, frame, position);
				ReferenceNcc.unravel(k, box, inner);
				for (int d = 0; d < n; d++) position[d] = position[d] * box[d] + inner[d];
				means[i] += pixels[ReferenceNcc.index(size, position)] / inBox;
			}
		coefficients = Arrays.stream(means).map(v -> Double.isNaN(v) ? 0 : v).toArray();
		for (int d = 0, stride = 1; d < n; stride *= frame[d++])
			for (int i = 0; i < means.length; i++) if (i / stride % frame[d] == 0) solve(coefficients, i, stride, frame[d]);
	}

	/** Solves c[i - 1] + 4 c[i] + c[i + 1] = 6 v[i] along a line that is mirrored at both ends, by elimination. */
	private static void solve(final double[] v, final int first, final int stride, final int length) {
		if (length == 1) return;
		final double[] above = new double[length];
		for (int i = 0, at = first; i < length; i++, at += stride) {
			final double below = i == 0 ? 0 : i == length - 1 ? 2 : 1, pivot = i == 0 ? 4 : 4 - below * above[i - 1];
			above[i] = (i == 0 ? 2 : 1) / pivot;
			v[at] = (6 * v[at] - (i == 0 ? 0 : below * v[at - stride])) / pivot;
		}
		for (int i = length - 2, at = first + i * stride; i >= 0; i--, at -= stride) v[at] -= above[i] * v[at + stride];
	}

	/** Where windows begin or end along each dimension of the area, in boxes. */
	private int[][] cuts() {
		final int[][] cuts = new int[n][];
		for (int d = 0; d < n; d++) {
			final int window = (int) problem.window().get(d) / box[d], spacing = Math.max(1, (int) problem.spacing().get(d) / box[d]);
			final TreeSet<Integer> borders = new TreeSet<>();
			for (int at = 0; at + window <= area[d]; at += spacing) {
				borders.add(at);
				borders.add(at + window);
			}
			cuts[d] = borders.stream().mapToInt(i -> i).toArray();
		}
		return cuts;
	}

	/**
	 * The deformed frame.
	 *
	 * @param motion in pixels, for each dimension a value for each window
	 * @return the value of each box of the area, NaN without one; and its largest error: infinite if the rounding of its position decides
	 *         whether there is a value
	 */
	public double[][] deformed(final double[][] motion) {
		final int[] count = new int[n], at = new int[n];
		final double[] origin = new double[n], spacing = new double[n], place = new double[n];
		for (int d = 0; d < n; d++) {
			spacing[d] = problem.spacing().get(d);
			origin[d] = 0.5 * (problem.window().get(d) - 1);
			count[d] = (int) ((problem.area().get(d) - problem.window().get(d)) / problem.spacing().get(d)) + 1;
		}
		final GridSpline field = new GridSpline(count, origin, spacing, motion);
		final double[][] deformed = new double[2][ReferenceNcc.pixels(area)];
		final double error = FLOAT * Math.pow(3, n) * Arrays.stream(means).filter(v -> !Double.isNaN(v)).map(Math::abs).max().orElse(0);
		for (int i = 0; i < deformed[0].length; i++) {
			ReferenceNcc.unravel(i, area, at);
			for (int d = 0; d < n; d++) place[d] = (at[d] + 0.5) * box[d] - 0.5;
			final double[] moved = field.at(place);
			for (int d = 0; d < n; d++) place[d] = (place[d] - problem.beside(d) + moved[d] + 0.5) / box[d] - 0.5;
			final boolean without = !isInside(place, TINY) || isMissing(place, -ROUNDED / 2);
			deformed[0][i] = without ? Double.NaN : value(place);
			if (!isInside(place, -TINY)) continue;
			deformed[1][i] = isInside(place, TINY) != isInside(place, -TINY) || isMissing(place, ROUNDED / 2) != isMissing(place, -ROUNDED / 2)
				? Double.POSITIVE_INFINITY : without ? 0 : error + change(place, deformed[0][i]);
		}
		return deformed;
	}

	/** Whether a position is within half a box of the boxes of the frame, and farther than a margin from the end of these. */
	private boolean isInside(final double[] place, final double margin) {
		for (int d = 0; d < n; d++) if (!(place[d] >= -0.5 + margin && place[d] <= frame[d] - 0.5 - margin)) return false;
		return true;
	}

	/** Whether one of the boxes beside a position is missing, two along each dimension; with a margin, beside any position that is so near. */
	private boolean isMissing(final double[] place, final double margin) {
		return isMissing(place, margin, n - 1, 0);
	}

	private boolean isMissing(final double[] place, final double margin, final int d, final int index) {
		if (d < 0) return Double.isNaN(means[index]);
		for (int k = (int) Math.floor(place[d] - margin); k <= (int) Math.floor(place[d] + margin) + 1; k++)
			if (isMissing(place, margin, d - 1, index * frame[d] + mirrored(k, frame[d]))) return true;
		return false;
	}

	/** How much a value changes at most if its position is rounded to a part of a box along each dimension. */
	private double change(final double[] place, final double value) {
		final double[] rounded = new double[n];
		double change = 0;
		for (int k = 0; k < 1 << n; k++) {
			for (int d = 0; d < n; d++)
				rounded[d] = place[d] + ((k >> d & 1) == 0 ? -1 : 1) * Math.abs(place[d] - Math.rint(place[d] / ROUNDED) * ROUNDED);
			change = Math.max(change, Math.abs(value(rounded) - value));
		}
		return change;
	}

	private double value(final double[] place) {
		double sum = 0;
		for (int k = 0; k < 1 << 2 * n; k++) {
			double weight = 1;
			int index = 0;
			for (int d = n - 1; d >= 0; d--) {
				final int node = (int) Math.floor(place[d]) - 1 + (k >> 2 * d & 3);
				weight *= spline(Math.abs(place[d] - node));
				index = index * frame[d] + mirrored(node, frame[d]);
			}
			sum += weight * coefficients[index];
		}
		return sum;
	}

	private static int mirrored(final int i, final int length) {
		if (length == 1) return 0;
		int at = i;
		while (at < 0 || at >= length) at = at < 0 ? -at : 2 * (length - 1) - at;
		return at;
	}

	/** The cubic B-spline at a distance from its middle. */
	private static double spline(final double x) {
		return x < 1 ? 2 / 3.0 - x * x + x * x * x / 2 : x < 2 ? (2 - x) * (2 - x) * (2 - x) / 6 : 0;
	}

	/** The sums of the cells of the area: as {@link #sums(int[], int[][], float[], float[], boolean)}. */
	public double[][][] sums(final float[] reference, final float[] deformed, final boolean exact) {
		return sums(area, cuts(), reference, deformed, exact);
	}

	/**
	 * The sums over the pixels that are present, with their gradients. Errors are judged by the sizes of what is summed, with factors of at
	 * least a tenth of the largest pixel.
	 *
	 * @param size the extents of both frames
	 * @param cuts where cells begin along each dimension, and the end of the last one
	 * @param exact whether the sums with the gradient of the deformed frame, and with its values times a weight, are defined
	 * @return for each cell the sums in the order of {@link SumLayout}, NaN where they are not defined; and their largest errors
	 */
	public static double[][][] sums(final int[] size, final int[][] cuts, final float[] reference, final float[] deformed, final boolean exact) {
		final int n = size.length;
		final int[] cells = Arrays.stream(cuts).mapToInt(c -> c.length - 1).toArray(), at = new int[n], cell = new int[n];
		final SumLayout layout = new SumLayout(n);
		final double[][][] sums = new double[2][ReferenceNcc.pixels(cells)][layout.count];
		final double leastR = 0.1 * largest(reference), leastF = 0.1 * largest(deformed);
		for (int i = 0; i < reference.length; i++) {
			ReferenceNcc.unravel(i, size, at);
			boolean present = Double.isFinite(reference[i]) && Double.isFinite(deformed[i]);
			final double[] g = new double[n], s = new double[n], sizeG = new double[n], sizeS = new double[n];
			for (int d = 0, stride = 1; d < n; stride *= size[d++]) {
				g[d] = difference(reference, i, stride, at[d], size[d]);
				s[d] = exact ? difference(deformed, i, stride, at[d], size[d]) : 0;
				sizeG[d] = Math.abs(g[d]) + leastR;
				sizeS[d] = Math.abs(s[d]) + leastF;
				cell[d] = 0;
				while (cell[d] < cells[d] && cuts[d][cell[d] + 1] <= at[d]) cell[d]++;
				present &= Double.isFinite(g[d]) && Double.isFinite(s[d]) && cell[d] < cells[d];
			}
			if (!present) continue;
			final int to = ReferenceNcc.index(cells, cell);
			add(sums[0][to], layout, reference[i], deformed[i], g, s, at);
			add(sums[1][to], layout, Math.abs(reference[i]) + leastR, Math.abs(deformed[i]) + leastF, sizeG, sizeS, at);
		}
		for (final double[] errors : sums[1]) Arrays.setAll(errors, i -> SUM * errors[i]);
		if (!exact) for (final double[] values : sums[0]) {
			for (final int i : new int[] { SumLayout.F, SumLayout.FF, SumLayout.RF }) values[SumLayout.PLAIN + i] = Double.NaN;
			for (int d = 0; d < n; d++) {
				values[layout.gradient(d) + 3] = values[layout.gradient(d) + 4] = Double.NaN;
				for (int e = 0; e < n; e++) values[layout.gradients(d, e) + 1] = Double.NaN;
			}
		}
		return sums;
	}

	private static double largest(final float[] values) {
		double largest = 0;
		for (final float v : values) if (Float.isFinite(v)) largest = Math.max(largest, Math.abs(v));
		return largest;
	}

	/** Central differences over five pixels, or three beside the border; NaN at the border. */
	private static double difference(final float[] v, final int i, final int stride, final int at, final int extent) {
		if (at == 0 || at == extent - 1) return Double.NaN;
		final double near = (double) v[i + stride] - v[i - stride];
		if (at == 1 || at == extent - 2) return near / 2;
		return (8 * near - ((double) v[i + 2 * stride] - v[i - 2 * stride])) / 12;
	}

	/** Adds the terms of a pixel in the order of {@link SumLayout}. */
	private static void add(final double[] to, final SumLayout layout, final double r, final double f, final double[] g, final double[] s,
		final int[] at)
	{
		final double w = Arrays.stream(g).map(v -> v * v).sum();
		final double[] plain = { 1, r, f, r * r, f * f, r * f };
		for (int i = 0; i < plain.length; i++) {
			to[i] += plain[i];
			to[plain.length + i] += w * plain[i];
		}
		for (int d = 0; d < g.length; d++) {
			final double[] along = { g[d], g[d] * r, g[d] * f, s[d], s[d] * r };
			for (int i = 0; i < along.length; i++) to[layout.gradient(d) + i] += along[i];
			for (int e = 0; e < g.length; e++) {
				to[layout.gradients(d, e)] += g[d] * g[e];
				to[layout.gradients(d, e) + 1] += g[d] * s[e];
			}
			to[layout.places + d] += w * at[d];
		}
	}
}
