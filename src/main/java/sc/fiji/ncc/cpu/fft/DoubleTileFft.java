package sc.fiji.ncc.cpu.fft;

import static sc.fiji.ncc.cpu.fft.DoubleButterfly.*;

/** {@link TileFft} in double. */
public final class DoubleTileFft {

	/** The number of real or imaginary parts that a group of rows may hold: 16 KiB. */
	private static final int GROUP = 2048;

	public final int width, height, depth;
	private final boolean folded;
	private final double[][] cosines, sines;
	/** The twiddle factors between the two passes of a line, row by row; null for a tile. */
	private final double[][] twiddleCosines, twiddleSines;

	/** A transform of a tile, or of a line if height and depth are 1. */
	public static DoubleTileFft of(final int width, final int height, final int depth) {
		final boolean line = height == 1 && depth == 1;
		final int rows = line ? TileFft.rowsOfLine(width) : height;
		return new DoubleTileFft(line ? width / rows : width, rows, depth, line);
	}

	/** A transform of a tile. */
	DoubleTileFft(final int width, final int height, final int depth) {
		this(width, height, depth, false);
	}

	private DoubleTileFft(final int width, final int height, final int depth, final boolean folded) {
		this.width = requireSuited(width);
		this.height = requireSuited(height);
		this.depth = requireSuited(depth);
		this.folded = folded;
		cosines = new double[3][];
		sines = new double[3][];
		final int[] extents = { width, height, depth };
		for (int d = 0; d < 3; d++) {
			cosines[d] = new double[extents[d]];
			sines[d] = new double[extents[d]];
			for (int k = 0; k < extents[d]; k++) {
				cosines[d][k] = Math.cos(-2 * Math.PI * k / extents[d]);
				sines[d][k] = Math.sin(-2 * Math.PI * k / extents[d]);
			}
		}
		twiddleCosines = folded ? allocateRows() : null;
		twiddleSines = folded ? allocateRows() : null;
		for (int k = 0; folded && k < height; k++) {
			final int row = TileFft.place(k, height);
			for (int x = 0; x < width; x++) {
				final double angle = -2 * Math.PI * ((long) x * k) / points();
				twiddleCosines[row][x] = Math.cos(angle);
				twiddleSines[row][x] = Math.sin(angle);
			}
		}
	}

	private static int requireSuited(final int n) {
		if (!TileFft.suits(n)) throw new IllegalArgumentException("the extent of a tile must be a power of two, or three times a power of two, not " + n);
		return n;
	}

	public int points() {
		return width * height * depth;
	}

	public double[][] allocateRows() {
		return new double[depth * height][width];
	}

	public double[][] allocateSpectrum() {
		return new double[depth * width][height];
	}

	/** Transforms rows to a spectrum. Overwrites the rows. */
	public void forward(final double[][] re, final double[][] im, final double[][] toRe, final double[][] toIm) {
		forward(re, im, width, toRe, toIm);
	}

	/**
	 * Transforms rows to a spectrum. Overwrites the rows.
	 *
	 * @param columns the length of the rows: values beyond are 0, and so is the spectrum's memory
	 */
	public void forward(final double[][] re, final double[][] im, final int columns, final double[][] toRe, final double[][] toIm) {
		for (int z = 0; z < depth; z++) forward(re, im, z * height, 1, height, 1, columns);
		for (int y = 0; y < height; y++) forward(re, im, y, height, depth, 2, columns);
		for (int y = 0; folded && y < height; y++) twiddleLine(re[y], im[y], twiddleCosines[y], twiddleSines[y], columns);
		for (int z = 0; z < depth; z++) {
			transpose(re, z * height, height, toRe, z * width, columns);
			transpose(im, z * height, height, toIm, z * width, columns);
			forward(toRe, toIm, z * width, 1, width, 0, height);
		}
	}

	/**
	 * Transforms columns in place, along y alone. Frequency k is then in row {@link TileFft#place}.
	 *
	 * @param columns the number of columns
	 */
	public void forwardColumns(final double[][] re, final double[][] im, final int columns) {
		forward(re, im, 0, 1, height, 1, columns);
	}

	/** The inverse of {@link #forwardColumns}, without its scale factor. */
	public void inverseColumns(final double[][] re, final double[][] im, final int columns) {
		inverse(re, im, 0, 1, height, 1, columns);
	}

	/** Transforms a spectrum to rows. Overwrites the spectrum. */
	public void inverse(final double[][] re, final double[][] im, final double[][] toRe, final double[][] toIm) {
		for (int z = 0; z < depth; z++) {
			inverse(re, im, z * width, 1, width, 0, height);
			transpose(re, z * width, width, toRe, z * height, height);
			transpose(im, z * width, width, toIm, z * height, height);
		}
		for (int y = 0; folded && y < height; y++) untwiddleLine(toRe[y], toIm[y], twiddleCosines[y], twiddleSines[y], width);
		for (int y = 0; y < height; y++) inverse(toRe, toIm, y, height, depth, 2, width);
		for (int z = 0; z < depth; z++) inverse(toRe, toIm, z * height, 1, height, 1, width);
	}

	private static void twiddleLine(final double[] re, final double[] im, final double[] c, final double[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final double a = re[x], b = im[x];
			re[x] = a * c[x] - b * s[x];
			im[x] = a * s[x] + b * c[x];
		}
	}

	private static void untwiddleLine(final double[] re, final double[] im, final double[] c, final double[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final double a = re[x], b = im[x];
			re[x] = a * c[x] + b * s[x];
			im[x] = b * c[x] - a * s[x];
		}
	}

