package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.estimate.ForwardNoise;
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
	/** The blocks. If they are square, their spectrum has the same arrays. */
	private final float[][] re, im, spectrumRe, spectrumIm;
	/**
	 * The products of the spectrum with values and squares, the second only for templates of several parts; and the sums. If blocks are square, all have
	 * the same arrays.
	 */
	private final float[][][] productRe, productIm;
	private final float[][] sumsRe, sumsIm;
	private final float[] columnSums;
	private final double[] valueRow, squareRow;
	private final SpectralNoise noise;
	/** The errors of the forward transforms of a pair of blocks, for each set of coefficients. */
	private final ForwardNoise[] forward;
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
		final boolean inPlace = fft.transposesInPlace();
		re = fft.allocateRows();
		im = fft.allocateRows();
		spectrumRe = inPlace ? re : fft.allocateSpectrum();
		spectrumIm = inPlace ? im : fft.allocateSpectrum();
		final int sets = parts.count > 1 ? 2 : 1;
		productRe = new float[sets][][];
		productIm = new float[sets][][];
		for (int s = 0; s < sets; s++) {
			productRe[s] = fft.allocateSpectrum();
			productIm[s] = fft.allocateSpectrum();
		}
		sumsRe = inPlace ? null : fft.allocateRows();
		sumsIm = inPlace ? null : fft.allocateRows();
		columnSums = new float[fft.width];
		valueRow = new double[maxLags[0]];
		squareRow = new double[maxLags[0]];
		noise = fft.newNoise();
		forward = new ForwardNoise[] { new ForwardNoise(fft.width, fft.height, false), new ForwardNoise(fft.width, fft.height, false) };
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
		grid.begin(lagsX, lagsY, lagsZ);
		for (int s = 0; s < to.length; s++) to[s].use(with.get(s));
		if (grid.parts() > 1) {
			takeMeanOfTile();
			for (int b = 0; b < grid.blocks; b += 2) correlateParts(b, to);
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
		for (int b = loadNext(0, re); b < grid.blocks; b = loadNext(b + 1, re)) {
			tile.poll();
			first[pairs] = b;
			b = loadNext(b + 1, im);
			second[pairs] = b < grid.blocks ? b : -1;
			if (b == grid.blocks) for (final float[] row : im) Arrays.fill(row, 0);
			final float[][] toRe = kept == null ? spectrumRe : kept.re[pairs], toIm = kept == null ? spectrumIm : kept.im[pairs];
			final SpectralNoise energies = kept == null ? noise : kept.noise[pairs];
			measurePixels(energies);
			fft.forward(re, im, toRe, toIm);
			energies.measure(toRe, toIm);
			if (kept == null) correlate(pairs, toRe, toIm, energies, to);
			pairs++;
		}
		transformed = true;
	}

	/** Measures a pair of blocks before their transform. */
	private void measurePixels(final SpectralNoise energies) {
		energies.pixels.begin();
		for (int r = 0; r < re.length; r++) {
			energies.pixels.add(r, re[r], fft.width);
			energies.pixels.add(r, im[r], fft.width);
		}
		energies.pixels.measure(0, grid.partWidth(), grid.partHeight());
	}

	/** Correlates a pair of blocks. */
	private void correlate(final int pair, final float[][] fromRe, final float[][] fromIm, final SpectralNoise energies, final BlockSums... to) {
		for (final BlockSums sums : to) {
			tile.poll();
			final Spectrum with = sums.spectrum(0);
			with.multiply(fromRe, fromIm, productRe[0], productIm[0]);
			forward[0].begin();
			forward[0].add(energies, with.noise, with.norms);
			forward[0].finish(1, 0);
			store(0, first[pair], second[pair], forward[0], sums);
		}
	}

	/** Transforms a product, and stores it for two blocks. */
	private void store(final int set, final int block, final int other, final ForwardNoise forward, final BlockSums to) {
		final float[][] a = sumsRe == null ? productRe[set] : sumsRe, b = sumsRe == null ? productIm[set] : sumsIm;
		fft.inverse(productRe[set], productIm[set], a, b);
		to.store(block, a, other, other < 0 ? null : b, forward);
	}

	/** Correlates a pair of blocks with coefficients that are cut into parts: the products of all parts are summed. */
	private void correlateParts(final int block, final BlockSums... to) {
		for (final ForwardNoise f : forward) f.begin();
		for (int p = 0; p < grid.parts(); p++) {
			tile.poll();
			grid.part(p);
			loadAboutMean(block, re);
			if (block + 1 < grid.blocks) loadAboutMean(block + 1, im);
			else for (final float[] row : im) Arrays.fill(row, 0);
			measurePixels(noise);
			fft.forward(re, im, spectrumRe, spectrumIm);
			noise.measure(spectrumRe, spectrumIm);
			for (int s = 0; s < to.length; s++) {
				final Spectrum part = to[s].spectrum(p);
				forward[s].add(noise, part.noise, part.norms);
				for (int k = 0; k < spectrumRe.length; k++)
					if (p == 0) part.product(k, spectrumRe[k], spectrumIm[k], productRe[s][k], productIm[s][k]);
					else part.addProduct(k, spectrumRe[k], spectrumIm[k], productRe[s][k], productIm[s][k]);
			}
		}
		grid.part(0);
		for (int s = 0; s < to.length; s++) {
			forward[s].finish(BlockSums.additions(grid.parts(), fft.points()), 0);
			store(s, block, block + 1 < grid.blocks ? block + 1 : -1, forward[s], to[s]);
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
		for (int r = 0; r < grid.rows; r++) Rows.add(columnSums, to[r], load(block, r, to[r]));
		final double present = Rows.sum(columnSums, columnSums.length), n = grid.pixels(block);
		uniform[block] = present == 0 || present == n;
		means[block] = mean(present / n);
		if (!uniform[block]) for (int r = 0; r < grid.rows; r++) Rows.subtract(to[r], means[block], grid.pixels(block, r));
		return uniform[block];
	}

	private void loadAboutMean(final int block, final float[][] to) {
		for (int r = 0; r < grid.rows; r++) Rows.subtract(to[r], means[block], load(block, r, to[r]));
	}

	/** Reads row r of a block, with 0 outside the tile. Returns the number of pixels that lie in the tile. */
	private int load(final int block, final int r, final float[] to) {
		final int n = grid.pixels(block, r);
		if (n > 0) grid.readPresent(readers, block, r, n, to);
		Arrays.fill(to, n, to.length, 0);
		return n;
	}
}
