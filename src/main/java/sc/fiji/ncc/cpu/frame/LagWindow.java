package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;

/**
 * The correlation coefficients of two frames at a few neighbouring lags, over the part of the fixed frame that overlaps at all of them. Of a large part, groups of
 * rows are used that are spread evenly. Sums run down the columns in float, in loops that C2 vectorises, and over the columns in double. One thread at a time.
 */
final class LagWindow {

	/** The smallest part along x and y, the rows of a group, and the number of pixels that are enough. */
	private static final int LEAST = 32, GROUP = 4, ENOUGH = 1 << 15;

	private final int[] min = new int[3], max = new int[3], from = new int[3], until = new int[3];
	private double[] values = {};
	private float[] row = {}, other = {}, wide = {}, fixedSums = {}, fixedSquares = {}, sums = {}, squares = {};
	private float[][] products = {};

	/**
	 * Computes the coefficients around a lag.
	 *
	 * @param radius the number of lags on each side
	 * @param range lags outside are left out
	 * @return false if too little overlaps
	 */
	boolean fill(final FramePixels f, final FramePixels m, final int[] center, final int[] radius, final LagRange range) {
		for (int d = 0; d < 3; d++) {
			min[d] = Math.max(range.min()[d], center[d] - radius[d]);
			max[d] = Math.min(range.max()[d], center[d] + radius[d]);
			from[d] = Math.max(0, -min[d]);
			until[d] = Math.min(f.extent(d), m.extent(d) - max[d]);
			if (max[d] < min[d] || until[d] - from[d] < (d < 2 ? LEAST : 1)) return false;
		}
		final int nx = max[0] - min[0] + 1, ny = max[1] - min[1] + 1, width = until[0] - from[0];
		reserve(width, nx);
		values = new double[nx * ny * (max[2] - min[2] + 1)];
		Arrays.fill(fixedSums, 0, width, 0);
		Arrays.fill(fixedSquares, 0, width, 0);
		for (int z = min[2], i = 0; z <= max[2]; z++)
			for (int y = min[1]; y <= max[1]; y++, i += nx) lags(f, m, y, z, i);
		return true;
	}

	private void reserve(final int width, final int nx) {
		if (row.length < width) {
			row = new float[width];
			other = new float[width];
			fixedSums = new float[width];
			fixedSquares = new float[width];
		}
		if (wide.length < width + nx) {
			wide = new float[width + nx];
			sums = new float[width + nx];
			squares = new float[width + nx];
		}
		if (products.length < nx || products[0].length < width) products = new float[nx][width];
	}

	/** The number of groups of rows, in all planes, and how many are passed over from one to the next that is used: an odd number, so that planes differ. */
	private int groups() {
		return (until[1] - from[1]) / GROUP * (until[2] - from[2]);
	}

	private int step() {
		return Math.max(1, (int) ((long) groups() * GROUP * (until[0] - from[0]) / ENOUGH) - 1 | 1);
	}

	/** The coefficients of all lags along x. */
	private void lags(final FramePixels f, final FramePixels m, final int dy, final int dz, final int to) {
		final int width = until[0] - from[0], nx = max[0] - min[0] + 1, columns = width + nx - 1, perPlane = (until[1] - from[1]) / GROUP, step = step();
		Arrays.fill(sums, 0, columns, 0);
		Arrays.fill(squares, 0, columns, 0);
		for (int i = 0; i < nx; i++) Arrays.fill(products[i], 0, width, 0);
		final boolean first = to == 0;
		double n = 0;
		for (int g = 0; g < groups(); g += step)
			for (int k = 0; k < GROUP; k++) {
				final int z = from[2] + g / perPlane, y = from[1] + g % perPlane * GROUP + k;
				final int at = ((z + dz) * m.extent(1) + y + dy) * m.extent(0) + from[0] + min[0];
				System.arraycopy(f.deviations(), (z * f.extent(1) + y) * f.extent(0) + from[0], row, 0, width);
				System.arraycopy(m.deviations(), at, wide, 0, columns);
				if (first) {
					add(fixedSums, row, width);
					addProducts(fixedSquares, row, row, width);
				}
				add(sums, wide, columns);
				addProducts(squares, wide, wide, columns);
				for (int i = 0; i < nx; i++) {
					System.arraycopy(wide, i, other, 0, width);
					addProducts(products[i], row, other, width);
				}
				n += width;
			}
		final double sf = sum(fixedSums, 0, width), vf = sum(fixedSquares, 0, width) - sf * sf / n;
		for (int i = 0; i < nx; i++) {
			final double sm = sum(sums, i, width), vm = sum(squares, i, width) - sm * sm / n;
			values[to + i] = vf > 0 && vm > 0 ? (sum(products[i], 0, width) - sf * sm / n) / Math.sqrt(vf * vm) : Double.NaN;
		}
	}

