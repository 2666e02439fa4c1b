package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.List;

import sc.fiji.ncc.plan.BoundedSearcher;
import sc.fiji.ncc.plan.Template;

/**
 * How the poses are searched.
 *
 * @param set the poses
 * @param banks what the engine correlates, one bank per family
 * @param lines the decisions, in words, one line per family
 * @param planning the predicted seconds of the samples and of the bases
 * @param scoring the predicted seconds of all frames, without the engine's correlations
 */
public record PosePlan(PoseSet set, List<PoseBank> banks, List<String> lines, double planning, double scoring) {

	/** All templates for the engine, bank by bank. */
	public List<Template> templates() {
		final List<Template> all = new ArrayList<>();
		for (final PoseBank b : banks) all.addAll(b.templates());
		return all;
	}

	/** The number of lags of the largest family in an image. */
	public long lags(final long[] image) {
		return banks.stream().mapToLong(b -> PosePlanner.lags(b.family(), image)).max().orElse(0);
	}

	/** The banks for a device that searches bounded banks; empty if one of them has no bound. */
	public List<BoundedSearcher.Bank> bounded(final double minScore) {
		return banks.stream().anyMatch(b -> b.bound() == null) ? List.of() : banks.stream().map(b -> b.bounded(minScore)).toList();
	}
}
