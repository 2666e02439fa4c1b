package sc.fiji.ncc.numeric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.loops.ProductRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * A kernel as a sum of products of one-dimensional ones, {@code k(x, y, z) = Σ u(x)·v(y)·w(z)}: its numerical rank, found by cross approximation with full
 * pivots (Bebendorf, Approximation of boundary element matrices, 2000), a volume first along x. What is left, and the roundings of the sums, are bounded:
 * together they stay within what a convolution may err.
 */
public final class Separation {

	/** More terms are never quicker; nor are as many products as the kernel has values. */
	private static final int MOST = 6;
	/** What may be left of a kernel, of Σ|k|, beside what rounding the factors leaves. */
	private static final double REST = Tolerance.EPS_FLOAT;

	/** By term: along x, y and z. */
	public final float[][] x, y, z;
	/** Into how many runs the groups of products along each dimension are cut: see {@link ProductRows}. */
	final int runs;

	private Separation(final float[][] x, final float[][] y, final float[][] z, final int runs) {
		this.x = x;
		this.y = y;
		this.z = z;
		this.runs = runs;
	}

	/**
	 * How many terms the kernel with the most has, for images of this type and sums of this precision; 0 if one is no sum of a few, or has less than two
	 * dimensions or more than three.
	 */
	public static int terms(final List<Template> kernels, final PixelType image, final Precision precision) {
		int most = 0;
		for (final Template t : kernels) {
			final int terms = precision == Precision.SINGLE ? of(ConvolutionKernel.of(t), t.size(), image).map(Separation::terms).orElse(0)
				: DoubleSeparation.of(ConvolutionKernel.of(t), t.size()).map(DoubleSeparation::terms).orElse(0);
			if (terms == 0) return 0;
			most = Math.max(most, terms);
		}
		return most;
	}

	/**
	 * The factors along x, y and z of each term of a kernel over its {@link ConvolutionKernel#scale}, for images of this type; sums of products with them, taken in double, lie
	 * within the tolerance. Empty if it is no sum of a few.
	 */
	public static Optional<double[][][]> factors(final Template kernel, final PixelType image, final Precision precision) {
		return precision == Precision.SINGLE ? of(ConvolutionKernel.of(kernel), kernel.size(), image).map(s -> new double[][][] { widened(s.x), widened(s.y), widened(s.z) })
			: DoubleSeparation.of(ConvolutionKernel.of(kernel), kernel.size()).map(s -> new double[][][] { s.x, s.y, s.z });
	}

	private static double[][] widened(final float[][] factors) {
		final double[][] wide = new double[factors.length][];
		for (int t = 0; t < wide.length; t++) {
			wide[t] = new double[factors[t].length];
			for (int i = 0; i < wide[t].length; i++) wide[t][i] = factors[t][i];
		}
		return wide;
	}

	public int terms() {
		return x.length;
	}

	/**
	 * By term the factors along x, y and z; none if a kernel is no sum of a few products, or is none of two or three dimensions.
	 *
	 * @param rest what may be left of it, of Σ|k|, along each of two dimensions
	 */
	static List<double[][]> factors(final ConvolutionKernel kernel, final Size size, final double rest) {
		final int n = size.dimensions();
		// a line is its own only term
		if (n < 2 || n > 3 || size.get(0) == 1 || size.pixels() == size.get(0) || kernel.magnitude() == 0) return List.of();
		final int width = (int) size.get(0), height = (int) size.get(1), depth = (int) size.get(2);
		final List<double[][]> factors = new ArrayList<>();
		for (final double[][] alongX : cross(kernel.values(), width, rest * kernel.magnitude()))
			for (final double[][] alongY : cross(alongX[1], height, rest * magnitude(alongX[1])))
				factors.add(depth == 1 ? new double[][] { alongX[0], alongX[1], { 1 } } : new double[][] { alongX[0], alongY[0], alongY[1] });
		final int taps = width + height + (depth > 1 ? depth : 0);
		return factors.size() > MOST || (long) factors.size() * taps >= size.pixels() ? List.of() : factors;
	}

