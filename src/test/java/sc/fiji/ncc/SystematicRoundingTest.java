package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.EstimateSearch.Finding;
import sc.fiji.ncc.plan.PixelType;

/** Inputs on which roundings are alike and add up, or on which a light pixel or an unlucky reference decides: all algorithms, at all lags. */
class SystematicRoundingTest {

	private static void requireNear(final ContractCase c) {
		final List<Finding> findings = EstimateSearch.check(c, Backends.all(1), Double.POSITIVE_INFINITY, 1);
		assertTrue(findings.size() >= 2, () -> "only " + findings);
		assertEquals(List.of(), findings.stream().filter(Finding::violates).toList());
	}

	private static double[] signal(final PixelType type, final int n, final IntToDoubleFunction value) {
		final double[] signal = new double[n];
		Arrays.setAll(signal, i -> ContractPicture.held(type, value.applyAsDouble(i)));
		return signal;
	}

	/** All windows of a signal that goes on with its edge pixels, and itself as the template. */
	private static ContractCase withItself(final PixelType type, final double[] signal) {
		final int n = signal.length;
		final double[] extended = new double[3 * n - 2];
		Arrays.setAll(extended, i -> signal[Math.max(0, Math.min(n - 1, i - n + 1))]);
		return inside(type, extended, signal, null);
	}

	private static ContractCase inside(final PixelType type, final double[] image, final double[] template, final double[] weights) {
		return new ContractCase("signal of " + image.length, type, type, new int[] { image.length }, new int[] { template.length }, image, template, weights, new long[1],
			new int[] { image.length - template.length + 1 }, false, 1);
	}

	/** All windows of a picture, with a part of the template at least inside. */
	private static ContractCase overlapping(final PixelType type, final int[] size, final double[] image, final int[] templateSize, final double[] template,
		final double[] weights)
	{
		final long[] origin = new long[size.length];
		final int[] count = new int[size.length];
		for (int d = 0; d < size.length; d++) {
			origin[d] = 1 - templateSize[d];
			count[d] = size[d] + templateSize[d] - 1;
		}
		return new ContractCase("overlaps", type, type, size, templateSize, image, template, weights, origin, count, true, 1 / 3.0);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 1e-3, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-16, 1e-20, 1e-30 })
	void lightPixelsBesideAHeavyOne(final double light) {
		final Random random = new Random(3);
		final double[] image = signal(PixelType.F32, 900, i -> Math.pow(10, 4 * random.nextDouble()));
		requireNear(inside(PixelType.F32, image, new double[] { 0, 0, 1 }, new double[] { light, 1, light }));
		requireNear(overlapping(PixelType.F32, new int[] { 900 }, image, new int[] { 3 }, new double[] { 0, 0, 1 }, new double[] { light, 1, light }));
	}

	@ParameterizedTest
	@CsvSource({ "4148, 3.79", "2000, 0.3", "1999, 1", "3001, 7" })
	void powers(final int n, final double exponent) {
		requireNear(withItself(PixelType.F32, signal(PixelType.F32, n, i -> Math.pow(i / (double) n, exponent))));
	}

	@ParameterizedTest
	@CsvSource({ "F64, 32, 18.71, 874", "F32, 32, 18.71, 874", "F64, 1, 3, 2500" })
	void exponentials(final PixelType type, final double height, final double rate, final int n) {
		requireNear(withItself(type, signal(type, n, i -> height * Math.exp(-rate * i / n))));
	}

	@ParameterizedTest
	@CsvSource({ "F64, 5.4e8, 21.25, 1073", "U32, 5.4e8, 21.25, 1073", "U32, 4e9, 15, 1226" })
	void exponentialsOfWholeNumbers(final PixelType type, final double height, final double rate, final int n) {
		requireNear(withItself(type, signal(type, n, i -> Math.rint(height * Math.exp(-rate * i / n)))));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1226, 1500, 731 })
	void rampsOfWholeNumbers(final int n) {
		requireNear(withItself(PixelType.U32, signal(PixelType.U32, n, i -> Math.rint(4294967295.0 / n * i))));
	}

	@ParameterizedTest
	@CsvSource({ "1e-30, 1e12", "1e-20, 1e9", "1e-12, 1e8", "1e-30, 1" })
	void aLightFirstPixel(final double weight, final double value) {
		final Random random = new Random(5);
		final double[] image = signal(PixelType.F64, 500, i -> random.nextGaussian()), template = Arrays.copyOfRange(image, 40, 57), weights = new double[17];
		Arrays.fill(weights, 1);
		weights[0] = weight;
		template[0] = value;
		requireNear(inside(PixelType.F64, image, template, weights));
	}

	/** Few grey levels in a long thin template, of which a part lies inside. */
	@ParameterizedTest
	@CsvSource({ "519, 3", "519, 5", "300, 2", "1000, 3" })
	void fewLevelsOverlap(final int length, final int levels) {
		final Random random = new Random(length + levels);
		final int step = length / levels;
		final double[] template = signal(PixelType.U8, length, i -> 200 + 10 * (i / step)), image = signal(PixelType.U8, 2 * length, i -> 180 + 3 * (i / step) + random.nextInt(2));
		requireNear(overlapping(PixelType.U8, new int[] { 1, 2 * length }, image, new int[] { 1, length }, template, null));
		requireNear(overlapping(PixelType.U8, new int[] { 2 * length, 1 }, image, new int[] { length, 1 }, template, null));
	}

	/** A step or a ramp along a long thin template, over nearly constant windows far from the median. */
	@ParameterizedTest
	@CsvSource({ "993, 0.03", "804, 0.03", "804, 0.01", "519, 0.02", "256, 0.01" })
	void longThinTemplates(final int length, final double contrast) {
		for (int kind = 0; kind < 3; kind++) {
			final Random random = new Random(length + kind);
			final double[] template = new double[length], image = new double[6 * length];
			for (int i = 0; i < length; i++) template[i] = kind == 0 ? 2 * i / length : kind == 1 ? (float) (i / 7.0) : i % 2;
			for (int i = 0; i < image.length; i++)
				image[i] = i < 3.5 * length ? random.nextFloat() : (float) (0.77 * (i / 100 % 3 + 1) + contrast * (i % 2));
			requireNear(inside(PixelType.F32, image, template, null));
		}
	}

	/** Weights over more decades than squares of doubles hold. */
	@Test
	void weightsOverAllDecades() {
		for (final double light : new double[] { 1e-60, 1e-69, 1e-71, 1e-80, 1e-120, 1e-155, 1e-162, 1e-200, 1e-300 }) {
			final Random random = new Random(7);
			final double[] image = signal(PixelType.F64, 200, i -> random.nextGaussian()), weights = { light, 1, light, light, light };
			requireNear(inside(PixelType.F64, image, Arrays.copyOfRange(image, 20, 25), weights));
			requireNear(inside(PixelType.F64, image, new double[] { 3, 5, 5, 5, 5 }, weights));
			requireNear(overlapping(PixelType.F64, new int[] { 200 }, image, new int[] { 5 }, Arrays.copyOfRange(image, 20, 25), weights));
		}
	}
}
