package sc.fiji.ncc.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import sc.fiji.ncc.contract.CaseTemplates.Origin;
import sc.fiji.ncc.contract.CaseWeights.Mask;
import sc.fiji.ncc.contract.CaseWeights.Weighing;
import sc.fiji.ncc.plan.PixelType;

/**
 * The cases of the contract, the same at every run. They contain each content in each pixel type, each template shape with each mask and each kind of
 * lags, and each pair of pixel types. The other properties of a case are
 * random, and follow from its name.
 */
public final class ContractCases {

	private enum Lags { ALL, BOX, SAME, FULL, FULL_BOX }

	private static final int[][] SHAPES_2D = { { 1, 7 }, { 9, 1 }, { 2, 2 }, { 5, 5 }, { 6, 4 }, { 7, 11 }, { 8, 8 }, { 13, 3 }, { 16, 9 },
		{ 17, 17 }, { 20, 14 }, { 29, 23 } };
	private static final int[][] SHAPES_3D = { { 1, 1, 5 }, { 1, 6, 1 }, { 7, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 }, { 4, 2, 3 }, { 5, 7, 3 },
		{ 8, 8, 4 }, { 1, 4, 6 }, { 9, 7, 6 }, { 13, 11, 9 } };
	private static final int[] IMAGE_2D = { 29, 23 }, IMAGE_3D = { 13, 11, 9 };

	private static final List<ContractCase> ALL = Collections.unmodifiableList(new ContractCases().list(false));
	private static final List<List<ContractCase>> BANKS = Collections.unmodifiableList(new ContractCases().listOfBanks());

	private final List<ContractCase> cases = new ArrayList<>();
	private final Map<String, Integer> names = new HashMap<>();
	private final CaseRandom random = new CaseRandom();
	private final CaseWeights caseWeights = new CaseWeights(random);
	private final CaseTemplates caseTemplates = new CaseTemplates(random);

	private ContractCases() {}

	public static List<ContractCase> all() {
		return ALL;
	}

	/** The cases, each group of them made after those that follow it. For a test: a case does not depend on others. */
	static List<ContractCase> madeInReverse() {
		return new ContractCases().list(true);
	}

	private List<ContractCase> list(final boolean reverse) {
		final List<Runnable> groups = new ArrayList<>(List.of(this::everyContentInEveryType, this::everyShapeWithEveryMaskAndLags,
			this::everyPairOfTypes, this::longRows,
			this::largeTemplates, this::tinyImages, this::largeMasks, this::realWeights, this::signalsAndFourDimensions, this::onePlane,
			this::oneColumn, this::adversarial));
		if (reverse) Collections.reverse(groups);
		groups.forEach(Runnable::run);
		cases.addAll(MissingPixelCases.of(cases));
		return cases;
	}

	private void everyContentInEveryType() {
		for (final ImageContent content : ImageContent.values())
			for (final PixelType type : PixelType.values()) {
				if (!content.suits(type)) continue;
				for (final boolean flat : new boolean[] { true, false }) {
					final int[][] shapes = flat ? SHAPES_2D : SHAPES_3D;
					final int[] image = flat ? IMAGE_2D : IMAGE_3D;
					random.start("contents", content, type, flat);
					add(content, type, type, image, small(shapes), Origin.CUT, Mask.NONE, Lags.ALL);
					add(content, type, type, image, small(shapes), Origin.UNRELATED, Mask.NONE, pick(Lags.values()));
					add(content, type, pick(PixelType.values()), image, pick(shapes), pick(Origin.values()), pick(Mask.values()),
						pick(Lags.values()));
				}
			}
	}

	private void everyShapeWithEveryMaskAndLags() {
		for (final int[][] shapes : new int[][][] { SHAPES_2D, SHAPES_3D })
			for (final int[] shape : shapes)
				for (final Mask mask : Mask.values())
					for (final Lags lags : Lags.values()) {
						random.start("shapes", shape, mask, lags);
						final PixelType type = pick(PixelType.values());
						add(suitable(type), type, type, shape.length == 2 ? IMAGE_2D : IMAGE_3D, shape, pick(Origin.values()), mask, lags);
					}
	}

