package sc.fiji.ncc.cpu.fourier;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.estimate.ForwardNoise;
import sc.fiji.ncc.estimate.FourierError;
import sc.fiji.ncc.estimate.PixelNoise;
import sc.fiji.ncc.estimate.SignedSums;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * Numerators of all lags of a search window by Fourier transforms of partitions of the template, in float.
 * <p>
 * The template is cut into partitions {@code T_p}. The image is cut into as many blocks, each with the pixels of a partition at all lags: the
 * correlation is {@code Σ_p I_p ⋆ T_p}. The spectra are summed, so that one inverse transform of the size of a block is enough. Two partitions share one
 * complex transform: with {@code Z = I_p + i·I_q} and {@code W = T_p + i·T_q} the real part of {@code Z·conj(W)} is the sum of both. The inverse transform
 * along y is computed only for the required lags.
 * <p>
 * For l² lags, t² pixels of a template and blocks of n² points, a frame takes {@code (t/(n − l))²/2} forward transforms, which all templates share. Each
 * template takes as many products, and one inverse transform. (Partitioned convolution: T. G. Stockham, 1966; B. D. Kulp, 1988.)
 * <p>
 * The error is estimated as in {@link BlockSums}; the errors of the partitions' forward transforms are independent, but for those of equal sign.
 * Belongs to one thread.
 */
public final class PartitionedNumerator extends FloatNumerator {

	private final TileFft fft;
	private final PartitionShape shape;
	private List<PartitionedSpectrum> templates;
	private final int templateWidth, templateHeight;
	/** The pixels of the tile, about their mean. */
	private final float[][] pixels;
	private final float[] columnSums;
	private final float[][] re, im, productRe, productIm;
	private final float[] energies, buffer;
	/** The errors that each column of lags and each row adds, in tolerances times ‖T̂‖. */
	private final double[] columnNoise, rowNoise;
	private final ForwardNoise forward;

	// the current tile
	private int lagsX, lagsY;
	/** The mean of the pixels, which is subtracted. */
	private float mean;
	private BlockSpectra spectra;
	/** Memory for the spectra of a tile with one template. */
	private BlockSpectra singleSpectra;

	/**
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 * @param maxLags the maximum number of lags along x and y
	 */
	public PartitionedNumerator(final TemplatePlanes planes, final PartitionShape shape, final TileFft fft, final List<PartitionedSpectrum> templates,
		final boolean whole, final int[] maxLags)
	{
		super(FourierError.inFloat(whole, maxLags[0]));
		this.fft = fft;
		this.shape = shape;
		this.templates = templates;
		templateWidth = planes.width;
		templateHeight = planes.height;
		pixels = new float[planes.height + maxLags[1] - 1][planes.width + maxLags[0] - 1];
		columnSums = new float[pixels[0].length];
		re = fft.allocateRows();
		im = fft.allocateRows();
		productRe = fft.allocateSpectrum();
		productIm = fft.allocateSpectrum();
		energies = new float[fft.width];
		buffer = new float[fft.width];
		columnNoise = new double[maxLags[0]];
		rowNoise = new double[fft.height];
		forward = new ForwardNoise(fft.width, fft.height, true);
	}

	/** Changes to other templates of the same size and weights. */
	public PartitionedNumerator with(final List<PartitionedSpectrum> others) {
		templates = others;
		return this;
	}

	@Override
	public void begin(final TileInput input, final BlockSpectra kept) {
		super.begin(input, kept);
		spectra = kept;
		lagsX = tile.lagsX();
		lagsY = tile.lagsY();
		if (kept == null) load();
	}

	/** Reads the pixels, and subtracts their mean. */
	private void load() {
		final int columns = lagsX + templateWidth - 1, rows = lagsY + templateHeight - 1;
		Arrays.fill(columnSums, 0);
		for (int y = 0; y < rows; y++) {
			tile.planes()[0].row(y, 0, columns, tile.scale(), pixels[y]);
			Rows.add(columnSums, pixels[y], columns);
		}
		final double exactMean = Rows.sum(columnSums, columns) / ((double) columns * rows);
		// keep whole numbers whole: their differences are exact
		mean = (float) (tile.scale().whole ? Math.rint(exactMean) : exactMean);
		for (int y = 0; y < rows; y++) Rows.subtract(pixels[y], mean, columns);
	}

