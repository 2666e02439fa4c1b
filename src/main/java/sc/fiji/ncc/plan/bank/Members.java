package sc.fiji.ncc.plan.bank;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * Many unit vectors under one support. The score of a window f, of zero mean and unit norm on the support, with the member t is {@code ⟨f, t⟩}.
 *
 * @param box the extents of the support's box
 * @param support the indices of the support's pixels in the box, ascending, x fastest
 * @param channels the number of channels, which have one joint score
 * @param values the numbers of each member on the support, channel after channel, each channel of zero mean, all together of unit norm except for rounding
 * @param gains the exact factor that makes the norm of each member 1
 * @param bounds the bounds by a basis; null if every member is correlated
 */
public record Members(Size box, int[] support, int channels, float[][] values, double[] gains, Bounds bounds) {

	public Members with(final Bounds other) {
		return new Members(box, support, channels, values, gains, other);
	}

	/** The number of members. */
	public int count() {
		return values.length;
	}

	/** The number of values of a member. */
	public int length() {
		return channels * support.length;
	}

	/** What is correlated with an image: the vectors of the basis, or all members. */
	public List<Template> templates() {
		final double[] weights = weights();
		return Arrays.stream(bounds == null ? values : bounds.vectors).map(v -> template(v, weights)).toList();
	}

	/** The first member as a template. */
	public Template first() {
		return template(values[0], weights());
	}

	/** Numbers on the support as a template. */
	private Template template(final float[] onSupport, final double[] weights) {
		final int n = Math.toIntExact(box.pixels());
		final double[] all = new double[channels * n];
		for (int i = 0; i < onSupport.length; i++) all[i / support.length * n + support[i % support.length]] = onSupport[i];
		return new Template(box, PixelType.F32, all, weights, channels);
	}

	/** 1 for each pixel that counts, 0 for the others; null if all count. */
	private double[] weights() {
		final int n = Math.toIntExact(box.pixels());
		if (support.length == n) return null;
		final double[] weights = new double[n];
		for (final int i : support) weights[i] = 1;
		return weights;
	}
}
