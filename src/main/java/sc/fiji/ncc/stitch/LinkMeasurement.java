package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution.Capacity;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftExecution.Pair;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.register.JudgedFrame;
import sc.fiji.ncc.register.PeakJudgement;
import sc.fiji.ncc.result.Mosaic.Link;
import sc.fiji.ncc.run.FailoverShifts;
import sc.fiji.ncc.stitch.LinkSearch.Found;
import sc.fiji.ncc.stitch.LinkTask.Item;
import sc.fiji.ncc.stitch.LinkTask.Look;

/**
 * Measures the shifts between tiles on the strips in which they may overlap. The strips of a task share one execution. A link counts if fewer peaks as high
 * as its own are expected by chance than the level says. Several threads may use an object at once.
 */
final class LinkMeasurement {

	/** The peaks of a pair: the best one within the stage's error, and a runner-up. */
	private static final int PEAKS = 2;
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
	LinkMeasurement(final Tiles tiles, final ComputeOptions compute, final double level) {
		this.tiles = tiles;
		this.compute = compute;
		this.level = level;
		type = ImagePixels.type(tiles.measured(0));
	}

	/** The rankings by which algorithms were chosen, one for each task. */
	synchronized List<Ranking> rankings() {
		return List.copyOf(rankings);
	}

