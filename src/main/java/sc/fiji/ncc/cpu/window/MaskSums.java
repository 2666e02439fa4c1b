package sc.fiji.ncc.cpu.window;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.loops.Rows;

/**
 * {@link CountedSums} of the pixels of a template that lie on present pixels of the image: correlations of the image's mask with weights, values and squares
 * (D. Padfield, Masked object registration in the Fourier domain, IEEE Transactions on Image Processing 21, 2012, doi 10.1109/TIP.2011.2181402). They are
 * computed for a whole tile. The weights are those of all templates and are added up once for each tile. Without weights they are counts, from running sums.
 */
public abstract class MaskSums extends CountedSums {

	protected final TemplatePlanes planes;
	/** The weights of the templates; null if each is 1. */
	protected final double[] weights;
	/** The original weights, if they are not all 0 or 1. Default: null. */
	protected final double[] given;
	private List<double[]> deviations;
	private Totals[] totals;
	protected final double totalWeight;
	/**
	 * The sums of all rows of lags of a tile, allocated when they are first needed. {@code numbers}: the number of positive weights, if weights are not whole
	 * numbers.
	 */
	private double[][] sums, numbers;
	private final int[] maxLags;
	/** The sums of one row, where all pixels of a tile are present, or none. */
	private final double[] constantValue, constantSquare;

	/** The sums over a whole template. {@code magnitude}: that of the magnitudes of the weighted values. */
	protected record Totals(double value, double square, double magnitude) {}

	// the current tile
	protected TileInput tile;
	protected TileReader[] readers;
	protected int lagsX, lagsY, lagsZ;
	/** Whether all pixels of the tile are present, or none. */
	private boolean whole, empty;
	/** The current row. */
	private int z, y;

	/**
	 * @param weights the weight of each pixel; null if each is 1
	 * @param given the weights before they were scaled or rounded, if they are not all 0 or 1. Default: null
	 * @param deviations the values of each template without weights; 0 where the weight is 0
	 * @param maxLags the maximum number of lags of a tile along x, y and z
	 */
	protected MaskSums(final TemplatePlanes planes, final double[] weights, final double[] given, final List<double[]> deviations, final int[] maxLags) {
		this.planes = planes;
		this.weights = weights;
		this.given = given;
		this.deviations = deviations;
		totals = new Totals[deviations.size()];
		this.maxLags = maxLags;
		constantValue = new double[maxLags[0]];
		constantSquare = new double[maxLags[0]];
		double total = 0;
		for (int i = 0; i < planes.size.pixels(); i++) total += weight(i);
		totalWeight = total;
	}

	/** A buffer for the sums of all rows of lags of a tile. */
	protected final double[][] rows() {
		return Rows.doubles(maxLags[1] * maxLags[2], maxLags[0]);
	}

	private double weight(final int i) {
		return weights == null ? 1 : weights[i];
	}

	/** Changes to other templates of the same size and weights. */
	public MaskSums with(final List<double[]> others) {
		deviations = others;
		totals = new Totals[others.size()];
		return this;
	}

	/** Starts a tile, whose planes were read. */
	public final void begin(final TileInput input) {
		use(input);
		if (sums == null) sums = rows();
		if (numbers == null && given != null) numbers = rows();
		whole = empty = true;
		for (int p = 0; p < planes.count + lagsZ - 1; p++) {
			whole &= readers[p].whole();
			empty &= readers[p].empty();
		}
		if (whole || empty) {
			fill(sums, empty ? 0 : totalWeight);
			if (numbers != null) fill(numbers, empty ? 0 : Arrays.stream(given).filter(w -> w > 0).count());
			return;
		}
		beginTile();
		if (weights == null) count();
		else weights(sums, numbers);
	}

	/** Starts the same tile in another channel of the image: the mask and so the weights are those of {@code first}. */
	public final void begin(final TileInput input, final MaskSums first) {
		use(input);
		whole = first.whole;
		empty = first.empty;
		sums = first.sums;
		numbers = first.numbers;
		if (!whole && !empty) beginTile();
	}

	/** Takes the input of a tile. */
	protected final void use(final TileInput input) {
		tile = input;
		readers = input.planes();
		lagsX = input.lagsX();
		lagsY = input.lagsY();
		lagsZ = input.lagsZ();
	}

	/** Starts a tile of which some pixels are present and others are missing. */
	protected void beginTile() {}

	/** Selects the template for the following rows. */
	public final void select(final int template) {
		final Totals all = totals(template);
		final double roundings = roundings();
		errors(given == null ? 0 : roundings * totalWeight, roundings * all.magnitude, roundings * all.square);
		if (whole || empty) {
			Arrays.fill(constantValue, 0, lagsX, empty ? 0 : all.value);
			Arrays.fill(constantSquare, 0, lagsX, empty ? 0 : all.square);
			value = constantValue;
			square = constantSquare;
		}
		else values(template);
	}

