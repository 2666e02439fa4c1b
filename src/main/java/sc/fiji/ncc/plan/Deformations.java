package sc.fiji.ncc.plan;

/**
 * Smooth deformations of frames that windows of a reference measure. The windows are half a window apart. They cover an area with half a
 * window around the frame, so that the outermost centres lie at or beyond its border.
 *
 * @param frame the extents of a frame, two or three
 * @param window the extents of a window
 * @param frames the number of frames
 */
public record Deformations(Size frame, Size window, long frames) implements Problem {

	/** @throws IllegalArgumentException if a window does not fit into the frame */
	public Deformations {
		if (window.dimensions() != frame.dimensions()) throw new IllegalArgumentException("frames of " + frame + " and windows of " + window
			+ " differ in their number of dimensions");
		for (int d = 0; d < frame.dimensions(); d++)
			if (window.get(d) > frame.get(d)) throw new IllegalArgumentException("the window of " + window + " is larger than the frame of " + frame
				+ ": choose a smaller window");
	}

	/** The distance of the first pixels of neighbouring windows. */
	public Size spacing() {
		final long[] spacing = window.toArray();
		for (int d = 0; d < spacing.length; d++) spacing[d] = Math.max(1, spacing[d] / 2);
		return Size.of(spacing);
	}

	/** The pixels of the area before the first one of a frame. */
	public long beside(final int d) {
		return window.get(d) / 2;
	}

	/** The extents of the area in pixels. */
	public Size area() {
		final long[] size = frame.toArray();
		for (int d = 0; d < size.length; d++) {
			final long spacing = spacing().get(d), span = size[d] + 2 * beside(d) - window.get(d);
			size[d] = window.get(d) + (span + spacing - 1) / spacing * spacing;
		}
		return Size.of(size);
	}

	/** The same problem with another number of frames. */
	public Deformations of(final long otherFrames) {
		return new Deformations(frame, window, otherFrames);
	}

	/** {@code deformations of 100 frames of 512x512 by windows of 64x64}: readable, and complete. */
	@Override
	public String toString() {
		return "deformations of " + frames + (frames == 1 ? " frame of " : " frames of ") + frame + " by windows of " + window;
	}
}
