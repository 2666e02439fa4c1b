package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftExecution.Pair;
import sc.fiji.ncc.plan.shift.ShiftExecution.Capacity;
import sc.fiji.ncc.plan.support.Parallel;
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

	/** What of the strips is compared. */
	private enum Look {
		PIXELS, FINE_DETAILS, EVEN_GAIN
	}

	private RandomAccessibleInterval<?> strip(final int tile, final long[] min, final long[] size) {
		return Views.zeroMin(Views.interval(tiles.measured(tile), FinalInterval.createMinSize(min, size)));
	}

	private RandomAccessibleInterval<?> fixed(final TilePair pair) {
		return strip(pair.a(), pair.minA(), pair.sizeA());
	}

	private RandomAccessibleInterval<?> moving(final TilePair pair) {
		return strip(pair.b(), pair.minB(), pair.sizeB());
	}

	/** @param slope of a fixed strip of even gain: what its gain has; else null */
	private JudgedFrame frame(final Supplier<RandomAccessibleInterval<?>> strip, final long[] size, final Look look, final GainPlane plane, final double[] slope) {
		if (look == Look.EVEN_GAIN) return JudgedFrame.of(() -> {
			final GainPlane.Strip pixels = GainPlane.Strip.of(strip.get());
			return (slope == null ? pixels : plane.corrected(pixels, slope)).image();
		}, PixelType.F32, size, null);
		final JudgedFrame frame = JudgedFrame.of(strip, type, size, null);
		return look == Look.FINE_DETAILS ? frame.fine() : frame;
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
	record Found(Link link, boolean judged, boolean fitted, double chance, GainPlane plane, double[] slope) {

		/** Whether loops of links may confirm it: it has structure, and no other shift explains the strips nearly as well. */
		boolean isCandidate() {
			// one peak alone has no runner-up: NaN
			return judged && chance <= SOME && !(1 - link.runnerUp() < CLEAR * (1 - link.score()));
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
		for (int d = 0; d < tiles.dimensions(); d++) {
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
		some.stream().collect(Collectors.groupingBy(i -> pairs.get(i).shape(), LinkedHashMap::new, Collectors.toList())).values()
			.forEach(group -> measureAlike(group, pairs, look, found));
	}

	private void measureAlike(final List<Integer> group, final List<TilePair> pairs, final Look look, final Found[] found) {
		final TilePair first = pairs.get(group.get(0));
		final TilePair.Shape shape = first.shape();
		final Ranking ranking = compute.rank(new FramePairs(look == Look.PIXELS ? type : PixelType.F32, shape.fixed(), shape.moving(), shape.most(),
			first.minOverlap(), false, 1, look == Look.EVEN_GAIN ? 1 : PEAKS, true, 2L * group.size(), group.size()));
		try (FailoverShifts execution = new FailoverShifts(ranking, compute.threads(), compute.monitor()); Parallel parallel = new Parallel(compute.threads())) {
			for (int at = 0; at < group.size();) {
				if (compute.monitor().canceled()) throw new CancellationException("canceled");
				final List<Integer> batch = group.subList(at, Math.min(group.size(), at + pairs(execution.capacity())));
				measure(execution, parallel, batch, pairs, look, found);
				at += batch.size();
				if (look == Look.PIXELS) compute.monitor().done(batch.size());
			}
			rankings.add(execution.ranking());
		}
	}

	/**
	 * The pairs of a batch: two for each thread, if memory holds them. Two pairs share transforms. Their number is even, so that the memory
	 * does not change which pairs share, and how the results are rounded.
	 */
	static int pairs(final Capacity capacity) {
		final int most = (capacity.held() + capacity.batches() * capacity.batch()) / 2, each = most < 2 * capacity.threads() ? 2 : 2 * capacity.threads();
		return Math.max(2, most - most % each);
	}

	private void measure(final FailoverShifts execution, final Parallel parallel, final List<Integer> batch, final List<TilePair> pairs, final Look look,
		final Found[] found)
	{
		final List<JudgedFrame> fixed = new ArrayList<>(), moving = new ArrayList<>();
		for (final int i : batch) {
			final TilePair pair = pairs.get(i);
			fixed.add(frame(() -> fixed(pair), pair.sizeA(), look, look == Look.EVEN_GAIN ? found[i].plane : null, look == Look.EVEN_GAIN ? found[i].slope : null));
			moving.add(frame(() -> moving(pair), pair.sizeB(), look, null, null));
		}
		final List<Operand> a = execution.transform(fixed.stream().map(JudgedFrame::frame).toList());
		final List<Operand> b = execution.transform(moving.stream().map(JudgedFrame::frame).toList());
		final List<List<Integer>> groups = new ArrayList<>();
		for (int i = 0; i < batch.size(); i += 2)
			groups.add(IntStream.range(i, Math.min(batch.size(), i + 2)).filter(k -> !a.get(k).isFlat() && !b.get(k).isFlat()).boxed().toList());
		groups.removeIf(List::isEmpty);
		final List<PairPeaks> peaks = groups.isEmpty() ? List.of()
			: execution.correlate(groups.stream().map(g -> g.stream().map(k -> new Pair(a.get(k), b.get(k))).toList()).toList());
		for (final int i : batch) found[i] = none(pairs.get(i), "blank: all pixels are equal");
		final List<Integer> textured = groups.stream().flatMap(List::stream).toList();
		parallel.each(textured.size(), i -> {
			final int k = textured.get(i), at = batch.get(k);
			found[at] = found(pairs.get(at), peaks.get(i), fixed.get(k), moving.get(k), look);
		});
		execution.keep(List.of());
	}

	private static Found none(final TilePair pair, final String reason) {
		return new Found(new Link(pair.a(), pair.b(), null, Double.NaN, Double.NaN, Double.NaN, null, Double.NaN, Double.NaN, false, reason), false,
			false, Double.NaN, null, null);
	}

	private Found found(final TilePair pair, final PairPeaks found, final JudgedFrame a, final JudgedFrame b, final Look look) {
		if (!found.isFound()) return none(pair, "no correlation is defined within the stage error");
		final PairPeaks.Place best = found.best();
		final PeakJudgement judged = PeakJudgement.of(a, b, found, pair.shifts(), level);
		final boolean inside = !found.edge() && pair.allows(best.lag());
		final String reason = inside || !judged.isCertain() ? judged.reason() : "the best shift lies at the end of the search: the stage error is larger";
		return new Found(new Link(pair.a(), pair.b(), pair.distance(best.shift()), best.score(), found.runnerUp(), judged.falseAlarms(), covariance(found),
			Double.NaN, Double.NaN, reason.isEmpty(), reason), inside, isFitted(found.covariance(), tiles.dimensions()), judged.chance(), inside && look == Look.PIXELS
				? GainPlane.of(GainPlane.Strip.of(fixed(pair)), GainPlane.Strip.of(moving(pair)), best.lag(), best.shift()) : null, null);
	}

	/** Whether a fit between the pixels of n dimensions converged. */
	static boolean isFitted(final double[][] covariance, final int n) {
		for (int d = 0; covariance != null && d < n; d++) if (!(covariance[d][d] > 0 && covariance[d][d] < Double.POSITIVE_INFINITY)) return false;
		return covariance != null;
	}

	private double[][] covariance(final PairPeaks found) {
		final int n = tiles.dimensions();
		final double[][] covariance = new double[n][n];
		final boolean fitted = isFitted(found.covariance(), n);
		final double least = fitted || found.best().score() > EQUAL ? LEAST_SIGMA : ROUGH_SIGMA;
		for (int d = 0; d < n; d++) {
			if (fitted) covariance[d] = Arrays.copyOf(found.covariance()[d], n);
			covariance[d][d] += least * least;
		}
		return covariance;
	}
}
