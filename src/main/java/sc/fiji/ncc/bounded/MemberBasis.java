package sc.fiji.ncc.bounded;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import sc.fiji.ncc.plan.bank.Members;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * An orthonormal basis for the members of a family, most important vectors first, so that each number of first vectors is a basis too. It is close to the
 * singular vectors of the members: two steps of subspace iteration from a random start, on a part of the members if there are many more than vectors, because
 * neighbours are alike. How close does not matter for the result: {@link Bounds} holds for every orthonormal basis. Source: N. Halko, P. G.
 * Martinsson, J. A. Tropp, Finding structure with randomness, SIAM Review 53 (2011), DOI 10.1137/090771806. Time: at most
 * {@code 4·members·pixels·size} multiplications, with many members half of it.
 */
public final class MemberBasis {

	/** The vectors sought beyond those that are used, so that the last ones are accurate. */
	private static final int EXTRA = 8, SWEEPS = 12;
	/** The iteration needs this many members for each vector at most. */
	private static final int ENOUGH = 3;

	/** Vectors on the support, of unit norm except for rounding to float. */
	public final float[][] vectors;
	/** The products of each member with each vector. */
	public final double[][] products;
	/** Ways to group the members, the one with the fewest groups first. */
	public final List<int[][]> groups;

	private MemberBasis(final float[][] vectors, final double[][] products) {
		this.vectors = vectors;
		this.products = products;
		groups = MemberGroups.of(products);
	}

	/** @param size the number of vectors; fewer if the members span a smaller space */
	public static MemberBasis of(final Members members, final int size, final Parallel threads) {
		final float[][] t = members.values();
		final int pixels = t[0].length, k = Math.min(Math.min(size + EXTRA, t.length), pixels - members.channels());
		final SplittableRandom random = new SplittableRandom(1);
		final float[][] part = every(t, t.length / (ENOUGH * k));
		double[][] onPoses = new double[part.length][k];
		for (final double[] row : onPoses)
			for (int i = 0; i < k; i++) row[i] = random.nextDouble() - 0.5;
		double[][] q = orthonormal(transposed(part, onPoses, k, threads), k);
		q = orthonormal(transposed(part, times(part, q, k, threads), k, threads), k);
		onPoses = times(t, q, k, threads);
		final double[][] gram = new double[k][k];
		for (final double[] row : onPoses)
			for (int i = 0; i < k; i++)
				for (int j = 0; j < k; j++) gram[i][j] += row[i] * row[j];
		final double[][] turn = eigenvectors(gram);
		// products of orthonormal matrices, so orthonormal too
		return rounded(members, product(q, turn, k), product(onPoses, turn, k), Math.min(size, k));
	}

	private static float[][] every(final float[][] poses, final int step) {
		if (step < 2) return poses;
		final float[][] part = new float[(poses.length + step - 1) / step][];
		for (int i = 0; i < part.length; i++) part[i] = poses[i * step];
		return part;
	}

	/**
	 * The vectors in float, and the products of the members with the vectors in double.
	 *
	 * @param b the vectors as columns
	 * @param onPoses the products of the members with them, before the factors that make their norms 1
	 */
	private static MemberBasis rounded(final Members members, final double[][] b, final double[][] onPoses, final int size) {
		int rank = 0;
		final float[][] vectors = new float[size][];
		final int[] columns = new int[size];
		for (int k = 0; k < size; k++) {
			final double[] column = new double[b.length];
			for (int i = 0; i < b.length; i++) column[i] = b[i][k];
			double energy = 0;
			for (final double x : column) energy += x * x;
			// a vector beyond the rank of the members is zero
			if (!(energy > 0.5)) continue;
			final float[] v = new float[column.length];
			for (int i = 0; i < v.length; i++) v[i] = (float) column[i];
			columns[rank] = k;
			vectors[rank++] = v;
		}
		final int count = rank;
		final double[][] products = new double[members.values().length][count];
		for (int p = 0; p < products.length; p++)
			for (int k = 0; k < count; k++) products[p][k] = onPoses[p][columns[k]] * members.gains()[p];
		return new MemberBasis(Arrays.copyOf(vectors, count), products);
	}

	/** The sum over all members of member times row: pixels by k. */
	private static double[][] transposed(final float[][] t, final double[][] rows, final int k, final Parallel threads) {
		final int pixels = t[0].length;
		final double[][] y = new double[pixels][k];
		threads.each(pixels, i -> {
			final double[] to = y[i];
			for (int p = 0; p < t.length; p++) add(to, t[p][i], rows[p]);
		});
		return y;
	}

