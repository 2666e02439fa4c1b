package sc.fiji.ncc.parts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sc.fiji.ncc.fixture.TestImages.values;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.ChunksInMemory;
import sc.fiji.ncc.fixture.CountedProgress;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.run.SlidingCall;

/** Maps that several threads compute box by box are those of a single call, and the boxes are counted. */
class MapPartsTest {

	/** Three frames. Boxes of one chunk of 16x16 lags. */
	private static final int FRAMES = 3, CHUNK = 16;

	private final Img<UnsignedByteType> stack = RandomPixels.image(5, 40, 30, FRAMES);
	/** Two sizes, so that each template has a bank of its own. */
	private final List<RandomAccessibleInterval<?>> templates = List.of(RandomPixels.image(6, 8, 7), RandomPixels.image(7, 5, 5));
	private final CountedProgress progress = new CountedProgress();

	private SlidingCall op(final Extent extent) {
		return SmallBoxes.of(templates, extent, List.of(new CpuBackend(2)), "cpu-direct-exact", progress);
	}

	private static SlidingCall onDevice(final FakeDevice device, final RandomAccessibleInterval<?> template) {
		return SmallBoxes.of(List.of(template), Extent.VALID, List.of(device, new CpuBackend(2)), "auto", Monitor.NONE);
	}

	private NormalizedCrossCorrelation single(final Extent extent) {
		return NormalizedCrossCorrelation.of(templates).extent(extent).undefined(Undefined.NAN);
	}

	private static ChunksInMemory store(final long... size) {
		return new ChunksInMemory(size, new int[] { CHUNK, CHUNK, 1 }, Precision.SINGLE);
	}

	/** Of frames of 40x30 pixels: 33x24 lags in 3x2 chunks, and 36x26 lags in 3x2 chunks. */
	private static List<ChunksInMemory> valid() {
		return List.of(store(33, 24, FRAMES), store(36, 26, FRAMES));
	}

	private MapParts maps(final List<ChunksInMemory> stores) {
		return new TemplateMapParts(op(Extent.VALID), stack, stores);
	}

	private MapParts maps(final FakeDevice device, final ChunksInMemory store) {
		return new TemplateMapParts(onDevice(device, templates.get(1)), stack, List.of(store));
	}

	/** Computes all boxes, in an order at random. */
	private static MapParts.Done all(final MapParts parts) {
		final List<Long> order = new ArrayList<>(LongStream.range(0, parts.count()).boxed().toList());
		Collections.shuffle(order, new Random(1));
		return order.stream().map(parts::compute).toList().stream().map(CompletableFuture::join).reduce(new MapParts.Done(Report.NONE, 0), MapParts.Done::plus);
	}

	@Test
	void eachTemplateHasItsMap() {
		final List<ChunksInMemory> stores = valid();
		try (MapParts parts = maps(stores)) {
			assertEquals(2 * 3 * 2 * FRAMES, parts.count());
			assertEquals(FRAMES, parts.frames());
			final long responses = FRAMES * (33 * 24 + 36 * 26);
			assertEquals(responses, parts.responses());
			assertSame(progress, parts.monitor());
			assertEquals(new MapParts.Done(new Report(responses, 0, 0), 0), all(parts));
			assertEquals(responses, progress.done.get());
			assertEquals("cpu-direct-exact", parts.algorithms());
			assertEquals("box 36 of 36", assertThrows(IndexOutOfBoundsException.class, () -> parts.compute(36)).getMessage());
		}
		for (int t = 0; t < templates.size(); t++) assertArrayEquals(values(single(Extent.VALID).correlate(stack).maps().get(t)), stores.get(t).values(), 1e-6);
	}

