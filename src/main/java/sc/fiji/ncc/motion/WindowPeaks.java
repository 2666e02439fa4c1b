package sc.fiji.ncc.motion;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.track.SearchWindow;
import sc.fiji.ncc.track.TwoPeaks;

/** The two highest peaks of the responses of a window, as {@link TwoPeaks} finds them, in less time where errors of responses decide nothing. */
final class WindowPeaks {

	/** The rounding error of a response in float. */
	private static final double ROUNDING = 1e-7;

	private final double[] responses;
	private final int[] count;
	/** Differences up to here may be errors. */
	private final double doubt;
	/** Whether such a difference was met. */
	private boolean doubtful;

	private WindowPeaks(final double[] responses, final int[] count, final double error) {
		this.responses = responses;
		this.count = count;
		doubt = 2 * error;
	}

	/**
	 * @param responses one for each lag of the window, x fastest; NaN if it is undefined
	 * @param error the largest error of a response
	 * @param place the first pixel of the window
	 * @param exact the exact score at a lag
	 * @return at most two, the highest first, with exact scores
	 */
	static List<Peak> of(final double[] responses, final double error, final SearchWindow window, final long[] place, final ToDoubleFunction<long[]> exact) {
		final WindowPeaks peaks = new WindowPeaks(responses, window.count(), error);
		final int first = peaks.highest(-1), second = first < 0 ? -1 : peaks.highest(first);
		if (peaks.doubtful) {
			final float[] map = new float[responses.length];
			for (int i = 0; i < map.length; i++) map[i] = (float) responses[i];
			return TwoPeaks.of(map, window, place, 2 * error + ROUNDING, exact);
		}
		final List<Peak> found = new ArrayList<>(2);
		for (final int i : new int[] { first, second }) if (i >= 0) {
			final long[] at = window.origin(place);
			for (int d = 0, rest = i; d < at.length; rest /= peaks.count[d++]) at[d] += rest % peaks.count[d];
			found.add(new Peak(at, exact.applyAsDouble(at)));
		}
		return found;
	}

	/** The index of the highest peak that does not touch another index; -1 without one. */
	private int highest(final int but) {
		int best = -1;
		double value = Double.NEGATIVE_INFINITY;
		for (int i = 0; i < responses.length; i++) {
			final double r = responses[i];
			if (!(r >= value - doubt) || but >= 0 && touches(i, but)) continue;
			if (but >= 0 && !isMaximum(i)) continue;
			doubtful |= r <= value + doubt;
			if (r > value) {
				best = i;
				value = r;
			}
		}
		return best;
	}

	private boolean touches(final int i, final int other) {
		for (int d = 0, a = i, b = other; d < count.length; a /= count[d], b /= count[d++]) if (Math.abs(a % count[d] - b % count[d]) > 1) return false;
		return true;
	}

	/** Whether no neighbour is higher. */
	private boolean isMaximum(final int i) {
		return isMaximum(i, count.length - 1, i);
	}

	/** @param neighbour differs from i along the dimensions after d */
	private boolean isMaximum(final int i, final int d, final int neighbour) {
		if (d < 0) {
			if (neighbour == i) return true;
			final double difference = responses[i] - responses[neighbour];
			doubtful |= Math.abs(difference) <= doubt;
			return !(difference < 0);
		}
		int stride = 1;
		for (int e = 0; e < d; e++) stride *= count[e];
		final int at = i / stride % count[d];
		for (int step = -1; step <= 1; step++)
			if (at + step >= 0 && at + step < count[d] && !isMaximum(i, d - 1, neighbour + step * stride)) return false;
		return true;
	}
}
