package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import net.imglib2.FinalInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftExecution.Pair;
import sc.fiji.ncc.plan.shift.ShiftExecution.Capacity;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.register.JudgedFrame;
import sc.fiji.ncc.register.PeakJudgement;
import sc.fiji.ncc.result.Mosaic.Link;
import sc.fiji.ncc.run.FailoverShifts;

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
	/** A link that loops may confirm has less than this chance, and its residual grows by this factor at the second peak. */
	private static final double SOME = 0.1, CLEAR = 1.5;

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

	private JudgedFrame strip(final int tile, final long[] min, final long[] size, final boolean fine) {
		final JudgedFrame strip = JudgedFrame.of(() -> Views.zeroMin(Views.interval(tiles.measured(tile), FinalInterval.createMinSize(min, size))), type, size, null);
		return fine ? strip.fine() : strip;
	}

	/**
	 * What was measured for a pair.
	 *
	 * @param judged false if the best shift lies at the end of the search, or there is none
	 * @param fitted whether the fit between the pixels converged
	 * @param chance the expected number of peaks as high by chance, without the runner-up
	 */
	private record Found(Link link, boolean judged, boolean fitted, double chance) {

		/** Whether loops of links may confirm it: it has structure, and no other shift explains the strips nearly as well. */
		boolean isCandidate() {
			return judged && chance <= SOME && !(1 - link.runnerUp() < CLEAR * (1 - link.score())); // one peak alone has no runner-up: NaN
		}
	}

	/**
	 * Measures pairs of tiles.
	 *
	 * @return one link for each pair, in order; its residual is unknown
	 * @throws CancellationException if the monitor canceled
	 */
	List<Link> links(final List<TilePair> pairs) {
		final Found[] found = new Found[pairs.size()];
		measure(IntStream.range(0, found.length).boxed().toList(), pairs, false, found);
		final List<Integer> open = IntStream.range(0, found.length).filter(i -> found[i].judged && !found[i].link.used()).boxed().toList();
		final Found[] fine = new Found[found.length];
		measure(open, pairs, true, fine);
		for (final int i : open) found[i] = joined(found[i], fine[i]);
		return LinkLoops.confirmed(pairs, Arrays.stream(found).map(Found::link).toList(), i -> found[i].isCandidate(), level);
	}

	/** The judgement on the pixels and that on their fine details together. */
	private Found joined(final Found plain, final Found fine) {
		if (!fine.judged) return plain;
		final boolean same = PeakJudgement.isSame(plain.link.shift(), fine.link.shift()), used = fine.link.used();
		// the highest pixel of a peak of fine details can lie beside its middle
		if (!same && !(used && fine.fitted)) return plain;
		final Link from = same ? plain.link : fine.link, better = fine.link.falseAlarms() < plain.link.falseAlarms() ? fine.link : plain.link;
		return new Found(new Link(from.a(), from.b(), from.shift(), better.score(), better.runnerUp(), better.falseAlarms(), from.covariance(), Double.NaN,
			Double.NaN, used, better.reason()), true, (same ? plain : fine).fitted, Math.min(plain.chance, fine.chance));
	}

	/** Measures some of the pairs, those of equal shape together. */
	private void measure(final List<Integer> some, final List<TilePair> pairs, final boolean fine, final Found[] found) {
		some.stream().collect(Collectors.groupingBy(i -> pairs.get(i).shape(), LinkedHashMap::new, Collectors.toList())).values()
			.forEach(group -> measureAlike(group, pairs, fine, found));
	}

	private void measureAlike(final List<Integer> group, final List<TilePair> pairs, final boolean fine, final Found[] found) {
		final TilePair first = pairs.get(group.get(0));
		final TilePair.Shape shape = first.shape();
		final Ranking ranking = compute.rank(new FramePairs(fine ? PixelType.F32 : type, shape.fixed(), shape.moving(), shape.most(), first.minOverlap(), false, 1,
			PEAKS, true, 2L * group.size(), group.size()));
		try (FailoverShifts execution = new FailoverShifts(ranking, compute.threads(), compute.monitor())) {
			for (int at = 0; at < group.size();) {
				if (compute.monitor().canceled()) throw new CancellationException("canceled");
				final Capacity capacity = execution.capacity();
				final List<Integer> batch = group.subList(at, Math.min(group.size(), at + Math.max(1, capacity.batch() * capacity.batches() / 2)));
				measure(execution, batch, pairs, fine, found);
				at += batch.size();
				if (!fine) compute.monitor().done(batch.size());
			}
			rankings.add(execution.ranking());
		}
	}

	private void measure(final FailoverShifts execution, final List<Integer> batch, final List<TilePair> pairs, final boolean fine, final Found[] links) {
		final List<JudgedFrame> fixed = batch.stream().map(pairs::get).map(p -> strip(p.a(), p.minA(), p.sizeA(), fine)).toList();
		final List<JudgedFrame> moving = batch.stream().map(pairs::get).map(p -> strip(p.b(), p.minB(), p.sizeB(), fine)).toList();
		final List<Operand> a = execution.transform(fixed.stream().map(JudgedFrame::frame).toList());
		final List<Operand> b = execution.transform(moving.stream().map(JudgedFrame::frame).toList());
		final List<Integer> textured = IntStream.range(0, batch.size()).filter(i -> !a.get(i).isFlat() && !b.get(i).isFlat()).boxed().toList();
		final List<List<Pair>> together = new ArrayList<>();
		for (int i = 0; i < textured.size(); i += 2)
			together.add(textured.subList(i, Math.min(textured.size(), i + 2)).stream().map(k -> new Pair(a.get(k), b.get(k))).toList());
		final List<PairPeaks> peaks = together.isEmpty() ? List.of() : execution.correlate(together);
		for (final int i : batch) links[i] = none(pairs.get(i), "blank: all pixels are equal");
		for (int i = 0; i < textured.size(); i++) {
			final int k = textured.get(i);
			links[batch.get(k)] = found(pairs.get(batch.get(k)), peaks.get(i), fixed.get(k), moving.get(k));
		}
		execution.keep(List.of());
	}

	private static Found none(final TilePair pair, final String reason) {
		return new Found(new Link(pair.a(), pair.b(), null, Double.NaN, Double.NaN, Double.NaN, null, Double.NaN, Double.NaN, false, reason), false,
			false, Double.NaN);
	}

	private Found found(final TilePair pair, final PairPeaks found, final JudgedFrame a, final JudgedFrame b) {
		if (!found.isFound()) return none(pair, "no correlation is defined within the stage error");
		final PairPeaks.Place best = found.best();
		final PeakJudgement judged = PeakJudgement.of(a, b, found, pair.shifts(), level);
		final boolean inside = !found.edge() && pair.allows(best.lag());
		final String reason = inside || !judged.isCertain() ? judged.reason() : "the best shift lies at the end of the search: the stage error is larger";
		return new Found(new Link(pair.a(), pair.b(), pair.distance(best.shift()), best.score(), found.runnerUp(), judged.falseAlarms(), covariance(found),
			Double.NaN,
			Double.NaN, reason.isEmpty(), reason), inside, isFitted(found.covariance()), judged.chance());
	}

	private boolean isFitted(final double[][] covariance) {
		for (int d = 0; covariance != null && d < tiles.dimensions(); d++) if (!(covariance[d][d] > 0 && covariance[d][d] < Double.POSITIVE_INFINITY)) return false;
		return covariance != null;
	}

	private double[][] covariance(final PairPeaks found) {
		final int n = tiles.dimensions();
		final double[][] covariance = new double[n][n];
		final boolean fitted = isFitted(found.covariance());
		final double least = fitted || found.best().score() > EQUAL ? LEAST_SIGMA : ROUGH_SIGMA;
		for (int d = 0; d < n; d++) {
			if (fitted) covariance[d] = Arrays.copyOf(found.covariance()[d], n);
			covariance[d][d] += least * least;
		}
		return covariance;
	}
}
