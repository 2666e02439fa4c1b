package sc.fiji.ncc.numeric;

import java.util.Arrays;
import java.util.stream.IntStream;

import sc.fiji.ncc.plan.Template;

/**
 * The joint correlation coefficient of several channels: covariance and variances are those of {@link ExactScore}, each channel about its own mean, added
 * up over the channels. The result lies within a few 1e-16 of the exact one. Not safe for use by several threads at once.
 */
public final class JointScore implements WindowCoefficient {

	/** The sums of one channel: of squares and products of deviations, which were multiplied by a power of two. */
	static final class Sums {

		private double scaleP, scaleT, covariance, varianceP, varianceT;

		void set(final double ofWindow, final double ofTemplate, final double covariance, final double varianceP, final double varianceT) {
			scaleP = ofWindow;
			scaleT = ofTemplate;
			this.covariance = covariance;
			this.varianceP = varianceP;
			this.varianceT = varianceT;
		}
	}

	private final ExactScore[] channels;
	private final Sums[] sums;

	/** @throws IllegalArgumentException if a value of positive weight is NaN or infinite */
	public JointScore(final Template template) {
		channels = IntStream.range(0, template.channels()).mapToObj(c -> new ExactScore(template.channel(c))).toArray(ExactScore[]::new);
		sums = IntStream.range(0, channels.length).mapToObj(c -> new Sums()).toArray(Sums[]::new);
	}

	@Override
	public double score(final double[] window) {
		return score(window, null);
	}

	/** NaN if all pixels of the window or of the template are equal in each channel, if one of the window is NaN or infinite, or if no weight is positive. */
	@Override
	public double score(final double[] window, final double[] weights) {
		final int n = window.length / channels.length;
		double scaleP = Double.POSITIVE_INFINITY, scaleT = Double.POSITIVE_INFINITY;
		for (int c = 0; c < channels.length; c++) {
			if (!channels[c].sums(Arrays.copyOfRange(window, c * n, (c + 1) * n), weights, sums[c])) return Double.NaN;
			if (sums[c].varianceP > 0) scaleP = Math.min(scaleP, sums[c].scaleP);
			if (sums[c].varianceT > 0) scaleT = Math.min(scaleT, sums[c].scaleT);
		}
		if (scaleP == Double.POSITIVE_INFINITY || scaleT == Double.POSITIVE_INFINITY) return Double.NaN;
		double covariance = 0, varianceP = 0, varianceT = 0;
		for (final Sums s : sums) {
			// powers of two; a channel that underflows is too faint to matter
			final double p = s.varianceP > 0 ? scaleP / s.scaleP : 0, t = s.varianceT > 0 ? scaleT / s.scaleT : 0;
			covariance += s.covariance * p * t;
			varianceP += s.varianceP * p * p;
			varianceT += s.varianceT * t * t;
		}
		return ExactScore.ratio(covariance, varianceP, varianceT);
	}
}
