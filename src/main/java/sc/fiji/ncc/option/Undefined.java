package sc.fiji.ncc.option;

/**
 * The value of an undefined response. A window is undefined if all its pixels of positive weight are equal, or if one of them is NaN or infinite. No other
 * window is undefined.
 */
public enum Undefined {
	/** Undefined responses have the value 0. Default for a correlation. */
	ZERO(0),
	/** Undefined responses have the value NaN. Default for a {@link sc.fiji.ncc.Convolution}. */
	NAN(Float.NaN);

	/** The value of an undefined response. */
	public final float value;

	Undefined(final float value) {
		this.value = value;
	}
}
