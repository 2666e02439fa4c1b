package sc.fiji.ncc.bench.stitch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.integer.UnsignedShortType;

import org.apache.commons.math3.complex.Complex;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;

import sc.fiji.ncc.stitch.Tile;

/**
 * The common way to stitch, for comparison: phase correlation of the overlaps, the highest peaks at all foldings checked by their correlation coefficients, a
 * fixed threshold, and a spanning tree of the best links (S. Preibisch, S. Saalfeld and P. Tomancak 2009, doi:10.1093/bioinformatics/btp184; J. Chalfoun et al.
 * 2017, doi:10.1038/s41598-017-04567-y).
 */
final class PhaseStitcher {

	/** The number of peaks, the threshold of the coefficient, and the smallest overlap in pixels along each dimension. */
	private static final int PEAKS = 5, LEAST = 4;
	private static final double THRESHOLD = 0.3;

	record Link(int a, int b, double[] shift, double score) {}

	private final List<Tile> tiles;
	private final int error;
	private final List<Link> links = new ArrayList<>();
	private final double[][] positions;
	private final boolean[] linked;

	/** @param error the largest error of the distance of two neighbours, in pixels */
	PhaseStitcher(final List<Tile> tiles, final int error) {
		this.tiles = tiles;
		this.error = error;
		final int n = tiles.size();
		for (int a = 0; a < n; a++)
			for (int b = a + 1; b < n; b++) {
				final double dx = tiles.get(b).position()[0] - tiles.get(a).position()[0], dy = tiles.get(b).position()[1] - tiles.get(a).position()[1];
				final long w = tiles.get(a).size()[0], h = tiles.get(a).size()[1];
				if (Math.abs(dx) < w && Math.abs(dy) < h && Math.min(Math.abs(dx), Math.abs(dy)) < 1) link(a, b, (int) dx, (int) dy);
			}
		links.sort(Comparator.comparingDouble(l -> -l.score()));
		positions = new double[n][];
		final int[] group = new int[n];
		for (int i = 0; i < n; i++) {
			group[i] = i;
			positions[i] = tiles.get(i).position().clone();
		}
		for (final Link l : links) {
			if (group[l.a] == group[l.b]) continue;
			final int old = group[l.b];
			final double[] move = new double[2];
			for (int d = 0; d < 2; d++) move[d] = positions[l.a][d] + l.shift[d] - positions[l.b][d];
			for (int i = 0; i < n; i++) if (group[i] == old) {
				group[i] = group[l.a];
				for (int d = 0; d < 2; d++) positions[i][d] += move[d];
			}
		}
		final int[] sizes = new int[n];
		for (final int g : group) sizes[g]++;
		int largest = 0;
		for (int i = 0; i < n; i++) if (sizes[i] > sizes[largest]) largest = i;
		linked = new boolean[n];
		for (int i = 0; i < n; i++) linked[i] = group[i] == largest && sizes[largest] > 1;
	}

	List<Link> links() {
		return links;
	}

	double[][] positions() {
		return positions;
	}

	boolean[] linked() {
		return linked;
	}

	private void link(final int a, final int b, final int dx, final int dy) {
		final int w = (int) tiles.get(a).size()[0], h = (int) tiles.get(a).size()[1], ow = w - Math.abs(dx), oh = h - Math.abs(dy);
		// both strips have the expected overlap and the error
		final int sw = Math.min(w, ow + error), sh = Math.min(h, oh + error);
		final double[] one = strip(a, w - sw, h - sh, sw, sh), two = strip(b, 0, 0, sw, sh);
		final int nx = power(sw), ny = power(sh);
		final Complex[] fa = transform(one, sw, sh, nx, ny), fb = transform(two, sw, sh, nx, ny);
		for (int i = 0; i < fa.length; i++) {
			final Complex product = fa[i].multiply(fb[i].conjugate());
			fa[i] = product.abs() > 1e-9 ? product.divide(product.abs()) : Complex.ZERO;
		}
		transform(fa, nx, ny, TransformType.INVERSE);
		final int[] best = peaks(fa, nx, ny);
		double score = Double.NEGATIVE_INFINITY;
		int[] shift = null;
		for (final int p : best)
			for (int fold = 0; fold < 4; fold++) {
				final int sx = p % nx - (fold % 2 == 0 ? 0 : nx), sy = p / nx - (fold < 2 ? 0 : ny);
				if (Math.abs(w - sw + sx - dx) > error || Math.abs(h - sh + sy - dy) > error) continue;
				final double r = coefficient(one, two, sw, sh, sx, sy);
				if (r > score) {
					score = r;
					shift = new int[] { sx, sy };
				}
			}
		if (score >= THRESHOLD) links.add(new Link(a, b, new double[] { w - sw + shift[0], h - sh + shift[1] }, score));
	}

