package sc.fiji.ncc.cpu.tile;

import sc.fiji.ncc.loops.VectorRows;
import sc.fiji.ncc.loops.Vectors;

/**
 * Converts pixels to numbers about a reference: {@code to[t..t + n - 1] = (from[o..o + n - 1] - reference)·scale}. Integers are unsigned. They are small: their
 * reference is whole, and their scale is 1. With the Vector API, floats that are not finite become 0; otherwise {@link #clean} does this.
 */
final class PixelConversion {

	private PixelConversion() {}

	static void bytes(final byte[] from, final int o, final int[] to, final int t, final int n, final int reference) {
		if (Vectors.USED) VectorRows.read(from, o, to, t, n, reference);
		else for (int x = 0; x < n; x++) to[t + x] = (from[o + x] & 0xff) - reference;
	}

	static void bytes(final byte[] from, final int o, final double[] to, final int t, final int n, final int reference) {
		for (int x = 0; x < n; x++) to[t + x] = (from[o + x] & 0xff) - reference;
	}

	static void bytes(final byte[] from, final int o, final float[] to, final int t, final int n, final int reference) {
		if (Vectors.USED) VectorRows.read(from, o, to, t, n, reference);
		else for (int x = 0; x < n; x++) to[t + x] = (from[o + x] & 0xff) - reference;
	}

	static void shorts(final short[] from, final int o, final double[] to, final int t, final int n, final int reference) {
		for (int x = 0; x < n; x++) to[t + x] = (from[o + x] & 0xffff) - reference;
	}

	static void shorts(final short[] from, final int o, final float[] to, final int t, final int n, final int reference) {
		for (int x = 0; x < n; x++) to[t + x] = (from[o + x] & 0xffff) - reference;
	}

	static void floats(final float[] from, final int o, final double[] to, final int t, final int n, final double reference,
		final double scale)
	{
		if (Vectors.USED) VectorRows.read(from, o, to, t, n, reference, scale);
		else {
			for (int x = 0; x < n; x++) to[t + x] = from[o + x];
			about(to, t, n, reference, scale);
		}
	}

	/** A loop by itself: C2 makes vectors of one array, and none where types are converted. */
	private static void about(final double[] a, final int t, final int n, final double reference, final double scale) {
		for (int x = t; x < t + n; x++) a[x] = (a[x] - reference) * scale;
	}

	static void floats(final float[] from, final int o, final float[] to, final int t, final int n, final double reference,
		final double scale)
	{
		if (reference == 0 && scale == 1) System.arraycopy(from, o, to, t, n);
		else if (inFloats(reference, scale) && Vectors.USED) VectorRows.read(from, o, to, t, n, (float) reference, (float) scale);
		else if (inFloats(reference, scale)) floats(from, o, to, t, n, (float) reference, (float) scale);
		else if (Vectors.USED) VectorRows.read(from, o, to, t, n, reference, scale);
		else for (int x = 0; x < n; x++) to[t + x] = (float) ((from[o + x] - reference) * scale);
	}

	/**
	 * Whether floats, scaled about a reference, round in float as in double: the reference is a float, and nothing overflows, since no pixel lies farther
	 * from it than 2 over the scale.
	 */
	private static boolean inFloats(final double reference, final double scale) {
		return (float) reference == reference && scale >= 0x1p-100 && scale <= 0x1p100;
	}

	private static void floats(final float[] from, final int o, final float[] to, final int t, final int n, final float reference, final float scale) {
		// of one array C2 makes vectors
		System.arraycopy(from, o, to, t, n);
		for (int x = t; x < t + n; x++) to[x] = (to[x] - reference) * scale;
	}

	static void doubles(final double[] from, final int o, final double[] to, final int t, final int n, final double reference,
		final double scale)
	{
		for (int x = 0; x < n; x++) to[t + x] = (from[o + x] - reference) * scale;
	}

	static void doubles(final double[] from, final int o, final float[] to, final int t, final int n, final double reference,
		final double scale)
	{
		for (int x = 0; x < n; x++) to[t + x] = (float) ((from[o + x] - reference) * scale);
	}

	static void clean(final double[] a, final int o, final int n) {
		for (int x = o; x < o + n; x++)
			if (!(Math.abs(a[x]) <= Double.MAX_VALUE)) a[x] = 0;
	}

	static void clean(final float[] a, final int o, final int n) {
		for (int x = o; x < o + n; x++)
			if (!(Math.abs(a[x]) <= Float.MAX_VALUE)) a[x] = 0;
	}
}
