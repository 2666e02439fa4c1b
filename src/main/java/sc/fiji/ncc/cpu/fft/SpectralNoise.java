package sc.fiji.ncc.cpu.fft;

import java.util.Arrays;

import sc.fiji.ncc.loops.Rows;

/**
 * The energies of a spectrum on the lines of each axis, and the share of a transform's rounding errors that a template receives.
 * <p>
 * The last pass, along x, has an error on each of its lines that is proportional to the values on the line. In a picture that hardly changes along the
 * other axes (a step, a ramp), a few lines hold nearly all energy, and a template of the same kind has its weight on the same lines. The errors of the
 * earlier passes may lie in the same way along their axes, or be spread over the whole spectrum by the later passes. The error's energy is therefore
 * {@code eps²·Σ log2(m)/m·Σ_l X²(l)·T²(l)} over the axes, m the points of a line and X²(l), T²(l) the energies of picture and template on it; along y and
 * z it is at least the value for noise. For noise it is {@code eps²·log2(n)·rms²·‖T̂‖²}, n the number of all points; at most it is √n times as large. A
 * folded line has one level more: its twiddle factors.
 * <p>
 * Where pixels are alike (few levels, stripes, a checkerboard), the error in the place of a pixel may have the same sign as the template there, all over
 * the window. The first pass, along y, transforms each column of the block by itself. So the error in the place of a pixel is proportional to the root of
 * the mean square of its column: {@code 2·eps·rms} adds {@code 2·eps·Σ_x rms(x)·Σ_y|T̂|}. The sum is at most {@code √Σ rms²·√Σ(Σ_y|T̂|)²}, over the columns
 * of the window, and at most the greatest rms times {@code Σ|T̂|}. The errors of transforms of adversarial blocks have a norm of up to 2.4 eps of that of the
 * block. About 1 eps of a column was seen aligned with a checkerboard.
 */
public final class SpectralNoise {

	/** The error of each pixel if all have the sign of the template, in eps of the root of the mean square of its column. */
	public static final double ALIKE = 2;

	private final TileFft fft;
	/** The energies on the lines along y, one for each row of a spectrum; along x, one for each place in a row and each z; along z. */
	private final double[] alongY;
	private final float[][] alongX, alongZ;
	private final float[] squares;
	/** The energies of the columns of the pixels' block, for each z and x. */
	private final float[][] columns;
	/** The root of the sum of mean squares over the columns of the window that starts at x: of each column the greatest over z. */
	private final double[] windows;
	/** What was subtracted from the pixels, about the tile's reference. */
	private double shift;
	/** The greatest root of the mean square of a column. */
	private double column;

	/** Creates an object without energies: call {@link #measure}. */
	public SpectralNoise(final TileFft fft) {
		this.fft = fft;
		alongY = new double[fft.depth * fft.width];
		alongX = new float[fft.depth][fft.height];
		alongZ = new float[fft.depth > 1 ? fft.width : 0][fft.height];
		squares = new float[fft.height];
		columns = new float[fft.depth][fft.width];
		windows = new double[fft.width];
	}

	/** Starts a block of pixels, or two blocks. Then add the squares of their values to {@link #columns}, and call {@link #measurePixels}. */
	public void begin() {
		for (final float[] plane : columns) Arrays.fill(plane, 0);
	}

	/** Adds the squares of a block. */
	public void add(final float[][] rows) {
		for (int y = 0; y < rows.length; y++) Rows.addSquares(rows[y], columns(y), fft.width);
	}

	/** The sums of squares of the columns of the block, for a row of the transform: one for each x. */
	public float[] columns(final int row) {
		return columns[row / fft.height];
	}

	/**
	 * Stores the energies of the columns of the block. {@link #measure} stores those of its spectrum.
	 *
	 * @param shift what was subtracted from the pixels, about the tile's reference
	 * @param windowWidth the width of the template, or of its widest part
	 */
	public void measurePixels(final double shift, final int windowWidth) {
		this.shift = shift;
		final float[] columns = this.columns[0];
		for (int z = 1; z < fft.depth; z++) Rows.maximum(this.columns[z], columns, fft.width);
		double greatest = 0, sum = 0;
		for (final float energy : columns) greatest = Math.max(greatest, energy);
		column = Math.sqrt(greatest / fft.height);
		final int w = Math.min(windowWidth, fft.width);
		// the windows of a folded line continue in the next row
		for (int x = fft.width + (fft.folded ? w - 1 : 0) - 1; x >= 0; x--) {
			sum += columns[x % fft.width];
			if (x < fft.width) windows[x] = Math.sqrt(Math.max(0, sum) / fft.height);
			if (x + w - 1 < fft.width + (fft.folded ? w - 1 : 0)) sum -= columns[(x + w - 1) % fft.width];
		}
	}

	/** Stores the energies of a spectrum. */
	public void measure(final float[][] re, final float[][] im) {
		for (final float[] row : alongX) Arrays.fill(row, 0);
		for (final float[] row : alongZ) Arrays.fill(row, 0);
		for (int k = 0; k < re.length; k++) {
			alongY[k] = Rows.addEnergies(re[k], im[k], alongX[k / fft.width], squares, fft.height);
			if (alongZ.length > 0) Rows.addEnergies(re[k], im[k], alongZ[k % fft.width], squares, fft.height);
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
		final double spread = energy() * template.energy() / fft.points();
		return Math.sqrt(Math.max(y / fft.height, spread) * (levels(fft.height) + (fft.folded ? 1 : 0))
			+ product(alongX, template.alongX) / fft.width * levels(fft.width)
			+ Math.max(product(alongZ, template.alongZ) / fft.depth, spread) * levels(fft.depth));
	}

	/** The greatest of the errors of {@link #addAlike}. */
	public double alike(final double magnitude, final double ofColumns) {
		double window = 0;
		for (final double w : windows) window = Math.max(window, w);
		return ALIKE * (Math.min(column * magnitude, window * ofColumns) + Math.abs(shift) * magnitude);
	}

	/**
	 * Adds the errors that are due to roundings of equal sign, over eps, for each column of lags.
	 *
	 * @param magnitude the sum of the magnitudes of the template's coefficients
	 * @param ofColumns the root of the sum of the squares of such sums, one for each column of the template
	 */
	public void addAlike(final double magnitude, final double ofColumns, final double[] to) {
		final double most = column * magnitude, ofShift = Math.abs(shift) * magnitude;
		for (int x = 0; x < windows.length; x++) to[x] += ALIKE * (Math.min(most, windows[x] * ofColumns) + ofShift);
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
