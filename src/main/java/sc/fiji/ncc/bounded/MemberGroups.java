package sc.fiji.ncc.bounded;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Groups of similar members, so that one bound serves a whole group. How members are grouped does not matter for the result, only for the time. Time:
 * {@code members·groups·vectors} multiplications.
 */
final class MemberGroups {

	/** The number of vectors of the basis that decide what is similar. */
	private static final int VECTORS = 48;

	/** The angles within groups, in degrees, the largest first. */
	private static final double[] ANGLES = { 50, 35, 25, 15 };
	/** Fewer members than this need no groups. A group has this many members at least, on average. */
	private static final int FEW_MEMBERS = 48, MEMBERS = 3;

	private MemberGroups() {}

	/** Several ways to group the members, the one with the fewest groups first. */
	static List<int[][]> of(final double[][] products) {
		final List<int[][]> all = new ArrayList<>();
		if (products.length < FEW_MEMBERS || products[0].length == 0) return all;
		for (final double angle : ANGLES) {
			final int[][] groups = within(products, Math.cos(Math.toRadians(angle)), products.length / MEMBERS);
			if (groups == null) break;
			all.add(groups);
		}
		return all;
	}

	/**
	 * Each group consists of the first member that has no group yet, and of all others without a group within an angle of it.
	 *
	 * @param products the products of each member with the vectors of a basis
	 * @param cos the cosine of the angle
	 * @param most the largest number of groups
	 * @return the numbers of the members, group by group; null if there are more groups
	 */
	private static int[][] within(final double[][] products, final double cos, final int most) {
		final int size = Math.min(VECTORS, products[0].length);
		final double[] norm = new double[products.length];
		for (int p = 0; p < norm.length; p++) norm[p] = Math.sqrt(dot(products[p], products[p], size));
		int[] left = new int[products.length];
		for (int p = 0; p < left.length; p++) left[p] = p;
		final List<int[]> groups = new ArrayList<>();
		while (left.length > 0) {
			if (groups.size() == most) return null;
			final int first = left[0];
			final int[] group = new int[left.length], others = new int[left.length];
			int n = 0, m = 0;
			for (final int p : left)
				if (p == first || dot(products[first], products[p], size) >= cos * norm[first] * norm[p]) group[n++] = p;
				else others[m++] = p;
			groups.add(Arrays.copyOf(group, n));
			left = Arrays.copyOf(others, m);
		}
		return groups.toArray(new int[0][]);
	}

	private static double dot(final double[] a, final double[] b, final int n) {
		double sum = 0;
		for (int k = 0; k < n; k++) sum += a[k] * b[k];
		return sum;
	}
}
