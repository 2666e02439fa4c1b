package sc.fiji.ncc.motion;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A quantity that follows from the motion of each window, or from the derivatives of the motion. Derivatives are central differences between the neighbours
 * of a window along an axis, or one-sided differences at the border and beside unknown motion. They are in pixels of motion per pixel, so they have no unit.
 * The motion is that between two frames: divide by the frame interval for rates. Complexity: linear in the number of windows.
 * <p>
 * See M. Raffel et al., <i>Particle Image Velocimetry</i>, 3rd ed., section 7.4 (DOI 10.1007/978-3-319-68852-7).
 */
public enum FieldMap {

	/** The length of the motion in pixels. */
	SPEED(2) {

		@Override
		double value(final double[] motion, final double[][] d) {
			return Math.sqrt(Arrays.stream(motion).map(u -> u * u).sum());
		}
	},

	/** ∂u/∂x + ∂v/∂y (+ ∂w/∂z): the relative growth of the area or volume. */
	DIVERGENCE(2) {

		@Override
		double value(final double[] motion, final double[][] d) {
			double sum = 0;
			for (int i = 0; i < d.length; i++) sum += d[i][i];
			return sum;
		}
	},

	/**
	 * In planes ∂v/∂x - ∂u/∂y, which is twice the angle of the rotation in radians; positive numbers turn x towards y, clockwise on the screen. In
	 * volumes the length of the curl.
	 */
	VORTICITY(2) {

		@Override
		double value(final double[] motion, final double[][] d) {
			final double aboutZ = d[1][0] - d[0][1];
			return d.length == 2 ? aboutZ : Math.sqrt(aboutZ * aboutZ + square(d[2][1] - d[1][2]) + square(d[0][2] - d[2][0]));
		}
	},

	/** ∂u/∂x. */
	STRAIN_XX(2),
	/** ∂v/∂y. */
	STRAIN_YY(2),
	/** (∂u/∂y + ∂v/∂x)/2. */
	STRAIN_XY(2),
	/** ∂w/∂z. */
	STRAIN_ZZ(3),
	/** (∂u/∂z + ∂w/∂x)/2. */
	STRAIN_XZ(3),
	/** (∂v/∂z + ∂w/∂y)/2. */
	STRAIN_YZ(3);

	private final int dimensions;

	/** @param dimensions the smallest number of dimensions of a field with this map */
	FieldMap(final int dimensions) {
		this.dimensions = dimensions;
	}

	/** The maps of fields with a number of dimensions. */
	public static List<FieldMap> of(final int dimensions) {
		return Arrays.stream(values()).filter(m -> m.dimensions <= dimensions).toList();
	}

	/**
	 * The value at each window, x fastest.
	 *
	 * @return NaN where the motion, or that of all neighbours along an axis, is unknown
	 * @throws IllegalArgumentException if the field has too few dimensions
	 */
	public double[] of(final VectorField field) {
		final int n = field.grid().dimensions();
		if (n < dimensions) throw new IllegalArgumentException("a field of " + n + " dimensions has no map " + this);
		final double[][] motion = new double[n][];
		for (int i = 0; i < n; i++) motion[i] = field.component(i);
		final double[] values = new double[field.vectors().size()];
		for (int w = 0; w < values.length; w++) {
			final double[] here = new double[n];
			for (int i = 0; i < n; i++) here[i] = motion[i][w];
			values[w] = Double.isNaN(here[0]) ? Double.NaN : value(here, this == SPEED ? null : derivatives(field.grid(), motion, w));
		}
		return values;
	}

	/**
	 * The value at a window. Default: a component of the strain.
	 *
	 * @param d the derivative of each component of the motion along each axis
	 */
	double value(final double[] motion, final double[][] d) {
		final int row = name().charAt(name().length() - 2) - 'X', column = name().charAt(name().length() - 1) - 'X';
		return (d[row][column] + d[column][row]) / 2;
	}

	private static double[][] derivatives(final WindowGrid grid, final double[][] motion, final int window) {
		final int n = motion.length;
		final int[] count = grid.count(), place = grid.place(window);
		final double[][] d = new double[n][n];
		for (int axis = 0, stride = 1; axis < n; stride *= count[axis++]) {
			final int before = place[axis] > 0 && isKnown(motion, window - stride) ? 1 : 0, after = place[axis] < count[axis] - 1 && isKnown(motion, window + stride)
				? 1 : 0;
			// without a neighbour 0/0: unknown
			for (int i = 0; i < n; i++)
				d[i][axis] = (motion[i][window + after * stride] - motion[i][window - before * stride]) / ((before + after) * (double) grid.spacing().get(axis));
		}
		return d;
	}

	private static boolean isKnown(final double[][] motion, final int window) {
		return !Double.isNaN(motion[0][window]);
	}

	private static double square(final double v) {
		return v * v;
	}

	/** For example {@code strain-xy}. */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}
}
