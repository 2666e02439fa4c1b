package sc.fiji.ncc.command.program;

import java.util.Arrays;

/**
 * Where the pixels of an image lie in the world, along x, y, z.
 *
 * @param size of a pixel
 * @param origin the place in pixels that lies at 0
 * @param unit of both
 * @param interval between two frames; 0 if it is not known
 * @param timeUnit of that
 */
public record Space(double[] size, double[] origin, String unit, double interval, String timeUnit) {

	/** Of an image that is not calibrated. */
	public static final Space PIXELS = new Space(new double[] { 1, 1, 1 }, new double[3], "pixel", 0, "");

	/** The place in the world of a place in pixels. */
	public double[] of(final double[] pixels) {
		final double[] place = Arrays.copyOf(pixels, pixels.length);
		for (int d = 0; d < place.length; d++) place[d] = (pixels[d] - origin[d]) * size[d];
		return place;
	}
}
