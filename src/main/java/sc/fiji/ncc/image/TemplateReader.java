package sc.fiji.ncc.image;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import sc.fiji.ncc.numeric.Chunks;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Reads a template and what weighs its pixels, and refuses those that correlate with nothing. */
public final class TemplateReader {

	/** The least share of the greatest weight that another may be: their products with deviations must not underflow. */
	private static final double MIN_SHARE = 1e-60;

	private TemplateReader() {}

	/**
	 * Reads a template.
	 *
	 * @param mask null if all pixels have the same weight
	 * @param real whether the mask contains weights; otherwise it contains 0 and one other value
	 * @throws IllegalArgumentException if the template is flat, or not finite at a pixel of positive weight; if the mask has another shape, contains a negative
	 *         value or NaN, or no positive value; if it has several positive values and {@code real} is false
	 */
	public static Template read(final RandomAccessibleInterval<?> template, final RandomAccessibleInterval<?> mask, final boolean real) {
		return read(template, mask, real, 1);
	}

	/**
	 * The same with several threads, for large templates.
	 *
	 * @param threads the maximum number of threads
	 */
	public static Template read(final RandomAccessibleInterval<?> template, final RandomAccessibleInterval<?> mask, final boolean real,
		final int threads) {
		final Size size = Size.of(template.dimensionsAsLongArray());
		return read(template, mask == null ? null : weights(mask, real, size), threads);
	}

	/**
	 * Reads a template that is a part of a frame. Missing pixels do not count.
	 *
	 * @param frame the frame with its missing pixels
	 * @param first the first pixel of the template in the frame
	 */
	public static Template read(final RandomAccessibleInterval<?> template, final RandomAccessibleInterval<?> mask, final boolean real,
		final Pixels frame, final long[] first)
	{
		if (frame.mask() == null) return read(template, mask, real);
		final Size size = Size.of(template.dimensionsAsLongArray());
		final ByteBuffer present = ByteBuffer.allocate(Math.toIntExact(size.pixels()));
		frame.mask().read(first, size.toIntArray(), present);
		final double[] weights = mask == null ? new double[present.capacity()] : weights(mask, real, size);
		boolean missing = false;
		for (int i = 0; i < weights.length; i++) {
			missing |= present.get(i) == 0;
			if (mask == null) weights[i] = present.get(i);
			else if (present.get(i) == 0) weights[i] = 0;
		}
		if (Arrays.stream(weights).allMatch(w -> w == 0))
			throw new IllegalArgumentException("all pixels of the template of " + size + " at "
			+ Arrays.toString(first) + " are missing in its frame: choose a region with pixels");
		return read(template, mask == null && !missing ? null : weights, 1);
	}

	/**
	 * Reads a template with weights that are checked already.
	 *
	 * @param weights one weight per pixel; null if all pixels have the same weight
	 * @param threads the maximum number of threads
	 */
	public static Template read(final RandomAccessibleInterval<?> template, final double[] weights, final int threads) {
		final Template read = read(template, weights, threads, "template");
		read.requireContrast();
		return read;
	}

	/**
	 * Reads a kernel. It can be flat.
	 *
	 * @throws IllegalArgumentException if it contains NaN or infinity
	 */
	public static Template readKernel(final RandomAccessibleInterval<?> kernel) {
		return read(kernel, null, 1, "kernel");
	}

	private static Template read(final RandomAccessibleInterval<?> image, final double[] weights, final int threads, final String noun) {
		final Size size = Size.of(image.dimensionsAsLongArray());
		final int channels = JointImage.channels(image);
		if (channels > 1 && noun.equals("kernel")) throw new IllegalArgumentException("a kernel has one channel, this one has " + channels
			+ ": convert it to gray");
		if (channels > Integer.MAX_VALUE / 16 / size.pixels())
			throw new IllegalArgumentException("a " + noun + " of " + size + " is too large: at most "
				+ Integer.MAX_VALUE / 16 / channels + " pixels");
		final double[] values = values(image, size, threads);
		final boolean finite = finite(values, threads);
		for (int i = 0; i < values.length && !finite; i++)
			if ((weights == null || weights[i % weights.length] > 0) && !Double.isFinite(values[i]))
				throw new IllegalArgumentException("the " + noun + " of " + size + " holds "
				+ values[i] + " at " + place(i, size) + ": replace it" + (noun.equals("template") ? ", or leave it out with a mask" : ""));
		return new Template(size, ImagePixels.type(image), values, weights, channels);
	}

	/**
	 * Converts templates of different pixel types to one type that holds all their values.
	 *
	 * @throws IllegalArgumentException if they differ in their number of dimensions
	 */
	public static List<Template> alike(final List<Template> templates, final String noun) {
		PixelType common = templates.get(0).type();
		for (final Template t : templates) {
			if (t.size().dimensions() != templates.get(0).size().dimensions()) throw new IllegalArgumentException("the " + noun + "s of "
				+ templates.get(0).size() + " and " + t.size() + " differ in their number of dimensions: use them in separate calls");
			if (t.channels() != templates.get(0).channels())
				throw new IllegalArgumentException("a " + noun + " has " + templates.get(0).channels() + " channels, another one "
				+ t.channels() + ": use them in separate calls");
			common = common(common, t.type());
		}
		final List<Template> alike = new ArrayList<>();
		for (final Template t : templates) alike.add(t.with(common, t.values()));
		return alike;
	}

