package sc.fiji.ncc.cuda.run;

import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;

/** One image that {@link CudaExecution} computes. */
public final class Submission {

	public final Pixels in;
	public final LagBox lags;
	public final Sink out;
	public final Monitor monitor;
	final CompletableFuture<Report> future = new CompletableFuture<>();
	/** The number of unfinished tasks; guarded by the execution. */
	int unfinished;
	private long undefined, rechecked;
	private Throwable failure;

	public Submission(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
		this.in = in;
		this.lags = lags;
		this.out = out;
		this.monitor = monitor;
	}

	/** Adds to the counts of its responses. */
	public synchronized void count(final long undefined, final long rechecked) {
		this.undefined += undefined;
		this.rechecked += rechecked;
	}

	/** Records a failure. The future completes with the first one. */
	public synchronized void fail(final Throwable why) {
		if (failure == null) failure = why;
	}

	/** Completes the future after the last task. */
	synchronized void end() {
		if (failure != null) future.completeExceptionally(failure);
		else future.complete(new Report(lags.lags() * lags.origins().length, undefined, rechecked));
	}
}