	private double[] strip(final int tile, final int x, final int y, final int w, final int h) {
		final RandomAccessibleInterval<?> pixels = tiles.get(tile).pixels().get();
		final double[] strip = new double[w * h];
		double mean = 0;
		for (int i = 0; i < strip.length; i++) mean += strip[i] = ((UnsignedShortType) pixels.getAt(x + i % w, y + i / w)).get();
		for (int i = 0; i < strip.length; i++) strip[i] -= mean / strip.length;
		return strip;
	}

	private static int power(final int n) {
		return n <= 2 ? 2 : Integer.highestOneBit(n - 1) * 2;
	}

	private static Complex[] transform(final double[] strip, final int w, final int h, final int nx, final int ny) {
		final Complex[] all = new Complex[nx * ny];
		Arrays.fill(all, Complex.ZERO);
		for (int i = 0; i < strip.length; i++) all[i / w * nx + i % w] = new Complex(strip[i], 0);
		transform(all, nx, ny, TransformType.FORWARD);
		return all;
	}

	private static void transform(final Complex[] all, final int nx, final int ny, final TransformType type) {
		final FastFourierTransformer fft = new FastFourierTransformer(DftNormalization.STANDARD);
		for (int y = 0; y < ny; y++) System.arraycopy(fft.transform(Arrays.copyOfRange(all, y * nx, (y + 1) * nx), type), 0, all, y * nx, nx);
		final Complex[] column = new Complex[ny];
		for (int x = 0; x < nx; x++) {
			for (int y = 0; y < ny; y++) column[y] = all[y * nx + x];
			final Complex[] done = fft.transform(column, type);
			for (int y = 0; y < ny; y++) all[y * nx + x] = done[y];
		}
	}

	/** The indices of the highest local maxima. */
	private static int[] peaks(final Complex[] c, final int nx, final int ny) {
		final List<Integer> maxima = new ArrayList<>();
		for (int i = 0; i < c.length; i++) {
			boolean highest = true;
			for (int k = 0; k < 9 && highest; k++) {
				final int other = (i / nx + k / 3 - 1 + ny) % ny * nx + (i % nx + k % 3 - 1 + nx) % nx;
				highest = other == i || c[i].getReal() > c[other].getReal();
			}
			if (highest) maxima.add(i);
		}
		return maxima.stream().sorted(Comparator.comparingDouble(i -> -c[i].getReal())).limit(PEAKS).mapToInt(i -> i).toArray();
	}

	/** The correlation coefficient of the overlap if b lies at (x, y) of a. */
	private static double coefficient(final double[] a, final double[] b, final int w, final int h, final int x, final int y) {
		final int left = Math.max(0, x), top = Math.max(0, y), right = Math.min(w, w + x), bottom = Math.min(h, h + y);
		if (right - left < LEAST || bottom - top < LEAST) return Double.NEGATIVE_INFINITY;
		double n = 0, sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
		for (int j = top; j < bottom; j++)
			for (int i = left; i < right; i++) {
				final double u = a[j * w + i], v = b[(j - y) * w + i - x];
				n++;
				sa += u;
				sb += v;
				aa += u * u;
				bb += v * v;
				ab += u * v;
			}
		return (n * ab - sa * sb) / Math.sqrt((n * aa - sa * sa) * (n * bb - sb * sb));
	}
}
