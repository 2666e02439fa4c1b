package sc.fiji.ncc.cuda.shifts;

import java.util.ArrayList;
import java.util.List;

import sc.fiji.ncc.cuda.shifts.TemplateCut.Kind;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Part;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;
import sc.fiji.ncc.plan.Size;

/**
 * How templates are cut into tiles (Moore, Leeser, Smith King, Adaptable and Efficient Variable Size Template Matching in CUDA): main tiles, and
 * remainders right of them, below them and in the corner. And which tiles of how many frames a block of threads computes. Nothing is padded.
 */
public final class TemplateCut {

	/** The kinds of numbers of {@code words.cuh}: pixels per word; bytes of four pixels in shared memory; bytes of a sum. */
	public enum Kind {

		BYTES(4, 4, 4), SHORTS(2, 8, 8), FLOATS(1, 16, 4);

		public final int each, quad, sum;

		Kind(final int each, final int quad, final int sum) {
			this.each = each;
			this.quad = quad;
			this.sum = sum;
		}
	}

	/** The position of a tile in the template. */
	enum Region {
		MAIN, RIGHT, BOTTOM, CORNER
	}

	/** The extents of a tile. Main tiles have a multiple of 4 columns. */
	public record Shape(int rows, int columns) {}

	/**
	 * The tiles of a block: the template; the first tile's position; how many tiles along x and y the threads take at a time; the maximum number of
	 * frames; how often the threads take tiles, downwards; the total number of tiles along y.
	 */
	record Part(int template, Region region, Shape shape, int x, int y, int across, int down, int frames, int steps, int tiles) {}

	/** Lags of a thread along x; rows of lags of a thread in the general kernel; the maximum number of shapes for which a kernel is compiled. */
	public static final int ACROSS = 4, GENERAL_DOWN = 5, MAX_SHAPES = 12;
	/** The main tiles to choose from. {@code SmallShiftsBench} measures them. */
	public static final List<Shape> MAIN_TILES = List.of(new Shape(16, 4), new Shape(8, 8), new Shape(4, 4), new Shape(8, 4), new Shape(24, 4),
		new Shape(32, 4), new Shape(16, 8));
	/** The maximum number of products of 16 and 8 bits in a sum. */
	static final int MAX_PIXELS = 256;
	/** The shapes of the general kernel, in its order. */
	private static final List<Shape> GENERAL = general();
	private static final int THREADS = 128;
	/** Shared memory of a block in bytes, unless one tile needs more. */
	private static final int SHARED = 36 << 10;
	/** Blocks per multiprocessor that fill a GPU. If there are more, a block takes more tiles, so that fewer sums are written and read. */
	private static final int BLOCKS = 1, MAX_STEPS = 8;

	final Kind kind;
	/** Rows of lags of a thread, threads of a block, bytes of shared memory. */
	final int down, threads, shared;
	/** The main tile; null for the general kernel. */
	public final Shape main;
	public final List<Shape> shapes;
	final List<Part> parts = new ArrayList<>();
	private final int strips, groups;

	private static List<Shape> general() {
		final List<Shape> all = new ArrayList<>();
		for (int columns = 4; columns > 0; columns--)
			for (final int rows : new int[] { 16, 4, 1 }) all.add(new Shape(rows, columns));
		return List.copyOf(all);
	}

