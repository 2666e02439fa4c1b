package sc.fiji.ncc.command;

import java.util.List;
import java.util.stream.LongStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.view.Views;

import sc.fiji.ncc.command.program.Region;

/**
 * The frames of an image that templates of two dimensions are followed through: one channel and, where frames are in time, one slice of it.
 *
 * @param frames its third dimension are frames
 * @param axis what frames are in the image: {@code t}, or {@code z} where it has no time
 * @param plane where they lie along each dimension of the image beyond the second, from 0; along the frames the reference frame
 * @param axes the image's
 */
record FrameSequence(RandomAccessibleInterval<?> frames, char axis, long[] plane, String axes) {

	private static final String[] NAMES = { "channel", "slice", "frame" };

	/** The image as a command has it, and the parameters that say which planes. */
	private record Given(Img<?> image, String name, String axes, List<Region> regions, long[] shown) {

		/**
		 * The position along a dimension: the number that was given, or where the regions lie, or what is shown.
		 *
		 * @param number from 1; 0 for none
		 */
		long position(final int d, final String key, final int number) {
			final long count = image.dimension(d);
			if (number < 0 || number > count) throw new IllegalArgumentException(key + "=" + number + ": '" + name + "' has " + count + " " + key(d) + (count == 1 ? "" : "s")
				+ ". Give a number from 1, or 0 for the one that the regions lie on, or else the one that is shown.");
			if (number > 0) return number - 1;
			final long[] marked = regions.stream().mapToLong(r -> r.area().plane()[d - 2]).filter(p -> p >= 0).distinct().sorted().toArray();
			if (marked.length > 1) throw new IllegalArgumentException("The regions lie on " + marked.length + " " + key(d) + "s (" + some(marked)
				+ "), and all templates are of one. Say which one with " + key + "=" + (marked[0] + 1) + ", or take regions of one.");
			return marked.length == 1 ? marked[0] : shown[d - 2];
		}

		private String key(final int d) {
			final int i = "czt".indexOf(axes.charAt(d));
			return i < 0 ? "plane" : NAMES[i];
		}

		private static String some(final long[] places) {
			final int most = 5;
			final StringBuilder words = new StringBuilder();
			LongStream.of(places).limit(most).forEach(p -> words.append(words.length() == 0 ? "" : ", ").append(p + 1));
			return words.append(places.length > most ? ", \u2026" : "").toString();
		}
	}

	/**
	 * @param axes of the image
	 * @param regions of which the templates are
	 * @param shown the plane that is shown
	 * @param reference frame, from 1; 0 for the one that the regions lie on, or else the one that is shown
	 * @param channel likewise
	 * @param slice likewise
	 * @throws IllegalArgumentException if there are no frames or no such plane, or the regions lie on several
	 */
	static FrameSequence of(final Img<?> image, final String name, final String axes, final List<Region> regions, final long[] shown, final int reference,
		final int channel, final int slice)
	{
		final int frames = frames(image, name, axes);
		final Given given = new Given(image, name, axes, regions, shown);
		final char axis = axes.charAt(frames);
		requireNone("channel", channel, axes.indexOf('c') < 0, "'" + name + "' has one channel");
		requireNone("slice", slice, axis == 'z', "the slices of '" + name + "' are its frames, which reference=" + slice + " is for");
		requireNone("slice", slice, axes.indexOf('z') < 0, "'" + name + "' has one slice");
		final long[] plane = new long[axes.length() - 2];
		RandomAccessibleInterval<?> stack = image;
		for (int d = axes.length() - 1; d >= 2; d--) {
			final char a = axes.charAt(d);
			plane[d - 2] = d == frames ? given.position(d, "reference", reference) : a == 'c' ? given.position(d, "channel", channel)
				: a == 'z' ? given.position(d, "slice", slice) : shown[d - 2];
			if (d != frames) stack = Views.hyperSlice(stack, d, image.min(d) + plane[d - 2]);
		}
		return new FrameSequence(stack, axis, plane, axes);
	}

	private static int frames(final Img<?> image, final String name, final String axes) {
		for (final char axis : new char[] { 't', 'z' }) {
			final int d = axes.indexOf(axis);
			if (d >= 0 && image.dimension(d) > 1) return d;
		}
		throw new IllegalArgumentException("'" + name + "' has a single frame: there is nothing to track. Frames are its time, or its slices if it has no time;"
			+ " Image > Properties... says what the planes of a stack are.");
	}

	private static void requireNone(final String key, final int number, final boolean none, final String why) {
		if (none && number > 1) throw new IllegalArgumentException(key + "=" + number + ": " + why + ". Leave " + key + " out.");
	}

	/** The frame that the templates are parts of, from 0. */
	long reference() {
		return place(axis, -1);
	}

	/** The frame itself. */
	RandomAccessibleInterval<?> referenceFrame() {
		return Views.hyperSlice(frames, 2, frames.min(2) + reference());
	}

	/**
	 * Where a point lies along an axis of the image, from 0.
	 *
	 * @param frame of the point
	 */
	long place(final char along, final long frame) {
		final int d = axes.indexOf(along);
		return d < 0 ? 0 : along == axis && frame >= 0 ? frame : plane[d - 2];
	}
}