	protected final Totals totals(final int template) {
		if (totals[template] == null) totals[template] = computed(template);
		return totals[template];
	}

	private Totals computed(final int template) {
		final double[] values = weightedValues(template), squares = weightedSquares(template);
		double sum = 0, sumOfSquares = 0, magnitude = 0;
		for (int i = 0; i < values.length; i++) {
			sum += values[i];
			sumOfSquares += squares[i];
			magnitude += Math.abs(values[i]);
		}
		return new Totals(sum, sumOfSquares, magnitude);
	}

	/** The weighted values of a template. */
	protected final double[] weightedValues(final int template) {
		final double[] values = deviations.get(template).clone();
		for (int i = 0; i < values.length; i++) values[i] *= weight(i);
		return values;
	}

	/** Their weighted squares. */
	protected final double[] weightedSquares(final int template) {
		final double[] d = deviations.get(template), squares = new double[d.length];
		for (int i = 0; i < d.length; i++) squares[i] = weight(i) * d[i] * d[i];
		return squares;
	}

	private void fill(final double[][] rows, final double value) {
		for (int r = 0; r < lagsY * lagsZ; r++) Arrays.fill(rows[r], 0, lagsX, value);
	}

	/** The maximum error of a sum, in roundings of the sum of the magnitudes of all its terms. */
	protected abstract double roundings();

	/**
	 * Computes the sums of the weights of a tile for all rows of lags, and the numbers of positive weights if they are requested.
	 *
	 * @param toNumbers null if only the weights are requested
	 */
	protected abstract void weights(double[][] to, double[][] toNumbers);

	/**
	 * Computes the sums of the values of a template, and of their squares, for all rows of lags of a tile. Calls {@link #errors} if the errors are not those of
	 * {@link #roundings}.
	 */
	protected abstract void values(int template);

	/** Sets {@link #value} and {@link #square} to the computed sums of a row of lags. */
	protected abstract void useRow(int z, int y);

	/** Counts the present pixels of each window: running sums of whole numbers. */
	private void count() {
		final int columns = lagsX + planes.width - 1;
		final double[] row = new double[columns], column = new double[columns];
		for (int slice = 0; slice < lagsZ; slice++) {
			Arrays.fill(column, 0);
			for (int r = 0; r < lagsY + planes.height - 1; r++) {
				tile.poll();
				for (int p = slice; p < slice + planes.count; p++) {
					readers[p].presentRow(r, row);
					Rows.add(column, row, columns);
					if (r < planes.height) continue;
					readers[p].presentRow(r - planes.height, row);
					Rows.subtract(column, row, columns);
				}
				final int first = r - planes.height + 1;
				if (first < 0) continue;
				final double[] to = sums[slice * lagsY + first];
				double n = 0;
				for (int x = 0; x < planes.width; x++) n += column[x];
				to[0] = n;
				for (int x = 1; x < lagsX; x++) to[x] = n += column[x + planes.width - 1] - column[x - 1];
			}
		}
	}

	/** The weights that count in each window of a row of lags of the tile. */
	public final double[] weights(final int slice, final int rowOfLags) {
		return sums[slice * lagsY + rowOfLags];
	}

	@Override
	public final void row(final long[] lag, final long[] image, final int slice, final int rowOfLags, final int lags) {
		z = slice;
		y = rowOfLags;
		weight = sums[z * lagsY + y];
		if (!whole && !empty) useRow(z, y);
	}

	/** {@inheritDoc} Where the sum of the weights is too inaccurate to decide, they are added up one by one, as an evaluation of this window alone does. */
	@Override
	public final boolean enough(final int x, final double share) {
		if (!((numbers == null ? weight : numbers[z * lagsY + y])[x] > 0)) return false;
		final double min = share * totalWeight;
		if (given == null || Math.abs(weight[x] - min) > MAX_ERROR * totalWeight) return weight[x] >= min;
		return share == 0 || inOrder(x, share);
	}

	@Override
	public final int enough(final double share, final boolean[] outside, final int lags) {
		if (given != null) return super.enough(share, outside, lags);
		// a positive minimum includes that any pixel counts
		final double min = Math.max(Double.MIN_VALUE, share * totalWeight);
		int n = 0;
		for (int x = 0; x < lags; x++) {
			final boolean enough = weight[x] >= min;
			outside[x] = !enough;
			n += enough ? 1 : 0;
		}
		return n;
	}

	private boolean inOrder(final int x, final double share) {
		double part = 0, total = 0;
		for (int i = 0; i < given.length; i++) {
			final int column = i % planes.width, row = i / planes.width % planes.height, plane = i / (planes.width * planes.height);
			total += given[i];
			if (readers[z + plane].present(x + column, y + row)) part += given[i];
		}
		return part >= share * total;
	}
}
