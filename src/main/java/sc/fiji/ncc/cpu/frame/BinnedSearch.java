package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;
import java.util.List;

/**
 * Finds the best lag of two large frames in two stages: all lags of the binned frames, then the lags around their best peak at full resolution. That takes a
 * fraction of the time of a transform of the frames themselves.
 * <p>
 * The search says nothing unless the answer is clear: the peak of the binned frames is significant, most of the content that the frames have in common is kept by
 * the bins, no other peak comes near, and the best lag lies inside the range. So periodic patterns, fine textures and frames that hardly fit go to the transform
 * of whole frames. Immutable.
 */
final class BinnedSearch {

	/** The smallest extent along x and y for bins, and along z. */
	static final int LEAST_SIDE = 128;
	private static final int LEAST_DEPTH = 32;
	/** The number of peaks of the binned frames. */
	private static final int PEAKS = 4;
	/** The peak of the binned frames is significant above this multiple of the standard deviation of noise. */
	private static final double SIGNIFICANT = 8;
	/** The share of the covariance that bins along x and y must keep. */
	private static final double KEPT = 0.3;
	/** A second peak above this share of the first is close to it. It is examined at full resolution above the other share. */
	private static final double CLOSE = 0.7, EXAMINED = 0.5;
	/** The number of times that the window of lags moves. */
	private static final int MOVES = 4;

	/**
	 * The best lag.
	 *
	 * @param lag the lag
	 * @param around the coefficients at the 27 lags around it, x fastest; NaN for lags out of range. They are those of a part of the rows
	 * @param second a lag and the coefficient of the second peak, for information; null if there is none
	 */
	record Found(int[] lag, double[] around, SurfacePeaks.LagPeak second) {}

	private final int[] bin, radius = new int[3];
	private final LagRange range;
	private final FrameCorrelator binned;

	private BinnedSearch(final int[] bin, final LagRange range, final FrameCorrelator binned) {
		this.bin = bin;
		this.range = range;
		this.binned = binned;
		for (int d = 0; d < 3; d++) radius[d] = bin[d] > 2 ? bin[d] - 1 : bin[d];
	}

	/** @return null for frames that are too small */
	static BinnedSearch of(final int[] fixed, final int[] moving, final LagRange range, final double minOverlap, final double work) {
		final int[] bin = new int[3], f = new int[3], m = new int[3];
		final long[] most = new long[3];
		for (int d = 0; d < 3; d++) {
			final int least = Math.min(fixed[d], moving[d]);
			if (d < 2 && least < LEAST_SIDE) return null;
			bin[d] = d < 2 ? 4 : least >= LEAST_DEPTH ? 2 : 1;
			f[d] = fixed[d] / bin[d];
			m[d] = moving[d] / bin[d];
			most[d] = (Math.max(-range.min()[d], range.max()[d]) + bin[d] - 1) / bin[d];
		}
		// lags a little beyond the range are binned to lags with less overlap
		return new BinnedSearch(bin, range, FrameCorrelator.whole(f, m, most, 0.8 * minOverlap, PEAKS, false, work));
	}

	/** Transforms one or two frames, binned. A frame that is flat or has a mask gives null, and so does the second frame if there is none. */
	TransformedFrame[] transform(final FramePixels a, final FramePixels b) {
		final boolean first = FrameCorrelator.isPlain(a), second = b != null && FrameCorrelator.isPlain(b);
		final TransformedFrame[] both = { null, null };
		if (first && second) return binned.transform(a.binned(bin), b.binned(bin));
		if (first) both[0] = binned.transform(a.binned(bin), null)[0];
		if (second) both[1] = binned.transform(b.binned(bin), null)[0];
		return both;
	}

	/** The work of a frame's transforms, and that of a pair's. */
	double work() {
		return binned.pairWork();
	}

	long frameBytes() {
		return binned.frameBytes();
	}

	long workerBytes() {
		return binned.workerBytes();
	}

