package sc.fiji.ncc.cpu.ncc;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.window.JointNumerator;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;

/** The numerators of joint responses of several channels: those of each channel by a method for one channel. */
final class JointMethod extends CorrelationMethod {

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
