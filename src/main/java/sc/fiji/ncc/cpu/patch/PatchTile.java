package sc.fiji.ncc.cpu.patch;

import java.util.Arrays;

import sc.fiji.ncc.cpu.patch.PatchProducts.Patch;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.window.PatchCuts;
import sc.fiji.ncc.plan.window.WindowExecution.Receiver;

/**
 * The windows of a tile. Sums of products over patches go from left to right through a ring: those of all patches of a column, then of the
 * windows of the column, then of whole windows.
 * <p>
 * A window whose pixels are all present, at all lags, takes sums and energies of the other frame from {@link PlaceSums}. Others are
 * normalized by what is present at each lag: at the border of the frame the sums of a part of the window are those of a rectangle; with
 * missing pixels they are sums of products, too, as of masks.
 * <p>
 * Sums of 8- and 16-bit pixels are exact, and so are all differences while they stay below 2^53. Otherwise the rounding error of a variance
 * is a small share of the largest energy of the tile, and a response whose variance is not far above it is computed again by
 * {@link PlaceScores}.
 */
final class PatchTile {

	/** The largest error of a response from exact sums; that of others adds at most about so much. */
	private static final double EXACT = 1e-12, ROUNDED = 1e-6;
	/** Below this number squares lose digits; from this energy on products overflow. Such responses are computed again. */
	private static final double MIN_VARIANCE = 1e-280, MAX_ENERGY = 1e290;
	/** Numbers up to here are exact in double, and in float. */
	private static final double LIMIT = 0x1p53, NARROW_LIMIT = 0x1p24;
	/** The products that are summed: of the values, and with missing pixels the others that the normalization needs. */
	private static final int VALUES = 0, T = 1, TT = 2, P = 3, PP = 4, N = 5, BAD = 6;
	/** A place whose window needs an exact score; one of which this is not known. Also a response that needs one. */
	private static final double DOUBTFUL = -1, UNKNOWN = -2;

	private final PatchShape shape;
	private final Pixels moving;
	/** Which windows are correlated; null for all. */
	private final boolean[] wanted;
	/** Which windows of the tile are, and which patches of each column they need. */
	private boolean[] windowsWanted;
	private boolean[][] patchesWanted;
	private final Receiver receiver;
	private final Monitor monitor;
	private final FramePart f = new FramePart(), m = new FramePart();
	private final PlaceScores scores;
	private final int all;
	private final int[] first = new int[3], windows = new int[3], places = new int[3];
	private final PatchCuts[] cuts = new PatchCuts[3];
	private PatchProducts products, wide, narrow;
	/** The box and the factors of each kind of products. */
	private double[][] fixed, other;
	/** The sums of patches of a column; those of windows of the last columns: by kind, column, window. */
	private double[][][] patches;
	private double[][][][] ring;
	/** Sums and energies of patches and of windows of the last columns. */
	private double[][] ofPatches;
	private double[][][] ofWindows;
	/** The sum at each place, and 1/√variance, or a state. */
	private double[] sums, energies, inverse;
	private boolean exact;
	/**
	 * The relative rounding error of a sum of squares, as a share of the largest energy of a place; that energy; the share of it above
	 * which a variance gives a response within {@link #ROUNDED}; the largest share of it over a variance, of all places that do.
	 */
	private double rounding, most, floor, share;
	/** Whether a place is undefined, or needs an exact score. */
	private boolean undefinedPlaces;
	private final double[] total, responses;
	private double[][] parts;
	private long undefined, rechecked, done;

	PatchTile(final PatchShape shape, final Pixels fixed, final Pixels moving, final boolean[] wanted, final Receiver receiver,
		final Monitor monitor) {
		this.shape = shape;
		this.moving = moving;
		this.wanted = wanted;
		this.receiver = receiver;
		this.monitor = monitor;
		scores = new PlaceScores(shape, fixed, moving);
		all = shape.all;
		total = new double[all];
		responses = new double[all];
	}

