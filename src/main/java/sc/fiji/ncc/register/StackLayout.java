package sc.fiji.ncc.register;

import java.util.List;
import java.util.function.IntFunction;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.JointImage;

/**
 * The meaning of the dimensions of a stack whose drift is corrected.
 *
 * @param stack the stack, spatial dimensions first
 * @param axes a letter for each of its dimensions: x, y, c, z, t
 * @param dimensions the number of spatial dimensions of a frame, 2 or 3
 * @param time the dimension of the frames
 * @param third where the third dimension lies in the original image; 2 for planes
 */
public record StackLayout(RandomAccessibleInterval<?> stack, String axes, int dimensions, int time, int third) {

	/**
	 * @param axes the axes of the image
	 * @param dimensions 2 or 3; 0 for 3 if the image has slices and time points, otherwise 2. Frames are time points, or slices if the image has no time
	 * @param name the image, for messages
	 * @throws IllegalArgumentException if the image has one frame, or no third dimension
	 */
	public static StackLayout of(final RandomAccessibleInterval<?> image, final String axes, final int dimensions, final String name) {
		final int z = axes.indexOf('z'), t = axes.indexOf('t');
		final int n = dimensions != 0 ? dimensions : z >= 0 && t >= 0 ? 3 : 2;
		if (n != 2 && n != 3) throw new IllegalArgumentException("frames of " + n + " dimensions cannot be corrected: give 2 or 3");
		final int frames = t >= 0 ? t : n == 2 ? z : -1;
		if (frames < 0) throw new IllegalArgumentException(name + " (" + axes + ") has one frame, and drift needs at least two: give a stack with several time points"
			+ (n == 2 ? " or slices" : ""));
		if (n == 2) return new StackLayout(image, axes, 2, frames, 2);
		if (z < 0) throw new IllegalArgumentException(name + " (" + axes + ") has no slices, and volumes need them: give a stack with slices, or correct planes");
		final String moved = new StringBuilder(axes).deleteCharAt(z).insert(2, 'z').toString();
		return new StackLayout(z == 2 ? image : Views.moveAxis(image, z, 2), moved, 3, moved.indexOf('t'), z);
	}

	/** Moves the dimensions of a corrected stack to the order of the original image. */
	public <T> RandomAccessibleInterval<T> back(final RandomAccessibleInterval<T> corrected) {
		return third == 2 ? corrected : Views.moveAxis(corrected, 2, third);
	}

	/** The dimension of the frames in the original image. */
	public int timeInImage() {
		return third == 2 || time > third ? time : time - 1;
	}

	/** Moves numbers, one for each dimension, to the order of the original image. */
	public long[] back(final long[] values) {
		final long[] moved = values.clone();
		for (int d = 2; d < third; d++) moved[d] = values[d + 1];
		if (third != 2) moved[third] = values[2];
		return moved;
	}

	/**
	 * The image to measure on: the spatial dimensions and the frames.
	 *
	 * @param channels the channels, from 0; empty for all; with several channels their sum, see {@link JointChannels}
	 * @param slice the slice, from 0, of planes of a stack with slices and time points; -1 for the middle one
	 * @throws IllegalArgumentException if a channel or the slice does not exist
	 */
	public RandomAccessibleInterval<?> measured(final List<Long> channels, final long slice) {
		return image(slice, channels, c -> JointChannels.of(stack, c, channels, dimensions));
	}

	/** The same with several channels as a joint image. */
	public RandomAccessibleInterval<?> joint(final List<Long> channels, final long slice) {
		return image(slice, channels, c -> JointChannels.joint(stack, c, channels));
	}

	private RandomAccessibleInterval<?> image(final long slice, final List<Long> channels, final IntFunction<RandomAccessibleInterval<?>> chosen) {
		RandomAccessibleInterval<?> image = stack;
		String left = axes;
		final int c = left.indexOf('c');
		if (c >= 0) {
			image = chosen.apply(c);
			left = left.replace("c", "");
		}
		else if (!channels.isEmpty() && !channels.equals(List.of(0L))) throw new IllegalArgumentException("channel "
			+ (channels.get(channels.size() - 1) + 1) + " does not exist: the image has one channel");
		final int z = left.indexOf('z');
		if (dimensions == 2 && z >= 0 && axes.charAt(time) != 'z') {
			final long count = image.dimension(z), place = slice < 0 ? count / 2 : slice;
			if (place >= count) throw new IllegalArgumentException("slice " + (slice + 1) + " does not exist: the image has " + count + " slices");
			return JointImage.view(image, i -> Views.hyperSlice(i, z, i.min(z) + place));
		}
		return image;
	}
}