	/** Each member times q: members by k. */
	private static double[][] times(final float[][] t, final double[][] q, final int k, final Parallel threads) {
		final double[][] y = new double[t.length][k];
		threads.each(t.length, p -> {
			for (int i = 0; i < q.length; i++) add(y[p], t[p][i], q[i]);
		});
		return y;
	}

	private static void add(final double[] to, final double times, final double[] row) {
		for (int j = 0; j < to.length; j++) to[j] += times * row[j];
	}

	private static double[][] product(final double[][] q, final double[][] turn, final int k) {
		final double[][] b = new double[q.length][k];
		for (int i = 0; i < q.length; i++)
			for (int j = 0; j < k; j++) add(b[i], q[i][j], turn[j]);
		return b;
	}

	/** The columns made orthonormal, by the modified Gram-Schmidt method, twice; a column that depends on those before it becomes zero. */
	private static double[][] orthonormal(final double[][] y, final int k) {
		final double[][] c = new double[k][y.length];
		for (int i = 0; i < y.length; i++)
			for (int j = 0; j < k; j++) c[j][i] = y[i][j];
		for (int j = 0; j < k; j++) {
			final double before = Math.sqrt(dot(c[j], c[j]));
			for (int pass = 0; pass < 2; pass++)
				for (int l = 0; l < j; l++) add(c[j], -dot(c[l], c[j]), c[l]);
			final double norm = Math.sqrt(dot(c[j], c[j]));
			final double scale = norm > 1e-7 * before && norm > 0 ? 1 / norm : 0;
			for (int i = 0; i < y.length; i++) c[j][i] *= scale;
		}
		final double[][] q = new double[y.length][k];
		for (int i = 0; i < y.length; i++)
			for (int j = 0; j < k; j++) q[i][j] = c[j][i];
		return q;
	}

	private static double dot(final double[] a, final double[] b) {
		double s0 = 0, s1 = 0;
		int i = 0;
		for (; i + 1 < a.length; i += 2) {
			s0 += a[i] * b[i];
			s1 += a[i + 1] * b[i + 1];
		}
		if (i < a.length) s0 += a[i] * b[i];
		return s0 + s1;
	}

	/** The eigenvectors of a symmetric matrix as columns, by falling eigenvalue. Jacobi's method. */
	private static double[][] eigenvectors(final double[][] a) {
		final int n = a.length;
		// rows of v are eigenvectors, so that rotations run along rows
		final double[][] v = new double[n][n];
		for (int i = 0; i < n; i++) v[i][i] = 1;
		for (int sweep = 0; sweep < SWEEPS; sweep++) {
			double off = 0, all = 0;
			for (int p = 0; p < n; p++)
				for (int q = 0; q < n; q++) {
					all += a[p][q] * a[p][q];
					if (p != q) off += a[p][q] * a[p][q];
				}
			if (off <= 1e-16 * all) break;
			for (int p = 0; p < n - 1; p++)
				for (int q = p + 1; q < n; q++) rotate(a, v, p, q);
		}
		final Integer[] order = new Integer[n];
		for (int i = 0; i < n; i++) order[i] = i;
		Arrays.sort(order, (i, j) -> Double.compare(a[j][j], a[i][i]));
		final double[][] columns = new double[n][n];
		for (int j = 0; j < n; j++)
			for (int i = 0; i < n; i++) columns[i][j] = v[order[j]][i];
		return columns;
	}

	private static void rotate(final double[][] a, final double[][] v, final int p, final int q) {
		if (a[p][q] == 0) return;
		final double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
		final double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.sqrt(theta * theta + 1)), c = 1 / Math.sqrt(t * t + 1), s = t * c;
		for (final double[] row : a) {
			final double x = row[p], y = row[q];
			row[p] = c * x - s * y;
			row[q] = s * x + c * y;
		}
		turn(a[p], a[q], c, s);
		turn(v[p], v[q], c, s);
	}

	private static void turn(final double[] x, final double[] y, final double c, final double s) {
		for (int i = 0; i < x.length; i++) {
			final double xi = x[i], yi = y[i];
			x[i] = c * xi - s * yi;
			y[i] = s * xi + c * yi;
		}
	}
}
