package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;

import sc.fiji.ncc.cpu.fft.TileFft;

/**
 * Fourier transforms of real images, two at a time: one image is the real part, the other the imaginary part. The spectra are separated by their symmetry
 * (Cooley, Lewis and Welch 1970, doi:10.1016/0022-460X(70)90075-1). One thread at a time.
 */
final class SpectrumTransform {

	private final TileFft fft;
	private final int width, height, depth, half;
	/** For each place of a frequency, the place of the negative frequency. */
	private final int[] mirrorY, mirrorZ;
	/** The places of the frequencies 0 to width/2 along x, and of their negatives. */
	private final int[] placeX, negativeX;
	private final float[][] rowsRe, rowsIm, spectrumRe, spectrumIm;

	SpectrumTransform(final int[] points) {
		fft = TileFft.of(points[0], points[1], points[2]);
		width = points[0];
		height = points[1];
		depth = points[2];
		half = width / 2 + 1;
		mirrorY = mirror(height);
		mirrorZ = mirror(depth);
		placeX = new int[half];
		negativeX = new int[half];
		for (int k = 0; k < half; k++) {
			placeX[k] = TileFft.place(k, width);
			negativeX[k] = TileFft.place((width - k) % width, width);
		}
		rowsRe = fft.allocateRows();
		rowsIm = fft.allocateRows();
		spectrumRe = fft.transposesInPlace() ? rowsRe : fft.allocateSpectrum();
		spectrumIm = fft.transposesInPlace() ? rowsIm : fft.allocateSpectrum();
	}

	private static int[] mirror(final int n) {
		final int[] mirror = new int[n];
		for (int k = 0; k < n; k++) mirror[TileFft.place(k, n)] = TileFft.place((n - k) % n, n);
		return mirror;
	}

	/** The bytes of a spectrum. */
	static long bytes(final LagRange range) {
		return 8L * (range.points()[0] / 2 + 1) * range.points()[1] * range.points()[2];
	}

	/**
	 * Transforms two images.
	 *
	 * @param size the extents of the images, x fastest
	 * @param b the second image; null for none
	 * @param sizeB its extents
	 * @return the spectra; the second is null without a second image
	 */
	FrameSpectrum[] forward(final float[] a, final int[] size, final float[] b, final int[] sizeB) {
		fill(rowsRe, a, size);
		fill(rowsIm, b, sizeB);
		fft.forward(rowsRe, rowsIm, spectrumRe, spectrumIm);
		final FrameSpectrum first = allocate(), second = b == null ? null : allocate();
		for (int z = 0; z < depth; z++)
			for (int k = 0; k < half; k++) {
				final int row = z * width + placeX[k], other = mirrorZ[z] * width + negativeX[k], to = z * half + k;
				if (second == null) {
					System.arraycopy(spectrumRe[row], 0, first.re()[to], 0, height);
					System.arraycopy(spectrumIm[row], 0, first.im()[to], 0, height);
				}
				else separate(row, other, first.re()[to], first.im()[to], second.re()[to], second.im()[to]);
			}
		return new FrameSpectrum[] { first, second };
	}

	private void separate(final int row, final int other, final float[] aRe, final float[] aIm, final float[] bRe, final float[] bIm) {
		final float[] re = spectrumRe[row], im = spectrumIm[row], mRe = spectrumRe[other], mIm = spectrumIm[other];
		for (int y = 0; y < height; y++) {
			final int m = mirrorY[y];
			final float p = 0.5f * re[y], q = 0.5f * im[y], r = 0.5f * mRe[m], s = 0.5f * mIm[m];
			aRe[y] = p + r;
			aIm[y] = q - s;
			bRe[y] = q + s;
			bIm[y] = r - p;
		}
	}

	private FrameSpectrum allocate() {
		return new FrameSpectrum(new float[depth * half][height], new float[depth * half][height]);
	}

	private void fill(final float[][] rows, final float[] image, final int[] size) {
		for (int z = 0; z < depth; z++)
			for (int y = 0; y < height; y++) {
				final float[] row = rows[z * height + y];
				final boolean inside = image != null && z < size[2] && y < size[1];
				if (inside) System.arraycopy(image, (z * size[1] + y) * size[0], row, 0, size[0]);
				Arrays.fill(row, inside ? size[0] : 0, width, 0);
			}
	}

	/**
	 * Correlates two pairs of images: {@code Σ fixed(x)·moving(x + lag)} for all lags, modulo the extents of the transform. Afterwards {@link #row} returns the
	 * results.
	 *
	 * @param fixedB the second pair; null for none
	 */
	void correlate(final FrameSpectrum fixedA, final FrameSpectrum movingA, final FrameSpectrum fixedB, final FrameSpectrum movingB) {
		final float scale = 1f / fft.points();
		final float[] cRe = new float[height], cIm = new float[height], dRe = new float[height], dIm = new float[height];
		for (int z = 0; z < depth; z++)
			for (int k = 0; k < half; k++) {
				final int from = z * half + k;
				product(fixedA.re()[from], fixedA.im()[from], movingA.re()[from], movingA.im()[from], cRe, cIm, scale);
				if (fixedB != null) product(fixedB.re()[from], fixedB.im()[from], movingB.re()[from], movingB.im()[from], dRe, dIm, scale);
				final int row = z * width + placeX[k];
				combine(cRe, cIm, dRe, dIm, spectrumRe[row], spectrumIm[row], height);
				if (placeX[k] != negativeX[k]) {
					final int other = mirrorZ[z] * width + negativeX[k];
					combineConjugates(cRe, cIm, dRe, dIm, spectrumRe[other], spectrumIm[other]);
				}
			}
		fft.inverse(spectrumRe, spectrumIm, rowsRe, rowsIm);
	}

	/** {@code conj(fixed)·moving} */
	private static void product(final float[] fRe, final float[] fIm, final float[] mRe, final float[] mIm, final float[] re, final float[] im, final float scale) {
		for (int y = 0; y < re.length; y++) {
			re[y] = scale * (fRe[y] * mRe[y] + fIm[y] * mIm[y]);
			im[y] = scale * (fRe[y] * mIm[y] - fIm[y] * mRe[y]);
		}
	}

	/** {@code c + i·d} */
	private static void combine(final float[] cRe, final float[] cIm, final float[] dRe, final float[] dIm, final float[] re, final float[] im, final int n) {
		for (int y = 0; y < n; y++) {
			re[y] = cRe[y] - dIm[y];
			im[y] = cIm[y] + dRe[y];
		}
	}

	/** The values at the negative frequencies: {@code conj(c) + i·conj(d)}. */
	private void combineConjugates(final float[] cRe, final float[] cIm, final float[] dRe, final float[] dIm, final float[] re, final float[] im) {
		for (int y = 0; y < height; y++) {
			final int m = mirrorY[y];
			re[m] = cRe[y] + dIm[y];
			im[m] = dRe[y] - cIm[y];
		}
	}

	/**
	 * A row of the last result.
	 *
	 * @param pair 0 for the first pair, 1 for the second
	 * @param y the lag along y, may be negative
	 * @param z the lag along z
	 */
	float[] row(final int pair, final int y, final int z) {
		final int row = Math.floorMod(z, depth) * height + Math.floorMod(y, height);
		return pair == 0 ? rowsRe[row] : rowsIm[row];
	}

	int width() {
		return width;
	}
}
