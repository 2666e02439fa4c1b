package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.contract.EstimateSearch.Finding;
import sc.fiji.ncc.fixture.CudaCard;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;

/**
 * Images with large errors, which the estimates of the CUDA algorithms must cover: magnitudes that a float cannot hold together, long ramps whose rounding
 * errors are equal, equal planes. Every CUDA algorithm in every precision, with and without masks, weights and partial overlap. Skipped, with the reason,
 * without a GPU.
 */
@Tag("gpu")
class CudaEstimateTest {

	private static final double PRODUCTS = 3e6;

	/** The weights of the template, and whether windows may leave the image. */
	private enum Mode {
		PLAIN, MASK_OF_ONES, MASK, WEIGHTS, OVERLAP, OVERLAP_AND_WEIGHTS;

		double[] weights(final int n, final Random random) {
			if (this == PLAIN || this == OVERLAP) return null;
			final double[] w = new double[n];
			for (int i = 0; i < n; i++) w[i] = this == MASK_OF_ONES || i < 2 ? 1 : this == MASK ? random.nextInt(2) : Math.pow(random.nextDouble(), 3);
			return w;
		}

		boolean partial() {
			return this == OVERLAP || this == OVERLAP_AND_WEIGHTS;
		}
	}

	/** All cases. The system property {@code ncc.contract.every} = n selects every nth case, for slow tools such as memory checkers. */
	@TestFactory
	List<DynamicTest> noErrorExceedsItsEstimate() {
		final Backend cuda = Backends.all(1).stream().filter(b -> b.id().equals("cuda")).findFirst().orElseThrow();
		CudaCard.require();
		final List<DynamicTest> tests = new ArrayList<>();
		final List<ContractCase> all = cases();
		for (int i = 0; i < all.size(); i += Integer.getInteger("ncc.contract.every", 1)) {
			final ContractCase c = all.get(i);
			tests.add(dynamicTest(c.name(), () -> {
				final List<Finding> found = EstimateSearch.check(c, List.of(cuda), PRODUCTS, 1);
				assertEquals(List.of(), found.stream().filter(Finding::violates).toList());
			}));
		}
		return tests;
	}

	/** Convolution of a 3D image of one plane with kernels of one pixel, one row, one column and several rows. */
	@TestFactory
	List<DynamicTest> convolutionsOfAnImageOfOnePlane() {
		final Backend cuda = Backends.all(1).stream().filter(b -> b.id().equals("cuda")).findFirst().orElseThrow();
		CudaCard.require();
		final List<DynamicTest> tests = new ArrayList<>();
		final Random random = new Random(1);
		for (final int[] kernel : new int[][] { { 1, 1, 1 }, { 5, 1, 1 }, { 1, 6, 1 }, { 3, 8, 1 } })
			for (final Mode mode : new Mode[] { Mode.PLAIN, Mode.OVERLAP }) {
				final ContractCase c = of("one plane", PixelType.F32, new int[] { 31, 25, 1 }, kernel, mode, random, i -> random.nextGaussian());
				final ContractCase sums = c.convolving("kernel of " + Arrays.toString(kernel), c.template());
				for (final Algorithm a : cuda.algorithms())
					for (final Precision precision : a.precisions())
						if (a.unsupported(sums.problem(precision)).isEmpty())
							tests.add(dynamicTest(a.id() + " in " + precision + " precision, " + sums, () -> assertNear(sums, a, cuda.devices().get(0), precision)));
			}
		return tests;
	}

	private static void assertNear(final ContractCase c, final Algorithm a, final Device card, final Precision precision) {
		final ArraySink sink = new ArraySink(precision, Float.NaN, 1, c.count());
		try (Execution execution = a.plan(c.problem(precision), card).prepare(List.of(c.templateCopy()))) {
			AlgorithmContract.await(execution.submit(AlgorithmContract.pixels(c), c.lagBox(), sink, Monitor.NONE));
		}
		final double most = Arrays.stream(c.image()).map(Math::abs).max().orElseThrow(), all = Arrays.stream(c.template()).map(Math::abs).sum();
		assertArrayEquals(c.reference(), sink.complete(0), (precision == Precision.SINGLE ? 1e-6 : 1e-13) * most * all);
	}

