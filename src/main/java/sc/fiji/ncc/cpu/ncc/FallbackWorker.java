package sc.fiji.ncc.cpu.ncc;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.execution.SharedTile;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.tile.WindowDefects;
import sc.fiji.ncc.cpu.window.IntWindowSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.cpu.window.PairWindowSums;
import sc.fiji.ncc.cpu.window.WeightedMoments;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.cpu.window.WindowSums;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.ExactScore;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sink;

/** One thread's memory and way up the ladder: see {@link FallbackTiles}. */
final class FallbackWorker implements TileMethod.Worker {

	/** Up to this many suspects are looked at one by one, without asking what they have in common. */
	private static final int FEW = 8;
	/** Below this many lags a quarter is not cut further. */
	private static final int SMALLEST = 256;

	private FallbackTiles tiles;
	private List<FallbackTiles.Prepared> templates;
	private final TemplatePlanes planes;
	private final PixelType image;
	private final Lags lags;
	private final int[] maxLags;
	private final Weighting weights;
	private final Precision precision;
	private final double n;
	private final int most, length;
	private final TileReader[] firstReaders, secondReaders;
	private final Numerator firstWay;
	private Numerator secondWay;
	private final WindowMoments firstWindows;
	/** For the tile in double, and for its quarters. */
	private WindowMoments secondWindows, lastWindows;
	/** Of each template, once it is needed. */
	private OverlapSums[] overlaps;
	private ExactScore[] exacts;
	private final ResponseRow row;
	private final double[] sums, energies, slack, leastVariance, partialProducts;
	/** What part of a template's weight and variance must overlap the image, lest the sums over it be differences of rounding errors. */
	private final double leastPart;
	/** Lags at which too little of the template overlaps the image. */
	private final boolean[] outside;
	private final double[] window, windowWeights;

	/** Of the tile at hand if it has several templates: memory that is used again. */
	private final SharedTile own = new SharedTile();

	// of the tile at hand
	private Pixels in;
	private long[] tileLag;
	private int tileX, tileY, tileZ;
	private boolean isRead;
	private TileScale tileScale;
	private WindowMoments tileWindows;
	private float undefined;
	/** Where its responses go: those of the template at hand. */
	private SumsPlace place;
	private BooleanSupplier stop;
	private long missing, rechecked;

	// of the template at hand
	private int index;
	private FallbackTiles.Prepared template;
	private OverlapSums overlap;

	// of the pass at hand
	private Numerator way;
	private WindowMoments windows;
	private TileReader[] readers;
	private TileScale scale;
	private int z, lagsX, lagsY, o;
	private WindowDefects defects;
	private int[] suspects = new int[64];
	private int suspected;

	FallbackWorker(final FallbackTiles tiles) {
		planes = tiles.planes;
		image = tiles.image;
		lags = tiles.lags;
		maxLags = tiles.maxLags;
		weights = tiles.weights;
		precision = tiles.precision;
		n = weights.sum();
		most = maxLags[0];
		length = planes.width * planes.height * planes.count;
		firstReaders = readers(planes.count + maxLags[2] - 1);
		secondReaders = readers(planes.count);
		firstWay = tiles.first.get();
		firstWindows = firstWay.moments() == null ? windows(maxLags, false) : firstWay.moments();
		use(tiles);
		row = ResponseRow.of(precision, most);
		leastPart = Tolerance.leastShare(precision);
		sums = new double[most];
		energies = new double[most];
		slack = new double[most];
		leastVariance = new double[most];
		final int partial = lags.partial() ? most : 0;
		partialProducts = new double[partial];
		outside = new boolean[partial];
		window = new double[length];
		windowWeights = lags.partial() ? new double[length] : null;
	}

	private void use(final FallbackTiles those) {
		tiles = those;
		templates = those.templates;
		overlaps = new OverlapSums[templates.size()];
		exacts = new ExactScore[templates.size()];
		secondWay = null;
	}

