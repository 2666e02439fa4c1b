package sc.fiji.ncc.cpu.ncc;

import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.DoubleSpectra;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.TemplateParts;
import sc.fiji.ncc.cpu.fourier.WholeNumerator;
import sc.fiji.ncc.cpu.fourier.WholeShape;
import sc.fiji.ncc.cpu.fourier.WholeTemplates;
import sc.fiji.ncc.cpu.tile.FrameData;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;

/**
 * Numerators by one Fourier transform of the whole image, in float, with window sums beside it. For templates that are as large as the image: each pixel is
 * transformed once, where {@link CpuFourier} transforms overlapping blocks. All threads work on the same transform. {@link CorrelationWorker} describes the
 * accuracy.
 */
public final class CpuFourierWhole implements SlidingAlgorithm.Correlating {

	/** The seconds for each point and level of one transform of real pixels; and of the product, for each point. */
	private static final double POINT_LEVEL = Vectors.USED ? 0.2e-9 : 0.42e-9, POINT = Vectors.USED ? 2.7e-9 : 4.5e-9;
	/** The seconds to prepare each pixel of a template, on all threads, and on one thread, and of its tables for lags beyond the image, on one thread. */
	private static final double DEVIATION = 8e-9, TEMPLATE = 4e-9, TABLES = 25e-9;
	/** The additional seconds for a response where windows leave the image. */
	private static final double PARTIAL = 12e-9;
	/** The seconds of window sums for a pixel that enters them, and how often: once for each tile, of which each thread has about four. */
	private static final double PIXEL = 1.5e-9, TILES = 4;

	/** The additional seconds of a frame, whose transforms the threads begin and end together. */
	private static final double FRAME = 150e-6;
	/** The maximum share of the memory: by default this is the Java heap, which also holds images and maps. */
	private static final double SHARE = 0.6;

	@Override
	public String id() {
		return "cpu-fourier-whole";
	}

	@Override
	public Set<Precision> precisions() {
		return Set.of(Precision.SINGLE);
	}

	@Override
	public Optional<String> unsupported(final Correlation p) {
		return otherPrecision(p).or(() -> WholeShape.unsuited(p));
	}

	@Override
	public Optional<String> unsupported(final Correlation p, final Device device) {
		final Optional<String> reason = unsupported(p);
		final long bytes = reason.isPresent() ? 0 : bytes(p, device.parallelism());
		return bytes <= SHARE * device.memory() ? reason
			: Optional.of(String.format(Locale.ROOT,
				"one transform of the whole image needs %d MB, more than %.0f%% of the %d MB of working memory: use cpu-fourier, or raise the limit",
				bytes / 1_000_000, 100 * SHARE, device.memory() / 1_000_000));
	}

	@Override
	public SlidingPlan plan(final Correlation problem, final Device device) {
		final int[] lags = problem.lags().count().toIntArray();
		return CorrelationMethod.plan(id(), cost(problem, device), problem, device,
			b -> new FourierWholeMethod(b, WholeShape.of(problem, b.planes().size),
			device, lags));
	}

	private static long bytes(final Correlation p, final int threads) {
		final Size lags = p.lags().count();
		final boolean several = p.templates().size() > 1;
		long bytes = 0;
		for (final Size t : p.templates()) {
			final WholeShape shape = WholeShape.of(p, t);
			// two images can be in flight; templates at different lags have one each
			bytes += shape.spectrumBytes() + 16 * t.pixels() + (p.frames() > 1 ? 2 : 1) * shape.imageBytes(p, t, several);
			if (p.lags().beyond()) bytes += 24 * t.pixels();
		}
		for (final Size t : new HashSet<>(p.templates())) {
			final long columns = lags.get(0) + t.get(0) - 1;
			bytes += threads * (WholeShape.of(p, t).threadBytes() + 8 * columns * t.get(1));
		}
		return bytes;
	}

	private static Cost cost(final Correlation p, final Device device) {
		final Constants k = device.constants();
		final Size lags = p.lags().count();
		double work = 0, once = 0;
		for (final Size t : p.templates()) {
			final WholeShape shape = WholeShape.of(p, t);
			final double transform = shape.pointLevels() * k.get("whole-point-level", POINT_LEVEL), pixels = (double) t.pixels();
			// templates at different lags do not share the transform of the image: the worst case counts
			work += 2 * transform + shape.points() * k.get("whole-point", POINT) + shape.pixels(p, t) * PIXEL;
			work += lags.pixels() * (CpuCost.response(device, t) + (p.lags().beyond() ? PARTIAL : 0))
				+ PIXEL * (lags.get(0) + t.get(0)) * (lags.get(1) + TILES * device.parallelism() * Math.min(t.get(1), p.size().get(1)));
			once += pixels * (DEVIATION / device.parallelism() + TEMPLATE + (p.lags().beyond() ? TABLES : 0))
				+ transform / device.parallelism();
		}
		return new Cost(once + p.frames() * (work / device.parallelism() + CpuCost.submission(device) + FRAME), once,
			FourierShape.start(device), bytes(p, device.parallelism()), 0);
	}

	/** Numerators by one transform of the whole image in float; the fallback is transforms of blocks in double. */
	private static final class FourierWholeMethod extends CorrelationMethod {

		/** The minimum number of rows of a tile, and that number for each row of the template: window sums begin anew in each tile. */
		private static final int ROWS = 16, SHARE = 4;
		/** The maximum number of rows of a tile. */
		private static final int MAX_ROWS = 2048;

		private final WholeTemplates templates;
		/** For the fallback. */
		private final DoubleSpectra inDouble;

		/** @param lags the number of lags along x and y */
		FourierWholeMethod(final TemplateBatch batch, final WholeShape shape, final Device device, final int[] lags) {
			super(batch, tile(batch, lags, true), tile(batch, lags, false));
			templates = new WholeTemplates(shape, batch.planes(), batch.coefficients(), device.parallelism());
			inDouble = new DoubleSpectra(new TemplateParts(batch.planes(),
				FourierShape.of(batch.planes().size, batch.problem().lags().count(), device)),
				batch.coefficients(), null);
		}

		private static int[] tile(final TemplateBatch batch, final int[] lags, final boolean greatest) {
			final int unit = Math.min(lags[1], Math.max(ROWS, batch.planes().height / SHARE));
			return new int[] { lags[0], greatest ? Math.max(1, MAX_ROWS / unit) * unit : unit, 1 };
		}

		@Override
		public FrameData frame(final Pixels in, final long[] origin, final int[] size) {
			return templates.frame(in, origin, size);
		}

		@Override
		public boolean oneByOne() {
			return true;
		}

		/** The same for all templates: their numerators belong to the frame. */
		@Override
		Numerator numerator(final Numerator previous) {
			return previous == null ? new WholeNumerator(batch.problem().image().exact(), maxLags[0]) : previous;
		}

		@Override
		Numerator fallback() {
			return new DoubleFourierNumerator(inDouble, batch.weights().sum(), maxLags, Precision.SINGLE);
		}
	}
}
