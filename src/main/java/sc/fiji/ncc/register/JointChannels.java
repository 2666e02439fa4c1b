package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.List;
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
	 * @param channels the channels, from 0; at least one
	 * @param spatial the number of spatial dimensions, which come first without the channels; a frame is the first of the others
	 * @return an image without the dimension of the channels: one channel as it is, or a view of floats
	 */
	public static RandomAccessibleInterval<?> of(final RandomAccessibleInterval<?> image, final int axis, final List<Long> channels, final int spatial) {
		for (final long c : channels)
			if (c < 0 || c >= image.dimension(axis)) throw new IllegalArgumentException("channel " + c + " does not exist: the image has " + image.dimension(axis)
				+ " channels, counted from 0");
		if (channels.size() == 1) return Views.hyperSlice(image, axis, image.min(axis) + channels.get(0));
		return sum(image, axis, channels, spatial);
	}

	/** The channels of a joint image or of colours as one image to measure on; any other image itself. */
	@SuppressWarnings({ "unchecked", "rawtypes" }) // the channels have one type
	public static RandomAccessibleInterval<?> joined(final RandomAccessibleInterval<?> image) {
		final List<RandomAccessibleInterval<?>> channels = JointImage.channelsOf(image);
		if (channels.size() == 1) return image;
		return sum(Views.stack((List) channels), image.numDimensions(), LongStream.range(0, channels.size()).boxed().toList(), image.numDimensions());
	}

	@SuppressWarnings("unchecked") // pixels that are not real numbers are refused when they are read
	private static <T extends RealType<T>> RandomAccessibleInterval<FloatType> sum(final RandomAccessibleInterval<?> image, final int axis, final List<Long> channels, final int spatial) {
		final List<RandomAccessibleInterval<T>> each = new ArrayList<>();
		final float[] factors = new float[channels.size()];
		for (int i = 0; i < factors.length; i++) {
			final RandomAccessibleInterval<T> channel = (RandomAccessibleInterval<T>) Views.hyperSlice(image, axis, image.min(axis) + channels.get(i));
			each.add(channel);
			factors[i] = (float) (1 / deviation(channel, spatial));
		}
		final RandomAccessibleInterval<? extends Composite<T>> all = Views.collapse(Views.stack(each));
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