	/**
	 * @param main the main tile; null for the general kernel
	 * @param down rows of lags of a thread
	 * @param processors of the GPU
	 */
	public TemplateCut(final Kind kind, final List<Size> templates, final int lagsX, final int lagsY, final Shape main, final int down,
		final int processors)
	{
		this.kind = kind;
		this.main = main;
		this.down = down;
		strips = (lagsX + ACROSS - 1) / ACROSS;
		groups = (lagsY + down - 1) / down;
		threads = Math.max(THREADS, (threadsOfTile() + 31) / 32 * 32);
		final List<Bands> all = new ArrayList<>();
		long blocks = 0;
		for (int t = 0; t < templates.size(); t++) {
			final int width = (int) templates.get(t).get(0), height = (int) templates.get(t).get(1);
			final int columns = main == null ? 4 : main.columns, wide = width / columns * columns;
			for (int y = 0; y < height;) {
				final int left = height - y, rows = main == null ? left >= 16 ? 16 : left >= 4 ? 4 : 1 : Math.min(left, main.rows), many = left / rows;
				final boolean bottom = main != null && rows < main.rows || main == null && rows < 16;
				if (wide > 0) all.add(bands(t, bottom ? Region.BOTTOM : Region.MAIN, new Shape(rows, columns), 0, y, wide / columns, many));
				if (wide < width) all.add(bands(t, bottom ? Region.CORNER : Region.RIGHT, new Shape(rows, width - wide), wide, y, 1, many));
				y += many * rows;
			}
		}
		for (final Bands b : all) blocks += (long) b.columns() * b.rows();
		for (final Bands b : all) add(b, (int) Math.max(1, Math.min(MAX_STEPS, blocks / Math.max(1, BLOCKS * processors))));
		shapes = main == null ? GENERAL : parts.stream().map(Part::shape).distinct().toList();
		shared = parts.stream().mapToInt(this::shared).max().orElseThrow();
	}

	/** The same with only the tiles of one region, for benchmarks. */
	TemplateCut(final TemplateCut whole, final Region region) {
		kind = whole.kind;
		main = whole.main;
		down = whole.down;
		threads = whole.threads;
		strips = whole.strips;
		groups = whole.groups;
		shapes = whole.shapes;
		whole.parts.stream().filter(p -> p.region == region).forEach(parts::add);
		shared = parts.stream().mapToInt(this::shared).max().orElse(0);
	}

	/** An array of tiles of one shape, and how many of them the threads of a block take at a time. */
	private record Bands(int template, Region region, Shape shape, int x, int y, int tilesX, int tilesY, int across, int down) {

		int columns() {
			return (tilesX + across - 1) / across;
		}

		int rows() {
			return (tilesY + down - 1) / down;
		}

		Part part(final int column, final int row, final int frames, final int steps) {
			return new Part(template, region, shape, x + column * across * shape.columns, y + row * down * shape.rows, Math.min(across, tilesX - column * across),
				Math.min(down, tilesY - row * down), frames, steps, Math.min(steps * down, tilesY - row * down));
		}
	}

	/** Distributes tiles to as few blocks as possible. */
	private Bands bands(final int template, final Region region, final Shape shape, final int x, final int y, final int tilesX, final int tilesY) {
		final int most = threads / threadsOfTile();
		Bands best = null;
		long least = Long.MAX_VALUE;
		for (int a = 1; a <= Math.min(most, tilesX); a++)
			for (int d = 1; d <= Math.min(most / a, tilesY); d++) {
				final Bands b = new Bands(template, region, shape, x, y, tilesX, tilesY, a, d);
				final int bytes = shared(b.part(0, 0, 1, 1));
				if (a * d > 1 && bytes > SHARED) continue;
				// if the number of blocks is equal, fewer bytes
				final long cost = ((long) b.columns() * b.rows() << 24) + bytes;
				if (cost >= least) continue;
				least = cost;
				best = b;
			}
		return new Bands(template, region, shape, x, y, tilesX, tilesY, (tilesX + best.columns() - 1) / best.columns(), (tilesY + best.rows() - 1) / best.rows());
	}

	/** @param steps how often a block takes tiles, unless its sums would overflow */
	private void add(final Bands b, final int steps) {
		final int most = kind == Kind.SHORTS ? Math.max(1, MAX_PIXELS / b.shape.rows / b.shape.columns) : MAX_STEPS;
		final int times = (b.rows() + Math.min(steps, most) - 1) / Math.min(steps, most), each = (b.rows() + times - 1) / times;
		for (int row = 0; row < b.rows(); row += each)
			for (int column = 0; column < b.columns(); column++) {
				final int now = Math.min(each, b.rows() - row);
				final Part one = b.part(column, row, 1, now);
				final int frames = Math.max(1, Math.min(threads / threadsOfTile() / (one.across * one.down), SHARED / shared(one)));
				parts.add(b.part(column, row, frames, now));
			}
	}

	/** The shared memory of a part in bytes: its pixels, and afterwards its sums. */
	private int shared(final Part p) {
		return p.frames * Math.max(quads(p) * rows(p) * kind.quad, p.across * p.down * ACROSS * down * threadsOfTile() * kind.sum);
	}

