package sc.fiji.ncc.plan;

/**
 * The constants of a device's cost models, in seconds. A model requests each constant by name and passes its shipped value. It requests them
 * again for every prediction, so {@link sc.fiji.ncc.planner.CostCalibration} can find out which constants exist.
 */
public interface Constants {

	/** The shipped constants, without measurements on this machine. */
	Constants SHIPPED = new Constants() {

		@Override
		public double get(final String name, final double shipped) {
			return shipped;
		}
	};

	/**
	 * @param name lower case, unique among the models of a device, without blanks
	 * @param shipped the value for a machine without a calibration, above 0
	 * @return the value measured on this machine, or {@code shipped}
	 */
	double get(String name, double shipped);
}
