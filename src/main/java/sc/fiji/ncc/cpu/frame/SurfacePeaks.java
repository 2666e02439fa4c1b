package sc.fiji.ncc.cpu.frame;

import sc.fiji.ncc.plan.shift.PairPeaks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The highest local maxima of a correlation surface. */
final class SurfacePeaks {

	/** A lag and its coefficient. */
	record LagPeak(int[] lag, float value) {}

	private SurfacePeaks() {}

	/**
	 * A lag is a local maximum if no neighbour, diagonal neighbours included, has a larger coefficient, and none before it in the order of the rows an equal one.
	 *
	 * @param count the largest number of peaks
	 * @return the peaks, the highest first; of equal ones, the one with the smallest shift
	 */
	static List<LagPeak> find(final CorrelationSurface surface, final int count) {
		final LagRange range = surface.range();
		final List<LagPeak> best = new ArrayList<>();
		float least = Float.NEGATIVE_INFINITY;
		final int ny = range.count(1);
		for (int row = 0; row < surface.rows().length; row++) {
			final float[] values = surface.rows()[row];
			for (int i = 0; i < values.length; i++) {
				final float v = values[i];
				// false for NaN
				if (!(v > least) || !isMaximum(surface, range.min()[0] + i, range.min()[1] + row % ny, range.min()[2] + row / ny, v)) continue;
				best.add(new LagPeak(new int[] { range.min()[0] + i, range.min()[1] + row % ny, range.min()[2] + row / ny }, v));
				if (best.size() > 4 * count + 16) least = shorten(best, count);
			}
		}
		shorten(best, count);
		return best;
	}

	private static float shorten(final List<LagPeak> best, final int count) {
		best.sort(Comparator.<LagPeak> comparingDouble(p -> -p.value()).thenComparingLong(p -> PairPeaks.square(p.lag())));
		while (best.size() > count) best.remove(best.size() - 1);
		return best.size() == count ? Math.nextDown(best.get(count - 1).value()) : Float.NEGATIVE_INFINITY;
	}

	private static boolean isMaximum(final CorrelationSurface s, final int x, final int y, final int z, final float v) {
		for (int dz = -1; dz <= 1; dz++)
			for (int dy = -1; dy <= 1; dy++)
				for (int dx = -1; dx <= 1; dx++) {
					if (dx == 0 && dy == 0 && dz == 0) continue;
					final float other = s.at(x + dx, y + dy, z + dz);
					final boolean before = dz < 0 || dz == 0 && (dy < 0 || dy == 0 && dx < 0);
					if (other > v || before && other == v) return false;
				}
		return true;
	}
}
