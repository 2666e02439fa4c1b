package sc.fiji.ncc.cpu.fft;

import static sc.fiji.ncc.cpu.fft.Butterfly.*;

import sc.fiji.ncc.estimate.SpectralNoise;
import sc.fiji.ncc.loops.Vectors;

/**
 * Complex Fourier transform of a tile that stays in cache, in float, by whole rows.
 * <p>
 * A tile is {@code depth·height} rows of {@code width} values, with real and imaginary parts in separate arrays. A transform along y or z combines whole
 * rows, so its butterflies are loops along x that C2 vectorises. For the transform along x the planes are transposed first and stay transposed: a spectrum
 * has {@code depth·width} rows of {@code height} values. The forward transform decimates in frequency, the inverse in time (Gentleman and Sande 1966;
 * Cooley and Tukey 1965), so nothing is reordered: the rows of a spectrum stand in bit-reversed order, which makes no difference to a product of two
 * spectra. Levels are taken in groups whose rows stay in the first-level cache. Extents are powers of two, or three times a power of two: then one level
 * of radix 3 comes first.
 * <p>
 * A line (one extent alone) has only one row. It is therefore folded into rows: sample {@code y·width + x} goes to row y. Its transform has three steps:
 * along y, a twiddle factor {@code x·k/n} for each value, k the frequency of its row, and along x (Bailey 1990, the four-step transform; Gentleman and
 * Sande 1966).
 * <p>
 * Neither direction scales. Cost: 5·n·log2(n) operations for n points. Immutable; the caller owns the arrays.
 */
public class TileFft {

	/** The number of real or imaginary parts that a group of rows may hold: 16 KiB. */
	private static final int GROUP = 4096;
	/** The side of the squares that are swapped in a transpose. */
	private static final int SQUARE = 16;

	public final int width, height, depth;
	/** Whether this transforms a line, folded into {@code height} rows. */
	public final boolean folded;
	/** The cosine of 2π·k/n, and its negative sine, for each dimension. */
	final float[][] cosines, sines;
	/** The twiddle factors between the two passes of a line, row by row; null for a tile. */
	private final float[][] twiddleCosines, twiddleSines;

	/** The fastest transform on this JVM: of a tile, or of a line if height and depth are 1. */
	public static TileFft of(final int width, final int height, final int depth) {
		final boolean line = height == 1 && depth == 1;
		final int rows = line ? rowsOfLine(width) : height;
		return Vectors.USED ? new VectorTileFft(line ? width / rows : width, rows, depth, line) : new TileFft(line ? width / rows : width, rows, depth, line);
	}

	/** The number of rows of a folded line: a row is 1 to 4 times as long as the number of rows. */
	public static int rowsOfLine(final int n) {
		final int power = Integer.highestOneBit(requireSuited(n)), row = 1 << (Integer.numberOfTrailingZeros(power) + 1) / 2;
		return n / row;
	}

	/** A transform of a tile. */
	public TileFft(final int width, final int height, final int depth) {
		this(width, height, depth, false);
	}

	TileFft(final int width, final int height, final int depth, final boolean folded) {
		this.width = requireSuited(width);
		this.height = requireSuited(height);
		this.depth = requireSuited(depth);
		this.folded = folded;
		cosines = new float[3][];
		sines = new float[3][];
		final int[] extents = { width, height, depth };
		for (int d = 0; d < 3; d++) {
			cosines[d] = new float[extents[d]];
			sines[d] = new float[extents[d]];
			for (int k = 0; k < extents[d]; k++) {
				cosines[d][k] = (float) Math.cos(-2 * Math.PI * k / extents[d]);
				sines[d][k] = (float) Math.sin(-2 * Math.PI * k / extents[d]);
			}
		}
		twiddleCosines = folded ? allocateRows() : null;
		twiddleSines = folded ? allocateRows() : null;
		for (int k = 0; folded && k < height; k++) {
			final int row = place(k, height);
			for (int x = 0; x < width; x++) {
				final double angle = -2 * Math.PI * ((long) x * k) / points();
				twiddleCosines[row][x] = (float) Math.cos(angle);
				twiddleSines[row][x] = (float) Math.sin(angle);
			}
		}
	}

	/** The place of frequency k of n after a pass: in bit-reversed order within each third. */
	public static int place(final int k, final int n) {
		if (n % 3 == 0) return k % 3 * (n / 3) + place(k / 3, n / 3);
		return n == 1 ? 0 : Integer.reverse(k) >>> Integer.numberOfLeadingZeros(n) + 1;
	}

	/** The extents that are transformed at once, along x, y and z: those of a tile or of a line. */
	public int[] block() {
		return folded ? new int[] { points(), 1, 1 } : new int[] { width, height, depth };
	}

	/** Whether the transform supports this extent. */
	public static boolean suits(final int n) {
		return n >= 1 && (Integer.bitCount(n) == 1 || n % 3 == 0 && Integer.bitCount(n / 3) == 1);
	}

	private static int requireSuited(final int n) {
		if (!suits(n)) throw new IllegalArgumentException("the extent of a tile must be a power of two, or three times a power of two, not " + n);
		return n;
	}

	public int points() {
		return width * height * depth;
	}

	public float[][] allocateRows() {
		return new float[depth * height][width];
	}

	/** The energies of a block of pixels and its spectrum, without values. */
	public SpectralNoise newNoise() {
		return new SpectralNoise(width, height, depth, folded);
	}

