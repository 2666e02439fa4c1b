package sc.fiji.ncc.cpu.deform;

import static sc.fiji.ncc.plan.deform.SumLayout.F;
import static sc.fiji.ncc.plan.deform.SumLayout.FF;
import static sc.fiji.ncc.plan.deform.SumLayout.N;
import static sc.fiji.ncc.plan.deform.SumLayout.PLAIN;
import static sc.fiji.ncc.plan.deform.SumLayout.R;
import static sc.fiji.ncc.plan.deform.SumLayout.RF;
import static sc.fiji.ncc.plan.deform.SumLayout.RR;

import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import sc.fiji.ncc.loops.LagRows;
import sc.fiji.ncc.plan.deform.SumLayout;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * The sums of products of a reference and another frame over the cells of windows: frames are cut where windows begin or end. The products
 * of each cell are summed once, and the windows over it share them. Complexity: linear in the pixels.
 */
public final class CellSums {

	/** About so many pixels of a row are summed at once, of so many rows: these and their sums fit into the first cache. */
	private static final int TOGETHER = 160, DEEP = 4;
	/** The cells at both ends of a row that are summed one by one, because a frame ends there, and missing pixels take more time. */
	private static final int ENDS = 2;
	/** Rows whose gradients one task computes. */
	private static final int ROWS = 64;
	private final Parallel parallel;
	private final int n, sums;
	private final SumLayout layout;
	private final int[] size;
	/** Where cells begin along each dimension, and the end of the last one. */
	private final int[][] cuts;
	/** The number of cells along each dimension. */
	private final int[] cells;
	/** The first cells along x of the parts of a row that are summed at once, and their end. */
	private final int[] groups;
	/** Which sums are those of the reference alone, where no pixel is missing, and which need the slopes of the other frame or the weights. */
	private final boolean[] alone, exact;
	/** Buffers that no thread uses, for each group. */
	private final List<Queue<Columns>> idle;

	/**
	 * @param size the extents of the frames
	 * @param cuts where cells begin along each dimension, and the end of the last one
	 */
	public CellSums(final int[] size, final int[][] cuts, final Parallel parallel) {
		this.size = size;
		this.cuts = cuts;
		this.parallel = parallel;
		n = size.length;
		layout = new SumLayout(n);
		sums = layout.count;
		alone = new boolean[sums];
		exact = new boolean[sums];
		for (final int i : new int[] { R, RR, PLAIN + N, PLAIN + R, PLAIN + RR }) alone[i] = true;
		for (final int i : new int[] { PLAIN + F, PLAIN + FF, PLAIN + RF }) exact[i] = true;
		for (int d = 0; d < n; d++) {
			final int i = layout.gradient(d);
			alone[i] = alone[i + 1] = alone[layout.places + d] = true;
			exact[i + 3] = exact[i + 4] = true;
			for (int e = 0; e < n; e++) alone[i + 5 + 2 * e] = exact[i + 6 + 2 * e] = true;
		}
		cells = Arrays.stream(cuts).mapToInt(c -> c.length - 1).toArray();
		groups = IntStream.rangeClosed(0, cells[0]).filter(c -> c <= ENDS || c >= cells[0] - ENDS
			|| cuts[0][c] / TOGETHER != cuts[0][c - 1] / TOGETHER).toArray();
		idle = Stream.generate(() -> (Queue<Columns>) new ConcurrentLinkedQueue<Columns>()).limit(groups.length - 1).toList();
	}

	/**
	 * A reference for many frames.
	 *
	 * @param values of a frame, x fastest; NaN for missing pixels
	 * @param gradient along each dimension; NaN where it is unknown
	 * @param square of the gradient
	 * @param sums for each first row of cells and each cell along x: null if a pixel is missing; null if none are kept
	 */
	public record Reference(float[] values, float[][] gradient, float[] square, double[][][] sums) {}

