package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Pose;

/**
 * All poses of all templates, in families that share a support.
 *
 * @param templates the templates
 * @param poses the poses, the same for each template; repeated for each template
 * @param families the families, in the order of their poses
 * @param inner the inner radius of the support as a share of the outer one
 * @param whole whether the support is the whole template
 */
public record PoseSet(List<Template> templates, List<Pose> poses, List<PoseFamily> families, double inner, boolean whole) {

	/** The bytes of the objects of a pose besides its pixels. */
	private static final int POSE_BYTES = 300;

	/**
	 * Samples all poses.
	 *
	 * @param poses the poses of each template
	 * @throws IllegalArgumentException if a template is too small for a disk, or if a pose has no contrast
	 */
	public static PoseSet of(final List<Template> templates, final List<Pose> poses, final PoseSupport support, final double inner) {
		return of(templates, poses, support, inner, new Parallel(1), () -> {});
	}

	/**
	 * The same by several threads.
	 *
	 * @param check called for each pose; an exception ends the sampling
	 */
	public static PoseSet of(final List<Template> templates, final List<Pose> poses, final PoseSupport support, final double inner,
		final Parallel threads, final Runnable check)
	{
		if (poses.isEmpty()) throw new IllegalArgumentException("there are no poses: give at least one angle and one scale");
		final int n = templates.get(0).size().dimensions();
		final boolean spatial = poses.get(0).rotation() != null;
		if (n != 2 && n != 3) throw new IllegalArgumentException("a template with " + n
			+ " dimensions cannot be rotated: give templates with 2 or 3 dimensions");
		if (spatial != (n == 3)) throw new IllegalArgumentException("the templates have " + n + " dimensions, the poses are "
			+ (spatial ? "quaternions" : "angles") + ": give angles for 2 dimensions, and rotations for 3");
		final boolean whole = switch (support) {
			case WHOLE -> true;
			case DISK, RING -> false;
		};
		final double hole = switch (support) {
			case RING -> inner;
			case DISK, WHOLE -> 0;
		};
		final List<Pose> all = new ArrayList<>();
		final List<PoseFamily> families = new ArrayList<>();
		for (final Template template : templates) if (!whole) requireDisk(template, template.size().toIntArray());
		requireMemory(templates, poses, whole, Runtime.getRuntime().maxMemory());
		for (int t = 0; t < templates.size(); t++) {
			final Template template = templates.get(t);
			final int[] size = template.size().toIntArray();
			final double[] filled = filled(template);
			for (int from = 0; from < poses.size();) {
				check.run();
				final double scale = poses.get(from).scale();
				int to = from;
				while (to < poses.size() && poses.get(to).scale() == scale) to++;
				final List<TemplateSpline> splines = splines(filled, template, scale);
				if (whole) for (int p = from; p < to; p++) {
					final Pose pose = poses.get(p);
					families.add(new PoseFamily(t, template, splines, wide(SupportPixels.whole(size, template.weights(), pose), size, pose),
						List.of(pose), all.size() + p, threads, check));
				}
				else {
					final SupportPixels ball = wide(SupportPixels.ball(size, hole * scale * radius(size), scale * radius(size)),
						size, poses.get(from));
					families.add(new PoseFamily(t, template, splines, ball, poses.subList(from, to), all.size() + from, threads, check));
				}
				from = to;
			}
			all.addAll(poses);
		}
		return new PoseSet(templates, List.copyOf(all), List.copyOf(families), hole, whole);
	}

	/**
	 * Refuses poses whose pixels do not fit the memory, before one of them is sampled.
	 *
	 * @param memory the bytes of the Java heap
	 */
	static void requireMemory(final List<Template> templates, final List<Pose> poses, final boolean whole, final long memory) {
		double bytes = 0;
		for (final Template template : templates) {
			final int[] size = template.size().toIntArray();
			double scale = Double.NaN;
			for (final Pose pose : poses) {
				double box = 1;
				for (final int extent : size) box *= pose.scale() * (whole ? extent : 2 * radius(size)) + 1;
				if (box > Integer.MAX_VALUE - 8) throw new IllegalArgumentException(String.format(Locale.ROOT,
					"the template of %s has %.2g pixels at scale %s, above %d: give smaller scales", template.size(), box, pose.scale(),
					Integer.MAX_VALUE - 8));
				bytes += POSE_BYTES + box * template.channels() * Float.BYTES;
				// the pixels of the support, and the spline
				if (whole || pose.scale() != scale) bytes += POSE_BYTES + box * Integer.BYTES
					+ (double) template.values().length * Double.BYTES;
				scale = pose.scale();
			}
		}
		if (bytes > memory) throw new IllegalArgumentException(String.format(Locale.ROOT,
			"%d poses of %d template(s) take %.3g GB of memory, and Java has %.3g GB: give larger steps, a smaller "
			+ "range of scales, or Java more memory, as in java -Xmx16g", poses.size(), templates.size(), bytes / 1e9, memory / 1e9));
	}

	private static void requireDisk(final Template template, final int[] size) {
		if (radius(size) < 1) throw new IllegalArgumentException("the template of " + template.size()
			+ " is too small for a disk: give a template of at least 3 pixels along each dimension");
		if (template.weights() != null) throw new IllegalArgumentException("the template of " + template.size()
			+ " has a mask, which the support disk does not use: use the support whole, or a template without a mask");
	}

