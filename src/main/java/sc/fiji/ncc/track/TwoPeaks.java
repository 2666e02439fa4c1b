package sc.fiji.ncc.track;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

import sc.fiji.ncc.peaks.GreedySelection;
import sc.fiji.ncc.peaks.LocalMaxima;
import sc.fiji.ncc.peaks.MapRows;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.Suppression;

/** The highest peak of the responses around a position, and the next highest peak that does not touch it. */
public final class TwoPeaks {

	private TwoPeaks() {}

	/**
	 * @param responses the responses of a box of a {@link SearchWindow}; NaN for undefined
	 * @param place the position around which the box lies
	 * @param tolerance the error limit of a response
	 * @param exact the exact score at a lag; NaN for undefined
	 * @return at most two, the highest first, with exact scores
	 */
	public static List<Peak> of(final float[] responses, final SearchWindow window, final long[] place, final double tolerance,
		final ToDoubleFunction<long[]> exact)
	{
		final int[] count = window.count();
		final long[] origin = window.origin(place), size = Arrays.stream(count).asLongStream().toArray();
		final long[] lag = origin.clone();
		float[] within = responses;
		for (int i = 0; i < responses.length; i++) {
			if (!window.within(lag, place)) {
				if (within == responses) within = responses.clone();
				within[i] = Float.NaN;
			}
			for (int d = 0; d < lag.length && ++lag[d] == origin[d] + count[d]; d++) lag[d] = origin[d];
		}
		final List<Peak> maxima = new ArrayList<>();
		LocalMaxima.find(MapRows.of(within, size), size, -2, p -> maxima.add(new Peak(sum(p.position(), origin), p.value())));
		// positions with a distance of at least two along one dimension do not touch
		final long[] two = new long[count.length];
		Arrays.fill(two, 2);
		return GreedySelection.best(maxima, new Suppression(two, 0), 2, -1, tolerance, exact);
	}

	private static long[] sum(final long[] a, final long[] b) {
		final long[] s = new long[a.length];
		for (int d = 0; d < s.length; d++) s[d] = a[d] + b[d];
		return s;
	}
}
