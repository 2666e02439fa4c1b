package sc.fiji.ncc.cuda.shifts;

import sc.fiji.ncc.cuda.shifts.TemplateCut.Kind;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Part;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;

/**
 * The estimated cost of the sums of products of a {@link TemplateCut}, to compare main tiles: instructions of all warps, and a surcharge for much code. The
 * constants
 * were fitted to {@code src/doc/data/small-shifts-gpu.csv} (H200, 8 bits and float). The cost is proportional to these times within 20 %, without 0.02 ms of
 * launches.
 */
final class CutCost {

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
