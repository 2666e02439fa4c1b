package sc.fiji.ncc.pose;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.bounded.MemberWindow;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.bank.Members;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Pose;

/** Poses of one template that share one support: all angles of one scale, for a disk. */
final class PoseFamily {

	/** The least share of the template's range that the contrast of a pose must have. */
	private static final double MIN_CONTRAST = 1e-6;

	/** The index of the template. */
	final int template;
	final SupportPixels support;
	final List<Pose> poses;
	/** The number of the first pose among those of all families. */
	final int first;
	/** The number of channels, which give one joint score. */
	final int channels;
	/** The poses' pixels on the support. */
	final Members members;
	/** One per channel. */
	final List<TemplateSpline> splines;
	/** The first pixel of the support's box minus the first pixel of the template's box. */
	final long[] shift;

	/**
	 * Samples the poses, each by one thread.
	 *
	 * @param check called for each pose; an exception ends the sampling
	 */
	PoseFamily(final int template, final Template source, final List<TemplateSpline> splines, final SupportPixels support, final List<Pose> poses, final int first,
		final Parallel threads, final Runnable check)
	{
		this.template = template;
		this.splines = splines;
		channels = source.channels();
		this.support = support;
		this.poses = poses;
		this.first = first;
		final float[][] values = new float[poses.size()][];
		final double[] gain = new double[poses.size()], contrast = new double[poses.size()];
		threads.each(values.length, p -> {
			check.run();
			final double[] v = sampled(poses.get(p));
			contrast[p] = MemberWindow.normalise(v, channels);
			values[p] = new float[v.length];
			for (int i = 0; i < v.length; i++) values[p][i] = (float) v[i];
			gain[p] = 1 / norm(values[p], channels);
		});
		final double least = MIN_CONTRAST * range(source) * Math.sqrt(channels * support.pixels().length);
		for (int p = 0; p < values.length; p++) if (!(contrast[p] > least)) throw new IllegalArgumentException("template "
			+ (template + 1) + " of " + source.size()
			+ " has no contrast within the support at " + poses.get(p) + ": choose a template with contrast near its centre, or the support whole");
		members = new Members(Size.of(Arrays.stream(support.box()).asLongStream().toArray()), support.pixels(), channels, values, gain, null);
		shift = new long[support.box().length];
		for (int d = 0; d < shift.length; d++) shift[d] = (source.size().get(d) - support.box()[d]) / 2;
	}

	/** The largest range of a channel's pixels. */
	private static double range(final Template source) {
		final int n = source.values().length / source.channels();
		double range = 0;
		for (int c = 0; c < source.channels(); c++) {
			double min = Double.POSITIVE_INFINITY, max = Double.NEGATIVE_INFINITY;
			for (int i = c * n; i < (c + 1) * n; i++)
				if (source.weight(i) > 0) {
					min = Math.min(min, source.values()[i]);
					max = Math.max(max, source.values()[i]);
				}
			range = Math.max(range, max - min);
		}
		return range;
	}

	/** The template's values under the support. */
	private double[] sampled(final Pose pose) {
		final int n = support.box().length, count = support.pixels().length;
		final double[][] m = pose.toTemplate();
		final double[] v = new double[channels * count], u = new double[n], at = new double[n];
		// with work space of this thread
		final List<TemplateSpline> own = splines.stream().map(TemplateSpline::copy).toList();
		for (int i = 0; i < count; i++) {
			support.offset(support.pixels()[i], u);
			for (int r = 0; r < n; r++) {
				at[r] = 0;
				for (int c = 0; c < n; c++) at[r] += m[r][c] * u[c];
			}
			for (int c = 0; c < channels; c++) v[c * count + i] = own.get(c).at(at, null);
		}
		return v;
	}

	private static double norm(final float[] v, final int channels) {
		final int n = v.length / channels;
		double energy = 0;
		for (int c = 0; c < channels; c++) {
			double sum = 0;
			for (int i = c * n; i < (c + 1) * n; i++) {
				sum += v[i];
				energy += (double) v[i] * v[i];
			}
			energy -= sum * sum / n;
		}
		return Math.sqrt(energy);
	}

	/** The number of lags along a dimension of an image. */
	long lags(final int d, final long[] image) {
		return image[d] - support.box()[d] + 1;
	}
}