	@Override
	public BlockSpectra share(final BlockSpectra buffer) {
		final int pairs = shape.pairs();
		final BlockSpectra to = buffer != null && buffer.re.length >= pairs ? buffer : new BlockSpectra(fft, pairs);
		for (int q = 0; q < pairs; q++) {
			tile.poll();
			final PixelNoise noise = to.noise[q].pixels;
			noise.begin();
			load(2 * q, re, noise);
			load(2 * q + 1, im, noise);
			noise.measure(mean, shape.partitionWidth, shape.partitionHeight);
			fft.forward(re, im, to.re[q], to.im[q]);
			to.noise[q].measure(to.re[q], to.im[q]);
		}
		spectra = to;
		return to;
	}

	/** Loads the pixels of a partition at all lags, 0 outside the tile. Adds their energies to {@code noise}. */
	private void load(final int partition, final float[][] to, final PixelNoise noise) {
		final int x0 = partition % shape.partitionsX * shape.partitionWidth, y0 = partition / shape.partitionsX * shape.partitionHeight;
		final int columns = Math.min(fft.width, lagsX + templateWidth - 1 - x0), rows = Math.min(fft.height, lagsY + templateHeight - 1 - y0);
		for (int y = 0; y < fft.height; y++) {
			final boolean inside = y < rows && y0 < templateHeight;
			if (inside) {
				System.arraycopy(pixels[y0 + y], x0, to[y], 0, columns);
				noise.add(y, to[y], columns);
			}
			Arrays.fill(to[y], inside ? columns : 0, fft.width, 0);
		}
	}

	@Override
	public void correlate(final int index) {
		if (spectra == null) singleSpectra = share(singleSpectra);
		tile.poll();
		final PartitionedSpectrum template = templates.get(index);
		forward.begin();
		for (int q = 0; q < template.pairs.length; q++) forward.add(spectra.noise[q], template.pairs[q].noise, template.pairs[q].norms);
		forward.finish(1, 0);
		for (int k = 0; k < productRe.length; k++) {
			template.pairs[0].product(k, spectra.re[0][k], spectra.im[0][k], productRe[k], productIm[k]);
			for (int q = 1; q < template.pairs.length; q++) template.pairs[q].addProduct(k, spectra.re[q][k], spectra.im[q][k], productRe[k], productIm[k]);
		}
		fft.inverseAlongX(productRe, productIm);
		final int columns = sumColumns();
		fft.inverseAlongY(productRe, productIm, re, im, columns);
		estimate(template, columns);
	}

	/** Replaces the columns that are no lags by {@link SignedSums}. Returns the number of columns that must be transformed back. */
	private int sumColumns() {
		for (int x = lagsX + SignedSums.COUNT; x < fft.width; x++) {
			final int place = SignedSums.place(x, lagsX);
			SignedSums.add(x, productRe[x], 0, productRe[place], 0, fft.height);
			SignedSums.add(x, productIm[x], 0, productIm[place], 0, fft.height);
		}
		return SignedSums.columns(lagsX, fft.width);
	}

	/** Estimates the error from the energies of the rows and columns of the inverse transform. */
	private void estimate(final PartitionedSpectrum template, final int columns) {
		final double forwardFactor = PixelNoise.MARGIN * Tolerance.EPS_FLOAT / (Tolerance.RESPONSE * template.norm);
		final double inverseFactor = forwardFactor * Math.sqrt(Math.log((double) fft.points()) / Math.log(2));
		Arrays.fill(energies, 0);
		double all = 0;
		for (int y = 0; y < fft.height; y++) all += rowNoise[y] = Rows.addEnergies(re[y], im[y], energies, buffer, columns);
		final double everywhere = all / fft.points();
		for (int y = 0; y < lagsY; y++)
			rowNoise[y] = forwardFactor * (forward.block + forward.rows[y]) + inverseFactor * Math.sqrt(Math.max(rowNoise[y] / fft.width, everywhere));
		for (int x = 0; x < lagsX; x++) columnNoise[x] = forwardFactor * forward.columns[x] + inverseFactor * Math.sqrt(energies[x] / fft.height);
	}

	/** The bytes that the spectra of a tile take. */
	public static long spectraBytes(final PartitionShape shape, final TileFft fft) {
		return BlockSpectra.bytes(fft.points(), shape.pairs());
	}

	@Override
	public void startRow(final int z, final int y) {
		Rows.squaredSum(columnNoise, rowNoise[y], error.minVariance(), 0, lagsX);
		row = re[y];
	}
}