	/** The last chunk of the first map, 1x8 responses of frame 2, and the first chunk of the second map are lost: only their boxes are computed again. */
	@Test
	void chunksThatAStoreHasAreNotComputed() {
		final List<ChunksInMemory> stores = valid();
		try (MapParts parts = maps(stores)) {
			parts.computeAll();
		}
		final double[][] before = { stores.get(0).values(), stores.get(1).values() };
		stores.get(0).kept.remove("[32, 16, 2]");
		stores.get(1).kept.remove("[0, 0, 0]");
		stores.forEach(s -> s.written.clear());
		progress.done.set(0);
		try (MapParts parts = maps(stores)) {
			assertEquals(new MapParts.Done(Report.NONE, 256), parts.compute(0).join());
			assertEquals(new MapParts.Done(new Report(8, 0, 0), 0), parts.compute(17).join());
			assertEquals(new MapParts.Done(new Report(256, 0, 0), parts.responses() - 256), parts.computeAll());
			assertEquals(parts.responses(), progress.total.get());
			assertEquals(parts.responses() + 8, progress.done.get());
		}
		assertEquals(List.of("[32, 16, 2]"), stores.get(0).written);
		assertEquals(List.of("[0, 0, 0]"), stores.get(1).written);
		for (int t = 0; t < 2; t++) assertArrayEquals(before[t], stores.get(t).values());
	}

	/** Templates of one size are computed together, and each has its responses. */
	@Test
	void responsesOfABankAreCounted() {
		final SlidingCall op = SmallBoxes.of(List.of(templates.get(1), RandomPixels.image(11, 5, 5)), Extent.VALID, List.of(new CpuBackend(2)), "auto", Monitor.NONE);
		final List<ChunksInMemory> stores = List.of(store(36, 26, FRAMES), store(36, 26, FRAMES));
		for (int run = 0; run < 2; run++)
			try (MapParts parts = new TemplateMapParts(op, stack, stores)) {
				assertEquals(3 * 2 * FRAMES, parts.count());
				final Report computed = run == 0 ? new Report(FRAMES * 2 * 36 * 26, 0, 0) : Report.NONE;
				assertEquals(new MapParts.Done(computed, FRAMES * 2 * 36 * 26 - computed.responses()), all(parts));
			}
	}

	/** A border of 17 pixels on each side: of the 3x3 chunks of 16x16, the ones in the corners and at the edges have no computed response. */
	@Test
	void chunksInTheUndefinedBorderAreFilledOnce() {
		final Img<UnsignedByteType> image = RandomPixels.image(8, 48, 48);
		final Img<UnsignedByteType> template = RandomPixels.image(9, 35, 35);
		final ChunksInMemory store = new ChunksInMemory(new long[] { 48, 48 }, new int[] { CHUNK, CHUNK }, Precision.SINGLE);
		final SlidingCall op = SmallBoxes.of(List.of(template), Extent.SAME, List.of(new CpuBackend(2)), "auto", Monitor.NONE);
		try (MapParts parts = new TemplateMapParts(op, image, List.of(store))) {
			parts.fillBorders();
			assertEquals(List.of("[0, 0]", "[16, 0]", "[32, 0]", "[0, 16]", "[32, 16]", "[0, 32]", "[16, 32]", "[32, 32]"), store.written);
			assertEquals(14 * 14, parts.computeAll().report().responses());
		}
		assertEquals(9, store.kept.size());
		final NormalizedCrossCorrelation single = NormalizedCrossCorrelation.of(template).extent(Extent.SAME).border(Border.UNDEFINED).undefined(Undefined.NAN);
		assertArrayEquals(values(single.correlate(image).map()), store.values(), 1e-6);
	}

	/** Maps of 40x30 pixels, in 3x2 chunks. The templates of 8x7 and 5x5 have undefined borders of different sizes. */
	@Test
	void theBestOfAllTemplates() {
		final ChunksInMemory scores = store(40, 30, FRAMES), numbers = store(40, 30, FRAMES);
		final Best expected = single(Extent.SAME).border(Border.UNDEFINED).best(stack);
		final long responses = FRAMES * (33 * 24 + 36 * 26);
		try (MapParts parts = new BestMapParts(op(Extent.SAME), stack, List.of(scores, numbers))) {
			assertEquals(3 * 2 * FRAMES, parts.count());
			assertEquals(new MapParts.Done(new Report(responses, 0, 0), 0), all(parts));
		}
		assertArrayEquals(values(expected.image()), scores.values(), 1e-6);
		assertArrayEquals(values(expected.template()), numbers.values());
		// the first chunk of frame 1: x from 4 to 15 and y from 3 to 15 for 8x7, from 2 for 5x5
		scores.kept.remove("[0, 0, 1]");
		scores.written.clear();
		numbers.written.clear();
		try (MapParts parts = new BestMapParts(op(Extent.SAME), stack, List.of(scores, numbers))) {
			final long computed = 12 * 13 + 14 * 14;
			assertEquals(new MapParts.Done(new Report(computed, 0, 0), responses - computed), parts.computeAll());
		}
		assertEquals(List.of("[0, 0, 1]"), scores.written);
		assertEquals(List.of(), numbers.written);
		assertArrayEquals(values(expected.image()), scores.values(), 1e-6);
	}

