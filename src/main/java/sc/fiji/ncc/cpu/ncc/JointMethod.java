package sc.fiji.ncc.cpu.ncc;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.window.JointNumerator;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;

/**
 * The numerators of joint responses of several channels: those of each channel by a method for one channel.
 *
 * @param <N> the type of the primary numerators of one channel
 */
final class JointMethod<N extends Numerator> extends NumeratorMethod<JointNumerator<N>> {

	/** The share of the norm of all channels below which a channel changes no response: far below the tolerance in double precision. */
	private static final double FAINT = 0x1p-44;

	private final List<NumeratorMethod<N>> channels;
	private final boolean[][] matters;

	private JointMethod(final List<NumeratorMethod<N>> channels, final boolean[][] matters) {
		super(channels.get(0).maxLags, channels.get(0).unit);
		this.channels = channels;
		this.matters = matters;
	}

	/**
	 * @param batch templates with several channels
	 * @param method creates the method for a batch of templates with one channel
	 */
	static <N extends Numerator> JointMethod<N> of(final TemplateBatch batch, final Function<TemplateBatch, NumeratorMethod<N>> method) {
		final int count = batch.problem().channels();
		final List<TemplateBatch> channels = IntStream.range(0, count).mapToObj(batch::channel).toList();
		final boolean[][] matters = new boolean[batch.templates().size()][count];
		for (int t = 0; t < matters.length; t++)
			for (int c = 0; c < count; c++) {
				final ZeroMeanTemplate one = channels.get(c).zeroMeans().get(t);
				matters[t][c] = one.norm() > FAINT * batch.zeroMeans().get(t).norm();
			}
		return new JointMethod<>(channels.stream().map(method).toList(), matters);
	}

	private <M extends Numerator> JointNumerator<M> joint(final IntFunction<M> channel) {
		return new JointNumerator<>(IntStream.range(0, channels.size()).mapToObj(channel).toList(), matters, maxLags[0]);
	}

	@Override
	JointNumerator<N> primary() {
		return joint(c -> channels.get(c).primary());
	}

	@Override
	void exchange(final JointNumerator<N> primary) {
		for (int c = 0; c < channels.size(); c++) channels.get(c).exchange(primary.channel(c));
		primary.exchange(matters);
	}

	@Override
	Numerator fallback() {
		return joint(c -> channels.get(c).fallback());
	}

	@Override
	List<NumeratorMethod<N>> channels() {
		return channels;
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
