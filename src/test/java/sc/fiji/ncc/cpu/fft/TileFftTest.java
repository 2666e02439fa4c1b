package sc.fiji.ncc.cpu.fft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.jtransforms.fft.DoubleFFT_1D;
import org.jtransforms.fft.DoubleFFT_2D;
import org.jtransforms.fft.DoubleFFT_3D;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.fixture.RandomPixels;

/** The tile transforms against JTransforms, and back. */
class TileFftTest {

	private static double[] noise(final int points) {
		return RandomPixels.normal(points, 2 * points);
	}

	/** A transform by JTransforms, which needs more than one row. */
	private static double[] expected(final double[] a, final int w, final int h, final int d) {
		final double[] f = a.clone();
		if (d > 1) new DoubleFFT_3D(d, h, w).complexForward(f);
		else new DoubleFFT_2D(h, w).complexForward(f);
		return f;
	}

	@ParameterizedTest
	@CsvSource({ "2,2,1", "4,2,1", "2,8,1", "16,16,1", "64,32,1", "32,128,1", "256,256,1", "512,64,1", "6,3,1", "48,24,1", "96,192,1", "2,2,2", "8,4,16", "32,16,8", "12,6,3", "48,16,24" })
	void agreesWithALibrary(final int w, final int h, final int d) {
		final double[] a = noise(w * h * d), f = expected(a, w, h, d);
		final TileFft fft = new TileFft(w, h, d, false);
		final DoubleTileFft precise = new DoubleTileFft(w, h, d, false);
		final float[][] re = fft.allocateRows(), im = fft.allocateRows(), toRe = fft.allocateSpectrum(), toIm = fft.allocateSpectrum();
		final double[][] dRe = precise.allocateRows(), dIm = precise.allocateRows(), dToRe = precise.allocateSpectrum(),
			dToIm = precise.allocateSpectrum();
		for (int i = 0; i < w * h * d; i++) {
			re[i / w][i % w] = (float) (dRe[i / w][i % w] = a[2 * i]);
			im[i / w][i % w] = (float) (dIm[i / w][i % w] = a[2 * i + 1]);
		}
		fft.forward(re, im, toRe, toIm);
		precise.forward(dRe, dIm, dToRe, dToIm);
		final double scale = Math.sqrt(w * h * d);
		for (int z = 0; z < d; z++)
			for (int y = 0; y < h; y++)
				for (int x = 0; x < w; x++) {
					final int i = 2 * ((z * h + y) * w + x), row = TileFft.place(z, d) * w + TileFft.place(x, w),
						column = TileFft.place(y, h);
					assertEquals(f[i], dToRe[row][column], 1e-13 * scale);
					assertEquals(f[i + 1], dToIm[row][column], 1e-13 * scale);
					assertEquals(f[i], toRe[row][column], 3e-6 * scale);
					assertEquals(f[i + 1], toIm[row][column], 3e-6 * scale);
				}
		fft.inverse(toRe, toIm, re, im);
		precise.inverse(dToRe, dToIm, dRe, dIm);
		for (int i = 0; i < w * h * d; i++) {
			assertEquals(a[2 * i], dRe[i / w][i % w] / (w * h * d), 1e-14 * scale);
			assertEquals(a[2 * i], re[i / w][i % w] / (w * h * d), 1e-5);
			assertEquals(a[2 * i + 1], im[i / w][i % w] / (w * h * d), 1e-5);
		}
	}

