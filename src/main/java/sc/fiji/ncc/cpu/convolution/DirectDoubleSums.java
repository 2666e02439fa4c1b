package sc.fiji.ncc.cpu.convolution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.correlator.DoubleRowCorrelator;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.ConvolutionKernel;

/**
 * {@link DirectSums} in double. The error of a sum of n products is at most n·eps·max|pixel|·Σ|coefficient| (Higham, Accuracy and Stability of Numerical
 * Algorithms, 2002, ch. 3). A kernel of more than {@link #MAX_PART} values is therefore cut into parts, whose sums are added in pairs of doubles with
 * negligible error.
 */
final class DirectDoubleSums extends KernelSums {

	/** The maximum number of kernel values of a part: the tolerance of a convolution is 900 eps. */
	static final int MAX_PART = 512;

	private final TemplatePlanes planes;
	private final List<ConvolutionKernel> kernels;
	private final int maxLags;
	private final List<List<Part>> partsOfKernels = new ArrayList<>();
	private final double[] row, part, sum;
	/** The sums of rows of lags that wait for further parts, as pairs: row y at index y modulo the kernel's height. Null if there is only one part. */
	private final double[][] high, low;

	/** The parts of the current kernel. */
	private List<Part> parts;
	private int z, added;

	/** A box of a kernel: columns, rows and planes from {@code first} to before {@code last}. */
	private final class Part {

		final int[] first, last;
		final DoubleRowCorrelator correlator;
		final double[] columns;

		Part(final double[] values, final int[] first, final int[] last) {
			this.first = first;
			this.last = last;
			final int w = last[0] - first[0], h = last[1] - first[1], d = last[2] - first[2];
			final double[][] cut = new double[d][w * h];
			for (int p = 0; p < d; p++)
				for (int j = 0; j < h; j++)
					System.arraycopy(values, ((first[2] + p) * planes.height + first[1] + j) * planes.width + first[0], cut[p], j * w, w);
			correlator = DoubleRowCorrelator.of(w, h, cut, maxLags);
			columns = first[0] == 0 ? null : new double[maxLags + w - 1];
		}

		/** Adds row {@code r} of a plane of the tile. */
		void add(final int plane, final int r) {
			final int at = r - first[1], h = last[1] - first[1];
			if (plane < first[2] || plane >= last[2] || at < 0 || at >= lagsY + h - 1) return;
			if (columns != null) System.arraycopy(row, first[0], columns, 0, lagsX + last[0] - first[0] - 1);
			correlator.add(plane - first[2], columns == null ? row : columns, at, Math.max(0, at - h + 1), Math.min(at, lagsY - 1));
		}
	}

	DirectDoubleSums(final TemplatePlanes planes, final List<ConvolutionKernel> kernels, final int maxLags) {
		this.planes = planes;
		this.kernels = kernels;
		this.maxLags = maxLags;
		for (int k = 0; k < kernels.size(); k++) partsOfKernels.add(null);
		row = new double[maxLags + planes.width - 1];
		part = new double[maxLags];
		sum = new double[maxLags];
		final boolean several = planes.size.pixels() > MAX_PART;
		high = several ? Rows.doubles(planes.height, maxLags) : null;
		low = several ? Rows.doubles(planes.height, maxLags) : null;
	}

	private List<Part> cut(final double[] values) {
		// parts are whole planes, or whole rows, or pieces of rows
		final int w = Math.min(planes.width, MAX_PART), h = Math.max(1, Math.min(planes.height, MAX_PART / w)), d = w < planes.width || h < planes.height ? 1
			: Math.max(1, Math.min(planes.count, MAX_PART / (w * h)));
		final List<Part> cut = new ArrayList<>();
		for (int p = 0; p < planes.count; p += d)
			for (int j = 0; j < planes.height; j += h)
				for (int i = 0; i < planes.width; i += w)
					cut.add(new Part(values, new int[] { i, j, p },
						new int[] { Math.min(planes.width, i + w), Math.min(planes.height, j + h), Math.min(planes.count, p + d) }));
		return cut;
	}

	@Override
	void select(final int kernel) {
		if (partsOfKernels.get(kernel) == null) partsOfKernels.set(kernel, cut(kernels.get(kernel).values()));
		parts = partsOfKernels.get(kernel);
		z = -1;
	}

	@Override
	void row(final int z, final int y) {
		if (z != this.z) {
			this.z = z;
			added = 0;
			for (final Part p : parts) p.correlator.begin(lagsX);
		}
		for (; added < y + planes.height; added++) {
			tile.poll();
			for (int p = 0; p < planes.count; p++) {
				readers[z + p].row(added, scale, row);
				for (final Part k : parts) k.add(p, added);
			}
			if (high != null) collect(added);
		}
		if (high == null) parts.get(0).correlator.finish(y, sum);
		else Rows.sum(high[y % planes.height], low[y % planes.height], sum, lagsX);
		store(to, z, y, sum, lagsX);
	}

	/** Adds the sums of the parts that end with this row of the tile. */
	private void collect(final int r) {
		final int fresh = r % planes.height;
		// the row of lags that begins here has no sums yet, and its predecessor at this index is finished
		Arrays.fill(high[fresh], 0, lagsX, 0);
		Arrays.fill(low[fresh], 0, lagsX, 0);
		for (final Part p : parts) {
			final int y = r - p.last[1] + 1;
			if (y < 0 || y >= lagsY) continue;
			p.correlator.finish(y, part);
			PairRows.add(high[y % planes.height], low[y % planes.height], part, lagsX);
		}
	}

	/** Writes a row of sums to its place, an array of doubles, or of floats. */
	static void store(final SumsPlace to, final int z, final int y, final double[] sums, final int n) {
		if (to.to() instanceof double[]) System.arraycopy(sums, 0, to.to(), to.row(z, y), n);
		else {
			final float[] floats = to.floats();
			for (int x = 0, o = to.row(z, y); x < n; x++, o++) floats[o] = (float) sums[x];
		}
	}

	/** Always true: the pixels of a tile are scaled before it begins. */
	@Override
	boolean accurate() {
		return true;
	}
}
