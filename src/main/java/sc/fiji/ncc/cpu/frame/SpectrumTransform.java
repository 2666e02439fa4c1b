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
	/** The products of a frequency along x of two pairs. */
	private final float[] cRe, cIm, dRe, dIm;
	/** The sums of the products of blocks; null until they are needed. */
	private FrameSpectrum sumA, sumB;

	SpectrumTransform(final int[] points) {
		fft = TileFft.of(points[0], points[1], points[2]);
		width = points[0];
		height = points[1];
		depth = points[2];
		half = width / 2 + 1;
		cRe = new float[height];
		cIm = new float[height];
		dRe = new float[height];
		dIm = new float[height];
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
		for (int z = 0; z < depth; z++)
			for (int k = 0; k < half; k++) {
				final int from = z * half + k;
				product(fixedA.re()[from], fixedA.im()[from], movingA.re()[from], movingA.im()[from], cRe, cIm, scale);
				if (fixedB != null) product(fixedB.re()[from], fixedB.im()[from], movingB.re()[from], movingB.im()[from], dRe, dIm, scale);
				place(z, k, fixedB != null);
			}
		fft.inverse(spectrumRe, spectrumIm, rowsRe, rowsIm);
	}

	/**
	 * The same at the lags of a range, block by block: both frames of a block share a transform.
	 *
	 * @param fixedB the second pair; null for none
	 */
	void correlate(final LagBlocks blocks, final LagRange range, final FramePixels fixedA, final FramePixels movingA, final FramePixels fixedB,
		final FramePixels movingB)
	{
		if (sumA == null) sumA = allocate();
		final float a = products(blocks, range, fixedA, movingA, sumA);
		if (fixedB != null && sumB == null) sumB = allocate();
		final float b = fixedB == null ? 0 : products(blocks, range, fixedB, movingB, sumB);
		for (int z = 0; z < depth; z++)
			for (int k = 0; k < half; k++) {
				final int from = z * half + k;
				scaled(sumA.re()[from], a, cRe);
				scaled(sumA.im()[from], a, cIm);
				if (fixedB != null) {
					scaled(sumB.re()[from], b, dRe);
					scaled(sumB.im()[from], b, dIm);
				}
				place(z, k, fixedB != null);
			}
		fft.inverse(spectrumRe, spectrumIm, rowsRe, rowsIm);
	}

	/**
	 * Sums the products of the spectra of all blocks.
	 *
	 * @return what the sums are to be multiplied by
	 */
	private float products(final LagBlocks blocks, final LagRange range, final FramePixels fixed, final FramePixels moving, final FrameSpectrum sums) {
		for (final float[] row : sums.re()) Arrays.fill(row, 0);
		for (final float[] row : sums.im()) Arrays.fill(row, 0);
		// one transform holds both: rounding errors are those of the larger one
		final int exponent = Math.max(-60, Math.min(60, Math.getExponent(fixed.energy() / moving.energy()) / 2));
		final int[] first = new int[3], points = { width, height, depth }, none = new int[3], at = new int[3];
		for (int d = 0; d < 3; d++) at[d] = Math.floorMod(range.min()[d], points[d]);
		for (int block = 0; block < blocks.number(); block++) {
			for (int d = 0, rest = block; d < 3; rest /= blocks.count()[d++]) first[d] = rest % blocks.count()[d] * blocks.step()[d];
			fill(rowsRe, fixed, first, blocks.step(), none, 1);
			for (int d = 0; d < 3; d++) first[d] += range.min()[d];
			fill(rowsIm, moving, first, points, at, Math.scalb(1f, exponent));
			fft.forward(rowsRe, rowsIm, spectrumRe, spectrumIm);
			for (int z = 0; z < depth; z++)
				for (int k = 0; k < half; k++)
					addProduct(z * width + placeX[k], mirrorZ[z] * width + negativeX[k], sums.re()[z * half + k], sums.im()[z * half + k]);
		}
		return Math.scalb(1f / fft.points(), -exponent);
	}

	/** Adds {@code conj(fixed)·moving}, from the transform of {@code fixed + i·moving}. */
	private void addProduct(final int row, final int other, final float[] toRe, final float[] toIm) {
		final float[] re = spectrumRe[row], im = spectrumIm[row], mRe = spectrumRe[other], mIm = spectrumIm[other];
		for (int y = 0; y < height; y++) {
			final int m = mirrorY[y];
			final float p = re[y], q = im[y], r = mRe[m], s = mIm[m];
			toRe[y] += 0.5f * (p * s + q * r);
			toIm[y] += 0.25f * ((r - p) * (r + p) + (s - q) * (s + q));
		}
	}

	private static void scaled(final float[] from, final float scale, final float[] to) {
		for (int y = 0; y < to.length; y++) to[y] = scale * from[y];
	}

	/**
	 * Fills the rows with a box of a frame times a factor, and with 0 where there is none.
	 *
	 * @param first the first pixel of the box, which may lie outside of the frame
	 * @param extents of the box
	 * @param at where its first pixel goes; what does not fit goes on at the beginning
	 */
	private void fill(final float[][] rows, final FramePixels frame, final int[] first, final int[] extents, final int[] at, final float factor) {
		final int from = Math.max(0, first[0]), n = Math.max(0, Math.min(frame.extent(0), first[0] + extents[0]) - from);
		final int to = (at[0] + from - first[0]) % width, part = Math.min(n, width - to);
		for (int z = 0; z < depth; z++)
			for (int y = 0; y < height; y++) {
				final float[] row = rows[z * height + y];
				final int k = Math.floorMod(z - at[2], depth), j = Math.floorMod(y - at[1], height);
				Arrays.fill(row, 0);
				if (n == 0 || !isInside(2, k, first, extents, frame) || !isInside(1, j, first, extents, frame)) continue;
				final int start = ((first[2] + k) * frame.extent(1) + first[1] + j) * frame.extent(0) + from;
				System.arraycopy(frame.deviations(), start, row, to, part);
				System.arraycopy(frame.deviations(), start + part, row, 0, n - part);
				if (factor != 1) scaled(row, factor, row);
			}
	}

	private static boolean isInside(final int d, final int i, final int[] first, final int[] extents, final FramePixels frame) {
		return i < extents[d] && first[d] + i >= 0 && first[d] + i < frame.extent(d);
	}

	/** Places the frequencies of both pairs and their negatives for the inverse transform. */
	private void place(final int z, final int k, final boolean two) {
		if (!two) {
			Arrays.fill(dRe, 0);
			Arrays.fill(dIm, 0);
		}
		final int row = z * width + placeX[k];
		combine(cRe, cIm, dRe, dIm, spectrumRe[row], spectrumIm[row], height);
		if (placeX[k] != negativeX[k]) combineConjugates(cRe, cIm, dRe, dIm, spectrumRe[mirrorZ[z] * width + negativeX[k]],
			spectrumIm[mirrorZ[z] * width + negativeX[k]]);
	}

	/** {@code conj(fixed)·moving} */
	private static void product(final float[] fRe, final float[] fIm, final float[] mRe, final float[] mIm, final float[] re, final float[] im,
		final float scale) {
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
