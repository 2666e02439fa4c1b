package sc.fiji.ncc;

/**
 * What an undefined response reads. A window is undefined exactly if all its pixels of positive weight are equal, or one of them is
 * NaN or infinite.
 */
public enum Undefined {
	ZERO(0), NAN(Float.NaN);

	public final float value;

	Undefined(final float value) {
		this.value = value;
	}
}
