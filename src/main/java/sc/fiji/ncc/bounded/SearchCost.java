package sc.fiji.ncc.bounded;

import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Constants;

/**
 * The seconds that one thread of the host needs for everything but the correlations: energies, bounds and exact scores. The constants were
 * measured on two threads of a busy AMD EPYC, so they have about the same reserve as the other constants of the CPU.
 */
public final class SearchCost {

	/**
	 * Seconds for a square in the energy, for a window whose bounds are computed, for a product of a bound, for the greatest of two responses, for a pixel of a
	 * window that is read, and for a pixel of an exact score.
	 */
	private static final double SQUARE = 0.15e-9, WINDOW = 3e-8, BOUND = 0.04e-9, GREATEST = 0.3e-9, READ = 3e-9, EXACT = 0.4e-9;

	private SearchCost() {}

	/** The seconds for a family in one image. */
	public static double seconds(final BoundedBank.Family family, final double lags, final Constants c) {
		final BoundedBank.Basis basis = family.basis();
		if (basis == null) return lags * family.members() * c.get("bank-greatest", GREATEST);
		double left = basis.kept(), products = 0;
		for (final BoundedBank.Groups g : basis.groups()) {
			products += left * g.count();
			left = g.left();
		}
		products = basis.vectors() * (products + left * family.members());
		return lags * (basis.vectors() * c.get("bank-square", SQUARE) + basis.kept() * c.get("bank-window", WINDOW) + products * c.get("bank-bound", BOUND)
			+ family.values() * (basis.read() * c.get("bank-read", READ) + basis.scores() * c.get("bank-score", EXACT)));
	}
}
