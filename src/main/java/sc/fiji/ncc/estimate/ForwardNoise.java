package sc.fiji.ncc.estimate;

import java.util.Arrays;

/**
 * The estimated error of the forward transforms of a pair of blocks in their sums, over eps and {@link PixelNoise#MARGIN}.
 * Belongs to one thread.
 */
public final class ForwardNoise {

	/** Whether the errors of several parts are independent. Else they add up. */
	private final boolean independent;
	/** The error of all sums; and what is added for the sums of a column of lags, and of a row of lags of any plane. */
	public double block;
	public final double[] columns, rows;

	/**
	 * @param width, height the extents of the transform
	 * @param independent whether the errors of several parts are independent
	 */
	public ForwardNoise(final int width, final int height, final boolean independent) {
		this.independent = independent;
		columns = new double[width];
		rows = new double[height];
	}

	public void begin() {
		block = 0;
		Arrays.fill(columns, 0);
		Arrays.fill(rows, 0);
	}

	/** Adds a part. Errors in the place of pixels are added up even if parts are independent, because they may have equal signs. */
	public void add(final SpectralNoise pixels, final SpectralNoise template, final CoefficientNorms norms) {
		final double noise = pixels.of(template);
		block += independent ? noise * noise : noise;
		pixels.pixels.addColumns(norms, columns);
		pixels.pixels.addRows(norms, rows);
	}

	/**
	 * Reduces the errors of columns to what they exceed that of the block, and the errors of rows to what they exceed both: the greatest counts.
	 *
	 * @param factor multiplies all errors
	 * @param further is then added to that of the block
	 */
	public void finish(final double factor, final double further) {
		final double noise = independent ? Math.sqrt(block) : block;
		reduce(columns, rows, noise, factor);
		block = noise * factor + further;
	}

	/** The errors of columns beyond {@code noise}, and those of rows beyond the least of columns, too, all times {@code factor}. */
	public static void reduce(final double[] columns, final double[] rows, final double noise, final double factor) {
		double least = Double.POSITIVE_INFINITY;
		for (final double c : columns) least = Math.min(least, c);
		least = Math.max(least, noise);
		for (int x = 0; x < columns.length; x++) columns[x] = Math.max(0, columns[x] - noise) * factor;
		for (int y = 0; y < rows.length; y++) rows[y] = Math.max(0, rows[y] - least) * factor;
	}
}
