package sc.fiji.ncc.cpu.fourier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.StripFft;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.fourier.Polyphase.Row;
import sc.fiji.ncc.estimate.LineEnergies;
import sc.fiji.ncc.estimate.PixelNoise;
import sc.fiji.ncc.estimate.ResultNoise;
import sc.fiji.ncc.estimate.SignedSums;
import sc.fiji.ncc.loops.Rows;

/**
 * Transforms of real images that are too large for a cache, in float. Two rows of pixels are one complex row ({@link Polyphase}). All levels of a dimension
 * are computed in a strip of columns that stays in cache, so an image passes the memory once for each dimension and direction. Strips are independent: several
 * threads take one after the other. A strip of frequencies along y and the strip of the negative frequencies are computed together. Immutable.
 */
final class WholeTransform {

	/** Pixels, row by row. */
	interface Source {

		/** Reads {@code n} pixels of row {@code y}. */
		void read(int y, int x, int n, float[] to);
	}

	/** Two strips of frequencies, of all frequencies along x: a strip, and that of the negative frequencies. */
	static final class Pair {

		final float[][] re, im, mirrorRe, mirrorIm;

		Pair(final StripFft fft) {
			re = fft.allocate();
			im = fft.allocate();
			mirrorRe = fft.allocate();
			mirrorIm = fft.allocate();
		}

		void copy(final Pair from) {
			for (int x = 0; x < re.length; x++) {
				System.arraycopy(from.re[x], 0, re[x], 0, re[x].length);
				System.arraycopy(from.im[x], 0, im[x], 0, im[x].length);
				System.arraycopy(from.mirrorRe[x], 0, mirrorRe[x], 0, re[x].length);
				System.arraycopy(from.mirrorIm[x], 0, mirrorIm[x], 0, re[x].length);
			}
		}
	}

	/** The working memory of one thread. */
	static final class Memory {

		final Pair pair;
		private final float[][] re, im, rows, rowsIm;
		private final Row mirror;
		private final float[] columns, squares;
		private final Polyphase polyphase;

		private Memory(final WholeTransform t) {
			pair = new Pair(t.alongX);
			re = t.alongY.allocate();
			im = t.alongY.allocate();
			rows = new float[t.shape.columns][];
			rowsIm = new float[t.shape.columns][];
			final int n = Math.max(t.shape.strip, t.shape.columns);
			mirror = Row.allocate(t.shape.strip);
			columns = new float[n];
			squares = new float[n];
			polyphase = new Polyphase(t.shape.strip);
		}
	}

	final WholeShape shape;
	private final StripFft alongX, alongY;
	/** For each place of a frequency, the place of the negative frequency. */
	private final int[] mirrorX, mirrorY;
	/** The first places of each pair of strips; equal if a strip holds its own negative frequencies. */
	private final int[] first, second;
	/** exp(2πik/n) at each place of a frequency k of n complex rows. */
	private final float[] cosines, sines;

	WholeTransform(final WholeShape shape) {
		this.shape = shape;
		alongX = new StripFft(shape.width, shape.strip);
		alongY = new StripFft(shape.rows(), shape.columns);
		mirrorX = TileFft.negative(shape.width);
		mirrorY = TileFft.negative(shape.rows());
		final List<int[]> pairs = new ArrayList<>();
		for (int s = 0; s < shape.rows(); s += shape.strip) {
			final int other = mirrorY[s] / shape.strip * shape.strip;
			if (other >= s) pairs.add(new int[] { s, other });
		}
		first = pairs.stream().mapToInt(p -> p[0]).toArray();
		second = pairs.stream().mapToInt(p -> p[1]).toArray();
		cosines = new float[shape.rows()];
		sines = new float[shape.rows()];
		for (int k = 0; k < shape.rows(); k++) {
			cosines[TileFft.place(k, shape.rows())] = (float) Math.cos(2 * Math.PI * k / shape.rows());
			sines[TileFft.place(k, shape.rows())] = (float) Math.sin(2 * Math.PI * k / shape.rows());
		}
	}

	Memory memory() {
		return new Memory(this);
	}

	Pair newPair() {
		return new Pair(alongX);
	}

	/** The number of strips of so many columns. */
	int strips(final int columns) {
		return (columns + shape.columns - 1) / shape.columns;
	}

	/** The number of pairs of strips of frequencies. */
	int pairs() {
		return first.length;
	}

	boolean ownMirror(final int pair) {
		return first[pair] == second[pair];
	}

	/**
	 * Pixels and their place in a transform.
	 *
	 * @param x0, y0 where the first pixel lies in the transform; pixels beyond its end continue at its start
	 */
	record Placed(Source source, int width, int height, int x0, int y0) {

