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
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.SlidingAlgorithm;
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

	/** Found by {@link EstimateSearch}. */
	private static final String[] FOUND = { "1000002:a.offset=0.439514,noise=0.381848,shape=0.698494,unweighted=0.113047,whole=0.209644",
		"6000022:composition=0.185572,levels=0.475261,reach=0.953506,room0=0.003579,width=0.781809",
		// nearly flat windows far from the reference, in double
		"601002054:a.noisy=0.397165,a.spread=0.918435,amplitude=0.071405,b.ground=0.531625,b.height=0.815606,b.noise=0.686508,b.raised=0.403769,"
			+ "composition=0.260504,corner1=0.535594,corner2=0.747861,edge.axis=0.541053,edge.border=0.037927,edge.normal0=0.075395,edge.normal2=0.899393,"
			+ "height=0.967988,inside=0.477895,noise=0.283534,origin=0.789437,reach=0.650892,room0=0.447049,room1=0.640661,shape=0.999999,square=0.342786,"
			+ "step=0.260804,t.foot1=0.221757,t.foot2=0.032139,type=0.581253,unweighted=0.237147,weight=0.072562,width=0.955208",
		"603000154:a.centre00=0.556680,a.centre01=0.726843,a.centre02=0.725198,a.centre20=0.465726,a.centre21=0.079958,a.centre22=0.753507,a.count=0.885734,"
			+ "a.field=0.488976,a.height1=0.256017,a.height2=0.487456,a.scale0=0.658821,a.scale1=0.690369,a.scale2=0.709356,b.axis=0.356929,b.field=0.991965,"
			+ "b.height=0.176290,b.noise=0.810499,b.noisy=0.692639,b.rate=0.358186,composition=0.560947,edge.axis=0.465772,edge.border=0.964194,edge.foot0=0.725972,"
			+ "edge.foot1=0.316162,edge.normal0=0.523220,inside=0.723022,levels=0.987082,low=0.944246,origin=0.260496,room0=0.287524,room1=0.934719,shape=0.373811,"
			+ "square=0.024966,step=0.052756,unweighted=0.230190,weight=0.750147",
		"621001236:a.noise=0.583933,amplitude=0.133799,b.border=0.024773,b.rate=0.627495,edge.border=0.786667,edge.foot0=0.263934,edge.normal1=0.443418,"
			+ "square=0.619496,weight=0.693598",
		"622000070:a.axis=0.321786,a.noise=0.622940,across=0.238646,corner0=0.154329,levels=0.840222,room1=0.845977,shape=0.587307,unweighted=0.169565,"
			+ "upright=0.631006,width=0.999999",
		// a strong frequency of the pixels and an alias of it in the template, in float
		"602001054:low=0.015891,origin=0.854182,t.height=0.687317,type=0.714003,width=0.713175",
		"622002629:a.foot0=0.671505,a.height=0.201973,b.field=0.817139,b.noise=0.040177,b.raised=0.572609,b.share=0.634518,edge.normal0=0.322845,"
			+ "inside=0.317171,levels=0.683530,noise=0.242826,room0=0.907823,shape=0.027008,unweighted=0.019553,width=0.647766",
		"623000311:a.contrast=0.742147,a.noise=0.606817,b.axis=0.813591,b.exponent=0.459509,b.field=0.391652,b.foot0=0.999999,b.normal0=0.181844,"
			+ "composition=0.339196,edge.axis=0.707682,edge.border=0.473102,edge.normal0=0.866749,end=0.655972,large=0.564397,low=0.048022,noise=0.232720,"
			+ "origin=0.558446,reach=0.647809,scaling=0.706949,shape=0.155938,square=0.864156,step=0.397772,type=0.526129,unweighted=0.338797,whole=0.263581,"
			+ "width=0.728956",
		// a signal of one column, in one column of a tile
		"1003002743:a.noise=0.339902,b.reach=0.722606,corner0=0.667541,corner1=0.096867,edge.axis=0.528175,edge.border=0.063085,"
			+ "edge.normal1=0.511031,end=0.601116,large=0.094438,noise=0.999999,origin=0.913768,scaling=0.999999,shape=0.510234,"
			+ "type=0.549157,unweighted=0.348058,upright=0.343585,weight=0.762943,width=0.623289" };

	/** The weights of the template, whether windows may leave the image, whether pixels are missing, and whether there is a second channel. */
	private enum Mode {
		PLAIN, MASK_OF_ONES, MASK, WEIGHTS, OVERLAP, OVERLAP_AND_WEIGHTS, MISSING, MISSING_AND_WEIGHTS, JOINT, JOINT_OVERLAP_AND_MISSING;

		double[] weights(final int n, final Random random) {
			if (!name().contains("MASK") && !name().contains("WEIGHTS")) return null;
			final double[] w = new double[n];
			for (int i = 0; i < n; i++) w[i] = this == MASK_OF_ONES || i < 2 ? 1 : this == MASK ? random.nextInt(2) : Math.pow(random.nextDouble(), 3);
			return w;
		}

		boolean partial() {
			return name().contains("OVERLAP");
		}

		/** The case with a second channel, reversed, and with missing pixels. */
		ContractCase of(final ContractCase c, final Random random) {
			ContractCase made = c;
			if (name().contains("JOINT")) made = made.joint("joint", twice(made.image()), twice(made.template()), 2);
			if (!name().contains("MISSING")) return made;
			final double[] image = made.image().clone(), present = new double[c.image().length];
			for (int i = 0; i < present.length; i++) present[i] = random.nextInt(5) == 0 ? 0 : 1;
			for (int i = 0; i < image.length; i++)
				if (present[i % present.length] == 0) image[i] = c.imageType().max;
			return made.missing("missing", image, present, 1 / 3.0);
		}

		private static double[] twice(final double[] values) {
			final int n = values.length;
			final double[] both = Arrays.copyOf(values, 2 * n);
			for (int i = 0; i < n; i++) both[n + i] = values[n - 1 - i];
			return both;
		}
	}

	/** All cases. The system property {@code ncc.contract.every} = n selects every nth case, for slow tools such as memory checkers. */
	@TestFactory
	List<DynamicTest> noErrorExceedsItsEstimate() {
		final Backend cuda = Backends.all(1).stream().filter(b -> b.id().equals("cuda")).findFirst().orElseThrow();
		RequiredGpu.require();
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
		RequiredGpu.require();
		final List<DynamicTest> tests = new ArrayList<>();
		final Random random = new Random(1);
		for (final int[] kernel : new int[][] { { 1, 1, 1 }, { 5, 1, 1 }, { 1, 6, 1 }, { 3, 8, 1 } })
			for (final Mode mode : new Mode[] { Mode.PLAIN, Mode.OVERLAP }) {
				final ContractCase c = of("one plane", PixelType.F32, new int[] { 31, 25, 1 }, kernel, mode, random, i -> random.nextGaussian());
				final ContractCase sums = c.convolving("kernel of " + Arrays.toString(kernel), c.template());
				for (final SlidingAlgorithm<?> a : Problems.sliding(cuda))
					for (final Precision precision : a.precisions())
						if (Problems.unsupported(a, sums.problem(precision)).isEmpty())
							tests.add(dynamicTest(a.id() + " in " + precision + " precision, " + sums, () -> assertNear(sums, a, cuda.devices().get(0), precision)));
			}
		return tests;
	}

	private static void assertNear(final ContractCase c, final SlidingAlgorithm<?> a, final Device gpu, final Precision precision) {
		final ArraySink sink = new ArraySink(precision, Float.NaN, 1, c.count());
		try (Execution execution = a.planAny(c.problem(precision), gpu).prepare(List.of(c.templateCopy()))) {
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
		for (final Mode mode : List.of(Mode.MASK_OF_ONES, Mode.WEIGHTS, Mode.MISSING)) {
			// a strong pixel errs at its alias, half the extent away, where the template's pixel meets it
			final Random random = new Random(mode.ordinal());
			all.add(of("strong pixel", PixelType.F64, new int[] { 1 << 18 }, new int[] { 4 }, mode, random, i -> i == 30_000 ? 6e5 : i == (1 << 17) - 1 ? 1000 : random.nextGaussian()));
		}
		for (int k = 0; k < 4; k++) {
			all.add(strongColumns(PixelType.U16, 500, k));
			all.add(strongColumns(PixelType.F32, 1500, k));
			all.add(strongPatch(k));
		}
		for (final String genes : FOUND) all.add(AdversarialCases.of(Genes.parse(genes), 100));
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
		return mode.of(new ContractCase("rounded like the template, " + mode, PixelType.F64, PixelType.F64, new int[] { side, side }, new int[] { square, square }, image, template,
			weights, first, new int[] { 9, 9 }, partial, partial ? 1 / 3.0 : 1), random);
	}

	/** A few bright columns among many. The errors of their transform lie in their place and at their aliases, far from all others. */
	private static ContractCase strongColumns(final PixelType type, final double strength, final int seed) {
		final Random random = new Random(seed);
		final int width = 60_000, first = width / 3, band = seed % 2 == 0 ? 5 : 3;
		final double[] image = new double[64 * width], template = new double[60];
		for (int i = 0; i < image.length; i++) {
			final double noise = 100 + (type.integer ? random.nextInt(3) : random.nextGaussian());
			image[i] = ImageContent.held(type, i % width >= first && i % width < first + band ? strength + noise : noise);
		}
		for (int i = 0; i < template.length; i++) template[i] = ImageContent.held(type, seed < 2 ? (i % 2 + i / 2) % 2 : 10 * random.nextDouble());
		return whole("strong columns " + seed, type, new int[] { width, 64 }, image, new int[] { 2, 30 }, template);
	}

	/** A bright patch that matches the template: the strongest number of the result errs at its alias. */
	private static ContractCase strongPatch(final int seed) {
		final Random random = new Random(seed);
		final int width = 40_000, first = 100 + 7 * seed;
		final double[] image = new double[60 * width], template = new double[40 * 30];
		for (int i = 0; i < image.length; i++) image[i] = (float) random.nextGaussian();
		for (int i = 0; i < template.length; i++) {
			template[i] = (float) random.nextGaussian();
			image[(9 + i / 40) * width + first + i % 40] = (float) (400 * template[i]);
		}
		return whole("strong patch " + seed, PixelType.F32, new int[] { width, 60 }, image, new int[] { 40, 30 }, template);
	}

	/** All windows inside the image. */
	private static ContractCase whole(final String name, final PixelType type, final int[] size, final double[] image, final int[] template, final double[] values) {
		return new ContractCase(name, type, type, size, template, image, values, null, new long[2], new int[] { size[0] - template[0] + 1, size[1] - template[1] + 1 }, false, 1);
	}

	private static ContractCase of(final String name, final PixelType type, final int[] size, final int[] template, final Mode mode, final Random random,
		final IntToDoubleFunction value)
	{
		final double[] image = new double[ReferenceNcc.pixels(size)], t = new double[ReferenceNcc.pixels(template)];
		for (int i = 0; i < image.length; i++) image[i] = ImageContent.held(type, value.applyAsDouble(i));
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
		return mode.of(new ContractCase(name + ", " + mode.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '), type, type, size, template, image, t, weights, first, count,
			mode.partial(), mode.partial() ? 1 / 3.0 : 1), random);
	}
}
