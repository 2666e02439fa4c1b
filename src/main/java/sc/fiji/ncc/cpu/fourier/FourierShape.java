package sc.fiji.ncc.cpu.fourier;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import sc.fiji.ncc.cpu.execution.BusyThreads;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;

/**
 * The extents of the blocks and tiles of Fourier methods, and of the parts of a template: those with the minimum cost for each lag, by measured constants.
 * A template larger than the largest block is cut into parts.
 */
public final class FourierShape {

	/**
	 * The relative cost of a point in blocks of up to so many points: for the choice of a shape, and for the prediction. From 256² on, the two arrays of a
	 * block and their transposes fill the second-level cache. The choice assumes that threads share the cache, the prediction was measured.
	 */
	private static final double[][] RELATIVE_COST =
		{ { 1 << 16, 1, 1 }, { 9 << 14, 1.25, 1.25 }, { 1 << 18, 1.6, 1.45 }, { 9 << 16, 2.6, 2 }, { Double.MAX_VALUE, 4.5, 3.2 } };
	/**
	 * The cost in seconds of both transforms for each point and level, two blocks in one; and of reading, product and estimate for each point of a block.
	 * Measured as in {@link sc.fiji.ncc.cpu.ncc.CpuCost}.
	 */
	private static final double POINT_LEVEL = Vectors.USED ? 0.135e-9 : 0.3e-9, POINT = Vectors.USED ? 1.8e-9 : 3e-9;
	/**
	 * For the choice of a shape, a row of a volume's block costs as much as so many further points: its loops are short, and the transform along z adds more of
	 * them. Measured with blocks of 12³ and 24³, whose times are 2.2 to 3.6 times those of their points alone.
	 * Rows of planes cost little more than their points.
	 */
	private static final int POINTS_OF_ROW = 72;
	/**
	 * For the prediction, a row of a volume's block costs as much as so many further points each time that it is read, multiplied, measured or stored; and as
	 * so many points of a level in each level of the transforms. Blocks are transformed along x in rows along y, and along y and z in rows along x. The latter
	 * was measured with the transforms of 13 blocks from 12³ to 128x32x32, which take 1.4 to 3 times as long as those of planes of as many points.
	 */
	private static final int POINTS_OF_ANY_ROW = 22, POINTS_OF_PASS = 20;
	/** The approximate time to load and compile the code in a new process. It is more code than that of the direct method. */
	private static final double START = Vectors.USED ? 0.9 : 0.25;
	/**
	 * The approximate number of lags of a tile along x and y, and its minimum in template extents: large enough that the pixels shared with neighbouring
	 * tiles are few.
	 */
	private static final int TILE = 400, TEMPLATES = 4;
	/** The same for a signal. */
	private static final int LAGS_OF_LINE = 8192;
	/** A block must end well within the second in which a cancel takes effect. */
	private static final int MAX_POINTS = 1 << 24;
	/**
	 * The maximum number of points of a block, and of its extents along x, y and z, unless the template is larger than half a block: several threads need
	 * several blocks. For templates that fit four times, no parts are considered.
	 */
	private static final int POINTS = 1 << 22;
	private static final int[] EXTENTS = { 2048, 2048, 256 };
	/** Below so many points, blocks may be narrow. */
	private static final int LITTLE = 1 << 16;
	/** From so many points of a block on, fewer pairs of blocks than threads are likely: the number of threads for which shapes are chosen. */
	private static final int FEW_BLOCKS = 1 << 20, THREADS = 2;
	/** The share of the memory that the block of one thread may use, and its approximate bytes for each point: of floats and of doubles, for the fallback. */
	private static final int SHARE = 8, BYTES = 64;
	/** The minimum number of points of a block: smaller ones would need many parts. */
	private static final int MIN_POINTS = 64;

	private record Key(Size template, Size lags, int maxPoints) {}

