package sc.fiji.ncc.cpu;

import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;

/**
 * One template of any pixel type for {@link DirectFloat}, and its ladder of accuracy.
 * <ol>
 * <li>The tile in float: pixels about the tile's median, scaled by a power of two, products added up in float in short runs.</li>
 * <li>If the estimate of too many responses exceeds the tolerance, the tile in double, each window summed anew.</li>
 * <li>If that does not help, its quarters, each about a median of its own.</li>
 * <li>What remains, one window at a time, by {@link ExactScore}.</li>
 * </ol>
 * The estimate, with μ and σ of the window and {@code ref} the reference: {@code c·eps·√(1 + (μ - ref)²/σ²)}, and for the running sums that
 * σ² stands well above the rounding of what passed through them. It is an estimate, not a bound; c has a margin.
 */
final class FloatTiles implements TileMethod {

	/** A response is computed again if its estimated error exceeds this; the contract allows 1e-5. */
	private static final double TOLERANCE = 4e-6;
	private static final double EPS_FLOAT = 0x1p-24, EPS_DOUBLE = 0x1p-53;
	/** Products added up in float before they go to double. */
	private static final int FLOAT_RUN = 1024;
	/** Up to this many suspects are looked at one by one, without asking what they have in common. */
	private static final int FEW = 8;
	/** Below this many lags a quarter is not cut further. */
	private static final int SMALLEST = 256;

	private final Template template;
	private final TemplatePlanes planes;
	private final PixelType image;
	private final Lags lags;
	/** Zero-mean template, scaled; 0 where it has no weight. */
	private final double[] zeroMean;
	private final double[] weights;
	private final double n, norm, floatMean, doubleMean;
	/** Greatest (μ - ref)²/σ² that passes in float and in double. */
	private final double floatLimit, doubleLimit;

	FloatTiles(final Template template, final PixelType image, final Lags lags) {
		TemplatePlanes.requireContrast(template);
		this.template = template;
		this.image = image;
		this.lags = lags;
		planes = new TemplatePlanes(template.size());
		weights = template.weights();
		n = TemplatePlanes.weight(template);
		zeroMean = ZeroMean.of(template);
		double sum = 0, sumFloat = 0, energy = 0;
		for (final double t : zeroMean) {
			sum += t;
			sumFloat += (float) t;
			energy += t * t;
		}
		norm = Math.sqrt(energy - sum * (sum / n));
		doubleMean = sum / n;
		floatMean = sumFloat / n;
		// fitted: a few roundings, and a random walk along each run
		final double c = 1 + 0.25 * Math.sqrt(Math.min(n, FLOAT_RUN));
		floatLimit = Math.pow(TOLERANCE / (c * EPS_FLOAT), 2) - 1;
		doubleLimit = TOLERANCE / (16 * EPS_DOUBLE);
	}

	@Override
	public int mostLagsX() {
		return TileShape.LAGS_X;
	}

	@Override
	public int mostLagsY() {
		return TileShape.lagsY(planes.height);
	}

	@Override
	public Worker worker() {
		return new FloatWorker();
	}

	private final class FloatWorker implements Worker {

		private final int most = mostLagsX();
		private final int columns = most + planes.width - 1;
		private final TileReader[] readers = new TileReader[planes.count];
		private final FloatTaps floatTaps = new FloatTaps(planes.width, planes.height, planes.cutToFloat(zeroMean), FLOAT_RUN, most);
		private final WindowSums windows = weights == null ? new WindowSums(planes.width, planes.height, most) : null;
		private final DoubleTaps weightTaps = weights == null ? null : taps(weights), energyTaps = weights == null ? null : taps(weights);
		private final OverlapSums overlap = lags.partial() ? new OverlapSums(planes.size, weights, zeroMean) : null;
		private final ExactScore exact = new ExactScore(template);
		private final float[] floats = new float[columns];
		private final double[] doubles = new double[columns], squares = new double[columns];
		private final double[] products = new double[most], sums = new double[most], energies = new double[most];
		private final double[] variance = new double[most], slack = new double[most], folded = new double[most],
			r = new double[most];
		private final double[] window = new double[zeroMean.length];
		private final double[] windowWeights = lags.partial() ? new double[zeroMean.length] : null;
		private DoubleTaps doubleTaps;
		private int[] suspects = new int[64];
		private int suspected;
		private WindowDefects defects;
		private Pixels in;
		private float undefined;
		private float[] out;
		private int stride;
		private BooleanSupplier stop;
		private long missing, rechecked;

		FloatWorker() {
			for (int p = 0; p < planes.count; p++) readers[p] = new TileReader(image);
		}

		private DoubleTaps taps(final double[] c) {
			return new DoubleTaps(planes.width, planes.height, planes.cut(c), most);
		}

