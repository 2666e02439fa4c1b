package sc.fiji.ncc.cpu.fft;

import java.util.Arrays;

import sc.fiji.ncc.loops.Rows;

/**
 * The energies of a spectrum on the lines of each axis, and how much of a transform's rounding errors a template takes up.
 * <p>
 * The last pass, along x, errs on each of its lines by what the line holds; in a picture that hardly changes along the other axes (a step, a ramp)
 * a few lines hold nearly all, and a template of the same kind weighs just these. The passes before may do the same along their axes, or be
 * spread over all the spectrum by those that follow. So the error's energy is {@code eps²·Σ log2(m)/m·Σ_l X²(l)·T²(l)} over the axes, m the points
 * of a line and X²(l), T²(l) the energies of picture and template on it, but along y and z not less than for noise. For noise that is
 * {@code eps²·log2(n)·rms²·‖T̂‖²}, n the points of all; else up to √n times as large. A line that is folded has one level more, its turns.
 */
public final class SpectralNoise {

	private final TileFft fft;
	/** Energies on lines along y, one for each row of a spectrum; along x, one for each place in a row and each z; along z. */
	private final double[] alongY;
	private final float[][] alongX, alongZ;
	private final float[] squares;

	/** Of no spectrum yet. */
	public SpectralNoise(final TileFft fft) {
		this.fft = fft;
		alongY = new double[fft.depth * fft.width];
		alongX = new float[fft.depth][fft.height];
		alongZ = new float[fft.depth > 1 ? fft.width : 0][fft.height];
		squares = new float[fft.height];
	}

	/** Takes down a spectrum's energies. */
	public void measure(final float[][] re, final float[][] im) {
		for (final float[] row : alongX) Arrays.fill(row, 0);
		for (final float[] row : alongZ) Arrays.fill(row, 0);
		for (int k = 0; k < re.length; k++) {
			alongY[k] = Rows.addEnergies(re[k], im[k], alongX[k / fft.width], squares, fft.height);
			if (alongZ.length > 0) Rows.addEnergies(re[k], im[k], alongZ[k % fft.width], squares, fft.height);
		}
	}

	/**
	 * The root of the error's energy over eps², for the spectrum of a block of pixels that this is of.
	 *
	 * @param template of its spectrum, scaled by one over the points
	 */
	public double of(final SpectralNoise template) {
		double y = 0;
		for (int k = 0; k < alongY.length; k++) y += template.alongY[k] * alongY[k];
		final double spread = energy() * template.energy() / fft.points();
		return Math.sqrt(Math.max(y / fft.height, spread) * (levels(fft.height) + (fft.folded ? 1 : 0))
			+ product(alongX, template.alongX) / fft.width * levels(fft.width)
			+ Math.max(product(alongZ, template.alongZ) / fft.depth, spread) * levels(fft.depth));
	}

	private double energy() {
		double energy = 0;
		for (final double line : alongY) energy += line;
		return energy;
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
