package sc.fiji.ncc.match;

import java.util.List;

import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.peaks.Neighbours;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.PeakQuality;

/**
 * The quality of matches from the exact scores around them. The peak-to-sidelobe ratio is that of B. V. K. Vijaya Kumar and L. Hassebrook, Performance measures for
 * correlation filters, Applied Optics 29 (1990) 2997-3006, DOI 10.1364/AO.29.002997.
 */
public final class PeakSurroundings {

	/** The distance along each dimension up to which responses count, in lags: in up to two dimensions, and in three. */
	private static final int RADIUS = 10, RADIUS_3D = 5;
	/** The distance up to which responses belong to the peak, and do not count as sidelobe. */
	private static final int PEAK = 2;

	private PeakSurroundings() {}

	/**
	 * The match with its quality. Complexity: 441 exact scores in two dimensions, 1331 in three.
	 *
	 * @param layouts one for each template
	 */
	public static Match rated(final Match match, final List<ResponseLayout> layouts, final ExactScores exact) {
		final ResponseLayout layout = layouts.get(match.template());
		final int n = match.position().length;
		final long[] min = new long[n], size = new long[n];
		int count = 1;
		for (int d = 0; d < n; d++) {
			final long radius = n < 3 ? RADIUS : RADIUS_3D, first = layout.firstLag[d] - layout.place[d];
			min[d] = Math.max(first, match.position()[d] - radius);
			size[d] = Math.min(first + layout.size[d] - 1, match.position()[d] + radius) - min[d] + 1;
			count *= (int) size[d];
		}
		final double[] scores = new double[count];
		final int[] distance = new int[count];
		double sum = 0, squares = 0;
		int sidelobes = 0;
		for (int i = 0; i < count; i++) {
			final long[] p = min.clone();
			for (int d = 0, rest = i; d < n; rest /= (int) size[d++]) {
				p[d] += rest % size[d];
				distance[i] = (int) Math.max(distance[i], Math.abs(p[d] - match.position()[d]));
			}
			scores[i] = distance[i] == 0 ? match.score() : exact.at(match.template(), null, p);
			if (distance[i] <= PEAK || Double.isNaN(scores[i])) continue;
			// differences, so that equal scores have no deviation
			final double difference = scores[i] - match.score();
			sum += difference;
			squares += difference * difference;
			sidelobes++;
		}
		final double mean = sum / sidelobes, deviation = Math.sqrt(Math.max(0, squares / sidelobes - mean * mean));
		return match.with(new PeakQuality(runnerUp(layout, min, size, scores, distance), deviation > 0 ? -mean / deviation : Double.NaN));
	}

	/** The highest local maximum that does not touch the match. A maximum has all its neighbours in the map among the scores. */
	private static double runnerUp(final ResponseLayout layout, final long[] min, final long[] size, final double[] scores,
		final int[] distance) {
		final Neighbours neighbours = new Neighbours(size);
		double runnerUp = Double.NaN;
		for (int i = 0; i < scores.length; i++) {
			if (distance[i] < 2 || !(scores[i] > runnerUp || Double.isNaN(runnerUp)) || cut(i, layout, min, size)) continue;
			boolean maximum = !Double.isNaN(scores[i]);
			for (final long j : neighbours.of(i)) maximum &= !(scores[(int) j] > scores[i]);
			if (maximum) runnerUp = scores[i];
		}
		return runnerUp;
	}

	/** Whether a neighbour lies in the map but not among the scores. */
	private static boolean cut(final int index, final ResponseLayout layout, final long[] min, final long[] size) {
		for (int d = 0, rest = index; d < size.length; rest /= (int) size[d++]) {
			final long x = rest % size[d], first = layout.firstLag[d] - layout.place[d];
			if (x == 0 && min[d] > first || x == size[d] - 1 && min[d] + size[d] < first + layout.size[d]) return true;
		}
		return false;
	}
}
