package sc.fiji.ncc.cpu.frame;

import sc.fiji.ncc.numeric.ShiftKernel;

/**
 * Rows of a frame at a position between the pixels, one after the other. Shifted copies of a row are mixed in arrays with one index, because C2 vectorises only such
 * loops. One thread at a time.
 */
final class ShiftedRows {

	private static final int MAX_KERNEL = 8;

	/** The last rows, mixed along z; the planes' rows that are mixed; and the mixed row, once for each pixel of the kernel along x. */
	private final float[][] lines = new float[MAX_KERNEL][0], planes = new float[MAX_KERNEL][0], shifted = new float[MAX_KERNEL][0];
	private float[] column = {}, values;
	private ShiftKernel[] kernels;
	private int stride, area, start, width, columns, row;

	/**
	 * @param from the pixels of a frame, x fastest
	 * @param extents of the frame
	 * @param x, y, z the pixel of the frame at which the first row begins; the fraction of the shift is that of the kernels
	 * @param n the length of a row
	 */
	void begin(final float[] from, final int[] extents, final int x, final int y, final int z, final ShiftKernel[] newKernels, final int n) {
		values = from;
		kernels = newKernels;
		stride = extents[0];
		area = extents[0] * extents[1];
		start = (z + kernels[2].first) * area + (y + kernels[1].first) * stride + x + kernels[0].first;
		width = n;
		columns = n + kernelSize(0) - 1;
		row = 0;
		if (column.length < columns) reserve(columns);
		for (int i = 0; i < kernelSize(1) - 1; i++) load(i);
	}

	private void reserve(final int n) {
		column = new float[n];
		for (int i = 0; i < MAX_KERNEL; i++) {
			lines[i] = new float[n];
			planes[i] = new float[n];
			shifted[i] = new float[n];
		}
	}

	private int kernelSize(final int d) {
		return kernels[d].weights.length;
	}

	private void load(final int line) {
		final float[] to = lines[line % kernelSize(1)];
		final int at = start + line * stride, n = kernelSize(2);
		if (n == 1) {
			System.arraycopy(values, at, to, 0, columns);
			return;
		}
		for (int i = 0; i < n; i++) System.arraycopy(values, at + i * area, planes[i], 0, columns);
		mix(planes, 0, kernels[2].weights, to, columns);
	}

	/** The next row. */
	void next(final float[] to) {
		load(row + kernelSize(1) - 1);
		mix(lines, row, kernels[1].weights, column, columns);
		for (int i = 0; i < kernelSize(0); i++) System.arraycopy(column, i, shifted[i], 0, width);
		mix(shifted, 0, kernels[0].weights, to, width);
		row++;
	}

	/** {@code to = Σ weights[i]·rows[(first + i) mod count]} */
	private static void mix(final float[][] rows, final int first, final float[] weights, final float[] to, final int n) {
		final int count = weights.length;
		if (count == 1) {
			System.arraycopy(rows[0], 0, to, 0, n);
			return;
		}
		four(rows[first % count], rows[(first + 1) % count], rows[(first + 2) % count], rows[(first + 3) % count], weights, to, n);
		if (count > 4) addFour(rows[(first + 4) % count], rows[(first + 5) % count], rows[(first + 6) % count], rows[(first + 7) % count], weights, to, n);
	}

	private static void four(final float[] a, final float[] b, final float[] c, final float[] d, final float[] weights, final float[] to, final int n) {
		final float u = weights[0], v = weights[1], w = weights[2], x = weights[3];
		for (int k = 0; k < n; k++) to[k] = u * a[k] + v * b[k] + w * c[k] + x * d[k];
	}

	private static void addFour(final float[] a, final float[] b, final float[] c, final float[] d, final float[] weights, final float[] to, final int n) {
		final float u = weights[4], v = weights[5], w = weights[6], x = weights[7];
		for (int k = 0; k < n; k++) to[k] += u * a[k] + v * b[k] + w * c[k] + x * d[k];
	}
}
