package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.blocks.PrimitiveBlocks;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.peaks.LocalMaxima;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.peaks.Rows;
import sc.fiji.ncc.peaks.Selection;
import sc.fiji.ncc.peaks.Suppression;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Size;

/**
 * Finds the places where a template occurs: the local maxima of its correlation with the image, best first, without those whose windows
 * overlap too much with a better one.
 *
 * <pre>
 * List&lt;Match&gt; matches = TemplateMatching.with(NormalizedCrossCorrelation.of(template)).maxMatches(20).minScore(0.8).find(image).matches();
 * </pre>
 *
 * The correlation's extent, border, mask, search window and all else hold. Scores are computed once more from the pixels of the image,
 * exactly, before they are compared with the least score and with each other: whatever rounding did to the map, no match that should
 * not be reported is. Equal scores are ordered by frame, then by position in raster order.
 */
public final class TemplateMatching {

	/** Responses of the map are exact to 1e-5; twice that, lest a rounding at the limit loses a match. */
	private static final double TOLERANCE = 2e-5;

	private final NormalizedCrossCorrelation correlation;
	private int most = Integer.MAX_VALUE;
	private double least = 0.5;
	private double overlap = 0.5;

	private TemplateMatching(final NormalizedCrossCorrelation correlation) {
		this.correlation = correlation;
	}

	/** Matching by this correlation, as it is set when {@link #find} is called. */
	public static TemplateMatching with(final NormalizedCrossCorrelation correlation) {
		if (correlation == null) throw new IllegalArgumentException("matching needs a correlation");
		return new TemplateMatching(correlation);
	}

	/**
	 * How many matches at most in each frame; by default there is no limit.
	 *
	 * @throws IllegalArgumentException if below 1
	 */
	public TemplateMatching maxMatches(final int most) {
		if (most < 1) throw new IllegalArgumentException("the number of matches must be at least 1, not " + most);
		this.most = most;
		return this;
	}

	/**
	 * The least score of a match; by default 0.5.
	 *
	 * @throws IllegalArgumentException if not in [-1, 1]
	 */
	public TemplateMatching minScore(final double least) {
		if (!(least >= -1 && least <= 1)) throw new IllegalArgumentException("the least score must lie in [-1, 1], unlike " + least);
		this.least = least;
		return this;
	}

	/**
	 * The greatest share of a window that another match of a better score may cover; by default 0.5. With 0 matches do not overlap at all,
	 * with 1 every local maximum may be a match.
	 *
	 * @throws IllegalArgumentException if not in [0, 1]
	 */
	public TemplateMatching overlap(final double share) {
		if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("the share of a window that may be covered must lie in [0, 1], unlike " + share);
		overlap = share;
		return this;
	}

	/**
	 * Correlates the image and finds the matches in each of its frames.
	 *
	 * @param image of any real type; its dimensions beyond the template's are frames
	 * @return the matches of all frames together, best first. The sub-pixel position is that of a quadratic fitted to the exact scores
	 *         around the match ({@link QuadraticPeak}), except along a dimension in which it lies at the map's border.
	 * @throws IllegalArgumentException as {@link NormalizedCrossCorrelation#correlate} does
	 * @throws CancellationException once the correlation's monitor canceled
	 */
	public Result find(final RandomAccessibleInterval<?> image) {
		final Response response = correlation.correlate(image);
		final Arrangement arrangement = correlation.arrange(image);
		final int n = correlation.template().size().dimensions();
		final long[] frames = Arrays.copyOfRange(image.dimensionsAsLongArray(), n, image.numDimensions());
		final List<Match> matches = Collections.synchronizedList(new ArrayList<>());
		eachFrame(Arrays.stream(frames).reduce(1, Math::multiplyExact), f -> {
			final long[] frame = new long[frames.length];
			if (frames.length > 0) IntervalIndexer.indexToPosition(f, frames, frame);
			final RandomAccessibleInterval<?> pixels = NormalizedCrossCorrelation.frame(image, n, f);
			@SuppressWarnings("unchecked") // a frame of a map of floats
			final RandomAccessibleInterval<FloatType> map = (RandomAccessibleInterval<FloatType>) NormalizedCrossCorrelation.frame(response.map(), n, f);
			matches.addAll(new Frame(frame, map, arrangement, pixels).matches());
		});
		final Comparator<Match> byFrame = (a, b) -> Arrays.compare(reversed(a.frame()), reversed(b.frame()));
		matches.sort(Comparator.comparingDouble(Match::score).reversed().thenComparing(byFrame)
			.thenComparing((a, b) -> Arrays.compare(reversed(a.position()), reversed(b.position()))));
		return new Result(List.copyOf(matches), response);
	}

	private static long[] reversed(final long[] position) {
		final long[] r = new long[position.length];
		for (int d = 0; d < r.length; d++) r[d] = position[r.length - 1 - d];
		return r;
	}

	private interface FrameWork {
		void at(long frame);
	}

