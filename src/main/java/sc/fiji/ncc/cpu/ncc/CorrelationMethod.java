package sc.fiji.ncc.cpu.ncc;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.execution.TiledPlan;
import sc.fiji.ncc.cpu.response.CurrentTemplate.Prepared;
import sc.fiji.ncc.cpu.response.Normalisation;
import sc.fiji.ncc.cpu.response.RealNormalisation;
import sc.fiji.ncc.cpu.tile.TilePixels;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.IntWindowSums;
import sc.fiji.ncc.cpu.window.JointNumerator;
import sc.fiji.ncc.cpu.window.DirectMaskSums;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.MomentRecord;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.cpu.window.PairWindowSums;
import sc.fiji.ncc.cpu.window.WeightedMoments;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.cpu.window.WindowSums;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingPlan;

/**
 * One way to correlate tiles with a batch of templates: its numerators, window sums and division, and where they are not accurate enough, the numerators of a
 * fallback. {@link CorrelationWorker} puts them together. Shared by all threads.
 */
abstract class CorrelationMethod extends TileMethod {

	final TemplateBatch batch;
	final List<Prepared> templates;

	CorrelationMethod(final TemplateBatch batch, final int[] maxLags, final int[] unit) {
		this(batch, IntStream.range(0, batch.templates().size()).mapToObj(t -> prepared(batch, t)).toList(), maxLags, unit);
	}

	CorrelationMethod(final TemplateBatch batch, final List<Prepared> templates, final int[] maxLags, final int[] unit) {
		super(maxLags, unit);
		this.batch = batch;
		this.templates = templates;
	}

	private static Prepared prepared(final TemplateBatch batch, final int t) {
		final int channels = batch.problem().channels();
		final List<OverlapSums> overlaps = !batch.overlaps() ? List.of() : IntStream.range(0, channels).mapToObj(c -> new OverlapSums(batch.planes().size,
			batch.weights().values(), batch.zeroMeans().get(t).channel(c, channels, batch.weights()).deviations(), batch.given())).toList();
		return new Prepared(batch.templates().get(t), batch.zeroMeans().get(t).norm(), overlaps);
	}

	/**
	 * The plan of an algorithm.
	 *
	 * @param method creates the method for templates with one channel
	 */
	static SlidingPlan plan(final String id, final Cost cost, final Correlation problem, final Device device, final Function<TemplateBatch,
		CorrelationMethod> method)
	{
		return new TiledPlan(id, cost, problem, device, templates -> of(TemplateBatch.of(templates, problem, device.parallelism()), method));
	}

	/** A method for any number of channels. Arguments as in {@link #plan}. */
	static CorrelationMethod of(final TemplateBatch batch, final Function<TemplateBatch, CorrelationMethod> method) {
		return batch.problem().channels() == 1 ? method.apply(batch) : JointMethod.of(batch, method);
	}

	/**
	 * Creates the numerators of a thread.
	 *
	 * @param previous those of the same kind for other templates of the same size and weights, whose memory these take over. Default: null
	 */
	abstract Numerator numerator(Numerator previous);

	/** Creates the numerators of a fallback: in double, for tiles of one z. */
	abstract Numerator fallback();

	/**
	 * Creates the sums under the image's mask of one channel; for problems with missing pixels. Default: direct sums.
	 *
	 * @param previous as in {@link #numerator}
	 */
	MaskSums maskSums(final int channel, final MaskSums previous) {
		final List<double[]> deviations = batch.deviations();
		return previous != null ? previous.with(deviations) : new DirectMaskSums(batch.planes(), batch.weights().values(), batch.given(), deviations, maxLags);
	}

	/** Creates those of a fallback. */
	MaskSums fallbackMaskSums(final int channel) {
		return maskSums(channel, null);
	}

