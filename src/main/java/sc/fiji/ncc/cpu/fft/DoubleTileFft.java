package sc.fiji.ncc.cpu.fft;

/** {@link Passes} in double. */
public final class DoubleTileFft extends Passes<double[]> {

	/** A transform of a tile, or of a line if height and depth are 1. */
	public static DoubleTileFft of(final int width, final int height, final int depth) {
		final boolean line = height == 1 && depth == 1;
		final int rows = line ? rowsOfLine(width) : height;
		return new DoubleTileFft(line ? width / rows : width, rows, depth, line);
	}

	/** A transform of a tile. */
	DoubleTileFft(final int width, final int height, final int depth) {
		this(width, height, depth, false);
	}

	private DoubleTileFft(final int width, final int height, final int depth, final boolean folded) {
		super(width, height, depth, folded, DoubleButterfly.ALL, Double.BYTES);
	}

	@Override
	public double[][] allocateRows() {
		return new double[depth * height][width];
	}

	public double[][] allocateSpectrum() {
		return new double[depth * width][height];
	}

	@Override
	void set(final double[] row, final int x, final double value) {
		row[x] = value;
	}

	@Override
	void twiddle(final double[] re, final double[] im, final double[] c, final double[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final double a = re[x], b = im[x];
			re[x] = a * c[x] - b * s[x];
			im[x] = a * s[x] + b * c[x];
		}
	}

	@Override
	void untwiddle(final double[] re, final double[] im, final double[] c, final double[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final double a = re[x], b = im[x];
			re[x] = a * c[x] + b * s[x];
			im[x] = b * c[x] - a * s[x];
		}
	}

	@Override
	void transpose(final double[][] a, final int from, final int rows, final double[][] b, final int to, final int columns) {
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
