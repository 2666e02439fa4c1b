package sc.fiji.ncc.run;

import java.util.List;
import java.util.function.Supplier;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.BankExecution.Range;
import sc.fiji.ncc.plan.bank.BankExecution.Receiver;
import sc.fiji.ncc.plan.bank.BankPlan;
import sc.fiji.ncc.plan.bank.Members;
import sc.fiji.ncc.plan.support.ProgressOnce;
import sc.fiji.ncc.planner.Ranking;

/** The best members of windows, on the best candidate. If it fails, the next candidate repeats the image. */
public final class FailoverSearch implements AutoCloseable {

	private final Failover<BankExecution> failover;

	/**
	 * @param families the members, in the order of the problem's families
	 * @param minScore the exact minimum score
	 * @param threads the maximum number of threads of the host
	 */
	public FailoverSearch(final Ranking ranking, final List<Members> families, final double minScore, final int threads) {
		failover = new Failover<>(ranking, c -> ((BankPlan) c.plan()).prepare(families, minScore, threads));
	}

	/** The ranking. Its best candidate is the one in use. */
	public Ranking ranking() {
		return failover.ranking();
	}

	/** The number of responses of the best candidate at these lags. */
	public long responses(final List<Range> lags) {
		return failover.ask(e -> e.responses(lags));
	}

	/**
	 * Searches an image.
	 *
	 * @param lags those of each family
	 * @param begin gives a receiver that has received nothing; called again after a failure
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public Report search(final Pixels image, final List<Range> lags, final Supplier<Receiver> begin, final Monitor monitor) {
		final ProgressOnce once = new ProgressOnce(monitor);
		return failover.run(execution -> {
			once.restart();
			try {
				return execution.search(image, lags, begin.get(), once);
			}
			catch (final OutOfMemoryError full) {
				throw DeviceException.outOfHeap(full);
			}
		});
	}

	@Override
	public void close() {
		failover.close();
	}
}
