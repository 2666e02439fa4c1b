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
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;

/** The extents of the blocks and tiles of Fourier methods: those with the minimum cost for each lag, by measured constants. */
public final class FourierShape {

	/**
	 * The relative cost of a point in blocks of up to so many points. From 256² on, the two arrays of a block and their transposes fill the second-level
	 * cache.
	 */
	private static final double[][] RELATIVE_COST = { { 1 << 16, 1 }, { 9 << 14, 1.25 }, { 1 << 18, 1.6 }, { 9 << 16, 2.6 }, { Double.MAX_VALUE, 4.5 } };
	/**
	 * The cost in seconds of both transforms for each point and level, two blocks in one; and of reading, product and estimate for each point of a block.
	 * Measured as in {@link sc.fiji.ncc.cpu.ncc.DirectCost}.
	 */
	private static final double POINT_LEVEL = Vectors.USED ? 0.135e-9 : 0.3e-9, POINT = Vectors.USED ? 1.8e-9 : 3e-9;
	/** The approximate time to load and compile the code in a new process. It is more code than that of the direct method. */
	private static final double START = Vectors.USED ? 0.9 : 0.25;
	/**
	 * The approximate number of lags of a tile along x and y, and its minimum in template extents: large enough that the pixels shared with neighbouring
	 * tiles are few.
	 */
	private static final int TILE = 400, TEMPLATES = 4;
	/** The same for a signal, and the maximum number of samples of its blocks, each a line (see {@link sc.fiji.ncc.cpu.fft.TileFft}). */
	private static final int LAGS_OF_LINE = 8192, MAX_OF_LINE = 1 << 22;