	private synchronized void add(final Ranking ranking) {
		rankings.add(ranking);
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

	private JudgedFrame frame(final Supplier<RandomAccessibleInterval<?>> strip, final long[] size, final Look look, final Item even) {
		if (look == Look.EVEN_GAIN) return JudgedFrame.of(() -> {
			final GainPlane.Strip pixels = GainPlane.Strip.of(strip.get());
			return (even == null ? pixels : even.plane().corrected(pixels, even.slope())).image();
		}, PixelType.F32, size, null);
		final JudgedFrame frame = JudgedFrame.of(strip, type, size, null);
		return look == Look.FINE_DETAILS ? frame.fine() : frame;
	}

	/**
	 * Measures the pairs of a task.
	 *
	 * @throws CancellationException if the monitor canceled
	 */
	LinkTask.Result measured(final LinkTask task) {
		final TilePair first = task.pairs().get(0).pair();
		final TilePair.Shape shape = first.shape();
		final Ranking ranking = compute.rank(new FramePairs(task.look() == Look.PIXELS ? type : PixelType.F32, shape.fixed(), shape.moving(), shape.most(),
			first.minOverlap(), false, 1, task.look() == Look.EVEN_GAIN ? 1 : PEAKS, true, 2L * task.alike(), task.alike()));
		final List<Found> found = new ArrayList<>();
		try (FailoverShifts execution = new FailoverShifts(ranking, compute.threads(), compute.monitor()); Parallel parallel = new Parallel(compute.threads())) {
			while (found.size() < task.pairs().size()) {
				if (compute.monitor().canceled()) throw new CancellationException("canceled");
				final List<Item> batch = task.pairs().subList(found.size(), Math.min(task.pairs().size(), found.size() + pairs(execution.capacity())));
				found.addAll(measured(execution, parallel, batch, task.look()));
				if (task.look() == Look.PIXELS) compute.monitor().done(batch.size());
			}
			add(execution.ranking());
		}
		return new LinkTask.Result(found);
	}

	/**
	 * The pairs of a batch: two for each thread, if memory holds them. Two pairs share transforms. Their number is even, so that the memory
	 * does not change which pairs share, and how the results are rounded.
	 */
	static int pairs(final Capacity capacity) {
		final int most = (capacity.held() + capacity.batches() * capacity.batch()) / 2, each = most < 2 * capacity.threads() ? 2 : 2 * capacity.threads();
		return Math.max(2, most - most % each);
	}

	private List<Found> measured(final FailoverShifts execution, final Parallel parallel, final List<Item> batch, final Look look) {
		final List<JudgedFrame> fixed = new ArrayList<>(), moving = new ArrayList<>();
		final Found[] found = new Found[batch.size()];
		for (int i = 0; i < found.length; i++) {
			final TilePair pair = batch.get(i).pair();
			fixed.add(frame(() -> fixed(pair), pair.sizeA(), look, batch.get(i)));
			moving.add(frame(() -> moving(pair), pair.sizeB(), look, null));
			found[i] = none(pair, "blank: all pixels are equal");
		}
		final List<Operand> a = execution.transform(fixed.stream().map(JudgedFrame::frame).toList());
		final List<Operand> b = execution.transform(moving.stream().map(JudgedFrame::frame).toList());
		final List<List<Integer>> groups = new ArrayList<>();
		for (int i = 0; i < found.length; i += 2)
			groups.add(IntStream.range(i, Math.min(found.length, i + 2)).filter(k -> !a.get(k).isFlat() && !b.get(k).isFlat()).boxed().toList());
		groups.removeIf(List::isEmpty);
		final List<PairPeaks> peaks = groups.isEmpty() ? List.of()
			: execution.correlate(groups.stream().map(g -> g.stream().map(k -> new Pair(a.get(k), b.get(k))).toList()).toList());
		final List<Integer> textured = groups.stream().flatMap(List::stream).toList();
		parallel.each(textured.size(), i -> {
			final int k = textured.get(i);
			found[k] = found(batch.get(k), peaks.get(i), fixed.get(k), moving.get(k), look);
		});
		execution.keep(List.of());
		return List.of(found);
	}

	private static Found none(final TilePair pair, final String reason) {
		return new Found(new Link(pair.a(), pair.b(), null, Double.NaN, Double.NaN, Double.NaN, null, Double.NaN, Double.NaN, false, reason), false,
			false, Double.NaN, null, null);
	}

	private Found found(final Item item, final PairPeaks found, final JudgedFrame a, final JudgedFrame b, final Look look) {
		final TilePair pair = item.pair();
		if (!found.isFound()) return none(pair, "no correlation is defined within the stage error");
		final PairPeaks.Place best = found.best();
		final PeakJudgement judged = PeakJudgement.of(a, b, found, pair.shifts(), level);
		final boolean inside = !found.edge() && pair.allows(best.lag());
		final String reason = inside || !judged.isCertain() ? judged.reason() : "the best shift lies at the end of the search: the stage error is larger";
		final GainPlane plane = !inside || look == Look.FINE_DETAILS ? null : look == Look.EVEN_GAIN ? item.plane()
			: GainPlane.of(GainPlane.Strip.of(fixed(pair)), GainPlane.Strip.of(moving(pair)), best.lag(), best.shift());
		return new Found(new Link(pair.a(), pair.b(), pair.distance(best.shift()), best.score(), found.runnerUp(), judged.falseAlarms(), covariance(found, plane),
			Double.NaN, Double.NaN, reason.isEmpty(), reason), inside, isFitted(found.covariance(), tiles.dimensions()), judged.chance(), plane, null);
	}

	/** Whether a fit between the pixels of n dimensions converged. */
	static boolean isFitted(final double[][] covariance, final int n) {
		for (int d = 0; covariance != null && d < n; d++) if (!(covariance[d][d] > 0 && covariance[d][d] < Double.POSITIVE_INFINITY)) return false;
		return covariance != null;
	}

	/** @param plane what the strips say about their texture; null if it is unknown */
	private double[][] covariance(final PairPeaks found, final GainPlane plane) {
		final int n = tiles.dimensions();
		final double[][] covariance = new double[n][n];
		final boolean fitted = isFitted(found.covariance(), n);
		final double least = fitted || found.best().score() > EQUAL ? LEAST_SIGMA : ROUGH_SIGMA;
		for (int d = 0; d < n; d++) {
			if (fitted) covariance[d] = Arrays.copyOf(found.covariance()[d], n);
			final double interpolated = fitted && plane != null ? plane.interpolationError(d) : 0;
			covariance[d][d] += least * least + interpolated * interpolated;
		}
		return covariance;
	}
}