	/**
	 * The gradient and the sums of a reference.
	 *
	 * @param several whether it is measured several times; otherwise its sums are not kept
	 */
	public Reference reference(final float[] values, final boolean several) {
		final int rows = values.length / size[0];
		final Reference reference = new Reference(values, new float[n][values.length], new float[values.length], null);
		parallel.each((rows + ROWS - 1) / ROWS, chunk -> {
			final float[][] g = new float[n][size[0]];
			final Differences whole = new Differences(0, size[0]);
			for (int r = chunk * ROWS; r < Math.min(rows, (chunk + 1) * ROWS); r++) {
				final int row = r * size[0];
				for (int d = 0, stride = 1; d < n; stride *= size[d++]) {
					whole.of(values, row, stride, d == 0 ? -1 : row / stride % size[d], size[d], g[d]);
					System.arraycopy(g[d], 0, reference.gradient[d], row, size[0]);
				}
				for (int x = 0; x < size[0]; x++) for (int d = 0; d < n; d++) reference.square[row + x] += g[d][x] * g[d][x];
			}
		});
		if (!several) return reference;
		final double[][][] found = new double[rows][cells[0]][];
		sums(reference, values, false, found);
		return new Reference(values, reference.gradient, reference.square, found);
	}

	/**
	 * The sums of all cells.
	 *
	 * @param slopes whether those with the slopes of the other frame, and with weights, are needed
	 * @param found receives those of the reference alone; null if nothing does
	 */
	public double[][] sums(final Reference reference, final float[] moving, final boolean slopes, final double[][][] found) {
		final int outer = cells[n - 1], parts = groups.length - 1;
		final int slab = Arrays.stream(cells, 0, n - 1).reduce(1, (a, b) -> a * b);
		final double[][] all = new double[outer * slab][sums];
		int plane = 1;
		for (int d = 0; d < n - 1; d++) plane *= size[d];
		final int last = plane, width = size[0], rows = plane / width;
		parallel.each(outer * parts, task -> {
			final int o = task / parts, part = task % parts;
			final Columns unused = idle.get(part).poll(), buffers = unused == null ? new Columns(groups[part], groups[part + 1]) : unused;
			buffers.begin(reference, moving, slopes, found, all);
			final int from = cuts[n - 1][o], to = cuts[n - 1][o + 1];
			for (int y = from; y < to; y++)
				for (int r = 0; r < rows; r++) {
					int cell = o * slab;
					boolean inside = true;
					for (int d = 1, rest = r, stride = cells[0]; d < n - 1; rest /= size[d], stride *= cells[d++]) {
						final int at = Arrays.binarySearch(cuts[d], rest % size[d]), index = at >= 0 ? at : -at - 2;
						inside &= index < cells[d];
						cell += index * stride;
					}
					if (inside) buffers.add(y * last + r * width, cell);
				}
			buffers.flush();
			idle.get(part).add(buffers);
		});
		return all;
	}

	/** Differences along a part of a row. One thread may use an object. */
	private static final class Differences {

		private final int from, width;
		/** Pixels beside those of the row. */
		private final float[] more, less, further, before;

		Differences(final int from, final int width) {
			this.from = from;
			this.width = width;
			more = new float[width];
			less = new float[width];
			further = new float[width];
			before = new float[width];
		}

		/**
		 * Central differences over five pixels, or three beside the border; NaN at the border.
		 *
		 * @param at the place of the row; -1 along the row
		 */
		void of(final float[] v, final int row, final int stride, final int at, final int extent, final float[] to) {
			if (at == 0 || at == extent - 1) {
				Arrays.fill(to, Float.NaN);
				return;
			}
			final int base = row + from;
			copy(v, base + stride, more);
			copy(v, base - stride, less);
			if (at == 1 || at == extent - 2) {
				half(to, more, less);
				return;
			}
			copy(v, base + 2 * stride, further);
			copy(v, base - 2 * stride, before);
			wide(to, more, less, further, before);
			if (at < 0) for (final int x : new int[] { 0, 1, extent - 2, extent - 1 })
				if (x >= from && x < from + width) to[x - from] = x == 0 || x == extent - 1 ? Float.NaN : 0.5f * (v[row + x + 1] - v[row + x - 1]);
		}

		/** Copies pixels as far as there are any. Arrays with one index are what C2 vectorises. */
		private void copy(final float[] v, final int at, final float[] to) {
			final int first = Math.max(0, -at), end = Math.min(width, v.length - at);
			if (first < end) System.arraycopy(v, at + first, to, first, end - first);
		}
	}

