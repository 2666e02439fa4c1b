package sc.fiji.ncc.cpu;

import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;

/**
 * One template of any pixel type, correlated in floating point, on the ladder of accuracy.
 * <ol>
 * <li>The tile by the first way, usually in float: pixels about the tile's median, scaled by a power of two.</li>
 * <li>If the estimated error of too many responses exceeds the tolerance, the tile in double, each window summed anew.</li>
 * <li>If that does not help, its quarters, each about a median of its own; masked windows one sum at a time, if they were transformed before.</li>
 * <li>What remains, one window at a time, by {@link ExactScore}.</li>
 * </ol>
 * The estimate is the numerator's (see {@link Numerator}), and for the running sums of the window that its variance stands well above the
 * rounding of what passed through them. It is an estimate, not a bound, fitted with a margin.
 */
final class LadderTiles implements TileMethod {

	/** Up to this many suspects are looked at one by one, without asking what they have in common. */
	private static final int FEW = 8;
	/** Below this many lags a quarter is not cut further. */
	private static final int SMALLEST = 256;

	private final Template template;
	private final TemplatePlanes planes;
	private final PixelType image;
	private final Lags lags;
	private final int[] mostLags;
	private final int leastRows;
	private final Supplier<Numerator> first, second;
	private final double[] zeroMean;
	private final double[] weights;
	private final OverlapSums overlapSums;
	private final double n, norm;

	/**
	 * @param zeroMean the template as {@link ZeroMean} gives it
	 * @param mostLags the most lags of a tile along x, y and z
	 * @param leastRows see {@link TileMethod#leastRows}
	 * @param first makes a thread's first way to the numerators
	 * @param second makes its way in double, for tiles of one z
	 */
	LadderTiles(final Template template, final double[] zeroMean, final PixelType image, final Lags lags, final int[] mostLags, final int leastRows,
		final Supplier<Numerator> first, final Supplier<Numerator> second)
	{
		this.template = template;
		this.image = image;
		this.lags = lags;
		this.mostLags = mostLags;
		this.leastRows = leastRows;
		this.first = first;
		this.second = second;
		this.zeroMean = zeroMean;
		planes = new TemplatePlanes(template.size());
		weights = template.weights();
		n = TemplatePlanes.weight(template);
		double sum = 0, energy = 0;
		for (final double t : zeroMean) {
			sum += t;
			energy += t * t;
		}
		norm = Math.sqrt(energy - sum * (sum / n));
		overlapSums = lags.partial() ? new OverlapSums(planes.size, weights, zeroMean) : null;
	}

	@Override
	public int mostLags(final int d) {
		return d < 3 ? mostLags[d] : 1;
	}

	@Override
	public int leastRows() {
		return leastRows;
	}

	@Override
	public Worker worker() {
		return new LadderWorker();
	}

	private final class LadderWorker implements Worker {

		private final int most = mostLags[0];
		private final TileReader[] firstReaders = readers(planes.count + mostLags[2] - 1), secondReaders = readers(planes.count);
		private final Numerator firstWay = first.get();
		private Numerator secondWay;
		private final WindowMoments firstWindows = firstWay.moments() == null ? windows(mostLags, false) : firstWay.moments();
		/** For the tile in double, and for its quarters. */
		private WindowMoments secondWindows, lastWindows;
		private final OverlapSums overlap = lags.partial() ? overlapSums.copy() : null;
		private final ExactScore exact = new ExactScore(template);
		private final float[] products = new float[most], r = new float[most];
		private final double[] sums = new double[most], energies = new double[most], slack = new double[most];
		private final double[] leastVariance = new double[most];
		private final double[] partialProducts = new double[lags.partial() ? most : 0];
		private final Normalisation normalisation = new Normalisation(n, norm, most);
		/** Lags at which too little of the template overlaps the image. */
		private final boolean[] outside = new boolean[lags.partial() ? most : 0];
		private final double[] window = new double[zeroMean.length];
		private final double[] windowWeights = lags.partial() ? new double[zeroMean.length] : null;

		// of the tile at hand
		private Pixels in;
		private float undefined;
		private float[] out;
		private int stride;
		private BooleanSupplier stop;
		private long missing, rechecked;

		// of the pass at hand
		private Numerator way;
		private WindowMoments windows;
		private TileReader[] readers;
		private TileScale scale;
		private int z, lagsX, lagsY, o;
		private WindowDefects defects;
		private int[] suspects = new int[64];
		private int suspected;

