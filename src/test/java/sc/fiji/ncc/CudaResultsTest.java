package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.peaks.LocalMaxima;
import sc.fiji.ncc.peaks.MapRows;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.sink.PeakMaps;

/**
 * Maxima and the best of each lag, found on the GPU, are those of the maps; and streams give what single frames do. Skipped, with
 * the reason, without a GPU.
 */
@Tag("gpu")
class CudaResultsTest {

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	private static byte[] noise(final int n, final int levels, final int seed) {
		return RandomPixels.bytes(new Random(seed), levels, n);
	}

	/** Noise within equal pixels. */
	private static byte[] islands(final int width, final int height) {
		final byte[] pixels = noise(width * height, 256, 3);
		for (int y = 0; y < height; y++) for (int x = 0; x < width; x++) if (x * 7 / width % 2 == 0 || y * 5 / height % 2 == 0) pixels[y * width + x] = 9;
		return pixels;
	}

	private static byte[] periodic(final int width, final int height) {
		final byte[] tile = noise(64, 256, 4), pixels = new byte[width * height];
		for (int i = 0; i < pixels.length; i++) pixels[i] = tile[i % width % 8 + 8 * (i / width % 8)];
		return pixels;
	}

	private static float[] spoilt(final int n) {
		final float[] pixels = new float[n];
		final Random random = new Random(5);
		for (int i = 0; i < n; i++) pixels[i] = random.nextInt(5000) == 0 ? Float.NaN : random.nextFloat();
		return pixels;
	}

