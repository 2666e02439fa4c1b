package sc.fiji.ncc.cpu.frame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.plan.shift.ShiftRange;

/**
 * Finds the shift between two frames: the correlation coefficient of the part that overlaps, at all lags of a range, with its highest peaks, their exact scores, and
 * the position of the best one between the pixels.
 * <p>
 * The numerators of all lags come from Fourier transforms in float of the frames minus their mean (Lewis 1995), the denominators from summed-area tables. Two frames
 * share a forward transform, and two pairs an inverse one. The best peak is then refined on the pixels, see {@link ShiftFit}. Cost for n points of a transform:
 * {@code O(n·log n)}, memory 4 bytes a point for a spectrum and at most 16 bytes a pixel for the tables. Several threads may use an object at once.
 */
public final class FrameCorrelator {

	/** Peaks whose coefficients differ by less from the highest are ranked by their exact scores. The error of a coefficient is far smaller in all but odd frames. */
	private static final double CLOSE = 1e-3;
	/** The smallest extent of frames along x and y that are searched binned. */
	public static final int LEAST_BINNED = BinnedSearch.LEAST_SIDE;
	/** The number of peaks whose exact scores can be compared. */
	private static final int COMPARED = 4;

	private final int[] fixed, moving;
	private final LagRange range;
	private final int count;
	private final boolean subpixel;
	/** The rows and planes of the summed-area tables: where an overlap can begin or end in either frame. */
	private final boolean[] rows, planes;
	private final Queue<Worker> idle = new ConcurrentLinkedQueue<>();
	private final Queue<Memory> idleWholes = new ConcurrentLinkedQueue<>(), idleBlocks = new ConcurrentLinkedQueue<>();
	/** The number of threads that may transform whole frames at a time. */
	private final Semaphore wholes;
	/** Null unless frames are binned. */
	private final BinnedSearch search;
	/** Null unless pairs are transformed block by block. */
	private final LagBlocks blocks;

	/** What one thread needs for a pair. */
	private static final class Worker {

		final ShiftFit fit = new ShiftFit();
		final LagWindow window = new LagWindow();
	}

	/** What one thread needs to transform frames, or blocks of them. */
	private static final class Memory {

		final boolean whole;
		final SpectrumTransform transform;
		final OverlapRows rows;
		final CorrelationSurface surface;

		Memory(final int[] fixed, final int[] moving, final LagRange range, final boolean whole, final int[] points) {
			this.whole = whole;
			transform = new SpectrumTransform(points);
			rows = new OverlapRows(fixed[0], moving[0]);
			surface = CorrelationSurface.allocate(range);
		}
	}

	/** How the lags are searched. */
	public enum Search {
		/** Each frame is transformed as a whole, once for all its pairs. */
		WHOLE,
		/** Large frames are searched with several pixels as one first; for one peak only. */
		BINNED,
		/** Each frame is in one pair: if few lags are wanted, the pair is transformed block by block. */
		ONCE
	}

	/** Transforms all frames as a whole. */
	static FrameCorrelator whole(final int[] fixed, final int[] moving, final long[] maxShift, final double minOverlap, final int peaks,
		final boolean subpixel, final double work) {
		return new FrameCorrelator(fixed, moving, new Lags(maxShift, minOverlap), peaks, subpixel, Search.WHOLE, work);
	}

	/**
	 * The lags that are searched.
	 *
	 * @param maxShift the largest shift along each dimension, in pixels
	 * @param minOverlap the smallest overlap, as a share of the largest possible overlap; above 0, up to 1
	 */
	public record Lags(long[] maxShift, double minOverlap) {}

