package sc.fiji.ncc.plan.bank;

/**
 * One bound for each group of similar members. Let c be the products of a window with the basis, {@code e = ‖c‖}, u a unit vector, and d
 * the products of a member of the group, at an angle of at most φ to u, with {@code ‖d‖ ≤ γ}. If c is at an angle α to u, then it is at an
 * angle of at least {@code α − φ} to d, so {@code ⟨c, d⟩ ≤ e·γ·cos(α − φ)} if {@code φ ≤ α ≤ φ + 90°}. So {@code ⟨c, d⟩ ≥ s·γ} with
 * {@code 0 < s ≤ e} needs {@code ⟨c, u⟩ ≥ s·cos φ − sqrt(e² − s²)·sin φ}. φ is the largest angle in all groups, so that this number is the
 * same for all of them.
 */
public final class GroupLevel {

	/** The vectors u, group by group. */
	public final float[][] centres;
	/** The cosine of φ, at most, and the sine, at least. A negative cosine: a group is too wide for a bound. */
	public final float cos, sin;

	/**
	 * @param groups the numbers of the members, group by group
	 * @param size the number of vectors of the basis
	 */
	public GroupLevel(final double[][] products, final int[][] groups, final int size) {
		centres = new float[groups.length][size];
		double least = 1;
		for (int g = 0; g < centres.length; g++) {
			final double[] sum = new double[size];
			for (final int p : groups[g]) {
				final double[] d = products[p];
				final double norm = norm(d, size);
				if (norm > 0) for (int k = 0; k < size; k++) sum[k] += d[k] / norm;
			}
			final double norm = norm(sum, size);
			for (int k = 0; k < size; k++) centres[g][k] = (float) (norm > 0 ? sum[k] / norm : k == 0 ? 1 : 0);
			for (final int p : groups[g]) {
				final double[] d = products[p];
				double product = 0;
				for (int k = 0; k < size; k++) product += d[k] * centres[g][k];
				final double length = norm(d, size);
				if (length > 0) least = Math.min(least, product / length);
			}
		}
		// the margin covers the rounding of u to float
		final double c = least - 1e-6;
		cos = Math.nextDown((float) c);
		sin = Math.nextUp((float) Math.sqrt(1 - c * c));
	}

	private static double norm(final double[] v, final int size) {
		double sum = 0;
		for (int k = 0; k < size; k++) sum += v[k] * v[k];
		return Math.sqrt(sum);
	}

	/**
	 * The number that {@code ⟨c, u⟩} reaches for a group with a member of {@code ⟨c, d⟩ ≥ s·γ}. Negative infinity if a group is too wide for a bound.
	 *
	 * @param e the largest possible {@code ‖c‖}
	 * @param s above 0
	 */
	public double least(final double e, final double s) {
		return cos < 0 ? Double.NEGATIVE_INFINITY : s * cos - Math.sqrt(Math.max(0, e * e - s * s)) * sin;
	}
}