	/**
	 * Creates the window sums of one channel, for methods whose numerators do not compute them.
	 *
	 * @param independent whether each window is summed independently
	 */
	WindowMoments moments(final int[] lags, final boolean independent) {
		final Precision precision = batch.problem().precision();
		if (batch.weights().values() != null) return new WeightedMoments(batch.planes(), batch.weights().values(), Tolerance.of(precision), lags[0]);
		if (IntWindowSums.fits(batch.problem().image(), batch.planes().size.pixels())) return new IntWindowSums(batch.planes(), lags);
		return precision == Precision.DOUBLE ? new PairWindowSums(batch.planes(), lags, independent) : new WindowSums(batch.planes(), lags, independent);
	}

	/** Whether the numerators compute the moments, too, with estimates of their errors. */
	boolean transformsMoments() {
		return false;
	}

	/** Whether the moments have low-order parts. */
	boolean hasLowOrderParts() {
		return batch.problem().precision() == Precision.DOUBLE && batch.weights().values() == null;
	}

	/** The scale of the pixels of a tile, which have been read. */
	TileScale scale(final TilePixels pixels) {
		return pixels.scale();
	}

	Normalisation normalisation() {
		return new RealNormalisation(batch.problem().lags(), batch.weights().sum(), batch.problem().precision(), maxLags[0]);
	}

	/** The bytes that the spectra of a tile of so many lags take. */
	long spectraBytes(final int[] size) {
		return 0;
	}

	@Override
	public final long sharedBytes(final int[] size) {
		long n = 1;
		for (final int extent : size) n *= extent;
		return batch.problem().channels() * MomentRecord.bytes(n, transformsMoments(), hasLowOrderParts()) + spectraBytes(size);
	}

	@Override
	public final Worker worker() {
		return new CorrelationWorker(this);
	}

	/** The numerators of joint responses of several channels: those of each channel by a method for one channel. */
	private static final class JointMethod extends CorrelationMethod {

		/** The share of the norm of all channels below which a channel changes no response: far below the tolerance in double precision. */
		private static final double FAINT = 0x1p-44;

		private final List<CorrelationMethod> channels;
		/** For each template, whether a channel changes its responses. */
		private final boolean[][] matters;

		private JointMethod(final TemplateBatch batch, final List<CorrelationMethod> channels) {
			super(batch, channels.get(0).maxLags, channels.get(0).unit);
			this.channels = channels;
			matters = new boolean[batch.templates().size()][channels.size()];
			for (int t = 0; t < matters.length; t++)
				for (int c = 0; c < channels.size(); c++)
					matters[t][c] = channels.get(c).batch.zeroMeans().get(t).norm() > FAINT * batch.zeroMeans().get(t).norm();
		}

		/**
		 * @param batch templates with several channels
		 * @param method creates the method for a batch of templates with one channel
		 */
		static JointMethod of(final TemplateBatch batch, final Function<TemplateBatch, CorrelationMethod> method) {
			return new JointMethod(batch, IntStream.range(0, batch.problem().channels()).mapToObj(c -> method.apply(batch.channel(c))).toList());
		}

		private JointNumerator joint(final IntFunction<Numerator> channel) {
			return new JointNumerator(IntStream.range(0, channels.size()).mapToObj(channel).toList(), matters, maxLags[0]);
		}

		@Override
		Numerator numerator(final Numerator previous) {
			return joint(c -> channels.get(c).numerator(previous == null ? null : ((JointNumerator) previous).channel(c)));
		}

		@Override
		Numerator fallback() {
			return joint(c -> channels.get(c).fallback());
		}

		@Override
		MaskSums maskSums(final int channel, final MaskSums previous) {
			return channels.get(channel).maskSums(0, previous);
		}

		@Override
		MaskSums fallbackMaskSums(final int channel) {
			return channels.get(channel).fallbackMaskSums(0);
		}

		@Override
		boolean transformsMoments() {
			return channels.get(0).transformsMoments();
		}

		@Override
		long spectraBytes(final int[] size) {
			return channels.size() * channels.get(0).spectraBytes(size);
		}
	}
}
