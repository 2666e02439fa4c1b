package sc.fiji.ncc.cuda.method;

import java.util.Arrays;

import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** The pixels of a template with positive weight: their positions and values. */
final class CountedPixels {

	private final Template template;
	private final int[] which;
	/** Scaled; null if all are 1. */
	private final double[] weights;

	CountedPixels(final Template template) {
		this.template = template;
		final int[] all = new int[template.values().length / template.channels()];
		int n = 0;
		for (int i = 0; i < all.length; i++)
			if (template.weight(i) > 0) all[n++] = i;
		which = Arrays.copyOf(all, n);
		weights = Weights.of(template) == Weights.REAL ? of(Weighting.of(template).values()) : null;
	}

	/** The positive weights, scaled by a power of two; null if all are 1. */
	double[] weights() {
		return weights;
	}

	double weight(final int i) {
		return weights == null ? 1 : weights[i];
	}

	int count() {
		return which.length;
	}

	/** x, y, z and the offset in a box of these extents: {@code struct Place} of the kernels. */
	int[] places(final int pitch, final int rows) {
		final int w = (int) template.size().get(0), h = (int) template.size().get(1);
		final int[] p = new int[4 * which.length];
		for (int i = 0; i < which.length; i++) {
			p[4 * i] = which[i] % w;
			p[4 * i + 1] = which[i] / w % h;
			p[4 * i + 2] = which[i] / w / h;
			p[4 * i + 3] = Math.toIntExact(((long) p[4 * i + 2] * rows + p[4 * i + 1]) * pitch + p[4 * i]);
		}
		return p;
	}

	/** The elements of {@code values} at the pixels with positive weight. {@code values} has one per pixel of the template, of each channel or of one. */
	double[] of(final double[] values) {
		final int pixels = (int) template.size().pixels(), n = which.length;
		final double[] v = new double[values.length / pixels * n];
		for (int i = 0; i < v.length; i++) v[i] = values[i / n * pixels + which[i % n]];
		return v;
	}
}
