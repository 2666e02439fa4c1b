package sc.fiji.ncc.sink;

import java.nio.ByteBuffer;
import java.nio.ShortBuffer;
import java.nio.FloatBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PreparedImage;
import sc.fiji.ncc.PreparedTemplates;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.MultiDevicePlan;
import sc.fiji.ncc.fixture.DelegatingAlgorithm;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.fixture.SlidingTemplates;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.SlidingSettings;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.result.ImageStore;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.run.SlidingCall;

/** Maps of whole numbers of 16 and 8 bits: the numbers are those of the formula, of each response of the map of floats. */
class QuantizedMapsTest {

	private static int bits(final ResponseType type) {
		return type == ResponseType.BITS_16 ? 16 : 8;
	}

	/** The steps from 0 to 1: of the positive numbers of this many bits with a sign. */
	private static int steps(final ResponseType type) {
		return (1 << bits(type) - 1) - 1;
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FLOAT")
	void everyNumberStandsForItsResponse(final ResponseType type) {
		final int n = steps(type), all = 1 << bits(type);
		assertTrue(Double.isNaN(type.response(0)));
		for (int number = 1; number < all; number++) {
			final double r = (number - (n + 1)) / (double) n;
			assertEquals(r, type.response(number));
			assertEquals(r, type.scale() * number + type.offset(), 1e-15);
			assertEquals(number, type.quantize((float) r));
		}
		assertEquals(0.0, type.response(n + 1));
		assertEquals(1.0, type.response(all - 1));
		assertEquals(-1.0, type.response(1));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FLOAT")
	void aResponseHasTheNearestNumber(final ResponseType type) {
		final int n = steps(type), all = 1 << bits(type);
		final Random random = new Random(5);
		// the product of a float and n is rounded to a float: at most half of its last place
		final double rounding = Math.ulp((float) n) / 2;
		for (int i = 0; i < 200_000; i++) {
			final float r = 2 * random.nextFloat() - 1;
			assertEquals(n + 1 + n * (double) r, type.quantize(r), 0.5 + rounding);
		}
		assertEquals(0, type.quantize(Float.NaN));
		assertEquals(n + 1, type.quantize(0));
		assertEquals(n + 1, type.quantize(-0f));
		for (final float beyond : new float[] { 1, Math.nextUp(1f), 1 + 1e-5f, 1.5f, 3e9f, Float.POSITIVE_INFINITY }) {
			assertEquals(all - 1, type.quantize(beyond));
			assertEquals(1, type.quantize(-beyond));
		}
		// halves to even numbers
		assertEquals(n + 1, type.quantize(0.5f / n));
		assertEquals(n + 3, type.quantize(1.5f / n), "1.5/n is halfway between two numbers, or rounded to it");
	}

	/** The numbers of a map of floats, by the formula in double. */
	private static int[] expected(final ResponseType type, final double[] map) {
		final int n = steps(type);
		return Arrays.stream(map).mapToInt(r -> Double.isNaN(r) ? 0 : n + 1 + (int) Math.rint((float) (n * r))).toArray();
	}

	private static int[] numbers(final RandomAccessibleInterval<?> map) {
		@SuppressWarnings("unchecked") // a map of whole numbers
		final RandomAccessibleInterval<? extends IntegerType<?>> numbers = (RandomAccessibleInterval<? extends IntegerType<?>>) map;
		final List<Integer> all = new ArrayList<>();
		for (final IntegerType<?> v : Views.flatIterable(numbers)) all.add(v.getInteger());
		return all.stream().mapToInt(i -> i).toArray();
	}

	/** Noise, with a flat part in which windows are undefined. */
	private static Img<UnsignedByteType> image(final int seed, final long... size) {
		final byte[] pixels = new byte[(int) Size.of(size).pixels()];
		new Random(seed).nextBytes(pixels);
		Arrays.fill(pixels, 0, pixels.length / 3, (byte) 7);
		return ArrayImgs.unsignedBytes(pixels, size);
	}

	private static RandomAccessibleInterval<UnsignedByteType> cut(final Img<UnsignedByteType> image, final long... size) {
		final long[] min = new long[size.length];
		for (int d = 0; d < min.length; d++) min[d] = image.dimension(d) - size[d];
		final RandomAccessibleInterval<UnsignedByteType> frame = image.numDimensions() > size.length
			? Views.hyperSlice(image, size.length, image.dimension(size.length) - 1) : image;
		return Views.zeroMin(Views.interval(frame, FinalInterval.createMinSize(concat(min, size))));
	}

	private static long[] concat(final long[] a, final long[] b) {
		final long[] both = Arrays.copyOf(a, a.length + b.length);
		System.arraycopy(b, 0, both, a.length, b.length);
		return both;
	}

	private static void assertQuantized(final ResponseType type, final Response floats, final Response found, final String how) {
		assertSame(type, found.type());
		assertEquals(floats.maps().size(), found.images().size());
		assertTrue(found.maps().isEmpty() && found.doubleMaps().isEmpty());
		for (int t = 0; t < floats.maps().size(); t++) {
			assertArrayEquals(floats.maps().get(t).dimensionsAsLongArray(), found.images().get(t).dimensionsAsLongArray());
			assertArrayEquals(expected(type, TestImages.values(floats.maps().get(t))), numbers(found.images().get(t)), how);
		}
		assertEquals(floats.report(), found.report(), how);
		assertTrue(found.ranking().problem().toString().endsWith(", 1 frame, " + type + " responses") || found.ranking().problem().frames() > 1
			|| found.ranking().problem().toString().contains("channels"), found.ranking().problem().toString());
	}

	private static void eachType(final Consumer<ResponseType> test) {
		for (final ResponseType type : new ResponseType[] { ResponseType.BITS_16, ResponseType.BITS_8 }) test.accept(type);
	}

	/** Compares with maps of floats: all algorithms, extents and values of undefined responses. */
	private static int compare(final RandomAccessibleInterval<?> image, final List<? extends RandomAccessibleInterval<?>> templates) {
		final int[] compared = { 0 };
		for (final var algorithm : Problems.correlations(new CpuBackend(2)))
			for (final Extent extent : Extent.values()) for (final Undefined undefined : Undefined.values()) {
				final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).extent(extent).undefined(undefined).threads(2);
				if (op.explainAll(image).stream().anyMatch(r -> r.candidates().stream()
					.noneMatch(c -> c.applies() && c.algorithm().id().equals(algorithm.id())))) continue;
				final Response floats = op.algorithm(algorithm.id()).correlate(image);
				eachType(type -> assertQuantized(type, floats, op.responseType(type).correlate(image), algorithm.id() + " " + extent + " " + undefined
					+ " " + type));
				compared[0]++;
			}
		return compared[0];
	}

	/** New memory for a map of floats, of 16 or of 8 bits takes time for 4, 2 or 1 byte. */
	@Test
	void newMapsOfFewerBytesCostLess() {
		final Backend cpu = new CpuBackend(1);
		final Size lags = Size.of(969, 969);
		final Correlation maps = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(1000, 1000), List.of(Size.of(32, 32)), Weights.NONE,
			Lags.inside(lags), 1);
		for (final SlidingAlgorithm<?> a : Problems.sliding(cpu)) {
			if (a.kind() != Correlation.class || Problems.unsupported(a, maps).isPresent()) continue;
			final double[] seconds = new double[3];
			for (final ResponseType type : ResponseType.values()) seconds[type.ordinal()] =
				a.planAny(new Correlation(maps.windows(), maps.weights(), 1, Result.map(type)), cpu.devices().get(0)).cost().seconds();
			assertTrue(seconds[0] > seconds[1], a.id());
			assertEquals(1.5, (seconds[0] - seconds[2]) / (seconds[0] - seconds[1]), 1e-6, a.id());
		}
	}

