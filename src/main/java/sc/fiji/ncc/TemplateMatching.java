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
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.blocks.PrimitiveBlocks;
import net.imglib2.converter.Converters;
import net.imglib2.type.numeric.real.DoubleType;
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
import sc.fiji.ncc.plan.Template;

/**
 * Finds the places where a template, or several, occur: the local maxima of their correlations with the image, best first, without those whose
 * windows overlap too much with a better one, of whichever template it is.
 *
 * <pre>
 * List&lt;Match&gt; matches = TemplateMatching.with(NormalizedCrossCorrelation.of(template)).maxMatches(20).minScore(0.8).find(image).matches();
 * </pre>
 *
 * The correlation's extent, border, mask, search window and all else hold. Scores are computed once more from the pixels of the image,
 * exactly, before they are compared with the least score and with each other: whatever rounding did to the map, no match that should
 * not be reported is. Equal scores are ordered by frame, then by position in raster order, then by template.
 */
public final class TemplateMatching {

	/** Responses of the map are exact to 1e-5; twice that, lest a rounding at the limit loses a match. */
	private static final double TOLERANCE = 2e-5;

	private final NormalizedCrossCorrelation correlation;
	private int most = Integer.MAX_VALUE;
	private double least = 0.5;
	private double overlap = 0.5;
	private boolean templatesCompete = true;

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
	 * The greatest share of a window that it may have in common with another match of a better score, of windows of different sizes the share of
	 * the smaller one; by default 0.5. With 0 matches do not overlap at all, with 1 every local maximum may be a match.
	 *
	 * @throws IllegalArgumentException if not in [0, 1]
	 */
	public TemplateMatching overlap(final double share) {
		if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("the share of a window that may be covered must lie in [0, 1], unlike " + share);
		overlap = share;
		return this;
	}

	/**
	 * Whether matches of different templates put each other out where they overlap, and {@link #maxMatches} counts all of them together: so that
	 * one thing is found once, by the template that is most like it. It is so by default; otherwise the matches are those of each template alone.
	 */
	public TemplateMatching templatesCompete(final boolean compete) {
		templatesCompete = compete;
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
		final List<Arrangement> arrangements = correlation.arrange(image);
		final int n = correlation.dimensions();
		final long[] frames = Arrays.copyOfRange(image.dimensionsAsLongArray(), n, image.numDimensions());
		final List<Match> matches = Collections.synchronizedList(new ArrayList<>());
		eachFrame(Arrays.stream(frames).reduce(1, Math::multiplyExact), f -> {
			final long[] frame = new long[frames.length];
			if (frames.length > 0) IntervalIndexer.indexToPosition(f, frames, frame);
			final RandomAccessibleInterval<?> pixels = SlidingOp.frame(image, n, f);
			final List<TemplateFrame> templates = new ArrayList<>();
			for (int t = 0; t < arrangements.size(); t++) {
				templates.add(new TemplateFrame(t, frame, floats(SlidingOp.frame(response.images().get(t), n, f)), arrangements.get(t), pixels));
			}
			matches.addAll(matches(templates));
		});
		final Comparator<Match> byFrame = (a, b) -> Arrays.compare(reversed(a.frame()), reversed(b.frame()));
		matches.sort(Comparator.comparingDouble(Match::score).reversed().thenComparing(byFrame)
			.thenComparing((a, b) -> Arrays.compare(reversed(a.position()), reversed(b.position()))).thenComparingInt(Match::template));
		return new Result(List.copyOf(matches), response);
	}