	/** The threads that share a tile, for all lags. */
	int threadsOfTile() {
		return strips * groups;
	}

	/** The pixels of a row in shared memory, divided by four, and the rows. */
	int quads(final Part p) {
		return ((p.across - 1) * p.shape.columns + ACROSS * strips + p.shape.columns - 1 + 3) / 4;
	}

	int rows(final Part p) {
		return p.down * p.shape.rows + groups * down - 1;
	}

	/** The estimated cost, to compare main tiles. */
	public double cost(final long frames) {
		return CutCost.of(this, frames);
	}

	/** The compiler options; none for the general kernel. */
	String[] options() {
		if (shapes == GENERAL) return new String[0];
		return options(kind, down, shapes);
	}

	public static String[] options(final Kind kind, final int down, final List<Shape> shapes) {
		final List<String> all = new ArrayList<>(List.of("-DONLY=" + kind.each, "-DDOWN=" + down));
		for (int s = 0; s < shapes.size(); s++) {
			all.add("-DROWS" + s + "=" + shapes.get(s).rows);
			all.add("-DCOLUMNS" + s + "=" + shapes.get(s).columns);
		}
		return all.toArray(new String[0]);
	}

	/** The number of partial sums of a frame. */
	long sums() {
		return (long) parts.size() * ACROSS * down * threadsOfTile();
	}

	/** {@code struct Part} of the kernels. */
	int[] struct(final List<Part> some) {
		final int[] all = new int[12 * some.size()];
		for (int i = 0; i < some.size(); i++) {
			final Part p = some.get(i);
			final int[] one = { p.template, shapes.indexOf(p.shape), p.x, p.y, p.shape.rows, p.shape.columns, p.across, p.down, p.frames, p.steps, p.tiles, 0 };
			System.arraycopy(one, 0, all, 12 * i, one.length);
		}
		return all;
	}

	/**
	 * The estimated cost of the sums of products of a {@link TemplateCut}, to compare main tiles: instructions of all warps, and a
	 * surcharge for much code. The constants were fitted to {@code src/doc/data/small-shifts-gpu.csv} (H200, 8 bits and float). The cost is
	 * proportional to these times within 20 %, without 0.02 ms of launches.
	 */
	static final class CutCost {

		/** The cost of four pixels in units of a product: read by a thread from shared memory, and copied to it. */
		private static final double READ = 8, COPY = 56;
		/** The cost of a block, with its sums, in products of a warp. */
		private static final double BLOCK = 2500;
		/** The products in the code of all shapes that fit into the instruction cache (16 bytes each), and how many more of them double the cost. */
		private static final double CACHE = 3300, MISSES = 11000;

		private CutCost() {}

		static double of(final TemplateCut cut, final long frames) {
			final int warps = cut.threads / 32;
			double cost = 0;
			for (final Part p : cut.parts) {
				final int active = (p.frames() * p.across() * p.down() * cut.threadsOfTile() + 31) / 32;
				final int copies = (p.frames() * cut.rows(p) * cut.quads(p) + cut.threads - 1) / cut.threads;
				final double step = active * (products(cut, p.shape()) + READ * reads(cut, p.shape())) + COPY * copies * warps;
				cost += (double) ((frames + p.frames() - 1) / p.frames()) * (p.steps() * step + BLOCK);
			}
			final int code = cut.shapes.stream().mapToInt(s -> products(cut, s)).sum();
			return cost * (1 + Math.max(0, code - CACHE) / MISSES);
		}

		/** Instructions of a thread that multiply and add. 16 bits need two for each. */
		private static int products(final TemplateCut cut, final Shape s) {
			return s.rows() * ((s.columns() + cut.kind.each - 1) / cut.kind.each) * cut.down * TemplateCut.ACROSS * (cut.kind == Kind.SHORTS ? 2 : 1);
		}

		/** How often a thread reads four pixels for a tile. */
		private static int reads(final TemplateCut cut, final Shape s) {
			return (s.rows() + cut.down - 1) * ((TemplateCut.ACROSS + s.columns() - 1 + 3) / 4);
		}
	}
}