		private TileReader[] readers(final int count) {
			final TileReader[] r = new TileReader[count];
			for (int p = 0; p < count; p++) r[p] = new TileReader(image);
			return r;
		}

		private WindowMoments windows(final int[] mostLags, final boolean again) {
			if (weights != null) return new WeightedMoments(planes, weights, most);
			return IntWindowSums.holds(image, zeroMean.length) ? new IntWindowSums(planes, mostLags) : new WindowSums(planes, mostLags, again);
		}

		@Override
		public Count compute(final Pixels in, final long[] lag, final int[] size, final float undefined, final float[] out,
			final BooleanSupplier stop)
		{
			this.in = in;
			this.undefined = undefined;
			this.out = out;
			this.stop = stop;
			final int n = size[0], m = size.length > 1 ? size[1] : 1, k = size.length > 2 ? size[2] : 1;
			stride = n;
			missing = rechecked = 0;
			read(firstReaders, lag, n, m, k);
			final TileScale tileScale = TileScale.of(firstReaders, planes.count + k - 1, image);
			firstWay.begin(firstReaders, tileScale, n, m, k, stop);
			firstWindows.begin(firstReaders, tileScale, n, m, k, stop);
			for (int z = 0; z < k; z++) {
				final long[] at = lag.clone();
				if (k > 1) at[2] += z;
				final long missingBefore = missing;
				pass(firstWay, firstWindows, firstReaders, tileScale, at, z, n, m, z * n * m);
				if (suspected > FEW && suspected * 50L > (long) n * m) {
					missing = missingBefore;
					again(at, n, m, z * n * m, true);
				}
				else settleRest();
			}
			this.in = null;
			this.out = null;
			return new Count(missing, rechecked);
		}

		private void read(final TileReader[] readers, final long[] lag, final int n, final int m, final int k) {
			for (int p = 0; p < planes.count + k - 1; p++) {
				final long[] min = lag.clone();
				for (int d = 2; d < min.length; d++) min[d] += k > 1 ? p : planes.places[p][d];
				readers[p].read(in, min, n + planes.width - 1, m + planes.height - 1);
			}
		}

		/** Lags n by m from {@code lag} on in double, to {@code out} from {@code o} on: all of a z, or a part. */
		private void again(final long[] lag, final int n, final int m, final int o, final boolean all) {
			if (secondWay == null) {
				secondWay = second.get();
				lastWindows = windows(new int[] { mostLags[0], mostLags[1], 1 }, true);
				secondWindows = secondWay.moments() == null ? lastWindows : secondWay.moments();
			}
			final WindowMoments windows = all ? secondWindows : lastWindows;
			read(secondReaders, lag, n, m, 1);
			final TileScale tileScale = TileScale.of(secondReaders, planes.count, image);
			secondWay.begin(secondReaders, tileScale, n, m, 1, stop);
			windows.begin(secondReaders, tileScale, n, m, 1, stop);
			final long missingBefore = missing;
			pass(secondWay, windows, secondReaders, tileScale, lag, 0, n, m, o);
			final long area = (long) n * m;
			if (suspected * 8L <= area || area <= SMALLEST) {
				rechecked += area - suspected;
				settleRest();
				return;
			}
			missing = missingBefore;
			final int w = (n + 1) / 2, h = (m + 1) / 2;
			for (int y = 0; y < m; y += h)
				for (int x = 0; x < n; x += w) {
					final long[] at = lag.clone();
					at[0] += x;
					if (at.length > 1) at[1] += y;
					again(at, Math.min(w, n - x), Math.min(h, m - y), o + y * stride + x, false);
				}
		}

		/** The responses of one z, and the list of those that are suspect and not flat. */
		private void pass(final Numerator way, final WindowMoments windows, final TileReader[] readers, final TileScale scale, final long[] lag,
			final int z, final int n, final int m, final int o)
		{
			this.way = way;
			this.windows = windows;
			this.readers = readers;
			this.scale = scale;
			this.z = z;
			lagsX = n;
			lagsY = m;
			this.o = o;
			suspected = 0;
			defects = scale.defective ? defects() : null;
			for (int row = 0; row < m + planes.height - 1; row++) {
				if (stop.getAsBoolean()) throw new CancellationException("canceled");
				final int y = row - planes.height + 1;
				way.add(z, row, Math.max(0, y), Math.min(row, m - 1));
				windows.add(z, row, Math.max(0, y), Math.min(row, m - 1));
				if (y < 0) continue;
				windows.finish(z, y, sums, energies);
				final boolean sound = lags.partial() ? overlapping(lag, y) : inside(y);
				if (!sound || scale.defective) suspect(y);
				System.arraycopy(r, 0, out, o + y * stride, n);
			}
			if (suspected > FEW) settleFlat();
		}