	/** Computes the windows of a tile. */
	Report run(final int number, final Pixels frame) {
		undefined = rechecked = done = 0;
		shape.tile(number, first, windows);
		for (int d = 0; d < 3; d++) {
			cuts[d] = shape.cuts(d, windows[d]);
			f.first[d] = first[d] * shape.spacing[d];
			f.size[d] = shape.extent(d, windows[d]);
			m.first[d] = f.first[d] - shape.shift[d];
			m.size[d] = f.size[d] + shape.lags[d] - 1;
			places[d] = m.size[d] - shape.window[d] + 1;
		}
		if (!chosen()) return Report.NONE;
		f.read(frame);
		m.read(moving);
		prepare();
		columns();
		return new Report(done * all, undefined, rechecked);
	}

	/** Chooses windows and patches. Returns whether any window is wanted. */
	private boolean chosen() {
		if (wanted == null) return true;
		windowsWanted = new boolean[windows[0] * windows[1] * windows[2]];
		patchesWanted = new boolean[cuts[0].count()][cuts[1].count() * cuts[2].count()];
		boolean any = false;
		for (int z = 0, w = 0; z < windows[2]; z++) for (int y = 0; y < windows[1]; y++) for (int x = 0; x < windows[0]; x++, w++) {
			if (!wanted[number(x, y, z)]) continue;
			any = windowsWanted[w] = true;
			for (int s = cuts[0].from[x]; s < cuts[0].to[x]; s++) for (int k = cuts[2].from[z]; k < cuts[2].to[z]; k++)
				Arrays.fill(patchesWanted[s], k * cuts[1].count() + cuts[1].from[y], k * cuts[1].count() + cuts[1].to[y], true);
		}
		return any;
	}

	/** The number of a window of the tile. */
	private int number(final int x, final int y, final int z) {
		return ((first[2] + z) * shape.count[1] + first[1] + y) * shape.count[0] + first[0] + x;
	}

	/** The sums of places, the accuracy, and memory. */
	private void prepare() {
		sums = PlaceSums.of(m.values, false, m.size, shape.window);
		energies = PlaceSums.of(m.values, true, m.size, shape.window);
		most = 0;
		for (int i = 0; i < places[0] * places[1] * places[2]; i++) most = Math.max(most, energies[i]);
		final boolean whole = shape.problem.image().exact();
		exact = whole && shape.pixels * Math.max(most, (double) shape.pixels * f.largest * f.largest) < LIMIT;
		rounding = exact ? 0 : whole ? 4 * 0x1p-53 : Math.max(PlaceSums.error(m.size), shape.pixels * 0x1p-53);
		floor = 2 * rounding / ROUNDED;
		inverse();
		final boolean masked = m.missing || m.notFinite || f.states != null;
		fixed = new double[masked ? BAD + 1 : 1][];
		other = new double[fixed.length][];
		fixed[VALUES] = f.values;
		other[VALUES] = m.values;
		if (masked) {
			fixed[P] = fixed[PP] = fixed[N] = fixed[BAD] = f.indicator(FramePart.PRESENT);
			fixed[T] = f.values;
			fixed[TT] = f.squares();
			other[T] = other[TT] = other[N] = m.indicator(FramePart.PRESENT);
			other[P] = m.values;
			other[PP] = m.squares();
			other[BAD] = m.indicator(FramePart.NOT_FINITE);
		}
		// products in float are exact up to 2^24
		final boolean small = !masked && whole && f.largest * m.largest * shape.patchPixels() <= NARROW_LIMIT;
		if (small && (narrow == null || !Arrays.equals(narrow.size, m.size))) narrow = PatchProducts.of(m.size.clone(), shape.lags, true);
		if (!small && (wide == null || !Arrays.equals(wide.size, m.size))) wide = PatchProducts.of(m.size.clone(), shape.lags, false);
		products = small ? narrow : wide;
		final int column = cuts[1].count() * cuts[2].count(), rows = windows[1] * windows[2], slots = cuts[0].most();
		if (patches == null || patches.length != fixed.length || patches[0].length != column || ring[0].length != slots
			|| ring[0][0].length != rows) {
			patches = new double[fixed.length][column][all];
			ring = new double[fixed.length][slots][rows][all];
			ofPatches = new double[column][2];
			ofWindows = new double[slots][rows][2];
		}
		parts = null;
	}

