package sc.fiji.ncc.image;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import net.imglib2.AbstractInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.type.numeric.ARGBType;
import net.imglib2.util.Intervals;
import net.imglib2.util.Util;
import net.imglib2.view.Views;
import net.imglib2.view.composite.GenericComposite;

import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/**
 * An image whose pixels have several channels. Correlated with a template of as many channels it gives one joint response:
 * {@code r = Σc (N·ΣPT − ΣP·ΣT) / √(Σc (N·ΣP² − (ΣP)²) · Σc (N·ΣT² − (ΣT)²))}, each channel c about its own mean. OpenCV's {@code TM_CCOEFF_NORMED} gives
 * the same for colours. The dimensions are those of one channel; they are not counted as channels, so that frames follow the dimensions of the template.
 */
public final class JointImage extends AbstractInterval implements RandomAccessibleInterval<GenericComposite<?>> {

	private final List<RandomAccessibleInterval<?>> channels;

	private JointImage(final List<RandomAccessibleInterval<?>> channels) {
		super(channels.get(0));
		this.channels = List.copyOf(channels);
	}

	/**
	 * Joins channels.
	 *
	 * @param channels real images of one size and type
	 * @throws IllegalArgumentException if there is none, or if they differ in size or type
	 */
	public static JointImage of(final List<? extends RandomAccessibleInterval<?>> channels) {
		final RandomAccessibleInterval<?> first = Given.list(channels, "channel").get(0);
		final PixelType type = ImagePixels.type(first);
		final List<RandomAccessibleInterval<?>> aligned = new ArrayList<>();
		for (final RandomAccessibleInterval<?> c : channels) {
			if (!Intervals.equalDimensions(c, first) || ImagePixels.type(c) != type) throw new IllegalArgumentException("the channels differ: " + type + " "
				+ Size.of(first.dimensionsAsLongArray()) + " and " + ImagePixels.type(c) + " " + Size.of(c.dimensionsAsLongArray()) + "; give channels of one size and pixel type");
			aligned.add(Intervals.equals(c, first) ? c : Views.translate(Views.zeroMin(c), first.minAsLongArray()));
		}
		return new JointImage(aligned);
	}

	/**
	 * Joins the channels of an image.
	 *
	 * @param dimension the dimension of the image that counts channels; the joint image lacks it
	 * @throws IllegalArgumentException if the image has no such dimension, or no other
	 */
	public static JointImage of(final RandomAccessibleInterval<?> image, final int dimension) {
		Given.nonNull(image, "image");
		if (dimension < 0 || dimension >= image.numDimensions() || image.numDimensions() == 1) throw new IllegalArgumentException("the image of "
			+ Size.of(image.dimensionsAsLongArray()) + " has no dimension " + dimension + " of channels beside another one: give a dimension from 0 to " + (image.numDimensions() - 1));
		final List<RandomAccessibleInterval<?>> channels = new ArrayList<>();
		for (long c = image.min(dimension); c <= image.max(dimension); c++) channels.add(Views.hyperSlice(image, dimension, c));
		return of(channels);
	}

	/** The joint image of red, green and blue. Transparency does not count. */
	public static JointImage ofColours(final RandomAccessibleInterval<ARGBType> image) {
		Given.nonNull(image, "image");
		return of(List.of(Converters.argbChannel(image, 1), Converters.argbChannel(image, 2), Converters.argbChannel(image, 3)));
	}

	/** The number of channels that are correlated together: 3 for an image of colours, 1 for real numbers. */
	public static int channels(final RandomAccessibleInterval<?> image) {
		return channelsOf(image).size();
	}

	/** The channels that are correlated together; an image of real numbers itself. */
	public static List<RandomAccessibleInterval<?>> channelsOf(final RandomAccessibleInterval<?> image) {
		final RandomAccessibleInterval<?> split = split(image);
		return split instanceof JointImage ? ((JointImage) split).channels : List.of(image);
	}

	/** A view of an image, or of each channel of a joint image. */
	public static RandomAccessibleInterval<?> view(final RandomAccessibleInterval<?> image, final UnaryOperator<RandomAccessibleInterval<?>> view) {
		return image instanceof JointImage ? ((JointImage) image).map(view) : view.apply(image);
	}

	/**
	 * Requires that a template has as many channels as an image.
	 *
	 * @param noun the name of the template in messages
	 */
	public static void requireSameChannels(final String noun, final int template, final RandomAccessibleInterval<?> image) {
		final int n = channels(image);
		if (template != n) throw new IllegalArgumentException("the " + noun + " has " + template + (template == 1 ? " channel" : " channels") + ", the image has " + n
			+ ": give both the same number of channels (RGB images have 3; in ImageJ: Image > Type > RGB Color, or 8-bit), or select one channel of each");
	}

	/**
	 * Requires an image of one channel.
	 *
	 * @param noun the name of the image in messages
	 */
	public static void requireOneChannel(final String noun, final RandomAccessibleInterval<?> image) {
		final int n = channels(image);
		if (n > 1) throw new IllegalArgumentException("the " + noun + " has " + n + " channels: give one channel (in ImageJ: Image > Type > 8-bit for RGB images)");
	}

	/** An image of colours as a joint image; any other image itself. */
	@SuppressWarnings("unchecked") // the type is checked
	static RandomAccessibleInterval<?> split(final RandomAccessibleInterval<?> image) {
		return !(image instanceof JointImage) && Util.getTypeFromInterval((RandomAccessibleInterval<Object>) image) instanceof ARGBType
			? ofColours((RandomAccessibleInterval<ARGBType>) image) : image;
	}

	/** The channels, each a real image. */
	public List<RandomAccessibleInterval<?>> channels() {
		return channels;
	}

	/** The same view of each channel. */
	public JointImage map(final UnaryOperator<RandomAccessibleInterval<?>> view) {
		return new JointImage(channels.stream().map(view).toList());
	}

	@Override
	@SuppressWarnings({ "unchecked", "rawtypes" }) // the channels have one type
	public RandomAccess<GenericComposite<?>> randomAccess() {
		return (RandomAccess) Views.collapse((RandomAccessibleInterval) Views.stack((List) channels)).randomAccess();
	}

	@Override
	public RandomAccess<GenericComposite<?>> randomAccess(final Interval interval) {
		return randomAccess();
	}

	@Override
	public String toString() {
		return channels.size() + " channels of " + Size.of(dimensionsAsLongArray()) + " pixels";
	}
}
