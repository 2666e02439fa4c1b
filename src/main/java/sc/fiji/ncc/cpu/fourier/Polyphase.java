package sc.fiji.ncc.cpu.fourier;

import sc.fiji.ncc.loops.Fused;

/**
 * Products of the spectra of two real images, each packed as {@code even rows + i·odd rows} (Cooley, Lewis and Welch 1970,
 * doi:10.1016/0022-460X(70)90075-1). With E and O the spectra of the even and odd rows of the image, S and T those of the template, and w = exp(2πik/n) at
 * frequency k of n complex rows, the correlation has the even rows {@code E·S* + O·T*} and the odd rows {@code O·S* + w·E·T*}. Each loop has at most five
 * arrays: C2 does not vectorise a loop over more. Belongs to one thread.
 */
final class Polyphase {

	private final float[] eRe, eIm, oRe, oIm, yRe, yIm, zRe, zIm;

	/** @param n the length of a row */
	Polyphase(final int n) {
		eRe = new float[n];
		eIm = new float[n];
		oRe = new float[n];
		oIm = new float[n];
		yRe = new float[n];
		yIm = new float[n];
		zRe = new float[n];
		zIm = new float[n];
	}

	/**
	 * Separates the spectra of even and odd rows, each multiplied by 2.
	 *
	 * @param re, im a row of the packed spectrum
	 * @param mirrorRe, mirrorIm the values at the negative frequencies
	 */
	static void separate(final float[] re, final float[] im, final float[] mirrorRe, final float[] mirrorIm, final float[] eRe, final float[] eIm,
		final float[] oRe, final float[] oIm, final int n)
	{
		sum(re, mirrorRe, eRe, n);
		difference(im, mirrorIm, eIm, n);
		sum(im, mirrorIm, oRe, n);
		difference(mirrorRe, re, oIm, n);
	}

	/**
	 * Replaces a row of the packed spectrum of an image, and the values at the negative frequencies, by those of its correlation with a template.
	 *
	 * @param sRe, sIm, tRe, tIm the spectra of the template's even and odd rows
	 * @param c, s the cosines and sines of w
	 */
	void correlate(final float[] re, final float[] im, final float[] mirrorRe, final float[] mirrorIm, final float[] sRe, final float[] sIm, final float[] tRe,
		final float[] tIm, final float[] c, final float[] s, final int n)
	{
		separate(re, im, mirrorRe, mirrorIm, eRe, eIm, oRe, oIm, n);
		products(eRe, sRe, eIm, sIm, yRe, n);
		addProducts(oRe, tRe, oIm, tIm, yRe, n);
		differences(eIm, sRe, eRe, sIm, yIm, n);
		addDifferences(oIm, tRe, oRe, tIm, yIm, n);
		products(oRe, sRe, oIm, sIm, zRe, n);
		differences(oIm, sRe, oRe, sIm, zIm, n);
		// w·E takes the place of O
		differences(eRe, c, eIm, s, oRe, n);
		products(eRe, s, eIm, c, oIm, n);
		addProducts(oRe, tRe, oIm, tIm, zRe, n);
		addDifferences(oIm, tRe, oRe, tIm, zIm, n);
		difference(yRe, zIm, re, n);
		sum(yIm, zRe, im, n);
		sum(yRe, zIm, mirrorRe, n);
		difference(zRe, yIm, mirrorIm, n);
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

	private static void addProducts(final float[] a, final float[] b, final float[] c, final float[] d, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = Fused.add(a[x], b[x], Fused.add(c[x], d[x], to[x]));
	}

	private static void addDifferences(final float[] a, final float[] b, final float[] c, final float[] d, final float[] to, final int n) {
		for (int x = 0; x < n; x++) to[x] = Fused.add(a[x], b[x], to[x]) - c[x] * d[x];
	}
}
