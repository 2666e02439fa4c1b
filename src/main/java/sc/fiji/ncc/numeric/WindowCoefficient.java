package sc.fiji.ncc.numeric;

import sc.fiji.ncc.plan.Template;

/** The correlation coefficient of one template with one window at a time, for any finite values. */
public interface WindowCoefficient {

	/**
	 * The score of a window under the template's own weights.
	 *
	 * @param window as many values as the template has, in the same order; pixels of weight 0 may hold any value
	 * @return in [-1, 1], or NaN if the score is undefined
	 */
	double score(double[] window);

	/**
	 * The score of a window under its own weights, for example where only a part of it lies inside the image.
	 *
	 * @param weights one for each pixel, the same for all channels, in place of the template's weights
	 */
	double score(double[] window, double[] weights);

	/** Creates an object for a template with any number of channels. */
	static WindowCoefficient of(final Template template) {
		return template.channels() == 1 ? new ExactScore(template) : new JointScore(template);
	}
}
