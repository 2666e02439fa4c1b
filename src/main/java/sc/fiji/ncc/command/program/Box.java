package sc.fiji.ncc.command.program;

/**
 * A labelled box to draw on an image. Positions count from 0.
 *
 * @param label what stands beside it
 * @param group those of one number have one colour
 * @param x its first pixel
 * @param y likewise
 * @param width in pixels
 * @param height in pixels
 * @param channel the first one that it is drawn in
 * @param slice the first one
 * @param frame the first one
 * @param channels in how many it is drawn
 * @param slices in how many
 * @param frames in how many
 */
public record Box(String label, int group, int x, int y, int width, int height, int channel, int slice, int frame, int channels, int slices, int frames) {}
