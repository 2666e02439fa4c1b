package sc.fiji.ncc.stitch;

import java.util.List;
import java.util.concurrent.CancellationException;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.result.Mosaic.Link;

/** From tiles to their positions: the error of the stage, the links, and the positions that fit them. */
public final class StitchedLinks {

	private StitchedLinks() {}

	/**
	 * @param stageError the largest error of the distance of two neighbours; null to estimate it from the first links
	 * @param rejection the probability that any good link is left out
	 * @throws CancellationException if the monitor canceled
	 */
	public static Mosaic mosaic(final Tiles tiles, final LinkSearch search, final long[] stageError, final double rejection, final Monitor monitor) {
		if (!tiles.arePlaced()) {
			final List<TilePair> all = TilePair.of(tiles, null);
			monitor.total(all.size());
			return new MosaicSolver(tiles, all, search.links(all), null).solve(rejection, null, false);
		}
		long[] error = stageError;
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
		if (stageError != null) monitor.total(pairs.size());
		final List<Link> links = search.links(pairs);
		return new MosaicSolver(tiles, pairs, links, StageModel.of(pairs, links, error)).solve(rejection, error, measured);
	}
}
