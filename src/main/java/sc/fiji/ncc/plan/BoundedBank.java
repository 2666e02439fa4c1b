package sc.fiji.ncc.plan;

import java.util.List;

/**
 * Many unit vectors under one support, the members, with an orthonormal basis that bounds their scores. The score of a window f with the member t, both of zero
 * mean and unit norm, is {@code ⟨f, t⟩}. With the products c of f and d of t with the basis, {@code |⟨f, t⟩ − ⟨c, d⟩| ≤ sqrt(1 − ‖c‖²)·sqrt(1 − ‖d‖²)}.
 *
 * @param support the indices of the support's pixels in its box, ascending
 * @param basis the vectors of the basis, of the extents of the support's box, with weight 1 on the support
 * @param products those of each member with each vector of the basis
 * @param residual {@code sqrt(1 − ‖d‖²)} of each member, rounded up
 * @param members the numbers of each member on the support, in the order of its pixels
 * @param gains the factor that makes the norm of each member 1
 * @param minScore the minimum score
 * @param error the largest error of c, and of the float products with it, if each number of c has the largest error of a response
 * @param reach the smallest {@code ‖c‖} with which a score can reach the minimum; 0 if every window can
 */
public record BoundedBank(int[] support, List<Template> basis, float[][] products, float[] residual, float[][] members, double[] gains, double minScore, float error,
	float reach)
{

	/** The extents of the support's box. */
	public Size box() {
		return basis.get(0).size();
	}
}