	/** The narrowest type that holds all values of both types. */
	public static PixelType common(final PixelType a, final PixelType b) {
		for (final PixelType type : PixelType.values())
			if (holds(type, a) && holds(type, b)) return type;
		return PixelType.F64;
	}

	private static boolean holds(final PixelType type, final PixelType other) {
		if (type == other || type == PixelType.F64) return true;
		if (type.integer) return other.integer && type.min <= other.min && type.max >= other.max;
		return other.exact();
	}

	/**
	 * A stand-in for later templates. Its pixels of positive weight are alternately 0 and 1.
	 *
	 * @throws IllegalArgumentException as {@link #read}
	 */
	public static Template standIn(final Size size, final PixelType type, final int channels, final RandomAccessibleInterval<?> mask,
		final boolean real) {
		final double[] weights = mask == null ? null : weights(mask, real, size),
			values = new double[Math.toIntExact(channels * size.pixels())];
		for (int i = 0, n = 0; i < values.length; i++)
			if (weights == null || weights[i % weights.length] > 0) values[i] = n++ & 1;
		final Template t = new Template(size, type, values, weights, channels);
		t.requireContrast();
		return t;
	}

	/**
	 * Converts a template to another pixel type.
	 *
	 * @throws IllegalArgumentException if the type cannot hold its values
	 */
	public static Template as(final PixelType type, final Template t) {
		for (int i = 0; i < t.values().length; i++) {
			final double v = t.values()[i];
			if (t.weight(i) > 0 && !(type.integer ? Math.rint(v) == v && v >= type.min && v <= type.max : type == PixelType.F64
				|| (float) v == v)) throw new IllegalArgumentException("the image was prepared for templates of " + type
				+ " pixels, the template of " + t.type() + " pixels holds " + v
					+ " at " + place(i, t.size()) + ": prepare the image with a template of that type, or convert the template");
		}
		return t.with(type, t.values());
	}

	private static double[] values(final RandomAccessibleInterval<?> image, final Size size, final int threads) {
		// throws if the type is not real
		ImagePixels.type(image);
		final List<RandomAccessibleInterval<?>> channels = JointImage.channelsOf(image);
		final int n = (int) size.pixels();
		final double[] values = new double[channels.size() * n];
		for (int c = 0; c < channels.size(); c++) {
			final RandomAccessibleInterval<?> channel = channels.get(c);
			final int first = c * n;
			Chunks.each(n, threads, (chunk, from, until) -> {
				final Cursor<?> cursor = Views.flatIterable(channel).cursor();
				if (from > 0) cursor.jumpFwd(from);
				for (int i = from; i < until; i++) values[first + i] = ((RealType<?>) cursor.next()).getRealDouble();
			});
		}
		return values;
	}

	private static boolean finite(final double[] values, final int threads) {
		return Chunks.max(values.length, threads, (from, until) -> {
			for (int i = from; i < until; i++)
				if (!Double.isFinite(values[i])) return 1;
			return 0;
		}) == 0;
	}

	private static double[] weights(final RandomAccessibleInterval<?> mask, final boolean real, final Size size) {
		final String what = real ? "the weights of " : "the mask of ", is = real ? " are" : " is", holds = real ? " hold " : " holds ";
		final Size shape = Size.of(mask.dimensionsAsLongArray());
		if (!shape.equals(size)) throw new IllegalArgumentException(what + shape + " must have the template's shape, " + size
			+ ": give one value for each pixel of the template");
		if (JointImage.channels(mask) > 1) throw new IllegalArgumentException(what + shape + " has " + JointImage.channels(mask)
			+ " channels: give one with a single channel, which counts for all channels of the template");
		final double[] w = values(mask, size, 1);
		for (int i = 0; i < w.length; i++)
			if (!(w[i] >= 0) || real && w[i] == Double.POSITIVE_INFINITY) throw new IllegalArgumentException(what + shape + holds
				+ (w[i] < 0 ? "the negative value " : "") + w[i] + " at " + place(i, size)
				+ (real ? ": give finite weights of at least 0"
				: ": give 0 for pixels that do not count and one positive value for the others"));
		final double max = Arrays.stream(w).max().orElse(0);
		if (max == 0) throw new IllegalArgumentException(what + shape + is + " zero everywhere: give at least one pixel a positive value");
		boolean binary = true;
		for (final double v : w) binary &= v == 0 || v == max;
		for (int i = 0; i < w.length; i++) {
			if (!binary && !real && w[i] != 0 && w[i] != max) throw new IllegalArgumentException(what + shape + holds + w[i] + " and " + max
				+ " besides 0: a mask has 0 and one other value; threshold the mask, or use it as weights");
			if (w[i] > 0 && w[i] < MIN_SHARE * max) throw new IllegalArgumentException(what + shape + holds + w[i] + " besides " + max
				+ ": a positive weight must be at least " + MIN_SHARE + " of the greatest; set smaller weights to 0");
			// only their ratios matter
			if (binary) w[i] = w[i] == 0 ? 0 : 1;
		}
		return w;
	}

	private static String place(final int index, final Size size) {
		final long[] at = new long[size.dimensions()];
		// of any channel
		long rest = index % size.pixels();
		for (int d = 0; d < at.length; d++) {
			at[d] = rest % size.get(d);
			rest /= size.get(d);
		}
		return Arrays.toString(at);
	}
}