	/** 1/√(N·ΣP² − (ΣP)²) of each place. */
	private void inverse() {
		final int n = places[0] * places[1] * places[2];
		inverse = new double[n];
		final double[] variance = new double[n];
		variances(sums, energies, shape.pixels, variance, n);
		roots(variance, inverse, n);
		final double least = least(shape.pixels * most);
		undefinedPlaces = false;
		double smallest = Double.POSITIVE_INFINITY;
		for (int i = 0; i < n; i++) {
			if (!(variance[i] > least)) {
				inverse[i] = exact ? Double.NaN : UNKNOWN;
				undefinedPlaces = true;
			}
			else if (variance[i] < smallest) smallest = variance[i];
		}
		share = smallest == Double.POSITIVE_INFINITY ? 0 : shape.pixels * most / smallest;
	}

	/** The number above which a variance is accurate; infinite if the energy leaves the range of numbers whose products are accurate. */
	private double least(final double energy) {
		return energy < MAX_ENERGY ? Math.max(MIN_VARIANCE, floor * energy) : Double.POSITIVE_INFINITY;
	}

	private static void variances(final double[] sums, final double[] energies, final double count, final double[] to, final int n) {
		for (int i = 0; i < n; i++) to[i] = count * energies[i] - sums[i] * sums[i];
	}

	private static void roots(final double[] variance, final double[] to, final int n) {
		for (int i = 0; i < n; i++) to[i] = 1 / Math.sqrt(variance[i]);
	}

	private void columns() {
		final int slots = ring[0].length;
		for (int s = 0, x = 0; s < cuts[0].count(); s++) {
			for (int kind = 0; kind < fixed.length; kind++) {
				// kinds with the same box share its columns
				if (kind == 0 || other[kind] != other[kind - 1]) products.load(other[kind], cuts[0].start[s], cuts[0].extent[s]);
				column(kind, s, s % slots);
			}
			for (; x < windows[0] && cuts[0].to[x] == s + 1; x++)
				for (int z = 0; z < windows[2]; z++) for (int y = 0; y < windows[1]; y++)
					if (wanted == null || windowsWanted[(z * windows[1] + y) * windows[0] + x]) window(x, y, z);
		}
	}

	private void column(final int kind, final int s, final int slot) {
		final double[][] to = patches[kind];
		for (int z = 0, i = 0; z < cuts[2].count(); z++)
			for (int y = 0; y < cuts[1].count(); y++, i++) {
				if (wanted != null && !patchesWanted[s][i]) continue;
				monitor.requireNotCanceled();
				final Patch patch = new Patch(cuts[0].start[s], cuts[1].start[y], cuts[2].start[z], cuts[0].extent[s], cuts[1].extent[y],
					cuts[2].extent[z]);
				products.sum(fixed[kind], f.size, patch, to[i]);
				if (kind == VALUES) sums(patch, ofPatches[i]);
			}
		for (int z = 0, w = 0; z < windows[2]; z++)
			for (int y = 0; y < windows[1]; y++, w++) {
				final double[] sum = ring[kind][slot][w], own = ofWindows[slot][w];
				boolean begun = false;
				if (kind == VALUES) Arrays.fill(own, 0);
				for (int k = cuts[2].from[z]; k < cuts[2].to[z]; k++)
					for (int j = cuts[1].from[y]; j < cuts[1].to[y]; j++) {
						final int i = k * cuts[1].count() + j;
						if (begun) add(sum, to[i], all);
						else System.arraycopy(to[i], 0, sum, 0, all);
						begun = true;
						for (int q = 0; q < 2 && kind == VALUES; q++) own[q] += ofPatches[i][q];
					}
			}
	}

	/** ΣT and ΣT² of a patch. */
	private void sums(final Patch patch, final double[] to) {
		double t = 0, tt = 0;
		for (int z = patch.z(); z < patch.z() + patch.depth(); z++)
			for (int y = patch.y(); y < patch.y() + patch.height(); y++) {
				final int at = f.index(patch.x(), y, z);
				for (int i = at; i < at + patch.width(); i++) {
					t += f.values[i];
					tt += f.values[i] * f.values[i];
				}
			}
		to[0] = t;
		to[1] = tt;
	}

