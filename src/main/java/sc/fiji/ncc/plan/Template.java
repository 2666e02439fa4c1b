package sc.fiji.ncc.plan;

import java.util.Arrays;

/**
 * The pixels of a template, x fastest, and their weights. The arrays are not copied and must not change.
 *
 * @param size the extents in pixels
 * @param type the pixel type of the source of the values
 * @param values one value per pixel, channel after channel; finite wherever the weight is positive
 * @param weights one weight per pixel, the same for all channels, finite and at least 0; a positive weight is at least 1e-60 of the greatest. Null if all
 *        weights are 1
 * @param channels the number of channels, which give one joint response
 */
public record Template(Size size, PixelType type, double[] values, double[] weights, int channels) {

	public Template {
		final long n = size.pixels();
		if (values.length != n * channels || (weights != null && weights.length != n))
			throw new IllegalArgumentException("a template of " + size + (channels == 1 ? "" : " with " + channels + " channels") + " needs " + n * channels
				+ " values, not " + values.length + (weights == null ? "" : " with " + weights.length + " weights"));
	}

	/** A template with one channel. */
	public Template(final Size size, final PixelType type, final double[] values, final double[] weights) {
		this(size, type, values, weights, 1);
	}

	/** The same template with other values or another pixel type. */
	public Template with(final PixelType otherType, final double[] otherValues) {
		return new Template(size, otherType, otherValues, weights, channels);
	}

	/** One channel. It can be flat. */
	public Template channel(final int channel) {
		if (channels == 1) return this;
		final int n = values.length / channels;
		return new Template(size, type, Arrays.copyOfRange(values, channel * n, (channel + 1) * n), weights);
	}

	/** The weight of the pixel of value {@code i}. */
	public double weight(final int i) {
		return weights == null ? 1 : weights[channels == 1 ? i : i % weights.length];
	}

	/** @throws IllegalArgumentException if all pixels of positive weight are equal in each channel, or if there are none: the correlation is then undefined */
	public void requireContrast() {
		if (hasContrast()) return;
		double value = Double.NaN;
		for (int i = 0; i < values.length; i++)
			if (weight(i) > 0) value = values[i];
		throw new IllegalArgumentException("the template of " + size + " is flat: all its pixels" + (weights == null ? "" : " under the mask")
			+ (channels == 1 ? " equal " + value : " are equal in each of its " + channels + " channels")
			+ ", so its correlation is undefined; choose a template with contrast");
	}

	/** Whether two pixels of positive weight differ in a channel. */
	public boolean hasContrast() {
		final int n = values.length / channels;
		double first = Double.NaN;
		for (int i = 0; i < values.length; i++) {
			if (i % n == 0) first = Double.NaN;
			if (weight(i) > 0) {
				if (Double.isNaN(first)) first = values[i];
				if (values[i] != first) return true;
			}
		}
		return false;
	}
}