	/**
	 * The sums of some cells that lie side by side along x. Products are summed along each column of pixels in floats, which C2 vectorises,
	 * {@value #DEEP} rows at once, and the columns in doubles. Values are counted from one pixel of each cell, so that a brightness far from
	 * the mean of the frame costs no digits. Where the reference has all pixels, the other frame is taken to have them, too. A missing one
	 * shows in the sums, which are computed again.
	 */
	private final class Columns {

		private final int firstCell, lastCell, from, width;
		private final Differences differences;
		private Reference reference;
		private float[] moving;
		private boolean slopes;
		/** Receives the sums of the reference alone; null if nothing does. */
		private double[][][] found;
		private double[][] all;
		/** The rows of the cells that are summed. */
		private int[] rows = new int[64];
		private int count;
		/** Values of the rows that are summed next: 1 for a present pixel, both frames, the squared gradient, and its products with both. */
		private final float[][] one, r, f, square, weightedR, weightedF;
		private int read;
		/** The same along each dimension. */
		private final float[][][] g, slope;
		/** The sums of each column, in the order of those of a cell. */
		private final float[][] columns;
		/** The pixel from which values are counted: one for each column. */
		private final float[] zeroR, zeroF;
		/** The first cell of the rows that are summed, or -1, and the first pixel of the first of these rows. */
		private int cell, start;
		/** Whether pixels of these rows may be missing. */
		private boolean gaps;

		Columns(final int firstCell, final int lastCell) {
			this.firstCell = firstCell;
			this.lastCell = lastCell;
			from = cuts[0][firstCell];
			width = cuts[0][lastCell] - from;
			differences = new Differences(from, width);
			one = new float[DEEP][width];
			r = new float[DEEP][width];
			f = new float[DEEP][width];
			square = new float[DEEP][width];
			weightedR = new float[DEEP][width];
			weightedF = new float[DEEP][width];
			zeroR = new float[width];
			zeroF = new float[width];
			g = new float[n][DEEP][width];
			slope = new float[n][DEEP][width];
			columns = new float[sums][width];
		}

		/** Begins with the sums of other frames. */
		void begin(final Reference ofReference, final float[] other, final boolean withSlopes, final double[][][] to, final double[][] toCells) {
			reference = ofReference;
			moving = other;
			slopes = withSlopes;
			found = to;
			all = toCells;
			cell = -1;
		}

		/** Whether a sum is needed of the rows that are summed. */
		private boolean isSummed(final int i) {
			return (gaps || !alone[i]) && (slopes || !exact[i]);
		}

		private void clear() {
			for (int i = 0; i < sums; i++) if (isSummed(i)) Arrays.fill(columns[i], 0);
			read = 0;
		}

		/** The sums of the reference alone, of the cells of a row; null if they are not kept. */
		private double[][] known() {
			return reference.sums == null ? null : reference.sums[start / size[0]];
		}

		/**
		 * Adds a row of pixels.
		 *
		 * @param row its first pixel, at x = 0
		 * @param to the first of the cells along x at this row
		 */
		void add(final int row, final int to) {
			if (to != cell) {
				flush();
				cell = to;
				start = row;
				count = 0;
				for (int c = firstCell; c < lastCell; c++) {
					final int a = cuts[0][c] - from, b = cuts[0][c + 1] - from, middle = start + from + (a + b) / 2;
					Arrays.fill(zeroR, a, b, finite(reference.values[middle]));
					Arrays.fill(zeroF, a, b, finite(moving[middle]));
				}
				final double[][] known = known();
				gaps = known == null || !isFinite(moving[row + from]) || !isFinite(moving[row + from + width - 1]);
				for (int c = firstCell; c < lastCell && !gaps; c++) gaps = known[c] == null;
				clear();
			}
			if (count == rows.length) rows = Arrays.copyOf(rows, 2 * count);
			rows[count++] = row;
			if (!gaps || isPresent(row)) read(row);
		}

		/** Whether the other frame has a pixel of a row. */
		private boolean isPresent(final int row) {
			for (int x = row + from; x < row + from + width; x++) if (isFinite(moving[x])) return true;
			return false;
		}