	/** The peaks of one or two pairs of binned frames; none for a pair whose fixed frame is null. */
	List<List<SurfacePeaks.LagPeak>> peaks(final TransformedFrame fixedA, final TransformedFrame movingA, final TransformedFrame fixedB,
		final TransformedFrame movingB) {
		return binned.surfacePeaks(binned(fixedA), fixedA == null ? null : binned(movingA), binned(fixedB), fixedB == null ? null : binned(movingB), PEAKS);
	}

	private static TransformedFrame binned(final TransformedFrame frame) {
		return frame == null ? null : frame.binned();
	}

	/**
	 * @param peaks those of the binned frames
	 * @return null if no peak is clearly the highest
	 */
	Found find(final TransformedFrame fixed, final TransformedFrame moving, final List<SurfacePeaks.LagPeak> peaks, final LagWindow window) {
		if (peaks.isEmpty()) return null;
		final FramePixels f = fixed.pixels(), m = moving.pixels();
		final SurfacePeaks.LagPeak first = peaks.get(0);
		final double pixels = OverlapScore.pixels(fixed.binned().pixels(), moving.binned().pixels(), first.lag());
		if (first.value() * Math.sqrt(pixels) < SIGNIFICANT) return null;
		final int[] lag = climb(f, m, first, window);
		if (lag == null) return null;
		final double best = window.at(lag);
		final double[] around = new double[27];
		for (int i = 0; i < 27; i++) around[i] = window.at(new int[] { lag[0] + i % 3 - 1, lag[1] + i / 3 % 3 - 1, lag[2] + i / 9 - 1 });
		if (!(best > 0) || window.kept(f, m, lag, bin) < KEPT * bin[2]) return null;
		SurfacePeaks.LagPeak second = null;
		for (final SurfacePeaks.LagPeak p : peaks.subList(1, peaks.size())) {
			SurfacePeaks.LagPeak other = new SurfacePeaks.LagPeak(inRange(p.lag()), p.value());
			if (p.value() > EXAMINED * first.value()) {
				final int[] place = climb(f, m, p, window);
				if (place == null) return null;
				other = new SurfacePeaks.LagPeak(place, (float) window.at(place));
			}
			if (!Arrays.equals(other.lag(), lag) && (second == null || other.value() > second.value())) second = other;
		}
		// a pattern that is fixed to the camera can be finer than the bins
		final double still = isNear(lag) ? Double.NaN : window.only(f, m, new int[3], range);
		if (still > CLOSE * best || second != null && second.value() > CLOSE * best) return null;
		return new Found(lag, around, second);
	}

	private boolean isNear(final int[] lag) {
		for (int d = 0; d < 3; d++)
			if (Math.abs(lag[d]) > radius[d]) return false;
		return true;
	}

	private int[] inRange(final int[] binnedLag) {
		final int[] lag = new int[3];
		for (int d = 0; d < 3; d++) lag[d] = Math.max(range.min()[d], Math.min(range.max()[d], binnedLag[d] * bin[d]));
		return lag;
	}

	/** The best lag at full resolution near a peak of the binned frames; null if it lies at the end of the range, or too little overlaps. */
	private int[] climb(final FramePixels f, final FramePixels m, final SurfacePeaks.LagPeak peak, final LagWindow window) {
		int[] center = inRange(peak.lag());
		for (int move = 0; move < MOVES; move++) {
			if (!window.fill(f, m, center, radius, range)) return null;
			final int[] best = window.best();
			if (best == null) return null;
			boolean inside = true;
			for (int d = 0; d < 3; d++) {
				if (range.count(d) > 1 && (best[d] == range.min()[d] || best[d] == range.max()[d])) return null;
				inside &= radius[d] == 0 || range.count(d) == 1 || Math.abs(best[d] - center[d]) < radius[d];
			}
			if (inside) return best;
			center = best;
		}
		return null;
	}
}
