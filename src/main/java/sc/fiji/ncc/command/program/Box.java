package sc.fiji.ncc.command.program;

/**
 * A box with a label to draw on an image. Positions count from 0.
 *
 * @param label text beside the box
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
 */
public record Box(String label, int group, int x, int y, int width, int height, int channel, int slice, int frame, int channels, int slices, int frames) {}