	/**
	 * @param fixed the extents of fixed frames along x, y and z
	 * @param moving the extents of moving frames
	 * @param peaks the number of peaks to report
	 * @param subpixel whether the best peak is refined between the pixels
	 * @param how how the lags are searched
	 * @param work the bytes that all threads' transforms of whole frames may fill
	 */
	public FrameCorrelator(final int[] fixed, final int[] moving, final Lags lags, final int peaks, final boolean subpixel, final Search how,
		final double work)
	{
		this.fixed = fixed.clone();
		this.moving = moving.clone();
		range = LagRange.of(fixed, moving, lags.maxShift, lags.minOverlap);
		if (range.allPoints() > Integer.MAX_VALUE - 16) throw new IllegalArgumentException("frames of " + text(fixed) + " and " + text(moving)
			+ " pixels are too large to register as a whole: give a smaller maximum shift, or register a region of them");
		count = peaks;
		this.subpixel = subpixel;
		rows = places(1);
		planes = places(2);
		search = how == Search.BINNED ? BinnedSearch.of(fixed, moving, range, lags.minOverlap, work) : null;
		final LagBlocks divided = how == Search.ONCE ? LagBlocks.of(fixed, range) : null;
		blocks = divided != null && divided.work() < 3 * wholeWork() ? divided : null;
		wholes = new Semaphore((int) Math.max(1, Math.min(1 << 10, work / wholeBytes())));
	}

	/** Frames of one size can be fixed in one pair and moving in another one. */
	private boolean[] places(final int d) {
		final boolean[] a = PrefixSums.places(range, d, fixed[d], moving[d], true), b = PrefixSums.places(range, d, fixed[d], moving[d], false);
		final boolean[] both = new boolean[Math.max(a.length, b.length)];
		for (int i = 0; i < both.length; i++) both[i] = i < a.length && a[i] || i < b.length && b[i];
		return both;
	}

	private PrefixSums sums(final FramePixels frame) {
		return new PrefixSums(frame, Arrays.copyOf(rows, frame.extent(1) + 1), Arrays.copyOf(planes, frame.extent(2) + 1));
	}

	private static String text(final int[] size) {
		return size[0] + "x" + size[1] + (size[2] > 1 ? "x" + size[2] : "");
	}

	/** The bytes of a transformed frame, without a spectrum that is dropped when memory is short. */
	public long frameBytes() {
		final long pixels = Math.max((long) fixed[0] * fixed[1] * fixed[2], (long) moving[0] * moving[1] * moving[2]);
		if (search != null) return 4 * pixels + search.frameBytes();
		return (blocks == null ? SpectrumTransform.bytes(range) : 0) + 4 * pixels
			+ 16L * PrefixSums.count(rows) * PrefixSums.count(planes) * (Math.max(fixed[0], moving[0]) + 1);
	}

	/** The bytes that each thread needs. */
	public long workerBytes() {
		// three planes of two kinds, and a mixed one
		if (blocks != null) return 24 * blocks.allPoints() + 4L * range.count(0) * range.count(1) * range.count(2);
		return search == null ? wholeBytes() : 28L * fixed[0] * fixed[1] + search.workerBytes();
	}

	/** The work of a frame's transforms: their points, times their logarithm. Two frames share one. */
	public double frameWork() {
		return search != null ? search.work() : blocks != null ? 0 : wholeWork();
	}

	/** The work of a pair's transforms: their points, times their logarithm. Two pairs share an inverse one. */
	public double pairWork() {
		return search != null ? search.work() : blocks != null ? blocks.work() : wholeWork();
	}

	private double wholeWork() {
		return 0.5 * range.allPoints() * Math.log(range.allPoints()) / Math.log(2);
	}

	private long wholeBytes() {
		return 16 * range.allPoints();
	}

