package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Pose;

/**
 * The poses that are searched: each angle or rotation with each scale.
 *
 * @param angles in degrees; null for a step from the templates
 * @param scales above 0
 * @param mirrored whether mirrored templates are searched too
 * @param rotations quaternions (w, x, y, z), for 3 dimensions; empty for 2
 */
public record PoseGrid(double[] angles, double[] scales, boolean mirrored, List<double[]> rotations) {

	public PoseGrid {
		Given.nonNull(scales, "list of scales");
		Given.nonNull(rotations, "list of rotations");
	}

	/** All angles with a step from the templates, at scale 1. */
	public static final PoseGrid DEFAULT = new PoseGrid(null, new double[] { 1 }, false, List.of());

	/** The largest number of angles or scales of a range. */
	private static final int MAX = 100_000;
	/** The largest number of poses of a template. */
	private static final int MOST_POSES = 10_000_000;
	/**
	 * So many angles or scales may have any steps. More must move the corner of the largest template by so many pixels from one to the next: matches are
	 * refined between them.
	 */
	private static final int MANY = 1000;
	private static final double FINEST = 0.01;
	/** Two neighbouring angles of the automatic step correlate at least so much at the template. */
	private static final double AUTO_CORRELATION = 0.95;
	private static final double MIN_STEP = 0.1, MAX_STEP = 10, GROWTH = 1.25;

	/** The same grid with other angles; null for a step from the templates. */
	public PoseGrid angles(final double[] newAngles) {
		if (newAngles != null && newAngles.length == 0) throw new IllegalArgumentException("there are no angles: give at least one");
		if (newAngles != null) for (final double a : newAngles)
			if (!Double.isFinite(a)) throw new IllegalArgumentException("the angle is " + a + ": give a finite number of degrees");
		return Components.with(this, PoseGrid::angles, newAngles == null ? null : newAngles.clone());
	}

	/** The same grid with other scales. */
	public PoseGrid scales(final double[] newScales) {
		Given.nonNull(newScales, "list of scales");
		if (newScales.length == 0) throw new IllegalArgumentException("there are no scales: give at least one");
		for (final double s : newScales) requireScale(s);
		return Components.with(this, PoseGrid::scales, newScales.clone());
	}

	/** The same grid with or without mirrored templates. */
	public PoseGrid mirrored(final boolean newMirrored) {
		return Components.with(this, PoseGrid::mirrored, newMirrored);
	}

	/** The same grid with rotations for templates with 3 dimensions. */
	public PoseGrid rotations(final List<double[]> quaternions) {
		Given.list(quaternions, "quaternion");
		return Components.with(this, PoseGrid::rotations, List.copyOf(quaternions));
	}

	private static void requireScale(final double scale) {
		if (!(scale > 0 && scale < Double.POSITIVE_INFINITY)) throw new IllegalArgumentException("the scale is " + scale + ": give a number above 0");
	}

	/** {@code from, from + step, ...} up to {@code to}; without {@code to} if it is a full turn or more from {@code from}. */
	public static double[] angleRange(final double from, final double to, final double step) {
		if (!Double.isFinite(from) || !Double.isFinite(to) || !(from <= to))
			throw new IllegalArgumentException("the angles run from " + from + " to " + to + ": give finite numbers, the smaller one first");
		if (!(step > 0)) throw new IllegalArgumentException("the step of the angles is " + step + ": give a number above 0");
		final double end = Math.min(to, from + 360);
		final double count = Math.floor((end - from) / step + 1e-9) + 1;
		if (count > MAX) throw new IllegalArgumentException("angles from " + from + " to " + to + " in steps of " + step + " are "
			+ "more than " + MAX + ": give a larger step");
		final double[] angles = new double[(int) count];
		for (int i = 0; i < angles.length; i++) angles[i] = from + i * step;
		// a full turn is the same pose as none
		final boolean turn = angles.length > 1 && angles[angles.length - 1] > from + 360 - 1e-6 * step;
		return turn ? Arrays.copyOf(angles, angles.length - 1) : angles;
	}

	/** {@code from, from·factor, from·factor², ...} up to {@code to}. */
	public static double[] scaleRange(final double from, final double to, final double factor) {
		requireScale(from);
		requireScale(to);
		if (!(from <= to)) throw new IllegalArgumentException("the scales run from " + from + " to " + to + ": give the smaller one first");
		if (!(factor > 1)) throw new IllegalArgumentException("the factor between scales is " + factor + ": give a number above 1");
		final double count = Math.floor(Math.log(to / from) / Math.log(factor) + 1e-9) + 1;
		if (count > MAX) throw new IllegalArgumentException("scales from " + from + " to " + to + " by factors of " + factor + " "
			+ "are more than " + MAX + ": give a larger factor");
		final double[] scales = new double[(int) count];
		for (int i = 0; i < scales.length; i++) scales[i] = from * Math.pow(factor, i);
		return scales;
	}

