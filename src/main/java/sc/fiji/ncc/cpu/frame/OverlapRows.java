package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;

/**
 * Divides numerators by denominators, row by row: {@code r = (ΣFM − ΣF·ΣM/N) / sqrt((ΣF² − (ΣF)²/N)(ΣM² − (ΣM)²/N))}, where all sums run over the overlap at
 * the lag. One thread at a time.
 */
final class OverlapRows {

	/**
	 * A denominator below this share of the norms of both frames is too small for a numerator from a Fourier transform in float, whose error is about 1e-7 of the
	 * norms. Such an overlap holds almost none of the contrast of the frames.
	 */
	private static final double LEAST_SHARE = 2e-5;
	/** The smallest number of pixels that can have a coefficient that says something. */
	static final double LEAST_PIXELS = 4;

	private final double[] fixedSums, fixedSquares, movingSums, movingSquares;

	OverlapRows(final int widthFixed, final int widthMoving) {
		fixedSums = new double[widthFixed + 1];
		fixedSquares = new double[widthFixed + 1];
		movingSums = new double[widthMoving + 1];
		movingSquares = new double[widthMoving + 1];
	}

	/** Fills a surface for frames in which all pixels count. */
	void fill(final CorrelationSurface surface, final FramePixels f, final PrefixSums fixed, final FramePixels m, final PrefixSums moving,
		final SpectrumTransform products, final int pair) {
		final LagRange range = surface.range();
		for (int z = range.min()[2], row = 0; z <= range.max()[2]; z++) {
			final int z0 = Math.max(0, -z), z1 = Math.min(f.extent(2), m.extent(2) - z);
			for (int y = range.min()[1]; y <= range.max()[1]; y++, row++) {
				final int y0 = Math.max(0, -y), y1 = Math.min(f.extent(1), m.extent(1) - y);
				fixed.columns(y0, y1, z0, z1, fixedSums, fixedSquares);
				moving.columns(y0 + y, y1 + y, z0 + z, z1 + z, movingSums, movingSquares);
				row(surface.rows()[row], products.row(pair, y, z), range, f, m, (double) (y1 - y0) * (z1 - z0), products.width());
			}
		}
	}

	private void row(final float[] to, final float[] products, final LagRange range, final FramePixels f, final FramePixels m, final double lines,
		final int points)
	{
		final double leastPixels = Math.max(LEAST_PIXELS, range.leastPixels() - 0.5), least = least(f, m);
		final int min = range.min()[0], widthFixed = f.extent(0), widthMoving = m.extent(0);
		for (int i = 0; i < to.length; i++) {
			final int lag = min + i, x0 = Math.max(0, -lag), x1 = Math.min(widthFixed, widthMoving - lag);
			final double n = lines * (x1 - x0);
			final double sf = fixedSums[x1] - fixedSums[x0], sm = movingSums[x1 + lag] - movingSums[x0 + lag];
			final double vf = fixedSquares[x1] - fixedSquares[x0] - sf * sf / n, vm = movingSquares[x1 + lag] - movingSquares[x0 + lag] - sm * sm / n;
			final double product = vf * vm, p = products[lag < 0 ? lag + points : lag];
			to[i] = n >= leastPixels && vf > 0 && product > least ? (float) ((p - sf * sm / n) / Math.sqrt(product)) : Float.NaN;
		}
	}

	/** The least product of two variances. */
	private static double least(final FramePixels f, final FramePixels m) {
		return LEAST_SHARE * f.energy() * (LEAST_SHARE * m.energy());
	}

	/** The sums of a pair with masks, one row at a time: the number of pixels, and for each frame its sum and its squares over the pixels that count in both. */
	static final class Masked {

		final float[][] products, counts, fixed, moving, fixedSquares, movingSquares;

		Masked(final LagRange range) {
			final int rows = range.count(1) * range.count(2), n = range.count(0);
			products = new float[rows][n];
			counts = new float[rows][n];
			fixed = new float[rows][n];
			moving = new float[rows][n];
			fixedSquares = new float[rows][n];
			movingSquares = new float[rows][n];
		}
	}

	/** Copies a result of the transform. */
	static void copy(final SpectrumTransform from, final int pair, final LagRange range, final float[][] to) {
		for (int z = range.min()[2], row = 0; z <= range.max()[2]; z++)
			for (int y = range.min()[1]; y <= range.max()[1]; y++, row++) {
				final float[] values = from.row(pair, y, z);
				for (int i = 0; i < to[row].length; i++) to[row][i] = values[Math.floorMod(range.min()[0] + i, values.length)];
			}
	}

	/**
	 * Fills a surface for frames with masks (Padfield 2012, doi:10.1109/TIP.2011.2181402).
	 *
	 * @param unit the product of the units in which the sums hold the deviations of both frames
	 */
	static void fill(final CorrelationSurface surface, final FramePixels f, final FramePixels m, final Masked sums, final double unit, final double leastPixels) {
		final double least = unit * unit * least(f, m);
		for (int row = 0; row < surface.rows().length; row++) {
			final float[] to = surface.rows()[row];
			Arrays.fill(to, Float.NaN);
			for (int i = 0; i < to.length; i++) {
				final double n = Math.rint(sums.counts[row][i]);
				if (n < Math.max(LEAST_PIXELS, leastPixels - 0.5)) continue;
				final double sf = sums.fixed[row][i], sm = sums.moving[row][i];
				final double vf = sums.fixedSquares[row][i] - sf * sf / n, vm = sums.movingSquares[row][i] - sm * sm / n;
				if (vf > 0 && vm > 0 && vf * vm > 100 * least) to[i] = (float) ((sums.products[row][i] - sf * sm / n) / Math.sqrt(vf * vm));
			}
		}
	}
}
