package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.DoubleTileFft;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.window.MaskSums;

/**
 * {@link MaskSums} by Fourier transforms of blocks in double. Two blocks of the mask share a transform. Two blocks take one forward transform and two
 * inverse ones for each template, and three more for templates with weights. Sums of whole numbers are rounded and so exact. Blocks without missing pixels,
 * and blocks without present ones, take no transform.
 */
public final class DoubleFourierMaskSums extends MaskSums {

	/** The error of a sum is at most about this, times the root of the number of coefficients, times their norm: see {@link DoubleFourierNumerator}. */
	private static final double MARGIN = 64;

	private final DoubleTileFft fft;
	private final TemplateParts parts;
	private final BlockGrid grid;
	private final DoubleBlockPair pair;
	/** Created when they are first needed. */
	private Coefficients ofWeights, ofNumbers;
	private Coefficients[][] ofTemplates;
	private double[][] values, squares;

	/** The spectrum of a set of coefficients, and their sum. */
	private record Coefficients(DoubleSpectra.DoubleSpectrum spectrum, double sum) {}

	/**
	 * Further arguments as in {@link MaskSums}.
	 *
	 * @param parts the blocks, and the parts of the templates
	 */
	public DoubleFourierMaskSums(final TemplateParts parts, final double[] weights, final double[] given, final List<double[]> deviations, final int[] maxLags) {
		super(parts.planes, weights, given, deviations, maxLags);
		this.parts = parts;
		fft = DoubleTileFft.of(parts.block[0], parts.block[1], parts.block[2]);
		grid = new BlockGrid(parts, maxLags);
		pair = new DoubleBlockPair(fft, grid, true);
		ofTemplates = new Coefficients[deviations.size()][];
	}

	@Override
	public MaskSums with(final List<double[]> others) {
		ofTemplates = new Coefficients[others.size()][];
		return super.with(others);
	}

	/** The norm of coefficients is at most the sum of their magnitudes. */
	@Override
	protected double roundings() {
		return roundings(planes.size.pixels());
	}

	/** The maximum error of a sum of so many terms, in roundings of the sum of the magnitudes of all terms. */
	static double roundings(final long pixels) {
		return MARGIN * Math.sqrt(pixels);
	}

	/** Computes the sums of the weights for another object. Arguments as in {@link #weights(double[][], double[][])}. */
	void weights(final TileInput input, final double[][] to, final double[][] toNumbers) {
		use(input);
		weights(to, toNumbers);
	}

	@Override
	protected void weights(final double[][] to, final double[][] toNumbers) {
		if (ofWeights == null) ofWeights = coefficients(weights);
		if (toNumbers == null) {
			correlate(new Coefficients[] { ofWeights }, to);
			round(to);
			return;
		}
		if (ofNumbers == null) ofNumbers = coefficients(positive(given));
		correlate(new Coefficients[] { ofWeights, ofNumbers }, to, toNumbers);
		round(toNumbers);
	}

	private void round(final double[][] rows) {
		for (int r = 0; r < lagsY * lagsZ; r++)
			for (int x = 0; x < lagsX; x++) rows[r][x] = Math.rint(rows[r][x]);
	}

	@Override
	protected void values(final int template) {
		if (values == null) {
			values = rows();
			squares = rows();
		}
		if (ofTemplates[template] == null)
			ofTemplates[template] = new Coefficients[] { coefficients(weightedValues(template)), coefficients(weightedSquares(template)) };
		correlate(ofTemplates[template], values, squares);
	}

	@Override
	protected void useRow(final int z, final int y) {
		value = values[z * lagsY + y];
		square = squares[z * lagsY + y];
	}

	private Coefficients coefficients(final double[] values) {
		double sum = 0;
		for (final double v : values) sum += v;
		return new Coefficients(new DoubleSpectra.DoubleSpectrum(fft, parts, values), sum);
	}

	/** Correlates the mask of the tile with several sets of coefficients, each with its own destination. */
	private void correlate(final Coefficients[] with, final double[][]... to) {
		pair.begin(tile);
		for (int b = 0; b < grid.blocks; b += 2)
			if (grid.parts() == 1) correlateWhole(b, with, to);
			else for (int s = 0; s < with.length; s++) pair.correlate(this::load, b, with[s].spectrum, to[s]);
	}

	/** A pair of blocks, for templates of one part. */
	private void correlateWhole(final int b, final Coefficients[] with, final double[][][] to) {
		final boolean two = b + 1 < grid.blocks;
		final double present = pair.load(this::load, b), first = Arrays.stream(pair.re).mapToDouble(row -> Arrays.stream(row).sum()).sum(), second = present - first;
		if (uniform(first / grid.pixels(b)) && (!two || uniform(second / grid.pixels(b + 1)))) {
			for (int s = 0; s < with.length; s++) {
				fill(b, first > 0 ? with[s].sum : 0, to[s]);
				if (two) fill(b + 1, second > 0 ? with[s].sum : 0, to[s]);
			}
			return;
		}
		pair.transform();
		for (int s = 0; s < with.length; s++) pair.correlateLast(b, with[s].spectrum, to[s]);
	}

	private static boolean uniform(final double share) {
		return share == 0 || share == 1;
	}

	/** Sets the sums of all lags of a block, which uses the rows of a transform. */
	private void fill(final int b, final double sum, final double[][] to) {
		for (final double[] row : pair.re) Arrays.fill(row, sum);
		grid.store(pair.re, b, to);
	}

	/** Reads the mask of a block, for the current part. Returns the number of its pixels in the tile that are present. */
	private double load(final int b, final double[][] to) {
		double present = 0;
		for (int r = 0; r < grid.rows; r++) {
			final int n = grid.readPresent(readers, b, r, to[r]);
			for (int x = 0; x < n; x++) present += to[r][x];
		}
		return present;
	}
}
