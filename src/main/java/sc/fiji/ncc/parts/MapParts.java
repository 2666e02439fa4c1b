package sc.fiji.ncc.parts;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.run.SlidingCall;

/** Maps of an image in stores, in boxes of whole chunks. */
public abstract class MapParts extends ImageParts {

	/** The boxes that one process begins before the first of them is complete. */
	private static final int IN_FLIGHT = 4;

	/**
	 * The counts of one box.
	 *
	 * @param report the counts of the computed lags
	 * @param before the number of responses that the stores had before
	 */
	public record Done(Report report, long before) implements Serializable {

		Done plus(final Done other) {
			return new Done(report.plus(other.report), before + other.before);
		}
	}

	MapParts(final SlidingCall op, final RandomAccessibleInterval<?> image) {
		super(op, image);
	}

	/** Writes the chunks that no box has. One process does this, once. Default: each chunk is in a box. */
	public void fillBorders() {}

	/**
	 * Computes a box and writes its chunks. Chunks that a store has are not written again. Returns at once.
	 *
	 * @param index from 0 to {@link #count} - 1
	 * @return done when all chunks of the box are written. After a failure, all later boxes of this object fail
	 */
	public abstract CompletableFuture<Done> compute(long index);

	/** Computes all boxes in this process. Throws as {@link sc.fiji.ncc.run.BoxQueue#run}. */
	public final Done computeAll() {
		final Queue<CompletableFuture<Done>> inFlight = new ArrayDeque<>();
		Done all = new Done(Report.NONE, 0);
		monitor().total(responses());
		final long count = count();
		try {
			for (long i = 0; i < count || !inFlight.isEmpty(); i++) {
				if (i < count) inFlight.add(compute(i));
				if (i < count && inFlight.size() < IN_FLIGHT) continue;
				final Done done = inFlight.remove().join();
				monitor().done(done.before);
				all = all.plus(done);
			}
			return all;
		}
		catch (final CompletionException e) {
			if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
			throw e;
		}
	}
}