	private static void add(final double[] to, final double[] more, final int n) {
		for (int i = 0; i < n; i++) to[i] += more[i];
	}

	/** Sums of one kind over a window. */
	private void total(final int kind, final int x, final int w, final double[] to) {
		final int slots = ring[kind].length;
		System.arraycopy(ring[kind][cuts[0].from[x] % slots][w], 0, to, 0, all);
		for (int s = cuts[0].from[x] + 1; s < cuts[0].to[x]; s++) add(to, ring[kind][s % slots][w], all);
	}

	private void window(final int x, final int y, final int z) {
		done++;
		final double shares;
		final int w = z * windows[1] + y, atX = x * shape.spacing[0], atY = y * shape.spacing[1], atZ = z * shape.spacing[2];
		final int number = number(x, y, z);
		double t = 0, tt = 0;
		for (int s = cuts[0].from[x]; s < cuts[0].to[x]; s++) {
			t += ofWindows[s % ring[0].length][w][0];
			tt += ofWindows[s % ring[0].length][w][1];
		}
		scores.window(number);
		final boolean full = f.isWhole(atX, atY, atZ, shape.window, shape.problem.frame()),
			clear = shape.pixels * tt - t * t > least(shape.pixels * tt);
		if (full && exact ? !clear : !(full && clear) && !scores.isUsable()) {
			done--;
			return;
		}
		total(VALUES, x, w, total);
		final int[] region = new int[3];
		for (int d = 0; d < 3; d++) region[d] = shape.window[d] + shape.lags[d] - 1;
		if (full && m.isWhole(atX, atY, atZ, region, shape.problem.frame())) {
			if (clear) whole(t, tt, atX, atY, atZ);
			else Arrays.fill(responses, UNKNOWN);
			shares = share + (clear ? shape.pixels * tt / (shape.pixels * tt - t * t) : 0);
			if (!exact && (undefinedPlaces || !clear)) doubtful(atX, atY, atZ);
			if (undefinedPlaces) count();
		}
		else {
			if (parts == null) parts = new double[BAD + 1][all];
			if (fixed.length > 1) for (int kind = T; kind <= BAD; kind++) total(kind, x, w, parts[kind]);
			else border(atX, atY, atZ);
			shares = partial(full ? shape.pixels : scores.present(), tt);
			count();
		}
		receiver.take(number, responses, EXACT + rounding * shares);
	}

	private void count() {
		for (final double r : responses) if (Double.isNaN(r)) undefined++;
	}

	/** The responses of a window that is present at all lags, or UNKNOWN. */
	private void whole(final double t, final double tt, final int x, final int y, final int z) {
		final double scale = 1 / Math.sqrt(shape.pixels * tt - t * t), count = shape.pixels;
		for (int k = 0, i = 0; k < shape.lags[2]; k++)
			for (int j = 0; j < shape.lags[1]; j++, i += shape.lags[0]) {
				final int at = ((z + k) * places[1] + y + j) * places[0] + x;
				row(i, at, scale, count, t);
			}
	}

	private void row(final int i, final int at, final double scale, final double count, final double t) {
		for (int l = 0; l < shape.lags[0]; l++) {
			final double r = (count * total[i + l] - t * sums[at + l]) * (scale * inverse[at + l]);
			responses[i + l] = inverse[at + l] < 0 ? UNKNOWN : Math.max(-1, Math.min(1, r));
		}
	}

	/** Exact scores where a response is marked. */
	private void doubtful(final int x, final int y, final int z) {
		for (int k = 0, i = 0; k < shape.lags[2]; k++)
			for (int j = 0; j < shape.lags[1]; j++) for (int l = 0; l < shape.lags[0]; l++, i++) {
				if (l == 0) monitor.requireNotCanceled();
				if (responses[i] >= -1) continue;
				final int place = ((z + k) * places[1] + y + j) * places[0] + x + l;
				if (inverse[place] == UNKNOWN) inverse[place] = scores.isFlat(i) ? Double.NaN : DOUBTFUL;
				responses[i] = Double.isNaN(inverse[place]) ? Double.NaN : scores.at(i);
				rechecked++;
			}
	}

