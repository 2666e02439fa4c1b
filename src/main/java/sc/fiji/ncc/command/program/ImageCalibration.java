package sc.fiji.ncc.command.program;

import java.util.Arrays;

/**
 * The calibration of an image along x, y and z.
 *
 * @param size size of a pixel along each dimension, in {@code unit}
 * @param origin position of the calibrated origin along each dimension, in pixels
 * @param unit unit of length
 * @param interval time between two frames in {@code timeUnit}; 0 if unknown
 * @param timeUnit unit of time
 */
public record ImageCalibration(double[] size, double[] origin, String unit, double interval, String timeUnit) {

	/** The calibration of an image without one. */
	public static final ImageCalibration PIXELS = new ImageCalibration(new double[] { 1, 1, 1 }, new double[3], "pixel", 0, "");

	/**
	 * The calibration of an image whose pixels are positions of this one.
	 *
	 * @param spacing the distance of neighbouring positions in pixels, for x and y at least
	 * @param first the first position in pixels
	 */
	public ImageCalibration every(final long[] spacing, final double[] first) {
		final double[] coarse = size.clone(), from = origin.clone();
		for (int d = 0; d < first.length; d++) {
			coarse[d] *= spacing[d];
			from[d] = (from[d] - first[d]) / spacing[d];
		}
		return new ImageCalibration(coarse, from, unit, interval, timeUnit);
	}

	/** The calibration of a picture of this image that is enlarged along x and y. */
	public ImageCalibration enlarged(final double times) {
		return new ImageCalibration(new double[] { size[0] / times, size[1] / times, size[2] },
			new double[] { times * origin[0], times * origin[1], origin[2] }, unit, interval, timeUnit);
	}

	/** Converts a position in pixels to a calibrated position. */
	public double[] of(final double[] pixels) {
		final double[] place = Arrays.copyOf(pixels, pixels.length);
		for (int d = 0; d < place.length; d++) place[d] = (pixels[d] - origin[d]) * size[d];
		return place;
	}
}
