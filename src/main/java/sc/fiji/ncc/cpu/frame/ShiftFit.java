package sc.fiji.ncc.cpu.frame;

import sc.fiji.ncc.numeric.ClusterCovariance;
import sc.fiji.ncc.numeric.ResidualCovariance;
import sc.fiji.ncc.numeric.ShiftKernel;

/**
 * Refines a shift between the pixels: the least squares of {@code f(x) − a·m(x + shift) − b} over the overlap, by Gauss-Newton steps.
 * <p>
 * A peak of a correlation surface is biased towards whole pixels or the half between them, depending on the model that is fitted to it, and
 * the pixels that enter and leave the overlap from lag to lag move it. Here the region is fixed, and the moving frame is interpolated. The
 * solution makes {@code Σ g·(f − a·m − b)} zero for the gradient g. Without noise that holds at the true shift for any g, so the fit has no
 * bias beyond that of the interpolation. The gradient is that of the mean of both frames (Benhimane and Malis 2004,
 * doi:10.1109/IROS.2004.1389474), with the filter of Sobel; for noisy frames it is smoothed first. Both frames enter alike, so noise does
 * not bias it either. Least squares would make the slope a of noisy frames too small, and then the rest of an object that the edge of the
 * region cuts would move the shift. So the slope is that of the frames without noise, if noise is the same share of both.
 * <p>
 * {@link ClusterCovariance} has the covariance of the shift. Smoothed and noisy gradients make the steps too short or too long, always in the same proportion, which is
 * measured. One thread at a time.
 */
final class ShiftFit {

	/** The largest number of steps, the step that needs no further one, and the largest distance from the start along a dimension, in pixels. */
	private static final int STEPS = 8;
	private static final double SMALL = 5e-4, FAR = 1;
	/** The smallest overlap in pixels for 8 weights, and for 4 weights with a border at both ends; the fewest pixels along a dimension, and of all. */
	private static final int LONG = 40, SHORT = 14, THIN = 5, FEWEST = 64;
	/** Below this correlation coefficient, noise dominates the gradient, and the gradient is smoothed. */
	private static final double NOISY = 0.8;
	/** The rows of a band, and the number of pixels in bands that are enough for the first steps. */
	private static final int BAND = 16, ENOUGH = 1 << 14;
	/** A smaller share of a step may be chance. */
	private static final double LEAST_RATE = 0.1;
	/** Between these rates the steps have their length changed by it. Texture as fine as a pixel has rates of about −1, because its gradient is smoothed. */
	private static final double LONGEST_RATE = -3, MOST_RATE = 0.5;
	/** The rows of a plane that are kept at a time, a power of two, and the number of columns whose rows fit a cache. */
	private static final int RING = 8, BLOCK = 512;
	/** The distance in pixels that the first steps may leave, and the share by which the rate is uncertain. */
	private static final double NEAR = 4e-3, UNCERTAIN = 0.3;
	/** A step of rounding errors. */
	private static final double ROUNDING = 1e-6;
	/**
	 * The shortest way in pixels that shows the rate well enough for the covariance. The line {@code f = a·m + b} changes between two steps, which
	 * changes short steps more than the rate does. So a shorter first step is made this long.
	 */
	private static final double LEAST_WAY = 0.03;

	/**
	 * @param shift the shift along x, y and z
	 * @param covariance of the shift; zero along a dimension of one pixel
	 */
	record Result(double[] shift, double[][] covariance) {}

	private FramePixels f, m;
	/** null if all pixels of the region count. */
	private FitPixels pixels;
	private final int[] kernelSize = new int[3], min = new int[3], until = new int[3];
	private int n;
	private final int[] dimensions = new int[3];
	/** The rows of the planes z − 1, z and z + 1 of the region: the sum of both frames, from which the gradient comes, the residual, and which pixels count. */
	private final float[][][] both = new float[3][0][], residuals = new float[3][0][], counts = new float[3][0][];
	private final float[][] around = new float[5][], before = new float[5][], after = new float[5][];
	private float[] line = {};
	private double a, b;
	private boolean noisy;
	/** What is left out of the gradient, see {@link FitRows.Sums}. */
	private double[][] part;
	/** The sums at the last shift. */
	private FitRows.Sums totals;
	/** The first row of each band of rows that is used, and the row after its last. */
	private int[][] bands = {};
	/** One of this many rows enters the sums other than that of gradient times residual. */
	private int every;
	/**
	 * The share of a step that the next step has if steps are not lengthened; NaN if unknown. The gradient, whose noise and smoothing do not depend on the shift, makes all
	 * alike.
	 */
	private double rate;
	/** The rate that a long way has shown, for the covariance. */
	private double shownRate;
	private final FitRows rows = new FitRows();
	private final ShiftedRows shifted = new ShiftedRows();

