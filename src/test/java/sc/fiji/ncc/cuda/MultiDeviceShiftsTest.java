package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.cpu.frame.FrameCorrelator;
import sc.fiji.ncc.cpu.frame.FrameExecution;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftExecution.Capacity;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftExecution.Pair;

/** Pairs of frames on several equal devices: here executions of the CPU, which count their frames. */
class MultiDeviceShiftsTest {

	private static final int SIDE = 64, FRAMES = 13, DEVICES = 3;

	private static ShiftExecution cpu() {
		return new FrameExecution(new FrameCorrelator(new int[] { SIDE, SIDE, 1 }, new int[] { SIDE, SIDE, 1 }, new FrameCorrelator.Lags(new long[] { 10, 10, 0 },
			0.3), 1, true, FrameCorrelator.Search.WHOLE, 1e9), new Capacity(2, 4, 20), Monitor.NONE);
	}

	/** An execution of a device. */
	private static final class Device implements ShiftExecution {

		private final ShiftExecution cpu = cpu();
		final AtomicInteger transformed = new AtomicInteger(), pairs = new AtomicInteger();
		final Set<Thread> callers = ConcurrentHashMap.newKeySet();
		boolean fails, failsAtTheEnd, closed;
		int held, released, frames = 20;

		@Override
		public Capacity capacity() {
			return new Capacity(cpu.capacity().threads(), cpu.capacity().batches(), frames);
		}

		@Override
		public List<Operand> transform(final List<Frame> frames) {
			callers.add(Thread.currentThread());
			transformed.addAndGet(frames.size());
			return cpu.transform(frames);
		}

		@Override
		public List<PairPeaks> correlate(final List<List<Pair>> groups) {
			if (fails) throw new DeviceException("no memory is left");
			pairs.addAndGet(groups.stream().mapToInt(List::size).sum());
			return cpu.correlate(groups);
		}

		@Override
		public PairPeaks[] against(final Operand fixed, final List<Frame> frames, final boolean[] flat) {
			pairs.addAndGet(frames.size());
			return cpu.against(fixed, frames, flat);
		}

		@Override
		public void keep(final Collection<Operand> frames) {
			held = frames.size();
		}

		@Override
		public void release(final Collection<Operand> frames) {
			released += frames.size();
			cpu.release(frames);
		}

		@Override
		public void close() {
			closed = true;
			cpu.close();
			if (failsAtTheEnd) throw new DeviceException("the device is lost");
		}
	}

	private final List<Device> devices = List.of(new Device(), new Device(), new Device());

	private MultiDeviceShifts several() {
		return new MultiDeviceShifts(List.copyOf(devices), 2 * DEVICES);
	}

	/** Frames that drift; the last but one is flat. */
	private static List<Frame> frames() {
		final DriftTexture texture = new DriftTexture(100, 100, 1.3, 1);
		final Random random = new Random(5);
		final List<Frame> frames = new ArrayList<>();
		for (int i = 0; i < FRAMES; i++) {
			final short[] pixels = i == FRAMES - 2 ? new short[SIDE * SIDE] : DriftTexture.photons(texture.frame(60 + 3 * i, 90 - 2 * i, SIDE, SIDE), 300, 0.3, random);
			final ImagePixels image = ImagePixels.of(ArrayImgs.unsignedShorts(pixels, SIDE, SIDE));
			frames.add(new Frame(image, null));
		}
		return frames;
	}

	/** Each frame against one to four frames before it, two pairs of a group. */
	private static List<List<Pair>> groups(final List<Operand> frames) {
		final List<List<Pair>> groups = new ArrayList<>();
		for (int i = 1; i < FRAMES; i++)
			for (int k = 1; k <= Math.min(4, i); k += 2) {
				final List<Pair> group = new ArrayList<>();
				for (int l = k; l <= Math.min(i, k + 1); l++) group.add(new Pair(frames.get(i - l), frames.get(i)));
				groups.add(group);
			}
		return groups;
	}

	private static void assertSame(final PairPeaks one, final PairPeaks other) {
		assertEquals(one.isFound(), other.isFound());
		if (!one.isFound()) return;
		assertArrayEquals(one.best().lag(), other.best().lag());
		assertEquals(one.best().score(), other.best().score());
		assertArrayEquals(one.best().shift(), other.best().shift(), 1e-3);
	}