	/** Empty if the kernel is no sum of a few products within the tolerance. */
	public static Optional<Separation> of(final ConvolutionKernel kernel, final Size size, final PixelType image) {
		final List<double[][]> rough = factors(kernel, size, REST);
		if (rough.isEmpty()) return Optional.empty();
		final int width = (int) size.get(0), height = (int) size.get(1), depth = (int) size.get(2);
		final float[][][] f = new float[3][rough.size()][];
		for (int t = 0; t < rough.size(); t++)
			for (int d = 0; d < 3; d++) f[d][t] = Rows.toFloat(rough.get(t)[d]);
		final double rest = rest(kernel.values(), f, width, height, depth) / Tolerance.EPS_FLOAT;
		final int most = ProductRows.groups(Math.max(width, Math.max(height, depth))).length - 1;
		for (int runs = 1; runs <= most; runs++)
			if (rest + rounding(f, runs) <= RoundingBound.afterPixels(image) * kernel.magnitude()) return Optional.of(new Separation(f[0], f[1], f[2], runs));
		return Optional.empty();
	}

	/** How many groups are added up in float, of so many. */
	public int run(final int groups) {
		return run(groups, runs);
	}

	private static int run(final int groups, final int runs) {
		return (groups + runs - 1) / runs;
	}

	/**
	 * Takes a matrix, rows of {@code width}, apart into products of a row and a column, until what is left has at most that magnitude.
	 *
	 * @return rows, whose largest value is 1, with their columns; one more than {@link #MOST} if they are not enough
	 */
	private static List<double[][]> cross(final double[] matrix, final int width, final double enough) {
		final double[] left = matrix.clone();
		final int height = left.length / width;
		final List<double[][]> products = new ArrayList<>();
		while (products.size() <= MOST && magnitude(left) > enough) {
			int pivot = 0;
			for (int i = 1; i < left.length; i++)
				if (Math.abs(left[i]) > Math.abs(left[pivot])) pivot = i;
			final double[] row = new double[width], column = new double[height];
			for (int j = 0; j < height; j++) column[j] = left[j * width + pivot % width];
			for (int i = 0; i < width; i++) row[i] = left[pivot / width * width + i] / left[pivot];
			products.add(new double[][] { row, column });
			for (int j = 0; j < height; j++)
				for (int i = 0; i < width; i++) left[j * width + i] -= column[j] * row[i];
		}
		return products;
	}

	static double magnitude(final double[] a) {
		double sum = 0;
		for (final double v : a) sum += Math.abs(v);
		return sum;
	}

	private static double magnitude(final float[] a) {
		double sum = 0;
		for (final float v : a) sum += Math.abs(v);
		return sum;
	}

	/** Σ|k - Σ u·v·w| */
	private static double rest(final double[] kernel, final float[][][] f, final int width, final int height, final int depth) {
		double rest = 0;
		for (int k = 0; k < depth; k++)
			for (int j = 0; j < height; j++)
				for (int i = 0; i < width; i++) {
					double v = kernel[(k * height + j) * width + i];
					for (int t = 0; t < f[0].length; t++) v -= (double) f[0][t][i] * f[1][t][j] * f[2][t][k];
					rest += Math.abs(v);
				}
		return rest;
	}

	/** What the roundings of all sums amount to, in eps·max|pixel|; along x, then along y over all terms, or each for itself and then along z. */
	private static double rounding(final float[][][] f, final int runs) {
		final boolean volume = f[2][0].length > 1;
		final List<float[]> last = new ArrayList<>();
		double error = 0;
		for (int t = 0; t < f[0].length; t++) {
			final float[] u = f[0][t], v = f[1][t], w = f[2][t];
			final double x = magnitude(u), y = magnitude(v), z = magnitude(w);
			error += alongX(groups(u, 1), runs) * y * z;
			if (volume) error += sum(groups(v, x), runs) * z;
			last.addAll(volume ? groups(w, x * y) : groups(v, x * z));
		}
		return error + sum(last, runs);
	}

	/** Without runs they may be added the last one first. */
	private static double alongX(final List<float[]> groups, final int runs) {
		final List<float[]> reversed = new ArrayList<>(groups);
		Collections.reverse(reversed);
		return Math.max(sum(groups, runs), sum(reversed, runs));
	}

	private static double sum(final List<float[]> groups, final int runs) {
		return RoundingBound.of(groups.toArray(float[][]::new), run(groups.size(), runs));
	}

	private static List<float[]> groups(final float[] factor, final double times) {
		final int[] begins = ProductRows.groups(factor.length);
		final List<float[]> groups = new ArrayList<>();
		for (int g = 0; g < begins.length - 1; g++) {
			final float[] group = Arrays.copyOfRange(factor, begins[g], begins[g + 1]);
			for (int i = 0; i < group.length; i++) group[i] *= (float) times;
			groups.add(group);
		}
		return groups;
	}
}