	/**
	 * Transforms one or two frames.
	 *
	 * @param b null for none
	 * @return as many frames as were given
	 */
	public TransformedFrame[] transform(final FramePixels a, final FramePixels b) {
		if (search != null) {
			final TransformedFrame[] small = search.transform(a, b);
			final TransformedFrame one = new TransformedFrame(a, small[0]);
			return b == null ? new TransformedFrame[] { one } : new TransformedFrame[] { one, new TransformedFrame(b, small[1]) };
		}
		final TransformedFrame one = new TransformedFrame(a, null), two = b == null ? null : new TransformedFrame(b, null);
		final boolean first = isPlain(a), second = b != null && isPlain(b);
		if (blocks != null) {
			if (first) one.set(new TransformedFrame.Spectrum(null, sums(a)));
			if (second) two.set(new TransformedFrame.Spectrum(null, sums(b)));
		}
		else if (first || second) {
			final Memory w = takeWhole();
			try {
				final FramePixels leading = first ? a : b, other = first && second ? b : null;
				final FrameSpectrum[] spectra = w.transform.forward(leading.deviations(), leading.size(), other == null ? null : other.deviations(),
					other == null ? null : other.size());
				(first ? one : two).set(new TransformedFrame.Spectrum(spectra[0], sums(leading)));
				if (other != null) two.set(new TransformedFrame.Spectrum(spectra[1], sums(other)));
			}
			finally {
				release(w);
			}
		}
		return b == null ? new TransformedFrame[] { one } : new TransformedFrame[] { one, two };
	}

	static boolean isPlain(final FramePixels frame) {
		return !frame.isFlat() && !frame.isMasked();
	}

	private Worker take() {
		final Worker w = idle.poll();
		return w != null ? w : new Worker();
	}

	private Memory takeBlocks() {
		final Memory w = idleBlocks.poll();
		return w != null ? w : new Memory(fixed, moving, range, false, blocks.points());
	}

	private Memory takeWhole() {
		wholes.acquireUninterruptibly();
		final Memory w = idleWholes.poll();
		if (w != null) return w;
		try {
			return new Memory(fixed, moving, range, true, range.points());
		}
		catch (final RuntimeException | Error e) {
			wholes.release();
			throw e;
		}
	}

	private void release(final Memory w) {
		if (w.whole) wholes.release();
		(w.whole ? idleWholes : idleBlocks).add(w);
	}

	/**
	 * Finds the shifts of one or two pairs of frames.
	 *
	 * @param fixedB the second pair; null for none
	 * @return the peaks of each pair
	 */
	public PairPeaks[] correlate(final TransformedFrame fixedA, final TransformedFrame movingA, final TransformedFrame fixedB, final TransformedFrame movingB) {
		final Worker w = take();
		try {
			final boolean first = isSearched(fixedA, movingA), second = fixedB != null && isSearched(fixedB, movingB);
			final List<List<SurfacePeaks.LagPeak>> peaks = first || second ? search.peaks(first ? fixedA : null, movingA, second ? fixedB : null, movingB) : null;
			final PairPeaks a = first ? binned(w, fixedA, movingA, peaks.get(0)) : null, b = second ? binned(w, fixedB, movingB, peaks.get(1)) : null;
			if (a != null && b != null) return new PairPeaks[] { a, b };
			if (a != null) return fixedB == null ? new PairPeaks[] { a } : new PairPeaks[] { a, whole(w, fixedB, movingB, null, null)[0] };
			return b != null ? new PairPeaks[] { whole(w, fixedA, movingA, null, null)[0], b } : whole(w, fixedA, movingA, fixedB, movingB);
		}
		finally {
			idle.add(w);
		}
	}

	private boolean isSearched(final TransformedFrame f, final TransformedFrame m) {
		return search != null && isPlain(f.pixels()) && isPlain(m.pixels());
	}

