package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.jtransforms.fft.DoubleFFT_2D;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.estimate.LineEnergies;
import sc.fiji.ncc.estimate.ResultNoise;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** Transforms of whole images in strips: the correlation with a template against JTransforms, and energies against sums of squares. */
class WholeTransformTest {

	private static WholeShape shape(final int width, final int height) {
		// the lags of a template of one pixel are all pixels
		return WholeShape.of(Problems.correlation(PixelType.F32, PixelType.F32, Size.of(width, height), List.of(Size.of(1, 1)), Weights.NONE,
			Lags.inside(Size.of(width, height)), 1), Size.of(1, 1));
	}

	@ParameterizedTest
	@CsvSource({ "9, 7, 8, 5, 3, 2, 0, 0", "16, 16, 16, 16, 5, 9, 3, 11", "48, 24, 31, 20, 7, 7, 30, 17", "128, 96, 100, 90, 33, 21, 5, 60", "256, 512, 200, 511, 20, 300, 100, 1",
		"384, 768, 380, 700, 90, 64, 0, 0", "65, 192, 64, 3, 64, 3, 40, 100" })
	void correlatesAsALibraryDoes(final int width, final int height, final int imageWidth, final int imageHeight, final int templateWidth, final int templateHeight, final int x0,
		final int y0)
	{
		final WholeTransform t = new WholeTransform(shape(width, height));
		final int w = t.shape.width, h = t.shape.height;
		final double[] image = RandomPixels.normal(1, imageWidth * imageHeight), template = RandomPixels.normal(2, templateWidth * templateHeight);
		final WholeTemplate spectrum = new WholeTemplate(t, templateWidth, templateHeight, template, 2);
		final float[][] re = new float[w][], im = new float[w][], rows = new float[h][w];
		final WholeTransform.Memory memory = t.memory();
		final LineEnergies energies = t.newEnergies();
		final WholeTransform.Placed placed = new WholeTransform.Placed((y, x, n, to) -> {
			for (int i = 0; i < n; i++) to[i] = (float) image[y * imageWidth + x + i];
		}, imageWidth, imageHeight, x0, y0);
		for (int s = 0; s < t.strips(imageWidth); s++) t.alongY(placed, s, memory, re, im, null);
		for (int x = 0; x < w; x++)
			if (re[x] == null) {
				re[x] = new float[t.shape.rows()];
				im[x] = new float[t.shape.rows()];
			}
		for (int p = 0; p < t.pairs(); p++) {
			t.alongX(re, im, p, memory.pair);
			t.measure(memory.pair, p, memory, energies);
			t.correlate(memory.pair, spectrum.pairs[p], p, memory);
			t.inverseAlongX(memory.pair, p, w, re, im);
		}
		energies.finish();
		final ResultNoise noise = new ResultNoise(t.shape.width, t.shape.height, w, t.strips(w));
		for (int s = 0; s < t.strips(w); s++) t.inverseAlongY(re, im, s, memory, rows, noise);
		noise.finish();

		final double[] expected = expected(w, h, image, imageWidth, x0, y0, template, templateWidth);
		double squares = 0, norm = Math.sqrt(sumOfSquares(image) * sumOfSquares(template));
		for (int y = 0; y < h; y++)
			for (int x = 0; x < w; x++) {
				assertEquals(expected[y * w + x], rows[y][x], 2e-6 * norm, "at " + x + ", " + y + " of " + w + "x" + h);
				squares += expected[y * w + x] * expected[y * w + x];
			}
		assertEquals(squares, noise.energy(), 1e-4 * squares, "energy of the result");
		assertEquals(sumOfSquares(image), energies.energy(), 1e-5 * sumOfSquares(image));
		assertEquals(sumOfSquares(template), spectrum.energies.energy(), 1e-5 * sumOfSquares(template));
		assertTrue(energies.noise(spectrum.energies) >= Math.sqrt(sumOfSquares(image) * sumOfSquares(template) / w / h), "noise");
	}

	private static double[] expected(final int w, final int h, final double[] image, final int imageWidth, final int x0, final int y0, final double[] template,
		final int templateWidth)
	{
		final double[] a = new double[2 * w * h], b = new double[2 * w * h], product = new double[2 * w * h], real = new double[w * h];
		for (int i = 0; i < image.length; i++) a[2 * ((i / imageWidth + y0) % h * w + (i % imageWidth + x0) % w)] = (float) image[i];
		for (int i = 0; i < template.length; i++) b[2 * (i / templateWidth * w + i % templateWidth)] = (float) template[i];
		final DoubleFFT_2D fft = new DoubleFFT_2D(h, w);
		fft.complexForward(a);
		fft.complexForward(b);
		for (int i = 0; i < 2 * w * h; i += 2) {
			product[i] = a[i] * b[i] + a[i + 1] * b[i + 1];
			product[i + 1] = a[i + 1] * b[i] - a[i] * b[i + 1];
		}
		fft.complexInverse(product, true);
		for (int i = 0; i < real.length; i++) real[i] = product[2 * i];
		return real;
	}

	private static double sumOfSquares(final double[] a) {
		double sum = 0;
		for (final double v : a) sum += v * v;
		return sum;
	}

	@Test
	void extentsHoldAllPixelsThatLagsReadOrWrapAround() {
		final Size image = Size.of(2048, 1000), template = Size.of(2048, 100);
		// inside: one lag along x, 901 along y
		final Correlation inside = Problems.correlation(PixelType.U8, PixelType.U8, image, List.of(template), Weights.NONE, Lags.inside(Size.of(1, 901)), 1);
		assertEquals(2048, WholeShape.of(inside, template).width);
		assertEquals(1024, WholeShape.of(inside, template).height);
		// full: 4095 and 1099 lags
		final Correlation full = Problems.correlation(PixelType.U8, PixelType.U8, image, List.of(template), Weights.NONE, new Lags(Size.of(4095, 1099), true, 0), 1);
		assertEquals(4096, WholeShape.of(full, template).width);
		assertEquals(1536, WholeShape.of(full, template).height);
		// a few lags of these
		final Correlation few = Problems.correlation(PixelType.U8, PixelType.U8, image, List.of(template), Weights.NONE, new Lags(Size.of(9, 9), true, 0), 1);
		assertEquals(3072, WholeShape.of(few, template).width);
		assertEquals(128, WholeShape.of(few, template).height);
	}
}