		private WindowDefects defects() {
			return new WindowDefects(Arrays.copyOfRange(readers, z, z + planes.count), planes.width, planes.height, lagsX, lagsY);
		}

		/** The least variance that stands out of rounding and underflow. */
		private double floor() {
			return Math.max(windows.floor(), way.floor());
		}

		/** Responses of a row of windows inside the image; false if some are suspect: their slack is negative. */
		private boolean inside(final int y) {
			way.finish(z, y, products);
			return normalisation.responses(products, sums, energies, leastVariance(), way.limit(), floor(), slack, r, lagsX);
		}

		/** What the estimates of numerator and moments demand together; null for nothing. */
		private double[] leastVariance() {
			final double[] a = way.leastVariance(), b = windows.leastVariance();
			if (a == null || b == null) return a == null ? b : a;
			Rows.sum(a, b, leastVariance, lagsX);
			return leastVariance;
		}

		private boolean overlapping(final long[] lag, final int y) {
			way.finish(z, y, partialProducts);
			final long[] at = lag.clone();
			if (at.length > 1) at[1] += y;
			final long[] size = in.size();
			overlap.row(at, size);
			final double floor = floor(), least = Math.max(1, lags.leastOverlap() * n);
			final double[] leastVariance = way.leastVariance();
			boolean sound = true;
			for (int x = 0; x < lagsX; x++) {
				final int a = overlap.from(at[0] + x), b = overlap.to(at[0] + x, size[0]);
				final double count = overlap.weight[b] - overlap.weight[a], t = overlap.value[b] - overlap.value[a];
				final double varianceT = overlap.square[b] - overlap.square[a] - t * (t / count);
				final double p = sums[x], v = energies[x] - p * (p / count);
				final double value = (partialProducts[x] - p * (t / count)) / (Math.sqrt(v) * Math.sqrt(varianceT));
				r[x] = (float) Math.max(-1, Math.min(1, value));
				slack[x] = 0;
				final double ofProduct = (leastVariance == null ? 0 : Math.sqrt(leastVariance[x]) * norm) + Math.abs(t / count) * windows.sumError(x);
				final double noise = ofProduct * ofProduct / varianceT + windows.partialLeastVariance(x, p, count);
				outside[x] = count < least;
				if (outside[x]) {
					slack[x] = -1;
					sound = false;
				}
				else if (!(v > floor && v > noise && varianceT > 1e-8 * norm * norm
					&& (v + p * (p / count)) * (varianceT + t * (t / count)) <= (1 + way.partialLimit(count / n)) * v * varianceT))
				{
					slack[x] = -1;
					sound = false;
				}
			}
			return sound;
		}

		/** Notes which windows of a row are to be looked at again, and settles those that are undefined for certain. */
		private void suspect(final int y) {
			if (suspects.length < suspected + lagsX) suspects = Arrays.copyOf(suspects, 2 * (suspected + lagsX));
			for (int x = 0; x < lagsX; x++) {
				final boolean broken = defects != null && defects.broken(x, y);
				if (lags.partial() && outside[x] || broken && weights == null) {
					r[x] = undefined;
					missing++;
				}
				else if (scale.overflows || broken || !(slack[x] >= 0)) suspects[suspected++] = y * lagsX + x;
			}
		}

		/** Takes the flat windows out of the suspects. */
		private void settleFlat() {
			if (defects == null) defects = defects();
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

		private void settleRest() {
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
						final boolean inside = readers[z + p].inside(x + k, y + j);
						window[i] = inside ? readers[z + p].value(x + k, y + j) : 0;
						if (windowWeights != null) windowWeights[i] = inside ? template.weight(i) : 0;
					}
			return windowWeights == null ? exact.score(window) : exact.score(window, windowWeights);
		}
	}
}