	/** @return null if the overlap is too small, or the steps do not converge near the start */
	Result fit(final FramePixels fixed, final FramePixels moving, final int[] lag, final double[] start) {
		f = fixed;
		m = moving;
		if (!region(lag, 8) || !pixels(lag)) return null;
		final double[] shift = start.clone();
		bands(true);
		// the rows of a few bands bring the shift near the solution
		final boolean few = bands.length > 1;
		scale(lag);
		final boolean near = few && steps(lag, start, shift, 2);
		bands(false);
		if (few && !near) {
			System.arraycopy(start, 0, shift, 0, 3);
			scale(lag);
		}
		if (near) every = 4;
		return steps(lag, start, shift, few ? 4 : 1) ? new Result(shift, covariance()) : null;
	}

	/**
	 * Changes the shift until a further step would be small.
	 *
	 * @param sampled one of this many rows enters the sums other than that of gradient times residual from the second step on
	 */
	private boolean steps(final int[] lag, final double[] start, final double[] shift, final int sampled) {
		final boolean few = bands.length > 1;
		double[] last = null;
		final double[] moved = new double[n];
		for (int step = 0; step < STEPS; step++) {
			if (!(a > 0)) return false;
			sums(shift);
			every = sampled;
			final double[] d = solve();
			if (d == null) return false;
			for (int i = 0; i < n; i++) d[i] /= a;
			if (last != null) measureRate(last, d, moved);
			// steps that are too long are shortened; of steps that seem far too short, the rate may be chance
			final boolean known = rate < MOST_RATE && rate > LONGEST_RATE;
			final double length = length(d);
			// frames that are alike except for rounding errors have no rate
			if (Double.isNaN(rate) && length < ROUNDING) return true;
			final double scale = Double.isNaN(rate) && length < LEAST_WAY ? LEAST_WAY / length : 1 / (1 - (known ? rate : 0));
			for (int i = 0; i < n; i++) {
				final int axis = dimensions[i];
				moved[i] = Math.max(-0.5, Math.min(0.5, scale * d[i]));
				shift[axis] += moved[i];
				if (!(Math.abs(shift[axis] - start[axis]) <= FAR) || !(Math.abs(shift[axis] - lag[axis]) <= FAR)) return false;
			}
			// the covariance needs the rate
			if (!Double.isNaN(rate) && (length < SMALL || length * Math.max(LEAST_RATE, Math.abs(rate)) < (few ? NEAR : known ? SMALL / UNCERTAIN : SMALL))) return true;
			last = d;
		}
		return false;
	}

	/** The rate from the last two steps that would not be lengthened, and the way between them. */
	private void measureRate(final double[] last, final double[] d, final double[] moved) {
		double product = 0, square = 0;
		for (int i = 0; i < n; i++) {
			product += (last[i] - d[i]) * moved[i];
			square += moved[i] * moved[i];
		}
		rate = 1 - product / square;
		if (square > 0.99 * LEAST_WAY * LEAST_WAY) shownRate = rate;
	}

	private static double length(final double[] d) {
		double square = 0;
		for (final double v : d) square += v * v;
		return Math.sqrt(square);
	}

	/** Chooses the rows: all, or of a large region bands that are spread evenly. */
	private void bands(final boolean few) {
		final int height = until[1] - min[1];
		final long pixels = (long) (until[0] - min[0]) * height * (until[2] - min[2]);
		final int share = few && height >= 4 * BAND ? (int) Math.min(16, pixels / ENOUGH) : 1;
		if (share < 2) {
			bands = new int[][] { { min[1], until[1] } };
			return;
		}
		bands = new int[Math.max(2, height / (share * BAND))][];
		for (int i = 0; i < bands.length; i++) {
			final int from = min[1] + (int) ((2L * i + 1) * height / (2 * bands.length)) - BAND / 2;
			bands[i] = new int[] { from, from + BAND };
		}
	}