	/** The number of levels in one group: their rows stay in the first-level cache, and the levels are spread evenly over the groups. */
	private static int levels(final int remaining, final int n) {
		final int max = Math.max(2, Math.min(4, 31 - Integer.numberOfLeadingZeros(Math.max(1, GROUP / n))));
		final int groups = (remaining + max - 1) / max;
		return (remaining + groups - 1) / groups;
	}

	/** Transforms the rows first, first + step, … first + (count - 1)·step along dimension {@code d}. Each row has {@code n} values. */
	private void forward(final double[][] re, final double[][] im, final int first, final int step, final int count, final int d, final int n) {
		if (count % 3 == 0) radix3(re, im, first, step, count, d, n);
		radix2(re, im, first, step, count, d, n);
	}

	/** The inverse of {@link #forward(double[][], double[][], int, int, int, int, int)}, without its scale factor. */
	private void inverse(final double[][] re, final double[][] im, final int first, final int step, final int count, final int d, final int n) {
		radix2Inverse(re, im, first, step, count, d, n);
		if (count % 3 == 0) radix3Inverse(re, im, first, step, count, d, n);
	}

	/** The level of radix 3, which comes before all others. */
	private void radix3(final double[][] re, final double[][] im, final int first, final int step, final int count, final int d, final int n) {
		final int third = count / 3;
		for (int k = 0; k < third; k++) {
			final int a = first + k * step, b = a + third * step, c = b + third * step;
			SUM_AND_HEIGHT.combine(re[b], im[b], re[c], im[c], 1, 0, n);
			SUM_AND_HALF.combine(re[a], im[a], re[b], im[b], 1, 0, n);
			RADIX3_AFTER.combine(re[b], im[b], re[c], im[c], cosines[d][k], sines[d][k], n);
		}
	}

	/** The inverse of {@link #radix3}. */
	private void radix3Inverse(final double[][] re, final double[][] im, final int first, final int step, final int count, final int d, final int n) {
		final int third = count / 3;
		for (int k = 0; k < third; k++) {
			final int a = first + k * step, b = a + third * step, c = b + third * step;
			RADIX3_BEFORE.combine(re[b], im[b], re[c], im[c], cosines[d][k], sines[d][k], n);
			SUM_AND_HALF.combine(re[a], im[a], re[b], im[b], 1, 0, n);
			RADIX3_END.combine(re[b], im[b], re[c], im[c], 1, 0, n);
		}
	}

	/** The levels of radix 2: of one block of rows, or of three. */
	private void radix2(final double[][] re, final double[][] im, final int first, final int step, final int count, final int d, final int n) {
		int remaining = Integer.numberOfTrailingZeros(count);
		for (int length = 1 << remaining; remaining > 0;) {
			final int levels = levels(remaining, n), rows = 1 << levels, apart = length >> levels;
			for (int block = 0; block < count; block += length)
				for (int k = 0; k < apart; k++)
					for (int l = length; l > apart; l >>= 1)
						for (int b = block; b < block + length; b += l)
							for (int m = k; m < l / 2; m += apart) {
								final int i = first + (b + m) * step, j = i + l / 2 * step, t = m * (count / l);
								(t == 0 ? SUM_AND_DIFFERENCE : TWIDDLE_AFTER).combine(re[i], im[i], re[j], im[j], cosines[d][t], sines[d][t], n);
							}
			length /= rows;
			remaining -= levels;
		}
	}

	/** The inverse of {@link #radix2}. */
	private void radix2Inverse(final double[][] re, final double[][] im, final int first, final int step, final int count, final int d, final int n) {
		// the groups of the forward transform, in reverse order
		final int[] groups = new int[32];
		int number = 0;
		for (int remaining = Integer.numberOfTrailingZeros(count); remaining > 0; remaining -= groups[number - 1]) groups[number++] = levels(remaining, n);
		int apart = 1;
		while (number > 0) {
			final int length = apart << groups[--number];
			for (int block = 0; block < count; block += length)
				for (int k = 0; k < apart; k++)
					for (int l = 2 * apart; l <= length; l <<= 1)
						for (int b = block; b < block + length; b += l)
							for (int m = k; m < l / 2; m += apart) {
								final int i = first + (b + m) * step, j = i + l / 2 * step, t = m * (count / l);
								(t == 0 ? SUM_AND_DIFFERENCE : TWIDDLE_BEFORE).combine(re[i], im[i], re[j], im[j], cosines[d][t], sines[d][t], n);
							}
			apart = length;
		}
	}

	/** Rows {@code from..} of {@code a} become columns of {@code b}: {@code rows} rows of {@code columns} values. */
	private static void transpose(final double[][] a, final int from, final int rows, final double[][] b, final int to, final int columns) {
		int y = 0;
		for (; y + 4 <= rows; y += 4) four(a, from + y, b, to, y, columns);
		for (; y < rows; y++)
			for (int x = 0; x < columns; x++) b[to + x][y] = a[from + y][x];
	}

	private static void four(final double[][] a, final int i, final double[][] b, final int to, final int y, final int columns) {
		final double[] p = a[i], q = a[i + 1], r = a[i + 2], s = a[i + 3];
		for (int x = 0; x < columns; x++) {
			final double[] t = b[to + x];
			t[y] = p[x];
			t[y + 1] = q[x];
			t[y + 2] = r[x];
			t[y + 3] = s[x];
		}
	}
}
