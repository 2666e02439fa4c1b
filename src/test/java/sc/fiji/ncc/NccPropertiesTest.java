package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.Random;

import net.imglib2.Cursor;
import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.DoubleRange;

import sc.fiji.ncc.contract.AlgorithmContract;
import sc.fiji.ncc.contract.ImageContent;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.Response;

/** What holds for any image and any template, through the public op. */
class NccPropertiesTest {

	private static final int TRIES = 120;
	/** Two responses that are each within the contract of the same number. */
	private static final double TWICE_THE_TOLERANCE = 2e-5;

	/** An image and a template that is not flat, neither of which holds NaN. */
	record Scene(PixelType type, ImageContent content, int[] size, int[] templateSize, long seed) {

		Img<?> image() {
			return TestImages.image(type, size, imageValues());
		}

		double[] imageValues() {
			return content.draw(type, size, new Random(seed));
		}

		double[] templateValues() {
			final double[] t = ImageContent.HILLS.draw(type, templateSize, new Random(seed + 1));
			t[0] = 3;
			t[t.length - 1] = 5;
			return t;
		}

		Img<?> template() {
			return TestImages.image(type, templateSize, templateValues());
		}

		/** Every second one of whole numbers is asked to be exact; the others take what the planner chooses. */
		boolean exact() {
			return type.exact() && seed % 2 == 0;
		}

		NormalizedCrossCorrelation op() {
			return op(template());
		}

		NormalizedCrossCorrelation op(final RandomAccessibleInterval<?> template) {
			return NormalizedCrossCorrelation.of(template).undefined(Undefined.NAN).algorithm(exact() ? "cpu-direct-exact" : "auto");
		}

		/** How far two maps of the same responses may be apart: not a bit if they are exact. */
		double tolerance() {
			return exact() ? 0 : TWICE_THE_TOLERANCE;
		}

		@Override
		public String toString() {
			return type + " " + content + " " + Arrays.toString(size) + ", template " + Arrays.toString(templateSize) + ", seed " + seed;
		}
	}

	@Provide
	Arbitrary<Scene> scenes() {
		return Combinators.combine(Arbitraries.of(PixelType.class), Arbitraries.of(ImageContent.class), Arbitraries.integers().between(2, 3),
			Arbitraries.longs()).as((type, content, dimensions, seed) -> {
				final Random random = new Random(seed);
				final int[] size = new int[dimensions], template = new int[dimensions];
				for (int d = 0; d < dimensions; d++) {
					size[d] = 2 + random.nextInt(dimensions == 2 ? 18 : 9);
					template[d] = 1 + random.nextInt(size[d]);
				}
				// two pixels at least
				template[0] = Math.max(2, template[0]);
				final boolean suits = content.suits(type) && content != ImageContent.NOT_FINITE;
				return new Scene(type, suits ? content : ImageContent.NOISE, size, template, seed);
			});
	}

	private static double[] map(final Response response) {
		return TestImages.values(response.map());
	}

