package sc.fiji.ncc.plan.deform;

import java.util.function.Supplier;

/** What frames are compared with: the values of the area of all windows at each level. Several threads may use it. */
public final class DeformReference {

	private final float[][] values;
	private final boolean several;
	private Object prepared;
	private Class<?> by;

	/**
	 * @param values for each level of {@link Level#of} those of its area, x fastest; NaN for missing pixels. Those of the last level serve the
	 * search, and executions do not use them. They stay as they are
	 * @param several whether several frames are compared with it
	 */
	public DeformReference(final float[][] values, final boolean several) {
		this.values = values.clone();
		this.several = several;
	}

	/** The values of a level. */
	public float[] values(final int level) {
		return values[level];
	}

	/** Whether several frames are compared with it. */
	public boolean several() {
		return several;
	}

	/** What executions of one class made of the values, made at the first call. */
	public synchronized <T> T prepared(final Class<T> what, final Supplier<T> made) {
		if (by != what) {
			prepared = made.get();
			by = what;
		}
		return what.cast(prepared);
	}
}
