package sc.fiji.ncc.plan;

import java.util.Locale;

/**
 * Windows of a regular grid in one frame, each of which is correlated with another frame at the lags around its own place. Windows may
 * overlap, so that they share work. Windows lie inside their frame; at a lag they can extend beyond the other frame.
 *
 * @param image the pixel type of both frames
 * @param frame the extents of both frames, two or three
 * @param window the extents of a window
 * @param spacing the distance of the first pixels of neighbouring windows
 * @param lags the number of lags along each dimension: odd, with the place of the window in the middle
 * @param masked whether pixels of the frames may be missing
 * @param minOverlap the smallest share of the pixels of a window that must be present and inside, in [0, 1]. A response with less is undefined
 * @param frames the number of pairs of frames
 * @param shape the weights of the pixels of a window
 */
public record WindowPairs(PixelType image, Size frame, Size window, Size spacing, Size lags, boolean masked, double minOverlap, long frames, Shape shape)
	implements Problem
{

	/** How much the pixels of a window count. */
	public enum Shape {

		/** All pixels of the window count alike. */
		SQUARE,
		/** The pixels inside the largest ellipse (or ellipsoid) of the window count alike, the others not at all. */
		CIRCLE,
		/** A Gaussian about the centre of the window, whose standard deviation is a quarter of the window along each dimension. */
		GAUSSIAN;

		/**
		 * The weights of the pixels of a window.
		 *
		 * @return x fastest; null if all are 1
		 */
		public double[] weights(final Size window) {
			if (this == SQUARE) return null;
			final double[] weights = new double[Math.toIntExact(window.pixels())];
			for (int i = 0; i < weights.length; i++) {
				// the square of the distance from the centre, in half windows
				double square = 0;
				long rest = i;
				for (int d = 0; d < window.dimensions(); rest /= window.get(d++)) {
					final double x = (2 * (rest % window.get(d)) + 1) / (double) window.get(d) - 1;
					square += x * x;
				}
				weights[i] = this == GAUSSIAN ? Math.exp(-2 * square) : square <= 1 ? 1 : 0;
			}
			return weights;
		}
	}

	/** Windows whose pixels count alike. */
	public WindowPairs(final PixelType image, final Size frame, final Size window, final Size spacing, final Size lags, final boolean masked,
		final double minOverlap, final long frames)
	{
		this(image, frame, window, spacing, lags, masked, minOverlap, frames, Shape.SQUARE);
	}

	/** @throws IllegalArgumentException if a window is larger than the frame, a number of lags is even, or numbers of dimensions differ */
	public WindowPairs {
		for (final Size s : new Size[] { window, spacing, lags }) if (s.dimensions() != frame.dimensions())
			throw new IllegalArgumentException("frames of " + frame + " and windows of " + window + " differ in their number of dimensions");
		for (int d = 0; d < frame.dimensions(); d++) {
			if (window.get(d) > frame.get(d)) throw new IllegalArgumentException("the window of " + window + " is larger than the frame of " + frame
				+ ": choose a smaller window");
			if (lags.get(d) % 2 == 0) throw new IllegalArgumentException("the numbers of lags are " + lags + ": give odd numbers");
		}
	}

	/** The number of windows along a dimension. */
	public static long count(final long frame, final long window, final long spacing) {
		return (frame - window) / spacing + 1;
	}

	/** The number of windows along each dimension. */
	public Size count() {
		final long[] count = frame.toArray();
		for (int d = 0; d < count.length; d++) count[d] = count(frame.get(d), window.get(d), spacing.get(d));
		return Size.of(count);
	}

	/** The first pixel of a window. Windows are numbered along x first. */
	public long[] first(final long number) {
		final long[] first = new long[frame.dimensions()];
		final Size count = count();
		long rest = number;
		for (int d = 0; d < first.length; d++) {
			first[d] = rest % count.get(d) * spacing.get(d);
			rest /= count.get(d);
		}
		return first;
	}

	/** The largest lag from the place of a window along a dimension. */
	public long shift(final int d) {
		return (lags.get(d) - 1) / 2;
	}

	/** The number of responses of all pairs. */
	public long responses() {
		return count().pixels() * lags.pixels() * frames;
	}

	/** The same problem with another size of the frames, and another number of pairs. */
	public WindowPairs of(final Size otherFrame, final long otherFrames) {
		return new WindowPairs(image, otherFrame, window, spacing, lags, masked, minOverlap, otherFrames, shape);
	}

	/** {@code windows of 32x32, 16x16 apart, in U8 frames of 2000x2000, 25x25 lags that overlap by 0.5, 1 pair}: readable, and complete. */
	@Override
	public String toString() {
		return "windows of " + window + ", " + spacing + " apart, in " + image + " frames of " + frame + ", " + lags + " lags that overlap by " + minOverlap
			+ (masked ? ", with missing pixels" : "")
			+ (shape == Shape.SQUARE ? "" : ", weights of a " + shape.name().toLowerCase(Locale.ROOT)) + ", " + frames + (frames == 1 ? " pair" : " pairs");
	}
}
