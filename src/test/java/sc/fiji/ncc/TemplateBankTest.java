package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.CountedProgress;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;

/** Several templates at once, an image prepared for them, and the best of them. */
class TemplateBankTest {

	private static final String[] ALGORITHMS = { "cpu-direct-exact", "cpu-direct", "cpu-fourier" };
	private static final int WIDTH = 61, HEIGHT = 47, FRAMES = 3;

	/** Noise with flat parts, in which windows are undefined. */
	private static Img<UnsignedByteType> stack() {
		final Img<UnsignedByteType> stack = RandomPixels.image(1, WIDTH, HEIGHT, FRAMES);
		for (int y = 5; y < 30; y++)
			for (int x = 10; x < 40; x++) stack.getAt(x, y, 1).set(9);
		return stack;
	}

	private static List<RandomAccessibleInterval<?>> templates(final int count, final long... size) {
		final List<RandomAccessibleInterval<?>> templates = new ArrayList<>();
		for (int t = 0; t < count; t++) templates.add(RandomPixels.image(100 + t, size));
		return templates;
	}

	private static float[] values(final RandomAccessibleInterval<?> image) {
		final double[] v = TestImages.values(image);
		final float[] f = new float[v.length];
		for (int i = 0; i < f.length; i++) f[i] = (float) v[i];
		return f;
	}

	@ParameterizedTest
	@ValueSource(strings = { "cpu-direct-exact", "cpu-direct", "cpu-fourier" })
	void eachMapIsThatOfItsTemplateAlone(final String algorithm) {
		final List<RandomAccessibleInterval<?>> templates = templates(3, 8, 6);
		templates.add(1, RandomPixels.image(7, 5, 9));
		templates.add(RandomPixels.image(8, 5, 9));
		for (final Extent extent : Extent.values())
			for (final Border border : List.of(Border.UNDEFINED, Border.MIRROR, Border.OVERLAP)) {
				final Response all = NormalizedCrossCorrelation.of(templates).algorithm(algorithm).extent(extent).border(border).correlate(stack());
				assertEquals(templates.size(), all.maps().size());
				long responses = 0, undefined = 0;
				for (int t = 0; t < templates.size(); t++) {
					final Response alone =
						NormalizedCrossCorrelation.of(templates.get(t)).algorithm(algorithm).extent(extent).border(border).correlate(stack());
					assertArrayEquals(alone.map().dimensionsAsLongArray(), all.maps().get(t).dimensionsAsLongArray());
					assertArrayEquals(alone.origin(), all.origins().get(t));
					assertArrayEquals(values(alone.map()), values(all.maps().get(t)), 2e-5f, extent + " " + border + " template " + t);
					responses += alone.report().responses();
					undefined += alone.report().undefined();
				}
				assertEquals(responses, all.report().responses());
				assertEquals(undefined, all.report().undefined());
			}
	}

	@Test
	void onlyOneMapCanBeAskedForAsTheMap() {
		final Response two = NormalizedCrossCorrelation.of(templates(2, 4, 4)).correlate(stack());
		assertTrue(assertThrows(IllegalStateException.class, two::map).getMessage().contains("2 maps"));
		assertThrows(IllegalStateException.class, two::origin);
	}

	@Test
	void templatesOfDifferentTypesMeetInOneThatHoldsBoth() {
		final Img<UnsignedShortType> wide = ArrayImgs.unsignedShorts(new short[] { 0, 9, (short) 60000, 4 }, 2, 2);
		final Img<FloatType> real = ArrayImgs.floats(new float[] { 0.5f, 3, 1, 2 }, 2, 2);
		final List<RandomAccessibleInterval<?>> both = List.of(RandomPixels.image(3, 2, 2), wide), three = List.of(RandomPixels.image(3, 2, 2), wide, real);
		assertEquals("U16", NormalizedCrossCorrelation.of(both).call().templates().get(0).type().name());
		assertEquals("F32", NormalizedCrossCorrelation.of(three).call().templates().get(1).type().name());
		assertEquals("S16", NormalizedCrossCorrelation.of(List.of(RandomPixels.image(3, 2, 2), ArrayImgs.bytes(new byte[] { -1, 2, 3, 4 }, 2, 2)))
			.call().templates().get(0).type().name());
		final Response r = NormalizedCrossCorrelation.of(three).correlate(stack());
		assertArrayEquals(values(NormalizedCrossCorrelation.of(wide).correlate(stack()).map()), values(r.maps().get(1)), 2e-5f);
	}

