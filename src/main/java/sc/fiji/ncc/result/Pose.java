package sc.fiji.ncc.result;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * A rotation, a scale and a reflection of a template. The pixel of the template at the offset {@code v} from the template's centre is found in the image at
 * the offset {@code u = scale·R·F·v} from the centre of the match. F changes the sign of x if the template is mirrored, and R is the rotation.
 *
 * @param angle in degrees. In two dimensions counter-clockwise as seen on the screen, where y points down, of the object in the image against the template. In
 *        three dimensions the angle of the rotation about its axis, from 0 to 180
 * @param scale the size of the object in the image divided by its size in the template
 * @param mirrored whether the template is mirrored from left to right before it is rotated
 * @param rotation in three dimensions the unit quaternion (w, x, y, z) of the rotation, in the axes x, y, z of the image; null in two dimensions
 */
public record Pose(double angle, double scale, boolean mirrored, double[] rotation) implements Serializable {

	public Pose {
		if (!Double.isFinite(angle)) throw new IllegalArgumentException("the angle is " + angle + ": give a finite number of degrees");
		if (!(scale > 0 && scale < Double.POSITIVE_INFINITY)) throw new IllegalArgumentException("the scale is " + scale + ": give a number above 0");
		if (rotation != null) {
			if (rotation.length != 4) throw new IllegalArgumentException("the rotation has " + rotation.length + " numbers: give a quaternion w, x, y, z");
			rotation = rotation.clone();
			double norm = 0;
			for (final double q : rotation) norm += q * q;
			if (!(norm > 0 && norm < Double.POSITIVE_INFINITY))
				throw new IllegalArgumentException("the quaternion " + Arrays.toString(rotation) + " is no rotation: give four finite numbers that are not all 0");
			for (int i = 0; i < 4; i++) rotation[i] /= Math.sqrt(norm);
		}
	}

	/** A pose in two dimensions. */
	public static Pose of(final double angle, final double scale, final boolean mirrored) {
		return new Pose(angle, scale, mirrored, null);
	}

	/** A pose in three dimensions. The quaternion need not have length 1. */
	public static Pose of(final double[] quaternion, final double scale, final boolean mirrored) {
		Given.nonNull(quaternion, "quaternion");
		final double length = Math.sqrt(Arrays.stream(quaternion).map(q -> q * q).sum());
		return new Pose(length > 0 ? Math.toDegrees(2 * Math.acos(Math.min(1, Math.abs(quaternion[0]) / length))) : 0, scale, mirrored, quaternion);
	}

	/** The matrix from offsets in the image to offsets in the template, {@code (scale·R·F)⁻¹}, row by row. */
	public double[][] toTemplate() {
		final double[][] r = rotation == null ? planar() : spatial();
		final int n = r.length;
		final double[][] m = new double[n][n];
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) m[i][j] = (mirrored && i == 0 ? -1 : 1) * r[j][i] / scale;
		return m;
	}

	/** The matrix from offsets in the template to offsets in the image, {@code scale·R·F}, row by row. */
	public double[][] toImage() {
		final double[][] r = rotation == null ? planar() : spatial();
		for (final double[] row : r)
			for (int j = 0; j < r.length; j++) row[j] *= (mirrored && j == 0 ? -1 : 1) * scale;
		return r;
	}

	private double[][] planar() {
		final double turn = angle % 360, a = Math.toRadians(turn);
		// exact for quarter turns
		final double c = turn % 90 == 0 ? Math.rint(Math.cos(a)) : Math.cos(a), s = turn % 90 == 0 ? Math.rint(Math.sin(a)) : Math.sin(a);
		return new double[][] { { c, s }, { -s, c } };
	}

	private double[][] spatial() {
		final double w = rotation[0], x = rotation[1], y = rotation[2], z = rotation[3];
		return new double[][] { { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
			{ 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) }, { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) } };
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "%.6g degrees, scale %.6g", Math.abs(angle) < 1e-9 ? 0 : angle, scale) + (mirrored ? ", mirrored" : "")
			+ (rotation == null ? "" : ", quaternion " + Arrays.toString(rotation));
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}
}
