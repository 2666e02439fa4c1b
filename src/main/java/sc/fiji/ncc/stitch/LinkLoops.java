package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;

import sc.fiji.ncc.result.Mosaic.Link;

/**
 * Confirms links by loops: around three or four tiles the shifts add up to 0. A wrong shift can be anywhere within the error of the stage,
 * so it closes a loop by chance only, whatever the other links are. Wrong shifts often lie on a line, that of an edge in the scene, so one
 * dimension counts: a loop closes by chance to a distance r with the probability 2r over the least width of the search. This probability
 * times the link's own expected number of false alarms, at most 1, and the number of loops that were tried, is its expected number of false
 * alarms. A second loop that shares no other link with the first one is independent of it, and counts as well.
 */
final class LinkLoops {

	/** The largest distance of tiles at the same place, in pixels. */
	private static final double STILL = 1;

	/** One loop: the probability that it closes by chance, and its other links. */
	private record Loop(double chance, List<Integer> others) {}

	private final List<TilePair> pairs;
	private final List<Link> links;
	/** For each tile the links that count or may count. */
	private final List<List<Integer>> at = new ArrayList<>();

	private LinkLoops(final List<TilePair> pairs, final List<Link> links, final IntPredicate candidate) {
		this.pairs = pairs;
		this.links = links;
		for (int i = 0; i < links.size(); i++) if (links.get(i).used() || candidate.test(i)) for (final int tile : new int[] { links.get(i).a(), links.get(i).b() }) {
			while (at.size() <= tile) at.add(new ArrayList<>());
			at.get(tile).add(i);
		}
	}

	/**
	 * The links, with the candidates used that loops confirm.
	 *
	 * @param candidate whether a link that is not used may be confirmed
	 * @param level the expected number of false alarms below which a link counts
	 */
	static List<Link> confirmed(final List<TilePair> pairs, final List<Link> links, final IntPredicate candidate, final double level) {
		final LinkLoops loops = new LinkLoops(pairs, links, candidate);
		final List<Link> all = new ArrayList<>(links);
		for (int i = 0; i < links.size(); i++) {
			final Link l = links.get(i);
			if (l.used() || !candidate.test(i) || pairs.get(i).expected() == null && isStill(l)) continue;
			final double alarms = Math.min(1, l.falseAlarms()) * loops.chance(i);
			if (alarms <= level) all.set(i, new Link(l.a(), l.b(), l.shift(), l.score(), l.runnerUp(), alarms, l.covariance(), l.residual(), l.sigmas(), true, ""));
		}
		return all;
	}

	/** Whether two tiles lie at the same place: without positions, patterns of the camera make such links between all tiles, and their loops close. */
	private static boolean isStill(final Link l) {
		for (final double d : l.shift()) if (Math.abs(d) > STILL) return false;
		return true;
	}

	/** The probability that the loops of a link close as they do if it is wrong, times the number of choices among them. */
	private double chance(final int link) {
		final List<Loop> loops = new ArrayList<>();
		final Link l = links.get(link);
		walk(link, l.b(), l.shift(), variance(l), new ArrayList<>(), loops);
		final double n = loops.size();
		double least = 1;
		for (int i = 0; i < n; i++) {
			least = Math.min(least, n * loops.get(i).chance);
			for (int k = 0; k < i; k++)
				if (Collections.disjoint(loops.get(i).others, loops.get(k).others)) least = Math.min(least, n * n * loops.get(i).chance * loops.get(k).chance);
		}
		return least;
	}

	/** Goes on from a tile, up to three links back to the first tile of a link. */
	private void walk(final int link, final int tile, final double[] sum, final double variance, final List<Integer> path, final List<Loop> loops) {
		if (tile == links.get(link).a()) {
			// the dimension with the least shifts: wrong shifts may differ along any one of them only
			double width = Double.POSITIVE_INFINITY;
			for (int d = 0; d < sum.length; d++) width = Math.min(width, pairs.get(link).shifts(d));
			loops.add(new Loop(Math.min(1, 2 * Math.sqrt(Math.max(square(sum), variance)) / width), List.copyOf(path)));
			return;
		}
		if (path.size() == 3) return;
		for (final int next : at.get(tile)) {
			if (next == link || path.contains(next)) continue;
			final Link l = links.get(next);
			final double[] further = sum.clone();
			for (int d = 0; d < sum.length; d++) further[d] += l.a() == tile ? l.shift()[d] : -l.shift()[d];
			path.add(next);
			walk(link, l.a() == tile ? l.b() : l.a(), further, variance + variance(l), path, loops);
			path.remove(path.size() - 1);
		}
	}

	private static double variance(final Link l) {
		double sum = 0;
		for (int d = 0; d < l.covariance().length; d++) sum += l.covariance()[d][d];
		return sum;
	}

	private static double square(final double[] v) {
		double sum = 0;
		for (final double c : v) sum += c * c;
		return sum;
	}
}
