package sc.fiji.ncc.command.program;

/**
 * A line along the positions of a template, to draw on an image.
 *
 * @param label name of the template
 * @param group lines of one group have the same colour
 * @param x columns of the corners in pixels; the centre of the first column is 0; at least two corners
 * @param y rows of the corners in pixels; the centre of the first row is 0
 * @param channel channel with the line, from 0; -1 for all
 * @param slice slice with the line, from 0; -1 for all
 * @param frame frame with the line, from 0; -1 for all
 */
public record TrackLine(String label, int group, double[] x, double[] y, int channel, int slice, int frame) {}
