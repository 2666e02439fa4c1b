package sc.fiji.ncc.front;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.VectorField;
import sc.fiji.ncc.plan.Size;

/** The settings of motion fields as users write them, two images as the frames of a stack, and notes on results. */
public final class MotionText {

	/** From this share of windows with their peak at the end of the search on, there is a note. */
	private static final double MANY = 0.25;

	private MotionText() {}

	/**
	 * What users must check in some frames, a sentence each.
	 *
	 * @param maxShift the name of the setting of the maximum shift
	 */
	public static List<String> notes(final MotionFields motion, final String maxShift) {
		final List<String> notes = new ArrayList<>();
		final String far = frames(motion.fields(), f -> f.atEnd() >= MANY), none = frames(motion.fields(), f -> f.valid() == 0);
		if (!far.isEmpty()) notes.add(far + ": many windows have their peak at the end of the search. Give a larger " + maxShift);
		if (!none.isEmpty() && motion.valid() > 0) notes.add(none + ": no vector is valid");
		return notes;
	}

	/** Such as {@code frames 2, 57 to 60}: some frames with a field. Empty without one. */
	private static String frames(final List<VectorField> fields, final Predicate<VectorField> some) {
		final List<String> runs = new ArrayList<>();
		long all = 0;
		for (int i = 0, end; i < fields.size(); i = end + 1) {
			for (end = i; end < fields.size() && some.test(fields.get(end));) end++;
			if (end == i) continue;
			final long first = fields.get(i).to() + 1, last = fields.get(end - 1).to() + 1;
			runs.add(end == i + 1 ? "" + first : first + (end == i + 2 ? ", " : " to ") + last);
			all += end - i;
		}
		return all == 0 ? "" : (all == 1 ? "frame " : "frames ") + String.join(", ", runs);
	}

	/** The parameter of the smoothing: NaN for {@code auto}. */
	public static double smoothing(final String option, final String text) {
		if (text.trim().equalsIgnoreCase("auto")) return Double.NaN;
		final double s = WrittenNumber.read(text.trim(), WrittenNumber::toDouble, option + text + " is not a number: give 0 or more, such as 0.1, or auto");
		if (s >= 0) return s;
		throw new IllegalArgumentException(option + text + ": give 0 or more, such as 0.1, or auto");
	}

	/**
	 * Two images as the frames of a stack.
	 *
	 * @throws IllegalArgumentException if they differ in size or type
	 */
	public static RandomAccessibleInterval<?> pair(final RandomAccessibleInterval<?> before, final RandomAccessibleInterval<?> after,
		final String name, final String otherName) {
		if (!Intervals.equalDimensions(before, after) || ImagePixels.type(before) != ImagePixels.type(after)) throw new IllegalArgumentException(name
			+ " is " + ImagePixels.type(before) + " "
			+ Size.of(before.dimensionsAsLongArray()) + ", " + otherName + " is " + ImagePixels.type(after) + " " + Size.of(after.dimensionsAsLongArray())
			+ ": give images of one size and type");
		final List<RandomAccessibleInterval<?>> a = JointImage.channelsOf(before), b = JointImage.channelsOf(after);
		if (a.size() != b.size()) throw new IllegalArgumentException(name + " has " + a.size() + (a.size() == 1 ? " channel" : " channels") + ", " + otherName
			+ " has " + b.size() + ": give images with the same channels");
		return a.size() == 1 ? stack(before, after) : JointImage.of(IntStream.range(0, a.size()).mapToObj(c -> stack(a.get(c), b.get(c))).toList());
	}

	@SuppressWarnings("unchecked") // both have one type
	private static <T> RandomAccessibleInterval<?> stack(final RandomAccessibleInterval<?> before, final RandomAccessibleInterval<?> after) {
		return Views.stack(Views.zeroMin((RandomAccessibleInterval<T>) before), Views.zeroMin((RandomAccessibleInterval<T>) after));
	}
}
