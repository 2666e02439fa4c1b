package sc.fiji.ncc.cuda;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.shifts.FrameBatches;
import sc.fiji.ncc.cuda.shifts.SmallShiftsMethod;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Kind;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;
import sc.fiji.ncc.cuda.shifts.TemplateCut;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Many templates, of any sizes, over small shifts (Moore, Leeser, Smith King, Adaptable and Efficient Variable Size Template Matching in CUDA): the
 * pixels of all templates and of all waiting frames share the work. 8 and 16 bits are summed in integers, with the same bits as {@code cpu-direct-exact}.
 * Other types are summed in float with error estimates, as in {@code cuda-direct}.
 */
public final class CudaSmallShifts extends CudaAlgorithm<Correlation> {

	/** The maximum number of lags along an axis, and of columns of a template, that fit into a block. */
	private static final int MAX_LAGS = 64, MAX_WIDTH = 1024;
	/** From this number of multiply-adds over all frames on, kernels are compiled for the sizes of the templates. */
	private static final double WORTH = 0x1p27;
	/**
	 * Seconds for threads and launches of one of many frames, and of a single frame. Measured by {@code SmallShiftsBench host} on an H200 with 16 cores
	 * of the host.
	 */
	private static final double FRAME = 22e-6, LONE_FRAME = 110e-6;
	/** Seconds of one multiprocessor for a multiply-add in 8 bits, 16 bits and float. */
	private static final double[] COEFFICIENT = { 132 / 2.3e13, 132 / 9e12, 132 / 1.2e13 };

	public CudaSmallShifts() {
		super("cuda-small-shifts", Correlation.class);
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.SINGLE);
	}

	@Override
	Optional<String> unsupportedShape(final Correlation p) {
		if (p.weights() != Weights.NONE) return Optional.of("small shifts on CUDA do not support masks: use cuda-direct");
		if (p.lags().partial()) return Optional.of("small shifts on CUDA support windows inside the image only: use cuda-direct");
		if (p.size().get(2) > 1) return Optional.of("small shifts on CUDA support planes, not volumes: use cuda-direct");
		for (int d = 0; d < 2; d++)
			if (p.lags().count().get(d) > MAX_LAGS)
				return Optional.of("small shifts on CUDA support at most " + MAX_LAGS + " lags along x and y, not " + p.lags().count());
		for (final Size t : p.templates())
			if (t.get(0) > MAX_WIDTH) return Optional.of("small shifts on CUDA support templates up to " + MAX_WIDTH
				+ " pixels wide, not " + t);
		return Optional.empty();
	}

	public static Kind kind(final Correlation p) {
		if (!p.image().exact() || !p.template().exact()) return Kind.FLOATS;
		return p.image().bytes == 1 && p.template().bytes == 1 ? Kind.BYTES : Kind.SHORTS;
	}

	/** Multiply-adds of a frame. */
	private static double products(final Correlation p) {
		double pixels = 0;
		for (final Size t : p.templates()) pixels += t.pixels();
		return pixels * p.lags().count().pixels();
	}

	/** How a problem is cut. @param own whether kernels are compiled for its sizes, if they have not too many shapes and are faster than the general kernel */
	public static TemplateCut cut(final Correlation p, final boolean own, final int processors) {
		final TemplateCut general = cut(p, null, processors);
		if (!own) return general;
		final Stream<TemplateCut> cuts = Stream.concat(Stream.of(general),
			TemplateCut.MAIN_TILES.stream().map(tile -> cut(p, tile, processors)));
		return cuts.filter(cut -> cut.shapes.size() <= TemplateCut.MAX_SHAPES)
			.min(Comparator.comparingDouble(cut -> cut.cost(p.frames()))).orElse(general);
	}

	/** @param main the main tile; null for the general kernel */
	public static TemplateCut cut(final Correlation p, final Shape main, final int processors) {
		final int lagsX = (int) p.lags().count().get(0), lagsY = (int) p.lags().count().get(1);
		return new TemplateCut(kind(p), p.templates(), lagsX, lagsY, main, main == null ? TemplateCut.GENERAL_DOWN
			: down(kind(p), lagsY), processors);
	}

	/** Rows of lags of a thread, in groups of nearly equal height. For floats, five rows are faster than ten. */
	public static int down(final Kind kind, final int lagsY) {
		final int most = kind == Kind.BYTES ? 10 : 5, groups = (lagsY + most - 1) / most;
		return (lagsY + groups - 1) / groups;
	}

	@Override
	CudaMethod prepare(final CudaDevice device, final Template template, final Correlation problem) {
		return prepare(device, List.of(template), problem);
	}

	@Override
	int together(final CudaDevice device, final List<Template> templates, final Correlation problem) {
		return templates.size();
	}

	@Override
	SmallShiftsMethod prepare(final CudaDevice device, final List<Template> templates, final Correlation problem) {
		final boolean own = device.kernels().compiles() && products(problem) * problem.frames() >= WORTH;
		return new SmallShiftsMethod(device, templates, problem, cut(problem, own, device.processors));
	}

	@Override
	Execution execution(final CudaDevice device, final List<Template> templates, final Correlation problem) {
		return FrameBatches.execution(device, templates, those -> prepare(device, those, problem));
	}

	@Override
	Cost cost(final Correlation p, final CudaCost costs) {
		double seconds = 0;
		for (final Size t : p.templates()) seconds += deviceSeconds(costs, t, p);
		return costs.together(p, preparation(costs, p), seconds, p.frames() > 1 ? costs.seconds("shifts-frame-of-many",
			FRAME) : costs.seconds("shifts-frame", LONE_FRAME));
	}

	/** All templates together, in one thread. */
	@Override
	double preparation(final CudaCost costs, final Correlation p) {
		return kind(p) == Kind.FLOATS ? costs.prepare() + costs.templates(p, "float-template-pixel", CudaCost.FLOAT_TEMPLATE)
			: super.preparation(costs, p);
	}

	@Override
	double deviceSeconds(final CudaCost costs, final Size t, final Correlation p) {
		return t.pixels() * (double) p.lags().count().pixels() * costs.shared("shifts-tap-" + kind(p).name().toLowerCase(Locale.ROOT),
			COEFFICIENT[kind(p).ordinal()]);
	}
}
