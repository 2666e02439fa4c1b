package sc.fiji.ncc.pose;

import java.util.List;

import sc.fiji.ncc.plan.BoundedSearcher;

/**
 * The proved interval of the score of each pose of a family, from the products of a window with the first vectors of an orthonormal basis.
 * <p>
 * Let f be the window and t the pose, both with zero mean and unit norm, c the products of f with the K vectors, d those of t, {@code e = ‖c‖} and {@code ρ =
 * sqrt(1 − ‖d‖²)}. The parts of f and t outside the basis have the norms {@code sqrt(1 − e²)} and ρ, so by Cauchy and Schwarz {@code |⟨f, t⟩ − ⟨c, d⟩| ≤
 * sqrt(1 − e²)·ρ}. With γ the smallest {@code ‖d‖} of all poses, a window with {@code e < γ} has no score above {@code cos(acos(e) − acos(γ))}.
 * <p>
 * The engine gives each c within 1e-5, so the vector c lies within {@link #error} of the exact one. The bounds are widened by it.
 */
final class PoseBound {

	/** The largest error of a correlation of the engine, and that of a basis vector in float, which adds to it. */
	static final double RESPONSE = 1.02e-5;
	/** The relative rounding error of a product of floats and its sum, for each vector. */
	private static final double ROUNDING = 4 * 0x1p-24;

	/** The number of vectors. */
	final int size;
	/** The products of each pose with the vectors, pose by pose. */
	final float[][] products;
	/** ρ of each pose. */
	final float[] residual;
	/** How far the upper bound exceeds {@code ⟨c, d⟩ + sqrt(1 − e²)·ρ} because of rounding; also a bound of the error of e. */
	final float error;
	/** The smallest measured e² with which a score can reach the minimum score; 0 if every window can. */
	final float minEnergy;
	/** Bounds of groups of poses, the level with the fewest groups first. */
	final PoseLevel[] levels;
	private final double minScore;
	/** The largest ρ, and the largest ‖d‖. */
	private final double largest, gamma;

	/**
	 * @param size the number of vectors
	 * @param share the factor by which the residual norms are multiplied: 1. A smaller one breaks the proof; tests use it
	 * @param groups the groups of each level
	 */
	PoseBound(final PoseBasis basis, final int size, final double minScore, final double share, final List<int[][]> groups) {
		this.size = size;
		this.minScore = minScore;
		final int poses = basis.products.length;
		products = new float[poses][size];
		residual = new float[poses];
		error = (float) (Math.sqrt(size) * RESPONSE + (size + 8) * ROUNDING + 2 * PoseWindow.ERROR);
		double largest = 0, gamma = 0;
		for (int p = 0; p < poses; p++) {
			double inside = 0;
			for (int k = 0; k < size; k++) {
				products[p][k] = (float) basis.products[p][k];
				inside += basis.products[p][k] * basis.products[p][k];
			}
			// rounding errors of the basis and of the sum are below 1e-12
			final double rho = share * Math.sqrt(Math.max(0, 1 - inside) + 1e-12);
			residual[p] = Math.nextUp((float) Math.min(1, rho));
			largest = Math.max(largest, residual[p]);
			gamma = Math.max(gamma, Math.sqrt(inside) + 1e-9);
		}
		this.largest = largest;
		this.gamma = gamma;
		levels = groups.stream().map(g -> new PoseLevel(basis.products, g, size)).toArray(PoseLevel[]::new);
		final double angle = Math.acos(Math.max(-1, minScore - PoseWindow.ERROR)) + Math.asin(Math.min(1, largest));
		final double least = angle >= Math.PI / 2 ? 0 : Math.cos(angle) - error;
		minEnergy = least <= 0 ? 0 : Math.nextDown((float) (least * least));
	}

	/** The smallest e with which a score can reach the minimum score; 0 if every window can. Unlike {@link #minEnergy} it does not include the error. */
	float reach() {
		return minEnergy == 0 ? 0 : (float) (Math.sqrt(minEnergy) + error - 1e-6);
	}

	/** The groups of the first level for a device; null if there are none. */
	BoundedSearcher.Groups groups() {
		return levels.length == 0 ? null : levels[0].groups(largest, gamma);
	}

	/** {@code sqrt(1 − e²)} at most, for a measured e². */
	float outside(final float energy) {
		final double e = Math.max(0, Math.sqrt(energy) - error);
		return Math.nextUp((float) Math.sqrt(Math.max(0, 1 - e * e)));
	}

	/**
	 * The numbers that the product of a window with the centre of a group must reach at each level, if the score of a pose is to reach the minimum score.
	 *
	 * @param energy the measured e²
	 * @param outside what {@link #outside} gave for it
	 * @param to receives one number per level
	 */
	void groups(final float energy, final float outside, final double[] to) {
		final double e = Math.sqrt(energy) + error, s = (least() - outside * largest) / gamma;
		for (int l = 0; l < to.length; l++) to[l] = s > 0 ? levels[l].least(e, s) - error : Double.NEGATIVE_INFINITY;
	}

	/** The number that {@code ⟨c, d⟩ + outside·residual} must reach if the score of the pose is to reach the minimum score. */
	float least() {
		return Math.nextDown((float) (minScore - error));
	}
}
