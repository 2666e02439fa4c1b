package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.loops.Fused;

/**
 * Products of the spectra of two real images, each packed as {@code even rows + i·odd rows} (Cooley, Lewis and Welch 1970,
 * doi:10.1016/0022-460X(70)90075-1). With E and O the spectra of the even and odd rows of the image, S and T those of the template, and w = exp(2πik/n) at
 * frequency k of n complex rows, the correlation has the even rows {@code E·S* + O·T*} and the odd rows {@code O·S* + w·E·T*}. Each loop has at most five
 * arrays: C2 does not vectorise a loop over more. Belongs to one thread.
 */
final class Polyphase {

	/** A row of complex numbers. */
	record Row(float[] re, float[] im) {

		static Row allocate(final int n) {
			return new Row(new float[n], new float[n]);
		}
	}

	private final Row e, o, y, z;

	/** @param n the length of a row */
	Polyphase(final int n) {
		e = Row.allocate(n);
		o = Row.allocate(n);
		y = Row.allocate(n);
		z = Row.allocate(n);
	}

	/**
	 * Separates the spectra of even and odd rows, each multiplied by 2.
	 *
	 * @param row a row of the packed spectrum
	 * @param mirror the values at the negative frequencies
	 */
	static void separate(final Row row, final Row mirror, final Row even, final Row odd, final int n) {
		sum(row.re, mirror.re, even.re, n);
		difference(row.im, mirror.im, even.im, n);
		sum(row.im, mirror.im, odd.re, n);
		difference(mirror.re, row.re, odd.im, n);
	}

	/**
	 * Replaces a row of the packed spectrum of an image, and the values at the negative frequencies, by those of its correlation with a template.
	 *
	 * @param s, t the spectra of the template's even and odd rows
	 * @param w the cosines and sines
	 */
	void correlate(final Row row, final Row mirror, final Row s, final Row t, final Row w, final int n) {
		separate(row, mirror, e, o, n);
		products(e.re, s.re, e.im, s.im, y.re, n);
		addProducts(o.re, t.re, o.im, t.im, y.re, n);
		differences(e.im, s.re, e.re, s.im, y.im, n);
		addDifferences(o.im, t.re, o.re, t.im, y.im, n);
		products(o.re, s.re, o.im, s.im, z.re, n);
		differences(o.im, s.re, o.re, s.im, z.im, n);
		// w·E takes the place of O
		differences(e.re, w.re, e.im, w.im, o.re, n);
		products(e.re, w.im, e.im, w.re, o.im, n);
		addProducts(o.re, t.re, o.im, t.im, z.re, n);
		addDifferences(o.im, t.re, o.re, t.im, z.im, n);
		difference(y.re, z.im, row.re, n);
		sum(y.im, z.re, row.im, n);
		sum(y.re, z.im, mirror.re, n);
		difference(z.re, y.im, mirror.im, n);
	}

	private static void sum(final float[] a, final float[] b, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] + b[x];
	}

	private static void difference(final float[] a, final float[] b, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = a[x] - b[x];
	}

	/** {@code a·b + c·d} */
	private static void products(final float[] a, final float[] b, final float[] c, final float[] d, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = Fused.add(a[x], b[x], c[x] * d[x]);
	}

	/** {@code a·b - c·d} */
	private static void differences(final float[] a, final float[] b, final float[] c, final float[] d, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = Fused.add(a[x], b[x], -(c[x] * d[x]));
	}

	/** {@code to + a·b + c·d} */
	static void addProducts(final float[] a, final float[] b, final float[] c, final float[] d, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = Fused.add(a[x], b[x], Fused.add(c[x], d[x], to[x]));
	}

	/** {@code to + a·b - c·d}: C2 does not vectorise a loop over more arrays. */
	static void addDifferences(final float[] a, final float[] b, final float[] c, final float[] d, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = Fused.add(a[x], b[x], to[x]) - c[x] * d[x];
	}
}
