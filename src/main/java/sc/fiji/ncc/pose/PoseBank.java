package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.List;

import sc.fiji.ncc.plan.BoundedSearcher;
import sc.fiji.ncc.plan.Template;

/**
 * What the engine correlates with an image for one family: the vectors of a basis, or all poses.
 *
 * @param family the poses
 * @param bound the bound of the basis; null if every pose is correlated
 * @param templates the templates for the engine
 */
record PoseBank(PoseFamily family, PoseBound bound, List<Template> templates) {

	/** Every pose is correlated. */
	static PoseBank exhaustive(final PoseFamily family) {
		final double[] weights = family.support.weights();
		final List<Template> all = new ArrayList<>();
		for (int p = 0; p < family.values.length; p++) all.add(family.template(p, weights));
		return new PoseBank(family, null, all);
	}

	/** The first vectors of a basis are correlated. */
	static PoseBank of(final PoseFamily family, final PoseBasis basis, final PoseBound bound) {
		final double[] weights = family.support.weights();
		final List<Template> all = new ArrayList<>();
		for (int k = 0; k < bound.size; k++) all.add(family.template(basis.vectors[k], weights));
		return new PoseBank(family, bound, all);
	}

	/** The same for a device that searches bounded banks. */
	BoundedSearcher.Bank bounded(final double minScore) {
		return new BoundedSearcher.Bank(family.support.pixels(), templates, bound.products, bound.residual, family.values, family.gain, minScore, bound.error, bound.reach(), bound.groups());
	}
}
