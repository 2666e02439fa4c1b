package sc.fiji.ncc.estimate;

import java.util.Arrays;

import sc.fiji.ncc.loops.Rows;

/**
 * The energies of a spectrum on the lines of each axis, and the share of a transform's rounding errors that a template receives.
 * <p>
 * The last pass, along x, has an error on each of its lines that is proportional to the values on the line. In an image that hardly changes along the
 * other axes (a step, a ramp), a few lines hold nearly all energy, and a template of the same kind has its weight on the same lines. The errors of the
 * earlier passes may lie in the same way along their axes, or be spread over the whole spectrum by the later passes. The error's energy is therefore
 * {@code eps²·Σ log2(m)/m·Σ_l X²(l)·T²(l)} over the axes, m the points of a line and X²(l), T²(l) the energies of image and template on it; along y and
 * z it is at least the value for noise. For noise it is {@code eps²·log2(n)·rms²·‖T̂‖²}, n the number of all points; at most it is √n times as large. A
 * folded line has one level more: its twiddle factors.
 */
public final class SpectralNoise {

	private final int width, height, depth;
	private final boolean folded;
	/** The energies on the lines along y, one for each row of a spectrum; along x, one for each place in a row and each z; along z. */
	private final double[] alongY;
	private final float[][] alongX, alongZ;
	private final float[] squares;
	/** The energies of the block of pixels. */
	public final PixelNoise pixels;

	/**
	 * Creates an object without energies: call {@link #measure}.
	 *
	 * @param width, height, depth the extents of the transform
	 * @param folded whether the rows are those of a folded line
	 */
	public SpectralNoise(final int width, final int height, final int depth, final boolean folded) {
		this.width = width;
		this.height = height;
		this.depth = depth;
		this.folded = folded;
		alongY = new double[depth * width];
		alongX = new float[depth][height];
		alongZ = new float[depth > 1 ? width : 0][height];
		squares = new float[height];
		pixels = new PixelNoise(width, height, depth, folded);
	}

	/** Stores the energies of a spectrum. */
	public void measure(final float[][] re, final float[][] im) {
		for (final float[] row : alongX) Arrays.fill(row, 0);
		for (final float[] row : alongZ) Arrays.fill(row, 0);
		for (int k = 0; k < re.length; k++) {
			alongY[k] = Rows.addEnergies(re[k], im[k], alongX[k / width], squares, height);
			if (alongZ.length > 0) Rows.addEnergies(re[k], im[k], alongZ[k % width], squares, height);
		}
	}

	/**
	 * The root of the error's energy over eps². This object holds the energies of a block of pixels.
	 *
	 * @param template the energies of the template's spectrum, which is scaled by one over the number of points
	 */
	public double of(final SpectralNoise template) {
		double y = 0;
		for (int k = 0; k < alongY.length; k++) y += template.alongY[k] * alongY[k];
		final double spread = energy() * template.energy() / ((double) width * height * depth);
		return Math.sqrt(Math.max(y / height, spread) * (levels(height) + (folded ? 1 : 0))
			+ product(alongX, template.alongX) / width * levels(width)
			+ Math.max(product(alongZ, template.alongZ) / depth, spread) * levels(depth));
	}

	private double energy() {
		double energy = 0;
		for (final double line : alongY) energy += line;
		return energy;
	}

	/** The levels of a transform of so many points. */
	static double levels(final double points) {
		return Math.log(points) / Math.log(2);
	}

	private static double product(final float[][] a, final float[][] b) {
		double sum = 0;
		for (int k = 0; k < a.length; k++)
			for (int x = 0; x < a[k].length; x++) sum += (double) a[k][x] * b[k][x];
		return sum;
	}
}
