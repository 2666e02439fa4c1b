package sc.fiji.ncc.front;

/** Numbers in tables. */
public final class ShownNumber {

	/** Below this, positions and shifts in pixels and angles in degrees are rounding errors: refinements stop at such steps. */
	private static final double ROUNDING = 1e-7;

	private ShownNumber() {}

	/**
	 * A position, shift, angle, component of a rotation or standard deviation for a table.
	 *
	 * @return 0 if the magnitude is below 1e-7, and in place of -0; otherwise the number itself
	 */
	public static double of(final double number) {
		return Math.abs(number) < ROUNDING ? 0 : number;
	}
}
