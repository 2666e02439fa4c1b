package sc.fiji.ncc.cuda.frame;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import sc.fiji.ncc.numeric.ClusterCovariance;
import sc.fiji.ncc.numeric.Int128;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftRange;

/** Reads the peaks of pairs as the kernels write them. */
final class GpuPeaks {

	/** Bytes of {@code struct Found}, {@code struct Sums} and {@code struct Fitted} of the kernels. */
	static final int FOUND = 120, SUMS = 48, FITTED = 176;
	/** The parts of sums. */
	static final int PARTS = 32;

	private GpuPeaks() {}

	/** A peak as the GPU found it. */
	private record Peak(int[] lag, float value, double score, double[] around, long pixels) {}

	/**
	 * Ranks the peaks of a pair by their exact scores.
	 *
	 * @param index the number of the pair in the buffers
	 * @param chunks the peaks in the buffers, and those that are wanted; at least two are kept
	 * @param smaller the number of pixels that count in the frame with fewer of them
	 */
	static PairPeaks read(final ByteBuffer found, final ByteBuffer sums, final int index, final GpuFrames.Chunks chunks, final FrameRange range,
		final long smaller)
	{
		final List<Peak> peaks = new ArrayList<>();
		for (int k = index * chunks.peaks(); k < (index + 1) * chunks.peaks(); k++) {
			final Peak p = peak(found, k * FOUND, sums, k * PARTS * SUMS, range);
			if (p != null) peaks.add(p);
		}
		peaks.sort(Comparator.<Peak> comparingDouble(p -> -p.value()).thenComparingLong(p -> PairPeaks.square(p.lag())));
		final List<PairPeaks.Place> places = new ArrayList<>();
		for (final Peak p : peaks)
			if (!Double.isNaN(p.score())) places.add(new PairPeaks.Place(p.lag(), shift(p, chunks.subpixel()), p.score(), (double) p.pixels() / smaller));
		places.sort(Comparator.comparingDouble(p -> -p.score()));
		while (places.size() > Math.max(2, chunks.count())) places.remove(places.size() - 1);
		return places.isEmpty() ? PairPeaks.NONE : new PairPeaks(List.copyOf(places), null,
			ShiftRange.isAtEnd(places.get(0).lag(), range.lags().min(), range.lags().max()));
	}

	private static Peak peak(final ByteBuffer found, final int at, final ByteBuffer sums, final int parts, final FrameRange range) {
		final long key = found.getLong(at);
		if (key == 0) return null;
		final int upper = (int) (key >>> 32);
		final float value = Float.intBitsToFloat(upper < 0 ? upper ^ 0x80000000 : ~upper);
		final int[] lag = range.lag(~key & 0xffff_ffffL);
		final double[] around = new double[27];
		for (int i = 0; i < 27; i++) around[i] = found.getFloat(at + 8 + 4 * i);
		if (found.getInt(at + 116) == 0) return new Peak(lag, value, value, around, range.overlap(lag));
		if (range.exact()) {
			final long[] v = new long[6];
			for (int i = 0; i < 6 * PARTS; i++) v[i % 6] += sums.getLong(parts + 8 * i);
			return new Peak(lag, value, Int128.coefficient(v[0], v[1], v[2], v[3], v[4], v[5]), around, v[0]);
		}
		final double[] v = new double[6];
		for (int i = 0; i < 6 * PARTS; i++) v[i % 6] += sums.getDouble(parts + 8 * i);
		return new Peak(lag, value, score(v), around, (long) v[0]);
	}

	/** The coefficient from sums of deviations from means, which are nearly 0; NaN if it is undefined. */
	private static double score(final double[] v) {
		final double n = v[0];
		return n < 2 ? Double.NaN : Int128.coefficient(v[3] - v[1] * v[1] / n, v[4] - v[2] * v[2] / n, v[5] - v[1] * v[2] / n);
	}

	/** The shift by a quadratic through the coefficients around a lag. */
	private static double[] shift(final Peak p, final boolean subpixel) {
		final double[] shift = subpixel ? QuadraticPeak.offset(p.around(), 3) : new double[3];
		for (int d = 0; d < 3; d++) shift[d] += p.lag()[d];
		return shift;
	}

	/** Whether a fit needs further steps. */
	static boolean isUnfinished(final ByteBuffer from, final int at) {
		return from.getInt(at + 168) < 0;
	}

	/** The same peaks with the fitted shift of the best one, if the GPU has found one. @param n the number of dimensions of the fit */
	static PairPeaks fitted(final PairPeaks peaks, final ByteBuffer from, final int at, final int n) {
		if (from.getInt(at + 168) == 0) return peaks;
		final PairPeaks.Place best = peaks.best();
		final double[] shift = best.shift().clone(), g = new double[n];
		final double[][] h = new double[n][n], products = new double[n][n];
		for (int i = 0, k = 0; i < n; i++) {
			shift[i] = from.getDouble(at + 8 * i);
			g[i] = from.getDouble(at + 24 + 8 * i);
			for (int j = i; j < n; j++, k++) {
				h[i][j] = h[j][i] = from.getDouble(at + 48 + 8 * k);
				products[i][j] = products[j][i] = from.getDouble(at + 96 + 8 * k);
			}
		}
		final double[][] found = ClusterCovariance.of(g, h, products, from.getInt(at + 172), from.getDouble(at + 144), from.getDouble(at + 152),
			from.getDouble(at + 160)), covariance = new double[3][3];
		for (int i = 0; i < n; i++) System.arraycopy(found[i], 0, covariance[i], 0, n);
		final List<PairPeaks.Place> all = new ArrayList<>(peaks.peaks());
		all.set(0, new PairPeaks.Place(best.lag(), shift, best.score(), best.overlap()));
		return new PairPeaks(List.copyOf(all), covariance, peaks.edge());
	}
}
