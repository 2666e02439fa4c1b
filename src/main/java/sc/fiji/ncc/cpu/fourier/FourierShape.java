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

/** How large the blocks and tiles of the Fourier way are: those that cost least for each lag, by measured constants. */
public final class FourierShape {

	/** What a point costs more in blocks of up to so many points, from 256² on, whose two arrays and their transposes fill the second-level cache. */
	private static final double[][] SLOWER = { { 1 << 16, 1 }, { 9 << 14, 1.25 }, { 1 << 18, 1.6 }, { 9 << 16, 2.6 }, { Double.MAX_VALUE, 4.5 } };
	/**
	 * Both transforms, for each point and level, two blocks in one; and reading, product and estimate, for each point of a block.
	 * As in {@link sc.fiji.ncc.cpu.ncc.DirectCost}.
	 */
	private static final double POINT_LEVEL = Vectors.USED ? 0.135e-9 : 0.3e-9, POINT = Vectors.USED ? 1.8e-9 : 3e-9;
	/** To load and compile the code, in a process that has not run it: more of it than the direct way has, roughly. */
	private static final double START = Vectors.USED ? 0.9 : 0.25;
	/** About how many lags a tile has along x and y, and how many times the template at least: enough that what it shares with its neighbours is little. */
	private static final int TILE = 400, TEMPLATES = 4;
	/** The same of a signal, and the most samples of its blocks, each a line (see {@link sc.fiji.ncc.cpu.fft.TileFft}). */
	private static final int LAGS_OF_LINE = 8192, MOST_OF_LINE = 1 << 22;