		private void read(final int x, final int n, final int y, final float[] to) {
			if (y < height) source.read(y, x, n, to);
			Arrays.fill(to, y < height ? n : 0, to.length, 0);
		}
	}

	/**
	 * Transforms a strip of columns along y.
	 *
	 * @param to for each x of the transform a row of frequencies; null until its column was transformed
	 * @param noise receives the energies of the columns of the transform. Default: null
	 * @return the energies of the rows of the strip; null without {@code noise}
	 */
	double[] alongY(final Placed from, final int strip, final Memory memory, final float[][] toRe, final float[][] toIm, final PixelNoise noise) {
		final int x = strip * shape.columns, n = Math.min(shape.columns, from.width - x);
		final double[] energies = noise == null ? null : new double[shape.height];
		Arrays.fill(memory.columns, 0);
		for (int k = 0; k < shape.rows(); k++) {
			from.read(x, n, Math.floorMod(2 * k - from.y0, shape.height), memory.re[k]);
			from.read(x, n, Math.floorMod(2 * k + 1 - from.y0, shape.height), memory.im[k]);
			if (noise == null) continue;
			energies[2 * k] = Rows.addEnergies(memory.re[k], memory.columns, n);
			energies[2 * k + 1] = Rows.addEnergies(memory.im[k], memory.columns, n);
		}
		alongY.forward(memory.re, memory.im);
		for (int i = 0; i < n; i++) {
			final int place = Math.floorMod(from.x0 + x + i, shape.width);
			if (noise != null) noise.setColumn(place, memory.columns[i]);
			memory.rows[i] = toRe[place] = new float[shape.rows()];
			memory.rowsIm[i] = toIm[place] = new float[shape.rows()];
		}
		alongY.toRows(memory.re, memory.rows, n);
		alongY.toRows(memory.im, memory.rowsIm, n);
		return energies;
	}

	/** Transforms a pair of strips of frequencies along x, from rows of {@link #alongY}. */
	void alongX(final float[][] fromRe, final float[][] fromIm, final int index, final Pair to) {
		gather(fromRe, first[index], to.re);
		gather(fromIm, first[index], to.im);
		alongX.forward(to.re, to.im);
		if (ownMirror(index)) {
			for (int x = 0; x < shape.width; x++) {
				System.arraycopy(to.re[x], 0, to.mirrorRe[x], 0, shape.strip);
				System.arraycopy(to.im[x], 0, to.mirrorIm[x], 0, shape.strip);
			}
			return;
		}
		gather(fromRe, second[index], to.mirrorRe);
		gather(fromIm, second[index], to.mirrorIm);
		alongX.forward(to.mirrorRe, to.mirrorIm);
	}

	private void gather(final float[][] from, final int at, final float[][] to) {
		for (int x = 0; x < shape.width; x++)
			if (from[x] == null) Arrays.fill(to[x], 0);
			else System.arraycopy(from[x], at, to[x], 0, shape.strip);
	}

	LineEnergies newEnergies() {
		return new LineEnergies(shape.width, shape.height, shape.strip, mirrorX, mirrorY);
	}

	/** Measures the energies of a pair of strips of a spectrum. */
	void measure(final Pair pair, final int index, final Memory memory, final LineEnergies to) {
		measure(pair.re, pair.im, first[index], memory, to);
		if (!ownMirror(index)) measure(pair.mirrorRe, pair.mirrorIm, second[index], memory, to);
	}

	private void measure(final float[][] re, final float[][] im, final int at, final Memory memory, final LineEnergies to) {
		final double[] rows = new double[shape.width];
		Arrays.fill(memory.columns, 0);
		for (int x = 0; x < shape.width; x++) rows[x] = Rows.addEnergies(re[x], im[x], memory.columns, memory.squares, shape.strip);
		to.set(rows, memory.columns, at, shape.strip);
	}

	/**
	 * Replaces a pair of strips of a template's packed spectrum by the spectra of its even rows and, in place of the negative frequencies, of its odd rows.
	 *
	 * @param scale multiplies both
	 */
	void separate(final Pair pair, final int index, final float scale, final Memory memory) {
		final int n = shape.strip;
		final float[][] odd = new float[2 * shape.width][n];
		final Row even = Row.allocate(n);
		for (int x = 0; x < shape.width; x++) {
			takeMirror(pair, x, index, memory);
			Polyphase.separate(new Row(pair.re[x], pair.im[x]), memory.mirror, even, new Row(odd[2 * x], odd[2 * x + 1]), n);
			for (int i = 0; i < n; i++) {
				pair.re[x][i] = scale * even.re()[i];
				pair.im[x][i] = scale * even.im()[i];
			}
		}
		for (int x = 0; x < shape.width; x++)
			for (int i = 0; i < n; i++) {
				pair.mirrorRe[x][i] = scale * odd[2 * x][i];
				pair.mirrorIm[x][i] = scale * odd[2 * x + 1][i];
			}
	}

