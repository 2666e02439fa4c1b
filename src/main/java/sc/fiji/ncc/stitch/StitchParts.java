package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.result.Mosaic.Link;
import sc.fiji.ncc.run.Parts;

/**
 * From tiles to their positions, in parts. One process plans which pairs are compared, and computes the positions from their links
 * ({@link #mosaic}). The others, or the same one, measure the pairs ({@link #measured}). Several threads may use an object at once.
 */
public final class StitchParts implements Parts {

	/** The work of processes, which {@link StitchParts#measured} does. */
	public interface Tasks {

		/** The largest number of pairs of a task, which is even. */
		int most();

		/** Measures tasks, in any order. Returns a result for each task, in their order. */
		List<LinkTask.Result> measured(List<LinkTask> tasks);
	}

	/**
	 * @param stageError the largest error of the distance of two neighbours; null to estimate it from the first links
	 * @param falseAlarms the expected number of false alarms below which a link counts
	 * @param rejection the probability that any good link is left out
	 */
	public record Levels(long[] stageError, double falseAlarms, double rejection) {}

	private final Tiles tiles;
	private final ComputeOptions compute;
	private final Levels levels;
	private LinkMeasurement measurement;

	/** @param compute options with a planner */
	public StitchParts(final Tiles tiles, final ComputeOptions compute, final Levels levels) {
		this.tiles = tiles;
		this.compute = compute;
		this.levels = levels;
	}

	private synchronized LinkMeasurement measurement() {
		if (measurement == null) measurement = new LinkMeasurement(tiles, compute, levels.falseAlarms);
		return measurement;
	}

	/**
	 * Measures the pairs of a task.
	 *
	 * @throws CancellationException if the monitor canceled
	 */
	public LinkTask.Result measured(final LinkTask task) {
		return measurement().measured(task);
	}

	/** All pairs are measured by this process. */
	Tasks here() {
		return new Tasks() {

			@Override
			public int most() {
				return Integer.MAX_VALUE - 1;
			}

			@Override
			public List<LinkTask.Result> measured(final List<LinkTask> tasks) {
				final List<LinkTask.Result> results = new ArrayList<>();
				for (final LinkTask task : tasks) results.add(StitchParts.this.measured(task));
				return results;
			}
		};
	}

	/** The positions, measured by this process. */
	public Mosaic mosaic() {
		return mosaic(here());
	}

	/**
	 * The positions.
	 *
	 * @param tasks what other processes measure
	 * @throws CancellationException if the monitor canceled
	 */
	public Mosaic mosaic(final Tasks tasks) {
		final LinkSearch search = new LinkSearch(tiles.dimensions(), levels.falseAlarms, tasks);
		return Components.with(mosaic(search), Mosaic::flatFieldDoubt, search.flatFieldDoubt());
	}

	private Mosaic mosaic(final LinkSearch search) {
		final Monitor monitor = monitor();
		if (tiles.placed().length == 0) {
			final List<TilePair> all = TilePair.of(tiles, null);
			monitor.total(all.size());
			return new MosaicSolver(tiles, all, search.links(all), null).solve(levels.rejection, null, false);
		}
		long[] error = levels.stageError;
		boolean measured = false;
		if (error == null) {
			final long[] most = StageModel.first(tiles);
			final List<TilePair> all = TilePair.of(tiles, most), first = StageModel.sample(all);
			monitor.total(all.size() + first.size());
			final List<Link> links = search.links(first);
			measured = StageModel.isMeasured(links);
			error = measured ? StageModel.error(first, links, most) : most;
		}
		final List<TilePair> pairs = TilePair.of(tiles, error);
		if (pairs.isEmpty()) throw new IllegalArgumentException("no two tiles overlap at their positions: give a larger overlap, or other positions");
		if (levels.stageError != null) monitor.total(pairs.size());
		final List<Link> links = search.links(pairs);
		return new MosaicSolver(tiles, pairs, links, StageModel.of(pairs, links, error)).solve(levels.rejection, error, measured);
	}

	/** The rankings by which this process has chosen algorithms, one for each size of strips. */
	public List<Ranking> rankings() {
		return measurement().rankings();
	}

	/** The number of tiles. */
	@Override
	public long count() {
		return tiles.count();
	}

	@Override
	public Monitor monitor() {
		return compute.monitor();
	}

	@Override
	public String algorithms() {
		return Ranking.methods(rankings());
	}

	@Override
	public void close() {
		// its memory is that of its tiles
	}
}
