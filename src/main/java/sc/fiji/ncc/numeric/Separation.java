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
 * A kernel as a sum of products of one-dimensional kernels, {@code k(x, y, z) = Σ u(x)·v(y)·w(z)}. Its numerical rank is found by cross approximation with
 * full pivots (Bebendorf, Approximation of boundary element matrices, 2000); a volume is cut along x first. The rest of the kernel and the rounding errors
 * of the sums are bounded: together they stay within the tolerance of a convolution.
 */
public final class Separation {

	/** The maximum number of terms: more are never faster. */
	private static final int MAX_TERMS = 6;
	/** The maximum rest of a kernel, in Σ|k|, in addition to the rest that rounding the factors leaves. */
	private static final double REST = Tolerance.EPS_FLOAT;

	/** For each term the factor along x, y and z. */
	public final float[][] x, y, z;
	/** The number of runs of the groups of products along each dimension: see {@link ProductRows}. */
	final int runs;

	private Separation(final float[][] x, final float[][] y, final float[][] z, final int runs) {
		this.x = x;
		this.y = y;
		this.z = z;
		this.runs = runs;
	}

	/**
	 * The maximum number of terms of these kernels, for images of this type and sums of this precision. 0 if a kernel is not a sum of a few products, or
	 * does not have two or three dimensions.
	 */
	public static int terms(final List<Template> kernels, final PixelType image, final Precision precision) {
		int max = 0;
		for (final Template t : kernels) {
			final int terms = precision == Precision.SINGLE ? of(ConvolutionKernel.of(t), t.size(), image).map(Separation::terms).orElse(0)
				: DoubleSeparation.of(ConvolutionKernel.of(t), t.size()).map(DoubleSeparation::terms).orElse(0);
			if (terms == 0) return 0;
			max = Math.max(max, terms);
		}
		return max;
	}

	/**
	 * The factors along x, y and z of each term of a kernel divided by its {@link ConvolutionKernel#scale}. Sums of products with these factors, taken in
	 * double, lie within the tolerance. Empty if the kernel is not a sum of a few products.
	 */
	public static Optional<double[][][]> factors(final Template kernel, final PixelType image, final Precision precision) {
		return precision == Precision.SINGLE ? of(ConvolutionKernel.of(kernel), kernel.size(), image)
			.map(s -> new double[][][] { doubles(s.x), doubles(s.y), doubles(s.z) })
			: DoubleSeparation.of(ConvolutionKernel.of(kernel), kernel.size()).map(s -> new double[][][] { s.x, s.y, s.z });
	}

	private static double[][] doubles(final float[][] factors) {
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
	 * For each term the factors along x, y and z. Empty if a kernel is not a sum of a few products, or does not have two or three dimensions.
	 *
	 * @param rest the maximum rest of the kernel, in Σ|k|, along each of two dimensions
	 */
	static List<double[][]> factors(final ConvolutionKernel kernel, final Size size, final double rest) {
		final int n = size.dimensions();
		// a line has one term: itself
		if (n < 2 || n > 3 || size.get(0) == 1 || size.pixels() == size.get(0) || kernel.magnitude() == 0) return List.of();
		final int width = (int) size.get(0), height = (int) size.get(1), depth = (int) size.get(2);
		final List<double[][]> factors = new ArrayList<>();
		for (final double[][] alongX : cross(kernel.values(), width, rest * kernel.magnitude()))
			for (final double[][] alongY : cross(alongX[1], height, rest * magnitude(alongX[1])))
				factors.add(depth == 1 ? new double[][] { alongX[0], alongX[1], { 1 } } : new double[][] { alongX[0], alongY[0], alongY[1] });
		final int coefficients = width + height + (depth > 1 ? depth : 0);
		return factors.size() > MAX_TERMS || (long) factors.size() * coefficients >= size.pixels() ? List.of() : factors;
	}

	/** Separates a kernel. Empty if it is not a sum of a few products within the tolerance. */
	public static Optional<Separation> of(final ConvolutionKernel kernel, final Size size, final PixelType image) {
		final List<double[][]> rough = factors(kernel, size, REST);
		if (rough.isEmpty()) return Optional.empty();
		final int width = (int) size.get(0), height = (int) size.get(1), depth = (int) size.get(2);
		final float[][][] f = new float[3][rough.size()][];
		for (int t = 0; t < rough.size(); t++)
			for (int d = 0; d < 3; d++) f[d][t] = Rows.toFloat(rough.get(t)[d]);
		final double rest = rest(kernel.values(), f, width, height, depth) / Tolerance.EPS_FLOAT;
		final int max = ProductRows.groups(Math.max(width, Math.max(height, depth))).length - 1;
		for (int runs = 1; runs <= max; runs++)
			if (rest + rounding(f, runs) <= RoundingBound.afterPixels(image) * kernel.magnitude()) return Optional.of(new Separation(f[0], f[1], f[2], runs));
		return Optional.empty();
	}

	/** The number of groups, of this many, that are added up in float. */
	public int run(final int groups) {
		return run(groups, runs);
	}

	private static int run(final int groups, final int runs) {
		return (groups + runs - 1) / runs;
	}

	/**
	 * Decomposes a matrix with rows of {@code width} into products of a row and a column, until the magnitude of the rest is at most {@code enough}.
	 *
	 * @return rows, whose largest value is 1, with their columns; {@link #MAX_TERMS} + 1 products if the rest is still larger
	 */
	private static List<double[][]> cross(final double[] matrix, final int width, final double enough) {
		final double[] rest = matrix.clone();
		final int height = rest.length / width;
		final List<double[][]> products = new ArrayList<>();
		while (products.size() <= MAX_TERMS && magnitude(rest) > enough) {
			int pivot = 0;
			for (int i = 1; i < rest.length; i++)
				if (Math.abs(rest[i]) > Math.abs(rest[pivot])) pivot = i;
			final double[] row = new double[width], column = new double[height];
			for (int j = 0; j < height; j++) column[j] = rest[j * width + pivot % width];
			for (int i = 0; i < width; i++) row[i] = rest[pivot / width * width + i] / rest[pivot];
			products.add(new double[][] { row, column });
			for (int j = 0; j < height; j++)
				for (int i = 0; i < width; i++) rest[j * width + i] -= column[j] * row[i];
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

	/**
	 * The maximum rounding error of all sums, in eps·max|pixel|. Sums run along x first. In a plane, the sums along y include all terms. In a volume, each
	 * term is summed along y, and the sums along z include all terms.
	 */
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

	/** The order of addition along x may be reversed if there are no runs, so both orders count. */
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
