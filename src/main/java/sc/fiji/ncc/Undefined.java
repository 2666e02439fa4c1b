package sc.fiji.ncc;

/**
 * The value of an undefined response. A window is undefined if all its pixels of positive weight are equal, or if one of them is NaN or infinite. No other
 * window is undefined.
 */
public enum Undefined {
	ZERO(0), NAN(Float.NaN);

	public final float value;

	Undefined(final float value) {
		this.value = value;
	}
}