	@Test
	void masksAreOneForAllOrOneForEach() {
		final List<RandomAccessibleInterval<?>> templates = templates(3, 4, 3);
		final Img<UnsignedByteType> a = ArrayImgs.unsignedBytes(new byte[] { 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1 }, 4, 3),
			b = ArrayImgs.unsignedBytes(new byte[] { 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1 }, 4, 3);
		final Response one = NormalizedCrossCorrelation.of(templates).mask(a).correlate(stack());
		final Response each = NormalizedCrossCorrelation.of(templates).masks(Arrays.asList(a, null, b)).correlate(stack());
		final List<Img<UnsignedByteType>> masks = Arrays.asList(a, null, b);
		for (int t = 0; t < 3; t++) {
			assertArrayEquals(values(NormalizedCrossCorrelation.of(templates.get(t)).mask(a).correlate(stack()).map()), values(one.maps().get(t)), 2e-5f);
			assertArrayEquals(values(NormalizedCrossCorrelation.of(templates.get(t)).mask(masks.get(t)).correlate(stack()).map()),
				values(each.maps().get(t)), 2e-5f);
		}
		assertTrue(assertThrows(IllegalArgumentException.class, () -> NormalizedCrossCorrelation.of(templates).masks(List.of(a, b))).getMessage()
			.contains("2 masks for 3 templates"));
	}

	@Test
	void whatCannotGoTogetherIsRefused() {
		refused("empty", () -> NormalizedCrossCorrelation.of(List.of()));
		refused("number of dimensions", () -> NormalizedCrossCorrelation.of(List.of(RandomPixels.image(1, 3, 3), RandomPixels.image(1, 3, 3, 2))).correlate(stack()));
		refused("flat", () -> NormalizedCrossCorrelation.of(List.of(RandomPixels.image(1, 3, 3), ArrayImgs.unsignedBytes(3, 3))).correlate(stack()));
		refused("larger than the image", () -> NormalizedCrossCorrelation.of(List.of(RandomPixels.image(1, 3, 3), RandomPixels.image(1, 99, 3))).correlate(stack()));
		refused("same", () -> NormalizedCrossCorrelation.of(List.of(RandomPixels.image(1, 3, 3), RandomPixels.image(1, 4, 3))).best(stack()));
		refused("differ in size or mask", () -> NormalizedCrossCorrelation.of(List.of(RandomPixels.image(1, 3, 3), RandomPixels.image(1, 4, 3))).prepare(stack()));
		refused("no template: call prepare", () -> NormalizedCrossCorrelation.ofSize(3, 3).correlate(stack()));
	}

	private static void refused(final String says, final org.junit.jupiter.api.function.Executable call) {
		final String message = assertThrows(IllegalArgumentException.class, call).getMessage();
		assertTrue(message.contains(says), message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "cpu-direct-exact", "cpu-direct", "cpu-fourier" })
	void bestIsTheMaximumOverTheMaps(final String algorithm) {
		for (final Extent extent : Extent.values())
			for (final Undefined undefined : Undefined.values()) {
				final List<RandomAccessibleInterval<?>> templates = templates(4, 8, 6);
				// twice the same: the first counts
				templates.add(templates.get(1));
				if (extent == Extent.SAME) templates.add(RandomPixels.image(8, 5, 9));
				final NormalizedCrossCorrelation op =
					NormalizedCrossCorrelation.of(templates).algorithm(algorithm).extent(extent).undefined(undefined).maxLags(500);
				final Best best = op.best(stack());
				final Response all = op.undefined(Undefined.NAN).correlate(stack());
				assertArrayEquals(all.origins().get(0), best.origin());
				assertEquals(all.report(), best.report());
				final float[] score = values(best.score()), which = values(best.template());
				final List<float[]> maps = all.maps().stream().map(TemplateBankTest::values).toList();
				int none = 0;
				for (int i = 0; i < score.length; i++) {
					float most = Float.NaN;
					int number = 0;
					for (int t = 0; t < maps.size(); t++) {
						final float r = maps.get(t)[i];
						if (r > most || most != most && r == r) {
							most = r;
							number = t + 1;
						}
					}
					if (number == 0) none++;
					assertEquals(number == 0 ? undefined.value : most, score[i], 0f, extent + " score at " + i);
					assertEquals(number, (int) which[i], extent + " template at " + i);
				}
				if (extent == Extent.SAME) assertTrue(none > 0, "none is undefined");
			}
	}

