package sc.fiji.ncc.cpu.fft;

/**
 * Complex Fourier transform of a tile that stays in cache, by whole rows.
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
 *
 * @param <A> a row: an array of float or double
 */
public abstract class Passes<A> {

	/** The bytes of real or imaginary parts that a group of rows may hold. */
	private static final int BYTES = 1 << 14;

	public final int width, height, depth;
	/** Whether this transforms a line, folded into {@code height} rows. */
	public final boolean folded;
	/** The cosine of 2π·k/n, and its negative sine, for each dimension. */
	final double[][] cosines, sines;
	private final Butterfly.Set<A> apply;
	private final int bytes;
	/** The twiddle factors between the two passes of a line, row by row; null for a tile. */
	private final A[] twiddleCosines, twiddleSines;

	/** @param bytes those of a number */
	Passes(final int width, final int height, final int depth, final boolean folded, final Butterfly.Set<A> apply, final int bytes) {
		this.width = requireSuited(width);
		this.height = requireSuited(height);
		this.depth = requireSuited(depth);
		this.folded = folded;
		this.apply = apply;
		this.bytes = bytes;
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
			final int row = place(k, height);
			for (int x = 0; x < width; x++) {
				final double angle = -2 * Math.PI * ((long) x * k) / points();
				set(twiddleCosines[row], x, Math.cos(angle));
				set(twiddleSines[row], x, Math.sin(angle));
			}
		}
	}

	/** Whether the transform supports this extent. */
	public static boolean suits(final int n) {
		return n >= 1 && (Integer.bitCount(n) == 1 || n % 3 == 0 && Integer.bitCount(n / 3) == 1);
	}

	static int requireSuited(final int n) {
		if (!suits(n)) throw new IllegalArgumentException("the extent of a tile must be a power of two, or three times a power of two, not " + n);
		return n;
	}

	/** The place of frequency k of n after a pass: in bit-reversed order within each third. */
	public static int place(final int k, final int n) {
		if (n % 3 == 0) return k % 3 * (n / 3) + place(k / 3, n / 3);
		return n == 1 ? 0 : Integer.reverse(k) >>> Integer.numberOfLeadingZeros(n) + 1;
	}

	/** For the place of each frequency of n after a pass, the place of the negative frequency. */
	public static int[] negative(final int n) {
		final int[] places = new int[n];
		for (int k = 0; k < n; k++) places[place(k, n)] = place((n - k) % n, n);
		return places;
	}

	/** The number of rows of a folded line: a row is 1 to 4 times as long as the number of rows. */
	public static int rowsOfLine(final int n) {
		final int power = Integer.highestOneBit(requireSuited(n)), row = 1 << (Integer.numberOfTrailingZeros(power) + 1) / 2;
		return n / row;
	}

	public final int points() {
		return width * height * depth;
	}

	public abstract A[] allocateRows();

	abstract void set(A row, int x, double value);

	/** Multiplies values by twiddle factors. */
	abstract void twiddle(A re, A im, A cosines, A sines, int n);

	/** Divides them. */
	abstract void untwiddle(A re, A im, A cosines, A sines, int n);

	/** Rows {@code from..} of {@code a} become columns of {@code b}: {@code rows} rows of {@code columns} values. */
	abstract void transpose(A[] a, int from, int rows, A[] b, int to, int columns);

	/** The same for a plane of a transform, whose rows and spectrum may have the same arrays. */
	void transposePlane(final A[] a, final int from, final int rows, final A[] b, final int to, final int columns) {
		transpose(a, from, rows, b, to, columns);
	}

	/** Transforms rows to a spectrum. Overwrites the rows. */
	public final void forward(final A[] re, final A[] im, final A[] toRe, final A[] toIm) {
		forward(re, im, width, toRe, toIm);
	}

	/** The same. @param columns the length of the rows: values beyond are 0, and so is the spectrum's memory */
	public final void forward(final A[] re, final A[] im, final int columns, final A[] toRe, final A[] toIm) {
		for (int z = 0; z < depth; z++) forward(re, im, z * height, 1, height, 1, columns);
		for (int y = 0; y < height; y++) forward(re, im, y, height, depth, 2, columns);
		for (int y = 0; folded && y < height; y++) twiddle(re[y], im[y], twiddleCosines[y], twiddleSines[y], columns);
		for (int z = 0; z < depth; z++) {
			transposePlane(re, z * height, height, toRe, z * width, columns);
			transposePlane(im, z * height, height, toIm, z * width, columns);
			forward(toRe, toIm, z * width, 1, width, 0, height);
		}
	}

	/** Transforms a spectrum to rows. Overwrites the spectrum. */
	public final void inverse(final A[] re, final A[] im, final A[] toRe, final A[] toIm) {
		for (int z = 0; z < depth; z++) {
			inverse(re, im, z * width, 1, width, 0, height);
			transposePlane(re, z * width, width, toRe, z * height, height);
			transposePlane(im, z * width, width, toIm, z * height, height);
		}
		for (int y = 0; folded && y < height; y++) untwiddle(toRe[y], toIm[y], twiddleCosines[y], twiddleSines[y], width);
		for (int y = 0; y < height; y++) inverse(toRe, toIm, y, height, depth, 2, width);
		for (int z = 0; z < depth; z++) inverse(toRe, toIm, z * height, 1, height, 1, width);
	}

	/**
	 * Transforms the first columns in place, along y alone, of a tile without depth. Row {@code place(k, height)} then has frequency k.
	 *
	 * @param columns the number of columns
	 */
	public final void forwardColumns(final A[] re, final A[] im, final int columns) {
		forward(re, im, 0, 1, height, 1, columns);
	}

	/** The inverse of {@link #forwardColumns}, without its scale factor. */
	public final void inverseColumns(final A[] re, final A[] im, final int columns) {
		inverse(re, im, 0, 1, height, 1, columns);
	}

	/** The number of levels in one group: their rows stay in the first-level cache, and the levels are spread evenly over the groups. */
	private int levels(final int remaining, final int n) {
		final int max = Math.max(2, Math.min(4, 31 - Integer.numberOfLeadingZeros(Math.max(1, BYTES / bytes / n))));
		final int groups = (remaining + max - 1) / max;
		return (remaining + groups - 1) / groups;
	}

	/** Transforms the rows first, first + step, … first + (count - 1)·step along dimension {@code d}. Each row has {@code n} values. */
	private void forward(final A[] re, final A[] im, final int first, final int step, final int count, final int d, final int n) {
		if (count % 3 == 0) radix3(re, im, first, step, count, d, n);
		radix2(re, im, first, step, count, d, n);
	}

	/** The inverse of these passes, without its scale factor. */
	final void inverse(final A[] re, final A[] im, final int first, final int step, final int count, final int d, final int n) {
		radix2Inverse(re, im, first, step, count, d, n);
		if (count % 3 == 0) radix3Inverse(re, im, first, step, count, d, n);
	}

	/** The level of radix 3, which comes before all others. */
	void radix3(final A[] re, final A[] im, final int first, final int step, final int count, final int d, final int n) {
		final int third = count / 3;
		for (int k = 0; k < third; k++) {
			final int a = first + k * step, b = a + third * step, c = b + third * step;
			apply.sumAndHeight().combine(re[b], im[b], re[c], im[c], 1, 0, n);
			apply.sumAndHalf().combine(re[a], im[a], re[b], im[b], 1, 0, n);
			apply.radix3After().combine(re[b], im[b], re[c], im[c], cosines[d][k], sines[d][k], n);
		}
	}

	/** The inverse of {@link #radix3}. */
	void radix3Inverse(final A[] re, final A[] im, final int first, final int step, final int count, final int d, final int n) {
		final int third = count / 3;
		for (int k = 0; k < third; k++) {
			final int a = first + k * step, b = a + third * step, c = b + third * step;
			apply.radix3Before().combine(re[b], im[b], re[c], im[c], cosines[d][k], sines[d][k], n);
			apply.sumAndHalf().combine(re[a], im[a], re[b], im[b], 1, 0, n);
			apply.radix3End().combine(re[b], im[b], re[c], im[c], 1, 0, n);
		}
	}

	/** The levels of radix 2: of one block of rows, or of three. */
	void radix2(final A[] re, final A[] im, final int first, final int step, final int count, final int d, final int n) {
		int remaining = Integer.numberOfTrailingZeros(count);
		for (int length = 1 << remaining; remaining > 0;) {
			final int levels = levels(remaining, n), rows = 1 << levels, apart = length >> levels;
			for (int block = 0; block < count; block += length)
				for (int k = 0; k < apart; k++)
					for (int l = length; l > apart; l >>= 1)
						for (int b = block; b < block + length; b += l)
							for (int m = k; m < l / 2; m += apart) {
								final int i = first + (b + m) * step, j = i + l / 2 * step, t = m * (count / l);
								(t == 0 ? apply.sumAndDifference() : apply.twiddleAfter()).combine(re[i], im[i], re[j], im[j], cosines[d][t], sines[d][t], n);
							}
			length /= rows;
			remaining -= levels;
		}
	}

	/** The inverse of {@link #radix2}. */
	void radix2Inverse(final A[] re, final A[] im, final int first, final int step, final int count, final int d, final int n) {
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
								(t == 0 ? apply.sumAndDifference() : apply.twiddleBefore()).combine(re[i], im[i], re[j], im[j], cosines[d][t], sines[d][t], n);
							}
			apart = length;
		}
	}
}
