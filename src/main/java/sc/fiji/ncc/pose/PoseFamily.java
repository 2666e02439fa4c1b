package sc.fiji.ncc.pose;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Pose;

/** Poses of one template that share one support: all angles of one scale, for a disk. */
final class PoseFamily {

	/** The least share of the template's range that the contrast of a pose must have. */
	private static final double MIN_CONTRAST = 1e-6;

	/** The index of the template. */
	final int template;
	final Support support;
	final List<Pose> poses;
	/** The number of the first pose among those of all families. */
	final int first;
	/** The poses' pixels on the support, of zero mean and unit norm except for rounding to float. */
	final float[][] values;
	/** The exact factor that makes the norm of each pose 1. */
	final double[] gain;
	final TemplateSpline spline;
	/** The first pixel of the support's box minus the first pixel of the template's box. */
	final long[] shift;

	PoseFamily(final int template, final Template source, final TemplateSpline spline, final Support support, final List<Pose> poses, final int first,
		final Runnable check)
	{
		this.template = template;
		this.spline = spline;
		this.support = support;
		this.poses = poses;
		this.first = first;
		values = new float[poses.size()][];
		gain = new double[poses.size()];
		double min = Double.POSITIVE_INFINITY, max = Double.NEGATIVE_INFINITY;
		for (int i = 0; i < source.values().length; i++)
			if (source.weight(i) > 0) {
				min = Math.min(min, source.values()[i]);
				max = Math.max(max, source.values()[i]);
			}
		final double range = max - min;
		for (int p = 0; p < values.length; p++) {
			check.run();
			final double[] v = sampled(spline, support, poses.get(p), new double[support.box().length]);
			if (!(normalise(v) > MIN_CONTRAST * range * Math.sqrt(v.length))) throw new IllegalArgumentException("template " + template + " of " + source.size()
				+ " has no contrast within the support at " + poses.get(p) + ": choose a template with contrast near its centre, or the support whole");
			values[p] = new float[v.length];
			for (int i = 0; i < v.length; i++) values[p][i] = (float) v[i];
			gain[p] = 1 / norm(values[p]);
		}
		shift = new long[support.box().length];
		for (int d = 0; d < shift.length; d++) shift[d] = (source.size().get(d) - support.box()[d]) / 2;
	}

	/**
	 * The template's values under a support.
	 *
	 * @param centre the offset of the pose's centre from the support's centre
	 */
	static double[] sampled(final TemplateSpline spline, final Support support, final Pose pose, final double[] centre) {
		final int n = centre.length;
		final double[][] m = pose.toTemplate();
		final double[] v = new double[support.pixels().length], u = new double[n], at = new double[n];
		for (int i = 0; i < v.length; i++) {
			support.offset(support.pixels()[i], u);
			for (int r = 0; r < n; r++) {
				at[r] = 0;
				for (int c = 0; c < n; c++) at[r] += m[r][c] * (u[c] - centre[c]);
			}
			v[i] = spline.at(at, null);
		}
		return v;
	}

	/** Gives numbers zero mean and unit norm, and returns the norm before; 0 if all are equal. */
	static double normalise(final double[] v) {
		for (int pass = 0; pass < 2; pass++) {
			double mean = 0;
			for (final double x : v) mean += x;
			mean /= v.length;
			for (int i = 0; i < v.length; i++) v[i] -= mean;
		}
		double max = 0;
		for (final double x : v) max = Math.max(max, Math.abs(x));
		if (!(max > 0)) return 0;
		double energy = 0;
		for (final double x : v) energy += x / max * (x / max);
		final double norm = max * Math.sqrt(energy);
		for (int i = 0; i < v.length; i++) v[i] /= norm;
		return norm;
	}

	private static double norm(final float[] v) {
		double sum = 0, energy = 0;
		for (final float x : v) {
			sum += x;
			energy += (double) x * x;
		}
		return Math.sqrt(energy - sum * sum / v.length);
	}

	/** A pose as a template for the engine. */
	Template template(final int pose, final double[] weights) {
		return template(values[pose], weights);
	}

	/** Numbers on the support as a template for the engine. */
	Template template(final float[] onSupport, final double[] weights) {
		final long[] size = Arrays.stream(support.box()).asLongStream().toArray();
		final double[] all = new double[(int) Size.of(size).pixels()];
		for (int i = 0; i < onSupport.length; i++) all[support.pixels()[i]] = onSupport[i];
		return new Template(Size.of(size), PixelType.F32, all, weights);
	}

	/** The number of lags along a dimension of an image. */
	long lags(final int d, final long[] image) {
		return image[d] - support.box()[d] + 1;
	}
}