		@Override
		public Count compute(final Pixels in, final long[] lag, final int n, final int m, final float undefined, final float[] out,
			final BooleanSupplier stop)
		{
			this.in = in;
			this.undefined = undefined;
			this.out = out;
			this.stop = stop;
			stride = n;
			missing = rechecked = 0;
			tile(lag, n, m, 0, false);
			this.in = null;
			this.out = null;
			return new Count(missing, rechecked);
		}

		/** Lags n by m from {@code lag} on, to {@code out} from {@code o} on. */
		private void tile(final long[] lag, final int lagsX, final int lagsY, final int o, final boolean inDouble) {
			for (int p = 0; p < planes.count; p++) {
				final long[] min = lag.clone();
				for (int d = 2; d < min.length; d++) min[d] += planes.places[p][d];
				readers[p].read(in, min, lagsX + planes.width - 1, lagsY + planes.height - 1);
			}
			final TileScale scale = TileScale.of(readers, image);
			defects = scale.defective ? defects(lagsX, lagsY) : null;
			final long missingBefore = missing;
			pass(lag, lagsX, lagsY, o, scale, inDouble);
			if (suspected > FEW) settleFlat(lagsX, lagsY, o);
			final long area = (long) lagsX * lagsY;
			if (!inDouble && suspected > FEW && suspected * 50L > area) {
				missing = missingBefore;
				rechecked += area;
				tile(lag, lagsX, lagsY, o, true);
			}
			else if (inDouble && suspected * 8L > area && area > SMALLEST) {
				missing = missingBefore;
				quarters(lag, lagsX, lagsY, o);
			}
			else settleRest(lagsX, o);
		}

		private WindowDefects defects(final int lagsX, final int lagsY) {
			return new WindowDefects(readers, planes.width, planes.height, lagsX, lagsY);
		}

		private void quarters(final long[] lag, final int lagsX, final int lagsY, final int o) {
			final int w = (lagsX + 1) / 2, h = (lagsY + 1) / 2;
			for (int y = 0; y < lagsY; y += h)
				for (int x = 0; x < lagsX; x += w) {
					final long[] at = lag.clone();
					at[0] += x;
					if (at.length > 1) at[1] += y;
					tile(at, Math.min(w, lagsX - x), Math.min(h, lagsY - y), o + y * stride + x, true);
				}
		}

		private void pass(final long[] lag, final int lagsX, final int lagsY, final int o, final TileScale scale, final boolean inDouble) {
			final int width = lagsX + planes.width - 1, height = lagsY + planes.height - 1;
			begin(lagsX, inDouble);
			for (int row = 0; row < height; row++) {
				if (stop.getAsBoolean()) throw new CancellationException("canceled");
				add(row, Math.max(0, row - planes.height + 1), Math.min(row, lagsY - 1), width, scale, inDouble);
				final int y = row - planes.height + 1;
				if (y < 0) continue;
				finish(y, inDouble);
				final boolean sound;
				if (lags.partial()) sound = overlapping(lag, y, lagsX, inDouble);
				else sound = inside(lagsX, inDouble);
				if (!sound || scale.defective) suspect(y, lagsX, scale.overflows);
				Rows.toResponses(r, out, o + y * stride, lagsX);
			}
		}

		private void begin(final int lagsX, final boolean inDouble) {
			suspected = 0;
			if (inDouble) {
				if (doubleTaps == null) doubleTaps = taps(zeroMean);
				doubleTaps.begin(lagsX);
			}
			else floatTaps.begin(lagsX);
			if (weights == null) windows.begin(lagsX, inDouble);
			else {
				weightTaps.begin(lagsX);
				energyTaps.begin(lagsX);
			}
		}

		private void add(final int row, final int y0, final int y1, final int width, final TileScale scale, final boolean inDouble) {
			final double[] v = weights == null ? windows.rowValues(row) : null, q = weights == null ? windows.rowSquares(row) : null;
			for (int p = 0; p < planes.count; p++) {
				if (inDouble || weights != null) readers[p].row(row, scale.reference, scale.factor, doubles);
				if (inDouble) doubleTaps.add(p, doubles, row, y0, y1);
				else {
					readers[p].row(row, scale.reference, scale.factor, floats);
					floatTaps.add(p, floats, row, y0, y1);
				}
				if (weights != null) {
					Rows.square(doubles, squares, width);
					weightTaps.add(p, doubles, row, y0, y1);
					energyTaps.add(p, squares, row, y0, y1);
				}
				else if (inDouble) Rows.accumulate(doubles, v, q, p == 0, width);
				else Rows.accumulate(floats, v, q, p == 0, width);
			}
			if (weights == null) windows.rowDone(row);
		}

