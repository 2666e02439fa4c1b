package sc.fiji.ncc.cpu.ncc;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.execution.TiledPlan;
import sc.fiji.ncc.cpu.response.CurrentTemplate;
import sc.fiji.ncc.cpu.response.ExactNormalisation;
import sc.fiji.ncc.cpu.response.Normalisation;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TilePixels;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.tile.TileShape;
import sc.fiji.ncc.cpu.window.ByteMoments;
import sc.fiji.ncc.cpu.window.DirectMaskSums;
import sc.fiji.ncc.cpu.window.IntWindowSums;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.cpu.window.WeightedMoments;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.cpu.window.WindowSums;
import sc.fiji.ncc.estimate.NumeratorError;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Int128;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Direct correlation of 8- and 16-bit images in exact whole numbers: the sums of each window, with one multiply-add for each template pixel and lag.
 * <p>
 * The middle of the pixel type's range is subtracted from all values, which changes no response. For 8-bit images the products are added up in float in
 * runs of 1024, which is exact to 2^24; otherwise in double, exact to 2^53. {@code N·ΣPT - ΣP·ΣT} and both variances are computed in whole numbers of up to
 * 128 bits and then converted to double. Responses therefore need no error estimate and no recheck.
 */
public final class CpuDirectExact implements SlidingAlgorithm.Correlating {

	/** The number of pixels up to which a sum of products of two centred 16-bit values stays below 2^53. */
	private static final long MAX_PIXELS = 1L << 23;

	@Override
	public String id() {
		return "cpu-direct-exact";
	}

	@Override
	public Optional<String> unsupported(final Correlation p) {
		if (!p.image().exact() || !p.template().exact())
			return Optional.of("exact sums support 8- and 16-bit pixels, not " + p.image() + " with " + p.template());
		if (p.weights() == Weights.REAL) return Optional.of("exact sums support masks of zeros and ones, not " + p.weights());
		for (final Size t : p.templates())
			if (t.pixels() * p.channels() > MAX_PIXELS) return Optional.of("exact sums support templates of at most "
				+ MAX_PIXELS / p.channels() + " pixels, not " + t);
		return Optional.empty();
	}

	@Override
	public SlidingPlan plan(final Correlation problem, final Device device) {
		return new TiledPlan(id(), CpuCost.of(problem, device, narrow(problem), true), problem, device,
			templates -> new Exact(templates, problem));
	}

	/** Whether products are exact in float. */
	private static boolean narrow(final Correlation problem) {
		return problem.image().bytes == 1 && problem.template().bytes == 1;
	}

	/** 8- or 16-bit templates of one size. All sums are whole numbers, in float, double or long. */
	static final class Exact extends CorrelationMethod {

		/** The bits of squares of centred 8-bit and 16-bit values. */
		private static final int BITS_8 = 14, BITS_16 = 30;

		private final TileScale scale;
		private final boolean narrow;
		/** The number of pixels that count. */
		private final long n;
		/** The maximum number of bits of {@code N·Σ} of squares or products. */
		private final int bits;
		/** Of each template: values minus the middle of their type's range, 0 where they do not count; and the sum of these for each channel. */
		private final List<double[]> centred;
		private final List<long[]> sums;

		Exact(final List<Template> templates, final Correlation problem) {
			this(new TemplateBatch(templates, problem, new TemplatePlanes(templates.get(0).size()),
				Weighting.of(templates.get(0)), List.of()), templates.stream().map(Exact::centred).toList());
		}

		private Exact(final TemplateBatch batch, final List<double[]> centred) {
			super(batch, IntStream.range(0, centred.size())
				.mapToObj(t -> prepared(batch, batch.templates().get(t), centred.get(t))).toList(),
				TileShape.direct(batch.planes()), TileShape.unit());
			this.centred = centred;
			final int channels = batch.problem().channels();
			sums = centred.stream().map(c -> sums(c, channels)).toList();
			scale = TileScale.about(centre(batch.problem().image()));
			narrow = narrow(batch.problem());
			n = TemplatePlanes.weight(batch.templates().get(0));
			bits = (narrow ? BITS_8 : BITS_16) + 2 * (64 - Long.numberOfLeadingZeros(n - 1))
				+ 32 - Integer.numberOfLeadingZeros(channels - 1);
		}