	@Override
	public boolean adopt(final TileMethod method) {
		use((FallbackTiles) method);
		tiles.exchange.accept(firstWay);
		return true;
	}

	private TileReader[] readers(final int count) {
		final TileReader[] r = new TileReader[count];
		for (int p = 0; p < count; p++) r[p] = new TileReader(image);
		return r;
	}

	private WindowMoments windows(final int[] maxLags, final boolean again) {
		if (weights.values() != null) return new WeightedMoments(planes, weights.values(), Tolerance.of(precision), most);
		if (precision == Precision.DOUBLE && !IntWindowSums.holds(image, length)) return new PairWindowSums(planes, maxLags, again);
		return IntWindowSums.holds(image, length) ? new IntWindowSums(planes, maxLags) : new WindowSums(planes, maxLags, again);
	}

	@Override
	public SharedTile share(final TileMethod.Tile tile, final BooleanSupplier stop) {
		at(tile, stop);
		begin();
		final SharedTile shared = new SharedTile();
		share(shared);
		in = null;
		return shared;
	}

	@Override
	public TileMethod.Count compute(final TileMethod.Tile tile, final SharedTile shared, final int[] templates, final float undefined, final Buffer responses,
		final TileMethod.Output to, final BooleanSupplier stop)
	{
		at(tile, stop);
		this.undefined = undefined;
		if (shared != null) resume(shared);
		else {
			begin();
			if (templates.length > 1) share(own);
		}
		TileMethod.Count all = new TileMethod.Count(0, 0);
		for (final int t : templates) {
			final Sink.Place inMap = to.place(t);
			place = SumsPlace.of(inMap, responses.array(), tileX, tileY);
			row.to(place.to());
			all = all.plus(correlate(t));
			to.take(t, inMap == null ? responses : null);
		}
		in = null;
		row.to(null);
		return all;
	}

	private void at(final TileMethod.Tile tile, final BooleanSupplier stop) {
		in = tile.in();
		tileLag = tile.lag();
		final int[] size = tile.size();
		tileX = size[0];
		tileY = size.length > 1 ? size[1] : 1;
		tileZ = size.length > 2 ? size[2] : 1;
		isRead = false;
		this.stop = stop;
	}

	private void begin() {
		readTile();
		tileScale = TileScale.of(firstReaders, planes.count + tileZ - 1, image);
		firstWay.begin(firstReaders, tileScale, tileX, tileY, tileZ, stop);
		firstWindows.begin(firstReaders, tileScale, tileX, tileY, tileZ, stop);
		tileWindows = firstWindows;
	}

	private void share(final SharedTile shared) {
		shared.scale = tileScale;
		shared.spectra = firstWay.transform(shared.spectra);
		// the weights are those of all templates
		if (lags.partial()) select(0);
		shared.moments.fill(firstWindows, planes.height, tileX, tileY, tileZ, lags.partial() ? this::inside : null, stop);
		tileWindows = shared.moments;
	}

	/** The weight that each window of a row has inside the image. */
	private double[] inside(final int z, final int y) {
		final long[] at = tileLag.clone();
		if (at.length > 1) at[1] += y;
		if (tileZ > 1) at[2] += z;
		final long[] size = in.size();
		overlap.row(at, size);
		for (int x = 0; x < tileX; x++)
			partialProducts[x] = overlap.weight[overlap.to(at[0] + x, size[0])] - overlap.weight[overlap.from(at[0] + x)];
		return partialProducts;
	}

	private void resume(final SharedTile shared) {
		tileScale = shared.scale;
		if (shared.spectra != null) firstWay.resume(shared.spectra, tileX, tileY, tileZ, stop);
		else {
			readTile();
			firstWay.begin(firstReaders, tileScale, tileX, tileY, tileZ, stop);
		}
		tileWindows = shared.moments;
	}

	private void readTile() {
		if (!isRead) read(firstReaders, tileLag, tileX, tileY, tileZ);
		isRead = true;
	}

