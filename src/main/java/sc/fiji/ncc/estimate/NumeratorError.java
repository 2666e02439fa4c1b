package sc.fiji.ncc.estimate;

/**
 * The estimated error of a row of numerators, stated as the windows for which a response stays within the tolerance. With a window's mean μ about the
 * reference and its variance σ², these have {@code N·σ² > floor + minVariance + N·μ²/limit}.
 */
public interface NumeratorError {

	/** That of exact numerators. */
	NumeratorError NONE = new NumeratorError() {

		@Override
		public double limit() {
			return Double.POSITIVE_INFINITY;
		}

		@Override
		public double floor() {
			return 0;
		}

		@Override
		public double partialLimit(final double share, final double contrast) {
			return Double.POSITIVE_INFINITY;
		}
	};

	/** The maximum μ²/σ² of a window at which the estimated error stays below the tolerance. */
	double limit();

	/** The minimum N·σ² that is not lost to underflow. */
	double floor();

	/** The minimum N·σ² at which the estimated error stays below the tolerance, for each lag of the row. Default: null, none. */
	default double[] minVariance() {
		return null;
	}

	/**
	 * The maximum of {@code (1 + μ²/σ²)·(1 + m²/τ²) - 1} where only a part of the template lies inside the image, m and τ² the mean and variance of that part.
	 *
	 * @param share the part's share of the weight
	 * @param contrast the part's share of {@code N·τ²}
	 */
	double partialLimit(double share, double contrast);
}