	/** The poses for templates, scale by scale. */
	public List<Pose> poses(final List<Template> templates) {
		final double[] turns = angles != null || !rotations.isEmpty() || templates.get(0).size().dimensions() != 2 ? angles : automatic(templates);
		final double count = (double) scales.length * (mirrored ? 2 : 1) * (rotations.isEmpty() ? turns == null ? 0 : turns.length : rotations.size());
		if (count > MOST_POSES) throw new IllegalArgumentException(String.format(Locale.ROOT,
			"%.0f poses of each template are more than %d: give larger steps or smaller ranges", count, MOST_POSES));
		final double corner = templates.stream().mapToDouble(t -> Math.sqrt(Arrays.stream(t.size().toArray()).mapToDouble(n -> n * n / 4.0).sum())).max().orElse(0);
		requireSteps("scales", scales, corner);
		if (rotations.isEmpty() && turns != null) requireSteps("angles", turns, Math.toRadians(corner) * Arrays.stream(scales).max().orElse(1));
		final List<Pose> poses = new ArrayList<>();
		for (final double scale : scales)
			for (int m = 0; m < (mirrored ? 2 : 1); m++) {
				for (final double[] q : rotations) poses.add(Pose.of(q, scale, m == 1));
				if (rotations.isEmpty() && turns != null) for (final double angle : turns) poses.add(Pose.of(angle, scale, m == 1));
			}
		if (poses.isEmpty()) throw new IllegalArgumentException("there are no rotations for templates with " + templates.get(0).size().dimensions()
			+ " dimensions: give quaternions, or a step for a uniform grid");
		return poses;
	}

	/** Refuses steps that are too fine to tell apart. @param pixels by which the corner of a template moves for a difference of 1 */
	private static void requireSteps(final String what, final double[] values, final double pixels) {
		final double from = Arrays.stream(values).min().orElse(0), to = Arrays.stream(values).max().orElse(0), most = pixels * (to - from) / FINEST + 1;
		if (values.length > MANY && values.length > most) throw new IllegalArgumentException(String.format(Locale.ROOT,
			"%d %s from %s to %s differ by less than %s pixels at the corners of the template, and matches can be refined between "
				+ "them: give larger steps, at most %d %s",
			values.length, what, Math.rint(1e6 * from) / 1e6, Math.rint(1e6 * to) / 1e6, FINEST, Math.max(MANY, (int) most), what));
	}

	/** All angles, with a step with which neighbours still correlate well, for every template. */
	private static double[] automatic(final List<Template> templates) {
		double step = MAX_STEP;
		for (final Template t : templates) step = Math.min(step, step(t));
		return angleRange(0, 360, 360 / Math.ceil(360 / step));
	}

	private static double step(final Template template) {
		final int[] size = template.size().toIntArray();
		if (!(PoseSet.radius(size) >= 1)) return MAX_STEP;
		double step = MIN_STEP;
		while (step * GROWTH < MAX_STEP) {
			final double next = step * GROWTH;
			final PoseSet two = PoseSet.of(List.of(new Template(template.size(), template.type(), template.values(), null, template.channels())),
				List.of(Pose.of(0, 1, false), Pose.of(next, 1, false)), PoseSupport.DISK, 0);
			final PoseFamily f = two.families().get(0);
			double product = 0;
			for (int i = 0; i < f.members.length(); i++) product += (double) f.members.values()[0][i] * f.members.values()[1][i];
			if (product < AUTO_CORRELATION) break;
			step = next;
		}
		return step;
	}

	/**
	 * Rotations that cover all orientations of a body: the directions of the body's axis on a spiral of equal areas (a Fibonacci lattice), with turns about the
	 * axis. Neighbours are about one step apart.
	 *
	 * @param degrees the step, from 2 to 90
	 */
	public static List<double[]> uniformRotations(final double degrees) {
		if (!(degrees >= 2 && degrees <= 90)) throw new IllegalArgumentException("the step of the rotations is " + degrees + " degrees: give a number from 2 to 90");
		final double step = Math.toRadians(degrees);
		final int directions = (int) Math.ceil(4 * Math.PI / (step * step)), turns = (int) Math.ceil(2 * Math.PI / step);
		final double golden = Math.PI * (3 - Math.sqrt(5));
		final List<double[]> all = new ArrayList<>();
		for (int i = 0; i < directions; i++) {
			final double z = 1 - (2 * i + 1.0) / directions, azimuth = i * golden, tilt = Math.acos(z);
			// turns the z axis to the direction, after a turn about z
			final double[] axis = { Math.cos(tilt / 2), -Math.sin(tilt / 2) * Math.sin(azimuth), Math.sin(tilt / 2) * Math.cos(azimuth), 0 };
			for (int k = 0; k < turns; k++) {
				final double half = Math.PI * k / turns;
				all.add(PoseRefinement.product(axis, new double[] { Math.cos(half), 0, 0, Math.sin(half) }));
			}
		}
		return all;
	}

	/** The quaternion of a rotation about the axes z, then x, then z of the image, in degrees, each axis fixed: {@code Rz(third)·Rx(second)·Rz(first)}. */
	public static double[] euler(final double first, final double second, final double third) {
		final double a = Math.toRadians(first) / 2, b = Math.toRadians(second) / 2, c = Math.toRadians(third) / 2;
		return PoseRefinement.product(new double[] { Math.cos(c), 0, 0, Math.sin(c) },
			PoseRefinement.product(new double[] { Math.cos(b), Math.sin(b), 0, 0 }, new double[] { Math.cos(a), 0, 0, Math.sin(a) }));
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
