package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.fixture.CountedProgress;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StreamReport;

/** Frames that come one by one: results in order, equal to those of each frame alone, in the memory of a few frames. */
class FrameStreamTest extends StreamFixture {

	@Test
	void mapsAreThoseOfEachFrameAlone() {
		final StreamReport report = ncc(both).correlateEach(frames, this::assertMap);
		assertOrder(FRAMES);
		assertEquals(FRAMES, report.frames());
		assertEquals(34L * 26 * FRAMES, report.report().responses());
		assertEquals("fake-direct", report.rankings().get(0).best().orElseThrow().name());
		assertTrue(report.latency() > 0 && report.latency() <= report.longestLatency() && report.longestLatency() <= report.seconds(), report.toString());
		assertEquals(1, device.prepared.get(), "all share one execution");
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 100, 1L << 26 })
	void inSeveralBoxesOfSeveralTemplatesAndExtents(final long boxes) {
		final RandomAccessibleInterval<?> other = Views.interval(frames.get(4), new long[] { 0, 2 }, new long[] { 3, 9 });
		for (final Extent extent : Extent.values()) {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(List.of(template, other, template)).extent(extent).undefined(Undefined.NAN)
				.threads(THREADS).algorithm("cpu-direct-exact").maxLags(Math.max(boxes, 20));
			op.correlateEach(frames.subList(0, 5), (frame, response) -> {
				final Response alone = op.correlate(frames.get((int) frame));
				for (int t = 0; t < 3; t++) assertArrayEquals(values(alone.maps().get(t)), values(response.maps().get(t)), extent + " " + frame);
				assertArrayEquals(alone.origins().get(1), response.origins().get(1));
				assertEquals(alone.report(), response.report());
			});
		}
	}

	/** Templates of one size are computed together. With maps as large as the image, others have maps of the same size. */
	@ParameterizedTest
	@CsvSource({ "VALID, 7, 5, 1", "SAME, 4, 9, 2" })
	void theBestOfEachFrame(final Extent extent, final long width, final long height, final int banks) {
		final RandomAccessibleInterval<?> other = Views.interval(frames.get(4), FinalInterval.createMinSize(0, 2, width, height));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(List.of(template, other)).extent(extent).threads(THREADS)
			.algorithm("cpu-direct-exact");
		final StreamReport report = op.bestOfEach(frames, (frame, best) -> {
			order.add(frame);
			final Best alone = op.best(frames.get((int) frame));
			assertArrayEquals(values(alone.score()), values(best.score()));
			assertArrayEquals(values(alone.template()), values(best.template()));
		});
		assertOrder(FRAMES);
		assertEquals(banks, report.rankings().size());
		assertTrue(report.rankings().get(0).problem().toString().endsWith(", the best of each lag only"));
	}

	@Test
	void convolvedFrames() {
		final Convolution op = Convolution.of(template).threads(THREADS).algorithm("cpu-convolve-direct");
		op.convolveEach(frames, (frame, response) -> {
			order.add(frame);
			assertArrayEquals(values(op.convolve(frames.get((int) frame)).map()), values(response.map()));
		});
		assertOrder(FRAMES);
	}

	@Test
	void framesOfOtherSizesAndTypesGetAPlanOfTheirOwn() {
		final List<RandomAccessibleInterval<?>> mixed = List.of(frames.get(0), frames.get(1), RandomPixels.image(7, 20, 50), ArrayImgs.floats(values(20, 50), 20, 50), frames.get(2));
		final NormalizedCrossCorrelation op = ncc(cpu);
		op.correlateEach(mixed, (frame, response) -> {
			order.add(frame);
			assertArrayEquals(values(op.correlate(mixed.get((int) frame)).map()), values(response.map()), 1e-6);
		});
		assertOrder(5);
	}

	private static float[] values(final int width, final int height) {
		final float[] v = new float[width * height];
		final Random random = new Random(3);
		for (int i = 0; i < v.length; i++) v[i] = random.nextFloat();
		return v;
	}

	@Test
	void stacksOfAnyKindAreCutIntoFrames() {
		final Img<UnsignedByteType> stack = new PlanarImgFactory<>(new UnsignedByteType()).create(40, 30, 2, 3);
		final Random random = new Random(5);
		stack.forEach(p -> p.set(random.nextInt(256)));
		final List<RandomAccessibleInterval<?>> cut = Frames.of(Views.translate(stack, 3, 4, 5, 6), 2);
		assertEquals(6, cut.size());
		final double[] all = values(ncc(cpu).correlate(stack).map());
		ncc(cpu).correlateEach(cut, (frame, response) -> {
			final double[] map = values(response.map());
			assertArrayEquals(java.util.Arrays.copyOfRange(all, (int) frame * map.length, (int) (frame + 1) * map.length), map, 1e-6);
			order.add(frame);
		});
		assertOrder(6);
		assertThrows(IndexOutOfBoundsException.class, () -> cut.get(6));
		assertThrows(IllegalArgumentException.class, () -> Frames.of(stack, 5));
	}

	/** A source that hands out one image again and again, of which nobody knows the length. */
	private static final class Moving implements Iterator<RandomAccessibleInterval<?>> {

		static final int SIDE = 20;

		private final int count;
		private final byte[] pixels = new byte[SIDE * SIDE];
		private final Img<UnsignedByteType> image = ArrayImgs.unsignedBytes(pixels, SIDE, SIDE);
		final AtomicInteger given = new AtomicInteger();

		Moving(final int count) {
			this.count = count;
		}

		/** Where the spot lies. */
		static int place(final long frame) {
			return (int) (frame * 7 % (SIDE - 3)) + SIDE * (int) (frame * 11 % (SIDE - 3));
		}

		@Override
		public boolean hasNext() {
			return given.get() < count;
		}

		@Override
		public RandomAccessibleInterval<?> next() {
			final int frame = given.getAndIncrement();
			for (int i = 0; i < pixels.length; i++) pixels[i] = (byte) (i * 31 % 7);
			for (int i = 0; i < 9; i++) pixels[place(frame) + i % 3 + SIDE * (i / 3)] = (byte) (i % 2 * 100 + 10 * i);
			return image;
		}

		static RandomAccessibleInterval<?> spot() {
			final byte[] spot = new byte[9];
			for (int i = 0; i < 9; i++) spot[i] = (byte) (i % 2 * 100 + 10 * i);
			return ArrayImgs.unsignedBytes(spot, 3, 3);
		}
	}

	@Test
	void tenThousandFramesTakeTheMemoryOfAFew() {
		final Moving source = new Moving(10_000);
		final Set<Object> maps = Collections.newSetFromMap(new IdentityHashMap<>());
		final AtomicInteger taken = new AtomicInteger(), most = new AtomicInteger();
		final StreamReport report = NormalizedCrossCorrelation.of(Moving.spot()).threads(THREADS).backend("cpu").correlateEach(() -> source, (frame, response) -> {
			most.accumulateAndGet(source.given.get() - taken.getAndIncrement(), Math::max);
			maps.add(response.map());
			final int place = Moving.place(frame);
			assertEquals(1, response.map().getAt(place % Moving.SIDE, place / Moving.SIDE).get(), 1e-6, "frame " + frame);
		});
		assertEquals(10_000, report.frames());
		final int buffers = THREADS + 3;
		assertTrue(maps.size() <= buffers, maps.size() + " maps");
		// and one that waits for a buffer
		assertTrue(most.get() <= buffers + 1, most + " frames on their way");
	}

	@Test
	void tenThousandFramesOfMatches() {
		final Moving source = new Moving(10_000);
		final AtomicInteger taken = new AtomicInteger(), most = new AtomicInteger();
		TemplateMatching.with(NormalizedCrossCorrelation.of(Moving.spot()).threads(THREADS).backend("cpu")).minScore(0.99).findEach(() -> source, (frame, found) -> {
			most.accumulateAndGet(source.given.get() - taken.getAndIncrement(), Math::max);
			assertEquals(1, found.matches().size());
			assertArrayEquals(new long[] { Moving.place(frame) % Moving.SIDE, Moving.place(frame) / Moving.SIDE }, found.matches().get(0).position());
		});
		assertEquals(10_000, taken.get());
		assertTrue(most.get() <= THREADS + 4, most + " frames on their way");
	}

	/** The device begins with the first frame only when the second was asked for: if nobody read ahead, it would wait for ever. */
	@Test
	void theNextFrameIsReadWhileOneIsComputed() {
		final CountDownLatch second = new CountDownLatch(1);
		device.beforeBox = () -> {
			try {
				second.await();
			}
			catch (final InterruptedException e) {
				throw new AssertionError(e);
			}
		};
		final Iterator<RandomAccessibleInterval<?>> all = frames.iterator();
		final Iterable<RandomAccessibleInterval<?>> source = () -> new Iterator<>() {

			private int next;

			@Override
			public boolean hasNext() {
				return all.hasNext();
			}

			@Override
			public RandomAccessibleInterval<?> next() {
				if (next++ == 1) second.countDown();
				return all.next();
			}
		};
		ncc(both).correlateEach(source, this::assertMap);
		assertOrder(FRAMES);
		assertEquals(FakeDevice.DEPTH, device.mostInFlight.get());
	}

	@Test
	void progressIsCompleteWhereTheLengthIsKnown() {
		final CountedProgress monitor = new CountedProgress();
		device.failLaunch = 3;
		ncc(both).monitor(monitor).correlateEach(frames, (frame, response) -> {});
		assertEquals(34L * 26 * FRAMES, monitor.total.get());
		assertEquals(monitor.total.get(), monitor.done.getAndSet(0));
		monitor.total.set(-1);
		ncc(cpu).monitor(monitor).correlateEach(frames::iterator, (frame, response) -> {});
		assertEquals(-1, monitor.total.get());
		assertEquals(34L * 26 * FRAMES, monitor.done.get());
	}

	/** As in the README. */
	@Test
	void theExampleForPeople() {
		final Iterable<RandomAccessibleInterval<?>> frames = this.frames;
		final Img<UnsignedByteType> stack = RandomPixels.image(2, 40, 30, 5);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template);
		final List<String> written = new ArrayList<>();
		StreamReport report = TemplateMatching.with(NormalizedCrossCorrelation.of(template)).minScore(0.7)
			.findEach(frames, (index, found) -> found.matches().forEach(m -> written.add(index + ": " + m)));
		op.correlateEach(Frames.of(stack, 2), (index, response) -> written.add(index + ": " + response.map().size()));
		assertEquals(FRAMES, report.frames());
		assertEquals(List.of("3: template 0 at [5, 6], score 1.0", "0: 884", "1: 884", "2: 884", "3: 884", "4: 884"), written);
	}

	@Test
	void noFrameIsNoMistake() {
		final StreamReport report = ncc(both).correlateEach(List.of(), this::assertMap);
		assertEquals(0, report.frames());
		assertEquals(0, report.latency());
		assertTrue(report.rankings().isEmpty());
		assertFalse(device.prepared.get() > 0);
	}
}
