package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
 * Measures the shifts between tiles on the strips in which they may overlap. The strips of a task share one execution, which several threads
 * use. A link counts if fewer peaks as high as its own are expected by chance than the level says. Several threads may use an object at once.
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
	/** Of the Java heap, for strips. */
	private static final double SHARE_OF_HEAP = 0.25;

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
		return look == Look.FINE_DETAILS ? frame.fine() : frame.kept();
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
		final int n = task.pairs().size();
		final double pixels = Math.max(shape.fixed().pixels(), shape.moving().pixels());
		final Strips strips = new Strips(pixels * (task.look() == Look.PIXELS ? type.bytes : Float.BYTES), pixels * Float.BYTES,
			SHARE_OF_HEAP * Runtime.getRuntime().maxMemory());
		final Share share = Share.of(n, FailoverShifts.capacities(ranking), compute.threads(), Runtime.getRuntime().availableProcessors(), strips);
		final Found[] found = new Found[n];
		try (FailoverShifts execution = new FailoverShifts(ranking, 1, compute.monitor()); Parallel parallel = new Parallel(share.threads)) {
			parallel.each((n + share.pairs - 1) / share.pairs, i -> {
				if (compute.monitor().canceled()) throw new CancellationException("canceled");
				final int from = i * share.pairs, until = Math.min(n, from + share.pairs);
				measure(execution, task.pairs().subList(from, until), task.look(), Arrays.asList(found).subList(from, until));
				if (task.look() == Look.PIXELS) compute.monitor().done(until - from);
			});
			add(execution.ranking());
		}
		return new LinkTask.Result(Arrays.asList(found), tiles.flatFieldDoubt());
	}

	/**
	 * The strips of a task in the Java heap.
	 *
	 * @param read the bytes of a strip as it is read, which stays until its pair is judged
	 * @param judged the bytes of a strip of the pair that a thread judges
	 * @param heap the bytes for all strips
	 */
	record Strips(double read, double judged, double heap) {

		/** The number of threads that take some pairs at a time. */
		double threads(final int pairs) {
			return heap / (2 * pairs * read + 2 * judged);
		}

		/** The number of pairs at a time. */
		double pairs(final int threads) {
			return (heap / threads - 2 * judged) / (2 * read);
		}
	}

	/**
	 * How pairs are shared among threads. Each thread reads, correlates and judges some pairs at a time, so that none waits for another one,
	 * and a GPU has work while others judge.
	 *
	 * @param threads the number of threads
	 * @param pairs the pairs that a thread takes at a time; even, because two pairs share transforms
	 */
	record Share(int threads, int pairs) {

		/** The fewest and the most pairs at a time, and the smallest number of times that each thread takes some: all end at about the same time. */
		private static final int LEAST = 2, MOST = 8, TIMES = 8;

		/**
		 * @param n the number of pairs
		 * @param capacities what the memory of each candidate suffices for, that of the best one first
		 * @param most the largest number of threads; more for those that wait for a GPU
		 * @param processors those of the host
		 * @param strips bounds what all threads hold in the heap
		 */
		static Share of(final int n, final List<Capacity> capacities, final int most, final int processors, final Strips strips) {
			final int least = capacities.stream().mapToInt(Capacity::threads).min().orElseThrow();
			final int frames = capacities.stream().mapToInt(Capacity::frames).min().orElseThrow();
			final int busy = least < most ? least : most + Math.max(0, capacities.get(0).threads() - Math.max(processors, most));
			final int threads = (int) Math.max(1, Math.min(Math.min(busy, frames / (2 * LEAST)), Math.min((n + 1) / 2, strips.threads(LEAST))));
			final int pairs = (int) Math.min(Math.min(MOST, frames / (2 * threads)), Math.min(n / (TIMES * threads), strips.pairs(threads)));
			return new Share(threads, Math.max(LEAST, pairs - pairs % 2));
		}
	}

	/** Measures some pairs in this thread. */
	private void measure(final FailoverShifts execution, final List<Item> pairs, final Look look, final List<Found> found) {
		final List<JudgedFrame> fixed = new ArrayList<>(), moving = new ArrayList<>();
		for (final Item item : pairs) {
			final TilePair pair = item.pair();
			fixed.add(frame(() -> fixed(pair), pair.sizeA(), look, item));
			moving.add(frame(() -> moving(pair), pair.sizeB(), look, null));
		}
		final int n = pairs.size();
		final List<Operand> a, b;
		if (n % 2 == 0 && Arrays.equals(pairs.get(0).pair().sizeA(), pairs.get(0).pair().sizeB())) {
			// in one call, so that both strips of a pair are on one of several devices
			final List<Operand> both = execution.transform(Stream.of(fixed, moving).flatMap(List::stream).map(JudgedFrame::frame).toList());
			a = both.subList(0, n);
			b = both.subList(n, 2 * n);
		}
		else {
			a = execution.transform(fixed.stream().map(JudgedFrame::frame).toList());
			b = execution.transform(moving.stream().map(JudgedFrame::frame).toList());
		}
		final List<List<Integer>> groups = new ArrayList<>();
		for (int i = 0; i < n; i += 2)
			groups.add(IntStream.range(i, Math.min(n, i + 2)).filter(k -> !a.get(k).isFlat() && !b.get(k).isFlat()).boxed().toList());
		groups.removeIf(List::isEmpty);
		final Iterator<PairPeaks> peaks = (groups.isEmpty() ? List.<PairPeaks>of()
			: execution.correlate(groups.stream().map(g -> g.stream().map(k -> new Pair(a.get(k), b.get(k))).toList()).toList())).iterator();
		execution.release(a);
		execution.release(b);
		for (int k = 0; k < n; k++) found.set(k, a.get(k).isFlat() || b.get(k).isFlat() ? none(pairs.get(k).pair(), "blank: all pixels are equal")
			: found(pairs.get(k), peaks.next(), fixed.get(k), moving.get(k), look));
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
			: GainPlane.of(GainPlane.Strip.of(a), GainPlane.Strip.of(b), best.lag(), best.shift());
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
