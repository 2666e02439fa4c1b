package sc.fiji.ncc.front;

import java.util.List;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.Size;

/** The settings of motion fields as users write them, and two images as the frames of a stack. */
public final class MotionText {

	private MotionText() {}

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
