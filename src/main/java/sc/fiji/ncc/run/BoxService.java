package sc.fiji.ncc.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;

/**
 * Computes boxes that any threads submit, with one execution for each bank of templates. An execution begins with the first box of its bank and ends with
 * {@link #close}. If a device fails, the next candidate continues. Any other failure ends the service: all boxes that are not complete fail, and later boxes
 * fail at once.
 */
public final class BoxService implements AutoCloseable {

	private final List<BankFeed> feeds = new ArrayList<>();
	private final Set<CompletableFuture<Report>> pending = ConcurrentHashMap.newKeySet();
	private final Monitor monitor;
	private Throwable failure;
	private volatile boolean closed;

	/**
	 * @param rankings one for each bank
	 * @param maxBoxes for each bank the maximum number of boxes in flight
	 * @param monitor receives the progress, and can cancel
	 */
	public BoxService(final List<TemplateBank> banks, final List<Ranking> rankings, final int[] maxBoxes, final Monitor monitor) {
		this.monitor = monitor.orIf(() -> closed);
		for (int b = 0; b < banks.size(); b++) feeds.add(new BankFeed(banks.get(b), rankings.get(b), maxBoxes[b], this.monitor));
	}

	/**
	 * Submits a box. Returns at once.
	 *
	 * @param bank the index of the bank
	 * @param index the index of the frame, from 0
	 * @param box the first lag, relative to the bank's first lag, and the size
	 * @return the counts of the box, when all its responses are in the sink
	 */
	public CompletableFuture<Report> submit(final int bank, final RandomAccessibleInterval<?> frame, final long index, final long[][] box,
		final Sink sink) {
		final CompletableFuture<Report> result = new CompletableFuture<>();
		synchronized (this) {
			if (failure != null) return CompletableFuture.failedFuture(failure);
			if (closed) return CompletableFuture.failedFuture(new CancellationException("canceled"));
			feeds.get(bank).start("ncc-boxes", this::fail);
			pending.add(result);
		}
		feeds.get(bank).add(BoxQueue.Box.of(feeds.get(bank).bank, frame, index, box, sink, monitor, report -> {
			pending.remove(result);
			result.complete(report);
		}));
		return result;
	}

	private void fail(final Throwable t) {
		final List<CompletableFuture<Report>> failed;
		synchronized (this) {
			if (failure == null) failure = t;
			failed = List.copyOf(pending);
			pending.clear();
		}
		// all banks stop, because their boxes would be discarded
		closed = true;
		for (final CompletableFuture<Report> f : failed) f.completeExceptionally(t);
	}

	/** The rankings after the failures of devices so far. */
	public List<Ranking> rankings() {
		return feeds.stream().map(BankFeed::ranking).toList();
	}

	/** Ends all executions. Boxes that are not complete fail with a {@link CancellationException}. */
	@Override
	public void close() {
		closed = true;
		feeds.forEach(BankFeed::end);
		feeds.forEach(f -> Parallel.await(f::join));
		fail(new CancellationException("canceled"));
	}
}
