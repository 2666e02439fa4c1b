package sc.fiji.ncc.cpu.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Templates of one size and mask for one problem, prepared for sums in floating point.
 *
 * @param planes the planes of each template
 * @param weights the weights of all templates
 * @param zeroMeans the deviations of each template from its mean
 */
record TemplateBatch(List<Template> templates, Correlation problem, TemplatePlanes planes, Weighting weights, List<ZeroMeanTemplate> zeroMeans) {

	/**
	 * @param threads the maximum number of threads that prepare large templates
	 * @throws IllegalArgumentException if a template is flat
	 */
	static TemplateBatch of(final List<Template> templates, final Correlation problem, final int threads) {
		return of(templates, problem, Weighting.of(templates.get(0)), threads);
	}

	/** The same with weights that may be rounded. */
	static TemplateBatch of(final List<Template> templates, final Correlation problem, final Weighting weights, final int threads) {
		return new TemplateBatch(templates, problem, new TemplatePlanes(templates.get(0).size()), weights, ZeroMeanTemplate.of(templates, weights, threads));
	}

	/** One of several channels of the templates, with coefficients in their common scale. */
	TemplateBatch channel(final int channel) {
		return new TemplateBatch(templates.stream().map(t -> t.channel(channel)).toList(), problem.of(1), planes, weights,
			zeroMeans.stream().map(t -> t.channel(channel, problem.channels(), weights)).toList());
	}

	/** Whether windows may leave the image, and none of its pixels is missing. */
	boolean overlaps() {
		return problem.lags().beyond() && !problem.lags().masked();
	}

	/** The coefficients of each template in double. */
	List<double[]> coefficients() {
		return ZeroMeanTemplate.coefficients(zeroMeans);
	}

	/** The deviations of each template from its mean, without weights. */
	List<double[]> deviations() {
		return zeroMeans.stream().map(ZeroMeanTemplate::deviations).toList();
	}

	/** The weights before they were scaled or rounded; null if they are all 0 or 1. */
	double[] given() {
		return weights.kind() == Weights.REAL ? templates.get(0).weights() : null;
	}
}