	/** A frame of a map, rounded to float if it is not: by less than what candidates may fall short of the least score. */
	@SuppressWarnings("unchecked") // a map of floats, or of doubles
	private static RandomAccessibleInterval<FloatType> floats(final RandomAccessibleInterval<?> map) {
		if (map.getType() instanceof FloatType) return (RandomAccessibleInterval<FloatType>) map;
		return Converters.convert((RandomAccessibleInterval<DoubleType>) map, (d, f) -> f.setReal(d.get()), new FloatType());
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

	/** The matches in one frame, of all templates. */
	private List<Match> matches(final List<TemplateFrame> templates) {
		if (!templatesCompete && templates.size() > 1) {
			final List<Match> all = new ArrayList<>();
			for (final TemplateFrame t : templates) all.addAll(matches(List.of(t)));
			return all;
		}
		final List<Peak> maxima = new ArrayList<>();
		final List<long[]> windows = new ArrayList<>();
		for (int t = 0; t < templates.size(); t++) {
			final int index = t;
			templates.get(t).maxima(peak -> maxima.add(new Peak(with(index, templates.get(index).firstPixel(peak.position())), peak.value())));
			windows.add(templates.get(t).template.size().toArray());
		}
		final ToDoubleFunction<long[]> exact = p -> templates.get((int) p[0]).score(window(p));
		final List<Match> matches = new ArrayList<>();
		for (final Peak peak : Selection.best(maxima, new Suppression(windows, overlap), most, least, TOLERANCE, exact))
			matches.add(templates.get((int) peak.position()[0]).match(window(peak.position()), peak.value()));
		return matches;
	}

	/** What {@link Suppression} takes for a position: the template counts least in their order. */
	private static long[] with(final int template, final long[] window) {
		final long[] p = new long[window.length + 1];
		p[0] = template;
		System.arraycopy(window, 0, p, 1, window.length);
		return p;
	}

	private static long[] window(final long[] position) {
		return Arrays.copyOfRange(position, 1, position.length);
	}

	/** One template in one frame. */
	private final class TemplateFrame {

		private final int index;
		private final Template template;
		private final long[] frame;
		private final RandomAccessibleInterval<FloatType> map;
		private final long[] size;
		private final long[] firstLag; // of the map's first response
		private final long[] shift; // from a lag to what the scores' pixels count from
		private final WindowScore score;

		TemplateFrame(final int index, final long[] frame, final RandomAccessibleInterval<FloatType> map, final Arrangement a,
			final RandomAccessibleInterval<?> pixels)
		{
			this.index = index;
			template = correlation.templates().get(index);
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
			score = new WindowScore(a.pixels(pixels), template, lags.partial() ? lags.leastOverlap() : Double.POSITIVE_INFINITY);
		}

		/** The local maxima of the map, in its own coordinates. */
		void maxima(final Consumer<Peak> found) {
			final PrimitiveBlocks<FloatType> responses = PrimitiveBlocks.of(map, PrimitiveBlocks.OnFallback.ACCEPT);
			final int[] rowSize = new int[size.length];
			Arrays.fill(rowSize, 1);
			rowSize[0] = Math.toIntExact(size[0]);
			final Rows rows = (start, row) -> {
				stopIfCanceled();
				responses.copy(start, row, rowSize);
			};
			LocalMaxima.find(rows, size, (float) (least - TOLERANCE), found);
		}

		/** The exact score of the window with this first pixel. */
		double score(final long[] window) {
			stopIfCanceled();
			return score.at(shifted(window, shift));
		}

		Match match(final long[] window, final double value) {
			final double[] subpixel = QuadraticPeak.offset(neighbourhood(window, value), size.length);
			for (int d = 0; d < subpixel.length; d++) subpixel[d] += window[d];
			return new Match(index, frame, window, value, subpixel);
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
		private double[] neighbourhood(final long[] window, final double value) {
			final int n = size.length;
			int count = 1;
			for (int d = 0; d < n; d++) count *= 3;
			final double[] scores = new double[count];
			final long[] p = new long[n];
			for (int k = 0; k < count; k++) {
				boolean inside = true;
				for (int d = 0, code = k; d < n; d++, code /= 3) {
					p[d] = window[d] + code % 3 - 1;
					inside &= p[d] >= firstLag[d] && p[d] < firstLag[d] + size[d];
				}
				scores[k] = !inside ? Double.NaN : k == count / 2 ? value : score(p);
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