		private static double[] centred(final Template template) {
			template.requireContrast();
			final double[] centred = new double[template.values().length];
			for (int i = 0; i < centred.length; i++) if (template.weight(i) > 0) centred[i] = template.values()[i]
				- centre(template.type());
			return centred;
		}

		private static double centre(final PixelType type) {
			return type.min == 0 ? (type.max + 1) / 2 : 0;
		}

		private static long[] sums(final double[] centred, final int channels) {
			final long[] sums = new long[channels];
			for (int i = 0; i < centred.length; i++) sums[i / (centred.length / channels)] += (long) centred[i];
			return sums;
		}

		/** The norm is {@code √(N·Σ² - (Σ)²)} over all channels. */
		private static CurrentTemplate.Prepared prepared(final TemplateBatch batch, final Template template, final double[] centred) {
			final int channels = template.channels();
			final long[] sums = sums(centred, channels);
			long energy = 0;
			for (final double c : centred) energy += (long) (c * c);
			return new CurrentTemplate.Prepared(template,
				Math.sqrt(Int128.difference(TemplatePlanes.weight(template), energy, sums, sums)), !batch.overlaps()
				? List.of()
				: IntStream.range(0, channels).mapToObj(c ->
				new OverlapSums(batch.planes().size, template.weights(), channel(centred, c, channels))).toList());
		}

		private static double[] channel(final double[] values, final int channel, final int channels) {
			final int length = values.length / channels;
			return Arrays.copyOfRange(values, channel * length, (channel + 1) * length);
		}

		@Override
		Numerator numerator(final Numerator previous) {
			if (narrow) {
				final List<DirectNumerator.FloatTemplate> c = centred.stream()
					.map(t -> new DirectNumerator.FloatTemplate(Rows.toFloat(t), ByteMoments.EXACT_RUN,
					true, NumeratorError.NONE)).toList();
				return previous == null ? new DirectNumerator.InFloat(batch.planes(), c, maxLags[0])
					: ((DirectNumerator.InFloat) previous).with(c);
			}
			final List<DirectNumerator.DoubleTemplate> c = centred.stream()
				.map(t -> new DirectNumerator.DoubleTemplate(t, NumeratorError.NONE)).toList();
			return previous == null ? new DirectNumerator.InDouble(batch.planes(), c, maxLags[0])
				: ((DirectNumerator.InDouble) previous).with(c);
		}

		/** Never needed. */
		@Override
		Numerator fallback() {
			throw new UnsupportedOperationException("exact numerators have no fallback");
		}

		@Override
		MaskSums maskSums(final int channel, final MaskSums previous) {
			final List<double[]> ofChannel = centred.stream().map(c -> channel(c, channel, batch.problem().channels())).toList();
			return previous == null ? new DirectMaskSums(batch.planes(), batch.weights().values(), null, ofChannel, maxLags)
				: previous.with(ofChannel);
		}

		@Override
		boolean hasLowOrderParts() {
			return false;
		}

		@Override
		WindowMoments moments(final int[] lags, final boolean independent) {
			final double[] weights = batch.weights().values();
			if (weights != null) return narrow ? new ByteMoments(batch.planes(), weights, lags[0])
				: new WeightedMoments(batch.planes(), weights, Tolerance.RESPONSE, lags[0]);
			return IntWindowSums.fits(batch.problem().image(), n) ? new IntWindowSums(batch.planes(), lags)
				: new WindowSums(batch.planes(), lags, independent);
		}

		@Override
		TileScale scale(final TilePixels pixels) {
			pixels.fill(scale);
			return scale;
		}

		@Override
		Normalisation normalisation() {
			return new ExactNormalisation(batch.problem().lags(), n, bits, sums, maxLags[0]);
		}
	}
}