		private boolean isFinite(final float v) {
			return Math.abs(v) < Float.POSITIVE_INFINITY;
		}

		private float finite(final float v) {
			return isFinite(v) ? v : 0;
		}

		private void read(final int row) {
			final int k = read++;
			System.arraycopy(reference.values, row + from, r[k], 0, width);
			System.arraycopy(moving, row + from, f[k], 0, width);
			subtract(r[k], zeroR);
			subtract(f[k], zeroF);
			for (int d = 0, stride = 1; d < n; stride *= size[d++]) {
				System.arraycopy(reference.gradient[d], row + from, g[d][k], 0, width);
				if (slopes) differences.of(moving, row, stride, d == 0 ? -1 : row / stride % size[d], size[d], slope[d][k]);
			}
			if (slopes || gaps) System.arraycopy(reference.square, row + from, square[k], 0, width);
			if (gaps) leaveOut(k);
			if (slopes || gaps) product(weightedR[k], square[k], r[k]);
			if (slopes) product(weightedF[k], square[k], f[k]);
			// the place along x follows from the columns
			if (gaps) for (int d = 1, stride = size[0]; d < n; stride *= size[d++]) {
				final int beyond = row / stride % size[d] - start / stride % size[d];
				if (beyond != 0) multiples(columns[layout.places + d], beyond, square[k]);
			}
			if (read == DEEP) addRows();
		}

		/** Makes all values 0 where one of them is missing. */
		private void leaveOut(final int k) {
			final float[] present = one[k];
			System.arraycopy(r[k], 0, present, 0, width);
			sum(present, f[k]);
			for (int d = 0; d < n; d++) {
				sum(present, g[d][k]);
				if (slopes) sum(present, slope[d][k]);
			}
			for (int x = 0; x < width; x++) {
				if (isFinite(present[x])) present[x] = 1;
				else {
					present[x] = r[k][x] = f[k][x] = square[k][x] = 0;
					for (int d = 0; d < n; d++) g[d][k][x] = slope[d][k][x] = 0;
				}
			}
		}

		/** Adds the products of the rows that were read. */
		private void addRows() {
			for (int k = read; k < DEEP; k++) {
				for (final float[][] values : new float[][][] { one, r, f, square, weightedR, weightedF }) Arrays.fill(values[k], 0);
				for (int d = 0; d < n; d++) {
					Arrays.fill(g[d][k], 0);
					Arrays.fill(slope[d][k], 0);
				}
			}
			read = 0;
			sums(columns[F], f);
			products(columns[FF], f, f);
			products(columns[RF], r, f);
			for (int d = 0; d < n; d++) products(columns[layout.gradient(d) + 2], g[d], f);
			if (slopes) {
				sums(columns[PLAIN + F], weightedF);
				products(columns[PLAIN + FF], weightedF, f);
				products(columns[PLAIN + RF], weightedR, f);
				for (int d = 0, i = layout.gradient(0); d < n; d++, i += layout.each) {
					sums(columns[i + 3], slope[d]);
					products(columns[i + 4], slope[d], r);
					for (int e = 0; e < n; e++) products(columns[i + 6 + 2 * e], g[d], slope[e]);
				}
			}
			if (!gaps) return;
			sums(columns[N], one);
			sums(columns[R], r);
			products(columns[RR], r, r);
			sums(columns[PLAIN + N], square);
			sums(columns[PLAIN + R], weightedR);
			products(columns[PLAIN + RR], weightedR, r);
			for (int d = 0, i = layout.gradient(0); d < n; d++, i += layout.each) {
				sums(columns[i], g[d]);
				products(columns[i + 1], g[d], r);
				// the products of two gradients stand in two places
				for (int e = d; e < n; e++) products(columns[i + 5 + 2 * e], g[d], g[e]);
			}
		}

		/** Whether no value of the other frame, nor a slope, is missing in rows without gaps. */
		private boolean isSumFinite() {
			float all = 0;
			for (int x = 0; x < width; x++) all += columns[F][x];
			for (int d = 0; d < n && slopes; d++) for (int x = 0; x < width; x++) all += columns[layout.gradient(d) + 3][x];
			return isFinite(all);
		}