	private void select(final int t) {
		index = t;
		template = templates.get(t);
		row.select(n, template.norm());
		if (lags.partial() && overlaps[t] == null) overlaps[t] = template.overlapSums().copy();
		overlap = overlaps[t];
	}

	private TileMethod.Count correlate(final int t) {
		select(t);
		missing = rechecked = 0;
		firstWay.select(t);
		final int n = tileX, m = tileY;
		for (int z = 0; z < tileZ; z++) {
			final long[] at = tileLag.clone();
			if (tileZ > 1) at[2] += z;
			final long missingBefore = missing;
			pass(firstWay, tileWindows, firstReaders, tileScale, at, z, n, m, place.row(z, 0));
			if (suspected > FEW && suspected * 50L > (long) n * m) {
				missing = missingBefore;
				again(at, n, m, place.row(z, 0), true);
			}
			else settleRest();
		}
		return new TileMethod.Count(missing, rechecked);
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
			secondWay = tiles.second.get();
			if (lastWindows == null) lastWindows = windows(new int[] { maxLags[0], maxLags[1], 1 }, true);
			secondWindows = secondWay.moments() == null ? lastWindows : secondWay.moments();
		}
		final WindowMoments windows = all ? secondWindows : lastWindows;
		read(secondReaders, lag, n, m, 1);
		final TileScale tileScale = TileScale.of(secondReaders, planes.count, image);
		secondWay.begin(secondReaders, tileScale, n, m, 1, stop);
		secondWay.select(index);
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
				again(at, Math.min(w, n - x), Math.min(h, m - y), o + y * place.rows() + x, false);
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
			final int at = o + y * place.rows();
			final boolean sound = lags.partial() ? overlapping(lag, y, at) : within(y, at);
			if (!sound || scale.defective) suspect(y, at);
		}
		if (suspected > FEW) settleFlat();
	}

	private WindowDefects defects() {
		// a tile that was kept is read again only if someone looks
		if (readers == firstReaders) readTile();
		return new WindowDefects(Arrays.copyOfRange(readers, z, z + planes.count), planes.width, planes.height, lagsX, lagsY);
	}

	/** The least variance that stands out of rounding and underflow. */
	private double floor() {
		return template.norm() > 0 ? Math.max(windows.floor(), way.floor()) : Double.POSITIVE_INFINITY;
	}

	/** Writes the responses of a row of windows inside the image from {@code o} on; false if some are suspect: their slack is negative. */
	private boolean within(final int y, final int o) {
		return row.inside(way, windows, z, y, sums, energies, leastVariance(), floor(), slack, o, lagsX);
	}

	/** What the estimates of numerator and moments demand together; null for nothing. */
	private double[] leastVariance() {
		final double[] a = way.leastVariance(), b = windows.leastVariance();
		if (a == null || b == null) return a == null ? b : a;
		Rows.sum(a, b, leastVariance, lagsX);
		return leastVariance;
	}

	private boolean overlapping(final long[] lag, final int y, final int o) {
		way.finish(z, y, partialProducts);
		final long[] at = lag.clone();
		if (at.length > 1) at[1] += y;
		final long[] size = in.size();
		overlap.row(at, size);
		final double norm = template.norm(), floor = floor();
		final double[] leastVariance = way.leastVariance(), sumRests = windows.sumRests(), energyRests = windows.energyRests();
		final double windowsLimit = windows.limit(), rounding = Tolerance.EPS_DOUBLE / Tolerance.of(precision);
		boolean sound = true;
		for (int x = 0; x < lagsX; x++) {
			final int a = overlap.from(at[0] + x), b = overlap.to(at[0] + x, size[0]);
			final double count = overlap.weight[b] - overlap.weight[a], t = overlap.value[b] - overlap.value[a];
			final double varianceT = overlap.square[b] - overlap.square[a] - t * (t / count);
			final double p = sums[x];
			final double v = sumRests == null ? energies[x] - p * (p / count) : PairRows.variance(p, sumRests[x], energies[x], energyRests[x], count);
			final double root = Math.sqrt(v) * Math.sqrt(varianceT), value = (partialProducts[x] - p * (t / count)) / root;
			row.put(o + x, Math.max(-1, Math.min(1, value)));
			slack[x] = 0;
			final double ofProduct = (leastVariance == null ? 0 : Math.sqrt(leastVariance[x]) * norm) + Math.abs(t / count) * windows.sumError(x);
			final double noise = ofProduct * ofProduct / varianceT + windows.partialLeastVariance(x, p, count);
			outside[x] = !overlap.enough(a, b, lags.minOverlap());
			if (outside[x]) {
				slack[x] = -1;
				sound = false;
			}
			else if (!(v > floor && v > noise && varianceT > leastPart * norm * norm && count > leastPart * n && overlap.holds(p / count, t / count, count, v, varianceT, root, rounding)
				&& (v + p * (p / count)) * (varianceT + t * (t / count)) <= (1 + Math.min(windowsLimit, way.partialLimit(count / n))) * v * varianceT))
			{
				slack[x] = -1;
				sound = false;
			}
		}
		return sound;
	}

	/** Notes which windows of a row are to be looked at again, and settles those that are undefined for certain. */
	private void suspect(final int y, final int o) {
		if (suspects.length < suspected + lagsX) suspects = Arrays.copyOf(suspects, 2 * (suspected + lagsX));
		for (int x = 0; x < lagsX; x++) {
			final boolean broken = defects != null && defects.broken(x, y);
			if (lags.partial() && outside[x] || broken && weights.values() == null) {
				row.put(o + x, undefined);
				missing++;
			}
			else if (scale.overflows || broken || !(slack[x] >= 0)) suspects[suspected++] = y * lagsX + x;
		}
	}

	/** Takes the flat windows out of the suspects: one by one if that is less than to look at all windows. */
	private void settleFlat() {
		final boolean few = (long) suspected * length < (long) lagsX * lagsY * WindowDefects.PIXELS;
		if (few && readers == firstReaders) readTile();
		if (!few && defects == null) defects = defects();
		final TileReader[] window = Arrays.copyOfRange(readers, z, z + planes.count);
		int left = 0;
		for (int i = 0; i < suspected; i++) {
			final int x = suspects[i] % lagsX, y = suspects[i] / lagsX;
			if (few ? WindowDefects.flat(window, planes.width, planes.height, x, y) : defects.flat(x, y)) {
				row.put(o + y * place.rows() + x, undefined);
				missing++;
			}
			else suspects[left++] = suspects[i];
		}
		suspected = left;
	}

	private void settleRest() {
		rechecked += suspected;
		if (suspected == 0) return;
		if (readers == firstReaders) readTile();
		if (exacts[index] == null) exacts[index] = new ExactScore(template.template());
		for (int i = 0; i < suspected; i++) {
			if ((i & 63) == 0 && stop.getAsBoolean()) throw new CancellationException("canceled");
			final int x = suspects[i] % lagsX, y = suspects[i] / lagsX;
			final double v = score(x, y);
			if (v != v) missing++;
			row.put(o + y * place.rows() + x, v != v ? undefined : v);
		}
	}

	private double score(final int x, final int y) {
		final int w = planes.width, h = planes.height;
		for (int p = 0, i = 0; p < planes.count; p++)
			for (int j = 0; j < h; j++)
				for (int k = 0; k < w; k++, i++) {
					final boolean inside = readers[z + p].inside(x + k, y + j);
					window[i] = inside ? readers[z + p].value(x + k, y + j) : 0;
					if (windowWeights != null) windowWeights[i] = inside ? template.template().weight(i) : 0;
				}
		final ExactScore exact = exacts[index];
		return windowWeights == null ? exact.score(window) : exact.score(window, windowWeights);
	}
}