	private static void assertNear(final double[] expected, final double[] actual, final double tolerance) {
		assertEquals(expected.length, actual.length, "responses");
		for (int i = 0; i < expected.length; i++) {
			final boolean undefined = Double.isNaN(expected[i]) && Double.isNaN(actual[i]);
			if (!undefined && !(Math.abs(expected[i] - actual[i]) <= tolerance))
				fail("response " + i + " is " + actual[i] + " instead of " + expected[i]);
		}
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void responsesAreTheReference(@ForAll("scenes") final Scene s) {
		final Response response = s.op().correlate(s.image());
		final double[] reference = new ReferenceNcc(s.imageValues(), s.size, s.templateValues(), s.templateSize, null).inside(
			ReferenceNcc.Form.AFFORDABLE, new long[s.size.length], TestImages.size(response.map()));
		assertNear(reference, map(response), AlgorithmContract.TOLERANCE);
		for (final double r : map(response)) assertTrue(Double.isNaN(r) || Math.abs(r) <= 1, "r = " + r);
		assertEquals(Arrays.stream(reference).filter(Double::isNaN).count(), response.report().undefined());
		assertEquals(reference.length, response.report().responses());
		assertArrayEquals(new long[s.size.length], response.origin());
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void overlapsAreTheReference(@ForAll("scenes") final Scene s, @ForAll @DoubleRange(min = 0, max = 1) final double share,
		@ForAll final boolean full)
	{
		final Response response = s.op().extent(full ? Extent.FULL : Extent.SAME).border(Border.OVERLAP).minOverlap(share).correlate(s.image());
		final long[] origin = new long[s.size.length];
		for (int d = 0; d < origin.length; d++) origin[d] = full ? 1 - s.templateSize[d] : -(s.templateSize[d] / 2);
		final double[] reference = new ReferenceNcc(s.imageValues(), s.size, s.templateValues(), s.templateSize, null).responses(
			ReferenceNcc.Form.AFFORDABLE, origin, TestImages.size(response.map()), true, share);
		assertNear(reference, map(response), AlgorithmContract.TOLERANCE);
		assertArrayEquals(full ? origin : new long[origin.length], response.origin());
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void whatIsCutOutIsFound(@ForAll("scenes") final Scene s) {
		final Random random = new Random(s.seed);
		final long[] min = new long[s.size.length];
		for (int d = 0; d < min.length; d++) min[d] = random.nextInt(s.size[d] - s.templateSize[d] + 1);
		final Img<?> image = s.image();
		final RandomAccessibleInterval<?> template = Views.interval(image, FinalInterval.createMinSize(min, TestImages.longs(s.templateSize)));
		if (Arrays.stream(TestImages.values(template)).distinct().count() < 2) return;
		final Img<FloatType> map = s.op(template).correlate(image).map();
		assertEquals(1f, map.getAt(min).get(), s.exact() ? 0 : AlgorithmContract.TOLERANCE);
	}

	/** Of whole numbers in doubles, so that an affine map of the values rounds little. */
	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void contrastAndBrightnessDoNotMatter(@ForAll("scenes") final Scene s, @ForAll @DoubleRange(min = 0.01, max = 1000) final double a,
		@ForAll @DoubleRange(min = -1e6, max = 1e6) final double b, @ForAll final boolean negative)
	{
		final double[] values = ImageContent.FLAT_REGIONS.draw(PixelType.U8, s.size, new Random(s.seed));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(s.template()).undefined(Undefined.NAN);
		final double sign = negative ? -1 : 1;
		final double[] changed = Arrays.stream(values).map(v -> sign * a * v + b).toArray();
		final double[] r = map(op.correlate(TestImages.image(new DoubleType(), s.size, values)));
		final double[] q = map(op.correlate(TestImages.image(new DoubleType(), s.size, changed)));
		assertNear(Arrays.stream(r).map(v -> sign * v).toArray(), q, TWICE_THE_TOLERANCE);
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void aPartOfTheImageGivesThatPartOfTheMap(@ForAll("scenes") final Scene s) {
		final Random random = new Random(s.seed);
		final long[] min = new long[s.size.length], size = min.clone(), lags = min.clone();
		for (int d = 0; d < min.length; d++) {
			min[d] = random.nextInt(s.size[d] - s.templateSize[d] + 1);
			lags[d] = 1 + random.nextInt((int) (s.size[d] - s.templateSize[d] - min[d] + 1));
			size[d] = lags[d] + s.templateSize[d] - 1;
		}
		final Img<?> image = s.image();
		final Response part = s.op().correlate(Views.interval(image, FinalInterval.createMinSize(min, size)));
		final Img<FloatType> whole = s.op().correlate(image).map();
		assertNear(TestImages.values(Views.interval(whole, FinalInterval.createMinSize(min, lags))), map(part), s.tolerance());
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void aSearchWindowIsACutFromTheMap(@ForAll("scenes") final Scene s, @ForAll final Extent extent, @ForAll final Border.Kind kind) {
		final Border border = new Border(kind, 1);
		final Img<?> image = s.image();
		final Response whole = s.op().extent(extent).border(border).correlate(image);
		final RandomAccessibleInterval<FloatType> placed = Views.translate(whole.map(), whole.origin());
		final Random random = new Random(s.seed);
		final long[] min = placed.minAsLongArray(), max = placed.maxAsLongArray();
		for (int d = 0; d < min.length; d++) {
			min[d] += random.nextInt((int) placed.dimension(d));
			max[d] = min[d] + random.nextInt((int) (max[d] - min[d] + 1));
		}
		final Interval search = new FinalInterval(min, max);
		final Response part = s.op().extent(extent).border(border).search(search).correlate(image);
		assertArrayEquals(min, part.origin());
		assertNear(TestImages.values(Views.interval(placed, search)), map(part), s.tolerance());
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void threadsAndBoxesDoNotMatter(@ForAll("scenes") final Scene s, @ForAll final Extent extent) {
		final Img<?> image = s.image();
		final double[] r = map(s.op().extent(extent).threads(1).correlate(image));
		assertNear(r, map(s.op().extent(extent).threads(2).correlate(image)), s.tolerance());
		assertNear(r, map(s.op().extent(extent).maxLags(1 + Math.floorMod(s.seed, 40)).correlate(image)), s.tolerance());
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void validIsTheInnerPartOfSameAndFull(@ForAll("scenes") final Scene s, @ForAll final Border.Kind kind) {
		final Img<?> image = s.image();
		final Img<FloatType> valid = s.op().correlate(image).map();
		for (final Extent extent : new Extent[] { Extent.SAME, Extent.FULL }) {
			final Response more = s.op().extent(extent).border(new Border(kind, 2)).correlate(image);
			final long[] min = new long[s.size.length];
			for (int d = 0; d < min.length; d++) min[d] = extent == Extent.SAME ? s.templateSize[d] / 2 : 0;
			final RandomAccessibleInterval<FloatType> placed = Views.translate(more.map(), more.origin());
			final Interval inner = FinalInterval.createMinSize(min, valid.dimensionsAsLongArray());
			assertNear(TestImages.values(valid), TestImages.values(Views.interval(placed, inner)), s.tolerance());
			if (kind != Border.Kind.UNDEFINED) continue;
			for (final Cursor<FloatType> c = placed.localizingCursor(); c.hasNext();)
				assertTrue(Float.isNaN(c.next().get()) || Intervals.contains(inner, c), "a response beyond the valid ones");
		}
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void aBorderIsAsIfTheImageWereLarger(@ForAll("scenes") final Scene s, @ForAll final boolean mirror, @ForAll final boolean full) {
		compareBorder(s, s.image(), mirror ? Border.MIRROR : Border.constant(7), full ? Extent.FULL : Extent.SAME);
	}

	private static void compareBorder(final Scene s, final Img<?> image, final Border border, final Extent extent) {
		final int n = s.size.length;
		final int[] before = new int[n], padded = new int[n], at = new int[n], from = new int[n];
		for (int d = 0; d < n; d++) {
			final int t = s.templateSize[d];
			before[d] = extent == Extent.FULL ? t - 1 : t / 2;
			padded[d] = s.size[d] + (extent == Extent.FULL ? 2 * (t - 1) : t - 1);
		}
		final double[] values = TestImages.values(image), more = new double[ReferenceNcc.pixels(padded)];
		for (int i = 0; i < more.length; i++) {
			ReferenceNcc.unravel(i, padded, at);
			boolean inside = true;
			for (int d = 0; d < n; d++) {
				final int x = at[d] - before[d];
				inside &= x >= 0 && x < s.size[d];
				from[d] = mirrored(x, s.size[d]);
			}
			more[i] = inside || border.kind() == Border.Kind.MIRROR ? values[ReferenceNcc.index(s.size, from)] : border.value();
		}
		assertNear(map(s.op().correlate(TestImages.image(s.type, padded, more))), map(s.op().extent(extent).border(border).correlate(image)),
			s.tolerance());
	}

	/** 3 2 1 | 0 1 2 3 | 2 1 0 */
	private static int mirrored(final int x, final int size) {
		if (size == 1) return 0;
		final int period = 2 * (size - 1), y = Math.floorMod(x, period);
		return y < size ? y : period - y;
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void viewsAreReadAsTheyAre(@ForAll("scenes") final Scene s) {
		final int[] larger = s.size.clone();
		for (int d = 0; d < larger.length; d++) larger[d] += 3;
		final Img<UnsignedShortType> whole = TestImages.image(new UnsignedShortType(), larger,
			ImageContent.HILLS.draw(PixelType.U16, larger, new Random(s.seed)));
		final long[] min = new long[larger.length];
		Arrays.fill(min, 2);
		final RandomAccessibleInterval<UnsignedShortType> crop = Views.interval(whole, FinalInterval.createMinSize(min, TestImages.longs(s.size)));
		final double[] values = TestImages.values(crop);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(s.template()).undefined(Undefined.NAN);
		final double[] expected = map(op.correlate(TestImages.image(new UnsignedShortType(), s.size, values)));
		final int[] cells = new int[larger.length];
		Arrays.fill(cells, 3);
		assertArrayEquals(expected, map(op.correlate(crop)), "a crop");
		assertArrayEquals(expected, map(op.correlate(Views.zeroMin(crop))), "a shifted crop");
		assertArrayEquals(expected, map(op.correlate(TestImages.image(new CellImgFactory<>(new UnsignedShortType(), cells), s.size, values))),
			"cells");
		assertArrayEquals(expected, map(op.correlate(TestImages.image(new PlanarImgFactory<>(new UnsignedShortType()), s.size, values))),
			"planes");
		assertArrayEquals(expected, map(op.correlate(Converters.convert(crop, (i, o) -> o.set(i.get()), new UnsignedShortType()))),
			"a converter");
		assertArrayEquals(expected, map(op.correlate(Views.permute(permutedCopy(crop), 0, 1))), "permuted axes");
	}

	/** A copy with x and y swapped. */
	private static Img<UnsignedShortType> permutedCopy(final RandomAccessibleInterval<UnsignedShortType> image) {
		final RandomAccessibleInterval<UnsignedShortType> permuted = Views.permute(image, 0, 1);
		return TestImages.image(new UnsignedShortType(), TestImages.size(permuted), TestImages.values(permuted));
	}

	@Property(tries = TRIES / 2, shrinking = ShrinkingMode.OFF)
	void framesAreImagesOfTheirOwn(@ForAll("scenes") final Scene s, @ForAll final Extent extent) {
		final int n = s.size.length;
		final int[] movie = Arrays.copyOf(s.size, n + 2);
		movie[n] = 2;
		movie[n + 1] = 3;
		final Img<?> frames = TestImages.image(s.type, movie, s.content.draw(s.type, movie, new Random(s.seed)));
		final Response response = s.op().extent(extent).correlate(frames);
		assertEquals(n + 2, response.map().numDimensions());
		long undefined = 0;
		for (int f = 0; f < 6; f++) {
			final RandomAccessibleInterval<?> frame = Views.hyperSlice(Views.hyperSlice(frames, n + 1, f / 2), n, f % 2);
			final Response alone = s.op().extent(extent).correlate(frame);
			final RandomAccessibleInterval<FloatType> part = Views.hyperSlice(Views.hyperSlice(response.map(), n + 1, f / 2), n, f % 2);
			assertNear(map(alone), TestImages.values(part), s.tolerance());
			undefined += alone.report().undefined();
		}
		assertEquals(undefined, response.report().undefined());
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void undefinedReadsZeroOrNaN(@ForAll("scenes") final Scene s, @ForAll final Extent extent) {
		final Img<?> image = s.image();
		final double[] nan = map(s.op().extent(extent).undefined(Undefined.NAN).correlate(image));
		final double[] zero = map(s.op().extent(extent).undefined(Undefined.ZERO).correlate(image));
		assertNear(Arrays.stream(nan).map(r -> Double.isNaN(r) ? 0 : r).toArray(), zero, s.tolerance());
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void aMaskLeavesOutPixels(@ForAll("scenes") final Scene s) {
		final Random random = new Random(s.seed);
		final double[] weights = new double[ReferenceNcc.pixels(s.templateSize)];
		for (int i = 0; i < weights.length; i++) weights[i] = random.nextInt(2);
		// the two that differ for certain
		weights[0] = weights[weights.length - 1] = 1;
		final double[] bright = Arrays.stream(weights).map(w -> 255 * w).toArray();
		final Response response = s.op().mask(TestImages.image(new UnsignedByteType(), s.templateSize, bright)).correlate(s.image());
		final double[] reference = new ReferenceNcc(s.imageValues(), s.size, s.templateValues(), s.templateSize, weights).inside(
			ReferenceNcc.Form.AFFORDABLE, new long[s.size.length], TestImages.size(response.map()));
		assertNear(reference, map(response), AlgorithmContract.TOLERANCE);
	}

	@Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
	void imageAndTemplateMayDifferInType(@ForAll("scenes") final Scene s, @ForAll final PixelType other) {
		final double[] template = ImageContent.NOISE.draw(other, s.templateSize, new Random(s.seed));
		template[0] = 1;
		template[1] = 0;
		final Response response = NormalizedCrossCorrelation.of(TestImages.image(other, s.templateSize, template)).undefined(Undefined.NAN)
			.correlate(s.image());
		final double[] reference = new ReferenceNcc(s.imageValues(), s.size, template, s.templateSize, null).inside(
			ReferenceNcc.Form.AFFORDABLE, new long[s.size.length], TestImages.size(response.map()));
		assertNear(reference, map(response), AlgorithmContract.TOLERANCE);
	}
}