	@Test
	void numbersAreAsWideAsNeeded() {
		final List<RandomAccessibleInterval<?>> many = templates(256, 2, 2);
		assertEquals(UnsignedByteType.class, NormalizedCrossCorrelation.of(many.subList(0, 255)).best(RandomPixels.image(1, 5, 5)).template().firstElement().getClass());
		assertEquals(UnsignedShortType.class, NormalizedCrossCorrelation.of(many).best(RandomPixels.image(1, 5, 5)).template().firstElement().getClass());
	}

	@ParameterizedTest
	@ValueSource(strings = { "cpu-direct-exact", "cpu-direct", "cpu-fourier" })
	void aPreparedImageGivesTheSameBits(final String algorithm) {
		final List<RandomAccessibleInterval<?>> templates = templates(3, 8, 6);
		for (final Extent extent : Extent.values())
			for (final boolean masked : new boolean[] { false, true }) {
				final RandomAccessibleInterval<?> mask = masked ? TestImages.image(new UnsignedByteType(), new int[] { 8, 6 }, mask(48)) : null;
				final NormalizedCrossCorrelation settings =
					NormalizedCrossCorrelation.of(templates.get(0)).mask(mask).algorithm(algorithm).extent(extent).maxLags(700);
				try (PreparedImage prepared = settings.prepare(stack())) {
					assertTrue(prepared.bytes() >= 16L * (WIDTH - 7) * (HEIGHT - 5) * FRAMES, "bytes kept: " + prepared.bytes());
					for (final RandomAccessibleInterval<?> t : templates) {
						final Response plain = NormalizedCrossCorrelation.of(t).mask(mask).algorithm(algorithm).extent(extent).maxLags(700).correlate(stack());
						final Response same = prepared.correlate(t);
						assertArrayEquals(values(plain.map()), values(same.map()));
						assertArrayEquals(plain.origin(), same.origin());
						assertEquals(plain.report(), same.report());
					}
					final Response together = prepared.correlate(templates);
					for (int t = 0; t < 3; t++) assertArrayEquals(values(prepared.correlate(templates.get(t)).map()), values(together.maps().get(t)));
					final Best best = prepared.best(templates), plain =
						NormalizedCrossCorrelation.of(templates).mask(mask).algorithm(algorithm).extent(extent).maxLags(700).best(stack());
					assertArrayEquals(values(plain.score()), values(best.score()));
					assertArrayEquals(values(plain.template()), values(best.template()));
					prepared.close();
					assertEquals(0, prepared.bytes());
				}
			}
	}

	private static double[] mask(final int n) {
		final double[] mask = new double[n];
		final Random random = new Random(5);
		for (int i = 0; i < n; i++) mask[i] = i < 2 || random.nextBoolean() ? 1 : 0;
		return mask;
	}

	@Test
	void anImageIsPreparedForTemplatesThatComeLater() {
		try (PreparedImage prepared = NormalizedCrossCorrelation.ofSize(4, 5).prepare(stack())) {
			final Img<UnsignedByteType> t = RandomPixels.image(3, 4, 5);
			assertArrayEquals(values(NormalizedCrossCorrelation.of(t).correlate(stack()).map()), values(prepared.correlate(t).map()), 2e-5f);
			final float[] whole = new float[20], half = new float[20];
			for (int i = 0; i < 20; i++) whole[i] = i * i % 7;
			half[3] = 0.5f;
			assertNotNull(prepared.correlate(ArrayImgs.floats(whole, 4, 5)));
			refused("0.5 at [3, 0]", () -> prepared.correlate(ArrayImgs.floats(half, 4, 5)));
			refused("prepared for templates of 4x5, the template is 5x4", () -> prepared.correlate(RandomPixels.image(3, 5, 4)));
			refused("flat", () -> prepared.correlate(ArrayImgs.unsignedBytes(4, 5)));
			refused("empty", () -> prepared.correlate(List.of()));
			// and after all that it still works
			assertNotNull(prepared.correlate(t));
			prepared.close();
			prepared.close();
			refused("closed", () -> prepared.correlate(t));
		}
		refused("larger than the image", () -> NormalizedCrossCorrelation.ofSize(99, 5).prepare(stack()));
		refused("search region",
			() -> NormalizedCrossCorrelation.ofSize(4, 5).search(new FinalInterval(new long[] { 0, 0 }, new long[] { 70, 2 })).prepare(stack()));
	}

