package sc.fiji.ncc.cpu.execution;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.cpu.tile.FrameData;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;

/** The work on one image for a {@link TiledExecution}, with a result of type {@code T}. */
abstract class TiledSubmission<T> {

	final Pixels in;
	final LagBox lags;
	final Monitor monitor;
	final SubmissionTiles parts;
	/** The data that all tiles of a group with the same first lag share. */
	private final Map<List<Object>, FrameData> shared = new HashMap<>();
	final CompletableFuture<T> future = new CompletableFuture<>();
	/** The next tile, and the number of tiles in progress. Guarded by the execution. */
	private int next, inProgress;
	private volatile Throwable failure;
	private final TiledExecution execution;

	TiledSubmission(final TiledExecution execution, final SubmissionTiles parts, final Pixels in, final LagBox lags,
		final Monitor monitor) {
		this.execution = execution;
		this.parts = parts;
		this.in = in;
		this.lags = lags;
		this.monitor = monitor;
		for (final SubmissionTiles.Part p : parts.parts)
			if (p.group().method.oneByOne()) shared.computeIfAbsent(key(p), k -> p.group().method.frame(in, p.origin(), lags.size()));
	}

	private List<Object> key(final SubmissionTiles.Part part) {
		return List.of(part.group(), Arrays.stream(part.origin()).boxed().toList());
	}

	/**
	 * Computes a tile and counts it as done. A failure ends the submission.
	 *
	 * @param buffer memory for responses
	 * @return the buffer, or a larger one
	 */
	abstract Buffer run(int tile, Buffer buffer);

	/** Whether both its pixels and its responses are in memory, not in files. */
	abstract boolean inMemory();

	/** The result of the submission. */
	abstract T result();

	final boolean stopped() {
		return monitor.canceled() || failure != null;
	}

	final TileMethod.Tile tile(final SubmissionTiles.Part part, final int index) {
		final long[] min = part.grid().min(parts.inPart(index)), lag = part.origin().clone();
		for (int d = 0; d < lag.length; d++) lag[d] += min[d];
		return new TileMethod.Tile(in, lag, part.grid().size(parts.inPart(index)), shared.isEmpty() ? null : shared.get(key(part)));
	}

	/** Takes the next tile. An active submission has at least one. Called under the execution's lock. */
	final int take() {
		inProgress++;
		if (next + 1 == parts.tiles) execution.deactivate(this);
		return next++;
	}

	/**
	 * Counts a tile as done, and ends the submission after the last one.
	 *
	 * @param none whether no tile was taken because the submission failed before
	 */
	final void tileDone(final Throwable problem, final boolean none) {
		final boolean last;
		synchronized (execution) {
			if (!none) inProgress--;
			if (problem != null) {
				if (failure == null) failure = problem;
				execution.deactivate(this);
				next = parts.tiles;
			}
			last = next == parts.tiles && inProgress == 0;
		}
		if (last) end();
	}

	private static Throwable described(final Throwable t) {
		try {
			return t instanceof OutOfMemoryError ? DeviceException.outOfHeap((OutOfMemoryError) t) : t;
		}
		catch (final OutOfMemoryError e) {
			// no memory for the message either: the caller still waits for an end
			return t;
		}
	}

	/** Completes the future, then frees the place: when an execution is closed, all its futures are complete. */
	private void end() {
		try {
			if (failure == null) future.complete(result());
		}
		catch (final Throwable t) {
			failure = t;
		}
		try {
			if (failure != null) future.completeExceptionally(described(failure));
		}
		finally {
			execution.free();
		}
	}
}
