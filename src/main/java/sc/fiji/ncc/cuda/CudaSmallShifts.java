package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.shifts.FrameBatches;
import sc.fiji.ncc.cuda.shifts.SmallShiftsMethod;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Kind;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;
import sc.fiji.ncc.cuda.shifts.TemplateCut;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Many templates, of any sizes, over small shifts (Moore, Leeser, Smith King, Adaptable and Efficient Variable Size Template Matching in CUDA): the
 * work is spread over the pixels of all templates and of all frames at hand. 8 and 16 bits in whole numbers, with the same bits as {@code cpu-direct-exact};
 * all else in float with error estimates, as {@code cuda-direct}.
 */
public final class CudaSmallShifts extends CudaAlgorithm {

	/** Lags along an axis, and columns of a template, that fit into a block. */
	private static final int MOST_LAGS = 64, WIDEST = 1024;
	/** Multiply-adds over all frames from which on code for exactly the templates' sizes is worth being compiled. */
	private static final double WORTH = 0x1p27;

	/** Rows of main tiles, and of them times those of lags, lest the code outgrows the card's cache for it. */
	private static final int LEAST_ROWS = 8, MOST_ROWS = 32, MOST_CODE = 220;
	/** What a row of pixels and a tile cost, in instructions. */
	private static final double ROW = 12, TILE = 200;
	/** A frame of many, and a frame alone, through threads and launches; as {@code ShiftsBench host} showed on an H200 with 16 cores of the host. */
	private static final double FRAME = 15e-6, LONE_FRAME = 110e-6;
	/** One multiply-add in 8 bits, 16 bits and float on one multiprocessor. */
	private static final double[] TAPS = { 132 / 2.3e13, 132 / 9e12, 132 / 1.2e13 };

	public CudaSmallShifts() {
		super("cuda-small-shifts");
	}

	@Override
	Optional<String> unsupportedShape(final Problem p) {
		if (p.weights() != Weights.NONE) return Optional.of("parts on CUDA know no mask; cuda-direct does");
		if (p.lags().partial()) return Optional.of("parts on CUDA are for windows inside the image; cuda-direct is for all");
		if (p.size().get(2) > 1) return Optional.of("parts on CUDA are for pictures, not for volumes; cuda-direct is for both");
		for (int d = 0; d < 2; d++)
			if (p.lags().count().get(d) > MOST_LAGS)
				return Optional.of("parts on CUDA are for small shifts, of at most " + MOST_LAGS + " lags along x and y, not " + p.lags().count());
		for (final Size t : p.templates())
			if (t.get(0) > WIDEST) return Optional.of("parts on CUDA are for templates up to " + WIDEST + " pixels wide, not " + t);
		return Optional.empty();
	}

	public static Kind kind(final Problem p) {
		if (!p.image().exact() || !p.template().exact()) return Kind.FLOATS;
		return p.image().bytes == 1 && p.template().bytes == 1 ? Kind.BYTES : Kind.SHORTS;
	}

	/** Multiply-adds of a frame. */
	private static double products(final Problem p) {
		double pixels = 0;
		for (final Size t : p.templates()) pixels += t.pixels();
		return pixels * p.lags().count().pixels();
	}

	/** How a problem is cut. @param own by code for exactly its sizes, if there are not too many shapes for that */
	public static TemplateCut cut(final Problem p, final boolean own, final int processors) {
		final Size lags = p.lags().count();
		final int lagsX = (int) lags.get(0), lagsY = (int) lags.get(1);
		if (own) {
			final List<Shape> tiles = new ArrayList<>();
			for (final Size t : p.templates()) tiles.add(tile(p, t));
			final TemplateCut cut = new TemplateCut(kind(p), p.templates(), lagsX, lagsY, tiles, down(kind(p), lagsY), processors);
			if (cut.shapes.size() <= TemplateCut.MOST_SHAPES) return cut;
		}
		return new TemplateCut(kind(p), p.templates(), lagsX, lagsY, null, TemplateCut.USUAL_DOWN, processors);
	}

	/**
	 * The main tile for a template: four columns, and as many rows as cost least, rests included. What a tile costs beside its products was fitted to what
	 * {@code ShiftsBench} measured.
	 */
	public static Shape tile(final Problem p, final Size template) {
		final Kind kind = kind(p);
		final int down = down(kind, (int) p.lags().count().get(1)), width = (int) template.get(0), height = (int) template.get(1);
		int best = 0;
		double least = Double.POSITIVE_INFINITY;
		for (int rows = LEAST_ROWS; rows <= Math.min(MOST_ROWS, MOST_CODE / down); rows++) {
			double cost = 0;
			for (int columns = 4; columns > 0; columns -= columns == 4 ? 4 - Math.min(3, width % 4) : columns) {
				final int many = columns == 4 ? width / 4 : 1;
				cost += many * (height / rows * work(kind, rows, columns, down) + (height % rows == 0 ? 0 : work(kind, height % rows, columns, down)));
				if (width % 4 == 0) break;
			}
			if (cost >= least) continue;
			least = cost;
			best = rows;
		}
		return new Shape(best, 4);
	}

	/** Instructions of a thread, those that take two turns twice. */
	private static double work(final Kind kind, final int rows, final int columns, final int down) {
		final int words = (columns + kind.each - 1) / kind.each;
		return rows * words * down * TemplateCut.ACROSS * (kind == Kind.FLOATS ? 1 : kind == Kind.BYTES ? 2 : 4) + (rows + down - 1) * ROW + TILE;
	}

	/** Rows of lags of a thread: even groups. Of floats five are quicker than ten by a quarter with 19 rows, of bytes as quick. */
	public static int down(final Kind kind, final int lagsY) {
		final int most = kind == Kind.BYTES ? 10 : 5, groups = (lagsY + most - 1) / most;
		return (lagsY + groups - 1) / groups;
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Problem problem) {
		return prepare(device, List.of(template), problem);
	}

	@Override
	int together(final CudaDevice device, final List<Template> templates, final Problem problem) {
		return templates.size();
	}

	@Override
	SmallShiftsMethod prepare(final CudaDevice device, final List<Template> templates, final Problem problem) {
		final boolean own = device.kernels().compiles() && products(problem) * problem.frames() >= WORTH;
		return new SmallShiftsMethod(device, templates, problem, cut(problem, own, device.processors));
	}

	@Override
	Execution execution(final CudaDevice device, final List<Template> templates, final Problem problem) {
		return FrameBatches.execution(device, templates, those -> prepare(device, those, problem));
	}

	@Override
	Cost cost(final Problem p, final CudaDevice device) {
		double seconds = 0;
		for (final Size t : p.templates()) seconds += deviceSeconds(device, t, p);
		return CudaCost.together(p, device, preparation(), seconds, p.frames() > 1 ? FRAME : LONE_FRAME);
	}

	@Override
	double deviceSeconds(final CudaDevice device, final Size t, final Problem p) {
		return t.pixels() * (double) p.lags().count().pixels() * TAPS[kind(p).ordinal()] / device.processors;
	}
}
