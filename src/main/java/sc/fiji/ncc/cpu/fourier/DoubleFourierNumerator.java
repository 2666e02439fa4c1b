package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.fft.DoubleTileFft;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.estimate.FourierError;
import sc.fiji.ncc.estimate.NumeratorError;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Precision;

/** {@link FourierNumerator} in double. It is the fallback where float is not accurate enough, and the primary numerator where responses are in double. */
public final class DoubleFourierNumerator implements Numerator {

	private final DoubleTileFft fft;
	private DoubleSpectra spectra;
	private final BlockGrid grid;
	private final DoubleBlockPair pair;
	private final double[][] numerators;
	/** The estimated error of each block. */
	private final double[] errors;
	private final FourierError error;
	/** The numerators of the last row of lags. */
	private double[] row;
	private final Moments moments;
	private boolean momentsReady;
	/** The maximum estimated error of the sums of the selected template. */
	private double worst;
	/** The factor of the estimate for float with its logarithm; the terms for rows and columns have their maximum, √N. In tolerances. */
	private final double unit, tolerance;
	private TileInput tile;

	/**
	 * @param spectra the spectra of the templates; and of their weights, if the moments are computed, too
	 * @param n the sum of the weights
	 * @param maxLags the maximum number of lags of a tile along x, y and z
	 * @param precision the precision of the responses
	 */
	public DoubleFourierNumerator(final DoubleSpectra spectra, final double n, final int[] maxLags, final Precision precision) {
		this.spectra = spectra;
		fft = spectra.fft;
		grid = new BlockGrid(spectra.parts, maxLags);
		pair = new DoubleBlockPair(fft, grid, spectra.weighted());
		numerators = new double[maxLags[1] * maxLags[2]][maxLags[0]];
		errors = new double[grid.maxBlocks()];
		tolerance = Tolerance.of(precision);
		unit = 64 * Math.sqrt(spectra.pixels()) * Tolerance.EPS_DOUBLE / tolerance;
		// limits from the rounding of pixels and template, if equal ones round alike; and from differences of sums, where the windows' sums are not pairs
		final boolean inFloat = precision == Precision.SINGLE;
		error = new FourierError(inFloat ? Tolerance.DOUBLE_LIMIT : Math.pow(tolerance / (4 * Tolerance.EPS_DOUBLE), 2),
			inFloat ? Tolerance.FLOOR : Tolerance.DOUBLE_FLOOR, new double[maxLags[0]]);
		moments = spectra.weighted() ? new Moments(n, tolerance, maxLags) : null;
	}

	/** Changes to other templates of the same size and weights. */
	public DoubleFourierNumerator with(final DoubleSpectra others) {
		spectra = others;
		return this;
	}

	@Override
	public WindowMoments[] moments() {
		return moments == null ? null : new WindowMoments[] { moments };
	}

	@Override
	public void begin(final TileInput tile, final BlockSpectra kept) {
		this.tile = tile;
		pair.begin(tile);
		momentsReady = false;
	}

	/** Computes only the moments: spectra in double are not kept. */
	@Override
	public BlockSpectra share(final BlockSpectra buffer) {
		if (moments == null) return null;
		moments.begin();
		for (int b = 0; b < grid.blocks; b += 2) {
			moments.energy(pair.correlate(this::load, b, moments.mask, moments.sums));
			moments.energyOfSquares(pair.correlate(this::loadSquares, b, moments.mask, moments.energies));
		}
		moments.end();
		return null;
	}

	@Override
	public void correlate(final int index) {
		final DoubleSpectra.DoubleSpectrum template = spectra.template(index);
		worst = 0;
		final boolean withMoments = moments != null && !momentsReady;
		if (withMoments) moments.begin();
		for (int b = 0; b < grid.blocks; b += 2) {
			final double energy = pair.correlate(this::load, b, template, numerators);
			errors[b] = errorOf(energy);
			if (b + 1 < grid.blocks) errors[b + 1] = errors[b];
			worst = Math.max(worst, errors[b] * tolerance * template.norm);
			if (!withMoments) continue;
			moments.energy(energy);
			if (grid.parts() > 1) pair.correlate(this::load, b, moments.mask, moments.sums);
			else pair.correlateLast(b, moments.mask, moments.sums);
			moments.energyOfSquares(pair.correlate(this::loadSquares, b, moments.mask, moments.energies));
		}
		if (withMoments) moments.end();
	}

