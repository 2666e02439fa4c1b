package sc.fiji.ncc.plan;

/**
 * Frames that are sampled between their pixels, because they are moved by a part of a pixel, or deformed. Each frame has its own shift.
 *
 * @param image the pixel type, also of the result
 * @param frame the extents of what is sampled at a time, two or three: a frame, or a plane of a volume
 * @param neighbours the number of pixels along each dimension of which a value is a weighted mean: an even number; 0 for all pixels, by Fourier transforms
 * @param deformed whether each pixel has a motion of its own, from a smooth field
 * @param frames how many of these are sampled
 */
public record Resampling(PixelType image, Size frame, int neighbours, boolean deformed, long frames) implements Problem {

	/** @throws IllegalArgumentException if the number of neighbours is odd or negative, or 0 for deformed frames */
	public Resampling {
		if (neighbours < 0 || neighbours % 2 != 0) throw new IllegalArgumentException("the number of neighbours is " + neighbours + ": give an even number, or 0");
		if (deformed && neighbours == 0) throw new IllegalArgumentException("deformed frames have no interpolation by Fourier transforms: give a number of "
			+ "neighbours");
	}

	/** The extents of the pixels of which a frame is sampled. @param margin the pixels on each side if all pixels count */
	public Size read(final int margin) {
		final long[] read = frame.toArray();
		for (int d = 0; d < read.length; d++) read[d] += neighbours > 0 ? neighbours - 1 : read[d] == 1 ? 0 : 2 * margin;
		return Size.of(read);
	}

	/** The number of pixels of which a value is a weighted mean. */
	public double neighboursInAll() {
		return Math.pow(neighbours, frame.dimensions());
	}

	/** The same problem with another number of frames. */
	public Resampling of(final long otherFrames) {
		return new Resampling(image, frame, neighbours, deformed, otherFrames);
	}

	/** {@code resampling of 100 U16 frames of 512x512, 4 neighbours}: readable, and complete. */
	@Override
	public String toString() {
		return (deformed ? "deformed " : "") + "resampling of " + frames + " " + image + (frames == 1 ? " frame of " : " frames of ") + frame
			+ (neighbours == 0 ? ", all pixels by Fourier transforms" : ", " + neighbours + " neighbours");
	}
}
