package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.run.BoxQueue;

/** The allocation of a map fails while threads compute its boxes, early or late, once or again, and the caller cancels or is interrupted at the same time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeferredAllocationTest {

	/** When the allocation fails: before any response, after the first one, after all responses of the box. */
	enum Moment { AT_ONCE, AMONG_WRITERS, AFTER_ALL }

	private static final int WIDTH = 300, HEIGHT = 200, SIDE = 5, BOXES = 4;
	private static final Size LAGS = Size.of(WIDTH - SIDE + 1, HEIGHT - SIDE + 1);

	private final Img<UnsignedByteType> image;
	private final Template template;
	private final Correlation problem = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(WIDTH, HEIGHT), List.of(Size.of(SIDE, SIDE)), Weights.NONE,
		Lags.inside(LAGS), 1);
	private final AtomicLong computed = new AtomicLong();
	private final AtomicInteger allocations = new AtomicInteger();
	private volatile boolean canceled;
	private final Monitor monitor = new Monitor() {

		@Override
		public void done(final long responses) {
			computed.addAndGet(responses);
		}

		@Override
		public boolean canceled() {
			return canceled;
		}
	};

	DeferredAllocationTest() {
		final byte[] pixels = new byte[WIDTH * HEIGHT];
		new Random(1).nextBytes(pixels);
		image = ArrayImgs.unsignedBytes(pixels, WIDTH, HEIGHT);
		template = new Template(Size.of(SIDE, SIDE), PixelType.U8, IntStream.range(0, SIDE * SIDE).mapToDouble(i -> i * i % 101).toArray(), null);
	}

	/** The boxes of the map: parts of its rows. */
	private List<BoxQueue.Box> boxes(final DeferredArray array) {
		final List<BoxQueue.Box> boxes = new ArrayList<>();
		final int height = (int) LAGS.get(1);
		for (int b = 0; b < BOXES; b++) {
			final int from = b * height / BOXES, to = (b + 1) * height / BOXES;
			final MapSink sink = new MapSink(array, new long[] { LAGS.get(0), height }, 0, new long[] { 0, from }, 0, ResponseType.FLOAT);
			boxes.add(new BoxQueue.Box(() -> ImagePixels.of(image), new LagBox(new long[][] { { 0, from } }, new int[] { (int) LAGS.get(0), to - from }), new BankSink(0, List.of(sink)), monitor));
		}
		return boxes;
	}

	/** The CPU, several times in turn. */
	private Ranking candidates(final int threads, final int count) {
		final CpuBackend cpu = new CpuBackend(threads);
		final SlidingAlgorithm<Correlation> algorithm = Problems.correlation(cpu, "cpu-direct-exact");
		final Device device = cpu.devices().get(0);
		return new Ranking(problem, IntStream.range(0, count)
			.mapToObj(i -> new Candidate("candidate " + i, algorithm, device, algorithm.plan(problem, device), OptionalDouble.empty(), 0, "")).toList());
	}

	/** An allocation that fails so many times, each time at this moment, after {@code meanwhile}. */
	private DeferredArray array(final int threads, final int failures, final Moment moment, final Runnable meanwhile) {
		final long box = LAGS.get(0) * (LAGS.get(1) / BOXES);
		final IntFunction<Buffer> allocation = n -> {
			if (allocations.getAndIncrement() >= failures) return FloatBuffer.allocate(n);
			// one thread computes after the allocation
			while (threads > 1 && allocations.get() == 1 && computed.get() < (moment == Moment.AT_ONCE ? 0 : moment == Moment.AMONG_WRITERS ? 1 : box)) Thread.onSpinWait();
			meanwhile.run();
			throw new OutOfMemoryError("Java heap space");
		};
		return new DeferredArray(allocation, (int) LAGS.pixels());
	}

	private float[] expected() {
		final DeferredArray array = new DeferredArray(FloatBuffer::allocate, (int) LAGS.pixels());
		new BoxQueue(boxes(array), Monitor.NONE).run(candidates(1, 1), List.of(template));
		computed.set(0);
		return (float[]) array.get().array();
	}

	@ParameterizedTest
	@CsvSource({ "1, 1, AT_ONCE", "1, 2, AT_ONCE", "4, 1, AT_ONCE", "4, 1, AMONG_WRITERS", "4, 1, AFTER_ALL", "4, 2, AT_ONCE", "4, 2, AMONG_WRITERS", "4, 2, AFTER_ALL" })
	void theNextCandidateComputesTheWholeMap(final int threads, final int failures, final Moment moment) {
		final float[] expected = expected();
		for (int repeat = 0; repeat < 10; repeat++) {
			allocations.set(0);
			computed.set(0);
			final DeferredArray array = array(threads, failures, moment, () -> {});
			final BoxQueue queue = new BoxQueue(boxes(array), monitor);
			final Ranking ranking = candidates(threads, failures + 1);
			final Report report = queue.run(ranking, List.of(template));
			assertEquals(LAGS.pixels(), report.responses());
			assertEquals(LAGS.pixels(), computed.get(), "progress counts each response once");
			assertArrayEquals(expected, (float[]) array.get().array());
			assertEquals("candidate " + failures, queue.outcome(ranking).best().orElseThrow().name());
		}
	}

	@ParameterizedTest
	@CsvSource({ "1, AT_ONCE", "4, AT_ONCE", "4, AMONG_WRITERS", "4, AFTER_ALL" })
	void withoutAnotherCandidateTheCallerGetsOneException(final int threads, final Moment moment) {
		final DeferredArray array = array(threads, 2, moment, () -> {});
		final NccException e = assertThrows(NccException.class, () -> new BoxQueue(boxes(array), monitor).run(candidates(threads, 2), List.of(template)));
		assertTrue(e.getMessage().contains("every candidate failed") && e.getMessage().contains("increase the heap (-Xmx)"), e.getMessage());
		assertEquals(2, allocations.get());
	}

	@ParameterizedTest
	@CsvSource({ "1, AT_ONCE", "4, AT_ONCE", "4, AMONG_WRITERS", "4, AFTER_ALL" })
	void aCancellationAtTheSameTimeEndsTheRun(final int threads, final Moment moment) {
		final DeferredArray array = array(threads, 1, moment, () -> canceled = true);
		assertThrows(CancellationException.class, () -> new BoxQueue(boxes(array), monitor).run(candidates(threads, 2), List.of(template)));
		assertEquals(1, allocations.get(), "nothing is tried again");
	}

	/** Boxes that are in memory do not end by an interrupt: the map is whole, and the caller's thread stays interrupted. */
	@ParameterizedTest
	@CsvSource({ "1, AT_ONCE", "4, AT_ONCE", "4, AMONG_WRITERS", "4, AFTER_ALL" })
	void anInterruptAtTheSameTimeIsKept(final int threads, final Moment moment) {
		final float[] expected = expected();
		final DeferredArray array = array(threads, 1, moment, Thread.currentThread()::interrupt);
		new BoxQueue(boxes(array), monitor).run(candidates(threads, 2), List.of(template));
		assertTrue(Thread.interrupted(), "interrupted");
		assertTrue(Arrays.equals(expected, (float[]) array.get().array()));
	}
}
