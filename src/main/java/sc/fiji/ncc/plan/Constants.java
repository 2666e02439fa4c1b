package sc.fiji.ncc.plan;

/**
 * What the cost models of a device are made of, in seconds: each constant is asked for by its name, with the value that ships. A model asks
 * again whenever it predicts, and for whatever it likes: a calibration learns from that which constants there are (see {@link CostCalibration}).
 */
public interface Constants {

	/** Nothing was measured on this machine. */
	Constants SHIPPED = new Constants() {

		@Override
		public double get(final String name, final double shipped) {
			return shipped;
		}
	};

	/**
	 * @param name lower case, unique among the models of a device, without blanks
	 * @param shipped what holds on a machine that was never calibrated, above 0
	 * @return what was measured in its place, or {@code shipped}
	 */
	double get(String name, double shipped);
}
