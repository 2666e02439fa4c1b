package sc.fiji.ncc.front;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.JointImage;

/**
 * How the channels of an image are correlated: together, which gives one response; one after the other, which gives a map for each; or only one of them.
 * Colours are the channels red, green and blue.
 */
public final class ChannelChoice {

	/** Together for colours, otherwise one after the other. */
	public static final ChannelChoice AUTO = new ChannelChoice(Kind.AUTO, 0);
	/** One after the other. */
	public static final ChannelChoice EACH = new ChannelChoice(Kind.EACH, 0);

	private enum Kind {
		AUTO, JOINT, EACH, ONE,
		/** One after the other, but no colours: the first image has none. */
		EACH_OF_GRAY
	}

	/**
	 * Pixels and axes after the choice, see {@link Axes}.
	 *
	 * @param channel the index of the only channel of several; 0 if no channel was chosen
	 */
	public record Chosen(RandomAccessibleInterval<?> pixels, String axes, long channel) {

		Chosen(final RandomAccessibleInterval<?> pixels, final String axes) {
			this(pixels, axes, 0);
		}
	}

	private final Kind kind;
	/** From 1. */
	private final int number;

	private ChannelChoice(final Kind kind, final int number) {
		this.kind = kind;
		this.number = number;
	}

	/**
	 * @param text {@code auto}, {@code joint}, {@code each}, or the number of a channel, counted from 1
	 * @throws IllegalArgumentException if it is none of these
	 */
	public static ChannelChoice of(final String text) {
		final String word = text.trim().toLowerCase(Locale.ROOT);
		if (word.equals("auto")) return AUTO;
		if (word.equals("joint")) return new ChannelChoice(Kind.JOINT, 0);
		if (word.equals("each")) return EACH;
		if (!word.matches("[1-9][0-9]{0,6}"))
			throw new IllegalArgumentException("Unknown channels '" + text + "'. Known: auto, joint, each, or the number of a channel, counted from 1.");
		return new ChannelChoice(Kind.ONE, Integer.parseInt(word));
	}

	/** The number of the only channel, from 1; 0 for several. */
	public int number() {
		return number;
	}

	/**
	 * The choice for an image, which also counts for its templates and for further images.
	 *
	 * @param colour whether the pixels of the image are colours
	 */
	public ChannelChoice of(final boolean colour) {
		if (!colour && (kind == Kind.AUTO || kind == Kind.EACH)) return new ChannelChoice(Kind.EACH_OF_GRAY, 0);
		return kind == Kind.AUTO ? new ChannelChoice(Kind.JOINT, 0) : this;
	}

	/**
	 * The choice for an image whose frames are time points, so that channels are not frames: without another choice the first channel, and colours together.
	 *
	 * @param colour whether the pixels of the image are colours
	 * @param axes a letter for each dimension of the image
	 */
	public ChannelChoice ofFrames(final boolean colour, final String axes) {
		return kind == Kind.AUTO && !colour && axes.indexOf('c') >= 0 ? new ChannelChoice(Kind.ONE, 1) : of(colour);
	}

	/**
	 * Applies the choice to an image.
	 *
	 * @param pixels real numbers, or colours
	 * @param axes a letter for each dimension
	 * @param colour whether the pixels are colours, also if their channels are a dimension
	 * @param name the image, for messages
	 * @throws IllegalArgumentException if the image lacks the channel, or has colours after a first image without
	 */
	public Chosen image(final RandomAccessibleInterval<?> pixels, final String axes, final boolean colour, final String name) {
		if (colour && kind == Kind.EACH_OF_GRAY) throw new IllegalArgumentException(name + " is a colour (RGB) image, and the first image is gray: give images of one kind");
		return of(colour).apply(pixels, axes, name);
	}

	/**
	 * Applies the choice for the image to a template.
	 *
	 * @throws IllegalArgumentException if the template lacks the channel, or has several channels of which the choice takes none
	 */
	public Chosen template(final RandomAccessibleInterval<?> pixels, final String axes, final boolean colour, final String name) {
		if ((kind == Kind.EACH || kind == Kind.EACH_OF_GRAY) && colour) throw new IllegalArgumentException(name
			+ " is a colour (RGB) image, and each channel is searched by itself:"
			+ " choose a template with one channel (in ImageJ: Image > Type > 8-bit), or the number of one channel, or an RGB image and joint channels");
		return kind == Kind.ONE && !colour && axes.indexOf('c') < 0 ? new Chosen(pixels, axes) : apply(pixels, axes, name);
	}

	private Chosen apply(final RandomAccessibleInterval<?> pixels, final String axes, final String name) {
		final int c = axes.indexOf('c');
		final List<RandomAccessibleInterval<?>> channels = new ArrayList<>();
		if (c >= 0) for (long i = pixels.min(c); i <= pixels.max(c); i++) channels.add(Views.hyperSlice(pixels, c, i));
		else channels.addAll(JointImage.channelsOf(pixels));
		final String others = axes.replace("c", "");
		if (kind == Kind.ONE) {
			if (number > channels.size()) throw new IllegalArgumentException(name + " has " + channels.size() + (channels.size() == 1 ? " channel" : " channels")
				+ ", not channel " + number + ": give a number from 1 to " + channels.size());
			return new Chosen(channels.get(number - 1), others, number - 1);
		}
		if (channels.size() == 1 || kind != Kind.JOINT && c >= 0) return new Chosen(pixels, axes);
		if (kind == Kind.JOINT) return new Chosen(JointImage.of(channels), others);
		return new Chosen(planes(channels), "xyc" + axes.substring(2));
	}

	/** Channels as the third dimension. */
	@SuppressWarnings({ "unchecked", "rawtypes" }) // the channels have one type
	private static RandomAccessibleInterval<?> planes(final List<RandomAccessibleInterval<?>> channels) {
		final RandomAccessibleInterval<?> all = Views.stack((List) channels);
		final int last = all.numDimensions() - 1;
		return last == 2 ? all : Views.moveAxis(all, last, 2);
	}

	@Override
	public String toString() {
		return kind == Kind.ONE ? "channel " + number : kind == Kind.JOINT ? "joint" : "each";
	}
}
