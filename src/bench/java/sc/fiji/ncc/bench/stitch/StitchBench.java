package sc.fiji.ncc.bench.stitch;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ShortBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.Stitching;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.stitch.Fusion;
import sc.fiji.ncc.stitch.Tile;

/**
 * Stitching of mosaics with known truth.
 * <ul>
 * <li>{@code accuracy N THREADS [VIGNETTING] [--seconds S]}: N mosaics of each kind of content, each overlap and each share of blank tiles; prints
 * {@code src/doc/data/stitching-error.csv} row by row, and each wrong link and wrong tile of this program on the error stream. After S seconds no mosaic
 * begins: the last row has the mosaics that were complete.</li>
 * <li>{@code speed BACKENDS THREADS COLUMNS ROWS WIDTH HEIGHT [held] [--csv FILE]}: the time of the links and the positions and the heap in
 * use on each of the backends, such as {@code cuda,cpu}, with tiles made on the fly; the processor time of making them is a column of its
 * own. With {@code held}, all tiles are in memory before the clock starts. Each backend runs three times, or once if it takes longer than
 * 100 s; the file has the last run of each.</li>
 * <li>{@code memory THREADS WIDTH HEIGHT TILES…}: the heap that is live, after a full collection at each tenth of the links, for squares of so many
 * tiles. A grid of NxN tiles has N² tiles.</li>
 * <li>{@code fusion THREADS}: the processor time of writing the fused image as a Zarr folder, beside that of writing a copy from memory.</li>
 * </ul>
 */
public final class StitchBench {

	private static final int SIDE = 512, COLUMNS = 4, ROWS = 3, BACKLASH = 3;
	private static final double STAGE = 10, VIGNETTING = 0.2, PHOTONS = 400;
	/** The share of light that a tile's corners lack. */
	private static double vignetting = VIGNETTING;
	/** An error above this is a wrong placement, in pixels. */
	private static final double WRONG = 1;
	private static final double[] OVERLAPS = { 0.03, 0.05, 0.1, 0.2 }, BLANK = { 0, 0.25, 0.5 };
	/** Before the name of a content: tiles of different scenes. Their positions differ by this many pixels. */
	private static final String UNRELATED = "unrelated-";
	private static final double FAR = 1e6;
	private static final Fusion[] FUSIONS = { new Fusion(Fusion.Blending.FIRST, Interpolation.INTEGER, 0),
		new Fusion(Fusion.Blending.MAX, Interpolation.INTEGER, 0),
		new Fusion(Fusion.Blending.MEAN, Interpolation.INTEGER, 0), new Fusion(Fusion.Blending.LINEAR, Interpolation.INTEGER, 0),
		new Fusion(Fusion.Blending.LINEAR, Interpolation.LINEAR, 0), Fusion.DEFAULT, new Fusion(Fusion.Blending.LINEAR, Interpolation.LANCZOS, 0) };
	private static final String[] KINDS = { "cells", "tissue", "photograph" };

	private StitchBench() {}