	/**
	 * Determines the region of the fixed frame at which the moving frame can be interpolated.
	 *
	 * @param most the largest number of weights
	 */
	private boolean region(final int[] lag, final int most) {
		n = 0;
		for (int d = 0; d < 3; d++) {
			min[d] = Math.max(0, -lag[d]);
			until[d] = Math.min(f.extent(d), m.extent(d) - lag[d]);
			if (f.extent(d) == 1 || m.extent(d) == 1) {
				kernelSize[d] = 1;
				// a row of one pixel has no gradient
				if (d == 0 || until[d] - min[d] < 1) return false;
				continue;
			}
			final int extent = until[d] - min[d];
			kernelSize[d] = extent < LONG ? 4 : most;
			// the whole part of the shift can differ from the lag by one
			if (extent >= SHORT) {
				min[d] += kernelSize[d] / 2 + 1;
				until[d] -= kernelSize[d] / 2 + 1;
			}
			else {
				// at the other end, where the fixed frame ends, the moving frame often goes on
				min[d] = Math.max(0, 2 - lag[d]);
				until[d] = Math.min(f.extent(d), m.extent(d) - lag[d] - 3);
				if (until[d] - min[d] < THIN) return false;
			}
			dimensions[n++] = d;
		}
		return n > 0;
	}

	/** Determines which pixels count. Where long kernels leave less than half of the pixels that short ones leave, the kernels are short. */
	private boolean pixels(final int[] lag) {
		pixels = null;
		if (f.weights() == null && m.weights() == null) return true;
		pixels = new FitPixels(f, m, lag, kernelSize, min, until);
		final int[] small = new int[3];
		for (int d = 0; d < 3; d++) small[d] = Math.min(4, kernelSize[d]);
		if (2 * pixels.number() < new FitPixels(f, m, lag, small, min, until).number()) {
			region(lag, 4);
			pixels = new FitPixels(f, m, lag, kernelSize, min, until);
		}
		return pixels.number() >= FEWEST;
	}

	/** Begins with the line {@code f = a·m + b} at the whole-pixel lag. */
	private void scale(final int[] lag) {
		double k = 0, sf = 0, sm = 0, ff = 0, mm = 0, fm = 0;
		for (int z = min[2]; z < until[2]; z++)
			for (final int[] band : bands) for (int y = band[0]; y < band[1]; y++) {
				final int i = (z * f.extent(1) + y) * f.extent(0), j = ((z + lag[2]) * m.extent(1) + y + lag[1]) * m.extent(0) + lag[0];
				for (int x = min[0]; x < until[0]; x++) {
					if (pixels != null && !pixels.has(x, y, z)) continue;
					final float p = f.deviations()[i + x], q = m.deviations()[j + x];
					k++;
					sf += p;
					sm += q;
					ff += (double) p * p;
					mm += (double) q * q;
					fm += (double) p * q;
				}
			}
		final double covariance = fm - sf * sm / k;
		noisy = covariance * covariance < NOISY * NOISY * (ff - sf * sf / k) * (mm - sm * sm / k);
		a = FitRows.slope(covariance / (mm - sm * sm / k), (ff - sf * sf / k) / (mm - sm * sm / k), 1);
		b = (sf - a * sm) / k;
		part = new double[3][2];
		rate = shownRate = Double.NaN;
		every = 1;
	}

	private void sums(final double[] shift) {
		final ShiftKernel[] kernels = new ShiftKernel[3];
		final int[] whole = new int[3];
		for (int d = 0; d < 3; d++) {
			whole[d] = kernelSize[d] == 1 ? (int) Math.rint(shift[d]) : (int) Math.floor(shift[d]);
			kernels[d] = new ShiftKernel(kernelSize[d], kernelSize[d] == 1 ? 0 : shift[d] - whole[d]);
		}
		final int length = until[0] - min[0];
		rows.begin(Math.min(length, BLOCK + 4), (long) length * (until[1] - min[1]), noisy, kernelSize[2] > 1, part);
		// a block begins where a cluster of pixels begins
		final int edge = 2 * rows.radius(), longest = Math.min(length, BLOCK + edge);
		for (final int[] band : bands)
			for (int left = min[0]; left == min[0] || left < until[0] - edge; left += longest - edge)
				sums(left, Math.min(longest, until[0] - left), band[0], band[1], whole, kernels);
		double kept = 1;
		for (final ShiftKernel kernel : kernels) {
			double squares = 0;
			for (final float w : kernel.weights) squares += w * w;
			kept *= squares;
		}
		totals = rows.finish(kept);
		a = totals.a();
		b = totals.b();
		part = totals.part();
	}