	/** Recently used shapes: the search for a shape would take nine tenths of the time to plan an image of 2000x2000. */
	private static final Map<List<Size>, FourierShape> RECENT = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(final Map.Entry<List<Size>, FourierShape> eldest) {
			return size() > 256;
		}
	});

	private final int[] block = { 1, 1, 1 }, unit = { 1, 1, 1 }, lags = { 1, 1, 1 };
	/** The minimum seconds for each lag, by the default constants: a calibration must not change the result of an execution. */
	private double minSeconds = Double.POSITIVE_INFINITY;
	/** The points, and points times levels, for each lag; those of larger blocks count as many times more. */
	private double pointsPerLag, pointLevelsPerLag;

	private FourierShape() {}

	/** The reason why transforms of tiles do not support a problem. Empty if they support it. */
	public static Optional<String> unsuited(final Problem p) {
		if (p.size().dimensions() > 3) return Optional.of("transforms have at most 3 dimensions, the " + p.operation().noun() + " has " + p.size().dimensions());
		for (final Size t : p.templates())
			if (line(t, p.lags().count())) {
				if (t.get(0) > MAX_OF_LINE / 4)
					return Optional.of("a " + p.operation().noun() + " of one dimension has at most " + MAX_OF_LINE / 4 + " samples, not " + t.get(0));
			}
			else if (t.get(0) > 1024 || t.get(1) > 1024 || t.get(2) > 64)
				return Optional.of("a " + p.operation().noun() + " has at most 1024x1024x64 pixels, so that its tiles stay in cache, not " + t);
		return Optional.empty();
	}

	/** The additional seconds of the first run in a process. */
	public static double start(final Device device) {
		return device.constants().get("fourier-start", START);
	}

	public static FourierShape of(final Size template, final Size lags) {
		return RECENT.computeIfAbsent(List.of(template, lags), key -> find(template, lags));
	}

	private static FourierShape find(final Size template, final Size lags) {
		final FourierShape shape = new FourierShape();
		final List<Integer> alongX = extents(template, lags, 0, line(template, lags) ? MAX_OF_LINE : 2048), alongY = extents(template, lags, 1, 2048);
		for (final int z : extents(template, lags, 2, 256))
			for (final int y : alongY)
				for (final int x : alongX) shape.consider(template, lags, x, y, z);
		shape.cut(template, lags);
		return shape;
	}

	/** Whether lags and template both have only one row. */
	private static boolean line(final Size template, final Size lags) {
		return template.pixels() == template.get(0) && lags.pixels() == lags.get(0);
	}

	/** The extents that hold the template, in ascending order, up to the extent of all pixels along the dimension. */
	private static List<Integer> extents(final Size template, final Size lags, final int d, final int max) {
		final long all = template.get(d) + lags.get(d) - 1;
		final List<Integer> extents = new ArrayList<>();
		for (int n = first(template.get(d)); extents.isEmpty() || n <= first(Math.min(max, all)); n = first(n + 1)) extents.add(n);
		return extents;
	}

	/** The minimum extent that a transform supports and that holds {@code n} pixels. */
	private static int first(final long n) {
		int power = 1;
		while (power < n) power *= 2;
		final int three = power / 4 * 3;
		return three >= n ? three : power;
	}

	private void consider(final Size template, final Size lags, final int x, final int y, final int z) {
		final double points = (double) x * y * z;
		// a block must end well within the second in which a cancel takes effect
		if (points > 1 << 22 && (x > first(template.get(0)) || y > first(template.get(1)) || z > first(template.get(2)))) return;
		int size = 0;
		while (points > RELATIVE_COST[size][0]) size++;
		final double slower = RELATIVE_COST[size][1];
		double blocks = 1;
		final int[] b = { x, y, z };
		for (int d = 0; d < 3; d++) blocks *= Math.ceil((double) lags.get(d) / (b[d] - template.get(d) + 1));
		// two blocks share one transform, and the last may be alone
		blocks = 2 * Math.ceil(blocks / 2);
		double all = 1;
		for (int d = 0; d < 3; d++) all *= lags.get(d);
		final double perLag = blocks * slower * points / all, levels = Math.log(points) / Math.log(2) + (y * z == 1 ? 1 : 0);
		final double seconds = perLag * (POINT + POINT_LEVEL * levels);
		if (seconds >= minSeconds) return;
		minSeconds = seconds;
		pointsPerLag = perLag;
		pointLevelsPerLag = perLag * levels;
		System.arraycopy(b, 0, block, 0, 3);
	}

	private void cut(final Size template, final Size lags) {
		for (int d = 0; d < 3; d++) {
			final int step = (int) (block[d] - template.get(d) + 1);
			unit[d] = step;
			final int about = Math.max(line(template, lags) ? LAGS_OF_LINE : TILE, TEMPLATES * (int) template.get(d));
			// an even number of blocks: two share one transform
			final int wanted = d == 0 ? 2 * Math.max(1, (about + step) / (2 * step)) : d == 1 ? Math.max(1, (about + step / 2) / step) : 1;
			this.lags[d] = (int) Math.min((long) wanted * step, Math.max(step, lags.get(d)));
		}
	}

	/** The extents of a block along x, y and z. */
	public int[] block() {
		return block.clone();
	}

	/** The lags of a block along x, y and z. */
	public int[] unit() {
		return unit.clone();
	}

	/** The maximum number of lags of a tile along x, y and z. */
	public int[] maxLags() {
		return lags.clone();
	}

	/** The average number of threads that a problem keeps busy. */
	public static double busy(final Problem p, final Device device) {
		return BusyThreads.of(p, device, t -> {
			final FourierShape shape = of(t, p.lags().count());
			return List.of(shape.maxLags(), shape.unit());
		});
	}

	public double secondsPerLag(final Constants constants) {
		return pointsPerLag * constants.get("fourier-point", POINT) + pointLevelsPerLag * constants.get("fourier-point-level", POINT_LEVEL);
	}

	/** The approximate memory of each further template, in bytes: its spectrum. */
	public long templateBytes() {
		return 8L * block[0] * block[1] * block[2];
	}

	/** The approximate memory of one thread for the sums of a template under the image's mask, in bytes: blocks, spectra and sums in double. */
	public long maskBytes() {
		return 80L * block[0] * block[1] * block[2] + 24L * lags[0] * lags[1] * lags[2];
	}

	/**
	 * The approximate working memory of one thread, in bytes.
	 *
	 * @param moments whether the windows' moments are transformed, too
	 */
	public long bytes(final PixelType image, final boolean moments) {
		final long points = (long) block[0] * block[1] * block[2], tile = (long) lags[0] * lags[1] * lags[2];
		final boolean inPlace = !moments && block[0] == block[1] && block[2] == 1;
		return points * (moments ? 40 : inPlace ? 16 : 24) + tile * (8 + (moments ? 8 : 0) + 2L * image.bytes);
	}
}
