package sc.fiji.ncc.run;

import java.util.function.Supplier;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.ResamplePlan;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.planner.Ranking;

/**
 * Samples frames by the best candidate. If it fails, the next candidate continues with all further blocks. Candidates are ranked at
 * the first block, because frames that
 * move by whole pixels need none. Nothing is open between two blocks.
 */
public final class FailoverSampler implements Sampler {

	private final Supplier<Ranking> planner;
	private Ranking ranking;

	/** @param planner ranks the candidates for a {@link sc.fiji.ncc.plan.Resampling} */
	public FailoverSampler(final Supplier<Ranking> planner) {
		this.planner = planner;
	}

	/** The ranking after the failures so far. */
	public synchronized Ranking ranking() {
		if (ranking == null) ranking = planner.get();
		return ranking;
	}

	private synchronized void replace(final Ranking before, final Ranking after) {
		if (ranking == before) ranking = after;
	}

	@Override
	public Object sample(final Block block) {
		final Ranking before = ranking();
		try (Failover<Sampler> failover = new Failover<>(before, ResamplePlan.class, ResamplePlan::prepare)) {
			final Object box = failover.repeat(Monitor.NONE, (execution, progress) -> execution.sample(block));
			replace(before, failover.ranking());
			return box;
		}
	}
}
