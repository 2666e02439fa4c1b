package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.contract.EstimateSearch.Finding;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;

/** Inputs with rounding errors of equal sign, which add up, and inputs in which a pixel of small weight decides. All algorithms. */
class SystematicRoundingTest {

	/** The largest number of products for the reference of a case, see {@link EstimateSearch#check}. */
	private static final double PRODUCTS = 1e6;

	private static void assertWithinTolerance(final ContractCase c) {
		final List<Finding> findings = EstimateSearch.check(c, Backends.all(1), PRODUCTS, 1);
		assertTrue(findings.size() >= 2, () -> "only " + findings);
		assertEquals(List.of(), findings.stream().filter(Finding::violates).toList());
	}

	private static double[] signal(final PixelType type, final int n, final IntToDoubleFunction value) {
		final double[] signal = new double[n];
		Arrays.setAll(signal, i -> ImageContent.held(type, value.applyAsDouble(i)));
		return signal;
	}

	/** The signal is the template. The image is the signal, extended with its edge pixels on both sides. */
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

	/** All lags at which at least a third of the weight lies in the image. */
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
	void pixelsOfSmallWeightBesideOneOfLargeWeight(final double light) {
		final Random random = new Random(3);
		final double[] image = signal(PixelType.F32, 900, i -> Math.pow(10, 4 * random.nextDouble()));
		assertWithinTolerance(inside(PixelType.F32, image, new double[] { 0, 0, 1 }, new double[] { light, 1, light }));
		assertWithinTolerance(overlapping(PixelType.F32, new int[] { 900 }, image, new int[] { 3 }, new double[] { 0, 0, 1 }, new double[] { light, 1, light }));
	}

	@ParameterizedTest
	@CsvSource({ "4148, 3.79", "2000, 0.3", "1999, 1", "3001, 7" })
	void powers(final int n, final double exponent) {
		assertWithinTolerance(withItself(PixelType.F32, signal(PixelType.F32, n, i -> Math.pow(i / (double) n, exponent))));
	}

	@ParameterizedTest
	@CsvSource({ "F64, 32, 18.71, 874", "F32, 32, 18.71, 874", "F64, 1, 3, 2500" })
	void exponentials(final PixelType type, final double height, final double rate, final int n) {
		assertWithinTolerance(withItself(type, signal(type, n, i -> height * Math.exp(-rate * i / n))));
	}

