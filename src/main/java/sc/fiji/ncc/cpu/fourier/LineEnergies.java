package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.loops.Rows;

/**
 * The energies of a spectrum of a {@link WholeTransform} on the lines of each axis, from which the errors of transforms are estimated as in {@link
 * sc.fiji.ncc.cpu.fft.SpectralNoise}. A line along x has two frequencies along y together, k and k + height/2: the estimate is at least as large as with one.
 */
final class LineEnergies {

	private final WholeShape shape;
	private final int[] mirrorX, mirrorY;
	/** The energies of packed spectra at each frequency along x, for each strip of frequencies along y; and at each frequency along y. */
	private final double[][] alongY;
	private final double[] alongX;
	/** The energies at a frequency and its negative together: those of the image. */
	private double[] ofX, ofY;
	private double energy;

	/** @param mirrorX, mirrorY for each place of a frequency, the place of the negative frequency */
	LineEnergies(final WholeShape shape, final int[] mirrorX, final int[] mirrorY) {
		this.shape = shape;
		this.mirrorX = mirrorX;
		this.mirrorY = mirrorY;
		alongY = new double[(shape.rows() + shape.strip - 1) / shape.strip][];
		alongX = new double[shape.rows()];
	}

	/** Sets the energies of a strip of frequencies along y, from place {@code at} on. Several threads may set those of different strips. */
	void set(final double[] rows, final float[] columns, final int at, final int n) {
		alongY[at / shape.strip] = rows;
		for (int i = 0; i < n; i++) alongX[at + i] = columns[i];
	}

	/** Adds up all strips. */
	void finish() {
		energy = 0;
		final double[] sum = new double[shape.width];
		for (final double[] strip : alongY) Rows.add(sum, strip, shape.width);
		ofX = new double[shape.width];
		ofY = new double[alongX.length];
		for (int x = 0; x < ofX.length; x++) energy += ofX[x] = sum[x] + sum[mirrorX[x]];
		for (int y = 0; y < ofY.length; y++) ofY[y] = alongX[y] + alongX[mirrorY[y]];
	}

	/** The sum of squares of the image. */
	double energy() {
		return energy / shape.points();
	}

	/** The estimated error of a sum of products of this image and a template due to one forward transform, over eps. */
	double noise(final LineEnergies template) {
		final double n = shape.points();
		double y = 0, x = 0;
		for (int k = 0; k < ofX.length; k++) y += ofX[k] / n * (template.ofX[k] / n);
		for (int k = 0; k < ofY.length; k++) x += ofY[k] / n * (template.ofY[k] / n);
		final double spread = energy() * template.energy() / n;
		return Math.sqrt(Math.max(y / shape.height, spread) * levels(shape.height) + Math.max(x / shape.width, spread) * levels(shape.width));
	}

	private static double levels(final int points) {
		return Math.log(points) / Math.log(2);
	}
}