	private static void add(final float[] to, final float[] a, final int n) {
		for (int i = 0; i < n; i++) to[i] += a[i];
	}

	private static void addProducts(final float[] to, final float[] a, final float[] b, final int n) {
		for (int i = 0; i < n; i++) to[i] += a[i] * b[i];
	}

	private static double sum(final float[] a, final int from, final int n) {
		double sum = 0;
		for (int i = from; i < from + n; i++) sum += a[i];
		return sum;
	}

	/** The coefficient at a lag; NaN outside the window. */
	double at(final int[] lag) {
		for (int d = 0; d < 3; d++)
			if (lag[d] < min[d] || lag[d] > max[d]) return Double.NaN;
		return values[((lag[2] - min[2]) * (max[1] - min[1] + 1) + lag[1] - min[1]) * (max[0] - min[0] + 1) + lag[0] - min[0]];
	}

	/** The lag with the highest coefficient; null if all are undefined. */
	int[] best() {
		int best = -1;
		for (int i = 0; i < values.length; i++)
			if (!Double.isNaN(values[i]) && (best < 0 || values[i] > values[best])) best = i;
		if (best < 0) return null;
		final int nx = max[0] - min[0] + 1, ny = max[1] - min[1] + 1;
		return new int[] { min[0] + best % nx, min[1] + best / nx % ny, min[2] + best / nx / ny };
	}

	/** The coefficient at one lag; NaN if too little overlaps or the lag is out of range. */
	double only(final FramePixels f, final FramePixels m, final int[] lag, final LagRange range) {
		return fill(f, m, lag, new int[3], range) ? at(lag) : Double.NaN;
	}

	/** The share of the covariance at a lag that is left when both frames are binned along x and y, the bins of one on those of the other. */
	double kept(final FramePixels f, final FramePixels m, final int[] lag, final int[] bin) {
		final int perPlane = (until[1] - from[1]) / GROUP, step = step(), bins = (until[0] - from[0]) / bin[0], used = bins * bin[0];
		double n = 0, fine = 0, coarse = 0, sf = 0, sm = 0;
		final double[] a = new double[bins], b = new double[bins];
		for (int g = 0; g < groups(); g += step) {
			Arrays.fill(a, 0);
			Arrays.fill(b, 0);
			for (int k = 0; k < GROUP; k++) {
				final int z = from[2] + g / perPlane, y = from[1] + g % perPlane * GROUP + k;
				final int i = (z * f.extent(1) + y) * f.extent(0) + from[0];
				final int j = ((z + lag[2]) * m.extent(1) + y + lag[1]) * m.extent(0) + from[0] + lag[0];
				for (int x = 0; x < used; x++) {
					final double p = f.deviations()[i + x], q = m.deviations()[j + x];
					fine += p * q;
					a[x / bin[0]] += p;
					b[x / bin[0]] += q;
				}
			}
			for (int x = 0; x < bins; x++) {
				coarse += a[x] * b[x];
				sf += a[x];
				sm += b[x];
			}
			n += GROUP * used;
		}
		final double means = sf * sm / n;
		return (coarse / (GROUP * bin[0]) - means) / (fine - means);
	}
}
