package sc.fiji.ncc.cuda;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;

/** One image on its way through {@link CudaExecution}. */
final class Submission {

	final Pixels in;
	final LagBox lags;
	final Sink out;
	final Monitor monitor;
	final CompletableFuture<Report> future = new CompletableFuture<>();
	/** Tasks that are not done yet; guarded by the execution. */
	int left;
	private long undefined, rechecked;
	private Throwable failure;

	Submission(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
		this.in = in;
		this.lags = lags;
		this.out = out;
		this.monitor = monitor;
	}

	void requireGoOn() {
		if (monitor.canceled()) throw new CancellationException("canceled");
	}

	/** Counts some of its responses. */
	synchronized void count(final long undefined, final long rechecked) {
		this.undefined += undefined;
		this.rechecked += rechecked;
	}

	/** Its future will say the first failure. */
	synchronized void fail(final Throwable why) {
		if (failure == null) failure = why;
	}

	/** No task is left. */
	synchronized void end() {
		if (failure != null) future.completeExceptionally(failure);
		else future.complete(new Report(lags.lags() * lags.origins().length, undefined, rechecked));
	}
}