	@Test
	void theDevicesShareThePairs() {
		final List<Frame> frames = frames();
		try (MultiDeviceShifts several = several(); ShiftExecution one = cpu()) {
			final List<Operand> shared = several.transform(frames);
			assertEquals(FRAMES, devices.stream().mapToInt(d -> d.transformed.get()).sum());
			final List<PairPeaks> found = several.correlate(groups(shared)), expected = one.correlate(groups(one.transform(frames)));
			assertEquals(expected.size(), found.size());
			for (int i = 0; i < found.size(); i++) assertSame(expected.get(i), found.get(i));
			for (final Device d : devices) {
				assertTrue(d.pairs.get() >= 6, "pairs of a device: " + d.pairs);
				// its share, and up to four frames before it
				assertTrue(d.transformed.get() <= FRAMES / DEVICES + 2 + 4, "frames of a device: " + d.transformed);
			}
			final int before = devices.stream().mapToInt(d -> d.transformed.get()).sum();
			several.correlate(groups(shared));
			assertEquals(before, devices.stream().mapToInt(d -> d.transformed.get()).sum(), "frames are read again");
			assertTrue(shared.get(FRAMES - 2).isFlat());
			several.keep(shared.subList(0, 4));
			assertEquals(List.of(4, 4, 0), devices.stream().map(d -> d.held).toList(), "frames that stay on each device");
		}
		for (final Device d : devices) assertTrue(d.closed);
	}

	/** Of calls of a few frames, or by one thread, each device gets its share over many calls. */
	@Test
	void callsTakeTurns() {
		final List<Frame> frames = frames();
		for (final int count : new int[] { 3, 4 })
			for (final int threads : new int[] { 1, 2 * count })
				for (final int n : new int[] { 2, 4, 8 }) {
					final List<Device> turns = IntStream.range(0, count).mapToObj(d -> new Device()).toList();
					try (MultiDeviceShifts several = new MultiDeviceShifts(List.copyOf(turns), threads)) {
						for (int call = 0; call < count; call++) {
							final List<Operand> both = several.transform(frames.subList(0, n));
							final Thread caller = Thread.currentThread();
							several.correlate(List.of(List.of(new Pair(both.get(0), both.get(1)))));
							for (final Device d : turns) {
								if (n <= 2 * count || threads == 1) assertTrue(d.callers.stream().allMatch(caller::equals), "one device measures in the calling thread");
								if (n <= 2 * count || threads == 1) assertTrue(d.transformed.get() % n == 0, "one device has all frames of a call");
							}
						}
						final String what = n + " frames on " + count + " devices, " + threads + " threads: ";
						for (final Device d : turns) assertEquals(n, d.transformed.get(), what + turns.stream().map(t -> t.transformed).toList());
						several.against(several.transform(frames.subList(0, 1)).get(0), frames.subList(0, n), new boolean[n]);
						assertEquals(count + n, turns.stream().mapToInt(d -> d.pairs.get()).sum());
					}
				}
	}

	@Test
	void allFramesAgainstOne() {
		final List<Frame> frames = frames();
		final boolean[] flat = new boolean[FRAMES], expectedFlat = new boolean[FRAMES];
		try (MultiDeviceShifts several = several(); ShiftExecution one = cpu()) {
			final PairPeaks[] found = several.against(several.transform(frames.subList(0, 1)).get(0), frames, flat);
			final PairPeaks[] expected = one.against(one.transform(frames.subList(0, 1)).get(0), frames, expectedFlat);
			assertArrayEquals(expectedFlat, flat);
			for (int i = 0; i < FRAMES; i++) if (!flat[i]) assertSame(expected[i], found[i]);
			for (final Device d : devices) assertTrue(d.pairs.get() >= 4, "pairs of a device: " + d.pairs);
			// a batch may need memory for all of its frames on each device
			assertEquals(new Capacity(6, 1, 20), several.capacity());
		}
	}

	@Test
	void aDeviceThatFailsFailsTheExecution() {
		devices.get(1).fails = true;
		try (MultiDeviceShifts several = several()) {
			final List<Operand> shared = several.transform(frames());
			assertEquals("no memory is left", assertThrows(DeviceException.class, () -> several.correlate(groups(shared))).getMessage());
		}
		for (final Device d : devices) assertTrue(d.closed);
	}

	@Test
	void eachDeviceReleasesItsFrames() {
		try (MultiDeviceShifts several = several()) {
			several.release(several.transform(frames().subList(0, 11)));
		}
		// the second of two frames that may share a transform is on the device of the first one
		assertEquals(List.of(2, 4, 5), devices.stream().map(d -> d.released).toList());
	}

	@Test
	void theSmallestMemoryCounts() {
		devices.get(1).frames = 7;
		try (MultiDeviceShifts several = several()) {
			assertEquals(7, several.capacity().held());
		}
	}

	@Test
	void allDevicesAreClosedIfOneFails() {
		devices.get(0).failsAtTheEnd = true;
		final Throwable[] reasons = assertThrows(DeviceException.class, several()::close).getSuppressed();
		assertEquals(List.of("the device is lost"), Arrays.stream(reasons).map(Throwable::getMessage).toList());
		for (final Device d : devices) assertTrue(d.closed);
	}
}
