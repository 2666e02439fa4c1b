package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.basictypeaccess.array.LongArray;
import net.imglib2.type.NativeType;
import net.imglib2.type.logic.BitType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.complex.ComplexFloatType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.LongType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.Unsigned12BitType;
import net.imglib2.type.numeric.integer.Unsigned2BitType;
import net.imglib2.type.numeric.integer.Unsigned4BitType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedLongType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Fraction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.contract.AlgorithmContract;
import sc.fiji.ncc.contract.ImageContent;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.result.Response;

/** The op: what it refuses and how it says so, which images it takes, and what it reports. */
class NormalizedCrossCorrelationTest {

	private static final int[] SIZE = { 14, 11 }, TEMPLATE = { 4, 3 };

	private static Img<UnsignedByteType> noise(final long seed, final int... size) {
		return TestImages.image(new UnsignedByteType(), size, ImageContent.NOISE.draw(PixelType.U8, size, new Random(seed)));
	}

	private static NormalizedCrossCorrelation op() {
		return NormalizedCrossCorrelation.of(noise(1, TEMPLATE));
	}

	/** @param words what the message has to say */
	private static void refused(final Runnable call, final String... words) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		for (final String word : words) assertTrue(message.contains(word), "\"" + message + "\" does not say \"" + word + "\"");
	}

	private static void refusedTemplate(final RandomAccessibleInterval<?> template, final String... words) {
		refused(() -> NormalizedCrossCorrelation.of(template).correlate(noise(2, SIZE)), words);
	}

	private static void refusedMask(final int[] size, final double[] values, final String... words) {
		refused(() -> op().mask(TestImages.image(new FloatType(), size, values)).correlate(noise(2, SIZE)), words);
	}

	@Test
	void aTemplateLargerThanTheImage() {
		refusedTemplate(noise(1, 15, 3), "15x3", "14x11", "larger than the image", "choose a smaller template");
		refused(() -> NormalizedCrossCorrelation.of(noise(1, 3, 3, 6)).correlate(noise(2, 8, 8, 5)), "3x3x6", "8x8x5");
		refused(() -> NormalizedCrossCorrelation.of(noise(1, 3, 12)).extent(Extent.FULL).correlate(noise(2, SIZE)), "3x12", "14x11");
	}

	@Test
	void aTemplateOfMoreDimensions() {
		refusedTemplate(noise(1, 3, 3, 2), "3x3x2", "14x11", "more dimensions", "at most 2");
	}

	@Test
	void aFlatTemplate() {
		refusedTemplate(ArrayImgs.unsignedBytes(3, 3), "3x3", "flat", "choose");
		refusedTemplate(ArrayImgs.floats(1, 1), "1x1", "flat");
	}

	@Test
	void aTemplateThatIsFlatUnderItsMask() {
		final Img<FloatType> template = TestImages.image(new FloatType(), new int[] { 2, 2 }, new double[] { 1, 5, 1, 1 });
		final Img<UnsignedByteType> mask = TestImages.image(new UnsignedByteType(), new int[] { 2, 2 }, new double[] { 1, 0, 1, 1 });
		refused(() -> NormalizedCrossCorrelation.of(template).mask(mask).correlate(noise(2, SIZE)), "2x2", "flat", "under the mask");
	}

	@Test
	void aTemplateWithNaNOrInfinity() {
		for (final double bad : new double[] { Double.NaN, Double.POSITIVE_INFINITY }) {
			final Img<FloatType> template = TestImages.image(new FloatType(), new int[] { 3, 2 }, new double[] { 1, 2, 3, 4, bad, 6 });
			refusedTemplate(template, "3x2", bad > 0 ? "Infinity" : "NaN", "[1, 1]", "mask");
			// where it does not count, it may stand
			final Img<BitType> mask = TestImages.image(new BitType(), new int[] { 3, 2 }, new double[] { 1, 1, 1, 1, 0, 1 });
			NormalizedCrossCorrelation.of(template).mask(mask).correlate(noise(2, SIZE));
		}
	}

	@Test
	void masks() {
		final double[] fraction = new double[12], negative = new double[12], nan = new double[12];
		Arrays.fill(fraction, 1);
		fraction[5] = 0.5;
		Arrays.fill(negative, 1);
		negative[5] = -1;
		Arrays.fill(nan, 1);
		nan[5] = Double.NaN;
		refusedMask(TEMPLATE, new double[12], "4x3", "zero everywhere");
		refusedMask(TEMPLATE, negative, "4x3", "negative");
		refusedMask(TEMPLATE, nan, "4x3", "NaN");
		refusedMask(TEMPLATE, fraction, "4x3", "0.5", "threshold");
		refusedMask(new int[] { 3, 4 }, fraction, "3x4", "4x3", "shape");
		refusedMask(new int[] { 4, 3, 1 }, fraction, "4x3x1", "4x3", "shape");
	}

	@Test
	void weights() {
		final double[] w = { 1, 0.5, 0, 1, 3, 1, 0.25, 0, 1, 1, 7, 1 }, negative = w.clone(), nan = w.clone(), infinite = w.clone(), vanishing = w.clone();
		negative[5] = -1;
		nan[5] = Double.NaN;
		infinite[5] = Double.POSITIVE_INFINITY;
		vanishing[5] = 6.9e-60;
		refusedWeights(TEMPLATE, new double[12], "4x3", "zero everywhere");
		refusedWeights(TEMPLATE, negative, "4x3", "-1.0 at [1, 1]");
		refusedWeights(TEMPLATE, nan, "4x3", "NaN");
		refusedWeights(TEMPLATE, infinite, "4x3", "Infinity");
		refusedWeights(TEMPLATE, vanishing, "4x3", "6.9E-60 besides 7.0", "1.0E-60 of the greatest", "set smaller weights to 0");
		vanishing[5] = 7.1e-60;
		assertFalse(Double.isNaN(map(op().weights(TestImages.image(new DoubleType(), TEMPLATE, vanishing)))[0]));
		refusedWeights(new int[] { 3, 4 }, w, "3x4", "4x3", "shape");
		// only their ratios matter, to the bit for powers of two, and in any type of pixel
		final double[] r = map(op().weights(TestImages.image(new DoubleType(), TEMPLATE, w)));
		assertArrayEquals(r, map(op().weights(TestImages.image(new DoubleType(), TEMPLATE, Arrays.stream(w).map(v -> 0x1p900 * v).toArray()))));
		assertArrayEquals(r, map(op().weights(TestImages.image(new UnsignedByteType(), TEMPLATE, Arrays.stream(w).map(v -> 4 * v).toArray()))));
		// and differ from those under a mask
		assertFalse(Arrays.equals(r, map(op().mask(TestImages.image(new DoubleType(), TEMPLATE, Arrays.stream(w).map(Math::signum).toArray())))));
	}

	@Test
	void weightsOfOneValueAreAMask() {
		final double[] ones = { 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1 };
		final double[] r = map(op().mask(TestImages.image(new DoubleType(), TEMPLATE, ones)));
		assertArrayEquals(r, map(op().weights(TestImages.image(new UnsignedByteType(), TEMPLATE, Arrays.stream(ones).map(w -> 255 * w).toArray()))));
	}

	private static void refusedWeights(final int[] size, final double[] weights, final String... words) {
		refused(() -> op().weights(TestImages.image(new DoubleType(), size, weights)).correlate(noise(2, SIZE)), words);
	}

	@Test
	void aMaskOf255IsOneOfOnes() {
		final double[] ones = { 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1 };
		final double[] r = map(op().mask(TestImages.image(new DoubleType(), TEMPLATE, ones)));
		assertArrayEquals(r, map(op().mask(TestImages.image(new UnsignedByteType(), TEMPLATE, Arrays.stream(ones).map(w -> 255 * w).toArray()))));
		assertArrayEquals(r, map(op().mask(TestImages.image(new BitType(), TEMPLATE, ones))));
	}

	private static double[] map(final NormalizedCrossCorrelation op) {
		return TestImages.values(op.correlate(noise(2, SIZE)).map());
	}

	@Test
	void imagesThatAreNotReal() {
		refused(() -> op().correlate(ArrayImgs.argbs(14, 11)), "RGB", "image has 3", "8-bit");
		refused(() -> NormalizedCrossCorrelation.of(ArrayImgs.argbs(4, 3)).correlate(noise(2, SIZE)), "flat", "3 channels");
		refused(() -> op().correlate(ArrayImgs.complexFloats(14, 11)), ComplexFloatType.class.getSimpleName(), "convert");
	}

	@Test
	void searchWindows() {
		refused(() -> op().search(FinalInterval.createMinMax(0, 0, 11, 8)).correlate(noise(2, SIZE)),
			"the search region 0,0,12,9 is not within the valid responses 0,0,11,9 of the image of 14x11 with the template of 4x3: give a region (x,y,w,h)");
		refused(() -> op().search(FinalInterval.createMinMax(-1, 0, 5, 5)).correlate(noise(2, SIZE)), "search region -1,0,7,6");
		refused(() -> op().search(FinalInterval.createMinMax(0, 0, 0, 5, 5, 0)).correlate(noise(2, SIZE)), "3 dimensions", "4x3");
		refused(() -> op().search(FinalInterval.createMinSize(2, 2, 0, 3)).correlate(noise(2, SIZE)), "search region 2,2,0,3");
		// what is outside for one extent is inside for another
		op().extent(Extent.SAME).search(FinalInterval.createMinMax(0, 0, 13, 10)).correlate(noise(2, SIZE));
		op().extent(Extent.FULL).search(FinalInterval.createMinMax(-3, -2, 13, 10)).correlate(noise(2, SIZE));
	}

	/** The plan states the memory, and stays within the limit as long as one thread can. */
	@Test
	void memoryIsLimited() {
		final Img<FloatType> image = ArrayImgs.floats(1500, 1500), template = ArrayImgs.floats(700, 700);
		template.firstElement().set(1);
		long before = Long.MAX_VALUE;
		for (final long megabytes : new long[] { 4000, 200, 100, 50 }) {
			final long bytes = NormalizedCrossCorrelation.of(template).backend("cpu").algorithm("cpu-fourier").threads(2).memory(megabytes * 1_000_000).explain(image).best().orElseThrow()
				.plan().cost().hostBytes();
			assertTrue(bytes <= megabytes * 1_000_000, bytes + " bytes with a limit of " + megabytes + " MB");
			assertTrue(bytes < before, bytes + " bytes with a limit of " + megabytes + " MB, as many as with more");
			before = bytes;
		}
	}

	@Test
	void lessMemoryGivesTheSameResponses() {
		final double[] expected = map(op());
		assertArrayEquals(expected, map(op().backend("cpu").algorithm("cpu-fourier").memory(1)), 1e-5);
	}

	@Test
	void numbers() {
		refused(() -> op().threads(0), "threads", "0", "at least 1");
		refused(() -> op().threads(-3), "threads", "-3");
		refused(() -> op().memory(0), "memory", "0", "at least 1");
		refused(() -> op().minOverlap(1.1), "1.1");
		refused(() -> op().minOverlap(-0.1), "-0.1");
		refused(() -> op().minOverlap(Double.NaN), "NaN");
		refused(() -> Border.constant(Double.NaN), "NaN");
	}

	@Test
	void aConstantThatThePixelsCannotHold() {
		refused(() -> op().extent(Extent.SAME).border(Border.constant(0.5)).correlate(noise(2, SIZE)), "0.5", "convert");
		refused(() -> op().extent(Extent.SAME).border(Border.constant(256)).correlate(noise(2, SIZE)), "256", "convert");
	}

	@Test
	void backendsAndAlgorithms() {
		refused(() -> op().backend("abacus").correlate(noise(2, SIZE)), "abacus", "auto", "cpu");
		refused(() -> op().algorithm("cpu-guess").correlate(noise(2, SIZE)), "cpu-guess", "cpu-direct", "cpu-direct-exact");
		final Img<FloatType> floats = TestImages.image(new FloatType(), SIZE, TestImages.values(noise(2, SIZE)));
		refused(() -> op().algorithm("cpu-direct-exact").correlate(floats), "cpu-direct-exact", "8- and 16-bit", "F32");
		assertEquals("cpu-direct", taken(op().algorithm("cpu-direct"), noise(2, SIZE)));
		assertEquals("cpu-direct-exact", taken(op().algorithm("cpu-direct-exact"), noise(2, SIZE)));
		assertTrue(taken(op().backend("cpu").algorithm("auto"), noise(2, SIZE)).startsWith("cpu-"));
		assertTrue(taken(op().backend(null).algorithm(null), floats).startsWith("cpu-direct"));
	}

	private static String taken(final NormalizedCrossCorrelation op, final RandomAccessibleInterval<?> image) {
		final String explained = op.explain(image).best().orElseThrow().name();
		assertEquals(explained, op.correlate(image).ranking().best().orElseThrow().name());
		return explained;
	}

	@Test
	void explainGivesAReasonForEveryCandidate() {
		final Img<FloatType> floats = TestImages.image(new FloatType(), SIZE, TestImages.values(noise(2, SIZE)));
		for (final Candidate c : op().explain(floats).candidates()) assertTrue(!c.reason().isBlank(), c.name());
		assertTrue(op().explain(floats).explain().contains("cpu-direct-exact"), op().explain(floats).explain());
	}

	private static Stream<RealType<?>> realTypes() {
		return Stream.of(new BitType(), new Unsigned2BitType(), new Unsigned4BitType(), new UnsignedByteType(), new ByteType(),
			new Unsigned12BitType(), new UnsignedShortType(), new ShortType(), new UnsignedIntType(), new IntType(), new UnsignedLongType(),
			new LongType(), new FloatType(), new DoubleType());
	}

	/** Every type as image, as template and as both, against the reference; nothing is written to. */
	@ParameterizedTest
	@MethodSource("realTypes")
	<T extends RealType<T> & NativeType<T>> void everyRealType(final T type) {
		final Random random = new Random(7);
		final double[] image = random.doubles(14 * 11, 0, 2).map(Math::floor).toArray();
		final double[] template = { 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0 };
		final Img<T> typedImage = TestImages.image(type, SIZE, image), typedTemplate = TestImages.image(type, TEMPLATE, template);
		final double[] expected = new ReferenceNcc(image, SIZE, template, TEMPLATE, null).inside(ReferenceNcc.Form.EXACT, new long[2],
			new int[] { 11, 9 });
		for (final RandomAccessibleInterval<?> i : new RandomAccessibleInterval<?>[] { typedImage, TestImages.image(new FloatType(), SIZE, image) })
			for (final RandomAccessibleInterval<?> t : new RandomAccessibleInterval<?>[] { typedTemplate, TestImages.image(new FloatType(), TEMPLATE,
				template) }) {
				final Response response = NormalizedCrossCorrelation.of(t).undefined(Undefined.NAN).correlate(i);
				assertArrayEquals(expected, TestImages.values(response.map()), AlgorithmContract.TOLERANCE);
				assertEquals(new FloatType().getClass(), response.map().getType().getClass());
			}
		assertArrayEquals(image, TestImages.values(typedImage), "the image was written to");
		assertArrayEquals(template, TestImages.values(typedTemplate), "the template was written to");
	}

	/** Values that only a type's full width tells apart. */
	@Test
	void wideTypesKeepTheirValues() {
		final int[] line = { 6, 1 }, pair = { 3, 1 };
		final long[] high = { -1L, -4096L, -8192L, -2048L, -1L, -6144L };
		final ArrayImg<UnsignedLongType, LongArray> longs = ArrayImgs.unsignedLongs(high, 6, 1);
		final double[] image = TestImages.values(longs);
		assertTrue(Arrays.stream(image).allMatch(v -> v > 1.8e19), "unsigned");
		final double[] template = { 1, 2, 0 };
		final double[] expected = new ReferenceNcc(image, line, template, pair, null).inside(ReferenceNcc.Form.EXACT, new long[2], new int[] { 4, 1 });
		assertArrayEquals(expected, TestImages.values(NormalizedCrossCorrelation.of(TestImages.image(new FloatType(), pair, template)).correlate(
			longs).map()), AlgorithmContract.TOLERANCE);
		final Img<Unsigned12BitType> twelve = TestImages.image(new Unsigned12BitType(), line, new double[] { 4095, 4093, 0, 4094, 4095, 4090 });
		assertEquals(new Fraction(12, 64).getRatio(), twelve.getType().getEntitiesPerPixel().getRatio());
		assertArrayEquals(new ReferenceNcc(TestImages.values(twelve), line, template, pair, null).inside(ReferenceNcc.Form.EXACT, new long[2],
			new int[] { 4, 1 }), TestImages.values(NormalizedCrossCorrelation.of(TestImages.image(new Unsigned4BitType(), pair, template)).correlate(
				twelve).map()), AlgorithmContract.TOLERANCE);
	}

	@Test
	void progressAddsUpToTheTotal() {
		final AtomicLong total = new AtomicLong(), totals = new AtomicLong(), done = new AtomicLong();
		final Monitor monitor = new Monitor() {

			@Override
			public void total(final long responses) {
				total.set(responses);
				totals.incrementAndGet();
				assertEquals(0, done.get(), "responses before the total");
			}

			@Override
			public void done(final long responses) {
				done.addAndGet(responses);
			}
		};
		final Response response = op().monitor(monitor).correlate(noise(2, 14, 11, 3));
		assertEquals(11 * 9 * 3, total.get());
		assertEquals(1, totals.get());
		assertEquals(total.get(), done.get());
		assertEquals(total.get(), response.report().responses());
		assertTrue(response.seconds() > 0);
	}

	@Test
	void cancel() {
		final Monitor monitor = new Monitor() {

			@Override
			public boolean canceled() {
				return true;
			}
		};
		assertThrows(CancellationException.class, () -> op().monitor(monitor).correlate(noise(2, SIZE)));
	}

	/** Inputs and options may be used again: nothing of one correlation is left in the next. */
	@Test
	void anOpMayBeUsedAgain() {
		final NormalizedCrossCorrelation op = op();
		final double[] r = TestImages.values(op.correlate(noise(2, SIZE)).map());
		TestImages.values(op.extent(Extent.FULL).correlate(noise(3, 20, 20)).map());
		assertArrayEquals(r, TestImages.values(op.extent(Extent.VALID).correlate(noise(2, SIZE)).map()));
		assertSame(op, op.threads(1));
	}

	/** The second call overwrites everything that the first one wrote, also where nothing is computed. */
	@Test
	void mapsAreWrittenIntoImagesOfTheCaller() {
		final Img<UnsignedByteType> image = noise(2, SIZE);
		final Img<FloatType> floats = net.imglib2.img.array.ArrayImgs.floats(14, 11);
		for (final FloatType p : floats) p.set(5);
		final NormalizedCrossCorrelation op = op().extent(Extent.SAME);
		final double[] expected = TestImages.values(op.correlate(image).map());
		final Response response = op.correlate(image, floats);
		assertSame(floats, response.map());
		assertArrayEquals(expected, TestImages.values(floats), 0);
		final Img<DoubleType> doubles = net.imglib2.img.array.ArrayImgs.doubles(14, 11), other = new net.imglib2.img.cell.CellImgFactory<>(new DoubleType(), 5).create(14, 11);
		op.precision(sc.fiji.ncc.plan.Precision.DOUBLE);
		assertSame(doubles, op.correlate(image, doubles).doubleMaps().get(0));
		op.correlate(image, other);
		assertArrayEquals(expected, TestImages.values(doubles), 1e-5);
		assertArrayEquals(TestImages.values(doubles), TestImages.values(other), 0);
		refused(() -> op.correlate(image, floats), "double", "FloatType", "DoubleType");
		refused(() -> op.correlate(image, net.imglib2.img.array.ArrayImgs.doubles(14, 12)), "14x11", "14x12");
		refused(() -> op.correlate(doubles, doubles), "searched");
		refused(() -> op.correlate(image, List.of(doubles, doubles)), "2 images for 1");
	}
}
