package sc.fiji.ncc.parts;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.run.SlidingCall;
import sc.fiji.ncc.sink.BestMaps;
import sc.fiji.ncc.sink.StoredBest;

/** The greatest responses of all templates, and the numbers of their templates. All templates of a box are computed before its chunks are written. */
public final class BestMapParts extends MapParts {

	private final StoredBest maps;
	private final BoxGrid grid;

	/**
	 * @param stores for the responses, and for the numbers of the templates if there are two
	 * @throws IllegalArgumentException if the maps of the templates differ in size or origin
	 */
	public BestMapParts(final SlidingCall op, final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		super(op, image);
		BestMaps.requireCongruent(op.templates(), layouts());
		maps = new StoredBest(stores, image, banks(), op.storing());
		grid = maps.grid();
		divide(maps::grid, maps::maxBoxes, Result.BEST);
	}

	@Override
	public long count() {
		return Math.multiplyExact(frames(), grid.count());
	}

	@Override
	public CompletableFuture<Done> compute(final long index) {
		final long frame = index / grid.count();
		final long[][] box = grid.box(index % grid.count());
		long responses = 0;
		for (int b = 0; b < banks().size(); b++) responses += StoredBest.responses(banks().get(b), box);
		final StoredBest.Box target = maps.of(frame, box);
		if (target == null) return CompletableFuture.completedFuture(new Done(Report.NONE, responses));
		final List<CompletableFuture<Report>> submitted = new ArrayList<>();
		for (int b = 0; b < banks().size(); b++)
			if (StoredBest.responses(banks().get(b), box) > 0)
				submitted.add(service().submit(b, frame(frame), frame, StoredBest.lags(banks().get(b), box), target.sink(banks().get(b))));
		return CompletableFuture.allOf(submitted.toArray(CompletableFuture[]::new)).thenCompose(complete -> {
			Report report = Report.NONE;
			for (final CompletableFuture<Report> s : submitted) report = report.plus(s.join());
			final Done done = new Done(report, 0);
			return target.write().thenApply(written -> done);
		});
	}

	@Override
	public void close() {
		super.close();
		maps.close();
	}
}
