package sc.fiji.ncc.cpu.fft;

import sc.fiji.ncc.estimate.SpectralNoise;
import sc.fiji.ncc.loops.Vectors;

/** {@link Passes} in float. Square tiles can be transposed in place: rows and spectrum then are the same arrays. */
public class TileFft extends Passes<float[]> {

	/** The side of the squares that are swapped in a transpose. */
	private static final int SQUARE = 16;

	/** The fastest transform on this JVM: of a tile, or of a line if height and depth are 1. */
	public static TileFft of(final int width, final int height, final int depth) {
		final boolean line = height == 1 && depth == 1;
		final int rows = line ? rowsOfLine(width) : height;
		return Vectors.USED ? new VectorTileFft(line ? width / rows : width, rows, depth, line) : new TileFft(line ? width / rows : width, rows, depth, line);
	}

	/** A transform of a tile. */
	public TileFft(final int width, final int height, final int depth) {
		this(width, height, depth, false);
	}

	TileFft(final int width, final int height, final int depth, final boolean folded) {
		super(width, height, depth, folded, FloatButterfly.ALL, Float.BYTES);
	}

	/** The extents that are transformed at once, along x, y and z: those of a tile or of a line. */
	public int[] block() {
		return folded ? new int[] { points(), 1, 1 } : new int[] { width, height, depth };
	}

	@Override
	public float[][] allocateRows() {
		return new float[depth * height][width];
	}

	public float[][] allocateSpectrum() {
		return new float[depth * width][height];
	}

	/** The energies of a block of pixels and its spectrum, without values. */
	public SpectralNoise newNoise() {
		return new SpectralNoise(width, height, depth, folded);
	}

	/** Whether rows and spectrum may be the same arrays. Blocks of twice the size then stay in cache. */
	public boolean transposesInPlace() {
		return width == height && depth == 1 && !folded;
	}

	@Override
	void set(final float[] row, final int x, final double value) {
		row[x] = (float) value;
	}

	@Override
	void twiddle(final float[] re, final float[] im, final float[] c, final float[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final float a = re[x], b = im[x];
			re[x] = a * c[x] - b * s[x];
			im[x] = a * s[x] + b * c[x];
		}
	}

	@Override
	void untwiddle(final float[] re, final float[] im, final float[] c, final float[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final float a = re[x], b = im[x];
			re[x] = a * c[x] + b * s[x];
			im[x] = b * c[x] - a * s[x];
		}
	}

	/**
	 * The passes along x of {@link #inverse}, for a tile without depth. The result has one row for each column
	 * of the tile.
	 */
	public void inverseAlongX(final float[][] re, final float[][] im) {
		inverse(re, im, 0, 1, width, 0, height);
	}

	/** The remaining passes after {@link #inverseAlongX}, for the first columns alone. */
	public void inverseAlongY(final float[][] re, final float[][] im, final float[][] toRe, final float[][] toIm, final int columns) {
		// round up to whole vectors
		final int n = Math.min(width, (columns + 15) & -16);
		transpose(re, 0, n, toRe, 0, height);
		transpose(im, 0, n, toIm, 0, height);
		inverse(toRe, toIm, 0, 1, height, 1, n);
	}

	@Override
	final void transposePlane(final float[][] a, final int from, final int rows, final float[][] b, final int to, final int columns) {
		if (a != b) transpose(a, from, rows, b, to, columns);
		else if (transposesInPlace()) transpose(a);
		else throw new IllegalArgumentException("cannot transpose a tile of " + width + "x" + height + "x" + depth + " in place: use different arrays");
	}

	/** Transposes a square matrix in place. */
	void transpose(final float[][] a) {
		final int n = a.length;
		for (int y = 0; y < n; y += SQUARE)
			for (int x = y; x < n; x += SQUARE)
				for (int i = y; i < Math.min(y + SQUARE, n); i += 4) {
					// four rows change places with four neighbours of each column, except in the square on the diagonal
					if (i + 4 <= n) slideFour(a, i, Math.max(x, i + 4), Math.min(x + SQUARE, n));
					if (x == y) for (int k = i; k < Math.min(i + 4, n); k++) slide(a, k, k + 1, Math.min(i + 4, n));
				}
	}

	private static void slide(final float[][] a, final int y, final int from, final int until) {
		final float[] row = a[y];
		for (int x = from; x < until; x++) {
			final float v = row[x];
			row[x] = a[x][y];
			a[x][y] = v;
		}
	}

	private static void slideFour(final float[][] a, final int y, final int from, final int until) {
		final float[] p = a[y], q = a[y + 1], r = a[y + 2], s = a[y + 3];
		for (int x = from; x < until; x++) {
			final float[] t = a[x];
			final float b = t[y], c = t[y + 1], d = t[y + 2], e = t[y + 3];
			t[y] = p[x];
			t[y + 1] = q[x];
			t[y + 2] = r[x];
			t[y + 3] = s[x];
			p[x] = b;
			q[x] = c;
			r[x] = d;
			s[x] = e;
		}
	}

	@Override
	void transpose(final float[][] a, final int from, final int rows, final float[][] b, final int to, final int columns) {
		int y = 0;
		for (; y + 4 <= rows; y += 4) four(a, from + y, b, to, y, columns);
		for (; y < rows; y++)
			for (int x = 0; x < columns; x++) b[to + x][y] = a[from + y][x];
	}

	private static void four(final float[][] a, final int i, final float[][] b, final int to, final int y, final int columns) {
		final float[] p = a[i], q = a[i + 1], r = a[i + 2], s = a[i + 3];
		for (int x = 0; x < columns; x++) {
			final float[] t = b[to + x];
			t[y] = p[x];
			t[y + 1] = q[x];
			t[y + 2] = r[x];
			t[y + 3] = s[x];
		}
	}
}