	private void everyPairOfTypes() {
		for (final PixelType image : PixelType.values())
			for (final PixelType template : PixelType.values()) {
				random.start("types", image, template);
				add(suitable(image), image, template, IMAGE_2D, small(SHAPES_2D), Origin.NOISY_CUT, Mask.NONE, Lags.ALL);
				add(suitable(image), image, template, IMAGE_3D, small(SHAPES_3D), Origin.NEGATIVE, pick(Mask.values()), pick(Lags.values()));
			}
	}

	/** Rows longer than a vector and than a tile, and volumes of some depth. */
	private void longRows() {
		final int[][] images = { { 300, 12 }, { 11, 260 }, { 131, 67 }, { 70, 9, 6 }, { 21, 18, 33 } };
		final int[][] templates = { { 16, 5 }, { 4, 31 }, { 9, 9 }, { 33, 3, 2 }, { 5, 5, 5 } };
		for (int i = 0; i < images.length; i++)
			for (final PixelType type : PixelType.values()) {
				random.start("long rows", images[i], type);
				add(suitable(type), type, type, images[i], templates[i], Origin.NOISY_CUT, Mask.NONE, Lags.ALL);
				add(suitable(type), type, type, images[i], templates[i], pick(Origin.values()), pick(Mask.values()), Lags.FULL);
			}
	}

