package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Collection;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftExecution.Pair;
import sc.fiji.ncc.plan.shift.ShiftPlan;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.shift.ShiftAlgorithm;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.run.FailoverShifts;

class FailoverFramesTest {

	private static final int SIDE = 64, FRAMES = 24;

	private static List<RandomAccessibleInterval<?>> frames() {
		final DriftTexture texture = new DriftTexture(140, 140, 1.5, 3);
		final Random random = new Random(4);
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int t = 0; t < FRAMES; t++)
			frames.add(ArrayImgs.unsignedShorts(DriftTexture.photons(texture.frame(300 + random.nextInt(60), 300 + random.nextInt(60), SIDE, SIDE), 300, 0.3, random), SIDE, SIDE));
		return frames;
	}

	private static ImageSequence images(final String reference) {
		final ComputeOptions compute = ComputeOptions.DEFAULT.threads(2).backend("cpu").planner(new Planner(Backends.all(2)));
		return new ImageSequence(Components.with(DriftSettings.DEFAULT, DriftSettings::reference, DriftReference.of(reference)), compute, null, PixelType.U16,
			Size.of(SIDE, SIDE), 1, f -> f);
	}

	private static ShiftExecution cpu(final ImageSequence images) {
		return images.onCpu(false, FRAMES).prepare(2, Monitor.NONE);
	}

	/** A device with frames of its own, which fails after a number of calls. */
	private static final class Failing implements ShiftExecution {

		final ShiftExecution inner;
		final AtomicInteger calls, running = new AtomicInteger();
		/** Whether it also fails when it is closed. */
		boolean lost;
		boolean closed;
		/** The heap of Java is full in place of a fault. */
		boolean heapIsFull;
		/** Two threads fail together. */
		CyclicBarrier together;
		/** The number of frames that it has read, and what it last kept and released. */
		final AtomicInteger read = new AtomicInteger();
		final List<Operand> kept = new ArrayList<>(), released = new ArrayList<>();

		record Own(Operand operand) implements Operand {

			@Override
			public Frame frame() {
				return operand.frame();
			}

			@Override
			public boolean isFlat() {
				return operand.isFlat();
			}
		}

		Failing(final ImageSequence images, final int calls) {
			inner = cpu(images);
			this.calls = new AtomicInteger(calls);
		}

		private <T> T call(final Supplier<T> work) {
			running.incrementAndGet();
			try {
				if (calls.getAndDecrement() > 0) return work.get();
				if (together != null) together.await();
				if (heapIsFull) throw new OutOfMemoryError("Java heap space");
				throw new DeviceException("a fault on request");
			}
			catch (final InterruptedException | BrokenBarrierException e) {
				throw new AssertionError(e);
			}
			finally {
				running.decrementAndGet();
			}
		}

		@Override
		public Capacity capacity() {
			return larger(inner.capacity());
		}

		@Override
		public List<Operand> transform(final List<Frame> frames) {
			return call(() -> {
				read.addAndGet(frames.size());
				return inner.transform(frames).stream().<Operand>map(Own::new).toList();
			});
		}

		@Override
		public List<PairPeaks> correlate(final List<List<Pair>> groups) {
			return call(() -> inner.correlate(groups.stream().map(g -> g.stream().map(p -> new Pair(((Own) p.fixed()).operand(),
				((Own) p.moving()).operand())).toList()).toList()));
		}

		@Override
		public PairPeaks[] against(final Operand fixed, final List<Frame> frames, final boolean[] flat) {
			return call(() -> inner.against(((Own) fixed).operand(), frames, flat));
		}

		@Override
		public void keep(final Collection<Operand> frames) {
			kept.clear();
			kept.addAll(frames);
			inner.keep(frames);
		}

		@Override
		public void release(final Collection<Operand> frames) {
			released.clear();
			released.addAll(frames);
			inner.release(frames);
		}

		@Override
		public void close() {
			assertEquals(0, running.get(), "no thread is in a call");
			closed = true;
			inner.close();
			if (lost) throw new DeviceException("the device is lost");
		}
	}

	/** The memory of the device suffices for more frames than that of the CPU. */
	private static ShiftExecution.Capacity larger(final ShiftExecution.Capacity cpu) {
		return new ShiftExecution.Capacity(cpu.threads(), cpu.batches(), cpu.held() + 3);
	}

	/** The devices before the CPU. */
	@SafeVarargs
	private static FailoverShifts failover(final ImageSequence images, final Supplier<ShiftExecution>... devices) {
		final Ranking ranking = images.ranking(false, FRAMES);
		final Candidate cpu = ranking.best().orElseThrow();
		final List<Candidate> candidates = new ArrayList<>();
		for (final Supplier<ShiftExecution> device : devices)
			candidates.add(new Candidate("failing", cpu.algorithm(), cpu.device(), plan(cpu.plan(ShiftPlan.class), device),
				OptionalDouble.empty(), 0, ""));
		candidates.add(cpu);
		return new FailoverShifts(new Ranking(ranking.problem(), candidates), 2, Monitor.NONE);
	}

	private static ShiftPlan plan(final ShiftPlan plan, final Supplier<ShiftExecution> device) {
		return new ShiftPlan() {

			@Override
			public Cost cost() {
				return plan.cost();
			}

			@Override
			public ShiftExecution.Capacity capacity(final double heap) {
				return larger(plan.capacity(heap));
			}

			@Override
			public ShiftExecution prepare(final int threads, final Monitor monitor) {
				return device.get();
			}
		};
	}

	private static List<FrameShift> run(final ImageSequence images, final ShiftExecution execution) {
		final List<RandomAccessibleInterval<?>> frames = frames();
		final DriftReference reference = images.settings().reference();
		final RandomAccessibleInterval<?> given = reference.kind() == DriftReference.Kind.FRAME ? frames.get((int) reference.frame()) : null;
		try (DriftRun run = new DriftRun(images, given, null, execution)) {
			for (int i = 0; i < FRAMES; i += 4) run.push(frames.subList(i, i + 4));
			return run.evaluation().shifts();
		}
	}

	@Test
	@Tag("slow")
	void theCpuContinuesAfterAFaultAtAnyCall() {
		for (final String reference : new String[] { "first", "previous", "multi", "5" }) {
			final ImageSequence images = images(reference);
			final List<FrameShift> expected = run(images, cpu(images));
			for (int calls = 0; calls < 12; calls++) {
				final Failing failing = new Failing(images, calls);
				final List<FrameShift> found = run(images, failover(images, () -> failing));
				assertTrue(failing.closed, "the device is closed");
				for (int t = 0; t < FRAMES; t++) assertArrayEquals(expected.get(t).shift(), found.get(t).shift(), 1e-6, reference + ", " + calls + " calls, frame " + t);
			}
		}
	}

	private static List<PairPeaks> pairs(final ImageSequence images, final ShiftExecution execution) {
		final List<RandomAccessibleInterval<?>> frames = frames();
		final PairPeaks[] found = new PairPeaks[FRAMES / 2];
		try (execution; Parallel threads = new Parallel(4)) {
			threads.each(found.length, i -> {
				final List<Operand> both = execution.transform(List.of(images.frame(frames.get(2 * i)), images.frame(frames.get(2 * i + 1))));
				found[i] = execution.correlate(List.of(List.of(new Pair(both.get(0), both.get(1))))).get(0);
				execution.release(both);
			});
		}
		return List.of(found);
	}

	/** A frame whose reading waits. */
	private static Frame waiting(final Frame frame, final CountDownLatch reading, final CountDownLatch end) {
		return new Frame(new Pixels() {

			@Override
			public PixelType type() {
				return frame.pixels().type();
			}

			@Override
			public long[] size() {
				return frame.pixels().size();
			}

			@Override
			public void read(final long[] from, final int[] extents, final Buffer to) {
				reading.countDown();
				try {
					end.await();
				}
				catch (final InterruptedException e) {
					throw new AssertionError(e);
				}
				frame.pixels().read(from, extents, to);
			}
		}, null);
	}

	/** A call that runs ends before the device is closed, and the next one opens no other device, which nobody would close. */
	@Test
	void theEndWaitsForCallsAndIsTheLast() throws Exception {
		final ImageSequence images = images("first");
		final List<Failing> opened = new CopyOnWriteArrayList<>();
		final FailoverShifts execution = failover(images, () -> {
			opened.add(new Failing(images, 100));
			return opened.get(opened.size() - 1);
		});
		final CountDownLatch reading = new CountDownLatch(1), end = new CountDownLatch(1);
		final List<Frame> frames = frames().stream().limit(2).map(f -> waiting(images.frame(f), reading, end)).toList();
		final CompletableFuture<List<Operand>> call = CompletableFuture.supplyAsync(() -> execution.transform(frames));
		reading.await();
		final CompletableFuture<Void> close = CompletableFuture.runAsync(execution::close);
		Thread.sleep(100);
		end.countDown();
		final List<Operand> both = call.get();
		close.get();
		assertThrows(CancellationException.class, () -> execution.correlate(List.of(List.of(new Pair(both.get(0), both.get(1))))));
		execution.close();
		assertEquals(List.of(true), opened.stream().map(f -> f.closed).toList(), "devices that were opened, and closed");
	}

	@Test
	void theCpuContinuesForSeveralThreads() {
		final ImageSequence images = images("first");
		final List<PairPeaks> expected = pairs(images, cpu(images));
		for (int calls = 0; calls < 25; calls += 3) {
			final Failing failing = new Failing(images, calls);
			final List<PairPeaks> found = pairs(images, failover(images, () -> failing));
			assertTrue(failing.closed, "the device is closed");
			for (int i = 0; i < found.size(); i++) assertArrayEquals(expected.get(i).best().shift(), found.get(i).best().shift(), 1e-6, calls + " calls, pair " + i);
		}
	}

	/** Only the device that failed is left out, and not also the next one for the second thread. */
	@Test
	@Timeout(60)
	void twoThreadsSeeOneFailure() {
		final ImageSequence images = images("first");
		final Failing failing = new Failing(images, 0);
		failing.together = new CyclicBarrier(2);
		final List<Frame> frames = frames().stream().limit(2).map(images::frame).toList();
		try (FailoverShifts execution = failover(images, () -> failing)) {
			final CompletableFuture<List<Operand>> other = CompletableFuture.supplyAsync(() -> execution.transform(frames), r ->
				new Thread(r).start());
			assertEquals(2, execution.transform(frames).size());
			assertEquals(2, other.join().size());
		}
	}

	@Test
	void theNextDeviceContinuesAfterAFullHeap() {
		final ImageSequence images = images("first");
		final Failing failing = new Failing(images, 0);
		failing.heapIsFull = true;
		try (FailoverShifts execution = failover(images, () -> failing)) {
			assertEquals(1, execution.transform(List.of(images.frame(frames().get(0)))).size());
			assertTrue(execution.ranking().candidates().get(1).reason().contains("increase the heap"), execution.ranking().explain());
		}
	}

	/** A device reads the frames that it needs of those that another one held, each once, and holds no others. */
	@Test
	void theNextDeviceHoldsTheFramesThatItHasRead() {
		final ImageSequence images = images("first");
		final Failing failing = new Failing(images, 1), next = new Failing(images, Integer.MAX_VALUE);
		try (FailoverShifts execution = failover(images, () -> failing, () -> next)) {
			final List<Operand> three = execution.transform(frames().stream().limit(3).map(images::frame).toList());
			final List<List<Pair>> pair = List.of(List.of(new Pair(three.get(0), three.get(1))));
			for (int i = 0; i < 2; i++) execution.correlate(pair);
			assertEquals(2, next.read.get());
			execution.keep(three);
			execution.release(three.subList(1, 3));
			assertEquals(2, next.kept.size());
			assertEquals(next.kept.subList(1, 2), next.released);
		}
		assertEquals(List.of(), failing.kept);
	}

	/** The CPU can continue with all frames that the device holds. */
	@Test
	void aDeviceHoldsNoMoreFramesThanTheCpu() {
		final ImageSequence images = images("multi");
		try (ShiftExecution cpu = cpu(images); FailoverShifts execution = failover(images, () -> new Failing(images, 0))) {
			assertEquals(cpu.capacity().held(), execution.capacity().held());
		}
	}

	@Test
	void aDeviceThatFailsAtTheEndTakesNoResultAway() {
		final ImageSequence images = images("first");
		final Failing failing = new Failing(images, Integer.MAX_VALUE);
		failing.lost = true;
		assertEquals(FRAMES, run(images, failover(images, () -> failing)).size());
		assertTrue(failing.closed);
	}

	@Test
	void theCpuBeginsIfTheDeviceCannotBeOpened() {
		final ImageSequence images = images("multi");
		final List<FrameShift> found = run(images, failover(images, () -> {
			throw new DeviceException("no memory");
		}));
		assertEquals(FRAMES, found.size());
	}

	@Test
	void theReasonAgainstAGpuIsInWords() {
		refused("a GPU finds up to 65535 peaks, and 65536 are wanted", PixelType.U16, 65_536, SIDE, SIDE);
		refused("a GPU measures frames of up to 2147483647 bytes, and these have 2147483648", PixelType.F64, 1, 1024, 1024, 256);
		for (final PixelType type : PixelType.values()) assertEquals(Optional.empty(), gpu(type, 5, 9, 7, 3));
		final var unknown = assertThrows(IllegalArgumentException.class, () -> DriftCorrection.ofFrames(2).backend("gpu").measure(frames()));
		assertEquals("unknown backend \"gpu\": choose auto or one of cpu, cuda", unknown.getMessage());
		final var other = assertThrows(IllegalArgumentException.class, () ->
			Registration.of(frames().get(0)).compute(ComputeOptions.DEFAULT.algorithm("cpu-direct")).register(frames().get(1)));
		assertEquals("the algorithm cpu-direct solves other problems: choose auto or one of cpu-frames-binned, cpu-frames, cuda-frames", other.getMessage());
	}

	private static void refused(final String reason, final PixelType type, final int peaks, final long... size) {
		assertEquals(Optional.of(reason), gpu(type, peaks, size));
	}

	private static Optional<String> gpu(final PixelType type, final int peaks, final long... size) {
		final FramePairs problem = new FramePairs(type, Size.of(size), Size.of(size), List.of(), 0.3, true, 1, peaks, true, 2, 1);
		return Backends.all(1).get(1).algorithms().stream().filter(ShiftAlgorithm.class::isInstance).map(ShiftAlgorithm.class::cast).findFirst().orElseThrow()
			.unsupported(problem);
	}

	@Test
	void theChoiceIsExplained() {
		final String said = DriftCorrection.ofFrames(2).threads(3).backend("cpu").explain(frames()).explain();
		assertTrue(said.matches("(?s)shifts of 24 U16 frames of 64x64, 192 pairs, overlap at least 0.333\\R  cpu-frames .*selected: the only one that applies\\R.*  cuda.*"), said);
		final String two = Registration.of(frames().get(0)).backend("cpu").explain(Views.zeroMin(frames().get(1))).explain();
		assertTrue(two.startsWith("shifts of 2 U16 frames of 64x64, 1 pair, overlap at least 0.333, 2 peaks"), two);
	}

	/** The algorithms of frames are measured and remembered as all others are. */
	@Test
	void framesAreMeasured(@TempDir final Path folder) {
		final Planner planner = new Planner(Backends.all(2), folder.resolve("wisdom.txt"));
		final FramePairs problem = new FramePairs(PixelType.U16, Size.of(SIDE, SIDE), Size.of(SIDE, SIDE), List.of(), 0.3, false, 1, 1, true, 8, 16);
		final Ranking measured = planner.rank(problem, Optional.of("cpu"), Optional.empty(), Effort.MEASURE, 1, Monitor.NONE);
		final double seconds = measured.best().orElseThrow().measured().orElseThrow();
		assertTrue(seconds > 1e-5 && seconds < 10, "8 frames take " + seconds + " s");
		assertEquals(seconds, new Planner(Backends.all(2), folder.resolve("wisdom.txt")).rank(problem, Optional.of("cpu"),
			Optional.empty()).best().orElseThrow().measured().orElseThrow());
	}
}
