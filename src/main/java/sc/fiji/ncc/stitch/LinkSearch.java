package sc.fiji.ncc.stitch;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftExecution.Pair;
import sc.fiji.ncc.plan.shift.ShiftExecution.Room;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Mosaic.Link;
import sc.fiji.ncc.run.LastingShifts;

/**
 * Measures the shifts between tiles on the strips in which they may overlap. Strips of equal extents share one execution. A link counts if fewer peaks as high
 * as its own are expected by chance than the level says.
 */
public final class LinkSearch {

	/** The peaks of a pair: the best one within the stage's error, and a runner-up. */
	private static final int PEAKS = 4;
	/** The smallest standard deviation of a shift along a dimension, in pixels: interpolation is not better. */
	private static final double LEAST_SIGMA = 1e-3;
	/** The standard deviation of a shift that a quadratic through the peak gives, in pixels, where the fit on the pixels does not converge. */
	private static final double ROUGH_SIGMA = 0.5;
	/** Above this coefficient both strips show the same numbers, and no residual says how exact the shift is. */
	private static final double EQUAL = 1 - 1e-9;

	private final Tiles tiles;
	private final PixelType type;
	private final ComputeOptions compute;
	private final double level;
	private final List<Ranking> rankings = new ArrayList<>();

	/**
	 * @param compute options with a planner
	 * @param level the expected number of false alarms below which a link counts
	 */
	public LinkSearch(final Tiles tiles, final ComputeOptions compute, final double level) {
		this.tiles = tiles;
		this.compute = compute;
		this.level = level;
		type = ImagePixels.type(tiles.measured(0));
	}

	/** The rankings by which algorithms were chosen, one for each size of strips. */
	public List<Ranking> rankings() {
		return rankings;
	}

	/** The pixels of a strip. Reading them also measures their texture. */
	private final class Strip implements Pixels {

		private final int tile;
		private final long[] min, size;
		private volatile Texture texture;

		Strip(final int tile, final long[] min, final long[] size) {
			this.tile = tile;
			this.min = min;
			this.size = size;
		}

		@Override
		public PixelType type() {
			return type;
		}

		@Override
		public long[] size() {
			return size.clone();
		}

		@Override
		public void read(final long[] from, final int[] extents, final Buffer to) {
			final RandomAccessibleInterval<?> all = tiles.measured(tile);
			ImagePixels.of(Views.zeroMin(Views.interval(all, FinalInterval.createMinSize(min, size)))).read(from, extents, to);
			if (texture == null && Arrays.equals(Arrays.stream(extents).asLongStream().toArray(), size)) texture = Texture.of(to, type, extents);
		}
	}

	/**
	 * Measures pairs of tiles.
	 *
	 * @return one link for each pair, in order; its residual is unknown
	 * @throws CancellationException if the monitor canceled
	 */
	List<Link> links(final List<TilePair> pairs) {
		final Map<TilePair.Shape, List<Integer>> groups = new LinkedHashMap<>();
		for (int i = 0; i < pairs.size(); i++) groups.computeIfAbsent(pairs.get(i).shape(), s -> new ArrayList<>()).add(i);
		final Link[] links = new Link[pairs.size()];
		groups.values().forEach(group -> measure(group, pairs, links));
		return Arrays.asList(links);
	}

	private void measure(final List<Integer> group, final List<TilePair> pairs, final Link[] links) {
		final TilePair first = pairs.get(group.get(0));
		final TilePair.Shape shape = first.shape();
		final Ranking ranking = compute.rank(new FramePairs(type, shape.fixed(), shape.moving(), shape.most(), first.minOverlap(), false, 1,
			PEAKS, true, 2L * group.size(), group.size()));
		try (LastingShifts execution = new LastingShifts(ranking, compute.threads(), compute.monitor())) {
			for (int at = 0; at < group.size();) {
				if (compute.monitor().canceled()) throw new CancellationException("canceled");
				final Room room = execution.room();
				final List<Integer> batch = group.subList(at, Math.min(group.size(), at + Math.max(1, room.batch() * room.batches() / 2)));
				measure(execution, batch, pairs, links);
				at += batch.size();
				compute.monitor().done(batch.size());
			}
			rankings.add(execution.ranking());
		}
	}