	/** Sums that exceed 32 and 64 bits, and sums of many terms, whose rounding errors add up. */
	private void largeTemplates() {
		for (final PixelType type : new PixelType[] { PixelType.U16, PixelType.S16 }) {
			add(ImageContent.EXTREMES, type, type, new int[] { 516, 514 }, new int[] { 512, 512 }, Origin.CUT, Mask.NONE, Lags.ALL);
			add(ImageContent.ALMOST_FLAT, type, type, new int[] { 515, 514 }, new int[] { 512, 512 }, Origin.CUT, Mask.NONE, Lags.ALL);
			add(ImageContent.EXTREMES, type, type, new int[] { 515, 513 }, new int[] { 512, 512 }, Origin.CUT, Mask.RANDOM, Lags.ALL);
			add(ImageContent.EXTREMES, type, type, new int[] { 43, 42, 31 }, new int[] { 40, 40, 30 }, Origin.CUT, Mask.NONE, Lags.ALL);
			add(ImageContent.SMALL_ON_OFFSET, type, type, new int[] { 223, 222 }, new int[] { 220, 220 }, Origin.CUT, Mask.NONE, Lags.ALL);
		}
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.S8 }) {
			add(ImageContent.EXTREMES, type, type, new int[] { 203, 204 }, new int[] { 200, 201 }, Origin.CUT, Mask.NONE, Lags.ALL);
			add(ImageContent.ALMOST_FLAT, type, type, new int[] { 203, 204 }, new int[] { 200, 201 }, Origin.CUT, Mask.DISC, Lags.ALL);
			add(ImageContent.EXTREMES, type, PixelType.U16, new int[] { 258, 257 }, new int[] { 256, 256 }, Origin.CUT, Mask.NONE, Lags.ALL);
		}
		for (final PixelType type : new PixelType[] { PixelType.U32, PixelType.S32, PixelType.F32, PixelType.F64 })
			for (final ImageContent content : new ImageContent[] { ImageContent.NOISE, ImageContent.NOISE_ON_A_MILLION,
				ImageContent.STEP, ImageContent.BRIGHT_SPOT, ImageContent.FAINT, ImageContent.RAMP })
			{
				random.start("large templates", type, content);
				add(content, type, type, new int[] { 203, 152 }, new int[] { 200, 150 }, pick(Origin.CUT, Origin.UNRELATED), Mask.NONE, Lags.ALL);
			}
		for (final PixelType type : PixelType.values()) {
			random.start("large templates", type);
			add(suitable(type), type, type, new int[] { 64, 60 }, new int[] { 50, 33 }, Origin.NOISY_CUT, pick(Mask.values()), Lags.FULL_BOX);
		}
	}

	/** Images of few pixels, in which one pixel decides about a whole tile. */
	private void tinyImages() {
		for (final ImageContent content : ImageContent.values())
			for (final PixelType type : PixelType.values())
				if (content.suits(type)) {
					random.start("tiny", content, type);
					add(content, type, type, new int[] { 10, 5 }, new int[] { 2, 1 }, Origin.UNRELATED, Mask.NONE, Lags.ALL);
					add(content, type, type, new int[] { 4, 1 }, new int[] { 2, 1 }, Origin.UNRELATED, Mask.NONE, pick(Lags.ALL, Lags.FULL));
				}
	}

	/** Large masks, on images with large errors of Fourier transforms. Such transforms compute the moments of rings and of random masks. */
	private void largeMasks() {
		final int[] image = { 110, 90 }, template = { 40, 40 }, volume = { 26, 24, 22 }, cube = { 12, 12, 12 };
		for (final ImageContent content : new ImageContent[] { ImageContent.STEP, ImageContent.HALF_EIGHT_TIMES_BRIGHTER,
			ImageContent.BRIGHT_SPOT, ImageContent.HILLS, ImageContent.FLAT_REGIONS, ImageContent.EXTREMES }) {
			final PixelType type = content.suits(PixelType.F32) ? PixelType.F32 : PixelType.U8;
			add(content, type, type, image, template, Origin.CUT, Mask.DISC, Lags.ALL);
			add(content, type, type, image, template, Origin.NOISY_CUT, Mask.RING, Lags.SAME);
			add(content, type, type, volume, cube, Origin.CUT, Mask.DISC, Lags.ALL);
		}
		add(ImageContent.BRIGHT_SPOT, PixelType.F64, PixelType.F64, volume, cube, Origin.UNRELATED, Mask.RANDOM, Lags.SAME);
		add(ImageContent.NOISE, PixelType.U16, PixelType.U16, image, template, Origin.CUT, Mask.RANDOM, Lags.FULL);
		add(ImageContent.NOT_FINITE, PixelType.F32, PixelType.F32, image, template, Origin.CUT, Mask.RANDOM, Lags.ALL);
		add(ImageContent.TINY_BESIDE_HUGE, PixelType.F64, PixelType.F64, image, template, Origin.CUT, Mask.DISC, Lags.ALL);
	}

	/** Every content and every shape with weights, and templates so large that Fourier transforms compute their moments. */
	private void realWeights() {
		for (final ImageContent content : ImageContent.values()) {
			for (final Weighing weighing : Weighing.values()) {
				random.start("weights", content, weighing);
				final PixelType type = suited(content);
				final boolean flat = random.nextInt(3) > 0;
				final int[] size = small(flat ? SHAPES_2D : SHAPES_3D);
				add(content, type, type, flat ? IMAGE_2D : IMAGE_3D, size, pick(Origin.values()), weighing.name(), caseWeights.of(weighing, size), pick(Lags.values()));
			}
		}
		for (final int[][] shapes : new int[][][] { SHAPES_2D, SHAPES_3D })
			for (final int[] shape : shapes)
				for (final Lags lags : Lags.values()) {
					random.start("weighted shapes", shape, lags);
					final PixelType type = pick(PixelType.values());
					final Weighing weighing = pick(Weighing.values());
					add(suitable(type), type, pick(type, PixelType.F32), shape.length == 2 ? IMAGE_2D : IMAGE_3D, shape, pick(Origin.values()), weighing.name(),
						caseWeights.of(weighing, shape), lags);
				}
		final int[] image = { 96, 72 }, template = { 40, 40 }, volume = { 24, 23, 22 }, cube = { 12, 12, 12 };
		for (final ImageContent content : new ImageContent[] { ImageContent.STEP, ImageContent.HALF_EIGHT_TIMES_BRIGHTER,
			ImageContent.BRIGHT_SPOT, ImageContent.HILLS, ImageContent.FLAT_REGIONS, ImageContent.NOISE_ON_A_MILLION, ImageContent.NOT_FINITE })
			for (final boolean gaussian : new boolean[] { true, false }) {
				random.start("large weights", content, gaussian);
				final Weighing weighing = gaussian ? Weighing.GAUSSIAN : pick(Weighing.UNIFORM, Weighing.WIDE, Weighing.THIRDS);
				final PixelType type = suited(content);
				add(content, type, type, image, template, Origin.CUT, weighing.name(), caseWeights.of(weighing, template), pick(Lags.ALL, Lags.SAME, Lags.FULL));
				add(content, type, type, volume, cube, Origin.NOISY_CUT, weighing.name(), caseWeights.of(weighing, cube), pick(Lags.ALL, Lags.SAME));
			}
	}

	private void signalsAndFourDimensions() {
		final int[][] images = { { 61 }, { 1200 }, { 7, 6, 5, 4 } };
		final int[][][] shapes = { { { 2 }, { 9 }, { 40 } }, { { 5 }, { 64 }, { 300 } }, { { 2, 2, 2, 2 }, { 3, 1, 2, 3 }, { 1, 4, 1, 1 }, { 5, 3, 4, 2 } } };
		for (int i = 0; i < images.length; i++)
			for (final int[] shape : shapes[i])
				for (final Lags lags : Lags.values()) {
					random.start("other dimensions", images[i], shape, lags);
					final PixelType type = pick(PixelType.values()), other = pick(PixelType.F32, PixelType.F64);
					add(suitable(type), type, type, images[i], shape, pick(Origin.values()), pick(Mask.values()), lags);
					final Weighing weighing = pick(Weighing.values());
					add(suitable(other), other, other, images[i], shape, pick(Origin.values()), weighing.name(), caseWeights.of(weighing, shape), lags);
				}
		for (final ImageContent content : ImageContent.values())
			for (int i = 1; i < images.length; i++) {
				random.start("other dimensions", content, images[i]);
				add(content, suited(content), suited(content), images[i], shapes[i][random.nextInt(3)], pick(Origin.values()), Mask.NONE, pick(Lags.values()));
			}
	}

	/** Volumes of a single plane. */
	private void onePlane() {
		for (final PixelType type : PixelType.values())
			for (final Lags lags : Lags.values()) {
				random.start("one plane", type, lags);
				add(suitable(type), type, type, new int[] { 31, 25, 1 }, new int[] { 3, 8, 1 }, Origin.CUT, Mask.NONE, lags);
				add(suitable(type), type, type, new int[] { 23, 19, 1 }, new int[] { 6, 5, 1 }, pick(Origin.values()), pick(Mask.values()), lags);
			}
	}

	/** Images of a single column, also in three dimensions: the CPU computes them as rows. */
	private void oneColumn() {
		for (final PixelType type : PixelType.values())
			for (final Lags lags : Lags.values()) {
				random.start("one column", type, lags);
				add(suitable(type), type, type, new int[] { 1, 61 }, new int[] { 1, 9 }, Origin.CUT, Mask.NONE, lags);
				add(suitable(type), type, type, new int[] { 1, 300 }, new int[] { 1, 40 }, pick(Origin.values()), pick(Mask.values()), lags);
				add(suitable(type), type, type, new int[] { 1, 31, 12 }, new int[] { 1, 7, 3 }, pick(Origin.values()), pick(Mask.values()), lags);
			}
	}

	/** The first small cases of the random search: mixed scales with masks, weights and partial overlaps, thin templates, borders. */
	private void adversarial() {
		for (int seed = 1, n = 0; n < 60; seed++) {
			final ContractCase c = AdversarialCases.of(seed, 30);
			if ((long) c.lags() * c.template().length > 200_000) continue;
			cases.add(c);
			n++;
		}
	}

	/** A type that suits the content: a floating-point type if possible. */
	private PixelType suited(final ImageContent content) {
		if (!content.suits(PixelType.F32)) return PixelType.U8;
		return pick(PixelType.F32, PixelType.F64);
	}

	/** Several templates with one image. The cases of a bank differ only in template and origin. */
	public static List<List<ContractCase>> banks() {
		return BANKS;
	}

	private List<List<ContractCase>> listOfBanks() {
		final List<List<ContractCase>> banks = new ArrayList<>();
		for (final PixelType type : PixelType.values())
			for (final boolean partial : new boolean[] { false, true })
				for (final boolean masked : new boolean[] { false, true }) {
					banks.add(bank(type, IMAGE_2D, new int[][] { { 5, 5 }, { 7, 11 }, { 5, 5 } }, new int[] { 9, 8 }, partial, masked, false));
					banks.add(bank(type, IMAGE_3D, new int[][] { { 3, 3, 3 }, { 1, 4, 6 } }, new int[] { 4, 5, 3 }, partial, masked, false));
					// templates of one size share the computations of the image
					banks.add(bank(type, IMAGE_2D, new int[][] { { 6, 4 }, { 6, 4 }, { 13, 3 }, { 6, 4 }, { 13, 3 } }, new int[] { 15, 18 }, partial,
						masked, true));
					banks.add(bank(type, new int[] { 300, 40 }, new int[][] { { 8, 8 }, { 8, 8 }, { 8, 8 } }, new int[] { 280, 30 }, partial, masked, true));
					// large enough that Fourier transforms compute the moments under a mask
					if (masked) banks.add(bank(type, new int[] { 70, 60 }, new int[][] { { 30, 30 }, { 30, 30 } }, new int[] { 31, 17 }, partial, true, true));
					banks.add(bank(type, IMAGE_3D, new int[][] { { 4, 2, 3 }, { 4, 2, 3 }, { 4, 2, 3 } }, new int[] { 9, 8, 6 }, partial, masked, true));
				}
		for (final boolean partial : new boolean[] { false, true }) {
			banks.add(weighted(bank(PixelType.F32, IMAGE_2D, new int[][] { { 6, 4 }, { 6, 4 }, { 13, 3 } }, new int[] { 15, 18 }, partial, true, true)));
			banks.add(weighted(bank(PixelType.F64, new int[] { 70, 60 }, new int[][] { { 30, 30 }, { 30, 30 } }, new int[] { 31, 17 }, partial, true, true)));
		}
		// many small templates
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.S8 }) {
			for (final int[] many : new int[][] { { 7, 5, 7 }, { 20, 16, 9 }, { 35, 20, 12 } })
				banks.add(bank(type, new int[] { 90, 40 }, many(many[0], many[1], many[2]), new int[] { 60, 25 }, false, false, true));
			banks.add(bank(type, new int[] { 90, 40 }, many(9, 16, 8), new int[] { 30, 20 }, false, false, false));
			// more lags than a block of threads has
			banks.add(bank(type, new int[] { 150, 40 }, many(18, 16, 15), new int[] { 130, 21 }, false, false, true));
			banks.add(bank(type, new int[] { 170, 55 }, many(7, 32, 32), new int[] { 131, 20 }, false, false, true));
		}
		banks.addAll(MissingPixelCases.ofBanks(banks));
		return banks;
	}

	private static int[][] many(final int count, final int width, final int height) {
		final int[][] sizes = new int[count][];
		Arrays.fill(sizes, new int[] { width, height });
		return sizes;
	}

	/** @param together whether templates of one size have the same mask and the same lags */
	private List<ContractCase> bank(final PixelType type, final int[] imageSize, final int[][] templates, final int[] count,
		final boolean partial, final boolean masked, final boolean together)
	{
		random.start("bank", type, imageSize, templates, count, partial, masked, together);
		final double[] image = suitable(type).draw(type, imageSize, random);
		final List<ContractCase> bank = new ArrayList<>();
		for (final int[] templateSize : templates) {
			final Optional<ContractCase> like = bank.stream().filter(c -> together && Arrays.equals(c.templateSize(), templateSize)).findFirst();
			final double[] weights = like.isPresent() ? like.get().weights()
				: masked ? caseWeights.of(pick(Mask.DISC, Mask.RING, Mask.RANDOM), templateSize) : null;
			final double[] template = caseTemplates.of(ImageContent.HILLS, image, type, imageSize, type, templateSize, Origin.NOISY_CUT, weights);
			final long[] origin = new long[count.length];
			for (int d = 0; d < origin.length; d++) {
				final int first = partial ? 1 - templateSize[d] : 0;
				final int last = (partial ? imageSize[d] - 1 : imageSize[d] - templateSize[d]) - count[d] + 1;
				origin[d] = like.isPresent() ? like.get().origin()[d] : first + random.nextInt(last - first + 1);
			}
			bank.add(new ContractCase("bank of " + type + " " + text(templateSize), type, type, imageSize, templateSize, image, template, weights,
				origin, count, partial, partial ? 1 / 3.0 : 1));
		}
		return bank;
	}

	/** A bank with weights. Templates of one size have the same weights. */
	private List<ContractCase> weighted(final List<ContractCase> bank) {
		final List<ContractCase> weighted = new ArrayList<>();
		for (final ContractCase c : bank) {
			random.start("weights of a bank", c.name());
			final double[] weights = weighted.stream().filter(o -> Arrays.equals(o.templateSize(), c.templateSize())).findFirst().map(ContractCase::weights)
				.orElseGet(() -> caseWeights.of(Weighing.GAUSSIAN, c.templateSize()));
			final double[] template = c.template().clone();
			for (int i = 0; i < template.length; i++)
				if (!Double.isFinite(template[i])) template[i] = 0;
			weighted.add(new ContractCase(c.name() + " with weights", c.imageType(), c.templateType(), c.imageSize(), c.templateSize(), c.image(), template, weights,
				c.origin(), c.count(), c.partial(), c.minOverlap()));
		}
		return weighted;
	}

	private void add(final ImageContent content, final PixelType imageType, final PixelType templateType, final int[] imageSize,
		final int[] templateSize, final Origin origin, final Mask mask, final Lags lags)
	{
		random.start("mask", content, imageType, templateType, imageSize, templateSize, origin, mask, lags);
		add(content, imageType, templateType, imageSize, templateSize, origin, mask.name(), caseWeights.of(mask, templateSize), lags);
	}

	private void add(final ImageContent content, final PixelType imageType, final PixelType templateType, final int[] imageSize,
		final int[] templateSize, final Origin origin, final String mask, final double[] weights, final Lags lags)
	{
		final boolean partial = lags != Lags.ALL && lags != Lags.BOX;
		final double minOverlap = partial ? pick(0.0, 1 / 3.0) : 1;
		final String name = unique(String.format("%s %s %s, %s template %s %s, mask %s, lags %s%s", content, imageType, text(imageSize), origin, templateType,
			text(templateSize), mask, lags, partial ? minOverlap == 0 ? " from 0" : " from 1/3" : "").toLowerCase(Locale.ROOT).replace('_', ' '));
		random.start(name);
		final double[] image = content.draw(imageType, imageSize, random);
		final double[] template = caseTemplates.of(content, image, imageType, imageSize, templateType, templateSize, origin, weights);
		final int dimensions = imageSize.length;
		final long[] first = new long[dimensions];
		final int[] count = new int[dimensions];
		for (int d = 0; d < dimensions; d++) {
			final int t = templateSize[d], inside = imageSize[d] - t + 1, full = imageSize[d] + t - 1;
			switch (lags) {
				case ALL -> count[d] = inside;
				case BOX -> {
					first[d] = inside / 3;
					count[d] = (inside + 1) / 2;
				}
				case SAME -> {
					first[d] = -(t / 2);
					count[d] = imageSize[d];
				}
				case FULL -> {
					first[d] = 1 - t;
					count[d] = full;
				}
				case FULL_BOX -> {
					first[d] = 1 - t + (d % 2 == 0 ? 0 : full / 2);
					count[d] = (full + 1) / 2;
				}
			}
		}
		cases.add(new ContractCase(name, imageType, templateType, imageSize, templateSize, image, template,
			weights, first, count, partial, minOverlap));
	}

	/** The name, with a number if there is a case of this name. */
	private String unique(final String name) {
		final int number = names.merge(name, 1, Integer::sum);
		return number == 1 ? name : name + ", number " + number;
	}

	private ImageContent suitable(final PixelType type) {
		final ImageContent content = pick(ImageContent.values());
		return content.suits(type) ? content : suitable(type);
	}

	/** A random shape, except for the two largest. */
	private int[] small(final int[][] shapes) {
		return shapes[random.nextInt(shapes.length - 2)];
	}

	@SafeVarargs
	private final <T> T pick(final T... values) {
		return values[random.nextInt(values.length)];
	}

	private static String text(final int[] size) {
		return String.join("x", IntStream.of(size).mapToObj(Integer::toString).toList());
	}
}
