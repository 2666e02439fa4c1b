package sc.fiji.ncc.parts;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.run.SlidingCall;
import sc.fiji.ncc.sink.StoredMaps;

/** One map for each template. */
public final class TemplateMapParts extends MapParts {

	private final StoredMaps maps;

	/** @param stores one for each template */
	public TemplateMapParts(final SlidingCall op, final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		super(op, image);
		maps = op.stored(image, layouts(), stores);
		divide(b -> maps.grid(b, op.maxLags()), b -> maps.maxBoxes(b, op.maxLags()), op.map());
	}

	@Override
	public void fillBorders() {
		maps.fillBorders(frames(), op().monitor());
	}

	@Override
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