	/** The sums of the part of a window inside the frame, at each lag: those of a rectangle. */
	private void border(final int x, final int y, final int z) {
		final double[][] rectangles = rectangles(x, y, z);
		final int[] at = { x, y, z };
		final int[][] low = new int[3][], high = new int[3][];
		for (int d = 0; d < 3; d++) {
			low[d] = new int[shape.lags[d]];
			high[d] = new int[shape.lags[d]];
			for (int l = 0; l < shape.lags[d]; l++) {
				final int place = m.first[d] + at[d] + l;
				low[d][l] = Math.min(shape.window[d], Math.max(0, -place));
				high[d][l] = Math.max(low[d][l], (int) Math.min(shape.window[d], shape.problem.frame().get(d) - place));
			}
		}
		final int w = shape.window[0] + 1, h = shape.window[1] + 1;
		Arrays.fill(parts[BAD], 0);
		for (int k = 0, i = 0; k < shape.lags[2]; k++)
			for (int j = 0; j < shape.lags[1]; j++) {
				final int place = ((z + k) * places[1] + y + j) * places[0] + x, rows = (high[1][j] - low[1][j]) * (high[2][k] - low[2][k]);
				// the corners of the rectangle along y and z
				final int upper = (high[2][k] * h + high[1][j]) * w, left = (high[2][k] * h + low[1][j]) * w,
					front = (low[2][k] * h + high[1][j]) * w, both = (low[2][k] * h + low[1][j]) * w;
				for (int l = 0; l < shape.lags[0]; l++, i++) {
					final int a = low[0][l], b = high[0][l];
					parts[N][i] = rows * (b - a);
					parts[T][i] = span(rectangles[0], upper, a, b) - span(rectangles[0], left, a, b) - span(rectangles[0], front, a, b)
						+ span(rectangles[0], both, a, b);
					parts[TT][i] = span(rectangles[1], upper, a, b) - span(rectangles[1], left, a, b) - span(rectangles[1], front, a, b)
						+ span(rectangles[1], both, a, b);
					parts[P][i] = sums[place + l];
					parts[PP][i] = energies[place + l];
				}
			}
	}

	private static double span(final double[] from, final int at, final int a, final int b) {
		return from[at + b] - from[at + a];
	}

	/** The sums of values and squares of a window from its first pixel to each other one. */
	private double[][] rectangles(final int x, final int y, final int z) {
		final int w = shape.window[0] + 1, h = shape.window[1] + 1, d = shape.window[2] + 1;
		final double[][] to = new double[2][w * h * d];
		for (int k = 1; k < d; k++) for (int j = 1; j < h; j++) {
			double t = 0, tt = 0;
			for (int i = 1; i < w; i++) {
				final double v = f.values[f.index(x + i - 1, y + j - 1, z + k - 1)];
				final int at = (k * h + j) * w + i;
				to[0][at] = (t += v) + to[0][at - w] + to[0][at - w * h] - to[0][at - w * h - w];
				to[1][at] = (tt += v * v) + to[1][at - w] + to[1][at - w * h] - to[1][at - w * h - w];
			}
		}
		return to;
	}

	/**
	 * The responses of a window of which a part may be missing.
	 *
	 * @param present the number of present pixels of the window
	 * @param energy the sum of their squares
	 * @return the largest share of the largest energies over variances
	 */
	private double partial(final double present, final double energy) {
		final double least = shape.problem.minOverlap() * present;
		double shares = 0;
		for (int i = 0; i < all; i++) {
			if (i % shape.lags[0] == 0) monitor.requireNotCanceled();
			final double n = parts[N][i], p = parts[P][i], t = parts[T][i], vp = n * parts[PP][i] - p * p, vt = n * parts[TT][i] - t * t;
			if (n < least || n == 0 || parts[BAD][i] > 0) responses[i] = Double.NaN;
			else if (vp > least(n * most) && vt > least(n * energy)) {
				responses[i] = Math.max(-1, Math.min(1, (n * total[i] - p * t) / Math.sqrt(vp) / Math.sqrt(vt)));
				shares = Math.max(shares, n * most / vp + n * energy / vt);
			}
			else if (exact) responses[i] = Double.NaN;
			else {
				responses[i] = scores.at(i);
				rechecked++;
			}
		}
		return shares;
	}
}
