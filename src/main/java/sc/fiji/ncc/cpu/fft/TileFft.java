package sc.fiji.ncc.cpu.fft;

import static sc.fiji.ncc.cpu.fft.Butterfly.*;

import sc.fiji.ncc.loops.Vectors;

/**
 * Complex Fourier transform of a tile that stays in cache, in float, by whole rows.
 * <p>
 * A tile is {@code depth·height} rows of {@code width} values, real and imaginary parts apart. A transform along y or z combines whole
 * rows, so its butterflies are loops along x that C2 turns into vector instructions; for the one along x the planes are transposed first
 * and stay so: a spectrum has {@code depth·width} rows of {@code height} values. Decimation in frequency forward, in time backward
 * (Gentleman and Sande 1966; Cooley and Tukey 1965), so that nothing is ever reordered: a spectrum's rows stand in bit-reversed order, which a product
 * of two spectra does not mind. Levels are taken in groups whose rows stay in the first-level cache. Extents are powers of two, or three times one:
 * then one level of radix 3 comes first.
 * <p>
 * A line, one extent alone, has no rows side by side. So it is folded into rows, sample {@code y·width + x} in row y: a transform along y, each value
 * turned by {@code x·k/n}, k its row's frequency, and one along x (Bailey 1990, the four-step transform; Gentleman and Sande 1966).
 * <p>
 * Neither direction scales. Cost: 5·n·log2(n) operations for n points. Immutable; the caller owns the arrays.
 */
public class TileFft {

	/** Floats of one kind that a group of rows may fill: 16 KiB. */
	private static final int GROUP = 4096;
	/** Rows and columns of the squares that change places in a transpose. */
	private static final int SQUARE = 16;

	public final int width, height, depth;
	/** Whether it is a line, folded into {@code height} rows. */
	final boolean folded;
	/** Of 2π·k/n and its negative sine, for each dimension. */
	final float[][] cosines, sines;
	/** Of the turns between the two passes of a line, row by row; null of a tile. */
	private final float[][] turnCosines, turnSines;

	/** The fastest there is on this JVM, of a tile or, with a height and a depth of 1, of a line. */
	public static TileFft of(final int width, final int height, final int depth) {
		final boolean line = height == 1 && depth == 1;
		final int rows = line ? rowsOfLine(width) : height;
		return Vectors.USED ? new VectorTileFft(line ? width / rows : width, rows, depth, line) : new TileFft(line ? width / rows : width, rows, depth, line);
	}

	/** Into how many rows a line is folded: rows are as long as there are many, or up to four times. */
	public static int rowsOfLine(final int n) {
		final int two = Integer.highestOneBit(requireSuited(n)), row = 1 << (Integer.numberOfTrailingZeros(two) + 1) / 2;
		return n / row;
	}