	@Test
	void mapsOfOneSizeAreNeededForTheBest() {
		final List<ChunksInMemory> stores = List.of(store(33, 24, FRAMES));
		final String message = assertThrows(IllegalArgumentException.class,
			() -> new BestMapParts(op(Extent.VALID), stack, stores)).getMessage();
		assertTrue(message.startsWith("the templates of 8x7 and 5x5 have maps of 33x24 and 36x26"), message);
	}

	/** A chunk in which one template has no lags, and one in which none has. */
	@Test
	void chunksWithoutLagsOfATemplate() {
		final Img<UnsignedByteType> image = RandomPixels.image(8, 48, 48);
		final List<Img<UnsignedByteType>> wide = List.of(RandomPixels.image(9, 35, 35), RandomPixels.image(10, 5, 35));
		final ChunksInMemory scores = new ChunksInMemory(new long[] { 48, 48 }, new int[] { CHUNK, CHUNK }, Precision.SINGLE);
		final SlidingCall op = SmallBoxes.of(wide, Extent.SAME, List.of(new CpuBackend(2)), "auto", Monitor.NONE);
		try (MapParts parts = new BestMapParts(op, image, List.of(scores))) {
			assertEquals(14 * 14 + 44 * 14, parts.computeAll().report().responses());
		}
		final NormalizedCrossCorrelation single = NormalizedCrossCorrelation.of(wide).extent(Extent.SAME).border(Border.UNDEFINED).undefined(Undefined.NAN);
		assertArrayEquals(values(single.best(image).image()), scores.values(), 1e-6);
	}

	@Test
	void fourBoxesAreBegunAtOnce() {
		final FakeDevice device = new FakeDevice();
		device.depth = 8;
		device.beforeBox = () -> {
			while (device.submissions.get() < 4) Thread.onSpinWait();
		};
		device.latency = 5;
		final ChunksInMemory store = store(36, 26, FRAMES);
		try (MapParts parts = maps(device, store)) {
			parts.computeAll();
			assertEquals(4, device.mostInFlight.get());
			assertEquals(18, device.completed.get());
			assertEquals("fake-direct", parts.algorithms());
			assertEquals(1, device.open.get());
		}
		assertEquals(0, device.open.get());
	}

	/** The rankings tell which device failed, and the names are those of the algorithms that continue. */
	@Test
	void aLostDeviceIsReplaced() {
		final FakeDevice device = new FakeDevice();
		device.loseAt = 2;
		final ChunksInMemory store = store(36, 26, FRAMES);
		final Ranking before, after;
		try (MapParts parts = maps(device, store)) {
			before = parts.rankings().get(0);
			assertEquals(FRAMES * 36 * 26, all(parts).report().responses());
			after = parts.rankings().get(0);
		}
		assertEquals("cpu", after.best().orElseThrow().device().id());
		assertEquals("fake-direct and " + after.best().orElseThrow().name(), ImageParts.algorithms(List.of(before, after, before)));
		assertEquals("?", ImageParts.algorithms(List.of(new Ranking(before.problem(), List.of()))));
		assertArrayEquals(values(NormalizedCrossCorrelation.of(templates.get(1)).correlate(stack).map()), store.values(), 1e-6);
	}

	@Test
	void aFailureEndsAllLaterBoxes() {
		final List<ChunksInMemory> stores = valid();
		stores.get(0).full = 7;
		try (MapParts parts = maps(stores)) {
			assertEquals("java.io.IOException: No space left on device", assertThrows(UncheckedIOException.class, parts::computeAll).getMessage());
			assertThrows(CompletionException.class, () -> parts.compute(35).join());
		}
		assertEquals(7, stores.get(0).written.size());
	}

	@Test
	void closedPartsComputeNothing() {
		final MapParts maps = maps(valid());
		maps.close();
		assertInstanceOf(CancellationException.class, assertThrows(CompletionException.class, () -> maps.compute(0).join()).getCause());
	}
}
