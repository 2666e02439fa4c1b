package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.estimate.PixelNoise;
import sc.fiji.ncc.estimate.SpectralNoise;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * {@link MaskSums} by Fourier transforms of blocks in float, with the estimated errors of {@link BlockSums}. Two blocks share a transform: one forward for
 * the mask, and one inverse each for the values of a template and for their squares. Blocks without missing pixels, and blocks without present ones, take
 * no transform.
 * <p>
 * The mask of a block is taken about its mean, and squares about theirs. What the means add is computed in double. The mean is a multiple of 2^-10, so the
 * differences are exact. Sums of weights of zeros and ones are whole numbers and are rounded. Other weights, and those whose estimated error is too large,
 * are correlated in double.
 */
public final class FourierMaskSums extends MaskSums {

	/** The maximum estimated error of a whole number before it is rounded. */
	private static final double MAX_ERROR = 0.25;
	private static final double STEP_OF_MEAN = 0x1p-10;

	private final TemplateParts parts;
	private final TileFft fft;
	private final int[] maxLags;
	private MaskSpectra templates;
	private final BlockGrid grid;
	private final BlockSums valueSums, squareSums;
	private final BlockPair pair;
	private final float[] columnSums;
	private final double[] valueRow, squareRow;
	/** The mean that was subtracted from each block, and whether its pixels are all alike. */
	private final float[] means;
	private final boolean[] uniform;
	/** The spectra of the tile if it is correlated more than once. Default: null. */
	private final BlockSpectra kept;
	private boolean transformed;
	/** The blocks of each transform. The second is -1 if there is none. */
	private final int[] first, second;
	private int pairs;
	private Totals totals;
	private double meanSquare;
	/** Created when it is first needed. */
	private DoubleFourierMaskSums inDouble;

	/**
	 * Further arguments as in {@link MaskSums}.
	 *
	 * @param templates the spectra of the templates
	 */
	public FourierMaskSums(final MaskSpectra templates, final double[] weights, final double[] given, final List<double[]> deviations, final int[] maxLags) {
		super(templates.parts.planes, weights, given, deviations, maxLags);
		this.templates = templates;
		this.maxLags = maxLags;
		parts = templates.parts;
		fft = templates.fft;
		grid = new BlockGrid(parts, maxLags);
		valueSums = new BlockSums(grid, maxLags[1] * maxLags[2]);
		squareSums = new BlockSums(grid, maxLags[1] * maxLags[2]);
		pair = new BlockPair(fft, grid, parts.count > 1 ? 2 : 1, true, true);
		columnSums = new float[fft.width];
		valueRow = new double[maxLags[0]];
		squareRow = new double[maxLags[0]];
		means = new float[grid.maxBlocks()];
		uniform = new boolean[means.length];
		first = new int[means.length];
		second = new int[means.length];
		kept = parts.count == 1 && (templates.count() > 1 || templates.weights != null) ? new BlockSpectra(fft, (means.length + 1) / 2) : null;
	}

	/** Changes to other templates of the same size and weights, and as many or one. */
	public MaskSums with(final List<double[]> deviations, final MaskSpectra others) {
		templates = others;
		return with(deviations);
	}

	/** The error of sums of weights in double. */
	@Override
	protected double roundings() {
		return DoubleFourierMaskSums.roundings(planes.size.pixels());
	}

	@Override
	protected void beginTile() {
		transformed = false;
	}

	@Override
	protected void weights(final double[][] to, final double[][] toNumbers) {
		if (templates.weights != null) {
			correlate(List.of(templates.weights), valueSums);
			if (error(valueSums, templates.weights) < MAX_ERROR) {
				for (int z = 0; z < lagsZ; z++)
					for (int y = 0; y < lagsY; y++) {
						read(valueSums, z, y, totalWeight, to[z * lagsY + y]);
						Rows.round(to[z * lagsY + y], lagsX);
					}
				return;
			}
		}
		if (inDouble == null) inDouble = new DoubleFourierMaskSums(parts, weights, given, List.of(), maxLags);
		inDouble.weights(tile, to, toNumbers);
	}

	@Override
	protected void values(final int template) {
		totals = totals(template);
		meanSquare = templates.meanSquare(template);
		final PartSpectra values = templates.values().get(template), squares = templates.squares(template);
		correlate(List.of(values, squares), valueSums, squareSums);
		errors(weightError(), error(valueSums, values) / Tolerance.EPS_DOUBLE, error(squareSums, squares) / Tolerance.EPS_DOUBLE + meanSquare * weightError());
	}

	/** The maximum estimated error of the sums of coefficients. */
	private static double error(final BlockSums sums, final PartSpectra of) {
		return of.norm == 0 ? 0 : sums.worst() * Tolerance.RESPONSE * of.norm;
	}