	/** Adds the rows of a band, or of some of its columns. Only the covariance needs the clusters, and it comes from all rows. */
	private void sums(final int left, final int width, final int top, final int bottom, final int[] whole, final ShiftKernel[] kernels) {
		final boolean volume = kernelSize[2] > 1, clusters = bands.length == 1;
		final int radius = rows.radius(), kept = volume ? bottom - top : RING;
		reserve(volume ? 3 : 1, kept, width);
		rows.width(width);
		for (int z = min[2]; z < until[2]; z++) {
			shifted.begin(m.deviations(), m.size(), left + whole[0], top + whole[1], z + whole[2], kernels, width);
			final int plane = volume ? (z - min[2]) % 3 : 0;
			for (int y = top; y < bottom; y++) {
				load(left, y, z, both[plane][(y - top) % kept], residuals[plane][(y - top) % kept], counts[plane][(y - top) % kept], width);
				if (volume || y - top < 2 * radius) continue;
				add(plane, y - radius, z, top, kept);
				if (clusters && (y - top - 2 * radius + 1) % rows.cluster() == 0) endClusters();
			}
			for (int y = top + radius; volume && z - min[2] >= 2 && y < bottom - radius; y++) {
				add((plane + 2) % 3, y, z - 1, top, kept);
				final int done = y - top - radius + 1;
				if (clusters && (done % rows.cluster() == 0 || y + 1 == bottom - radius)) rows.endRows((done - 1) / rows.cluster());
			}
			if (volume && clusters && (z - min[2] - 1) % rows.cluster() == 0) rows.endClusters();
		}
		if (clusters) endClusters();
	}

	private void endClusters() {
		rows.endRows(0);
		rows.endClusters();
	}

	private void reserve(final int planes, final int kept, final int width) {
		if (line.length < width) line = new float[width];
		for (int i = 0; i < planes; i++) {
			if (both[i].length >= kept && both[i][0].length >= width) continue;
			both[i] = new float[kept][width];
			residuals[i] = new float[kept][width];
			counts[i] = new float[kept][width];
		}
	}

	private boolean isSampled(final int y, final int z) {
		return (y + z) % every == 0;
	}

	/** Reads a row of both frames. */
	private void load(final int left, final int y, final int z, final float[] sum, final float[] e, final float[] counted, final int width) {
		shifted.next(line);
		final int at = (z * f.extent(1) + y) * f.extent(0) + left;
		if (pixels != null) pixels.row(left, y, z, width, counted);
		rows.setLine(a, b);
		rows.residual(f.deviations(), at, line, pixels == null ? null : counted, isSampled(y, z), sum, e);
	}

	/** Adds a row whose neighbours are known. */
	private void add(final int plane, final int y, final int z, final int top, final int kept) {
		final int radius = rows.radius();
		final boolean volume = kernelSize[2] > 1;
		for (int i = -radius; i <= radius; i++) {
			final int row = (y - top + i) % kept;
			around[i + radius] = both[plane][row];
			before[i + radius] = volume ? both[(plane + 2) % 3][row] : null;
			after[i + radius] = volume ? both[(plane + 1) % 3][row] : null;
		}
		final int row = (y - top) % kept;
		rows.add(residuals[plane][row], around, before, after, pixels == null ? null : counts[plane][row], isSampled(y, z));
	}

	/** {@code H⁻¹g}; null if H is singular. */
	private double[] solve() {
		final double[][] inverse = ResidualCovariance.inverse(used(totals.h()));
		if (inverse == null) return null;
		final double[] g = used(totals.g()), d = new double[n];
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) d[i] += inverse[i][j] * g[j];
		return d;
	}

	private double[][] covariance() {
		final double[][] covariance = new double[3][3];
		final double[][] found = ClusterCovariance.of(used(totals.g()), used(totals.h()), used(totals.products()), totals.clusters(), totals.square(), a, shownRate);
		for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) covariance[dimensions[i]][dimensions[j]] = found[i][j];
		return covariance;
	}

	/** The values of the dimensions of more than one pixel. */
	private double[] used(final double[] values) {
		final double[] some = new double[n];
		for (int i = 0; i < n; i++) some[i] = values[dimensions[i]];
		return some;
	}

	private double[][] used(final double[][] values) {
		final double[][] some = new double[n][];
		for (int i = 0; i < n; i++) some[i] = used(values[dimensions[i]]);
		return some;
	}
}
