package sc.fiji.ncc.register;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;
import net.imglib2.view.composite.Composite;

import sc.fiji.ncc.image.JointImage;

/** Several channels as one image to measure on: the sum of the channels, each divided by its standard deviation in the first frame, so that all weigh alike. */
public final class JointChannels {

	private JointChannels() {}

	/**
	 * @param image an image with channels
	 * @param axis the dimension of the channels
	 * @param channels the channels, from 0; empty for all
	 * @param spatial the number of spatial dimensions, which come first without the channels; a frame is the first of the others
	 * @return an image without the dimension of the channels: one channel as it is, or a view of floats
	 */
	public static RandomAccessibleInterval<?> of(final RandomAccessibleInterval<?> image, final int axis, final List<Long> channels, final int spatial) {
		final List<RandomAccessibleInterval<?>> each = chosen(image, axis, channels);
		return each.size() == 1 ? each.get(0) : sum(each, factors(each, spatial));
	}

	/** One channel as it is, or several as a joint image, for {@link #joiner}. */
	public static RandomAccessibleInterval<?> joint(final RandomAccessibleInterval<?> image, final int axis, final List<Long> channels) {
		final List<RandomAccessibleInterval<?>> each = chosen(image, axis, channels);
		return each.size() == 1 ? each.get(0) : JointImage.of(each);
	}

	private static List<RandomAccessibleInterval<?>> chosen(final RandomAccessibleInterval<?> image, final int axis, final List<Long> channels) {
		for (final long c : channels)
			if (c < 0 || c >= image.dimension(axis)) throw new IllegalArgumentException("channel " + (c + 1) + " does not exist: the image has " + image.dimension(axis)
				+ " channels");
		final List<Long> numbers = channels.isEmpty() ? LongStream.range(0, image.dimension(axis)).boxed().toList() : channels;
		return numbers.stream().<RandomAccessibleInterval<?>>map(c -> Views.hyperSlice(image, axis, image.min(axis) + c)).toList();
	}

	/** The channels of a joint image or of colours as one image to measure on; any other image itself. */
	public static RandomAccessibleInterval<?> joined(final RandomAccessibleInterval<?> image) {
		return joiner(image).apply(image);
	}

	/** As {@link #joined}, for the frames of a sequence: all channels are divided by their standard deviations in the first frame. */
	public static UnaryOperator<RandomAccessibleInterval<?>> joiner(final RandomAccessibleInterval<?> first) {
		final List<RandomAccessibleInterval<?>> channels = JointImage.channelsOf(first);
		final int n = channels.size();
		final float[] factors = n == 1 ? null : factors(channels, first.numDimensions());
		return frame -> {
			final List<RandomAccessibleInterval<?>> each = JointImage.channelsOf(frame);
			if (each.size() != n) throw new IllegalArgumentException("a frame has " + each.size() + (each.size() == 1 ? " channel" : " channels") + ", and the first frame has " + n + ": give frames of as many channels");
			return n == 1 ? frame : sum(each, factors);
		};
	}

	@SuppressWarnings({ "unchecked", "rawtypes" }) // pixels that are not real numbers are refused
	private static float[] factors(final List<RandomAccessibleInterval<?>> channels, final int spatial) {
		final float[] factors = new float[channels.size()];
		for (int i = 0; i < factors.length; i++) factors[i] = (float) (1 / deviation((RandomAccessibleInterval) channels.get(i), spatial));
		return factors;
	}

	@SuppressWarnings("unchecked") // the channels have one type; pixels that are not real numbers are refused when they are read
	private static <T extends RealType<T>> RandomAccessibleInterval<FloatType> sum(final List<RandomAccessibleInterval<?>> channels, final float[] factors) {
		final RandomAccessibleInterval<? extends Composite<T>> all =
			Views.collapse(Views.stack(channels.stream().map(c -> (RandomAccessibleInterval<T>) c).toList()));
		return Converters.convert((RandomAccessibleInterval<Composite<T>>) all, (in, out) -> {
			float sum = 0;
			for (int i = 0; i < factors.length; i++) sum += factors[i] * in.get(i).getRealFloat();
			out.set(sum);
		}, new FloatType());
	}

	private static <T extends RealType<T>> double deviation(final RandomAccessibleInterval<T> channel, final int spatial) {
		RandomAccessibleInterval<T> frame = channel;
		while (frame.numDimensions() > spatial) frame = Views.hyperSlice(frame, frame.numDimensions() - 1, frame.min(frame.numDimensions() - 1));
		double n = 0, sum = 0, square = 0;
		final Cursor<T> c = Views.flatIterable(frame).cursor();
		while (c.hasNext()) {
			final double v = c.next().getRealDouble();
			n++;
			sum += v;
			square += v * v;
		}
		final double variance = square / n - sum / n * (sum / n);
		return variance > 0 ? Math.sqrt(variance) : 1;
	}
}