	@ParameterizedTest
	@CsvSource({ "F64, 5.4e8, 21.25, 1073", "U32, 5.4e8, 21.25, 1073", "U32, 4e9, 15, 1226" })
	void exponentialsOfWholeNumbers(final PixelType type, final double height, final double rate, final int n) {
		assertWithinTolerance(withItself(type, signal(type, n, i -> Math.rint(height * Math.exp(-rate * i / n)))));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1226, 1500, 731 })
	void rampsOfWholeNumbers(final int n) {
		assertWithinTolerance(withItself(PixelType.U32, signal(PixelType.U32, n, i -> Math.rint(4294967295.0 / n * i))));
	}

	@ParameterizedTest
	@CsvSource({ "1e-30, 1e12", "1e-20, 1e9", "1e-12, 1e8", "1e-30, 1" })
	void aFirstPixelOfSmallWeight(final double weight, final double value) {
		final Random random = new Random(5);
		final double[] image = signal(PixelType.F64, 500, i -> random.nextGaussian()), template = Arrays.copyOfRange(image, 40, 57), weights = new double[17];
		Arrays.fill(weights, 1);
		weights[0] = weight;
		template[0] = value;
		assertWithinTolerance(inside(PixelType.F64, image, template, weights));
	}

	/** Few grey levels in a long thin template that overlaps the image in part. */
	@ParameterizedTest
	@CsvSource({ "519, 3", "519, 5", "300, 2", "1000, 3" })
	void fewLevelsOverlap(final int length, final int levels) {
		final Random random = new Random(length + levels);
		final int step = length / levels;
		final double[] template = signal(PixelType.U8, length, i -> 200 + 10 * (i / step)), image = signal(PixelType.U8, 2 * length, i -> 180 + 3 * (i / step) + random.nextInt(2));
		assertWithinTolerance(overlapping(PixelType.U8, new int[] { 1, 2 * length }, image, new int[] { 1, length }, template, null));
		assertWithinTolerance(overlapping(PixelType.U8, new int[] { 2 * length, 1 }, image, new int[] { length, 1 }, template, null));
	}

	/** Two levels in the template and three in the image: in many windows all products and partial sums have equal rounding errors. */
	@ParameterizedTest
	@CsvSource({ "657, 277", "657, 278", "659, 278" })
	void twoLevelsOverlapThree(final int length, final int block) {
		final double[] template = signal(PixelType.U8, length, i -> 77 + 118 * (i / 223 % 2));
		final double[] image = signal(PixelType.U8, 2 * length, i -> i < 2 * length * 0.52 ? 14 : 181 + 3 * (i / block % 3));
		assertWithinTolerance(overlapping(PixelType.U8, new int[] { 1, 2 * length }, image, new int[] { 1, length }, template, null));
	}

	/**
	 * A strong pixel in the image and one in the template. The transform of a single pixel errs at its alias, half the transform's extent away. So the response errs where the
	 * template's pixel lies there.
	 */
	@ParameterizedTest
	@CsvSource({ "311, 112, 60, 19, 200, 1", "500, 500, 60, 40, 400, 4", "1000, 600, 30, 30, 400, 1", "178, 273, 1, 87, 200, 3",
		// too large an error of cuda-fourier
		"500, 500, 60, 40, 400, 3", "1000, 600, 30, 30, 400, 0" })
	void aPixelAndItsAlias(final int width, final int height, final int templateWidth, final int templateHeight, final double strength, final int seed) {
		final Random random = new Random(seed);
		final double[] image = signal(PixelType.F32, width * height, i -> (float) random.nextGaussian()), template = new double[templateWidth * templateHeight];
		final int strong = random.nextInt(image.length);
		template[random.nextInt(template.length)] = 1;
		image[strong] = (float) (strength * Math.sqrt(template.length) * (1 + random.nextDouble() / 2));
		assertWithinTolerance(new ContractCase("pixel", PixelType.F32, PixelType.F32, new int[] { width, height }, new int[] { templateWidth, templateHeight }, image, template, null,
			new long[2], new int[] { width - templateWidth + 1, height - templateHeight + 1 }, false, 1));
	}

	@Test
	@Tag("large")
	void aPixelAndItsAliasInALargeTemplate() {
		aPixelAndItsAlias(1000, 900, 300, 200, 800, 0);
	}

	/**
	 * A checkerboard, and nearly constant windows far from the median, whose pixels are a little less than a power of two. The partial sums of the coefficients
	 * are multiples of their last place. So the sums of products lie at nearly the same place between two floats, and round alike.
	 */
	@ParameterizedTest
	@CsvSource({ "9, 460, 511", "9, 460, 253", "61, 61, 511", "61, 61, 255" })
	void sumsAtOnePlaceBetweenTwoFloats(final int side, final int height, final int level) {
		final int width = 5 * side;
		final double[] template = signal(PixelType.U16, side * height, i -> i == 0 ? 11 : 38 * ((i % side + i / side) % 2));
		for (final int more : new int[] { 200, 700 }) {
			final Random random = new Random(more);
			final double[] image = signal(PixelType.U16, 2 * width * height, i -> i % width < 3 * side ? 0 : random.nextInt(side * height) < more ? level + 1 : level);
			assertWithinTolerance(new ContractCase("plateau", PixelType.U16, PixelType.U16, new int[] { width, 2 * height }, new int[] { side, height }, image, template, null,
				new long[2], new int[] { width - side + 1, height + 1 }, false, 1));
		}
	}

	/** A checkerboard of 0 and a level, and the same as template: all products are equal, or 0. */
	@ParameterizedTest
	@CsvSource({ "U16, 256, 46183", "F32, 256, 46183", "U16, 512, 18935", "F32, 512, 18935" })
	void equalProducts(final PixelType type, final int side, final int level) {
		final double[] image = signal(type, side * (side + 1), i -> level * ((i % side + i / side) % 2)), template = Arrays.copyOf(image, side * side);
		assertWithinTolerance(new ContractCase("checkerboard", type, type, new int[] { side, side + 1 }, new int[] { side, side }, image, template, null, new long[2],
			new int[] { 1, 2 }, false, 1));
	}

	/** A step or a ramp along a long thin template, and nearly constant windows far from the median. */
	@ParameterizedTest
	@CsvSource({ "993, 0.03", "804, 0.03", "804, 0.01", "519, 0.02", "256, 0.01" })
	void longThinTemplates(final int length, final double contrast) {
		for (int kind = 0; kind < 3; kind++) {
			final Random random = new Random(length + kind);
			final double[] template = new double[length], image = new double[6 * length];
			for (int i = 0; i < length; i++) template[i] = kind == 0 ? 2 * i / length : kind == 1 ? (float) (i / 7.0) : i % 2;
			for (int i = 0; i < image.length; i++)
				image[i] = i < 3.5 * length ? random.nextFloat() : (float) (0.77 * (i / 100 % 3 + 1) + contrast * (i % 2));
			assertWithinTolerance(inside(PixelType.F32, image, template, null));
		}
	}

	/** A bright pixel and then many equal faint pixels: the sum rounds each of them to the last bit of the product of the bright one. */
	@ParameterizedTest
	@ValueSource(ints = { 12, 16, 23 })
	void aSpotOnAFlatPatch(final int side) {
		final int width = 6 * side, height = 3 * side;
		final double[] template = new double[side * side], image = new double[width * height];
		for (int k = 0; k < 4; k++) {
			final Random random = new Random(side + k);
			final double ground = 0.02 + 0.1 * random.nextDouble(), spot = 1 + random.nextDouble();
			template[0] = 1;
			template[side * side - 1] = 0.3 * (k % 3);
			for (int i = 0; i < image.length; i++) image[i] = i % width > 3.5 * side ? (float) ground : random.nextFloat() * 1e-3f;
			for (int i = 0; i < 40; i++) image[(i * 37 % height) * width + 4 * side + i * 11 % side] = (float) spot;
			assertWithinTolerance(new ContractCase("spots on a patch " + k, PixelType.F32, PixelType.F32, new int[] { width, height }, new int[] { side, side }, image, template, null,
				new long[2], new int[] { width - side + 1, height - side + 1 }, false, 1));
		}
	}

	/** Two alternating values far from the median: their rounding errors as floats correlate with the template. */
	@ParameterizedTest
	@CsvSource({ "1000, 0.01", "1000, 0.002", "400, 0.002", "100, 0.01", "2000, 0.001", "2000, 0.0007" })
	void roundingErrorsThatCorrelateWithTheTemplate(final int length, final double contrast) {
		for (int k = 0; k < 8; k++) {
			final Random random = new Random(length + k);
			final double low = 0.7 + 0.2 * random.nextDouble(), high = low + contrast * (0.5 + random.nextDouble());
			final double[] template = signal(PixelType.F64, length, i -> i % 2), image = signal(PixelType.F64, 6 * length,
				i -> i < 3.5 * length ? (i % 5 - 2) * 0.01 * random.nextDouble() : i % 2 == 0 ? low : high);
			assertWithinTolerance(inside(PixelType.F64, image, template, null));
		}
	}

	/** Light weights that are equal round alike in every sum of weights; the variance of a window is a difference under such a sum. */
	@ParameterizedTest
	@ValueSource(doubles = { 1e-6, 3.7e-8, 3e-10, 6.7e-13 })
	void manyEqualLightWeightsBesideAHeavyOne(final double light) {
		final int side = 40, width = 120, height = 90;
		final double[] image = new double[width * height], template = new double[side * side], weights = new double[side * side];
		Arrays.fill(weights, light);
		weights[0] = 1;
		for (final double contrast : new double[] { 1, 30, 1000 }) {
			for (int i = 0; i < image.length; i++) image[i] = (float) (i % width < 60 ? 0 : 1 + (i % width % 17 + i / width % 5) * contrast);
			for (int i = 0; i < template.length; i++) template[i] = (i % side) % 17;
			assertWithinTolerance(new ContractCase("heavy corner", PixelType.F32, PixelType.F32, new int[] { width, height }, new int[] { side, side }, image, template, weights,
				new long[2], new int[] { width - side + 1, height - side + 1 }, false, 1));
		}
	}

	/** A heavy pixel and equal light pixels in a narrow template: the products are added one by one, and all these additions round alike. */
	@ParameterizedTest
	@CsvSource({ "1, 80", "2, 40", "3, 40", "5, 30", "7, 20" })
	void aHeavyPixelInANarrowTemplate(final int width, final int height) {
		final Random random = new Random(width);
		final int n = width * height, others = n / 5, columns = 4 * width, rows = 2 * height;
		for (int k = 0; k < 60; k++) {
			// the light pixels that differ from the heavy one give a window a mean of about 125 standard deviations about the median
			final double light = (6 + random.nextDouble()) * 1e-5 / others, level = 1 + random.nextDouble();
			final double[] weights = new double[n], template = new double[n], image = new double[columns * rows];
			Arrays.fill(weights, light);
			weights[0] = 1;
			for (int i = 0; i < n; i++) {
				template[i] = i < n - others ? level : 0;
				image[(i / width + height / 2) * columns + width + i % width] = template[i];
			}
			assertWithinTolerance(new ContractCase("heavy first pixel " + k, PixelType.F64, PixelType.F64, new int[] { columns, rows }, new int[] { width, height }, image, template,
				weights, new long[2], new int[] { columns - width + 1, rows - height + 1 }, false, 1));
		}
	}

	/** The weight that overlaps the image is a difference of sums over all of the template, of which most lies outside. */
	@ParameterizedTest
	@ValueSource(doubles = { 1e-2, 1e-4, 1e-6, 3e-8, 1e-9 })
	void aPartOfLittleWeightOverlaps(final double light) {
		final Random random = new Random(4);
		final double[] image = signal(PixelType.F32, 30 * 40, i -> i % 30 < 15 ? random.nextDouble() : 300 + random.nextDouble());
		for (int k = 0; k < 4; k++) {
			final double[] weights = { light, 2 * light, 1.5 * light, 0.7 * light, light / 3, 0.9 * light }, template = { 3, 1, 4, 1.5, 9, 2.6 };
			weights[k] = 0.9;
			assertWithinTolerance(withoutLeastOverlap(overlapping(PixelType.F32, new int[] { 30, 40 }, image, new int[] { 3, 2 }, template, weights)));
		}
	}

	private static ContractCase withoutLeastOverlap(final ContractCase c) {
		return new ContractCase(c.name(), c.imageType(), c.templateType(), c.imageSize(), c.templateSize(), c.image(), c.template(), c.weights(), c.origin(), c.count(), true, 0);
	}

	/** Cases in which a search found a violation: sums of weights and means of templates that a plain sum rounds too often, checkerboards, few pixels, planes one after the other. */
	@ParameterizedTest
	@ValueSource(strings = { "1003341", "6001043", "10001359", "4001534", "103007136", "111000625", "9004792", "101000129:corner0=0.672883",
		"7004089:b.field=0.092337,b.noise=0.822302,heavy=0.112813,low=0.320498",
		"2001249:a.height=0.257977,levels=0.116504,shape=0.308775", "10002093:a.field=0.249364,a.noise=0.091970,composition=0.645816,exponent=0.112398,shape=0.874860,step=0.120395",
		"8000526:a.wave1=0.645786,amplitude=0.286206,edge.foot1=0.873205,edge.normal2=0.701161,height=0.091760,overlap=0.556310,width=0.250428",
		"6000049:a.centre00=0.054215,a.centre01=0.167882,a.centre10=0.221876,a.centre11=0.453483,a.centre22=0.682530,a.count=0.999999,a.height1=0.820610,a.scale2=0.369474,"
			+ "edge.border=0.101141,scaling=0.503234,weight=0.370055",
		"103000956:a.axis=0.965595,a.border=0.052363,a.field=0.253080,a.noise=0.223191,a.normal0=0.355275,a.normal1=0.617441,a.normal2=0.647061,depth=0.258759,"
			+ "gradient.axis=0.336055,gradient.border=0.736942,gradient.foot0=0.309922,gradient.foot2=0.585156,height=0.993438,low=0.587685,noise=0.188685,reach=0.623878,"
			+ "room0=0.123998,room1=0.773914,room2=0.355626,shape=0.799644,square=0.781663,step=0.508077,type=0.395191" })
	void casesFoundBySearching(final String genes) {
		assertWithinTolerance(AdversarialCases.of(Genes.parse(genes), 100));
	}

	/**
	 * Cases in which a climbing search found a violation: borders of equal pixels (full extent, edge or zero) under gradients and checkerboards; a column
	 * whose rows are each added alone; planes that are added after the last rows of others; a light first weight; the mean of low contrast in a transform.
	 */
	@ParameterizedTest
	@ValueSource(strings = {
		"409000000:a.noise=0.646595,edge.axis=0.183681,edge.border=0.739352,edge.foot0=0.813952,origin=0.431221,reach=0.616976,shape=0.566144,share=0.239376,unweighted=0.031953,"
			+ "weight=0.496219",
		"502001238:a.spread=0.257033,b.height=0.647112,b.noisy=0.950938,inside=0.562606,whole=0.524802",
		"503000009:a.field=0.999999,a.noisy=0.960657,a.offset=0.869843,composition=0.184793,inside=0.928664,levels=0.330099,step=0.469522,unweighted=0.333958,width=0.926029",
		"503000009:a.field=0.999999,a.noisy=0.960657,a.offset=0.864922,a.raised=0.847794,composition=0.184793,corner1=0.853201,inside=0.928664,levels=0.330099,noise=0.130368,"
			+ "origin=0.611617,reach=0.940665,shape=0.346581,step=0.469749,unweighted=0.333958,width=0.923914",
		"504000138", "504000138:b.count=0.364441,b.height2=0.849767,gradient.axis=0.223686,gradient.border=0.619595,origin=0.388396,scaling=0.062180",
		"504000138:a.height=0.648748,a.spot2=0.908265,b.centre00=0.675492,b.centre01=0.844427,b.centre20=0.471719,b.centre21=0.465464,b.centre22=0.180302,b.scale2=0.766112,"
			+ "depth=0.727489,gradient.border=0.596515,gradient.foot1=0.510674,gradient.foot2=0.579964,noise=0.454983,room0=0.483195,room1=0.588762,room2=0.516476,"
			+ "scaling=0.819408,step=0.438098,weight=0.894318,whole=0.185748",
		"510000078:a.border=0.792678,a.foot0=0.401272,a.foot1=0.466546,a.noisy=0.247139,b.height=0.328473,b.offset=0.179881,b.raised=0.508862,composition=0.287591,"
			+ "edge.border=0.467956,edge.normal0=0.634517,edge.normal1=0.279038,room0=0.107193,scaling=0.156332,square=0.119844,step=0.543615,weight=0.509894",
		"511003808:a.normal1=0.495522,inside=0.870166,low=0.404415" })
	void casesFoundByClimbing(final String genes) {
		assertWithinTolerance(AdversarialCases.of(Genes.parse(genes), 100));
	}

	/** A checkerboard of low contrast far from 0 amid zeros: the mean of the window is about 1000 times its deviation. */
	@ParameterizedTest
	@CsvSource({ "75, 19194, 55", "80, 25750, 46", "76, 21794, 39", "89, 18893, 38" })
	void checkerboardsOfLowContrastAmidZeros(final int side, final int offset, final int levels) {
		final double[] board = new double[side * side];
		for (int i = 0; i < board.length; i++) board[i] = offset + (i % side + i / side) % 2 * levels;
		final int size = 3 * side - 2;
		final double[] image = new double[size * size];
		for (int i = 0; i < board.length; i++) image[(i / side + side - 1) * size + i % side + side - 1] = board[i];
		assertWithinTolerance(new ContractCase("low contrast", PixelType.U16, PixelType.U16, new int[] { size, size }, new int[] { side, side }, image, board, null, new long[2],
			new int[] { size - side + 1, size - side + 1 }, false, 1));
	}

	/** Weights of 1e-60 to 1. Pixels of small weight decide, because those of large weight are equal in many windows. */
	@Test
	void weightsOfManyMagnitudes() {
		final Random random = new Random(1);
		for (int k = 0; k < 300; k++) {
			final int n = 3 + random.nextInt(4);
			final double[] image = new double[40], template = new double[n], weights = new double[n];
			for (int i = 0; i < n; i++) {
				weights[i] = Math.pow(10, random.nextBoolean() ? -60 * random.nextDouble() : -60 * random.nextInt(2));
				template[i] = value(random);
			}
			for (int i = 0; i < image.length; i++) image[i] = value(random);
			template[1] = template[0] == 1 ? 2 : 1;
			final ContractCase inside = inside(PixelType.F64, image, template, weights);
			final ContractCase c = k % 3 > 0 ? inside : overlapping(PixelType.F64, new int[] { 40 }, image, new int[] { n }, template, weights);
			final double[] exact = new ReferenceNcc(image, c.imageSize(), template, c.templateSize(), weights).responses(ReferenceNcc.Form.EXACT, c.origin(), c.count(),
				c.partial(), c.minOverlap());
			for (final SlidingAlgorithm<?> algorithm : Problems.sliding(Backends.all(1).get(0)))
				for (final Precision precision : algorithm.precisions()) {
					if (Problems.unsupported(algorithm, c.problem(precision)).isPresent()) continue;
					try (Execution execution = algorithm.planAny(c.problem(precision), Backends.all(1).get(0).devices().get(0)).prepare(List.of(c.templateCopy()))) {
						final ArraySink sink = new ArraySink(precision, Float.NaN, 1, c.count());
						execution.submit(AlgorithmContract.pixels(c), c.lagBox(), sink, Monitor.NONE).join();
						assertArrayEquals(exact, sink.complete(0), AlgorithmContract.tolerance(precision), () -> algorithm.id() + " " + Arrays.toString(weights));
					}
				}
		}
	}

	/** 0, 1 or 2. One of eight values has a random magnitude. */
	private static double value(final Random random) {
		return random.nextInt(3) * (random.nextInt(8) == 0 ? Math.pow(10, 40 * random.nextGaussian()) : 1);
	}
}