	/** The values at the negative frequencies of row {@code x}. */
	private void takeMirror(final Pair pair, final int x, final int index, final Memory memory) {
		final float[] re = pair.mirrorRe[mirrorX[x]], im = pair.mirrorIm[mirrorX[x]];
		final int from = first[index], to = second[index];
		for (int i = 0; i < shape.strip; i++) {
			final int m = mirrorY[from + i] - to;
			memory.mirror.re()[i] = re[m];
			memory.mirror.im()[i] = im[m];
		}
	}

	private void putMirror(final Pair pair, final int x, final int index, final Memory memory) {
		final float[] re = pair.mirrorRe[mirrorX[x]], im = pair.mirrorIm[mirrorX[x]];
		final int from = first[index], to = second[index];
		for (int i = 0; i < shape.strip; i++) {
			final int m = mirrorY[from + i] - to;
			re[m] = memory.mirror.re()[i];
			im[m] = memory.mirror.im()[i];
		}
	}

	/**
	 * Replaces a pair of strips of an image's spectrum by that of its correlation with a template.
	 *
	 * @param template the result of {@link #separate}
	 */
	void correlate(final Pair pair, final Pair template, final int index, final Memory memory) {
		final int n = shape.strip;
		final Row w = new Row(Arrays.copyOfRange(cosines, first[index], first[index] + n), Arrays.copyOfRange(sines, first[index], first[index] + n));
		for (int x = 0; x < shape.width; x++) {
			takeMirror(pair, x, index, memory);
			memory.polyphase.correlate(new Row(pair.re[x], pair.im[x]), memory.mirror, new Row(template.re[x], template.im[x]),
				new Row(template.mirrorRe[x], template.mirrorIm[x]), w, n);
			if (!ownMirror(index)) putMirror(pair, x, index, memory);
		}
	}

	/** The inverse of {@link #alongX}, for the first columns, which are lags, and for the {@link SignedSums} of the others: these rows of frequencies exist. */
	void inverseAlongX(final Pair pair, final int index, final int lags, final float[][] toRe, final float[][] toIm) {
		scatter(pair.re, pair.im, first[index], lags, toRe, toIm);
		if (!ownMirror(index)) scatter(pair.mirrorRe, pair.mirrorIm, second[index], lags, toRe, toIm);
	}

	private void scatter(final float[][] re, final float[][] im, final int at, final int lags, final float[][] toRe, final float[][] toIm) {
		alongX.inverse(re, im);
		for (int x = 0; x < SignedSums.columns(lags, shape.width); x++) {
			System.arraycopy(re[x], 0, toRe[x], at, shape.strip);
			System.arraycopy(im[x], 0, toIm[x], at, shape.strip);
		}
		for (int x = lags + SignedSums.COUNT; x < shape.width; x++) {
			final int place = SignedSums.place(x, lags);
			SignedSums.add(x, re[x], 0, toRe[place], at, shape.strip);
			SignedSums.add(x, im[x], 0, toIm[place], at, shape.strip);
		}
	}

	/**
	 * Transforms a strip of columns back along y.
	 *
	 * @param to the first pixels of the first rows of the image
	 * @param noise receives the energies of columns and rows
	 */
	void inverseAlongY(final float[][] fromRe, final float[][] fromIm, final int strip, final Memory memory, final float[][] to, final ResultNoise noise) {
		final int x = strip * shape.columns, n = Math.min(shape.columns, noise.columns() - x);
		System.arraycopy(fromRe, x, memory.rows, 0, n);
		System.arraycopy(fromIm, x, memory.rowsIm, 0, n);
		alongY.fromRows(memory.rows, memory.re, n);
		alongY.fromRows(memory.rowsIm, memory.im, n);
		alongY.inverse(memory.re, memory.im);
		final double[] energies = new double[shape.height];
		Arrays.fill(memory.columns, 0);
		for (int k = 0; k < shape.rows(); k++) {
			energies[2 * k] = Rows.addEnergies(memory.re[k], memory.columns, n);
			energies[2 * k + 1] = Rows.addEnergies(memory.im[k], memory.columns, n);
		}
		noise.set(strip, x, memory.columns, n, energies);
		final int lags = Math.min(n, to[0].length - x);
		for (int y = 0; y < to.length && lags > 0; y++) System.arraycopy((y % 2 == 0 ? memory.re : memory.im)[y / 2], 0, to[y], x, lags);
	}
}