	/** The maximum estimated error of the sums of the selected template. */
	public double worstError() {
		return worst;
	}

	/** The estimated error of a sum, in tolerances over the norm of its coefficients. */
	private double errorOf(final double energy) {
		return unit * Math.sqrt(energy / fft.points());
	}

	private double load(final int block, final double[][] to) {
		return load(block, false, to);
	}

	private double loadSquares(final int block, final double[][] to) {
		return load(block, true, to);
	}

	private double load(final int block, final boolean squared, final double[][] to) {
		double energy = 0;
		for (int r = 0; r < grid.rows; r++) {
			final double[] row = to[r];
			final int n = grid.read(tile, block, r, row);
			if (squared) Rows.square(row, row, n);
			for (int x = 0; x < n; x++) energy += row[x] * row[x];
		}
		return energy;
	}

	@Override
	public void startRow(final int z, final int y) {
		row = numerators[z * grid.lagsY + y];
		final int first = grid.blockRow(z, y) * grid.blocksX;
		for (int b = 0; b < grid.blocksX; b++)
			Arrays.fill(error.minVariance(), b * grid.stepX, Math.min((b + 1) * grid.stepX, grid.lagsX), errors[first + b] * errors[first + b]);
	}

	@Override
	public float[] floats(final float[] buffer) {
		Rows.toFloat(row, buffer, grid.lagsX);
		return buffer;
	}

	@Override
	public void doubles(final double[] to) {
		System.arraycopy(row, 0, to, 0, grid.lagsX);
	}

	@Override
	public NumeratorError error() {
		return error;
	}

	/** {@link FourierMoments} in double. The tile's scale is an accurate enough reference. */
	private final class Moments implements WindowMoments, WindowMoments.Error {

		final DoubleSpectra.DoubleSpectrum mask = spectra.mask();
		final double[][] sums, energies;
		private final double n, limit;
		private final double[] minVariance;
		/** The energy of the pair of blocks that has most of it. */
		private double energy, energyOfSquares;
		/** Estimated errors, in tolerances. */
		private double sumError, energyError;

		Moments(final double n, final double tolerance, final int[] maxLags) {
			this.n = n;
			limit = tolerance / (16 * Tolerance.EPS_DOUBLE);
			sums = new double[maxLags[1] * maxLags[2]][maxLags[0]];
			energies = new double[maxLags[1] * maxLags[2]][maxLags[0]];
			minVariance = new double[maxLags[0]];
		}

		void begin() {
			energy = energyOfSquares = 0;
		}

		void energy(final double ofBlocks) {
			energy = Math.max(energy, ofBlocks);
		}

		void energyOfSquares(final double ofBlocks) {
			energyOfSquares = Math.max(energyOfSquares, ofBlocks);
		}

		void end() {
			sumError = mask.norm * errorOf(energy);
			energyError = mask.norm * errorOf(energyOfSquares);
			momentsReady = true;
		}

		/** Nothing: the numerator starts the tile. */
		@Override
		public void begin(final TileInput tile) {}

		@Override
		public Error error() {
			return this;
		}

		@Override
		public void row(final int z, final int y, final double[] sums, final double[] energies) {
			System.arraycopy(this.sums[z * grid.lagsY + y], 0, sums, 0, grid.lagsX);
			System.arraycopy(this.energies[z * grid.lagsY + y], 0, energies, 0, grid.lagsX);
			for (int x = 0; x < grid.lagsX; x++) minVariance[x] = partialMinVariance(x, sums[x], n);
		}

		@Override
		public double limit() {
			return limit;
		}

		@Override
		public double[] minVariance() {
			return minVariance;
		}

		@Override
		public double partialMinVariance(final int x, final double sum, final double weight) {
			return (energyError + 2 * Math.abs(sum / weight) * sumError) / 2;
		}

		@Override
		public double sumError(final int x) {
			return sumError;
		}
	}
}
