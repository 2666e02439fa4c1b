package sc.fiji.ncc.cpu.ncc;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.correlator.RunCorrelator;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledPlan;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.fourier.DoubleFourierMaskSums;
import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.DoubleSpectra;
import sc.fiji.ncc.cpu.fourier.FourierMaskSums;
import sc.fiji.ncc.cpu.fourier.FourierNumerator;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.MaskSpectra;
import sc.fiji.ncc.cpu.fourier.PartSpectra;
import sc.fiji.ncc.cpu.fourier.TemplateParts;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Numerators by Fourier transforms of overlapping blocks (overlap-save), in float or double; window sums beside them, or under a mask by transforms, too,
 * where that is faster. Blocks stay in cache if the template is small enough. A template larger than the largest block is cut into parts ({@link
 * FourierShape}). The cost of a response hardly grows with the template. {@link CorrelationWorker} describes the accuracy.
 *
 * <pre>
 * for each template: its spectrum T̂* of a block (PartSpectra, Spectrum)
 * for each tile of lags (TiledExecution), on one thread (CorrelationWorker)
 *   read the pixels and take their scale (TilePixels, TileScale)
 *   for each template
 *     for each pair of blocks a, b of the tile (FourierNumerator.correlate, BlockGrid)
 *       read both, subtract their means (FourierNumerator.load)
 *       forward transform of a + i·b (BlockPair, TileFft), once for all templates of the tile
 *       product with T̂*, inverse transform: its real part is Σ a·T̂ for all lags of a, its imaginary part that of b
 *       store them, with an estimate of their error for each row and column (BlockSums, ForwardNoise)
 *     for each row y of lags
 *       window sums Σ P, Σ P² of the row (IntWindowSums, WindowSums; under a mask WeightedMoments or FourierMoments)
 *       r = Σ P·T̂ / √(Σ P² − (Σ P)²/N) / ‖T̂‖ (RealNormalisation, Division)
 *       compare each variance with the minimum that its error estimate allows (FourierError, WindowMoments.Error)
 *     compute suspects again: a few by their definition (Rechecks), many in double (CorrelationWorker.fallBack)
 * </pre>
 */
public final class CpuFourier implements SlidingAlgorithm.Correlating {

	/** The time in double, as a multiple of the time in float. Floats have vectors on some JVMs; doubles do not use them. */
	public static final double DOUBLE_COST = Vectors.USED ? 3 : 1.5;
	/**
	 * The cost of each further template of a size, as a share of the first one's: reading, window moments and forward transforms are shared (benchmark
	 * {@code Bank}).
	 */
	private static final double FURTHER = 0.5;
	/**
	 * The time of the sums of a template under the image's mask, as a multiple of the time of its products: three transforms for two blocks in place of two;
	 * one more for weights of zeros and ones. For other weights there are three in double.
	 */
	private static final double IMAGE_MASK = 1.5, IMAGE_MASK_BINARY = 2, IN_DOUBLE = 1.5;
	/** The additional seconds of a frame, compared with direct methods. */
	private static final double FRAME = 25e-6;
	/**
	 * The transforms of a masked template and of its moments, as a multiple of those without a mask: in float, and once more in double, as most
	 * photographs need.
	 */
	private static final double TRANSFORMED = 4;
	/**
	 * The seconds of rechecks for each response of a template of one pixel. With few pixels, many windows have hardly any contrast; the cost falls with the
	 * square of the number of pixels.
	 */
	private static final double RECHECK = 1.6e-6;
	/** The pixels of a tile for each of its lags, up to which the constants include their cost. */
	private static final double USUAL_PIXELS = 2;

	@Override
	public String id() {
		return "cpu-fourier";
	}

	@Override
	public Optional<String> unsupported(final Correlation p) {
		return FourierShape.unsuited(p);
	}

	@Override
	public SlidingPlan plan(final Correlation problem, final Device device) {
		final Device limited = device.with(threads(problem, device));
		return new TiledPlan(id(), cost(problem, limited), problem, limited, templates -> tiles(templates, problem, limited));
	}

	/** The number of threads whose working memory fits into that of the device. */
	private static int threads(final Correlation p, final Device device) {
		long bytes = 0;
		for (final Size t : new HashSet<>(p.templates())) {
			final FourierShape shape = FourierShape.of(t, p.lags().count(), device);
			bytes += shape.bytes(p.image(), p.weights() != Weights.NONE) + (p.lags().masked() ? shape.maskBytes(keepsMask(p)) : 0);
		}
		return FourierShape.threads(device, p.precision() == Precision.SINGLE ? bytes : 2 * bytes);
	}