		/** Adds the sums of the columns to those of the cells, and begins with new ones. */
		void flush() {
			if (cell < 0) return;
			if (read > 0) addRows();
			if (!gaps && !isSumFinite()) {
				gaps = true;
				clear();
				for (int k = 0; k < count; k++) read(rows[k]);
				if (read > 0) addRows();
			}
			final double[][] known = known();
			final double[] s = new double[sums];
			for (int c = firstCell; c < lastCell; c++) {
				final int a = cuts[0][c] - from, b = cuts[0][c + 1] - from;
				final double pixels = (double) count * (b - a);
				Arrays.fill(s, 0);
				for (int i = 0; i < sums; i++)
					if (isSummed(i)) for (int x = a; x < b; x++) s[i] += columns[i][x];
					else if (alone[i]) s[i] = known[c][i];
				if (gaps) {
					for (int x = a; x < b; x++) s[layout.places] += (double) (from + x) * columns[PLAIN][x];
					for (int d = 1, stride = size[0]; d < n; stride *= size[d++]) s[layout.places + d] += start / stride % size[d] * s[PLAIN];
					for (int d = 1; d < n; d++) for (int e = 0; e < d; e++) s[layout.gradients(d, e)] = s[layout.gradients(e, d)];
				}
				else s[N] = pixels;
				if (found != null && s[N] == pixels) found[start / size[0]][c] = s.clone();
				counted(s, zeroR[a], zeroF[a]);
				final double[] to = all[cell + c];
				for (int i = 0; i < sums; i++) to[i] += s[i];
			}
			cell = -1;
		}
	}

	/** The sums of values that are counted from 0, from those of values that are counted from r and f. */
	private void counted(final double[] s, final double r, final double f) {
		for (int i = 0; i < 2 * PLAIN; i += PLAIN) {
			s[i + RR] += r * (2 * s[i + R] + r * s[i + N]);
			s[i + FF] += f * (2 * s[i + F] + f * s[i + N]);
			s[i + RF] += r * s[i + F] + f * s[i + R] + r * f * s[i + N];
			s[i + R] += r * s[i + N];
			s[i + F] += f * s[i + N];
		}
		for (int d = 0, i = layout.gradient(0); d < n; d++, i += layout.each) {
			s[i + 1] += r * s[i];
			s[i + 2] += f * s[i];
			s[i + 4] += r * s[i + 3];
		}
	}

	// short loops over arrays of one type, which C2 vectorises

	private static void sum(final float[] to, final float[] a) {
		for (int x = 0; x < to.length; x++) to[x] += a[x];
	}

	/** Adds all rows. */
	private static void sums(final float[] to, final float[][] rows) {
		final float[] a = rows[0], b = rows[1], c = rows[2], d = rows[3];
		for (int x = 0; x < to.length; x++) to[x] += a[x] + b[x] + (c[x] + d[x]);
	}

	private static void product(final float[] to, final float[] a, final float[] b) {
		for (int x = 0; x < to.length; x++) to[x] = a[x] * b[x];
	}

	/** Adds the products of all rows. */
	private static void products(final float[] to, final float[][] first, final float[][] second) {
		final float[] a = first[0], b = first[1], c = first[2], d = first[3], p = second[0], q = second[1], r = second[2], s = second[3];
		final int width = to.length & LagRows.MAX_INDEX;
		for (int x = 0; x < width; x++) to[x] += a[x] * p[x] + b[x] * q[x] + (c[x] * r[x] + d[x] * s[x]);
	}

	private static void multiples(final float[] to, final float factor, final float[] a) {
		for (int x = 0; x < to.length; x++) to[x] += factor * a[x];
	}

	private static void subtract(final float[] from, final float[] a) {
		for (int x = 0; x < from.length; x++) from[x] -= a[x];
	}

	private static void half(final float[] to, final float[] a, final float[] b) {
		for (int x = 0; x < to.length; x++) to[x] = 0.5f * (a[x] - b[x]);
	}

	private static void wide(final float[] to, final float[] a, final float[] b, final float[] c, final float[] d) {
		for (int x = 0; x < to.length; x++) to[x] = (8 * (a[x] - b[x]) - (c[x] - d[x])) * (1 / 12f);
	}
}
