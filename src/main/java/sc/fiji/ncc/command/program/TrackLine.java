package sc.fiji.ncc.command.program;

/**
 * A line to draw on an image: the way that something took. Positions count from 0, -1 for all.
 *
 * @param label what it is called
 * @param group those of one number have one colour
 * @param x its corners, in pixels counted from the middle of the first one; at least two
 * @param y likewise
 * @param channel that it is drawn in
 * @param slice likewise
 * @param frame likewise
 */
public record TrackLine(String label, int group, double[] x, double[] y, int channel, int slice, int frame) {}