	private static Cost cost(final Correlation p, final Device device) {
		final Cost inFloat = floatCost(p, device);
		return p.precision() == Precision.SINGLE ? inFloat
			: new Cost(DOUBLE_COST * inFloat.seconds(), DOUBLE_COST * inFloat.onceSeconds(), inFloat.startSeconds(),
			2 * inFloat.hostBytes(), 0);
	}

	private static Cost floatCost(final Correlation p, final Device device) {
		double work = 0, once = 0;
		long memory = 0;
		final Set<Size> seen = new HashSet<>();
		for (final Size t : p.templates()) {
			final boolean first = seen.add(t), alone = first || p.lags().apart();
			final FourierShape shape = FourierShape.of(t, p.lags().count(), device);
			final double sums = CpuCost.maskCoefficients(p.weights(), t);
			final boolean transformed = first && p.weights() != Weights.NONE
				&& transformsMoments(shape, sums, Collections.frequency(p.templates(), t));
			double perLag = shape.secondsPerLag(device.constants()) * (transformed ? TRANSFORMED : 1)
				+ CpuCost.response(device, t) * (alone ? Math.max(1, shape.pixelsPerLag() / USUAL_PIXELS) : 1);
			if (p.weights() != Weights.NONE && !transformed && first) perLag += CpuCost.mask(device.constants(), sums);
			if (p.lags().masked()) perLag += imageMask(p, shape, device.constants()) / (alone ? 1 : FURTHER);
			final double recheck = device.constants().get("fourier-again", RECHECK) / ((double) t.pixels() * t.pixels());
			work += p.lags().count().pixels() * (perLag * (alone ? 1 : FURTHER) + recheck);
			memory += (first ? shape.bytes(p.image(), transformed) * device.parallelism() : 0) + shape.templateBytes();
			once += FourierShape.TEMPLATE + shape.templateSeconds(device.constants());
			if (p.lags().masked() && first) memory += shape.maskBytes(keepsMask(p)) * device.parallelism();
			if (p.lags().masked()) memory += shape.templateBytes();
		}
		return new Cost(once + p.frames() * (work / FourierShape.busy(p, device) + CpuCost.submission(device)
			+ device.constants().get("fourier-frame", FRAME)), once, FourierShape.start(device),
			memory, 0);
	}

	/** Whether the spectra of the image's mask are kept for a whole tile: several sets of coefficients are correlated with them. */
	private static boolean keepsMask(final Correlation p) {
		return p.templates().size() > 1 || p.weights() != Weights.NONE;
	}

	/** The additional seconds for each response of an image with missing pixels. The factor for double precision is applied to all costs. */
	private static double imageMask(final Correlation p, final FourierShape shape, final Constants constants) {
		final double transforms = switch (p.weights()) {
			case NONE -> IMAGE_MASK;
			case BINARY -> IMAGE_MASK_BINARY;
			case REAL -> IMAGE_MASK + IN_DOUBLE * (p.precision() == Precision.SINGLE ? DOUBLE_COST : 1);
		};
		return shape.secondsPerLag(constants) * transforms + CpuCost.missing(constants);
	}

	/**
	 * Whether transforms of masked windows' moments are faster than direct sums. They take three more transforms for two blocks, besides the two of the
	 * numerator. Their estimated errors are larger: in a photograph many windows must be computed again, and none of direct sums. A tile with many such
	 * windows is computed again in double for each template, so the transforms count once more for each template. Uses the default constants: a
	 * calibration must not change the result of an execution.
	 *
	 * @param coefficients the cost of each direct sum
	 * @param count the number of templates that share the moments
	 */
	private static boolean transformsMoments(final FourierShape shape, final double coefficients, final int count) {
		return (1 + count) * 1.5 * shape.secondsOfPoints(Constants.SHIPPED) < CpuCost.mask(Constants.SHIPPED, coefficients);
	}

	static TileMethod tiles(final List<Template> templates, final Correlation problem, final Device device) {
		final Template first = templates.get(0);
		final boolean single = problem.precision() == Precision.SINGLE;
		final TemplatePlanes planes = new TemplatePlanes(first.size());
		final FourierShape shape = FourierShape.of(first.size(), problem.lags().count(), device);
		final Weighting given = Weighting.of(first);
		final boolean transformed = first.weights() != null && (!single || given.suitsFloat())
			&& transformsMoments(shape, RunCorrelator.cost(planes.width, planes.height, planes.cut(given.values())), templates.size());
		// transforms in float round the weights; then all sums use the rounded weights
		final TemplateBatch batch = TemplateBatch.of(templates, problem, single && transformed ? given.toFloat() : given,
			device.parallelism());
		final FourierShape ofPlane = ofPlane(shape, first.size(), problem.lags().count(), device);
		return CorrelationMethod.of(batch, b -> single ? new FourierFloatMethod(b, shape, ofPlane, transformed)
			: new FourierDoubleMethod(b, shape, transformed));
	}

