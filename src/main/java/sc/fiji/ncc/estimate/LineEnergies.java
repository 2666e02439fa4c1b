package sc.fiji.ncc.estimate;

import sc.fiji.ncc.loops.Rows;

/**
 * The energies of a spectrum of a transform of a whole image on the lines of each axis, from which the errors of transforms are estimated as in {@link
 * sc.fiji.ncc.estimate.SpectralNoise}. A line along x has two frequencies along y together, k and k + height/2: the estimate is at least as large as with one.
 */
public final class LineEnergies {

	private final int width, height, strip;
	private final int[] mirrorX, mirrorY;
	/** The energies of packed spectra at each frequency along x, for each strip of frequencies along y; and at each frequency along y. */
	private final double[][] alongY;
	private final double[] alongX;
	/** The energies at a frequency and its negative together: those of the image. */
	private double[] ofX, ofY;
	private double energy;

	/**
	 * @param width, height the extents of the transform; the height is even
	 * @param strip the columns of a strip of frequencies along y
	 * @param mirrorX, mirrorY for each place of a frequency, the place of the negative frequency
	 */
	public LineEnergies(final int width, final int height, final int strip, final int[] mirrorX, final int[] mirrorY) {
		this.width = width;
		this.height = height;
		this.strip = strip;
		this.mirrorX = mirrorX;
		this.mirrorY = mirrorY;
		alongY = new double[(height / 2 + strip - 1) / strip][];
		alongX = new double[height / 2];
	}

	/** Sets the energies of a strip of frequencies along y, from place {@code at} on. Several threads may set those of different strips. */
	public void set(final double[] rows, final float[] columns, final int at, final int n) {
		alongY[at / strip] = rows;
		for (int i = 0; i < n; i++) alongX[at + i] = columns[i];
	}

	/** Adds up all strips. */
	public void finish() {
		energy = 0;
		final double[] sum = new double[width];
		for (final double[] rows : alongY) Rows.add(sum, rows, width);
		ofX = new double[width];
		ofY = new double[alongX.length];
		for (int x = 0; x < ofX.length; x++) energy += ofX[x] = sum[x] + sum[mirrorX[x]];
		for (int y = 0; y < ofY.length; y++) ofY[y] = alongX[y] + alongX[mirrorY[y]];
	}

	/** The sum of squares of the image. */
	public double energy() {
		return energy / ((double) width * height);
	}

	/** The estimated error of a sum of products of this image and a template due to one forward transform, over eps. */
	public double noise(final LineEnergies template) {
		final double n = ((double) width * height);
		double y = 0, x = 0;
		for (int k = 0; k < ofX.length; k++) y += ofX[k] / n * (template.ofX[k] / n);
		for (int k = 0; k < ofY.length; k++) x += ofY[k] / n * (template.ofY[k] / n);
		final double spread = energy() * template.energy() / n;
		return Math.sqrt(Math.max(y / height, spread) * SpectralNoise.levels(height) + Math.max(x / width, spread) * SpectralNoise.levels(width));
	}
}