	/** Sums of floats round, so flat windows are told by what passed through them; a NaN that passes, too, must not hide that. */
	@Test
	void flatWindowsBesideNaNAreUndefined() {
		final int width = 600, height = 60, flat = 240;
		final float[] pixels = new float[width * height];
		final Random random = new Random(9);
		for (int i = 0; i < pixels.length; i++) pixels[i] = i % width < flat ? 0.1f : 0.5f + random.nextFloat();
		pixels[3 * width + 500] = Float.NaN;
		final Img<?> image = ArrayImgs.floats(pixels, width, height), template = ArrayImgs.floats(spoilt(64), 8, 8);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).undefined(Undefined.NAN);
		final double[] expected = TestImages.values(op.algorithm("cpu-direct").correlate(image).map());
		for (final String algorithm : List.of("cuda-direct", "cuda-fourier-tiles")) {
			final double[] map = TestImages.values(op.algorithm(algorithm).correlate(image).map());
			for (int i = 0; i < map.length; i++) assertEquals(Double.isNaN(expected[i]), Double.isNaN(map[i]), algorithm + " at " + i);
		}
	}

	private static RandomAccessibleInterval<?> part(final RandomAccessibleInterval<?> image, final long... minAndSize) {
		return Views.zeroMin(Views.interval(image, FinalInterval.createMinSize(minAndSize)));
	}

	private static List<RandomAccessibleInterval<?>> parts(final RandomAccessibleInterval<?> image, final int count, final long width, final long height) {
		return IntStream.range(0, count).<RandomAccessibleInterval<?>>mapToObj(i -> part(image, 90 + 2 * i, 101 + i, width, height)).toList();
	}

	/** Larger than a slab in both senses: some have one, some several. */
	@TestFactory
	Stream<DynamicTest> maximaAreThoseOfTheMaps() {
		final RandomAccessibleInterval<?> noise = ArrayImgs.unsignedBytes(noise(900 * 640, 256, 1), 900, 640), few = ArrayImgs.unsignedBytes(noise(700 * 500, 2, 2), 700, 500);
		final RandomAccessibleInterval<?> islands = ArrayImgs.unsignedBytes(islands(700, 520), 700, 520), periodic = ArrayImgs.unsignedBytes(periodic(720, 500), 720, 500);
		final RandomAccessibleInterval<?> spoilt = ArrayImgs.floats(spoilt(620 * 500), 620, 500),
			volume = ArrayImgs.unsignedBytes(noise(90 * 70 * 60, 256, 6), 90, 70, 60);
		final RandomAccessibleInterval<?> line = ArrayImgs.unsignedBytes(noise(5000, 4, 7), 5000), coarse = ArrayImgs.unsignedBytes(noise(60 * 50 * 20, 2, 8), 60, 50, 20);
		return Stream.of(
			maxima("noise", noise, List.of(part(noise, 40, 30, 9, 7)), -1f, Extent.VALID),
			maxima("noise, high ones", noise, List.of(part(noise, 40, 30, 9, 7), part(noise, 90, 300, 32, 32)), 0.3f, Extent.SAME),
			maxima("two levels", few, List.of(part(few, 4, 3, 3, 3), part(few, 44, 3, 3, 3), part(few, 90, 30, 2, 4)), 0.1f, Extent.VALID),
			maxima("two levels, overlaps", few, List.of(part(few, 4, 3, 3, 3)), -0.5f, Extent.FULL),
			maxima("islands", islands, List.of(part(islands, 95, 101, 12, 14)), 0.2f, Extent.VALID),
			maxima("islands, flat ones too", islands, List.of(part(islands, 95, 101, 12, 14)), -0.25f, Extent.SAME),
			maxima("islands, many templates", islands, parts(islands, 17, 12, 14), 0.2f, Extent.VALID),
			maxima("islands, many templates, flat ones too", islands, parts(islands, 17, 12, 14), -0.25f, Extent.VALID),
			maxima("periodic", periodic, List.of(part(periodic, 5, 6, 16, 16), part(periodic, 2, 1, 16, 16)), 0.9f, Extent.VALID),
			maxima("NaN", spoilt, List.of(part(ArrayImgs.floats(spoilt(99), 11, 9), 0, 0, 11, 9)), 0.05f, Extent.VALID),
			maxima("volume", volume, List.of(part(volume, 4, 5, 6, 5, 5, 5), part(volume, 14, 5, 6, 5, 5, 5)), 0.2f, Extent.SAME),
			maxima("volume of two levels", coarse, List.of(part(coarse, 4, 5, 6, 2, 2, 2)), 0.1f, Extent.VALID),
			maxima("line", line, List.of(part(line, 40, 5)), 0f, Extent.VALID)).flatMap(t -> t);
	}

	private static Stream<DynamicTest> maxima(final String name, final RandomAccessibleInterval<?> image, final List<RandomAccessibleInterval<?>> templates, final float least,
		final Extent extent)
	{
		final List<DynamicTest> tests = new ArrayList<>();
		for (final String algorithm : List.of("cuda-direct-exact", "cuda-direct", "cuda-fourier-tiles", "cuda-fourier"))
			for (final Undefined undefined : Undefined.values()) {
				final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).extent(extent).undefined(undefined);
				if (op.explain(image).candidates().stream().noneMatch(c -> c.applies() && c.algorithm().id().equals(algorithm))) continue;
				tests.add(dynamicTest(name + ", " + algorithm + ", " + undefined, () -> compare(op.algorithm(algorithm), image, templates.size(), least, undefined)));
			}
		return tests.stream();
	}

	private static void compare(final NormalizedCrossCorrelation op, final RandomAccessibleInterval<?> image, final int templates, final float least,
		final Undefined undefined)
	{
		final List<ResponseLayout> layouts = op.call().layouts(image);
		final PeakMaps peaks = new PeakMaps(layouts, undefined, least, false);
		final List<TemplateBank> banks = TemplateBank.of(op.call().templates(), layouts);
		final Response maps = op.correlate(image);
		final List<Ranking> rankings = new ArrayList<>(op.call().rank(image, banks, Result.PEAKS));
		// several GPUs take a band of the image each; a transform of another part of the image rounds differently
		for (int b = 0; b < rankings.size(); b++) rankings.set(b, onlyOn(maps.rankings().get(b).best().orElseThrow().device(), rankings.get(b)));
		op.call().computeBanks(image, banks, rankings, peaks);
		for (int t = 0; t < templates; t++) {
			final List<Peak> found = new ArrayList<>(), expected = new ArrayList<>();
			peaks.forEach(t, found::add);
			final long[] size = maps.maps().get(t).dimensionsAsLongArray();
			LocalMaxima.find(MapRows.of(floats(maps.maps().get(t)), size), size, least, expected::add);
			assertEquals(text(expected), text(found), "template " + t);
		}
	}

	private static Ranking onlyOn(final Device device, final Ranking ranking) {
		return new Ranking(ranking.problem(), ranking.candidates().stream().filter(c -> device.equals(c.device())).toList());
	}

	private static float[] floats(final RandomAccessibleInterval<? extends RealType<?>> map) {
		final float[] values = new float[(int) Intervals.numElements(map)];
		int i = 0;
		for (final RealType<?> v : Views.flatIterable(map)) values[i++] = v.getRealFloat();
		return values;
	}

	private static List<String> text(final List<Peak> peaks) {
		return peaks.stream().sorted().map(p -> Arrays.toString(p.position()) + " " + (p.value() + 0.0)).toList();
	}

	@Test
	void matchesAreThoseOfTheCpu() {
		final RandomAccessibleInterval<?> image = ArrayImgs.unsignedBytes(islands(700, 520), 700, 520);
		final List<RandomAccessibleInterval<?>> templates = List.of(part(image, 110, 110, 14, 14), part(image, 320, 330, 9, 21));
		final List<Match> cpu = TemplateMatching.with(NormalizedCrossCorrelation.of(templates).backend("cpu")).minScore(0.3).find(image).matches();
		assertFalse(cpu.isEmpty());
		for (final String algorithm : List.of("cuda-direct-exact", "cuda-direct", "cuda-fourier-tiles"))
			assertEquals(cpu.toString(), TemplateMatching.with(NormalizedCrossCorrelation.of(templates).algorithm(algorithm)).minScore(0.3).find(image).matches().toString(),
				algorithm);
	}

	@Test
	void theBestOfEachLagIsThatOfTheCpu() {
		final RandomAccessibleInterval<?> image = ArrayImgs.unsignedBytes(islands(700, 520), 700, 520), volume = ArrayImgs.unsignedBytes(noise(50 * 40 * 30, 3, 6), 50, 40, 30);
		final List<RandomAccessibleInterval<?>> templates = new ArrayList<>();
		for (int t = 0; t < 40; t++) templates.add(part(image, 105 + t, 110, 8, 8));
		for (int t = 0; t < 3; t++) templates.add(part(image, 105 + t, 110, 9 + t, 5));
		// more than a byte can count
		final List<RandomAccessibleInterval<?>> many = new ArrayList<>();
		for (int t = 0; t < 300; t++) many.add(part(image, 105 + t % 20, 110 + t / 20, 8, 8));
		final List<RandomAccessibleInterval<?>> volumes = List.of(part(volume, 1, 2, 3, 4, 4, 4), part(volume, 8, 2, 3, 4, 4, 4), part(volume, 1, 2, 3, 4, 4, 4));
		for (final Undefined undefined : Undefined.values()) {
			best(image, templates, Extent.SAME, undefined);
			best(part(image, 60, 70, 130, 120), many, Extent.VALID, undefined);
			best(volume, volumes, Extent.VALID, undefined);
			best(volume, volumes.subList(0, 1), Extent.FULL, undefined);
		}
	}

	private static void best(final RandomAccessibleInterval<?> image, final List<RandomAccessibleInterval<?>> templates, final Extent extent, final Undefined undefined) {
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).extent(extent).undefined(undefined);
		final Best cpu = op.algorithm("cpu-direct-exact").best(image), cuda = op.algorithm("cuda-direct-exact").best(image);
		assertArrayEquals(floats(cpu.score()), floats(cuda.score()));
		assertArrayEquals(numbers(cpu.template()), numbers(cuda.template()));
		assertEquals(cpu.report().undefined(), cuda.report().undefined());
	}

	/**
	 * More templates than are computed together, of two sizes where windows may lie partly outside. In a strip far from the other
	 * pixels, so many errors are too large that the responses are computed
	 * again in double; with other templates and in flat windows, one by one or not at all. Where no template has a response, the score is that of an undefined
	 * response, and the template is 0.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "cuda-fourier", "cuda-fourier-tiles", "cuda-direct" })
	void theBestOfEachLagIsThatOfTheMaps(final String algorithm) {
		final int width = 320, height = 240;
		final float[] pixels = new float[width * height];
		final Random random = new Random(11);
		for (int i = 0; i < pixels.length; i++) {
			final int x = i % width, y = i / width;
			pixels[i] = x < 60 && y < 60 ? 0.25f : (y > 200 ? 40_000 : 0) + random.nextFloat();
		}
		final Img<?> image = ArrayImgs.floats(pixels, width, height);
		final List<RandomAccessibleInterval<?>> templates = new ArrayList<>();
		final Extent extent = algorithm.equals("cuda-fourier-tiles") ? Extent.VALID : Extent.SAME;
		for (int t = 0; t < 37; t++) templates.add(part(image, 70 + 3 * t, 90 + t, extent == Extent.SAME && t % 5 == 0 ? 11 : 8, 8));
		for (final Undefined undefined : Undefined.values())
			for (final List<RandomAccessibleInterval<?>> some : List.of(templates, templates.subList(1, 3))) {
				final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(some).extent(extent).algorithm(algorithm);
				final List<Img<FloatType>> maps = op.undefined(Undefined.NAN).correlate(image).maps();
				final float[][] responses = maps.stream().map(CudaResultsTest::floats).toArray(float[][]::new);
				final Best best = op.undefined(undefined).best(image);
				final float[] score = floats(best.score());
				final int[] which = numbers(best.template());
				for (int i = 0; i < score.length; i++) {
					int expected = -1;
					for (int t = 0; t < responses.length; t++)
						if (!Float.isNaN(responses[t][i]) && (expected < 0 || responses[t][i] > responses[expected][i])) expected = t;
					if (expected < 0) assertEquals((undefined == Undefined.NAN ? Float.NaN : 0f) + " of 0", score[i] + " of " + which[i], algorithm + " at " + i);
					// templates count from 1
					else assertEquals(responses[expected][i] + " of " + (expected + 1), score[i] + " of " + which[i], algorithm + " at " + i);
				}
			}
	}

	private static int[] numbers(final Img<? extends IntegerType<?>> which) {
		final int[] values = new int[(int) which.size()];
		int i = 0;
		for (final IntegerType<?> v : Views.flatIterable(which)) values[i++] = v.getInteger();
		return values;
	}

	/**
	 * The numbers are those of the map of floats: rows with padding, several slabs and templates, volumes, one column, flat windows, and what is
	 * computed again.
	 */
	@TestFactory
	Stream<DynamicTest> quantizedMapsAreThoseOfFloats() {
		final RandomAccessibleInterval<?> noise = ArrayImgs.unsignedBytes(noise(901 * 640, 256, 1), 901, 640),
			islands = ArrayImgs.unsignedBytes(islands(700, 520), 700, 520);
		final RandomAccessibleInterval<?> spoilt = ArrayImgs.floats(spoilt(620 * 500), 620, 500),
			volume = ArrayImgs.unsignedBytes(noise(90 * 70 * 60, 256, 6), 90, 70, 60);
		final RandomAccessibleInterval<?> column = ArrayImgs.unsignedBytes(noise(5000, 4, 7), 1, 5000),
			stack = ArrayImgs.unsignedBytes(noise(200 * 90 * 7, 256, 9), 200, 90, 7);
		return Stream.of(quantized("noise", noise, List.of(part(noise, 40, 30, 9, 7)), Extent.VALID),
			quantized("islands, many templates", islands, parts(islands, 17, 12, 14), Extent.SAME),
			quantized("islands, overlaps", islands, parts(islands, 2, 12, 14), Extent.FULL),
			quantized("NaN", spoilt, List.of(part(ArrayImgs.floats(spoilt(99), 11, 9), 0, 0, 11, 9)), Extent.VALID),
			quantized("volume", volume, List.of(part(volume, 4, 5, 6, 5, 5, 5), part(volume, 14, 5, 6, 5, 5, 5)), Extent.SAME),
			quantized("column", column, List.of(part(column, 0, 40, 1, 5)), Extent.SAME),
			quantized("few lags", part(noise, 30, 20, 100, 90), List.of(part(noise, 40, 30, 70, 60)), Extent.VALID),
			quantized("frames", stack, List.of(part(Views.hyperSlice(stack, 2, 3), 40, 30, 9, 7)), Extent.SAME)).flatMap(t -> t);
	}

	private static Stream<DynamicTest> quantized(final String name, final RandomAccessibleInterval<?> image, final List<RandomAccessibleInterval<?>> templates,
		final Extent extent)
	{
		final List<DynamicTest> tests = new ArrayList<>();
		for (final String algorithm : List.of("cuda-direct-exact", "cuda-direct", "cuda-fourier-tiles", "cuda-fourier", "cuda-small-shifts"))
			for (final Undefined undefined : Undefined.values()) {
				final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).extent(extent).undefined(undefined);
				if (op.explain(image).candidates().stream().noneMatch(c -> c.applies() && c.algorithm().id().equals(algorithm))) continue;
				tests.add(dynamicTest(name + ", " + algorithm + ", " + undefined, () -> {
					final Response floats = op.algorithm(algorithm).correlate(image);
					for (final ResponseType type : List.of(ResponseType.BITS_16, ResponseType.BITS_8)) assertQuantized(type, floats,
						op.responseType(type).correlate(image));
				}));
			}
		return tests.stream();
	}

	private static void assertQuantized(final ResponseType type, final Response floats, final Response found) {
		assertEquals(type, found.type());
		assertEquals(floats.report().undefined(), found.report().undefined());
		for (int t = 0; t < floats.maps().size(); t++) {
			final float[] map = floats(floats.maps().get(t));
			final int[] numbers = numbers((type == ResponseType.BITS_16 ? found.shortMaps() : found.byteMaps()).get(t));
			for (int i = 0; i < map.length; i++) assertEquals(type.quantize(map[i]), numbers[i], "response " + map[i] + " at " + i + " of template " + t);
		}
	}

	@Test
	void quantizedStreams() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int i = 0; i < 30; i++) frames.add(ArrayImgs.unsignedBytes(i % 3 == 0 ? islands(701, 523) : noise(701 * 523, 256, i), 701, 523));
		final List<RandomAccessibleInterval<?>> templates = List.of(part(frames.get(0), 110, 110, 13, 14), part(frames.get(1), 320, 330, 13, 14),
			part(frames.get(2), 20, 30, 9, 9));
		final NormalizedCrossCorrelation alone = NormalizedCrossCorrelation.of(templates).extent(Extent.SAME).algorithm("cpu-direct-exact");
		for (final ResponseType type : List.of(ResponseType.BITS_16, ResponseType.BITS_8)) {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).extent(Extent.SAME).algorithm("cuda-direct-exact")
				.responseType(type);
			op.correlateEach(frames, (k, response) -> assertQuantized(type, alone.correlate(frames.get((int) k)), response));
		}
	}

	/** The source uses its own image again; some rows of a frame are no whole words. */
	@Test
	void streamsGiveWhatFramesAloneDo() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int i = 0; i < 30; i++) frames.add(ArrayImgs.unsignedBytes(i % 3 == 0 ? islands(701, 523) : noise(701 * 523, 256, i), 701, 523));
		final List<RandomAccessibleInterval<?>> templates = List.of(part(frames.get(0), 110, 110, 13, 14), part(frames.get(1), 320, 330, 13, 14),
			part(frames.get(2), 20, 30, 9, 9));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).extent(Extent.SAME).algorithm("cuda-direct-exact");
		final NormalizedCrossCorrelation alone = NormalizedCrossCorrelation.of(templates).extent(Extent.SAME).algorithm("cpu-direct-exact");
		op.correlateEach(frames, (k, response) -> {
			final Response expected = alone.correlate(frames.get((int) k));
			for (int t = 0; t < templates.size(); t++) assertArrayEquals(floats(expected.maps().get(t)), floats(response.maps().get(t)), "frame " + k);
		});
		op.bestOfEach(frames, (k, best) -> {
			final Best expected = alone.best(frames.get((int) k));
			assertArrayEquals(floats(expected.score()), floats(best.score()), "frame " + k);
			assertArrayEquals(numbers(expected.template()), numbers(best.template()), "frame " + k);
		});
		TemplateMatching.with(op).minScore(0.4).findEach(frames, (k, found) ->
			assertEquals(TemplateMatching.with(alone).minScore(0.4).find(frames.get((int) k)).matches().toString(), found.matches().toString(), "frame " + k));
	}

	@Test
	void stagedImagesAreReadInPlace() {
		for (final PixelType type : PixelType.values())
			try (StagingBuffer staging = StagingBuffer.of(type, 101, 63)) {
				assertTrue(staging.pinned());
				final Random random = new Random(type.ordinal());
				final double[] values = new double[101 * 63];
				int i = 0;
				@SuppressWarnings("unchecked") // every type is a real one
				final RandomAccessibleInterval<? extends RealType<?>> image = (RandomAccessibleInterval<? extends RealType<?>>) staging.image();
				for (final RealType<?> p : Views.flatIterable(image)) p.setReal(values[i++] = random.nextInt(100));
				final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(part(image, 10, 10, 7, 5)).algorithm("cuda-direct");
				assertArrayEquals(floats(op.correlate(ArrayImgs.doubles(values, 101, 63)).map()), floats(op.correlate(image).map()), 1e-5f, () -> "pixels of " + type);
				// a part of it is copied
				assertArrayEquals(floats(op.correlate(part(ArrayImgs.doubles(values, 101, 63), 3, 4, 50, 51)).map()), floats(op.correlate(part(image, 3, 4, 50, 51)).map()), 1e-5f);
			}
	}
}
