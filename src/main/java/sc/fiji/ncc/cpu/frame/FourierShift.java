package sc.fiji.ncc.cpu.frame;

import sc.fiji.ncc.cpu.fft.DoubleTileFft;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.plan.resample.Sampler;

/**
 * Moves pixels by a part of a pixel: the phases of their Fourier transform change, so fine detail and noise keep their strength, and the
 * opposite shift restores the pixels. The phase is a product of one factor for each dimension, so lines of pixels are moved along x, then
 * along y, then along z. A transform repeats a line without end. To avoid a step between its end and its beginning, values that lead
 * smoothly from one to the other are added. Cost: {@code O(n·log n)} for n pixels, and 8 bytes for each pixel.
 */
public final class FourierShift {

	/**
	 * The number of lines that are transformed together; two at a time, as the real and the imaginary parts of one line, because a shift keeps real
	 * numbers real.
	 */
	private static final int LINES = 64;

	private FourierShift() {}

	/**
	 * Moves pixels by less than a pixel.
	 *
	 * @param pixels the pixels, x fastest, all finite
	 * @param extents the extents along x, y and z
	 * @param fraction the shift along x, y and z: the result at x is the value at x + fraction
	 * @return as many pixels
	 */
	public static double[] move(final double[] pixels, final int[] extents, final double[] fraction) {
		final double[] moved = pixels.clone();
		for (int d = 0, stride = 1; d < 3; stride *= extents[d++]) if (extents[d] > 1 && fraction[d] != 0) move(moved, extents[d], stride, fraction[d]);
		return moved;
	}

	/** Moves lines of {@code n} pixels that are {@code stride} apart. */
	private static void move(final double[] pixels, final int n, final int stride, final double fraction) {
		final int points = Sampler.points(n);
		final DoubleTileFft fft = DoubleTileFft.of(1, points, 1);
		final double[][] re = new double[points][LINES / 2], im = new double[points][LINES / 2], phases = phases(points, fraction);
		final int lines = pixels.length / n;
		for (int first = 0; first < lines; first += LINES) {
			final int count = Math.min(LINES, lines - first), half = (count + 1) / 2;
			for (int i = 0; i < n; i++) {
				for (int l = 0; l < half; l++) re[i][l] = pixels[place(first + l, i, n, stride)];
				for (int l = half; l < count; l++) im[i][l - half] = pixels[place(first + l, i, n, stride)];
			}
			for (int i = n; i < points; i++) {
				final double share = 0.5 - 0.5 * Math.cos(Math.PI * (i - n + 1) / (points - n + 1));
				mix(re[n - 1], re[0], share, re[i]);
				mix(im[n - 1], im[0], share, im[i]);
			}
			fft.forwardColumns(re, im, half);
			for (int k = 0; k < points; k++) turn(re[k], im[k], phases[0][k], phases[1][k], half);
			fft.inverseColumns(re, im, half);
			for (int i = 0; i < n; i++) {
				for (int l = 0; l < half; l++) pixels[place(first + l, i, n, stride)] = re[i][l];
				for (int l = half; l < count; l++) pixels[place(first + l, i, n, stride)] = im[i][l - half];
			}
		}
	}

	/** The index of a pixel of a line. Lines are counted in the order of their first pixels. */
	private static int place(final int line, final int i, final int n, final int stride) {
		return line / stride * stride * n + line % stride + i * stride;
	}

	/** The share of the beginning grows from the end on. */
	private static void mix(final double[] end, final double[] beginning, final double share, final double[] to) {
		for (int l = 0; l < to.length; l++) to[l] = end[l] + share * (beginning[l] - end[l]);
	}

	/**
	 * For each place of a frequency, the cosine and the sine of its phase, divided by the number of points. The highest frequency of an even
	 * number of points has no sign, and keeps the real part.
	 */
	private static double[][] phases(final int n, final double fraction) {
		final double[][] phases = new double[2][n];
		for (int k = 0; k < n; k++) {
			final int place = TileFft.place(k, n);
			final double angle = 2 * Math.PI * (2 * k <= n ? k : k - n) * fraction / n;
			phases[0][place] = Math.cos(angle) / n;
			phases[1][place] = 2 * k == n ? 0 : Math.sin(angle) / n;
		}
		return phases;
	}

	private static void turn(final double[] re, final double[] im, final double c, final double s, final int n) {
		for (int l = 0; l < n; l++) {
			final double a = re[l], b = im[l];
			re[l] = a * c - b * s;
			im[l] = a * s + b * c;
		}
	}
}
