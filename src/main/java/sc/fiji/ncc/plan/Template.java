package sc.fiji.ncc.plan;

/**
 * The pixels of a template, x fastest, and their weights. The arrays are not copied and must not change.
 *
 * @param size the extents in pixels
 * @param type the pixel type of the source of the values
 * @param values one value per pixel; finite wherever the weight is positive
 * @param weights one weight per pixel, finite and at least 0; a positive weight is at least 1e-60 of the greatest. Null if all weights are 1
 */
public record Template(Size size, PixelType type, double[] values, double[] weights) {

	public Template {
		final long n = size.pixels();
		if (values.length != n || (weights != null && weights.length != n))
			throw new IllegalArgumentException("a template of " + size + " needs " + n + " values, not " + values.length
				+ (weights == null ? "" : " with " + weights.length + " weights"));
	}

	/** The weight of pixel {@code i}. */
	public double weight(final int i) {
		return weights == null ? 1 : weights[i];
	}

	/** @throws IllegalArgumentException if all pixels of positive weight are equal, or if there are none: the correlation is then undefined */
	public void requireContrast() {
		if (hasContrast()) return;
		double value = Double.NaN;
		for (int i = 0; i < values.length; i++)
			if (weight(i) > 0) value = values[i];
		throw new IllegalArgumentException("the template of " + size + " is flat: all its pixels" + (weights == null ? "" : " under the mask")
			+ " equal " + value + ", so its correlation is undefined; choose a template with contrast");
	}

	/** Whether two pixels of positive weight differ. */
	public boolean hasContrast() {
		double first = Double.NaN;
		for (int i = 0; i < values.length; i++)
			if (weight(i) > 0) {
				if (Double.isNaN(first)) first = values[i];
				if (values[i] != first) return true;
			}
		return false;
	}
}