	public float[][] allocateSpectrum() {
		return new float[depth * width][height];
	}

	/** Whether rows and spectrum may be the same arrays. Blocks of twice the size then stay in cache. */
	public boolean transposesInPlace() {
		return width == height && depth == 1 && !folded;
	}

	/** Transforms rows to a spectrum. Overwrites the rows. The arrays may be the same if {@link #transposesInPlace}. */
	public void forward(final float[][] re, final float[][] im, final float[][] toRe, final float[][] toIm) {
		for (int z = 0; z < depth; z++) forward(re, im, z * height, 1, height, 1, width);
		for (int y = 0; y < height; y++) forward(re, im, y, height, depth, 2, width);
		for (int y = 0; folded && y < height; y++) twiddleLine(re[y], im[y], twiddleCosines[y], twiddleSines[y], width);
		for (int z = 0; z < depth; z++) {
			transposePlane(re, z * height, height, toRe, z * width, width);
			transposePlane(im, z * height, height, toIm, z * width, width);
			forward(toRe, toIm, z * width, 1, width, 0, height);
		}
	}

	/** Transforms a spectrum to rows. Overwrites the spectrum. The arrays may be the same if {@link #transposesInPlace}. */
	public void inverse(final float[][] re, final float[][] im, final float[][] toRe, final float[][] toIm) {
		for (int z = 0; z < depth; z++) {
			inverse(re, im, z * width, 1, width, 0, height);
			transposePlane(re, z * width, width, toRe, z * height, height);
			transposePlane(im, z * width, width, toIm, z * height, height);
		}
		for (int y = 0; folded && y < height; y++) untwiddleLine(toRe[y], toIm[y], twiddleCosines[y], twiddleSines[y], width);
		for (int y = 0; y < height; y++) inverse(toRe, toIm, y, height, depth, 2, width);
		for (int z = 0; z < depth; z++) inverse(toRe, toIm, z * height, 1, height, 1, width);
	}

	private static void twiddleLine(final float[] re, final float[] im, final float[] c, final float[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final float a = re[x], b = im[x];
			re[x] = a * c[x] - b * s[x];
			im[x] = a * s[x] + b * c[x];
		}
	}

	private static void untwiddleLine(final float[] re, final float[] im, final float[] c, final float[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final float a = re[x], b = im[x];
			re[x] = a * c[x] + b * s[x];
			im[x] = b * c[x] - a * s[x];
		}
	}

	/**
	 * The passes along x of {@link #inverse(float[][], float[][], float[][], float[][])}, for a tile without depth. The result has one row for each column
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

	/** Transforms the columns of a tile without depth, in place. Row {@code place(k, height)} then has frequency k. */
	final void forwardAlongY(final float[][] re, final float[][] im) {
		forward(re, im, 0, 1, height, 1, width);
	}

	/** The inverse of {@link #forwardAlongY}, without its scale factor. */
	final void inverseAlongY(final float[][] re, final float[][] im) {
		inverse(re, im, 0, 1, height, 1, width);
	}

	/** The number of levels in one group: their rows stay in the first-level cache, and the levels are spread evenly over the groups. */
	private static int levels(final int remaining, final int n) {
		final int max = Math.max(2, Math.min(4, 31 - Integer.numberOfLeadingZeros(Math.max(1, GROUP / n))));
		final int groups = (remaining + max - 1) / max;
		return (remaining + groups - 1) / groups;
	}

	/** Transforms the rows first, first + step, … first + (count - 1)·step along dimension {@code d}. Each row has {@code n} values. */
	private void forward(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		if (count % 3 == 0) radix3(re, im, first, step, count, d, n);
		radix2(re, im, first, step, count, d, n);
	}

	/** The inverse of {@link #forward(float[][], float[][], int, int, int, int, int)}, without its scale factor. */
	private void inverse(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		radix2Inverse(re, im, first, step, count, d, n);
		if (count % 3 == 0) radix3Inverse(re, im, first, step, count, d, n);
	}

	/** The level of radix 3, which comes before all others. */
	void radix3(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		final int third = count / 3;
		for (int k = 0; k < third; k++) {
			final int a = first + k * step, b = a + third * step, c = b + third * step;
			SUM_AND_HEIGHT.combine(re[b], im[b], re[c], im[c], 1, 0, n);
			SUM_AND_HALF.combine(re[a], im[a], re[b], im[b], 1, 0, n);
			RADIX3_AFTER.combine(re[b], im[b], re[c], im[c], cosines[d][k], sines[d][k], n);
		}
	}

	/** The inverse of {@link #radix3}. */
	void radix3Inverse(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		final int third = count / 3;
		for (int k = 0; k < third; k++) {
			final int a = first + k * step, b = a + third * step, c = b + third * step;
			RADIX3_BEFORE.combine(re[b], im[b], re[c], im[c], cosines[d][k], sines[d][k], n);
			SUM_AND_HALF.combine(re[a], im[a], re[b], im[b], 1, 0, n);
			RADIX3_END.combine(re[b], im[b], re[c], im[c], 1, 0, n);
		}
	}

	/** The levels of radix 2: of one block of rows, or of three. */
	void radix2(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
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
	void radix2Inverse(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
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

	private void transposePlane(final float[][] a, final int from, final int rows, final float[][] b, final int to, final int columns) {
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

	/** Rows {@code from..} of {@code a} become columns of {@code b}: {@code rows} rows of {@code columns} values. */
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