		private void finish(final int y, final boolean inDouble) {
			if (inDouble) doubleTaps.finish(y, products);
			else floatTaps.finish(y, products);
			if (weights == null) windows.finish(sums, energies);
			else {
				weightTaps.finish(y, sums);
				energyTaps.finish(y, energies);
			}
		}

		/** The least variance that stands out of the rounding of the sums it is a difference of. */
		private double floor() {
			final double passed = weights == null ? windows.energy() : 0;
			return Math.max(passed * EPS_DOUBLE * 128 / TOLERANCE, 1e-280);
		}

		/** Responses of a row of windows inside the image; false if some are suspect: their slack is negative. */
		private boolean inside(final int lagsX, final boolean inDouble) {
			Rows.variances(sums, energies, variance, 1 / n, lagsX);
			Rows.slack(sums, variance, slack, 1 / n, inDouble ? doubleLimit : floatLimit, floor(), lagsX);
			Rows.responses(products, sums, variance, r, inDouble ? doubleMean : floatMean, norm, lagsX);
			System.arraycopy(slack, 0, folded, 0, lagsX);
			return Rows.least(folded, lagsX) >= 0;
		}

		private boolean overlapping(final long[] lag, final int y, final int lagsX, final boolean inDouble) {
			final long[] at = lag.clone();
			if (at.length > 1) at[1] += y;
			final long[] size = in.size();
			overlap.row(at, size);
			final double limit = inDouble ? doubleLimit : floatLimit, floor = floor(), least = Math.max(1, lags.leastOverlap() * n);
			boolean sound = true;
			for (int x = 0; x < lagsX; x++) {
				final int a = overlap.from(at[0] + x), b = overlap.to(at[0] + x, size[0]);
				final double count = overlap.weight[b] - overlap.weight[a], t = overlap.value[b] - overlap.value[a];
				final double varianceT = overlap.square[b] - overlap.square[a] - t * (t / count);
				final double p = sums[x], v = energies[x] - p * (p / count);
				r[x] = (products[x] - p * (t / count)) / (Math.sqrt(v) * Math.sqrt(varianceT));
				slack[x] = 0;
				if (count < least) {
					slack[x] = Double.NEGATIVE_INFINITY;
					sound = false;
				}
				else if (!(v > floor && varianceT > 1e-8 * norm * norm
					&& (v + p * (p / count)) * (varianceT + t * (t / count)) <= (1 + limit) * v * varianceT))
				{
					slack[x] = -1;
					sound = false;
				}
			}
			return sound;
		}

		/** Notes which windows of a row are to be looked at again, and settles those that are undefined for certain. */
		private void suspect(final int y, final int lagsX, final boolean all) {
			if (suspects.length < suspected + lagsX) suspects = Arrays.copyOf(suspects, 2 * (suspected + lagsX));
			for (int x = 0; x < lagsX; x++) {
				final boolean broken = defects != null && defects.broken(x, y);
				if (slack[x] == Double.NEGATIVE_INFINITY || broken && weights == null) {
					r[x] = undefined;
					missing++;
				}
				else if (all || broken || !(slack[x] >= 0)) suspects[suspected++] = y * lagsX + x;
			}
		}

		/** Takes the flat windows out of the suspects. */
		private void settleFlat(final int lagsX, final int lagsY, final int o) {
			if (defects == null) defects = defects(lagsX, lagsY);
			int left = 0;
			for (int i = 0; i < suspected; i++) {
				final int x = suspects[i] % lagsX, y = suspects[i] / lagsX;
				if (defects.flat(x, y)) {
					out[o + y * stride + x] = undefined;
					missing++;
				}
				else suspects[left++] = suspects[i];
			}
			suspected = left;
		}

		private void settleRest(final int lagsX, final int o) {
			rechecked += suspected;
			for (int i = 0; i < suspected; i++) {
				if ((i & 63) == 0 && stop.getAsBoolean()) throw new CancellationException("canceled");
				final int x = suspects[i] % lagsX, y = suspects[i] / lagsX;
				final float v = (float) score(x, y);
				if (v != v) missing++;
				out[o + y * stride + x] = v != v ? undefined : v;
			}
		}

		private double score(final int x, final int y) {
			final int w = planes.width, h = planes.height;
			for (int p = 0, i = 0; p < planes.count; p++)
				for (int j = 0; j < h; j++)
					for (int k = 0; k < w; k++, i++) {
						final boolean inside = readers[p].inside(x + k, y + j);
						window[i] = inside ? readers[p].value(x + k, y + j) : 0;
						if (windowWeights != null) windowWeights[i] = inside ? template.weight(i) : 0;
					}
			return windowWeights == null ? exact.score(window) : exact.score(window, windowWeights);
		}
	}
}
