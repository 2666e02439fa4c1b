package sc.fiji.ncc.cpu;

import java.util.Arrays;

/**
 * How much of a transform's rounding errors a template takes up. The last pass, along x, errs on each of its lines by what the line holds; in a picture
 * that hardly changes along the other axes (a step, a ramp) a few lines hold nearly all, and a template of the same kind weighs just these. The
 * passes before may do the same along their axes, or be spread over all the spectrum by those that follow. So the error's energy is
 * {@code eps²·Σ log2(m)/m·Σ_l X²(l)·T²(l)} over the axes, m the points of a line and X²(l), T²(l) the energies of picture and template on it, but along
 * y and z not less than for noise. For noise that is {@code eps²·log2(n)·rms²·‖T̂‖²}, n the points of all; else up to √n times as large.
 */
final class SpectralNoise {

	private final TileFft fft;
	/** Energies of the template on lines along y, one for each row of a spectrum; along x, one for each place in a row and each z; along z. */
	private final double[] alongY;
	private final float[][] alongX, alongZ;
	private final double total;
	private final float[] squares;
	private final float[][] places, sums;

	/** @param re real part of the template's spectrum, and {@code im}: scaled by one over the points */
	SpectralNoise(final TileFft fft, final float[][] re, final float[][] im) {
		this.fft = fft;
		alongY = new double[re.length];
		alongX = new float[fft.depth][fft.height];
		alongZ = new float[fft.depth > 1 ? fft.width : 0][fft.height];
		squares = new float[fft.height];
		places = new float[fft.depth][fft.height];
		sums = new float[alongZ.length][fft.height];
		energies(re, im, alongX, alongZ, alongY);
		double energy = 0;
		for (final double line : alongY) energy += line;
		total = energy;
	}

	private SpectralNoise(final SpectralNoise shared) {
		fft = shared.fft;
		alongY = shared.alongY;
		alongX = shared.alongX;
		alongZ = shared.alongZ;
		total = shared.total;
		squares = new float[fft.height];
		places = new float[fft.depth][fft.height];
		sums = new float[alongZ.length][fft.height];
	}

	/** One for another thread, of the same template. */
	SpectralNoise copy() {
		return new SpectralNoise(this);
	}

	private void energies(final float[][] re, final float[][] im, final float[][] x, final float[][] z, final double[] y) {
		for (int k = 0; k < re.length; k++) {
			Rows.energies(re[k], im[k], squares, fft.height);
			Rows.add(x[k / fft.width], squares, fft.height);
			if (z.length > 0) Rows.add(z[k % fft.width], squares, fft.height);
			y[k] = Rows.sum(squares, fft.height);
		}
	}

	/** The root of the error's energy over eps², for the spectrum of a block of pixels. */
	double of(final float[][] re, final float[][] im) {
		for (final float[] row : places) Arrays.fill(row, 0);
		for (final float[] row : sums) Arrays.fill(row, 0);
		double y = 0, energy = 0;
		for (int k = 0; k < re.length; k++) {
			Rows.energies(re[k], im[k], squares, fft.height);
			Rows.add(places[k / fft.width], squares, fft.height);
			if (sums.length > 0) Rows.add(sums[k % fft.width], squares, fft.height);
			final double line = Rows.sum(squares, fft.height);
			y += alongY[k] * line;
			energy += line;
		}
		final double spread = energy * total / fft.points();
		return Math.sqrt(Math.max(y / fft.height, spread) * levels(fft.height) + product(places, alongX) / fft.width * levels(fft.width)
			+ Math.max(product(sums, alongZ) / fft.depth, spread) * levels(fft.depth));
	}

	private static double levels(final int points) {
		return Math.log(points) / Math.log(2);
	}

	private static double product(final float[][] a, final float[][] b) {
		double sum = 0;
		for (int k = 0; k < a.length; k++)
			for (int x = 0; x < a[k].length; x++) sum += (double) a[k][x] * b[k][x];
		return sum;
	}
}
