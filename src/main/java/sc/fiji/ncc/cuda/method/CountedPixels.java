package sc.fiji.ncc.cuda.method;

import java.util.Arrays;

import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** The pixels of a template with positive weight. */
final class CountedPixels {

	private final Size size;
	/** Their indices; null if all pixels count. */
	private final int[] indices;
	/** Scaled; null if all are 1. */
	private final double[] weights;

	CountedPixels(final Template template) {
		size = template.size();
		if (template.weights() == null) indices = null;
		else {
			final int[] all = new int[template.weights().length];
			int n = 0;
			for (int i = 0; i < all.length; i++)
				if (template.weight(i) > 0) all[n++] = i;
			indices = Arrays.copyOf(all, n);
		}
		weights = Weights.of(template) == Weights.REAL ? of(Weighting.of(template).values()) : null;
	}

	/** The extents of the template. */
	Size size() {
		return size;
	}

	/** The positive weights, scaled by a power of two; null if all are 1. */
	double[] weights() {
		return weights;
	}

	double weight(final int i) {
		return weights == null ? 1 : weights[i];
	}

	int count() {
		return indices == null ? (int) size.pixels() : indices.length;
	}

	/** Their indices in the template; null if all pixels count. */
	int[] indices() {
		return indices;
	}

	/**
	 * The elements of {@code values} at these pixels. {@code values} has one per pixel of the template, of each channel or of one.
	 *
	 * @return {@code values} itself if all pixels count
	 */
	double[] of(final double[] values) {
		if (indices == null) return values;
		final int pixels = (int) size.pixels(), n = indices.length;
		final double[] v = new double[values.length / pixels * n];
		for (int i = 0; i < v.length; i++) v[i] = values[i / n * pixels + indices[i % n]];
		return v;
	}
}