	/** The shape for tiles of one z, which a fallback computes: blocks no deeper than the template. */
	private static FourierShape ofPlane(final FourierShape shape, final Size template, final Size lags, final Device device) {
		return shape.maxLags()[2] == 1 ? shape : FourierShape.of(template, Size.of(lags.get(0), lags.get(1), 1), device);
	}

	/** Numerators by transforms in float; the fallback is transforms in double. */
	private static final class FourierFloatMethod extends CorrelationMethod {

		private final TemplateParts parts;
		private final TileFft fft;
		/** The weights, if the moments are transformed. Default: null. */
		private final PartSpectra mask;
		private final List<PartSpectra> spectra;
		/** For images with missing pixels. Default: null. */
		private final MaskSpectra ofMasks;
		/** For the fallback, which computes one z at a time. */
		private final TemplateParts partsOfPlane;
		private final DoubleSpectra inDouble;

		FourierFloatMethod(final TemplateBatch batch, final FourierShape shape, final FourierShape ofPlane,
			final boolean transformsMoments) {
			super(batch, shape.maxLags(), shape.unit());
			parts = new TemplateParts(batch.planes(), shape);
			fft = parts.fft();
			final double[] moments = transformsMoments ? batch.weights().values() : null;
			mask = transformsMoments ? new PartSpectra(fft, parts, moments) : null;
			ofMasks = batch.problem().lags().masked()
				? new MaskSpectra(fft, parts, batch.coefficients(), batch.deviations(), batch.weights().values(), batch.given() == null)
				: null;
			spectra = ofMasks != null ? ofMasks.values() : batch.coefficients().stream().map(c -> new PartSpectra(fft, parts, c)).toList();
			partsOfPlane = ofPlane == shape ? parts : new TemplateParts(batch.planes(), ofPlane);
			inDouble = new DoubleSpectra(partsOfPlane, batch.coefficients(), moments);
		}

		@Override
		Numerator numerator(final Numerator previous) {
			return previous == null ? new FourierNumerator(spectra, mask, batch.weights().sum(), batch.problem().image().exact(), maxLags)
				: ((FourierNumerator) previous).with(spectra);
		}

		@Override
		Numerator fallback() {
			final int[] plane = { maxLags[0], maxLags[1], 1 };
			return new DoubleFourierNumerator(inDouble, batch.weights().sum(), plane, Precision.SINGLE);
		}

		@Override
		MaskSums maskSums(final int channel, final MaskSums previous) {
			return previous == null ? new FourierMaskSums(ofMasks, batch.weights().values(), batch.given(), batch.deviations(), maxLags)
				: ((FourierMaskSums) previous).with(batch.deviations(), ofMasks);
		}

		@Override
		MaskSums fallbackMaskSums(final int channel) {
			final int[] plane = { maxLags[0], maxLags[1], 1 };
			return new DoubleFourierMaskSums(partsOfPlane, batch.weights().values(), batch.given(), batch.deviations(), plane);
		}

		@Override
		boolean transformsMoments() {
			return mask != null;
		}

		@Override
		long spectraBytes(final int[] size) {
			return FourierNumerator.spectraBytes(parts, fft, size);
		}
	}

	/** Numerators by transforms in double; the fallback is direct sums in double. */
	private static final class FourierDoubleMethod extends CorrelationMethod {

		private final boolean transformsMoments;
		private final TemplateParts parts;
		private final DoubleSpectra spectra;

		FourierDoubleMethod(final TemplateBatch batch, final FourierShape shape, final boolean transformsMoments) {
			super(batch, shape.maxLags(), shape.unit());
			this.transformsMoments = transformsMoments;
			parts = new TemplateParts(batch.planes(), shape);
			spectra = new DoubleSpectra(parts, batch.coefficients(), transformsMoments ? batch.weights().values() : null);
		}

		@Override
		Numerator numerator(final Numerator previous) {
			return previous == null ? new DoubleFourierNumerator(spectra, batch.weights().sum(), maxLags, Precision.DOUBLE)
				: ((DoubleFourierNumerator) previous).with(spectra);
		}

		@Override
		Numerator fallback() {
			return new DirectNumerator.InDouble(batch.planes(), DirectNumerator.DoubleTemplate.of(batch), maxLags[0]);
		}

		@Override
		MaskSums maskSums(final int channel, final MaskSums previous) {
			return previous == null ? new DoubleFourierMaskSums(parts, batch.weights().values(), batch.given(), batch.deviations(), maxLags)
				: previous.with(batch.deviations());
		}

		@Override
		boolean transformsMoments() {
			return transformsMoments;
		}
	}
}