	@Override
	protected void useRow(final int z, final int y) {
		read(valueSums, z, y, totals.value(), valueRow);
		// the squares are those about their mean
		read(squareSums, z, y, 0, squareRow);
		Rows.addProduct(weight, meanSquare, squareRow, lagsX);
		value = valueRow;
		square = squareRow;
	}

	/**
	 * Reads a row of sums.
	 *
	 * @param total the sum of all coefficients
	 */
	private void read(final BlockSums sums, final int z, final int y, final double total, final double[] to) {
		final float[] row = sums.row(z, y);
		for (int b = 0; b < grid.blocksX; b++) {
			final int x0 = b * grid.stepX;
			Rows.sum(row, means[grid.blockRow(z, y) * grid.blocksX + b] * total, to, x0, Math.min(x0 + grid.stepX, lagsX));
		}
	}

	/** Correlates the mask of the tile with sets of coefficients, each with its own destination. */
	private void correlate(final List<PartSpectra> with, final BlockSums... to) {
		pair.begin(tile);
		for (int s = 0; s < to.length; s++) to[s].use(with.get(s));
		if (grid.parts() > 1) {
			takeMeanOfTile();
			for (int b = 0; b < grid.blocks; b += 2) pair.correlateParts(this::loadAboutMean, b, 0, to);
			return;
		}
		if (kept == null || !transformed) transform(to);
		if (kept != null) for (int p = 0; p < pairs; p++) correlate(p, kept.re[p], kept.im[p], kept.noise[p], to);
		for (int b = 0; b < grid.blocks; b++)
			if (uniform[b]) for (final BlockSums sums : to) sums.clear(b);
	}

	/** Transforms the blocks that are not uniform, and correlates them at once if their spectra are not kept. */
	private void transform(final BlockSums... to) {
		pairs = 0;
		for (int b = loadNext(0, pair.re); b < grid.blocks; b = loadNext(b + 1, pair.re)) {
			tile.poll();
			first[pairs] = b;
			b = loadNext(b + 1, pair.im);
			second[pairs] = b < grid.blocks ? b : -1;
			if (b == grid.blocks) BlockPair.clear(pair.im);
			final float[][] toRe = kept == null ? pair.spectrumRe : kept.re[pairs], toIm = kept == null ? pair.spectrumIm : kept.im[pairs];
			final SpectralNoise energies = kept == null ? pair.noise : kept.noise[pairs];
			energies.pixels.begin();
			for (int r = 0; r < grid.rows; r++) {
				energies.pixels.add(r, pair.re[r], fft.width);
				energies.pixels.add(r, pair.im[r], fft.width);
			}
			pair.forward(0, toRe, toIm, energies);
			if (kept == null) correlate(pairs, toRe, toIm, energies, to);
			pairs++;
		}
		transformed = true;
	}

	/** Correlates a pair of blocks. */
	private void correlate(final int p, final float[][] fromRe, final float[][] fromIm, final SpectralNoise energies, final BlockSums... to) {
		for (final BlockSums sums : to) {
			tile.poll();
			pair.correlate(fromRe, fromIm, energies, sums, first[p], second[p], 0);
		}
	}

	/** Takes the mean of the tile for all blocks: all parts of a template must use the same one. */
	private void takeMeanOfTile() {
		double present = 0;
		for (int p = 0; p < grid.tilePlanes(); p++) present += readers[p].present();
		Arrays.fill(means, 0, grid.blocks, mean(present / ((double) grid.tileColumns() * grid.tileRows() * grid.tilePlanes())));
	}

	private static float mean(final double exact) {
		return (float) (Math.rint(exact / STEP_OF_MEAN) * STEP_OF_MEAN);
	}

	/** Reads the next block that is not uniform, from block {@code from} on, about its mean. Returns its index; the number of blocks if there is none. */
	private int loadNext(final int from, final float[][] to) {
		int b = from;
		while (b < grid.blocks && uniform(b, to)) b++;
		return Math.min(b, grid.blocks);
	}

	/** Reads a block about its mean, unless its pixels are all alike. */
	private boolean uniform(final int block, final float[][] to) {
		Arrays.fill(columnSums, 0);
		for (int r = 0; r < grid.rows; r++) Rows.add(columnSums, to[r], grid.readPresent(readers, block, r, to[r]));
		final double present = Rows.sum(columnSums, columnSums.length), n = grid.pixels(block);
		uniform[block] = present == 0 || present == n;
		means[block] = mean(present / n);
		if (!uniform[block]) for (int r = 0; r < grid.rows; r++) Rows.subtract(to[r], means[block], grid.pixels(block, r));
		return uniform[block];
	}

	/** The differences are exact. */
	private float loadAboutMean(final int block, final float[][] to, final PixelNoise energies) {
		for (int r = 0; r < grid.rows; r++) energies.subtractAndAdd(r, means[block], to[r], grid.readPresent(readers, block, r, to[r]));
		return 0;
	}
}