	/** The peaks of a pair from those of its binned frames; null if they are not clear. */
	private PairPeaks binned(final Worker w, final TransformedFrame f, final TransformedFrame m, final List<SurfacePeaks.LagPeak> peaks) {
		final BinnedSearch.Found found = search.find(f, m, peaks, w.window);
		if (found == null) return null;
		final double overlap = OverlapScore.pixels(f.pixels(), m.pixels(), found.lag());
		final double score = OverlapScore.of(f.pixels(), m.pixels(), found.lag()), smaller = Math.min(f.pixels().count(), m.pixels().count());
		if (overlap < Math.max(OverlapRows.LEAST_PIXELS, range.leastPixels() - 0.5) || Double.isNaN(score)) return null;
		final List<PairPeaks.Place> places = new ArrayList<>();
		places.add(new PairPeaks.Place(found.lag(), offset(found.lag(), found.around()), score, overlap / smaller));
		if (found.second() != null) {
			final int[] lag = found.second().lag();
			places.add(new PairPeaks.Place(lag, new double[] { lag[0], lag[1], lag[2] }, found.second().value(),
				OverlapScore.pixels(f.pixels(), m.pixels(), lag) / smaller));
		}
		return refined(w, f.pixels(), m.pixels(), places, false);
	}

	/** The peaks of pairs from the transforms of whole frames, or of blocks. */
	private PairPeaks[] whole(final Worker worker, final TransformedFrame fixedA, final TransformedFrame movingA,
		final TransformedFrame fixedB, final TransformedFrame movingB) {
		final PairPeaks[] found = new PairPeaks[fixedB == null ? 1 : 2];
		final boolean first = isPlain(fixedA.pixels()) && isPlain(movingA.pixels());
		final boolean second = fixedB != null && isPlain(fixedB.pixels()) && isPlain(movingB.pixels());
		if (first || second) {
			final Memory w = blocks == null ? takeWhole() : takeBlocks();
			try {
				final TransformedFrame.Spectrum[] a = first ? spectra(w, fixedA, movingA) : null, b = second ? spectra(w, fixedB, movingB) : null;
				if (blocks == null) correlate(w, a, b);
				else if (first) w.transform.correlate(blocks, range, fixedA.pixels(), movingA.pixels(), second ? fixedB.pixels() : null,
					second ? movingB.pixels() : null);
				else w.transform.correlate(blocks, range, fixedB.pixels(), movingB.pixels(), null, null);
				if (first) found[0] = plain(worker, w, fixedA.pixels(), movingA.pixels(), a, 0);
				if (second) found[1] = plain(worker, w, fixedB.pixels(), movingB.pixels(), b, first ? 1 : 0);
			}
			finally {
				release(w);
			}
		}
		if (found[0] == null) found[0] = rare(worker, fixedA.pixels(), movingA.pixels());
		if (fixedB != null && found[1] == null) found[1] = rare(worker, fixedB.pixels(), movingB.pixels());
		return found;
	}

	private TransformedFrame.Spectrum[] spectra(final Memory w, final TransformedFrame f, final TransformedFrame m) {
		return new TransformedFrame.Spectrum[] { spectrum(w, f), spectrum(w, m) };
	}

	/** The spectrum of a frame, computed once while memory is not short. */
	private TransformedFrame.Spectrum spectrum(final Memory w, final TransformedFrame frame) {
		synchronized (frame) {
			TransformedFrame.Spectrum spectrum = frame.spectrum();
			if (spectrum != null) return spectrum;
			if (blocks != null) return new TransformedFrame.Spectrum(null, sums(frame.pixels()));
			spectrum = new TransformedFrame.Spectrum(w.transform.forward(frame.pixels().deviations(), frame.pixels().size(), null, null)[0], sums(frame.pixels()));
			frame.set(spectrum);
			return spectrum;
		}
	}