	/** Runs the work of every frame, in this thread if there is but one of either. */
	private void eachFrame(final long count, final FrameWork work) {
		final int threads = (int) Math.min(count, correlation.threads());
		if (threads == 1) {
			for (long f = 0; f < count; f++) work.at(f);
			return;
		}
		final ExecutorService pool = Executors.newFixedThreadPool(threads);
		try {
			final List<Callable<Void>> shares = new ArrayList<>();
			for (int t = 0; t < threads; t++) {
				final int first = t;
				shares.add(() -> {
					for (long f = first; f < count; f += threads) work.at(f);
					return null;
				});
			}
			for (final Future<Void> done : pool.invokeAll(shares)) done.get();
		}
		catch (final ExecutionException e) {
			if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
			if (e.getCause() instanceof Error) throw (Error) e.getCause();
			throw new AssertionError(e.getCause()); // the work throws nothing checked
		}
		catch (final InterruptedException e) {
			Thread.currentThread().interrupt();
			throw (CancellationException) new CancellationException("interrupted while finding matches").initCause(e);
		}
		finally {
			pool.shutdownNow();
		}
	}

	/** The matches in one frame of the map. */
	private final class Frame {

		private final long[] frame;
		private final RandomAccessibleInterval<FloatType> map;
		private final long[] size;
		private final long[] firstLag; // of the map's first response
		private final long[] shift; // from a lag to what the scores' pixels count from
		private final WindowScore score;

		Frame(final long[] frame, final RandomAccessibleInterval<FloatType> map, final Arrangement a, final RandomAccessibleInterval<?> pixels) {
			this.frame = frame;
			this.map = map;
			size = map.dimensionsAsLongArray();
			firstLag = new long[size.length];
			shift = new long[size.length];
			for (int d = 0; d < size.length; d++) {
				firstLag[d] = a.firstLag[d] - a.place[d];
				shift[d] = a.firstLagInPixels()[d] - a.firstLag[d];
			}
			final Lags lags = a.lags(Size.of(a.size));
			score = new WindowScore(a.pixels(pixels), correlation.template(), lags.partial() ? lags.leastOverlap() : Double.POSITIVE_INFINITY);
		}

		List<Match> matches() {
			final List<Peak> maxima = new ArrayList<>();
			final PrimitiveBlocks<FloatType> responses = PrimitiveBlocks.of(map, PrimitiveBlocks.OnFallback.ACCEPT);
			final int[] rowSize = new int[size.length];
			Arrays.fill(rowSize, 1);
			rowSize[0] = Math.toIntExact(size[0]);
			final Rows rows = (start, row) -> {
				stopIfCanceled();
				responses.copy(start, row, rowSize);
			};
			LocalMaxima.find(rows, size, (float) (least - TOLERANCE), maxima::add);
			final long[] window = correlation.template().size().toArray();
			final ToDoubleFunction<long[]> exact = p -> {
				stopIfCanceled();
				return score.at(shifted(firstPixel(p), shift));
			};
			final List<Match> matches = new ArrayList<>();
			for (final Peak peak : Selection.best(maxima, new Suppression(window, overlap), most, least, TOLERANCE, exact)) {
				final double[] subpixel = QuadraticPeak.offset(neighbourhood(peak, exact), size.length);
				final long[] position = firstPixel(peak.position());
				for (int d = 0; d < subpixel.length; d++) subpixel[d] += position[d];
				matches.add(new Match(0, frame, position, peak.value(), subpixel));
			}
			return matches;
		}

		/** The first pixel in the image of the window that has this response. */
		private long[] firstPixel(final long[] response) {
			return shifted(response, firstLag);
		}

		private static long[] shifted(final long[] position, final long[] by) {
			final long[] p = new long[position.length];
			for (int d = 0; d < p.length; d++) p[d] = position[d] + by[d];
			return p;
		}

		/** The exact scores at and around a match; NaN outside the map. */
		private double[] neighbourhood(final Peak peak, final ToDoubleFunction<long[]> exact) {
			final int n = size.length;
			int count = 1;
			for (int d = 0; d < n; d++) count *= 3;
			final double[] scores = new double[count];
			final long[] p = new long[n];
			for (int k = 0; k < count; k++) {
				boolean inside = true;
				for (int d = 0, code = k; d < n; d++, code /= 3) {
					p[d] = peak.position()[d] + code % 3 - 1;
					inside &= p[d] >= 0 && p[d] < size[d];
				}
				scores[k] = !inside ? Double.NaN : k == count / 2 ? peak.value() : exact.applyAsDouble(p);
			}
			return scores;
		}

		private void stopIfCanceled() {
			if (correlation.monitor().canceled()) throw new CancellationException("canceled while finding matches");
		}
	}

	/**
	 * What was found.
	 *
	 * @param matches best first
	 * @param response the correlation that they were found in
	 */
	public record Result(List<Match> matches, Response response) {}
}