	public static void main(final String[] given) throws IOException {
		final int limit = Arrays.asList(given).indexOf("--seconds");
		final String[] arguments = limit < 0 ? given : Arrays.copyOf(given, limit);
		switch (arguments[0]) {
			case "accuracy":
				if (arguments.length > 3) vignetting = Double.parseDouble(arguments[3]);
				accuracy(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), limit < 0 ? Double.POSITIVE_INFINITY
					: Double.parseDouble(given[limit + 1]));
				break;
			case "links":
				links(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Arrays.copyOfRange(arguments, 3, arguments.length));
				break;
			case "fusion":
				fusion(Integer.parseInt(arguments[1]));
				break;
			case "memory":
				memory(Integer.parseInt(arguments[1]), Arrays.stream(arguments).skip(2).mapToInt(Integer::parseInt).toArray());
				break;
			default:
				speed(arguments);
		}
	}

	/** A mosaic: its tiles at their approximate positions, and their true positions. */
	private record Case(List<Tile> tiles, double[][] truth, boolean[] blank) {

		static Case of(final String kind, final double overlap, final double blank, final long seed) {
			final boolean unrelated = kind.startsWith(UNRELATED);
			if (unrelated) return of(kind.substring(UNRELATED.length()), overlap, blank, seed, true);
			return of(kind, overlap, blank, seed, false);
		}

		/** @param unrelated whether each tile shows a scene of its own, so that each link is wrong */
		private static Case of(final String kind, final double overlap, final double blank, final long seed, final boolean unrelated) {
			if (kind.contains(".")) return ofImage(kind, overlap, seed, unrelated);
			final Random random = new Random(seed);
			final int n = COLUMNS * ROWS;
			final double step = SIDE * (1 - overlap), width = COLUMNS * SIDE, height = ROWS * SIDE;
			final double[][] spots = spots(kind, width, height, random);
			final List<Tile> tiles = new ArrayList<>();
			final double[][] truth = new double[n][];
			final boolean[] empty = new boolean[n];
			for (int i = 0; i < n; i++) {
				final double x = i % COLUMNS * step, y = i / COLUMNS * step;
				truth[i] = new double[] { x + STAGE * (2 * random.nextDouble() - 1) + (i / COLUMNS % 2 == 1 ? BACKLASH : 0), y + STAGE * (2 * random.nextDouble() - 1) };
				empty[i] = random.nextDouble() < blank;
				tiles.add(Tile.of("t" + i, ArrayImgs.unsignedShorts(render(empty[i] ? new double[0][] : unrelated ? spots(kind, width, height, random) : spots,
					truth[i], random), SIDE, SIDE), Math.rint(x), Math.rint(y)));
				if (unrelated) truth[i][0] += FAR * i;
			}
			return new Case(tiles, truth, empty);
		}

		/** Tiles cut out of an image at whole pixels, with noise of their own. The tiles are as large as a grid of four by three allows. */
		private static Case ofImage(final String file, final double overlap, final long seed, final boolean unrelated) {
			final RandomAccessibleInterval<?> image = ImageFiles.read(file).gray().pixels();
			final Random random = new Random(seed);
			final int n = COLUMNS * ROWS, stage = (int) STAGE;
			final double gain = 1;
			final int width = (int) ((image.dimension(0) - 2 * stage - BACKLASH) / (COLUMNS - (COLUMNS - 1) * overlap));
			final int height = (int) ((image.dimension(1) - 2 * stage) / (ROWS - (ROWS - 1) * overlap));
			final List<Tile> tiles = new ArrayList<>();
			final double[][] truth = new double[n][];
			for (int i = 0; i < n; i++) {
				final int x = (int) (i % COLUMNS * width * (1 - overlap)), y = (int) (i / COLUMNS * height * (1 - overlap));
				truth[i] = new double[] { x + random.nextInt(2 * stage + 1) + (i / COLUMNS % 2 == 1 ? BACKLASH : 0), y + random.nextInt(2 * stage + 1) };
				if (unrelated) truth[i] = new double[] { random.nextInt((int) image.dimension(0) - width), random.nextInt((int) image.dimension(1) - height) };
				final short[] pixels = new short[width * height];
				for (int k = 0; k < pixels.length; k++) {
					final double v = ((RealType<?>) image.getAt((long) truth[i][0] + k % width, (long) truth[i][1] + k / width)).getRealDouble();
					pixels[k] = (short) Math.max(0, Math.rint(16 * (v + Math.sqrt(v + 10) * gain * random.nextGaussian())));
				}
				tiles.add(Tile.of("t" + i, ArrayImgs.unsignedShorts(pixels, width, height), x, y));
			}
			return new Case(tiles, truth, new boolean[n]);
		}

		/** Spots: x, y, sigma, height. */
		private static double[][] spots(final String kind, final double width, final double height, final Random random) {
			final int count = (int) (width * height / (kind.equals("lattice") ? 225 : kind.equals("cells") ? 2500 : kind.equals("tissue") ? 60 : 250));
			final double[][] spots = new double[count][];
			for (int s = 0; s < count; s++) {
				final double sigma = kind.equals("lattice") ? 2 : kind.equals("cells") ? 4 + 4 * random.nextDouble() : kind.equals("tissue") ? 1.2 + 2 * random.nextDouble()
					: 1.2 * Math.pow(20, random.nextDouble() * random.nextDouble());
				final int across = (int) Math.sqrt(count);
				final boolean lattice = kind.equals("lattice");
				spots[s] = new double[] { lattice ? s % across * width / across : random.nextDouble() * width,
					lattice ? s / across * height / across : random.nextDouble() * height, sigma, lattice ? 1
						: (0.3 + random.nextDouble()) * (kind.equals("photograph") ? 1 / Math.sqrt(sigma) : 1) };
			}
			return spots;
		}

		private static short[] render(final double[][] spots, final double[] at, final Random noise) {
			final double[] mean = new double[SIDE * SIDE];
			for (final double[] s : spots) {
				final double x = s[0] - at[0], y = s[1] - at[1];
				final int r = (int) Math.ceil(4 * s[2]);
				if (x < -r || y < -r || x > SIDE + r || y > SIDE + r) continue;
				final double[] row = new double[SIDE];
				final int left = Math.max(0, (int) x - r), right = Math.min(SIDE - 1, (int) x + r);
				for (int i = left; i <= right; i++) row[i] = s[3] * Math.exp(-0.5 * (i - x) * (i - x) / (s[2] * s[2]));
				for (int j = Math.max(0, (int) y - r); j <= Math.min(SIDE - 1, (int) y + r); j++) {
					final double f = Math.exp(-0.5 * (j - y) * (j - y) / (s[2] * s[2]));
					for (int i = left; i <= right; i++) mean[j * SIDE + i] += f * row[i];
				}
			}
			final short[] pixels = new short[mean.length];
			for (int i = 0; i < pixels.length; i++) {
				final double dx = (i % SIDE - SIDE / 2.0) / SIDE, dy = (i / SIDE - SIDE / 2.0) / SIDE;
				final double photons = PHOTONS * (0.1 + mean[i]) * (1 - vignetting * 2 * (dx * dx + dy * dy));
				pixels[i] = (short) Math.max(0, Math.rint(10 * (photons + Math.sqrt(photons) * noise.nextGaussian())));
			}
			return pixels;
		}
	}

	/** What one way made of the mosaics of one kind. */
	private static final class Sum {

		double squares, count, normalised;
		int mosaics, wrongLinks, links, linked, tiles, wrongTiles, unflagged;

		/** The error of the linked tiles along a dimension, in pixels. */
		double rms() {
			return Math.sqrt(squares / count);
		}

		synchronized void add(final Case c, final double[][] positions, final boolean[] in, final double[][] sigma) {
			final int[] members = IntStream.range(0, in.length).filter(i -> in[i]).toArray();
			mosaics++;
			tiles += in.length;
			linked += members.length;
			final double[] offset = new double[2];
			for (int d = 0; d < 2; d++) {
				final int along = d;
				final double[] errors = IntStream.of(members).mapToDouble(i -> positions[i][along] - c.truth[i][along]).sorted().toArray();
				// of placements that can be wrong, the median is the common offset
				offset[d] = errors.length == 0 ? 0 : sigma == null ? errors[errors.length / 2] : Arrays.stream(errors).average().orElseThrow();
			}
			for (int i = 0; i < in.length; i++) {
				boolean wrong = false;
				for (int d = 0; d < 2; d++) {
					final double error = positions[i][d] - c.truth[i][d] - offset[d];
					wrong |= Math.abs(error) > WRONG;
					if (!in[i]) continue;
					squares += error * error;
					count++;
					if (sigma != null && sigma[i][d] > 0) normalised += error * error / (sigma[i][d] * sigma[i][d]);
				}
				if (wrong) wrongTiles++;
				if (wrong && in[i]) unflagged++;
				if (wrong && in[i] && sigma != null) System.err.printf(Locale.ROOT, "%s, not flagged: position less truth %.3f, %.3f; standard deviations %.3f, %.3f%n",
					c.tiles.get(i).name(), positions[i][0] - c.truth[i][0] - offset[0], positions[i][1] - c.truth[i][1] - offset[1], sigma[i][0], sigma[i][1]);
			}
		}
	}

	private static void accuracy(final int mosaics, final int threads, final double seconds) {
		final long start = System.nanoTime();
		final String command = "bench stitch.StitchBench accuracy " + mosaics + " " + threads + (vignetting == VIGNETTING ? "" : " " + vignetting);
		final DocumentTable table = new DocumentTable(Origin.here("", command), "content", "overlap_percent", "blank_percent",
			"mosaics", "tiles", "links", "wrong_links", "linked_tiles", "rms_error_px", "predicted_over_observed", "wrong_tiles", "not_flagged",
			"phase_links", "phase_wrong_links", "phase_linked_tiles", "phase_rms_error_px", "phase_wrong_tiles", "phase_not_flagged");
		table.head().forEach(System.out::println);
		for (final String kind : KINDS) for (final double overlap : OVERLAPS) for (final double blank : BLANK) {
			final Sum ours = new Sum(), others = new Sum();
			try (Parallel parallel = new Parallel(threads)) {
				parallel.each(mosaics, m -> {
					if (1e-9 * (System.nanoTime() - start) > seconds) return;
					final Case c = Case.of(kind, overlap, blank, 1000L * m + kind.hashCode() + Math.round(100 * overlap) + Math.round(1e6 * blank));
					final Mosaic mosaic = measured(c);
					final boolean[] in = new boolean[c.truth.length];
					final double[][] positions = new double[in.length][], sigma = new double[in.length][];
					for (int i = 0; i < in.length; i++) {
						final Mosaic.Placed t = mosaic.tiles().get(i);
						in[i] = t.linked();
						positions[i] = t.position();
						sigma[i] = new double[] { t.sigma(0), t.sigma(1) };
					}
					ours.add(c, positions, in, sigma);
					for (final Mosaic.Link l : mosaic.links()) if (l.used() && wrong(c, l.a(), l.b(), l.shift())) System.err.printf(Locale.ROOT,
						"wrong link %d-%d: %.3f, %.3f, truth %.3f, %.3f; standard deviations %.3f, %.3f%n", l.a(), l.b(), l.shift()[0], l.shift()[1],
						c.truth[l.b()][0] - c.truth[l.a()][0], c.truth[l.b()][1] - c.truth[l.a()][1], l.sigma(0), l.sigma(1));
					count(ours, c, mosaic.links().stream().filter(Mosaic.Link::used).map(l -> new PhaseStitcher.Link(l.a(), l.b(), l.shift(), l.score())).toList());
					final PhaseStitcher theirs = new PhaseStitcher(c.tiles, 2 * (int) STAGE + BACKLASH + 1);
					others.add(c, theirs.positions(), theirs.linked(), null);
					count(others, c, theirs.links());
				});
			}
			if (ours.mosaics == 0) return;
			table.row(kind, Math.round(100 * overlap), Math.round(100 * blank), ours.mosaics, ours.tiles, ours.links, ours.wrongLinks, ours.linked, ours.rms(),
				Math.sqrt(ours.count / ours.normalised), ours.wrongTiles, ours.unflagged, others.links, others.wrongLinks, others.linked, others.rms(), others.wrongTiles,
				others.unflagged);
			System.out.println(table.last());
			System.out.flush();
		}
	}

	/** Each link of N mosaics of each kind and overlap, beside the truth. */
	private static void links(final int mosaics, final int threads, final String[] kinds) {
		System.out.println("content,overlap,mosaic,a,b,along,score,runner_up,false_alarms,sigma_x,sigma_y,error_x,error_y,used,reason");
		for (final String kind : kinds.length == 0 ? KINDS : kinds) for (final double overlap : OVERLAPS) try (Parallel parallel = new Parallel(threads)) {
			parallel.each(mosaics, m -> {
				final Case c = Case.of(kind, overlap, 0, 1000L * m + kind.hashCode() + Math.round(100 * overlap));
				final StringBuilder text = new StringBuilder();
				for (final Mosaic.Link l : measured(c).links()) {
					final double[] error = { Double.NaN, Double.NaN };
					for (int d = 0; d < 2 && l.shift() != null; d++) error[d] = l.shift()[d] - (c.truth[l.b()][d] - c.truth[l.a()][d]);
					text.append(String.format(Locale.ROOT, "%s,%.2f,%d,%d,%d,%s,%.4f,%.4f,%.3g,%.5f,%.5f,%.5f,%.5f,%d,%s%n", kind, overlap, m, l.a(), l.b(),
						l.b() == l.a() + 1 ? "x" : "y", l.score(), l.runnerUp(), l.falseAlarms(), l.sigma(0), l.sigma(1), error[0], error[1], l.used() ? 1 : 0,
						l.reason().replace(',', ';')));
				}
				synchronized (System.out) {
					System.out.print(text);
				}
			});
		}
	}

	private static Mosaic measured(final Case c) {
		return Stitching.of(c.tiles).stageError(2 * (int) STAGE + BACKLASH + 1, 2 * (int) STAGE + 1)
			.compute(ComputeOptions.DEFAULT.threads(1).backend("cpu")).measure();
	}

	private static void count(final Sum sum, final Case c, final List<PhaseStitcher.Link> links) {
		synchronized (sum) {
			for (final PhaseStitcher.Link l : links) {
				sum.links++;
				if (wrong(c, l.a(), l.b(), l.shift())) sum.wrongLinks++;
			}
		}
	}

	private static boolean wrong(final Case c, final int a, final int b, final double[] shift) {
		boolean wrong = false;
		for (int d = 0; d < 2; d++) wrong |= Math.abs(shift[d] - (c.truth[b][d] - c.truth[a][d])) > WRONG;
		return wrong;
	}

	/** Tiles of a grid that are parts of one repeated texture, with noise of their own; made when they are used. */
	private static final class Grid {

		private static final int SIDE = 2048, NOISE = 1 << 20;

		final List<Tile> tiles = new ArrayList<>();
		/** The processor time of making tiles, in nanoseconds. */
		final LongAdder time = new LongAdder();
		private final short[] base = new short[SIDE * SIDE], noise = new short[NOISE + SIDE];

		Grid(final int columns, final int rows, final int width, final int height) {
			final double[] texture = new double[base.length];
			final Random random = new Random(1);
			for (int i = 0; i < texture.length; i++) texture[i] = random.nextGaussian();
			for (int i = 0; i < base.length; i++) {
				double v = 0;
				for (int k = 0; k < 9; k++) v += texture[(i + k % 3 + k / 3 * SIDE) % base.length];
				base[i] = (short) (2000 + 200 * v);
			}
			for (int i = 0; i < noise.length; i++) noise[i] = (short) random.nextInt(64);
			final int stepX = width * 9 / 10, stepY = height * 9 / 10;
			for (int i = 0; i < columns * rows; i++) {
				final int x = i % columns * stepX, y = i / columns * stepY, ex = random.nextInt(11) - 5, ey = random.nextInt(11) - 5;
				final long seed = i;
				tiles.add(new Tile("t" + i, PixelType.U16, new long[] { width, height }, () -> part(x + ex + 5, y + ey + 5, width, height, seed),
					new double[] { x, y }));
			}
		}

		private RandomAccessibleInterval<?> part(final int x, final int y, final int width, final int height, final long seed) {
			final ThreadMXBean thread = ManagementFactory.getThreadMXBean();
			final long start = thread.getCurrentThreadCpuTime();
			final short[] pixels = new short[width * height];
			final SplittableRandom places = new SplittableRandom(seed);
			for (int j = 0; j < height; j++)
				for (int k = 0, next; k < width; k = next) {
					final int column = (x + k) % SIDE;
					next = Math.min(width, k + SIDE - column);
					sum((y + j) % SIDE * SIDE + column, places.nextInt(NOISE), pixels, j * width + k, next - k);
				}
			time.add(thread.getCurrentThreadCpuTime() - start);
			return ArrayImgs.unsignedShorts(pixels, width, height);
		}

		private void sum(final int from, final int ofNoise, final short[] to, final int at, final int n) {
			for (int k = 0; k < n; k++) to[at + k] = (short) (base[from + k] + noise[ofNoise + k]);
		}

		/** The same tiles in memory. */
		List<Tile> held(final int threads) {
			final Tile[] held = new Tile[tiles.size()];
			try (Parallel parallel = new Parallel(threads)) {
				parallel.each(held.length, i -> held[i] = Tile.of(tiles.get(i).name(), tiles.get(i).pixels().get(), tiles.get(i).position()));
			}
			time.reset();
			return List.of(held);
		}
	}

	/** The time and the heap of a measurement, printed while it runs. */
	private static final class Progress implements Monitor {

		private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		private final long start = System.nanoTime(), used = system.getProcessCpuTime();
		/** Whether garbage is collected at each tenth. */
		private final boolean collect;
		private long total, done;
		private double seconds, processor, live;

		Progress(final boolean collect) {
			this.collect = collect;
		}

		double seconds() {
			return 1e-9 * (System.nanoTime() - start);
		}

		/** The processor time of this process. */
		double processor() {
			return 1e-9 * (system.getProcessCpuTime() - used);
		}

		/** The heap in use after a full collection, in megabytes. */
		static double live() {
			System.gc();
			return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / (double) (1 << 20);
		}

		@Override
		public synchronized void total(final long steps) {
			total = steps;
		}

		@Override
		public synchronized void done(final long steps) {
			done += steps;
			if (10 * done / total == 10 * (done - steps) / total) return;
			seconds = seconds();
			processor = processor();
			if (collect) live = Math.max(live, live());
			System.err.printf(Locale.ROOT, "%d of %d links, %.1f s, processor time %.1f s%s%n", done, total, seconds, processor,
				collect ? String.format(Locale.ROOT, ", live heap at most %.0f MB", live) : "");
		}
	}

	private static void speed(final String[] arguments) throws IOException {
		final int threads = Integer.parseInt(arguments[2]), csv = Arrays.asList(arguments).indexOf("--csv");
		final int[] shape = Arrays.stream(arguments, 3, 7).mapToInt(Integer::parseInt).toArray();
		final DocumentTable table = new DocumentTable(Origin.here("", "bench stitch.StitchBench " + String.join(" ", Arrays.copyOf(arguments, csv < 0
			? arguments.length : csv))), "algorithm", "threads", "columns",
			"rows", "width", "height", "links", "used", "links_s", "links_processor_s", "of_it_tiles_s", "all_s", "all_processor_s", "heap_mb", "most_heap_mb");
		table.head().forEach(System.out::println);
		final HeapAfterCollections heap = new HeapAfterCollections();
		final Grid grid = new Grid(shape[0], shape[1], shape[2], shape[3]);
		final List<Tile> tiles = arguments.length > 7 && arguments[7].equals("held") ? grid.held(threads) : grid.tiles;
		for (final String backend : arguments[1].split(",")) {
			Object[] row = {};
			for (int round = 0; round < 3; round++) {
				grid.time.reset();
				final Progress progress = new Progress(false);
				final Stitching stitching = Stitching.of(tiles).stageError(20, 20).compute(ComputeOptions.DEFAULT.threads(threads).backend(backend).monitor(progress));
				final Mosaic mosaic = stitching.measure();
				row = new Object[] { stitching.rankings().get(0).best().orElseThrow().name(), threads, shape[0], shape[1], shape[2], shape[3], mosaic.links().size(),
					mosaic.links().stream().filter(Mosaic.Link::used).count(), progress.seconds, progress.processor, 1e-9 * grid.time.sum(), progress.seconds(),
					progress.processor(), Runtime.getRuntime().maxMemory() >> 20, heap.most() >> 20 };
				System.out.println(Arrays.toString(row));
				System.out.flush();
				if (progress.seconds() > 100) break;
			}
			table.row(row);
			System.out.println(table.last());
		}
		if (csv < 0) return;
		final Path file = Path.of(arguments[csv + 1]).toAbsolutePath();
		table.write(file.getParent(), file.getFileName().toString().replaceAll("\\.csv$", ""));
	}

	private static void memory(final int threads, final int[] shapes) {
		final DocumentTable table = new DocumentTable(Origin.here("", "bench stitch.StitchBench memory " + threads + " "
			+ Arrays.stream(shapes).mapToObj(String::valueOf).collect(Collectors.joining(" "))), "tiles", "width", "height", "links", "used", "processor_s", "heap_mb",
			"live_heap_mb", "most_heap_mb", "heap_of_result_mb");
		table.head().forEach(System.out::println);
		for (int i = 2; i < shapes.length; i++) {
			final int side = (int) Math.round(Math.sqrt(shapes[i]));
			final HeapAfterCollections heap = new HeapAfterCollections();
			final Progress progress = new Progress(true);
			final Grid grid = new Grid(side, side, shapes[0], shapes[1]);
			Stitching stitching = Stitching.of(grid.tiles).stageError(20, 20).compute(ComputeOptions.DEFAULT.threads(threads).backend("cpu").monitor(progress));
			final Mosaic mosaic = stitching.measure();
			stitching = null;
			table.row(side * side, shapes[0], shapes[1], mosaic.links().size(), mosaic.links().stream().filter(Mosaic.Link::used).count(), progress.processor(),
				Runtime.getRuntime().maxMemory() >> 20, progress.live, heap.most() >> 20, Progress.live());
			System.out.println(table.last());
			System.out.flush();
		}
	}

	/** The largest heap in use after a collection of garbage. */
	private static final class HeapAfterCollections implements NotificationListener {

		private final AtomicLong most = new AtomicLong();

		HeapAfterCollections() {
			for (final GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans())
				((NotificationEmitter) collector).addNotificationListener(this, null, null);
		}

		@Override
		public void handleNotification(final Notification notification, final Object handback) {
			if (!notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) return;
			final long used = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData()).getGcInfo().getMemoryUsageAfterGc().entrySet()
				.stream().filter(e -> !e.getKey().contains("Code") && !e.getKey().contains("Meta") && !e.getKey().contains("Class"))
				.mapToLong(e -> e.getValue().getUsed()).sum();
			most.accumulateAndGet(used, Math::max);
		}

		long most() {
			return most.get();
		}
	}

	private static void fusion(final int threads) throws IOException {
		final DocumentTable table = new DocumentTable(Origin.here("", "bench stitch.StitchBench fusion " + threads), "blending", "interpolation",
			"megapixels_a_second", "copying_megapixels_a_second", "share_percent");
		table.head().forEach(System.out::println);
		final List<Tile> tiles = new ArrayList<>();
		for (final Tile t : new Grid(4, 4, 1392, 1040).tiles) tiles.add(Tile.of(t.name(), t.pixels().get(), t.position()));
		final Stitching stitching = Stitching.of(tiles).stageError(20, 20);
		final Mosaic mosaic = stitching.measure();
		for (final Fusion fusion : FUSIONS) {
			double fused = Double.POSITIVE_INFINITY, copied = Double.POSITIVE_INFINITY, pixels = 0;
			for (int round = 0; round < 3; round++) {
				final RandomAccessibleInterval<?> image = stitching.fuse(mosaic, fusion);
				final int width = (int) image.dimension(0), height = (int) image.dimension(1);
				pixels = (double) width * height;
				fused = Math.min(fused, written(image, threads));
				final short[] copy = new short[width * height];
				ImagePixels.of(image).read(new long[2], new int[] { width, height }, ShortBuffer.wrap(copy));
				copied = Math.min(copied, written(ArrayImgs.unsignedShorts(copy, width, height), threads));
			}
			table.row(fusion.blending(), fusion.interpolation(), 1e-6 * pixels / fused, 1e-6 * pixels / copied, 100 * copied / fused);
			System.out.println(table.last());
			System.out.flush();
		}
	}

	/** The processor time of writing an image as a Zarr folder, in seconds: the mean of as many times as take a second, because the clock has ticks of 10 ms. */
	private static double written(final RandomAccessibleInterval<?> image, final int threads) throws IOException {
		double sum = 0;
		int times = 0;
		for (; sum < 1; times++) sum += writtenOnce(image, threads);
		return sum / times;
	}

	private static double writtenOnce(final RandomAccessibleInterval<?> image, final int threads) throws IOException {
		final Path folder = Files.createTempDirectory("fusion");
		final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		try {
			final long start = system.getProcessCpuTime();
			new StackWriter(new InputImage("mosaic", image, "xy", Calibration.NONE), new long[2], threads, Monitor.NONE).zarr(image, folder.resolve("m.zarr"), "mosaic");
			return 1e-9 * (system.getProcessCpuTime() - start);
		}
		finally {
			try (Stream<Path> files = Files.walk(folder)) {
				for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
			}
		}
	}
}
