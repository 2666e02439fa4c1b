package sc.fiji.ncc.cpu.response;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.CountedSums;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Int128;
import sc.fiji.ncc.plan.Lags;

/**
 * {@link Normalisation} of whole numbers, {@code (N·ΣPT − ΣP·ΣT)/(√(N·ΣP² − (ΣP)²)·√(N·ΣT² − (ΣT)²))}: both differences are exact, in up to 128 bits.
 * A flat window gives 0/0, which is NaN, and is undefined.
 */
public final class ExactNormalisation extends Normalisation {

	private final double minOverlap;
	/** The number of pixels that count. */
	private final long n;
	/** The maximum number of bits of {@code N·Σ} of squares or products. */
	private final int bits;
	private final boolean partial;
	/** The sums of each template, by channel; and of one window and of a part of the template. */
	private final List<long[]> sums;
	private final long[] windowSums, templateSums;
	private final double[] products, r;

	/**
	 * @param n the number of pixels that count
	 * @param bits the maximum number of bits of N times a sum of squares or products, over all channels
	 * @param sums ΣT of each template, by channel
	 */
	public ExactNormalisation(final Lags lags, final long n, final int bits, final List<long[]> sums, final int maxLags) {
		super(maxLags);
		minOverlap = lags.minOverlap();
		partial = lags.partial();
		this.n = n;
		this.bits = bits;
		this.sums = sums;
		windowSums = new long[sums.get(0).length];
		templateSums = new long[windowSums.length];
		products = new double[maxLags];
		r = new double[maxLags];
	}

	@Override
	public boolean divide(final Plane plane, final CurrentTemplate template, final int y, final int at) {
		final ChannelMoments moments = plane.sums().moments();
		final int lags = plane.lagsX();
		plane.sums().numerator().doubles(products);
		if (partial) {
			plane.rowOfParts(y);
			ofParts(moments, plane.sums().parts(), lags);
		}
		else if (bits > (moments.count() == 1 ? 53 : 52)) inLongs(moments, sums.get(template.index()), template.norm(), lags);
		else if (moments.count() == 1) inDouble(moments.sums(0), moments.energies(0), sums.get(template.index())[0], template.norm(), lags);
		else jointInDouble(moments, sums.get(template.index()), template.norm(), lags);
		return write(at, lags);
	}

	private void inDouble(final double[] sums, final double[] energies, final double sum, final double norm, final int lags) {
		final double[] of = products, to = r;
		final double count = n;
		for (int x = 0; x < lags; x++) {
			final double s = sums[x];
			to[x] = (count * of[x] - s * sum) / (Math.sqrt(count * energies[x] - s * s) * norm);
		}
	}

	/** Sums over channels, in whole numbers that a double holds. */
	private void jointInDouble(final ChannelMoments moments, final long[] sums, final double norm, final int lags) {
		final double[] numerators = r, variances = products;
		for (int x = 0; x < lags; x++) numerators[x] = n * products[x];
		Arrays.fill(variances, 0, lags, 0);
		for (int c = 0; c < moments.count(); c++) addChannel(moments.sums(c), moments.energies(c), numerators, variances, n, sums[c], lags);
		for (int x = 0; x < lags; x++) r[x] = numerators[x] / (Math.sqrt(variances[x]) * norm);
	}

	private static void addChannel(final double[] sums, final double[] energies, final double[] numerators, final double[] variances, final double n,
		final double sum, final int lags)
	{
		for (int x = 0; x < lags; x++) {
			final double s = sums[x];
			numerators[x] -= s * sum;
			variances[x] += n * energies[x] - s * s;
		}
	}

	private void inLongs(final ChannelMoments moments, final long[] sums, final double norm, final int lags) {
		if (bits <= 62 && sums.length == 1) {
			inLong(moments.sums(0), moments.energies(0), sums[0], norm, lags);
			return;
		}
		for (int x = 0; x < lags; x++) {
			final long energy = window(moments, x);
			r[x] = Int128.difference(n, (long) products[x], windowSums, sums) / (Math.sqrt(Int128.difference(n, energy, windowSums, windowSums)) * norm);
		}
	}

	private void inLong(final double[] sums, final double[] energies, final long sum, final double norm, final int lags) {
		for (int x = 0; x < lags; x++) {
			final long s = (long) sums[x];
			final long variance = n * (long) energies[x] - s * s;
			r[x] = (n * (long) products[x] - s * sum) / (Math.sqrt(variance) * norm);
		}
	}

	/** Sets the sums of one window, and returns its energy over all channels. */
	private long window(final ChannelMoments moments, final int x) {
		long energy = 0;
		for (int c = 0; c < windowSums.length; c++) {
			windowSums[c] = (long) moments.sums(c)[x];
			energy += (long) moments.energies(c)[x];
		}
		return energy;
	}

	/** Windows that may leave the image or have missing pixels: the sums of the template are those of the part that counts. */
	private void ofParts(final ChannelMoments moments, final CountedSums[] parts, final int lags) {
		for (int x = 0; x < lags; x++) {
			final long count = (long) parts[0].weight[x];
			final long energy = window(moments, x);
			long squares = 0;
			for (int c = 0; c < parts.length; c++) {
				templateSums[c] = (long) parts[c].value[x];
				squares += (long) parts[c].square[x];
			}
			final double coefficient = count > 0 && count >= minOverlap * n ? Int128.difference(count, (long) products[x], windowSums, templateSums)
				/ (Math.sqrt(Int128.difference(count, energy, windowSums, windowSums)) * Math.sqrt(Int128.difference(count, squares, templateSums,
					templateSums))) : Double.NaN;
			r[x] = Double.isInfinite(coefficient) ? Double.NaN : coefficient;
		}
	}

	/** Writes a row in [-1, 1], which rounding may exceed. */
	private boolean write(final int at, final int lags) {
		boolean none = true;
		if (to.to() instanceof float[]) none = !Rows.toFloat(r, to.floats(), at, lags);
		else for (int x = 0; x < lags; x++) {
			// min and max keep NaN
			((double[]) to.to())[at + x] = Math.max(-1, Math.min(1, r[x]));
			none &= r[x] == r[x];
		}
		for (int x = 0; !none && x < lags; x++) undefined[x] = r[x] != r[x];
		return none;
	}
}
