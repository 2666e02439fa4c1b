package sc.fiji.ncc.command.program;

/**
 * A box with a label to draw on an image. Positions count from 0.
 *
 * @param label text beside the box; null for none. Such a box does not become a region of the ROI Manager
 * @param group boxes of one group have the same colour
 * @param x first column
 * @param y first row
 * @param width width in pixels
 * @param height height in pixels
 * @param channel first channel with the box
 * @param slice first slice with the box
 * @param frame first frame with the box
 * @param channels number of channels with the box
 * @param slices number of slices with the box
 * @param frames number of frames with the box
 * @param outline columns and rows of the corners of a rotated box, where the first pixel reaches from 0 to 1; null if the box is not rotated
 */
public record Box(String label, int group, int x, int y, int width, int height, int channel, int slice, int frame, int channels, int slices,
	int frames, float[][] outline) {

	/** A box that is not rotated. */
	public Box(final String label, final int group, final int x, final int y, final int width, final int height, final int channel,
		final int slice, final int frame, final int channels, final int slices, final int frames)
	{
		this(label, group, x, y, width, height, channel, slice, frame, channels, slices, frames, null);
	}
}
