package sc.fiji.ncc.plan;

/**
 * A template's pixels, x fastest, with its weights. The arrays are not copied and must not change.
 *
 * @param size its extents
 * @param type the pixel type that the values came from
 * @param values one value a pixel; finite wherever the weight is positive
 * @param weights one weight a pixel, finite and at least 0, no positive one below 1e-60 of the greatest; null if every pixel counts once
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

	/** @throws IllegalArgumentException if all pixels that count are equal, or none does: it correlates with nothing */
	public void requireContrast() {
		if (hasContrast()) return;
		double value = Double.NaN;
		for (int i = 0; i < values.length; i++)
			if (weight(i) > 0) value = values[i];
		throw new IllegalArgumentException("the template of " + size + " is flat: all its pixels" + (weights == null ? "" : " under the mask")
			+ " equal " + value + ", so it correlates with nothing; choose one with some contrast");
	}

	/** Whether two pixels that count differ. */
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
