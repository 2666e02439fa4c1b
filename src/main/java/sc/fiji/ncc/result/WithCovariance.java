package sc.fiji.ncc.result;

/** A measured position or shift with the covariance of its error. */
public interface WithCovariance {

	/** The covariance, in square pixels, one row per dimension; null if it is unknown. */
	double[][] covariance();

	/** The standard deviation along a dimension, in pixels; NaN without a covariance. */
	default double sigma(final int d) {
		return covariance() == null ? Double.NaN : Math.sqrt(covariance()[d][d]);
	}

	/** The correlation of the errors along two dimensions; NaN without a covariance, and without an error, as of a reference frame. */
	default double correlation(final int d, final int e) {
		return covariance() == null ? Double.NaN : covariance()[d][e] / Math.sqrt(covariance()[d][d] * covariance()[e][e]);
	}
}