	/** Recently used shapes: the search for a shape would take nine tenths of the time to plan an image of 2000x2000. */
	private static final Map<Key, FourierShape> RECENT = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(final Map.Entry<Key, FourierShape> eldest) {
			return size() > 256;
		}
	});

	private final Size template;
	private final int[] block = { 1, 1, 1 }, part = { 1, 1, 1 }, unit = { 1, 1, 1 }, lags = { 1, 1, 1 };
	private boolean pairsAlongY;
	/** The minimum seconds for each lag, by the default constants: a calibration must not change the result of an execution. */
	private double minSeconds = Double.POSITIVE_INFINITY;
	/**
	 * The points, what rows cost in points, points times levels, and what rows cost in them, for each lag; larger blocks have more of them.
	 */
	private double pointsPerLag, rowsPerLag, pointLevelsPerLag, rowLevelsPerLag;

	private FourierShape(final Size template) {
		this.template = template;
	}

	/** The reason why transforms of tiles do not support a problem. Empty if they support it. */
	public static Optional<String> unsuited(final Sliding p) {
		if (p.size().dimensions() > 3) return Optional.of("transforms have at most 3 dimensions, the " + p.noun() + " has " + p.size().dimensions());
		return Optional.empty();
	}

	/** The seconds to prepare a template besides its transforms: between 4e-5 and 1e-4 for 256 templates of 32x32 on an EPYC, 2026-11-24. */
	public static final double TEMPLATE = 5e-5;

	/** The additional seconds of the first run in a process. */
	public static double start(final Device device) {
		return device.constants().get("fourier-start", START);
	}

	/** @param device its memory limits the extents of blocks; more threads do not change them */
	public static FourierShape of(final Size template, final Size lags, final Device device) {
		final int maxPoints = (int) Math.max(MIN_POINTS, Math.min(MAX_POINTS, device.memory() / SHARE / BYTES));
		return RECENT.computeIfAbsent(new Key(template, lags, maxPoints), key -> find(template, lags, maxPoints));
	}

	/** The shape with the minimum cost, searched anew. */
	static FourierShape find(final Size template, final Size lags, final int maxPoints) {
		final FourierShape shape = new FourierShape(template);
		double twice = 1;
		for (int d = 0; d < 3; d++) twice *= first(2 * template.get(d));
		final int usual = line(template, lags) ? maxPoints : (int) Math.min(maxPoints, Math.max(POINTS, twice));
		final List<List<int[]>> choices = new ArrayList<>();
		for (int d = 0; d < 3; d++) choices.add(choices(template, lags, d, maxPoints));
		for (final int[] z : choices.get(2))
			for (final int[] y : choices.get(1))
				for (final int[] x : choices.get(0)) shape.consider(lags, x, y, z, usual);
		shape.cut(lags, maxPoints);
		return shape;
	}

	/** Whether lags and template both have only one row. */
	private static boolean line(final Size template, final Size lags) {
		return template.pixels() == template.get(0) && lags.pixels() == lags.get(0);
	}

	/**
	 * The extents of a block along a dimension, each with the extent of a part: those that hold the whole template, up to the extent of all pixels; and if
	 * blocks would be large, those that hold a part of it.
	 */
	private static List<int[]> choices(final Size template, final Size lags, final int d, final int maxPoints) {
		final long t = template.get(d), all = Math.min(t + lags.get(d) - 1, line(template, lags) ? POINTS : Math.max(EXTENTS[d], 2 * t));
		final List<int[]> choices = new ArrayList<>();
		for (long n = first(t); n <= maxPoints && (choices.isEmpty() || n <= first(all)); n = first(n + 1)) choices.add(new int[] { (int) n, (int) t });
		double whole = 1;
		for (int e = 0; e < 3; e++) whole *= first(template.get(e));
		if (4 * whole <= Math.min(POINTS, maxPoints)) return choices;
		// rows should not be shorter than vectors
		for (long n = maxPoints < LITTLE ? 2 : 16; n < first(t) && n <= maxPoints; n = first(n + 1))
			for (int quarters = 1; quarters < 4; quarters++) choices.add(new int[] { (int) n, (int) ceil(t, ceil(t * 4, quarters * n)) });
		return choices;
	}

	private static long ceil(final long a, final long b) {
		return (a + b - 1) / b;
	}

	/** The minimum extent that a transform supports and that holds {@code n} pixels. */
	private static long first(final long n) {
		long power = 1;
		while (power < n) power *= 2;
		final long three = power / 4 * 3;
		return three >= n ? three : power;
	}

	/** @param x, y, z the extents of a block and of a part */
	private void consider(final Size lags, final int[] x, final int[] y, final int[] z, final int maxPoints) {
		final double points = (double) x[0] * y[0] * z[0];
		if (points > maxPoints) return;
		int size = 0;
		while (points > RELATIVE_COST[size][0]) size++;
		final double slower = RELATIVE_COST[size][1];
		final int[][] b = { x, y, z };
		double blocks = 1, parts = 1, all = 1;
		for (int d = 0; d < 3; d++) {
			blocks *= Math.ceil((double) lags.get(d) / (b[d][0] - b[d][1] + 1));
			parts *= Math.ceil((double) template.get(d) / b[d][1]);
			all *= lags.get(d);
		}
		// two blocks share one transform, and the last may be alone
		blocks = 2 * Math.ceil(blocks / 2);
		final double pairs = blocks / 2, idle = points <= FEW_BLOCKS ? 1 : Math.ceil(pairs / THREADS) * THREADS / pairs;
		// a forward transform for each part, and one inverse transform
		final double perLag = blocks * (parts + 1) / 2 / all, levels = Math.log(points) / Math.log(2) + (y[0] * z[0] == 1 ? 1 : 0),
			rows = z[0] > 1 ? (double) POINTS_OF_ROW * y[0] * z[0] : 0;
		final double seconds = idle * slower * perLag * (POINT * (points + rows) + POINT_LEVEL * levels * points);
		if (seconds >= minSeconds) return;
		minSeconds = seconds;
		final double predicted = perLag * RELATIVE_COST[size][2], rowsAlongX = points / x[0], rowsAlongY = points / y[0], alongX = Math.log(x[0]) / Math.log(2);
		pointsPerLag = predicted * points;
		pointLevelsPerLag = predicted * levels * points;
		rowsPerLag = z[0] > 1 ? predicted * POINTS_OF_ANY_ROW * (rowsAlongX + rowsAlongY) : 0;
		rowLevelsPerLag = z[0] > 1 ? predicted * POINTS_OF_PASS * (alongX * rowsAlongY + (levels - alongX) * rowsAlongX) : 0;
		for (int d = 0; d < 3; d++) {
			block[d] = b[d][0];
			part[d] = b[d][1];
		}
	}

	private void cut(final Size lags, final int maxPoints) {
		final boolean line = line(template, lags);
		for (int d = 0; d < 3; d++) unit[d] = block[d] - part[d] + 1;
		for (int d = 0; d < 3; d++) {
			final long about = Math.max(line ? LAGS_OF_LINE : TILE, TEMPLATES * template.get(d));
			// an even number of blocks: two share one transform
			final long wanted = d == 0 ? 2 * Math.max(1, (about + unit[d]) / (2 * unit[d])) : d == 1 ? Math.max(1, (about + unit[d] / 2) / unit[d]) : 1;
			this.lags[d] = (int) Math.min(wanted * unit[d], Math.max(unit[d], lags.get(d)));
		}
		// a tile takes no more memory than blocks do
		for (int d = 1; d >= 0; d--)
			while (this.lags[d] > (2 - d) * unit[d] && (double) this.lags[0] * this.lags[1] * this.lags[2] > maxPoints)
				this.lags[d] = (d == 0 ? 2 * Math.max(1, this.lags[0] / unit[0] / 4) : Math.max(1, this.lags[1] / unit[1] / 2)) * unit[d];
		// with an odd number of blocks along x, a row of blocks leaves a transform half used; few rows are better spread over the threads
		pairsAlongY = (double) block[0] * block[1] * block[2] > FEW_BLOCKS && ceil(this.lags[0], unit[0]) % 2 == 1 && this.lags[1] >= 2 * unit[1]
			&& ceil(lags.get(1), unit[1]) >= 2 * THREADS;
	}

	/** The extents of a block along x, y and z. */
	public int[] block() {
		return block.clone();
	}

	/** The maximum extents of a part of the template along x, y and z. */
	public int[] part() {
		return part.clone();
	}

	/** The number of parts of the template. */
	private long parts() {
		long n = 1;
		for (int d = 0; d < 3; d++) n *= ceil(template.get(d), part[d]);
		return n;
	}

	/** The lags along x, y and z of which a tile is a multiple: those of two blocks that share a transform. If there is one along x, those of one. */
	public int[] unit() {
		return new int[] { unit[0] * (!pairsAlongY && lags[0] >= 2 * unit[0] ? 2 : 1), unit[1] * (pairsAlongY ? 2 : 1), unit[2] };
	}

	/** The maximum number of lags of a tile along x, y and z. */
	public int[] maxLags() {
		return lags.clone();
	}

	/** The average number of threads that a problem keeps busy. */
	public static double busy(final Sliding p, final Device device) {
		return BusyThreads.of(p, device, t -> {
			final FourierShape shape = of(t, p.lags().count(), device);
			return List.of(shape.maxLags(), shape.unit());
		});
	}

	public double secondsPerLag(final Constants constants) {
		return secondsOfPoints(constants) + rowsPerLag * constants.get("fourier-point", POINT) + rowLevelsPerLag * constants.get("fourier-point-level", POINT_LEVEL);
	}

	/** The same without the cost of short rows, which large blocks do not have. */
	public double secondsOfPoints(final Constants constants) {
		return pointsPerLag * constants.get("fourier-point", POINT) + pointLevelsPerLag * constants.get("fourier-point-level", POINT_LEVEL);
	}

	/** The approximate memory of each template, in bytes: its spectra. All threads share it. */
	public long templateBytes() {
		return 8L * block[0] * block[1] * block[2] * parts();
	}

	/**
	 * The approximate memory of one thread for the sums of a template under the image's mask, in bytes: blocks, products, the mask itself, and the sums of all
	 * lags of a tile.
	 *
	 * @param keeps whether the spectra of all blocks of the mask are kept
	 */
	public long maskBytes(final boolean keeps) {
		final long points = (long) block[0] * block[1] * block[2], tile = (long) lags[0] * lags[1] * lags[2];
		final boolean inPlace = block[0] == block[1] && block[2] == 1;
		long pairs = 1;
		for (int d = 0; d < 3; d++) pairs *= ceil(lags[d], unit[d]);
		pairs = (pairs + 1) / 2;
		return points * ((inPlace ? 16 : 32) + (parts() > 1 ? 8 : keeps ? 8 * pairs : 0)) + 16 * tile
			+ (lags[0] + template.get(0) - 1) * (lags[1] + template.get(1) - 1) * (lags[2] + template.get(2) - 1);
	}

	/**
	 * The approximate working memory of one thread, in bytes.
	 *
	 * @param moments whether the windows' moments are transformed, too
	 */
	public long bytes(final PixelType image, final boolean moments) {
		final long points = (long) block[0] * block[1] * block[2], tile = (long) lags[0] * lags[1] * lags[2];
		final boolean single = !moments && parts() == 1, inPlace = single && block[0] == block[1] && block[2] == 1;
		final long columns = lags[0] + template.get(0) - 1, rows = lags[1] + template.get(1) - 1, planes = lags[2] + template.get(2) - 1;
		return points * (!single ? 40 : inPlace ? 16 : 24) + tile * (8 + (moments ? 8 : 0)) + columns * rows * planes * image.bytes
			+ 8 * columns * (template.get(2) == 1 ? template.get(1) : 2 * (template.get(1) + rows));
	}

	/** The maximum number of threads whose working memory fits into that of the device, at least one. */
	public static int threads(final Device device, final long bytesOfThread) {
		return (int) Math.max(1, Math.min(device.parallelism(), device.memory() / Math.max(1, bytesOfThread)));
	}

	/** The pixels of a tile for each of its lags, which window sums read. */
	public double pixelsPerLag() {
		double pixels = 1;
		for (int d = 0; d < 2; d++) pixels *= (lags[d] + template.get(d) - 1.0) / lags[d];
		return pixels;
	}

	/** The seconds to transform a template, on one thread. */
	public double templateSeconds(final Constants constants) {
		final double points = (double) parts() * block[0] * block[1] * block[2];
		return points * (constants.get("fourier-point", POINT) + constants.get("fourier-point-level", POINT_LEVEL) * Math.log(points) / Math.log(2)) / 2;
	}
}