	/** Rows and spectrum are the same arrays. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 6, 16, 24, 48, 64, 256 })
	void squaresAreTransformedInPlace(final int n) {
		for (final TileFft fft : List.of(TileFft.of(n, n + n, 1), new TileFft(n, n, 2, false), TileFft.of(16 * n, 1, 1))) {
			assertFalse(fft.transposesInPlace());
			final float[][] re = fft.allocateRows(), im = fft.allocateRows();
			assertThrows(IllegalArgumentException.class, () -> fft.forward(re, im, re, im));
		}
		for (final TileFft fft : List.of(new TileFft(n, n, 1, false), n > 1 ? TileFft.of(n, n, 1) : new TileFft(1, 1, 1, false))) {
			final double[] a = noise(n * n);
			final float[][] re = fft.allocateRows(), im = fft.allocateRows(), toRe = fft.allocateSpectrum(), toIm = fft.allocateSpectrum();
			final float[][] inRe = fft.allocateRows(), inIm = fft.allocateRows();
			for (int i = 0; i < n * n; i++) {
				re[i / n][i % n] = inRe[i / n][i % n] = (float) a[2 * i];
				im[i / n][i % n] = inIm[i / n][i % n] = (float) a[2 * i + 1];
			}
			assertTrue(fft.transposesInPlace());
			fft.forward(re, im, toRe, toIm);
			fft.forward(inRe, inIm, inRe, inIm);
			assertArrayEquals(toRe, inRe);
			assertArrayEquals(toIm, inIm);
			fft.inverse(toRe, toIm, re, im);
			fft.inverse(inRe, inIm, inRe, inIm);
			assertArrayEquals(re, inRe);
			assertArrayEquals(im, inIm);
		}
	}

	/** A line folded into rows: frequency {@code y + rows·x} stands in row x of the spectrum, at y. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 6, 12, 16, 48, 64, 256, 384, 1536, 8192, 12288 })
	void aLineAgreesWithALibrary(final int n) {
		final double[] a = noise(n), f = a.clone();
		new DoubleFFT_1D(n).complexForward(f);
		for (final TileFft fft : List.of(TileFft.of(n, 1, 1), plainLine(n))) {
			final DoubleTileFft precise = DoubleTileFft.of(n, 1, 1);
			final int w = fft.width, h = fft.height;
			assertEquals(n, w * h);
			assertArrayEquals(new int[] { n, 1, 1 }, fft.block());
			final float[][] re = fft.allocateRows(), im = fft.allocateRows(), toRe = fft.allocateSpectrum(), toIm = fft.allocateSpectrum();
			final double[][] dRe = precise.allocateRows(), dIm = precise.allocateRows(), dToRe = precise.allocateSpectrum(),
				dToIm = precise.allocateSpectrum();
			for (int i = 0; i < n; i++) {
				re[i / w][i % w] = (float) (dRe[i / w][i % w] = a[2 * i]);
				im[i / w][i % w] = (float) (dIm[i / w][i % w] = a[2 * i + 1]);
			}
			fft.forward(re, im, toRe, toIm);
			precise.forward(dRe, dIm, dToRe, dToIm);
			final double scale = Math.sqrt(n);
			for (int k = 0; k < n; k++) {
				final int row = TileFft.place(k / h, w), column = TileFft.place(k % h, h);
				assertEquals(f[2 * k], dToRe[row][column], 1e-13 * scale);
				assertEquals(f[2 * k + 1], dToIm[row][column], 1e-13 * scale);
				assertEquals(f[2 * k], toRe[row][column], 3e-6 * scale);
				assertEquals(f[2 * k + 1], toIm[row][column], 3e-6 * scale);
			}
			fft.inverse(toRe, toIm, re, im);
			precise.inverse(dToRe, dToIm, dRe, dIm);
			for (int i = 0; i < n; i++) {
				assertEquals(a[2 * i], dRe[i / w][i % w] / n, 1e-14 * Math.max(10, scale));
				assertEquals(a[2 * i + 1], dIm[i / w][i % w] / n, 1e-14 * Math.max(10, scale));
				assertEquals(a[2 * i], re[i / w][i % w] / n, 1e-5);
				assertEquals(a[2 * i + 1], im[i / w][i % w] / n, 1e-5);
			}
		}
	}

	private static TileFft plainLine(final int n) {
		return new TileFft(n / TileFft.rowsOfLine(n), TileFft.rowsOfLine(n), 1, true);
	}

	@Test
	void onlyPowersOfTwoAndThriceThem() {
		assertThrows(IllegalArgumentException.class, () -> new TileFft(10, 16, 1, false));
		assertThrows(IllegalArgumentException.class, () -> new TileFft(36, 16, 1, false));
		assertThrows(IllegalArgumentException.class, () -> new DoubleTileFft(16, 0, 1, false));
	}
}
