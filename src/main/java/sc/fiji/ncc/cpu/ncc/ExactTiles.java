package sc.fiji.ncc.cpu.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.tile.TileShape;
import sc.fiji.ncc.cpu.window.MomentRecord;
import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.numeric.Int128;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Template;

/** 8- or 16-bit templates of one size for {@link CpuDirectExact}. All sums are whole numbers, in float, double or long. */
public final class ExactTiles implements TileMethod {

	/** The bits of squares of centred 8-bit and 16-bit values. */
	private static final int BITS_8 = 14, BITS_16 = 30;

	/**
	 * The data of one template.
	 *
	 * @param centred values minus the middle of their type's range; 0 where they do not count
	 * @param sums the sum of these for each channel
	 * @param norm {@code √(N·Σ² - (Σ)²)} of these, over all channels
	 * @param overlapSums the sums of each channel where the template overlaps the image in part; empty if windows never leave the image or have missing pixels
	 */
	record Prepared(double[] centred, long[] sums, double norm, List<OverlapSums> overlapSums) {}

	final List<Prepared> templates = new ArrayList<>();
	final TemplatePlanes planes;
	final double[] weights;
	final PixelType image;
	final Lags lags;
	final int channels;
	final TileScale scale;
	/** Whether products are exact in float. */
	final boolean narrow;
	/** The number of pixels that count. */
	final long n;
	/** The maximum number of bits of {@code N·Σ} of squares or products. */
	final int bits;

	/** @param templates templates of one size, pixel type and mask */
	ExactTiles(final List<Template> templates, final PixelType image, final Lags lags) {
		final Template first = templates.get(0);
		planes = new TemplatePlanes(first.size());
		this.image = image;
		this.lags = lags;
		channels = first.channels();
		scale = TileScale.about(centre(image));
		narrow = image.bytes == 1 && first.type().bytes == 1;
		weights = first.weights();
		n = TemplatePlanes.weight(first);
		bits = (narrow ? BITS_8 : BITS_16) + 2 * (64 - Long.numberOfLeadingZeros(n - 1)) + 32 - Integer.numberOfLeadingZeros(channels - 1);
		for (final Template t : templates) this.templates.add(prepare(t));
	}

	private Prepared prepare(final Template template) {
		template.requireContrast();
		final double[] centred = new double[template.values().length];
		final long[] sums = new long[channels];
		final int length = centred.length / channels;
		long energy = 0;
		for (int i = 0; i < centred.length; i++) {
			if (template.weight(i) == 0) continue;
			centred[i] = template.values()[i] - centre(template.type());
			sums[i / length] += (long) centred[i];
			energy += (long) (centred[i] * centred[i]);
		}
		return new Prepared(centred, sums, Math.sqrt(Int128.difference(n, energy, sums, sums)), lags.beyond() && !lags.masked() ? overlapSums(centred) : List.of());
	}

	private List<OverlapSums> overlapSums(final double[] centred) {
		return IntStream.range(0, channels).mapToObj(c -> new OverlapSums(planes.size, weights, channel(centred, c))).toList();
	}

	/** The values of one channel. */
	double[] channel(final double[] values, final int channel) {
		final int length = values.length / channels;
		return Arrays.copyOfRange(values, channel * length, (channel + 1) * length);
	}

	private static double centre(final PixelType type) {
		return type.min == 0 ? (type.max + 1) / 2 : 0;
	}

	@Override
	public int maxLags(final int d) {
		return maxLags()[Math.min(d, 2)];
	}

	int[] maxLags() {
		return TileShape.direct(planes);
	}

	@Override
	public int unit(final int d) {
		return TileShape.unit()[Math.min(d, 2)];
	}

	@Override
	public boolean writesInPlace() {
		return true;
	}

	@Override
	public long sharedBytes(final int[] size) {
		long lags = 1;
		for (final int extent : size) lags *= extent;
		return channels * MomentRecord.bytes(lags, false, false);
	}

	@Override
	public Worker worker() {
		return new ExactWorker(this);
	}
}
