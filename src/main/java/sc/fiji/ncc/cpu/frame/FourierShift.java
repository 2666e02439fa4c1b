package sc.fiji.ncc.cpu.frame;

import sc.fiji.ncc.cpu.fft.DoubleTileFft;
import sc.fiji.ncc.cpu.fft.TileFft;

/**
 * Moves pixels by a part of a pixel: the phases of their Fourier transform change, so fine detail and noise keep their strength, and the opposite shift restores the
 * pixels. The transform repeats the pixels without end. To avoid a step between the end and the beginning, values that lead smoothly from one to the other are added
 * along each dimension. Cost: {@code O(n·log n)} for n pixels, and 32 bytes for each point of the transform.
 */
public final class FourierShift {

	private FourierShift() {}

	/**
	 * Moves pixels by less than a pixel.
	 *
	 * @param pixels the pixels, x fastest, all finite
	 * @param extents the extents along x, y and z
	 * @param gap the smallest number of values between the end and the beginning along a dimension of several pixels
	 * @param fraction the shift along x, y and z: the result at x is the value at x + fraction
	 * @return as many pixels
	 */
	public static double[] move(final double[] pixels, final int[] extents, final int gap, final double[] fraction) {
		final int[] points = new int[3];
		for (int d = 0; d < 3; d++) points[d] = extents[d] == 1 ? 1 : suited(extents[d] + gap);
		// a transform of a line has another layout
		if (points[1] == 1 && points[2] == 1) points[1] = 2;
		final DoubleTileFft fft = DoubleTileFft.of(points[0], points[1], points[2]);
		final double[][] re = fft.allocateRows(), im = fft.allocateRows(), spectrumRe = fft.allocateSpectrum(), spectrumIm = fft.allocateSpectrum();
		fill(re, pixels, extents, points);
		fft.forward(re, im, spectrumRe, spectrumIm);
		final double[][] x = phases(points[0], fraction[0]), y = phases(points[1], fraction[1]), z = phases(points[2], fraction[2]);
		final double scale = 1.0 / fft.points();
		for (int k = 0; k < points[2]; k++)
			for (int i = 0; i < points[0]; i++) {
				final double cos = scale * (x[0][i] * z[0][k] - x[1][i] * z[1][k]), sin = scale * (x[0][i] * z[1][k] + x[1][i] * z[0][k]);
				turn(spectrumRe[k * points[0] + i], spectrumIm[k * points[0] + i], y, cos, sin);
			}
		fft.inverse(spectrumRe, spectrumIm, re, im);
		final double[] to = new double[pixels.length];
		for (int k = 0; k < extents[2]; k++)
			for (int j = 0; j < extents[1]; j++) System.arraycopy(re[k * points[1] + j], 0, to, (k * extents[1] + j) * extents[0], extents[0]);
		return to;
	}

	private static int suited(final int n) {
		int points = Math.max(4, n);
		while (!TileFft.suits(points)) points++;
		return points;
	}

	/** The pixels, and smooth values from the end to the beginning along x, then along y, then along z. */
	private static void fill(final double[][] rows, final double[] pixels, final int[] extents, final int[] points) {
		for (int k = 0; k < extents[2]; k++) {
			for (int j = 0; j < extents[1]; j++) {
				final double[] row = rows[k * points[1] + j];
				System.arraycopy(pixels, (k * extents[1] + j) * extents[0], row, 0, extents[0]);
				for (int i = extents[0]; i < points[0]; i++) row[i] = row[extents[0] - 1] + share(i, extents[0], points[0]) * (row[0] - row[extents[0] - 1]);
			}
			for (int j = extents[1]; j < points[1]; j++)
				mix(rows[k * points[1] + extents[1] - 1], rows[k * points[1]], share(j, extents[1], points[1]), rows[k * points[1] + j]);
		}
		for (int k = extents[2]; k < points[2]; k++)
			for (int j = 0; j < points[1]; j++) mix(rows[(extents[2] - 1) * points[1] + j], rows[j], share(k, extents[2], points[2]), rows[k * points[1] + j]);
	}

	/** The share of the beginning at a place after the end. */
	private static double share(final int i, final int n, final int points) {
		return 0.5 - 0.5 * Math.cos(Math.PI * (i - n + 1) / (points - n + 1));
	}

	private static void mix(final double[] end, final double[] beginning, final double share, final double[] to) {
		for (int i = 0; i < to.length; i++) to[i] = end[i] + share * (beginning[i] - end[i]);
	}

	/** For each place of a frequency, the cosine and the sine of its phase. The highest frequency of an even number of points has no sign, and keeps the real part. */
	private static double[][] phases(final int n, final double fraction) {
		final double[][] phases = new double[2][n];
		for (int k = 0; k < n; k++) {
			final int place = TileFft.place(k, n);
			final double angle = 2 * Math.PI * (2 * k <= n ? k : k - n) * fraction / n;
			phases[0][place] = Math.cos(angle);
			phases[1][place] = 2 * k == n ? 0 : Math.sin(angle);
		}
		return phases;
	}

	private static void turn(final double[] re, final double[] im, final double[][] y, final double cos, final double sin) {
		for (int j = 0; j < re.length; j++) {
			final double c = cos * y[0][j] - sin * y[1][j], s = cos * y[1][j] + sin * y[0][j], a = re[j], b = im[j];
			re[j] = a * c - b * s;
			im[j] = a * s + b * c;
		}
	}
}