	/**
	 * The highest maxima of the coefficients of one or two pairs of frames, without exact scores.
	 *
	 * @param fixedA null for no peaks
	 * @param fixedB null for no peaks
	 */
	List<List<SurfacePeaks.LagPeak>> surfacePeaks(final TransformedFrame fixedA, final TransformedFrame movingA, final TransformedFrame fixedB,
		final TransformedFrame movingB, final int number) {
		final boolean first = fixedA != null && isPlain(fixedA.pixels()) && isPlain(movingA.pixels());
		final boolean second = fixedB != null && isPlain(fixedB.pixels()) && isPlain(movingB.pixels());
		final Memory w = takeWhole();
		try {
			final TransformedFrame.Spectrum[] a = first ? spectra(w, fixedA, movingA) : null, b = second ? spectra(w, fixedB, movingB) : null;
			correlate(w, a, b);
			return List.of(first ? surfacePeaks(w, fixedA, movingA, a, 0, number) : List.of(),
				second ? surfacePeaks(w, fixedB, movingB, b, first ? 1 : 0, number) : List.of());
		}
		finally {
			release(w);
		}
	}

	private static List<SurfacePeaks.LagPeak> surfacePeaks(final Memory w, final TransformedFrame f, final TransformedFrame m,
		final TransformedFrame.Spectrum[] spectra, final int pair, final int number)
	{
		w.rows.fill(w.surface, f.pixels(), spectra[0].sums(), m.pixels(), spectra[1].sums(), w.transform, pair);
		return SurfacePeaks.find(w.surface, number);
	}

	/** Correlates the pairs that are not null. */
	private static void correlate(final Memory w, final TransformedFrame.Spectrum[] a, final TransformedFrame.Spectrum[] b) {
		if (a != null) w.transform.correlate(a[0].values(), a[1].values(), b == null ? null : b[0].values(), b == null ? null : b[1].values());
		else if (b != null) w.transform.correlate(b[0].values(), b[1].values(), null, null);
	}

	private PairPeaks plain(final Worker worker, final Memory w, final FramePixels f, final FramePixels m,
		final TransformedFrame.Spectrum[] spectra, final int pair)
	{
		w.rows.fill(w.surface, f, spectra[0].sums(), m, spectra[1].sums(), w.transform, pair);
		return peaks(worker, w.surface, f, m);
	}

	/** A pair of which a frame is flat or has a mask. */
	private PairPeaks rare(final Worker worker, final FramePixels f, final FramePixels m) {
		if (f.isFlat() || m.isFlat()) return PairPeaks.NONE;
		final Memory w = takeWhole();
		try {
			return masked(worker, w, f, m);
		}
		finally {
			release(w);
		}
	}

	private PairPeaks masked(final Worker worker, final Memory w, final FramePixels f, final FramePixels m) {
		// results share a transform, so they must be of one size: the values are scaled to about 1, as the weights are
		final float unitF = unit(f), unitM = unit(m);
		final float[] a = scaled(f, unitF), b = scaled(m, unitM);
		final FrameSpectrum[] values = w.transform.forward(a, f.size(), b, m.size());
		final FrameSpectrum[] weights = w.transform.forward(weights(f), f.size(), weights(m), m.size());
		final FrameSpectrum[] squares = w.transform.forward(squares(a), f.size(), squares(b), m.size());
		final OverlapRows.Masked sums = new OverlapRows.Masked(range);
		w.transform.correlate(values[0], values[1], weights[0], weights[1]);
		OverlapRows.copy(w.transform, 0, range, sums.products);
		OverlapRows.copy(w.transform, 1, range, sums.counts);
		w.transform.correlate(values[0], weights[1], weights[0], values[1]);
		OverlapRows.copy(w.transform, 0, range, sums.fixed);
		OverlapRows.copy(w.transform, 1, range, sums.moving);
		w.transform.correlate(squares[0], weights[1], weights[0], squares[1]);
		OverlapRows.copy(w.transform, 0, range, sums.fixedSquares);
		OverlapRows.copy(w.transform, 1, range, sums.movingSquares);
		final double possible = Math.min(count(f), count(m)) / Math.min((double) f.count(), m.count());
		OverlapRows.fill(w.surface, f, m, sums, (double) unitF * unitM, range.leastPixels() * possible);
		return peaks(worker, w.surface, f, m);
	}