	/** Those of late: to find a shape anew whenever a call asks for it took nine tenths of what planning an image of 2000x2000 took. */
	private static final Map<List<Size>, FourierShape> RECENT = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(final Map.Entry<List<Size>, FourierShape> eldest) {
			return size() > 256;
		}
	});

	private final int[] block = { 1, 1, 1 }, unit = { 1, 1, 1 }, lags = { 1, 1, 1 };
	/** Seconds for each lag by the constants that ship: a calibration must not change what an execution does. */
	private double least = Double.POSITIVE_INFINITY;
	/** For each lag, those of larger blocks counted as so many times more. */
	private double pointsPerLag, pointLevelsPerLag;

	private FourierShape() {}

	/** Why transforms of tiles do not apply to a problem, in words; empty if they do. */
	public static Optional<String> unsuited(final Problem p) {
		if (p.size().dimensions() > 3) return Optional.of("its transforms have at most 3 dimensions, the " + p.operation().noun() + " has " + p.size().dimensions());
		for (final Size t : p.templates())
			if (line(t, p.lags().count())) {
				if (t.get(0) > MOST_OF_LINE / 4)
					return Optional.of("its blocks have at most " + MOST_OF_LINE + " samples, and the " + p.operation().noun() + " of " + t + " is longer than a quarter of that");
			}
			else if (t.get(0) > 1024 || t.get(1) > 1024 || t.get(2) > 64)
				return Optional.of("its tiles stay in cache, and the " + p.operation().noun() + " of " + t + " is larger than they are (1024x1024x64)");
		return Optional.empty();
	}

	/** What the first run in a process takes more. */
	public static double start(final Device device) {
		return device.constants().get("fourier-start", START);
	}

	public static FourierShape of(final Size template, final Size lags) {
		return RECENT.computeIfAbsent(List.of(template, lags), key -> find(template, lags));
	}

	private static FourierShape find(final Size template, final Size lags) {
		final FourierShape shape = new FourierShape();
		final List<Integer> alongX = extents(template, lags, 0, line(template, lags) ? MOST_OF_LINE : 2048), alongY = extents(template, lags, 1, 2048);
		for (final int z : extents(template, lags, 2, 256))
			for (final int y : alongY)
				for (final int x : alongX) shape.consider(template, lags, x, y, z);
		shape.cut(template, lags);
		return shape;
	}

	/** Whether there is but one row of lags, and of the template. */
	private static boolean line(final Size template, final Size lags) {
		return template.pixels() == template.get(0) && lags.pixels() == lags.get(0);
	}

	/** Those that hold the template, from the least on; none need be larger than all that there is along a dimension. */
	private static List<Integer> extents(final Size template, final Size lags, final int d, final int most) {
		final long all = template.get(d) + lags.get(d) - 1;
		final List<Integer> extents = new ArrayList<>();
		for (int n = first(template.get(d)); extents.isEmpty() || n <= first(Math.min(most, all)); n = first(n + 1)) extents.add(n);
		return extents;
	}

	/** The least extent that suits a transform and holds {@code n} pixels. */
	private static int first(final long n) {
		int power = 1;
		while (power < n) power *= 2;
		final int three = power / 4 * 3;
		return three >= n ? three : power;
	}

	private void consider(final Size template, final Size lags, final int x, final int y, final int z) {
		final double points = (double) x * y * z;
		// so that a block ends well within the second in which a cancel must be heard
		if (points > 1 << 22 && (x > first(template.get(0)) || y > first(template.get(1)) || z > first(template.get(2)))) return;
		int size = 0;
		while (points > SLOWER[size][0]) size++;
		final double slower = SLOWER[size][1];
		double blocks = 1;
		final int[] b = { x, y, z };
		for (int d = 0; d < 3; d++) blocks *= Math.ceil((double) lags.get(d) / (b[d] - template.get(d) + 1));
		// two ride in one transform, and the last may ride alone
		blocks = 2 * Math.ceil(blocks / 2);
		double all = 1;
		for (int d = 0; d < 3; d++) all *= lags.get(d);
		final double perLag = blocks * slower * points / all, levels = Math.log(points) / Math.log(2) + (y * z == 1 ? 1 : 0);
		final double seconds = perLag * (POINT + POINT_LEVEL * levels);
		if (seconds >= least) return;
		least = seconds;
		pointsPerLag = perLag;
		pointLevelsPerLag = perLag * levels;
		System.arraycopy(b, 0, block, 0, 3);
	}

	private void cut(final Size template, final Size lags) {
		for (int d = 0; d < 3; d++) {
			final int step = (int) (block[d] - template.get(d) + 1);
			unit[d] = step;
			final int about = Math.max(line(template, lags) ? LAGS_OF_LINE : TILE, TEMPLATES * (int) template.get(d));
			// an even number of blocks: two ride in one transform
			final int wanted = d == 0 ? 2 * Math.max(1, (about + step) / (2 * step)) : d == 1 ? Math.max(1, (about + step / 2) / step) : 1;
			this.lags[d] = (int) Math.min((long) wanted * step, Math.max(step, lags.get(d)));
		}
	}

	/** Extents of a block along x, y and z. */
	public int[] block() {
		return block.clone();
	}

	/** Lags of a block along x, y and z. */
	public int[] unit() {
		return unit.clone();
	}

	/** The most lags of a tile along x, y and z. */
	public int[] maxLags() {
		return lags.clone();
	}

	/** How many threads a problem keeps at work. */
	public static double busy(final Problem p, final Device device) {
		return BusyThreads.of(p, device, t -> {
			final FourierShape shape = of(t, p.lags().count());
			return List.of(shape.maxLags(), shape.unit());
		});
	}

	public double secondsPerLag(final Constants constants) {
		return pointsPerLag * constants.get("fourier-point", POINT) + pointLevelsPerLag * constants.get("fourier-point-level", POINT_LEVEL);
	}

	/** What each further template adds, roughly: its spectrum. */
	public long templateBytes() {
		return 8L * block[0] * block[1] * block[2];
	}

	/**
	 * Working memory of one thread, roughly.
	 *
	 * @param moments whether the windows' moments are transformed too
	 */
	public long bytes(final PixelType image, final boolean moments) {
		final long points = (long) block[0] * block[1] * block[2], tile = (long) lags[0] * lags[1] * lags[2];
		final boolean inPlace = !moments && block[0] == block[1] && block[2] == 1;
		return points * (moments ? 40 : inPlace ? 16 : 24) + tile * (8 + (moments ? 8 : 0) + 2L * image.bytes);
	}
}