	static List<ContractCase> cases() {
		final List<ContractCase> all = new ArrayList<>();
		for (final Mode mode : Mode.values()) {
			final Random random = new Random(mode.ordinal());
			// values that a float cannot hold together with the brightest pixel
			all.add(of("bumps", PixelType.F32, new int[] { 111, 157 }, new int[] { 2, 2 }, mode, random, i -> Math.exp(-Math.hypot(i % 111 - 55, i / 111 - 20) * 1.1)));
			all.add(of("magnitudes", PixelType.F32, new int[] { 3999 }, new int[] { 16 }, mode, random, i -> (random.nextBoolean() ? 1 : -1) * Math.exp(80 * (2 * random.nextDouble() - 1))));
			all.add(of("blocks of magnitudes", PixelType.F32, new int[] { 37, 16, 3 }, new int[] { 5, 13, 3 }, mode, random,
				i -> (i % 37 < 18 ? 1e-38 : 1e6) * random.nextGaussian()));
			all.add(of("checkerboard beside a ramp", PixelType.F32, new int[] { 60, 40 }, new int[] { 3, 3 }, mode, random,
				i -> i % 60 < 30 ? 1e-30 * ((i + i / 60 & 1) + 1e-8 * random.nextGaussian()) : 1e10 * (i % 60)));
			all.add(of("magnitudes in double", PixelType.F64, new int[] { 301, 7 }, new int[] { 4, 3 }, mode, random, i -> random.nextGaussian() * Math.exp(600 * (2 * random.nextDouble() - 1))));
			// equal pixels have equal rounding errors
			all.add(of("exponential", PixelType.F32, new int[] { 3829 }, new int[] { 1915 }, mode, random, i -> 32 * Math.exp(-18.71 * Math.abs(i - 1914) / 1915)));
			all.add(of("power", PixelType.F32, new int[] { 2800 }, new int[] { 1353 }, mode, random, i -> Math.pow(Math.max(0, Math.min(1, (i - 700) / 1353.0)), 3.79)));
			all.add(of("whole ramp", PixelType.S32, new int[] { 126, 158 }, new int[] { 7, 2 }, mode, random, i -> Math.rint(5.4e8 * Math.exp(-21.25 * (i % 126) / 126) + random.nextInt(2))));
			all.add(of("tall step", PixelType.F32, new int[] { 3, 1400 }, new int[] { 1, 993 }, mode, random, i -> i / 3 < 700 ? 1e3 + 1e-2 * (i % 7) : 1e3 + 1));
			// a bright square whose pixels round like the template
			all.add(roundedLikeTheTemplate(mode, random));
			// planes that are alike
			all.add(of("checkerboard in a volume", PixelType.F32, new int[] { 40, 40, 40 }, new int[] { 23, 23, 23 }, mode, random,
				i -> i % 40 < 8 || i % 40 > 30 ? 0 : 430 + ((i % 40 + i / 40 % 40 + i / 1600) & 1)));
			all.add(of("one plane", PixelType.F32, new int[] { 31, 25, 1 }, new int[] { 3, 8, 1 }, mode, random, i -> random.nextGaussian()));
			all.add(of("one plane of bytes", PixelType.U8, new int[] { 31, 25, 1 }, new int[] { 3, 8, 1 }, mode, random, i -> random.nextInt(256)));
		}
		// found by EstimateSearch
		all.add(AdversarialCases.of(Genes.parse("1000002:a.offset=0.439514,noise=0.381848,shape=0.698494,unweighted=0.113047,whole=0.209644"), 100));
		all.add(AdversarialCases.of(Genes.parse("6000022:composition=0.185572,levels=0.475261,reach=0.953506,room0=0.003579,width=0.781809"), 100));
		return all;
	}

	/**
	 * A square of little contrast far above the background, which is the reference. Each pixel lies a little above or below the middle of two neighbouring floats, as the
	 * template has it; the contrast itself is not that of the template.
	 */
	private static ContractCase roundedLikeTheTemplate(final Mode mode, final Random random) {
		final int side = 160, square = 64;
		final double half = 0x1p-25;
		final double[] image = new double[side * side], template = new double[square * square];
		for (int i = 0; i < template.length; i++) {
			template[i] = random.nextBoolean() ? 1 : -1;
			// σ is 1/500 of the level; multiples of the last place of a float
			final double level = 0.75 + (random.nextBoolean() ? 1 : -1) * 0x1.8p-10;
			image[i / square * side + i % square] = level + template[i] * 0.99 * half;
		}
		final double[] weights = mode.weights(template.length, random);
		final boolean partial = mode.partial();
		final long[] first = partial ? new long[] { -3, -3 } : new long[2];
		return new ContractCase("rounded like the template, " + mode, PixelType.F64, PixelType.F64, new int[] { side, side }, new int[] { square, square }, image, template, weights,
			first, new int[] { 9, 9 }, partial, partial ? 1 / 3.0 : 1);
	}

	private static ContractCase of(final String name, final PixelType type, final int[] size, final int[] template, final Mode mode, final Random random,
		final IntToDoubleFunction value)
	{
		final double[] image = new double[ReferenceNcc.pixels(size)], t = new double[ReferenceNcc.pixels(template)];
		for (int i = 0; i < image.length; i++) image[i] = ContractPicture.held(type, value.applyAsDouble(i));
		// the template is the middle of the image
		final int[] at = new int[size.length];
		for (int i = 0; i < t.length; i++) {
			ReferenceNcc.unravel(i, template, at);
			for (int d = 0; d < at.length; d++) at[d] += (size[d] - template[d]) / 2;
			t[i] = image[ReferenceNcc.index(size, at)];
		}
		if (Arrays.stream(t).distinct().count() == 1) t[0] = t[0] == 0 ? 1 : 0;
		final double[] weights = mode.weights(t.length, random);
		final long[] first = new long[size.length];
		final int[] count = new int[size.length];
		for (int d = 0; d < count.length; d++) {
			first[d] = mode.partial() ? -(template[d] / 2) : 0;
			count[d] = mode.partial() ? size[d] : size[d] - template[d] + 1;
		}
		return new ContractCase(name + ", " + mode.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '), type, type, size, template, image, t, weights, first, count,
			mode.partial(), mode.partial() ? 1 / 3.0 : 1);
	}
}
