package sc.fiji.ncc.parts;

import java.io.Serializable;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.run.FrameOperation;
import sc.fiji.ncc.sink.StoredMaps;

/** The maps of an image, in boxes of whole chunks of their stores. */
public final class MapParts extends ImageParts {

	/**
	 * The counts of one box.
	 *
	 * @param report the counts of the computed lags
	 * @param before the number of responses that the stores had before
	 */
	public record Done(Report report, long before) implements Serializable {}

	private final StoredMaps maps;

	/**
	 * @param stores one for each template
	 * @param memory the memory for boxes in flight, in bytes
	 */
	public MapParts(final FrameOperation op, final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores, final Undefined undefined,
		final Precision precision, final long memory)
	{
		super(op, image);
		maps = new StoredMaps(stores, image, layouts(), undefined, precision, op.maxLags(), op.threads(), memory);
		divide(b -> maps.grid(b, op.maxLags()), b -> maps.maxBoxes(b, op.maxLags()), Result.MAP);
	}

	/** Writes the chunks without any computed response. One process does this, once. */
	public void fillBorders() {
		maps.fillBorders(frames(), op().monitor());
	}

	/**
	 * Computes a box and writes its chunks. Chunks that a store has are not written again. Returns at once.
	 *
	 * @param index from 0 to {@link #count} - 1
	 * @return done when all chunks of the box are written. After a failure, all later boxes of this object fail
	 */
	public CompletableFuture<Done> compute(final long index) {
		final Place place = place(index);
		final Sink sink;
		synchronized (maps) {
			sink = maps.of(bank(place), place.frame(), place.box());
		}
		if (sink == null) return CompletableFuture.completedFuture(new Done(Report.NONE, Size.of(place.box()[1]).pixels() * bank(place).indices().length));
		return service().submit(place.bank(), frame(place.frame()), place.frame(), place.box(), sink).thenApply(report -> new Done(report, 0));
	}

	@Override
	public void close() {
		super.close();
		maps.close();
	}
}