	private void measure(final LastingShifts execution, final List<Integer> batch, final List<TilePair> pairs, final Link[] links) {
		final List<Strip> fixed = batch.stream().map(pairs::get).map(p -> new Strip(p.a(), p.minA(), p.sizeA())).toList();
		final List<Strip> moving = batch.stream().map(pairs::get).map(p -> new Strip(p.b(), p.minB(), p.sizeB())).toList();
		final List<Operand> a = execution.transform(fixed.stream().map(s -> new Frame(s, null)).toList());
		final List<Operand> b = execution.transform(moving.stream().map(s -> new Frame(s, null)).toList());
		final List<Integer> textured = IntStream.range(0, batch.size()).filter(i -> !a.get(i).isFlat() && !b.get(i).isFlat()).boxed().toList();
		final List<List<Pair>> together = new ArrayList<>();
		for (int i = 0; i < textured.size(); i += 2)
			together.add(textured.subList(i, Math.min(textured.size(), i + 2)).stream().map(k -> new Pair(a.get(k), b.get(k))).toList());
		final List<PairPeaks> peaks = together.isEmpty() ? List.of() : execution.correlate(together);
		for (final int i : batch) links[i] = none(pairs.get(i), "blank: all pixels are equal");
		for (int i = 0; i < textured.size(); i++) {
			final int k = textured.get(i);
			links[batch.get(k)] = link(pairs.get(batch.get(k)), peaks.get(i), fixed.get(k), moving.get(k));
		}
		execution.keep(List.of());
	}

	private static Link none(final TilePair pair, final String reason) {
		return new Link(pair.a(), pair.b(), null, Double.NaN, Double.NaN, Double.NaN, null, Double.NaN, Double.NaN, false, reason);
	}

	private Link link(final TilePair pair, final PairPeaks found, final Strip a, final Strip b) {
		if (!found.isFound()) return none(pair, "no correlation is defined within the stage error");
		final PairPeaks.Place best = found.best();
		final double smaller = Math.min(Arrays.stream(a.size).reduce(1, (x, y) -> x * y), Arrays.stream(b.size).reduce(1, (x, y) -> x * y));
		final double pixels = best.overlap() * smaller;
		final double alarms = Texture.falseAlarms(a.texture, b.texture, pixels, best.score(), found.runnerUp(), pair.shifts());
		final double[][] covariance = covariance(found);
		final String reason;
		if (!(alarms <= level)) reason = reason(a, b, pixels, best.score(), found.runnerUp(), alarms, pair.shifts());
		else if (found.edge() || !pair.allows(best.lag())) reason = "the best shift lies at the end of the search: the stage error is larger";
		else reason = "";
		return new Link(pair.a(), pair.b(), pair.distance(best.shift()), best.score(), found.runnerUp(), alarms, covariance, Double.NaN,
			Double.NaN, reason.isEmpty(), reason);
	}

	private double[][] covariance(final PairPeaks found) {
		final int n = tiles.dimensions();
		final double[][] covariance = new double[n][n], fitted = found.covariance();
		boolean good = fitted != null;
		for (int d = 0; d < n && good; d++) good = fitted[d][d] > 0 && fitted[d][d] < Double.POSITIVE_INFINITY;
		final double least = good || found.best().score() > EQUAL ? LEAST_SIGMA : ROUGH_SIGMA;
		for (int d = 0; d < n; d++) {
			if (good) covariance[d] = Arrays.copyOf(fitted[d], n);
			covariance[d][d] += least * least;
		}
		return covariance;
	}

	private static String reason(final Strip a, final Strip b, final double pixels, final double score, final double runnerUp,
		final double alarms, final double shifts)
	{
		final double chance = Texture.falseAlarms(a.texture, b.texture, pixels, score, Double.NaN, shifts);
		if (chance < alarms) return String.format(Locale.ROOT,
			"ambiguous: the runner-up %.3f is too near to the score %.3f, as in periodic patterns and noise", runnerUp, score);
		return String.format(Locale.ROOT, "too little structure in common: %.3g peaks as high are expected by chance", alarms);
	}
}