	private static double count(final FramePixels frame) {
		if (frame.weights() == null) return frame.count();
		double n = 0;
		for (final float w : frame.weights()) n += w;
		return n;
	}

	private static float[] weights(final FramePixels frame) {
		if (frame.weights() != null) return frame.weights();
		final float[] all = new float[frame.count()];
		Arrays.fill(all, 1);
		return all;
	}

	/** A power of two that brings the deviations to about 1. */
	private static float unit(final FramePixels frame) {
		float largest = 0;
		for (final float d : frame.deviations()) largest = Math.max(largest, Math.abs(d));
		return Math.scalb(1f, -Math.getExponent(largest));
	}

	private static float[] scaled(final FramePixels frame, final float unit) {
		final float[] scaled = frame.deviations().clone();
		for (int i = 0; i < scaled.length; i++) scaled[i] *= unit;
		return scaled;
	}

	private static float[] squares(final float[] values) {
		final float[] squares = values.clone();
		for (int i = 0; i < squares.length; i++) squares[i] *= squares[i];
		return squares;
	}

	private PairPeaks peaks(final Worker w, final CorrelationSurface surface, final FramePixels f, final FramePixels m) {
		final List<SurfacePeaks.LagPeak> found = SurfacePeaks.find(surface, Math.max(count, COMPARED));
		if (found.isEmpty()) return PairPeaks.NONE;
		final double smaller = Math.min(count(f), count(m));
		final List<PairPeaks.Place> places = new ArrayList<>();
		for (int i = 0; i < found.size(); i++) {
			final SurfacePeaks.LagPeak p = found.get(i);
			final boolean exact = i < count || p.value() > found.get(0).value() - CLOSE;
			final double score = exact ? OverlapScore.of(f, m, p.lag()) : p.value();
			if (!Double.isNaN(score)) places.add(new PairPeaks.Place(p.lag(), offset(surface, p.lag()), score, OverlapScore.pixels(f, m, p.lag()) / smaller));
		}
		if (places.isEmpty()) return PairPeaks.NONE;
		places.sort(Comparator.comparingDouble(p -> -p.score()));
		while (places.size() > Math.max(2, count)) places.remove(places.size() - 1);
		return refined(w, f, m, places, ShiftRange.isAtEnd(places.get(0).lag(), range.min(), range.max()));
	}

	/** Refines the best peak between the pixels. */
	private PairPeaks refined(final Worker w, final FramePixels f, final FramePixels m, final List<PairPeaks.Place> places, final boolean edge) {
		final PairPeaks.Place best = places.get(0);
		final ShiftFit.Result fitted = subpixel && !edge && isFree() ? w.fit.fit(f, m, best.lag(), best.shift()) : null;
		if (fitted != null) places.set(0, new PairPeaks.Place(best.lag(), fitted.shift(), best.score(), best.overlap()));
		return new PairPeaks(List.copyOf(places), fitted == null ? null : fitted.covariance(), edge);
	}

	/** Whether the frames may move along all dimensions of several pixels. */
	private boolean isFree() {
		for (int d = 0; d < 3; d++)
			if (fixed[d] > 1 && moving[d] > 1 && range.count(d) == 1) return false;
		return true;
	}

	private double[] offset(final CorrelationSurface surface, final int[] lag) {
		final double[] around = new double[27];
		for (int i = 0; i < 27; i++) around[i] = surface.at(lag[0] + i % 3 - 1, lag[1] + i / 3 % 3 - 1, lag[2] + i / 9 - 1);
		return offset(lag, around);
	}

	/** The shift by a quadratic through the coefficients around a lag. */
	private double[] offset(final int[] lag, final double[] around) {
		final double[] shift = new double[3];
		for (int d = 0; d < 3; d++) shift[d] = lag[d];
		if (!subpixel) return shift;
		final double[] offset = QuadraticPeak.offset(around, 3);
		for (int d = 0; d < 3; d++) shift[d] += offset[d];
		return shift;
	}
}
