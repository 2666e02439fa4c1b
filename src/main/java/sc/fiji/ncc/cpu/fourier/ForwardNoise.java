package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;

import sc.fiji.ncc.cpu.fft.SpectralNoise;
import sc.fiji.ncc.cpu.fft.TileFft;

/**
 * The estimated error of the forward transforms of a pair of blocks in their sums, over eps and {@link sc.fiji.ncc.cpu.fft.PixelNoise#MARGIN}.
 * Belongs to one thread.
 */
final class ForwardNoise {

	/** Whether the errors of several parts are independent. Else they add up. */
	private final boolean independent;
	/** The error of all sums; and what is added for the sums of a column of lags, and of a row of lags of any plane. */
	double block;
	final double[] columns, rows;

	ForwardNoise(final TileFft fft, final boolean independent) {
		this.independent = independent;
		columns = new double[fft.width];
		rows = new double[fft.height];
	}

	void begin() {
		block = 0;
		Arrays.fill(columns, 0);
		Arrays.fill(rows, 0);
	}

	/** Adds a part. Errors in the place of pixels are added up even if parts are independent, because they may have equal signs. */
	void add(final SpectralNoise pixels, final Spectrum with) {
		final double noise = pixels.of(with.noise);
		block += independent ? noise * noise : noise;
		pixels.pixels.addColumns(with.norms, columns);
		pixels.pixels.addRows(with.norms, rows);
	}

	/**
	 * Reduces the errors of columns to what they exceed that of the block, and the errors of rows to what they exceed both: the greatest counts.
	 *
	 * @param factor multiplies all errors
	 * @param further is then added to that of the block
	 */
	void finish(final double factor, final double further) {
		final double noise = independent ? Math.sqrt(block) : block;
		reduce(columns, rows, noise, factor);
		block = noise * factor + further;
	}

	/** The errors of columns beyond {@code noise}, and those of rows beyond the least of columns, too, all times {@code factor}. */
	static void reduce(final double[] columns, final double[] rows, final double noise, final double factor) {
		double least = Double.POSITIVE_INFINITY;
		for (final double c : columns) least = Math.min(least, c);
		least = Math.max(least, noise);
		for (int x = 0; x < columns.length; x++) columns[x] = Math.max(0, columns[x] - noise) * factor;
		for (int y = 0; y < rows.length; y++) rows[y] = Math.max(0, rows[y] - least) * factor;
	}
}
