package sc.fiji.ncc.plan.bank;

import java.util.Arrays;
import java.util.List;

/**
 * The proved interval of the score of each member, from the products of a window with the first vectors of an orthonormal basis.
 * <p>
 * Let f be the window and t the member, both with zero mean and unit norm, c the products of f with the K vectors, d those of t, {@code e = ‖c‖} and {@code ρ =
 * sqrt(1 − ‖d‖²)}. The parts of f and t outside the basis have the norms {@code sqrt(1 − e²)} and ρ, so by Cauchy and Schwarz {@code |⟨f, t⟩ − ⟨c, d⟩| ≤
 * sqrt(1 − e²)·ρ}. With γ the smallest {@code ‖d‖} of all members, a window with {@code e < γ} has no score above {@code cos(acos(e) − acos(γ))}.
 * <p>
 * A correlation gives each c within 1e-5, so the vector c lies within {@link #error} of the exact one. The bounds include this error.
 */
public final class Bounds {

	/** The largest error of a correlation, and that of a basis vector in float, which adds to it. */
	public static final double RESPONSE = 1.02e-5;
	/** The largest error of an exact score. */
	public static final double EXACT = 1e-9;
	/** The relative rounding error of a product of floats and its sum, for each vector. */
	private static final double ROUNDING = 4 * 0x1p-24;

	/** The vectors on the support. */
	public final float[][] vectors;
	/** The products of each member with the vectors, member by member. */
	public final float[][] products;
	/** ρ of each member. */
	public final float[] residual;
	/** How far the upper bound exceeds {@code ⟨c, d⟩ + sqrt(1 − e²)·ρ} because of rounding; also a bound of the error of e. */
	public final float error;
	/** The smallest measured e² with which a score can reach the minimum score; 0 if every window can. */
	public final float minEnergy;
	/** Bounds of groups of members, the level with the fewest groups first. */
	public final List<GroupLevel> levels;
	private final double minScore;
	/** The largest ρ, and the largest ‖d‖. */
	public final float largest, gamma;

	/**
	 * @param basis the vectors of a basis, the most important first
	 * @param ofMembers the products of each member with each vector
	 * @param size the number of vectors
	 * @param share the factor by which the residual norms are multiplied: 1. A smaller one breaks the proof; tests use it
	 * @param groups the numbers of the members, group by group, for each level
	 */
	public Bounds(final float[][] basis, final double[][] ofMembers, final int size, final double minScore, final double share, final List<int[][]> groups) {
		vectors = Arrays.copyOf(basis, size);
		this.minScore = minScore;
		final int count = ofMembers.length;
		products = new float[count][size];
		residual = new float[count];
		error = (float) (Math.sqrt(size) * RESPONSE + (size + 8) * ROUNDING + 2 * EXACT);
		float largest = 0;
		double gamma = 0;
		for (int p = 0; p < count; p++) {
			double inside = 0;
			for (int k = 0; k < size; k++) {
				products[p][k] = (float) ofMembers[p][k];
				inside += ofMembers[p][k] * ofMembers[p][k];
			}
			// rounding errors of the basis and of the sum are below 1e-12
			final double rho = share * Math.sqrt(Math.max(0, 1 - inside) + 1e-12);
			residual[p] = Math.nextUp((float) Math.min(1, rho));
			largest = Math.max(largest, residual[p]);
			gamma = Math.max(gamma, Math.sqrt(inside) + 1e-9);
		}
		this.largest = largest;
		this.gamma = Math.nextUp((float) gamma);
		levels = groups.stream().map(g -> new GroupLevel(ofMembers, g, size)).toList();
		final double angle = Math.acos(Math.max(-1, minScore - EXACT)) + Math.asin(Math.min(1, largest));
		final double least = angle >= Math.PI / 2 ? 0 : Math.cos(angle) - error;
		minEnergy = least <= 0 ? 0 : Math.nextDown((float) (least * least));
	}

	/** The number of vectors. */
	public int size() {
		return vectors.length;
	}

	/** The smallest e with which a score can reach the minimum score; 0 if every window can. Unlike {@link #minEnergy} it does not include the error. */
	public float minNorm() {
		return minEnergy == 0 ? 0 : (float) (Math.sqrt(minEnergy) + error - 1e-6);
	}

	/** {@code sqrt(1 − e²)} at most, for a measured e². */
	public float outside(final float energy) {
		final double e = Math.max(0, Math.sqrt(energy) - error);
		return Math.nextUp((float) Math.sqrt(Math.max(0, 1 - e * e)));
	}

	/**
	 * The numbers that the product of a window with the centre of a group must reach at each level, if the score of a member is to reach the minimum score.
	 *
	 * @param energy the measured e²
	 * @param outside what {@link #outside} gave for it
	 * @param to receives one number per level
	 */
	public void groups(final float energy, final float outside, final double[] to) {
		final double e = Math.sqrt(energy) + error, s = (least() - outside * largest) / gamma;
		for (int l = 0; l < to.length; l++) to[l] = s > 0 ? levels.get(l).least(e, s) - error : Double.NEGATIVE_INFINITY;
	}

	/** The number that {@code ⟨c, d⟩ + outside·residual} must reach if the score of the member is to reach the minimum score. */
	public float least() {
		return Math.nextDown((float) (minScore - error));
	}
}