	@Test
	void mapsOfAllAlgorithms() {
		final Img<UnsignedByteType> plane = image(1, 41, 37), volume = image(2, 14, 13, 12), stack = image(3, 30, 25, 3), column = image(4, 1, 90);
		assertTrue(compare(plane, List.of(cut(plane, 7, 5), cut(plane, 6, 6), cut(plane, 7, 5))) >= 12);
		assertTrue(compare(volume, List.of(cut(volume, 4, 5, 3))) >= 12);
		assertTrue(compare(stack, List.of(cut(stack, 6, 5))) >= 12);
		assertTrue(compare(column, List.of(cut(column, 1, 9))) >= 6);
	}

	@Test
	void channelsMasksAndSearchRegions() {
		final Img<UnsignedByteType> a = image(1, 41, 37), b = image(8, 41, 37), mask = image(5, 7, 5);
		for (final var p : mask) p.set(p.get() > 99 ? 1 : 0);
		final RandomAccessibleInterval<?> joint = JointImage.of(List.of(a, b)), template = JointImage.of(List.of(cut(a, 7, 5), cut(b, 7, 5)));
		eachType(type -> {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).mask(mask).extent(Extent.SAME).search(
				FinalInterval.createMinSize(1, 0, 30, 37)).undefined(Undefined.NAN);
			assertQuantized(type, op.correlate(joint), op.responseType(type).correlate(joint), "joint");
		});
	}

	/** Maps that are allocated after the first responses, and given ones in one array and in cells. */
	@Test
	void largeMapsAndThoseOfTheCaller() {
		final Img<UnsignedByteType> image = image(6, 620, 510);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(cut(image, 9, 8)).extent(Extent.SAME).threads(2);
		for (final Undefined undefined : Undefined.values()) {
			final Response floats = op.responseType(ResponseType.FLOAT).undefined(undefined).correlate(image);
			eachType(type -> assertQuantized(type, floats, op.responseType(type).correlate(image), "allocated late"));
			into(op.responseType(ResponseType.BITS_16), image, new UnsignedShortType(), floats);
			into(op.responseType(ResponseType.BITS_8), image, new UnsignedByteType(), floats);
		}
	}

	private static <T extends NativeType<T> & IntegerType<T>> void into(final NormalizedCrossCorrelation op, final Img<?> image, final T pixel,
		final Response floats) {
		for (final Img<T> map : List.of(ResponseMaps.pixels(pixel, image.dimensionsAsLongArray()), new CellImgFactory<>(pixel, 100).create(image))) {
			for (final T p : map) p.setInteger(99);
			final Response response = op.correlate(image, map);
			assertSame(map, response.images().get(0));
			assertQuantized(response.type(), floats, response, "given");
		}
	}

	@Test
	void streamsAndPreparedOnes() {
		final List<Img<UnsignedByteType>> frames = List.of(image(1, 60, 50), image(2, 60, 50), image(3, 60, 50), image(4, 60, 50));
		final List<RandomAccessibleInterval<UnsignedByteType>> templates = List.of(cut(frames.get(1), 8, 9), cut(frames.get(2), 8, 9));
		eachType(type -> {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).algorithm("cpu-direct-exact").undefined(Undefined.NAN)
				.extent(Extent.SAME),
				floats = NormalizedCrossCorrelation.of(templates).algorithm("cpu-direct-exact").undefined(Undefined.NAN).extent(Extent.SAME);
			final int[] seen = { 0 };
			op.responseType(type).correlateEach(frames, (k, r) -> {
				assertQuantized(type, floats.correlate(frames.get((int) k)), r, "frame " + k);
				seen[0]++;
			});
			assertEquals(frames.size(), seen[0]);
			try (PreparedImage prepared = op.prepare(frames.get(0))) {
				assertQuantized(type, floats.correlate(frames.get(0)), prepared.correlate(templates), "prepared image");
				refused(type, () -> prepared.best(templates));
			}
			try (PreparedTemplates prepared = op.prepare(PixelType.U8, Size.of(60, 50))) {
				for (final Img<?> frame : frames) assertQuantized(type, floats.correlate(frame), prepared.correlate(frame), "prepared templates");
			}
		});
	}

	@Test
	void storesInBoxesOfChunks() {
		final Img<UnsignedByteType> stack = image(3, 50, 45, 2);
		for (final Undefined undefined : Undefined.values()) {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(cut(stack, 6, 5)).extent(Extent.SAME).undefined(undefined)
				.algorithm("cpu-direct-exact");
			final double[] floats = TestImages.values(op.correlate(stack).map());
			for (final Img<? extends IntegerType<?>> map : List.of(new CellImgFactory<>(new UnsignedShortType(), 16, 9, 1).create(stack),
				new CellImgFactory<>(new UnsignedByteType(), 16, 9, 1).create(stack)))
			{
				final MapStore store = MapStore.of(asReal(map));
				op.responseType(store.responseType());
				assertTrue(op.explainAll(stack, List.of(store)).get(0).problem().toString().contains(store.responseType() + " responses"));
				op.correlateInto(stack, store);
				assertArrayEquals(expected(store.responseType(), floats), numbers(map));
				for (final var p : asReal(map)) p.setReal(99);
				try (MapParts parts = op.parts(stack, List.of(store))) {
					parts.fillBorders();
					parts.computeAll();
				}
				assertArrayEquals(expected(store.responseType(), floats), numbers(map), "in parts");
			}
			op.responseType(ResponseType.FLOAT);
		}
	}

	/** Two devices that quantize the responses, as a GPU does. A single image is divided into two bands. */
	private static final class Quantizing extends DelegatingAlgorithm {

		Quantizing() {
			super(Problems.correlation(new CpuBackend(2), "cpu-direct-exact"));
		}

		@Override
		public SlidingPlan plan(final Correlation problem, final Device device) {
			final SlidingPlan plan = algorithm.plan(problem, device), quantizing = new SlidingPlan() {

				@Override
				public Cost cost() {
					return plan.cost();
				}

				@Override
				public Execution prepare(final List<Template> some) {
					return quantizing(plan.prepare(some));
				}
			};
			return new MultiDevicePlan(problem, List.of(quantizing, quantizing), plan.cost());
		}

		private static Execution quantizing(final Execution execution) {
			return new Execution() {

				@Override
				public int depth() {
					return execution.depth();
				}

				@Override
				public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
					final Sink floats = new Sink() {

						@Override
						public float undefined() {
							return out.undefined();
						}

						@Override
						public void map(final int template, final long[] min, final int[] size, final Buffer from) {
							assertTrue(out.responseType().quantized(), "the sink says that it keeps whole numbers");
							// one more in front: the position counts
							final Buffer numbers = out.responseType().allocate(Precision.SINGLE, 1 + from.remaining());
							Buffers.copy(from, from.position(), numbers, 1, from.remaining());
							out.map(template, min, size, numbers.position(1));
							Buffers.fill(numbers, 0.3f);
						}
					};
					return execution.submit(in, lags, floats, monitor);
				}

				@Override
				public void replace(final List<Template> sameShapes) {
					execution.replace(sameShapes);
				}

				@Override
				public void close() {
					execution.close();
				}
			};
		}
	}

	private static SlidingCall call(final List<? extends RandomAccessibleInterval<?>> templates, final ResponseType type,
		final Algorithm<Correlation> algorithm) {
		final Backend backend = new FakeBackend(new CpuBackend(2).devices().get(0), List.of(algorithm));
		final SlidingSettings settings = new SlidingSettings(Extent.SAME, null, Undefined.NAN, null, type, 700, SlidingSettings.MAX_LAGS);
		return new SlidingCall(new SlidingTemplates(templates.stream().map(t -> TemplateReader.read(t, null, false)).toList()), settings,
			ComputeOptions.DEFAULT.threads(2).planner(new Planner(List.of(backend))), null);
	}

	/** Its numbers come to their places: planes, frames, an image of one column, maps that are allocated late, and stores. */
	@Test
	void aDeviceThatQuantizes() {
		for (final Img<UnsignedByteType> image : List.of(image(1, 41, 37), image(2, 14, 13, 12), image(4, 1, 90), image(6, 620, 510))) {
			final long[] size = image.dimensionsAsLongArray();
			final List<RandomAccessibleInterval<UnsignedByteType>> templates = size.length == 3 ? List.of(cut(image, 4, 5))
				: List.of(cut(image, Math.min(size[0], 5), 9), cut(image, Math.min(size[0], 5), 8));
			final Response floats = call(templates, ResponseType.FLOAT, Problems.correlation(new CpuBackend(2), "cpu-direct-exact")).computeMaps(image, null);
			eachType(type -> {
				final SlidingCall call = call(templates, type, new Quantizing());
				final Response found = call.computeMaps(image, null);
				final List<MapStore> stores = new ArrayList<>();
				for (int t = 0; t < templates.size(); t++) {
					assertArrayEquals(expected(type, TestImages.values(floats.maps().get(t))), numbers(found.images().get(t)));
					stores.add(MapStore.of(asReal(type == ResponseType.BITS_16 ? new CellImgFactory<>(new UnsignedShortType(), 30).create(image) :
						new CellImgFactory<>(new UnsignedByteType(), 30).create(image))));
				}
				call.respondInto(image, stores);
				for (int t = 0; t < templates.size(); t++)
					assertArrayEquals(expected(type, TestImages.values(floats.maps().get(t))), numbers(((ImageStore) stores.get(t)).image()));
			});
		}
	}

	@SuppressWarnings("unchecked") // whole numbers are real ones
	private static <T extends IntegerType<T>> Img<T> asReal(final Img<?> map) {
		return (Img<T>) map;
	}

	private static void refused(final ResponseType type, final Runnable call) {
		assertEquals("maps can have " + type + " responses, but matches and the best response of each lag cannot: choose float responses",
			assertThrows(IllegalArgumentException.class, call::run).getMessage());
	}

	@Test
	void whatIsRefused() {
		final Img<UnsignedByteType> image = image(1, 41, 37);
		eachType(type -> {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(List.of(cut(image, 7, 5), cut(image, 7, 5))).responseType(type);
			refused(type, () -> op.best(image));
			refused(type, () -> op.bestOfEach(List.of(image), (k, best) -> {}));
			refused(type, () -> op.explainBest(image));
			refused(type, () -> op.bestInto(image, MapStore.of(ArrayImgs.floats(35, 33)), null));
			refused(type, () -> TemplateMatching.with(op).find(image));
			refused(type, () -> TemplateMatching.with(op).keep(image, 0.1));
			refused(type, () -> TemplateMatching.with(op).findEach(List.of(image), (k, found) -> {}));
			assertEquals(type + " responses are computed in single precision, not in double: choose float responses, or single precision",
				assertThrows(IllegalArgumentException.class, () -> op.precision(Precision.DOUBLE).correlate(image)).getMessage());
			op.precision(Precision.SINGLE);
			final String pixel = type == ResponseType.BITS_16 ? "UnsignedShortType" : "UnsignedByteType";
			assertEquals("cannot write " + type + " responses into an image of FloatType: pass an image of " + pixel
				+ ", or choose the other type of responses",
				assertThrows(IllegalArgumentException.class, () -> op.correlate(image, List.of(ArrayImgs.floats(35, 33), ArrayImgs.floats(35, 33))))
					.getMessage());
			assertEquals("the map has " + type + " responses, its store has float responses: make a store of " + type + " responses",
				assertThrows(IllegalArgumentException.class, () -> op.correlateInto(image, List.of(MapStore.of(ArrayImgs.floats(35, 33)),
					MapStore.of(ArrayImgs.floats(35, 33))))).getMessage());
			assertEquals("the map has " + type + " responses: call " + (type == ResponseType.BITS_16 ? "short" : "byte") + "Map()",
				assertThrows(IllegalStateException.class, () -> NormalizedCrossCorrelation.of(cut(image, 7, 5)).responseType(type).correlate(image).map())
					.getMessage());
		});
		assertEquals("cannot write a map into an image of ShortType: pass an image of FloatType, for double precision of DoubleType, or for quantized "
			+ "responses of "
			+ "UnsignedShortType or UnsignedByteType", assertThrows(IllegalArgumentException.class, () -> MapStore.of(ArrayImgs.shorts(35, 33))).getMessage());
		final ResponseType floats = NormalizedCrossCorrelation.of(cut(image, 7, 5)).correlate(image).type();
		assertFalse(floats.quantized());
		for (final Executable call : List.<Executable> of(() -> floats.response(0), () -> floats.quantize(0.5f), floats::scale, floats::offset))
			assertEquals("float responses are not quantized: use the pixels of the map", assertThrows(UnsupportedOperationException.class, call).getMessage());
	}

	/** A part of an array takes numbers, too. */
	@Test
	void numbersInAPartOfAnArray() {
		final float[] responses = { -1, 0, 0.5f, 1 };
		final short[] words = new short[9];
		final byte[] bytes = new byte[9];
		ResponseType.BITS_16.quantize(FloatBuffer.wrap(responses), 1, ShortBuffer.wrap(words).position(3).slice(), 2, 3);
		ResponseType.BITS_8.quantize(FloatBuffer.wrap(responses), 1, ByteBuffer.wrap(bytes).position(3).slice(), 2, 3);
		for (int i = 0; i < 9; i++) {
			assertEquals(i < 5 || i > 7 ? 0 : ResponseType.BITS_16.quantize(responses[i - 4]), Short.toUnsignedInt(words[i]), "place " + i);
			assertEquals(i < 5 || i > 7 ? 0 : ResponseType.BITS_8.quantize(responses[i - 4]), Byte.toUnsignedInt(bytes[i]), "place " + i);
		}
	}
}