	private static SupportPixels wide(final SupportPixels support, final int[] size, final Pose pose) {
		if (support.pixels().length < SupportPixels.MIN_PIXELS)
			throw new IllegalArgumentException("the support of the template of " + Arrays.toString(size) + " at " + pose + " has "
			+ support.pixels().length + " pixels: at least " + SupportPixels.MIN_PIXELS
			+ " are needed; give a larger template or a larger scale");
		return support;
	}

	/** One spline per channel. */
	private static List<TemplateSpline> splines(final double[] values, final Template template, final double scale) {
		final int n = values.length / template.channels();
		final List<TemplateSpline> splines = new ArrayList<>();
		for (int c = 0; c < template.channels(); c++)
			splines.add(new TemplateSpline(Arrays.copyOfRange(values, c * n, (c + 1) * n), template.size().toIntArray(), scale));
		return splines;
	}

	/** The pixels of a template. Those without weight get the mean of their channel, because the spline runs through all. */
	private static double[] filled(final Template template) {
		final double[] v = template.values().clone();
		if (template.weights() == null) return v;
		final int count = v.length / template.channels();
		for (int first = 0; first < v.length; first += count) {
			double sum = 0, n = 0;
			for (int i = first; i < first + count; i++)
				if (template.weight(i) > 0) {
					sum += v[i];
					n++;
				}
			for (int i = first; i < first + count; i++)
				if (template.weight(i) == 0) v[i] = sum / n;
		}
		return v;
	}

	/** Poses of a template on its disk or ball, without a basis. */
	public static BoundedBank.Family family(final Size template, final int poses) {
		final int[] size = template.toIntArray();
		final SupportPixels disk = SupportPixels.ball(size, 0, radius(size));
		return new BoundedBank.Family(Size.of(Arrays.stream(disk.box()).asLongStream().toArray()), disk.pixels().length, poses, null);
	}

	/** The radius of the largest disk through pixels of a template. */
	static double radius(final int[] size) {
		return (Arrays.stream(size).min().orElse(1) - 1) / 2.0;
	}

	int[] size(final int template) {
		return templates.get(template).size().toIntArray();
	}

	/** The same poses without the families whose support is larger than the image. */
	public PoseSet fitting(final long[] image) {
		final List<PoseFamily> fitting = families.stream().filter(f -> {
			for (int d = 0; d < f.shift.length; d++) if (f.lags(d, image) < 1) return false;
			return true;
		}).toList();
		if (fitting.isEmpty()) throw new IllegalArgumentException("the support of " + families.get(0).poses.get(0) + " needs "
			+ Arrays.toString(families.get(0).support.box()) + " pixels, the image has " + Arrays.toString(image)
			+ ": give a smaller template or smaller scales");
		return fitting.size() == families.size() ? this : new PoseSet(templates, poses, fitting, inner, whole);
	}

	/** The bytes of memory of all poses. */
	public long bytes() {
		return families.stream().mapToLong(f -> 4L * f.poses.size() * f.members.length()).sum();
	}

	PoseFamily family(final int pose) {
		for (final PoseFamily f : families)
			if (pose >= f.first && pose < f.first + f.poses.size()) return f;
		throw new IllegalStateException("internal error: no family has the pose " + pose);
	}

	/** Whether an offset from a template's centre lies in its support. */
	Predicate<double[]> support(final int template) {
		final int[] size = size(template);
		if (!whole) {
			final double outer = radius(size);
			return offset -> {
				double r = 0;
				for (final double o : offset) r += o * o;
				return Math.sqrt(r) <= outer + 1e-9 && Math.sqrt(r) >= inner * outer;
			};
		}
		final Template weighted = templates.get(template);
		return offset -> {
			int index = 0;
			for (int d = size.length - 1; d >= 0; d--) {
				final double half = (size[d] - 1) / 2.0;
				if (Math.abs(offset[d]) > half + 1e-9) return false;
				index = index * size[d] + (int) Math.round(offset[d] + half);
			}
			return weighted.weight(index) > 0;
		};
	}

	/** The largest distance of a rotation from the next one, in degrees, and that of the logarithm of a scale. */
	double[] step() {
		final List<Pose> own = poses.subList(0, poses.size() / templates.size());
		double scale = 0, angle = 0;
		final double[] scales = own.stream().mapToDouble(p -> Math.log(p.scale())).sorted().distinct().toArray();
		for (int i = 1; i < scales.length; i++) scale = Math.max(scale, scales[i] - scales[i - 1]);
		if (own.get(0).rotation() == null) {
			final double[] angles = own.stream().mapToDouble(Pose::angle).sorted().distinct().toArray();
			for (int i = 1; i < angles.length; i++) angle = Math.max(angle, angles[i] - angles[i - 1]);
			return new double[] { angle, scale };
		}
		final double[][] q = own.stream().filter(p -> p.scale() == own.get(0).scale() && p.mirrored() == own.get(0).mirrored())
			.map(Pose::rotation).toArray(double[][]::new);
		double least = 1;
		for (int i = 0; i < q.length && q.length > 1; i++) {
			double nearest = 0;
			for (int k = 0; k < q.length; k++)
				if (k != i) nearest = Math.max(nearest,
					Math.abs(q[i][0] * q[k][0] + q[i][1] * q[k][1] + q[i][2] * q[k][2] + q[i][3] * q[k][3]));
			least = Math.min(least, nearest);
		}
		return new double[] { Math.toDegrees(2 * Math.acos(Math.min(1, least))), scale };
	}
}
