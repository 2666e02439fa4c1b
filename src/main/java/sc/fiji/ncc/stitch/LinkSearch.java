package sc.fiji.ncc.stitch;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import sc.fiji.ncc.register.PeakJudgement;
import sc.fiji.ncc.result.Mosaic.Link;
import sc.fiji.ncc.stitch.LinkTask.Item;
import sc.fiji.ncc.stitch.LinkTask.Look;

/**
 * The links between tiles from what {@link LinkMeasurement} measures: pairs that are not certain are measured again on their fine details, those of uneven
 * gain again without it, and loops of links confirm others. It reads no pixels.
 */
final class LinkSearch {

	/** A link that loops may confirm has less than this chance, and its residual grows by this factor at the second peak. */
	private static final double SOME = 0.1, CLEAR = 1.5;

	private final int dimensions;
	private final double level;
	private final StitchParts.Tasks tasks;
	private String flatFieldDoubt = "";

	/**
	 * @param dimensions the number of spatial dimensions
	 * @param level the expected number of false alarms below which a link counts
	 * @param tasks what measures
	 */
	LinkSearch(final int dimensions, final double level, final StitchParts.Tasks tasks) {
		this.dimensions = dimensions;
		this.level = level;
		this.tasks = tasks;
	}

	/**
	 * What was measured for a pair.
	 *
	 * @param judged false if the best shift lies at the end of the search, or there is none
	 * @param fitted whether the fit between the pixels converged
	 * @param chance the expected number of peaks as high by chance, without the runner-up
	 * @param plane what the strips say about their gain; null if the shift is not that of the pixels
	 * @param slope the slope of the gain; null if it is even
	 */
	record Found(Link link, boolean judged, boolean fitted, double chance, GainPlane plane, double[] slope) implements Serializable {

		/** Whether loops of links may confirm it: it has structure, and no other shift explains the strips nearly as well. */
		boolean isCandidate() {
			// one peak alone has no runner-up: NaN
			return judged && chance <= SOME && !(1 - link.runnerUp() < CLEAR * (1 - link.score()));
		}
	}

	/** That of the tiles whose pairs were measured: the processes that measure them know their illumination. */
	String flatFieldDoubt() {
		return flatFieldDoubt;
	}

	/**
	 * Measures pairs of tiles.
	 *
	 * @return one link for each pair, in order; its residual is unknown
	 */
	List<Link> links(final List<TilePair> pairs) {
		final Found[] found = new Found[pairs.size()];
		measure(IntStream.range(0, found.length).boxed().toList(), pairs, Look.PIXELS, found);
		final List<Integer> open = IntStream.range(0, found.length).filter(i -> found[i].judged && !found[i].link.used()).boxed().toList();
		final Found[] other = found.clone();
		measure(open, pairs, Look.FINE_DETAILS, other);
		for (final int i : open) found[i] = joined(found[i], other[i]);
		final List<Integer> uneven = uneven(found);
		System.arraycopy(found, 0, other, 0, found.length);
		measure(uneven, pairs, Look.EVEN_GAIN, other);
		for (final int i : uneven) found[i] = even(found[i], other[i]);
		return LinkLoops.confirmed(pairs, Arrays.stream(found).map(Found::link).toList(), i -> found[i].isCandidate(), level);
	}

	/** The judgement on the pixels and that on their fine details together. */
	static Found joined(final Found plain, final Found fine) {
		if (!fine.judged) return plain;
		final boolean same = PeakJudgement.isSame(plain.link.shift(), fine.link.shift()), used = fine.link.used();
		// the highest pixel of a peak of fine details can lie beside its middle
		if (!same && !(used && fine.fitted)) return plain;
		final Link from = same ? plain.link : fine.link, better = fine.link.falseAlarms() < plain.link.falseAlarms() ? fine.link : plain.link;
		return new Found(new Link(from.a(), from.b(), from.shift(), better.score(), better.runnerUp(), better.falseAlarms(), from.covariance(), Double.NaN,
			Double.NaN, used, better.reason()), true, (same ? plain : fine).fitted, Math.min(plain.chance, fine.chance), same ? plain.plane : null, null);
	}

	/** The links whose gain is uneven, by what all links along a dimension say together. They receive its slope. */
	private List<Integer> uneven(final Found[] found) {
		final List<Integer> uneven = new ArrayList<>();
		for (int d = 0; d < dimensions; d++) {
			final int along = d;
			final List<Integer> some = IntStream.range(0, found.length).filter(i -> found[i].plane != null && (found[i].link.used() || found[i].isCandidate()))
				.filter(i -> StageModel.direction(found[i].link.shift()) == along).boxed().toList();
			if (some.isEmpty()) continue;
			final double[] signs = some.stream().mapToDouble(i -> Math.signum(found[i].link.shift()[along])).toArray();
			final double[] slope = GainPlane.slope(some.stream().map(i -> found[i].plane).toList(), signs);
			for (int k = 0; k < signs.length && slope != null; k++) {
				final double sign = signs[k];
				final Found f = found[some.get(k)];
				found[some.get(k)] = new Found(f.link, f.judged, f.fitted, f.chance, f.plane, Arrays.stream(slope).map(v -> sign * v).toArray());
				uneven.add(some.get(k));
			}
		}
		return uneven;
	}

	/** A link with the shift of strips of even gain, if that is the same peak. */
	private static Found even(final Found plain, final Found even) {
		final Link l = plain.link;
		if (!even.fitted || !PeakJudgement.isSame(l.shift(), even.link.shift())) return plain;
		return new Found(new Link(l.a(), l.b(), even.link.shift(), l.score(), l.runnerUp(), l.falseAlarms(), even.link.covariance(), Double.NaN, Double.NaN,
			l.used(), l.reason()), true, true, plain.chance, null, null);
	}

	/** Measures some of the pairs, those of equal shape together. */
	private void measure(final List<Integer> some, final List<TilePair> pairs, final Look look, final Found[] found) {
		final List<List<Integer>> groups = List.copyOf(some.stream().collect(Collectors.groupingBy(i -> pairs.get(i).shape(), LinkedHashMap::new,
			Collectors.toList())).values());
		final List<LinkTask> all = groups.stream().map(g -> new LinkTask(look, g.size(), g.stream().map(i -> look == Look.EVEN_GAIN
			? new Item(pairs.get(i), found[i].plane, found[i].slope) : new Item(pairs.get(i), null, null)).toList())).toList();
		final List<LinkTask> divided = all.stream().flatMap(t -> t.divided(tasks.most()).stream()).toList();
		final List<LinkTask.Result> results = tasks.measured(divided);
		if (!results.isEmpty()) flatFieldDoubt = results.get(0).flatFieldDoubt();
		final Iterator<Found> measured = results.stream().flatMap(r -> r.found().stream()).iterator();
		for (final List<Integer> group : groups) for (final int i : group) found[i] = measured.next();
	}
}
