package sc.fiji.ncc.command.input;

import java.util.List;
import java.util.stream.LongStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.image.JointImage;

/**
 * The frames of an image for tracking: time points or slices, of one channel and, in a hyperstack, one slice or all slices.
 *
 * @param frames x, y and frames; with templates of several slices x, y, z and frames
 * @param axis the frames' axis in the image: {@code t}, or {@code z} if the image has no time
 * @param plane position along each dimension of the image beyond the second, from 0; along the frames' axis the reference frame
 * @param axes axes of the image, see {@link sc.fiji.ncc.front.Axes}
 * @param depth the number of slices of a template; 1 for templates in a plane
 */
public record FrameSequence(RandomAccessibleInterval<?> frames, char axis, long[] plane, String axes, int depth) {

	private static final String[] NAMES = { "channel", "slice", "frame" };

	/**
	 * The image, the regions of the templates and the plane that is shown.
	 *
	 * @param shown the position along each dimension beyond the second, from 0
	 */
	public record Source(RandomAccessibleInterval<?> image, String name, String axes, List<Region> regions, long[] shown) {

		/**
		 * The position along a dimension, from 0. Without a number: the plane of the regions, otherwise the plane that is shown.
		 *
		 * @param number value of the parameter, from 1; 0 for automatic
		 */
		long position(final int d, final String key, final int number) {
			final long count = image.dimension(d);
			if (number < 0 || number > count) throw new IllegalArgumentException(key + "=" + number + ": '" + name + "' has " + count + " "
				+ key(d) + (count == 1 ? "" : "s") + ". Give a number from 1 to " + count
				+ (key.equals("channels") ? ", or auto." : ", or 0 for automatic."));
			if (number > 0) return number - 1;
			final long[] marked = regions.stream().mapToLong(r -> r.area().plane()[d - 2]).filter(p -> p >= 0).distinct()
				.sorted().toArray();
			if (marked.length > 1) throw new IllegalArgumentException("The regions lie on " + marked.length + " " + key(d)
				+ "s (" + some(marked) + "). Choose one of them with " + key + "=" + (marked[0] + 1)
				+ ", or use regions of a single " + key(d) + ".");
			return marked.length == 1 ? marked[0] : shown[d - 2];
		}

		private String key(final int d) {
			final int i = "czt".indexOf(axes.charAt(d));
			return i < 0 ? "plane" : NAMES[i];
		}

		private static String some(final long[] places) {
			final int max = 5;
			final StringBuilder words = new StringBuilder();
			LongStream.of(places).limit(max).forEach(p -> words.append(words.length() == 0 ? "" : ", ").append(p + 1));
			return words.append(places.length > max ? ", \u2026" : "").toString();
		}
	}

	/**
	 * @param reference reference frame, from 1; 0 for the frame of the regions, otherwise the frame that is shown
	 * @param channel channel, from 1; 0 as for the reference frame
	 * @param slice slice, from 1; 0 as for the reference frame. The middle slice of templates of several slices
	 * @param depth the number of slices of a template; 1 for templates in a plane
	 * @throws IllegalArgumentException if the image has a single frame, a plane does not exist, the regions lie on several planes, or there are fewer slices than a template needs
	 */
	public static FrameSequence of(final Source source, final int reference, final int channel, final int slice, final int depth) {
		final RandomAccessibleInterval<?> image = source.image;
		final String name = source.name, axes = source.axes;
		final int frames = frames(image, name, axes);
		final char axis = axes.charAt(frames);
		requireNoSlice(slice, axis == 'z', "the slices of '" + name + "' are its frames. Use reference=" + slice);
		requireNoSlice(slice, axes.indexOf('z') < 0, "'" + name + "' has one slice");
		final int z = axes.indexOf('z');
		final long slices = axis == 'z' || z < 0 ? 1 : image.dimension(z);
		if (depth < 1 || depth > slices) throw new IllegalArgumentException("depth=" + depth + ": '" + name + "' has " + slices
			+ (slices == 1 ? " slice" : " slices") + " in a frame. Give a number from 1 to " + slices + ".");
		final long[] plane = new long[axes.length() - 2];
		RandomAccessibleInterval<?> stack = image;
		for (int d = axes.length() - 1; d >= 2; d--) {
			final char a = axes.charAt(d);
			plane[d - 2] = d == frames ? source.position(d, "reference", reference) : a == 'c' ? source.position(d, "channels", channel)
				: a == 'z' ? source.position(d, "slice", slice) : source.shown[d - 2];
			final int along = d;
			if (d != frames && (a != 'z' || depth == 1)) stack =
				JointImage.view(stack, s -> Views.hyperSlice(s, along, image.min(along) + plane[along - 2]));
		}
		if (depth > 1 && z > frames) stack = JointImage.view(stack, s -> Views.moveAxis(s, 3, 2));
		return new FrameSequence(stack, axis, plane, axes, depth);
	}

	private static int frames(final RandomAccessibleInterval<?> image, final String name, final String axes) {
		for (final char axis : new char[] { 't', 'z' }) {
			final int d = axes.indexOf(axis);
			if (d >= 0 && image.dimension(d) > 1) return d;
		}
		throw new IllegalArgumentException("'" + name + "' has a single frame. Tracking needs several time points, or several slices if the image has no time."
			+ " Set the dimensions of a stack with Image > Properties...");
	}

	private static void requireNoSlice(final int number, final boolean none, final String why) {
		if (none && number > 1) throw new IllegalArgumentException("slice=" + number + ": " + why + ". Omit slice.");
	}

	/** @return the reference frame, from 0 */
	public long reference() {
		return place(axis, -1);
	}

	/** @return the pixels of the reference frame; of templates of several slices, these slices */
	public RandomAccessibleInterval<?> referenceFrame() {
		final int time = depth > 1 ? 3 : 2;
		final RandomAccessibleInterval<?> frame = JointImage.view(frames, f -> Views.hyperSlice(f, time, f.min(time) + reference()));
		return depth == 1 ? frame : JointImage.view(frame, f -> {
			final long[] min = f.minAsLongArray(), max = f.maxAsLongArray();
			min[2] += firstSlice();
			max[2] = min[2] + depth - 1;
			return Views.interval(f, min, max);
		});
	}

	/** @return the first slice of the templates in the reference frame, from 0: half of the slices lie before the chosen one, unless the stack ends there */
	public long firstSlice() {
		return Math.max(0, Math.min(frames.dimension(2) - depth, place('z', -1) - (depth - 1) / 2));
	}

	/**
	 * The position of a track point along an axis of the image, from 0.
	 *
	 * @param along the axis
	 * @param frame frame of the point, from 0; -1 for the reference frame
	 */
	public long place(final char along, final long frame) {
		final int d = axes.indexOf(along);
		return d < 0 ? 0 : along == axis && frame >= 0 ? frame : plane[d - 2];
	}
}
