package sc.fiji.ncc.cuda.frame;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import sc.fiji.ncc.numeric.ClusterCovariance;
import sc.fiji.ncc.numeric.Int128;
import sc.fiji.ncc.peaks.QuadraticPeak;

/**
 * The best shifts of a pair of frames.
 *
 * @param places the highest peaks, the best first; empty if there is none
 * @param covariance the covariance of the best shift along x and y, in square pixels; null if the shift was not fitted
 * @param edge whether the best lag lies at the end of the range
 */
public record CardPeaks(List<Place> places, double[][] covariance, boolean edge) {

	/** Bytes of {@code struct Found} and {@code struct Fitted} of the kernels. */
	static final int FOUND = 88, FITTED = 112;

	/**
	 * A peak.
	 *
	 * @param lag the whole-pixel shift along x and y
	 * @param shift the shift in pixels
	 * @param score the correlation coefficient at the lag: exact for the best peaks and for those close to the highest
	 * @param overlap the share of the smaller frame's pixels that overlap
	 */
	public record Place(int[] lag, double[] shift, double score, double overlap) {}

	/** A peak as the card found it. */
	private record Peak(int[] lag, float value, double score, double[] around) {}

	/**
	 * Ranks the peaks of a pair by their exact scores.
	 *
	 * @param most the peaks in the buffer
	 * @param count the peaks that are wanted; at least two are kept
	 * @param subpixel whether shifts are refined by the coefficients around them
	 */
	static CardPeaks read(final ByteBuffer from, final int at, final int most, final int count, final boolean subpixel, final FrameRange range) {
		final List<Peak> peaks = new ArrayList<>();
		for (int k = 0; k < most; k++) {
			final Peak p = peak(from, at + k * FOUND, range);
			if (p != null) peaks.add(p);
		}
		peaks.sort(Comparator.<Peak> comparingDouble(p -> -p.value()).thenComparingLong(p -> (long) p.lag()[0] * p.lag()[0] + (long) p.lag()[1] * p.lag()[1]));
		final double smaller = Math.min(range.pixels(true), range.pixels(false));
		final List<Place> places = new ArrayList<>();
		for (final Peak p : peaks)
			if (!Double.isNaN(p.score())) places.add(new Place(p.lag(), subpixel ? offset(p) : new double[] { p.lag()[0], p.lag()[1] }, p.score(), range.overlap(p.lag()) / smaller));
		places.sort(Comparator.comparingDouble(p -> -p.score()));
		while (places.size() > Math.max(2, count)) places.remove(places.size() - 1);
		return new CardPeaks(places, null, !places.isEmpty() && range.atEdge(places.get(0).lag()));
	}

	private static Peak peak(final ByteBuffer from, final int at, final FrameRange range) {
		final long key = from.getLong(at);
		if (key == 0) return null;
		final int upper = (int) (key >>> 32);
		final long index = ~key & 0xffff_ffffL;
		final float value = Float.intBitsToFloat(upper < 0 ? upper ^ 0x80000000 : ~upper);
		final int[] lag = { range.min()[0] + (int) (index % range.lags(0)), range.min()[1] + (int) (index / range.lags(0)) };
		final double[] around = new double[9];
		for (int i = 0; i < 9; i++) around[i] = from.getFloat(at + 48 + 4 * i);
		if (from.getInt(at + 84) == 0) return new Peak(lag, value, value, around);
		final long n = range.overlap(lag), sf = from.getLong(at + 8), sm = from.getLong(at + 16);
		return new Peak(lag, value, score(n, sf, sm, from.getLong(at + 24), from.getLong(at + 32), from.getLong(at + 40)), around);
	}

	/** The coefficient, with numerator and variances in 128 bits; NaN if it is undefined. */
	private static double score(final long n, final long sf, final long sm, final long ff, final long mm, final long fm) {
		final double vf = Int128.difference(n, ff, sf, sf), vm = Int128.difference(n, mm, sm, sm);
		if (n < 2 || !(vf > 0) || !(vm > 0)) return Double.NaN;
		return Math.max(-1, Math.min(1, Int128.difference(n, fm, sf, sm) / (vf == vm ? vf : Math.sqrt(vf) * Math.sqrt(vm))));
	}

	/** The shift by a quadratic through the coefficients around a lag. */
	private static double[] offset(final Peak p) {
		final double[] offset = QuadraticPeak.offset(p.around(), 2);
		return new double[] { p.lag()[0] + offset[0], p.lag()[1] + offset[1] };
	}

	/** The same with the fitted shift of the best peak, if the card has found one. */
	CardPeaks fitted(final ByteBuffer from, final int at) {
		if (from.getInt(at + 104) == 0) return this;
		final double[] v = new double[13];
		for (int i = 0; i < v.length; i++) v[i] = from.getDouble(at + 8 * i);
		final List<Place> all = new ArrayList<>(places);
		final Place best = all.get(0);
		all.set(0, new Place(best.lag(), new double[] { v[0], v[1] }, best.score(), best.overlap()));
		final double[] g = { v[2], v[3] };
		final double[][] h = { { v[4], v[5] }, { v[5], v[6] } }, products = { { v[7], v[8] }, { v[8], v[9] } };
		return new CardPeaks(List.copyOf(all), ClusterCovariance.of(g, h, products, from.getInt(at + 108), v[10], v[11], v[12]), edge);
	}
}