	/** Of a tile. */
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
		turnCosines = folded ? allocateRows() : null;
		turnSines = folded ? allocateRows() : null;
		for (int k = 0; folded && k < height; k++) {
			final int row = place(k, height);
			for (int x = 0; x < width; x++) {
				final double angle = -2 * Math.PI * ((long) x * k) / points();
				turnCosines[row][x] = (float) Math.cos(angle);
				turnSines[row][x] = (float) Math.sin(angle);
			}
		}
	}

	/** Where frequency k of n stands after a pass: in bit-reversed order, after the thirds. */
	static int place(final int k, final int n) {
		if (n % 3 == 0) return k % 3 * (n / 3) + place(k / 3, n / 3);
		return n == 1 ? 0 : Integer.reverse(k) >>> Integer.numberOfLeadingZeros(n) + 1;
	}

	/** What it transforms at once, along x, y and z: a tile's extents or a line's. */
	public int[] block() {
		return folded ? new int[] { points(), 1, 1 } : new int[] { width, height, depth };
	}

	/** Whether a tile may have this extent. */
	public static boolean suits(final int n) {
		return n >= 1 && (Integer.bitCount(n) == 1 || n % 3 == 0 && Integer.bitCount(n / 3) == 1);
	}

	private static int requireSuited(final int n) {
		if (!suits(n)) throw new IllegalArgumentException("the extent of a tile must be a power of two or three times one, not " + n);
		return n;
	}

	public int points() {
		return width * height * depth;
	}

	public float[][] allocateRows() {
		return new float[depth * height][width];
	}

	public float[][] allocateSpectrum() {
		return new float[depth * width][height];
	}

	/** Whether rows and spectrum may be the same arrays: then all stays in cache in blocks twice as large. */
	public boolean turnsInPlace() {
		return width == height && depth == 1 && !folded;
	}

	/** From rows, which it overwrites, to a spectrum; to the same arrays where it {@link #turnsInPlace}. */
	public void forward(final float[][] re, final float[][] im, final float[][] toRe, final float[][] toIm) {
		for (int z = 0; z < depth; z++) forward(re, im, z * height, 1, height, 1, width);
		for (int y = 0; y < height; y++) forward(re, im, y, height, depth, 2, width);
		for (int y = 0; folded && y < height; y++) turnLine(re[y], im[y], turnCosines[y], turnSines[y], width);
		for (int z = 0; z < depth; z++) {
			turnPlane(re, z * height, height, toRe, z * width, width);
			turnPlane(im, z * height, height, toIm, z * width, width);
			forward(toRe, toIm, z * width, 1, width, 0, height);
		}
	}

	/** From a spectrum, which it overwrites, to rows; to the same arrays where it {@link #turnsInPlace}. */
	public void inverse(final float[][] re, final float[][] im, final float[][] toRe, final float[][] toIm) {
		for (int z = 0; z < depth; z++) {
			inverse(re, im, z * width, 1, width, 0, height);
			turnPlane(re, z * width, width, toRe, z * height, height);
			turnPlane(im, z * width, width, toIm, z * height, height);
		}
		for (int y = 0; folded && y < height; y++) turnLineBack(toRe[y], toIm[y], turnCosines[y], turnSines[y], width);
		for (int y = 0; y < height; y++) inverse(toRe, toIm, y, height, depth, 2, width);
		for (int z = 0; z < depth; z++) inverse(toRe, toIm, z * height, 1, height, 1, width);
	}

	private static void turnLine(final float[] re, final float[] im, final float[] c, final float[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final float a = re[x], b = im[x];
			re[x] = a * c[x] - b * s[x];
			im[x] = a * s[x] + b * c[x];
		}
	}

	private static void turnLineBack(final float[] re, final float[] im, final float[] c, final float[] s, final int n) {
		for (int x = 0; x < n; x++) {
			final float a = re[x], b = im[x];
			re[x] = a * c[x] + b * s[x];
			im[x] = b * c[x] - a * s[x];
		}
	}

	/** The passes of {@link #inverse(float[][], float[][], float[][], float[][])} along x, of a tile without depth: a row for each column of what comes back. */
	public void inverseAlongX(final float[][] re, final float[][] im) {
		inverse(re, im, 0, 1, width, 0, height);
	}

	/** The rest of it after {@link #inverseAlongX}, for the first columns alone. */
	public void inverseAlongY(final float[][] re, final float[][] im, final float[][] toRe, final float[][] toIm, final int columns) {
		// whole vectors
		final int n = Math.min(width, (columns + 15) & -16);
		transpose(re, 0, n, toRe, 0, height);
		transpose(im, 0, n, toIm, 0, height);
		inverse(toRe, toIm, 0, 1, height, 1, n);
	}

	/** Levels in one group: as many rows as stay in the first-level cache, spread evenly over the groups. */
	private static int levels(final int left, final int n) {
		final int most = Math.max(2, Math.min(4, 31 - Integer.numberOfLeadingZeros(Math.max(1, GROUP / n))));
		final int groups = (left + most - 1) / most;
		return (left + groups - 1) / groups;
	}

	/** Rows first, first + step, … first + (count - 1)·step, along dimension {@code d}; each has {@code n} values. */
	private void forward(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		if (count % 3 == 0) thirds(re, im, first, step, count, d, n);
		halves(re, im, first, step, count, d, n);
	}

	/** Undoes {@link #forward(float[][], float[][], int, int, int, int, int)}, but for a factor. */
	private void inverse(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		halvesBack(re, im, first, step, count, d, n);
		if (count % 3 == 0) thirdsBack(re, im, first, step, count, d, n);
	}

	/** The level of radix 3, before all others. */
	void thirds(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		final int third = count / 3;
		for (int k = 0; k < third; k++) {
			final int a = first + k * step, b = a + third * step, c = b + third * step;
			turn(SUM_AND_HEIGHT, re[b], im[b], re[c], im[c], 1, 0, n);
			turn(SUM_AND_HALF, re[a], im[a], re[b], im[b], 1, 0, n);
			turn(THIRDS_AFTER, re[b], im[b], re[c], im[c], cosines[d][k], sines[d][k], n);
		}
	}

	/** Undoes {@link #thirds}. */
	void thirdsBack(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		final int third = count / 3;
		for (int k = 0; k < third; k++) {
			final int a = first + k * step, b = a + third * step, c = b + third * step;
			turn(THIRDS_BEFORE, re[b], im[b], re[c], im[c], cosines[d][k], sines[d][k], n);
			turn(SUM_AND_HALF, re[a], im[a], re[b], im[b], 1, 0, n);
			turn(THIRDS_END, re[b], im[b], re[c], im[c], 1, 0, n);
		}
	}

	/** The levels of radix 2, of one block of rows or of three. */
	void halves(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		int left = Integer.numberOfTrailingZeros(count);
		for (int length = 1 << left; left > 0;) {
			final int levels = levels(left, n), rows = 1 << levels, apart = length >> levels;
			for (int block = 0; block < count; block += length)
				for (int k = 0; k < apart; k++)
					for (int l = length; l > apart; l >>= 1)
						for (int b = block; b < block + length; b += l)
							for (int m = k; m < l / 2; m += apart) {
								final int i = first + (b + m) * step, j = i + l / 2 * step, t = m * (count / l);
								turn(t == 0 ? SUM_AND_DIFFERENCE : TURN_AFTER, re[i], im[i], re[j], im[j], cosines[d][t], sines[d][t], n);
							}
			length /= rows;
			left -= levels;
		}
	}

	/** Undoes {@link #halves}. */
	void halvesBack(final float[][] re, final float[][] im, final int first, final int step, final int count, final int d, final int n) {
		// the groups of forward, last one first
		final int[] groups = new int[32];
		int number = 0;
		for (int left = Integer.numberOfTrailingZeros(count); left > 0; left -= groups[number - 1]) groups[number++] = levels(left, n);
		int apart = 1;
		while (number > 0) {
			final int length = apart << groups[--number];
			for (int block = 0; block < count; block += length)
				for (int k = 0; k < apart; k++)
					for (int l = 2 * apart; l <= length; l <<= 1)
						for (int b = block; b < block + length; b += l)
							for (int m = k; m < l / 2; m += apart) {
								final int i = first + (b + m) * step, j = i + l / 2 * step, t = m * (count / l);
								turn(t == 0 ? SUM_AND_DIFFERENCE : TURN_BEFORE, re[i], im[i], re[j], im[j], cosines[d][t], sines[d][t], n);
							}
			apart = length;
		}
	}

	private void turnPlane(final float[][] a, final int from, final int rows, final float[][] b, final int to, final int columns) {
		if (a != b) transpose(a, from, rows, b, to, columns);
		else if (turnsInPlace()) transpose(a);
		else throw new IllegalArgumentException("a tile of " + width + "x" + height + "x" + depth + " is not transposed in place");
	}

	/** Rows of a square become its columns, and columns rows. */
	void transpose(final float[][] a) {
		for (int y = 0; y < a.length; y += SQUARE)
			for (int x = y; x < a.length; x += SQUARE)
				for (int i = y; i < Math.min(y + SQUARE, a.length); i++) exchange(a, i, Math.max(x, i + 1), Math.min(x + SQUARE, a.length));
	}

	private static void exchange(final float[][] a, final int y, final int from, final int until) {
		final float[] row = a[y];
		for (int x = from; x < until; x++) {
			final float v = row[x];
			row[x] = a[x][y];
			a[x][y] = v;
		}
	}

	/** Rows {@code from..} of {@code a}, {@code rows} of them with {@code columns} values, become columns of {@code b}. */
	void transpose(final float[][] a, final int from, final int rows, final float[][] b, final int to, final int columns) {
		int y = 0;
		for (; y + 4 <= rows; y += 4) four(a[from + y], a[from + y + 1], a[from + y + 2], a[from + y + 3], b, to, y, columns);
		for (; y < rows; y++)
			for (int x = 0; x < columns; x++) b[to + x][y] = a[from + y][x];
	}

	private static void four(final float[] p, final float[] q, final float[] r, final float[] s, final float[][] b, final int to, final int y,
		final int columns)
	{
		for (int x = 0; x < columns; x++) {
			final float[] t = b[to + x];
			t[y] = p[x];
			t[y + 1] = q[x];
			t[y + 2] = r[x];
			t[y + 3] = s[x];
		}
	}
}