	@Test
	void progressIsWholeAndCancelEndsIt() {
		final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
		final CountedProgress monitor = new CountedProgress() {

			@Override
			public boolean canceled() {
				return left.getAndDecrement() <= 0;
			}
		};
		for (final String algorithm : ALGORITHMS) {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates(5, 8, 6)).algorithm(algorithm).monitor(monitor);
			left.set(Integer.MAX_VALUE);
			monitor.done.set(0);
			op.correlate(stack());
			assertEquals(5L * (WIDTH - 7) * (HEIGHT - 5) * FRAMES, monitor.total.get());
			assertEquals(monitor.total.get(), monitor.done.get());
			for (final int polls : new int[] { 0, 1, 7, 60 }) {
				left.set(polls);
				assertThrows(CancellationException.class, () -> op.correlate(stack()));
				left.set(polls);
				assertThrows(CancellationException.class, () -> op.best(stack()));
				left.set(polls);
				assertThrows(CancellationException.class, () -> op.prepare(stack()));
			}
			left.set(Integer.MAX_VALUE);
			try (PreparedImage prepared = op.prepare(stack())) {
				monitor.done.set(0);
				left.set(3);
				assertThrows(CancellationException.class, () -> prepared.correlate(templates(5, 8, 6)));
				left.set(Integer.MAX_VALUE);
				monitor.done.set(0);
				prepared.correlate(templates(5, 8, 6));
				assertEquals(monitor.total.get(), monitor.done.get());
			}
		}
	}

	@Test
	void whatADeviceLeavesTheNextCandidateDoes() {
		final List<RandomAccessibleInterval<?>> templates = templates(2, 8, 6);
		for (final int number : new int[] { 0, 2 }) {
			final FakeDevice device = new FakeDevice();
			final List<Backend> both = List.of(device, new CpuBackend(2));
			device.failLaunch = number;
			final Best best = NormalizedCrossCorrelation.of(templates).backends(both).best(stack());
			assertArrayEquals(values(NormalizedCrossCorrelation.of(templates).best(stack()).score()), values(best.score()), 2e-5f);
			assertTrue(best.rankings().get(0).explain().contains("the launch failed"), best.rankings().get(0).explain());
			assertEquals(0, device.open.get());
		}
	}

	@Test
	void aPreparedImageOutlivesItsDevice() {
		final Img<UnsignedByteType> t = RandomPixels.image(3, 8, 6);
		final float[] expected = values(NormalizedCrossCorrelation.of(t).correlate(stack()).map());
		final FakeDevice device = new FakeDevice();
		device.loseAt = FRAMES + 1;
		try (PreparedImage prepared = NormalizedCrossCorrelation.of(t).backends(List.of(device, new CpuBackend(2))).prepare(stack())) {
			assertEquals(0, prepared.bytes(), "the device has nothing to keep");
			assertArrayEquals(expected, values(prepared.correlate(t).map()), 2e-5f);
			assertEquals("fake-direct", prepared.explain().best().orElseThrow().name());
			assertArrayEquals(expected, values(prepared.correlate(t).map()), 2e-5f);
			assertTrue(prepared.bytes() > 0);
			assertTrue(prepared.explain().explain().contains("failed: the device is lost"), prepared.explain().explain());
			assertEquals(0, device.open.get());
		}
		final FakeDevice only = new FakeDevice();
		only.loseAt = 0;
		try (PreparedImage prepared = NormalizedCrossCorrelation.of(t).backends(List.of(only)).prepare(stack())) {
			assertThrows(NccException.class, () -> prepared.correlate(t));
			assertThrows(NccException.class, () -> prepared.correlate(t));
		}
		assertEquals(0, only.open.get());
		only.failAllocation = true;
		assertTrue(assertThrows(NccException.class, () -> NormalizedCrossCorrelation.of(t).backends(List.of(only)).prepare(stack())).getMessage()
			.contains("out of device memory"));
	}

	@Test
	void matchesOfSeveralTemplatesCompeteUnlessToldOtherwise() {
		final Img<UnsignedByteType> image = RandomPixels.image(1, WIDTH, HEIGHT);
		final List<RandomAccessibleInterval<?>> templates = new ArrayList<>();
		templates.add(cut(image, 10, 12, 9, 7));
		// lies in the first, and fits itself as well
		templates.add(cut(image, 11, 13, 6, 6));
		templates.add(cut(image, 40, 30, 8, 8));
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(templates)).minScore(0.9);
		final List<Match> found = matching.find(image).matches();
		assertEquals(List.of("0 [10, 12]", "2 [40, 30]"), found.stream().map(m -> m.template() + " " + Arrays.toString(m.position())).toList());
		final List<Match> each = matching.compete(false).maxMatches(1).find(image).matches();
		assertEquals(List.of("0 [10, 12]", "1 [11, 13]", "2 [40, 30]"),
			each.stream().map(m -> m.template() + " " + Arrays.toString(m.position())).toList());
		for (final Match m : each) assertEquals(1, m.score());
		// counted together, and by default in the order of the image where scores are equal
		assertEquals(1, matching.compete(true).maxMatches(1).find(image).matches().size());
		assertEquals(3, matching.maxOverlap(1).maxMatches(9).find(image).matches().size());
		for (final Extent extent : Extent.values()) {
			final List<Match> same = TemplateMatching.with(NormalizedCrossCorrelation.of(templates).extent(extent)).minScore(0.95).find(image).matches();
			assertEquals(List.of("0 [10, 12]", "2 [40, 30]"), same.stream().filter(m -> m.score() == 1).map(m -> m.template() + " " + Arrays.toString(m.position())).toList());
		}
	}

	private static Img<UnsignedByteType> cut(final Img<UnsignedByteType> image, final int x, final int y, final int width, final int height) {
		final Img<UnsignedByteType> part = ArrayImgs.unsignedBytes(width, height);
		for (int j = 0; j < height; j++)
			for (int i = 0; i < width; i++) part.getAt(i, j).set(image.getAt(x + i, y + j));
		return part;
	}

	@Test
	void templatesOfOneSizeGoTogether() {
		final List<RandomAccessibleInterval<?>> templates = templates(3, 8, 6);
		templates.add(RandomPixels.image(3, 5, 5));
		assertEquals(2, NormalizedCrossCorrelation.of(templates).explainAll(stack()).size());
		assertEquals(1, NormalizedCrossCorrelation.of(templates).extent(Extent.SAME).border(Border.OVERLAP).explainAll(stack()).size());
		assertEquals(3, ((Correlation) NormalizedCrossCorrelation.of(templates).explain(stack()).problem()).templates().size());
		assertEquals(1, NormalizedCrossCorrelation.of(templates.get(3)).explainAll(stack()).size());
	}

	/** Transformed window moments of a faint part of a volume are not accurate enough, and each template of a bank would compute its windows again. */
	@Test
	void aBankInAVolumeComputesMaskedWindowsOnce() {
		final int n = 40, side = 13;
		final Random random = new Random(5);
		final float[] pixels = new float[n * n * n], ball = new float[side * side * side];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) ((i % n < n / 2 ? 0.1 : 1) * random.nextGaussian());
		for (int i = 0; i < ball.length; i++) {
			final int x = i % side - side / 2, y = i / side % side - side / 2, z = i / (side * side) - side / 2;
			ball[i] = x * x + y * y + z * z <= side * side / 4 ? 1 : 0;
		}
		final RandomAccessibleInterval<FloatType> volume = ArrayImgs.floats(pixels, n, n, n), mask = ArrayImgs.floats(ball, side, side, side);
		final List<RandomAccessibleInterval<?>> templates = templates(8, side, side, side);
		final Response alone = NormalizedCrossCorrelation.of(templates.get(0)).mask(mask).algorithm("cpu-fourier").correlate(volume);
		final Response bank = NormalizedCrossCorrelation.of(templates).mask(mask).algorithm("cpu-fourier").correlate(volume);
		assertTrue(alone.report().rechecked() > 1000, () -> "the moments are transformed: " + alone.report());
		assertEquals(0, bank.report().rechecked());
		assertArrayEquals(values(alone.map()), values(bank.maps().get(0)), 2e-5f);
	}
}
