package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import net.imglib2.RandomAccessibleInterval;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.FrameException;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.StreamReport;

/** Streams in which a device, the source, the consumer or a frame fails, and canceled streams: no result is lost, and messages name the frame. */
class FrameStreamFailureTest extends StreamFixture {

	@Test
	void withoutMemoryTheNextCandidateDoesAll() {
		device.failAllocation = true;
		final StreamReport report = ncc(both).correlateEach(frames, this::assertMap);
		assertOrder(FRAMES);
		assertTrue(report.rankings().get(0).explain().contains("failed: out of device memory"), report.rankings().get(0).explain());
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 4, FRAMES - 1 })
	void afterAFailedLaunchTheRestIsDoneOnWhatIsLeft(final int frame) {
		device.failLaunch = frame;
		ncc(both).correlateEach(frames, this::assertMap);
		assertOrder(FRAMES);
		assertTrue(device.completed.get() >= frame && device.completed.get() < FRAMES, "done on the device: " + device.completed);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 7 })
	void aDeviceLostAtAFrameLosesNothing(final int frame) {
		device.loseAt = frame;
		final StreamReport report = ncc(both).correlateEach(frames, this::assertMap);
		assertOrder(FRAMES);
		assertEquals(frame, device.completed.get());
		assertEquals("cpu", report.rankings().get(0).best().orElseThrow().device().id());
		assertEquals(34L * 26 * FRAMES, report.report().responses());
	}

	@Test
	void ifNothingIsLeftTheFramesBeforeWereHandedOver() {
		device.loseAt = 3;
		device.latency = 5;
		final NccException e = assertThrows(NccException.class, () -> ncc(List.of(device)).correlateEach(frames, this::assertMap));
		assertTrue(e.getMessage().contains("the device is lost"), e.getMessage());
		assertTrue(order.size() <= 3);
		assertOrder(order.size());
	}

	@Test
	void aBugIsNotTakenForAFailingDevice() {
		device.beforeBox = () -> {
			throw new IllegalStateException("a bug");
		};
		assertThrows(IllegalStateException.class, () -> ncc(both).correlateEach(frames, this::assertMap));
	}

	/** Frames until one that throws. */
	private Iterable<RandomAccessibleInterval<?>> failing(final int at, final RuntimeException e) {
		return () -> new Iterator<>() {

			private int next;

			@Override
			public boolean hasNext() {
				return true;
			}

			@Override
			public RandomAccessibleInterval<?> next() {
				if (next == at) throw e;
				return frames.get(next++);
			}
		};
	}

	@Test
	void aSourceThatFailsSaysAtWhichFrame() {
		final IOException cause = new IOException("the disk is gone");
		final FrameException e = assertThrows(FrameException.class, () -> ncc(both).correlateEach(failing(5, new UncheckedIOException(cause)), this::assertMap));
		assertEquals(5, e.frame());
		assertEquals("frame 6 could not be read: java.io.IOException: the disk is gone", e.getMessage());
		assertSame(cause, e.getCause().getCause());
		assertOrder(5);
	}

	@Test
	void aFrameThatDoesNotSuitSaysWhichOne() {
		final List<RandomAccessibleInterval<?>> some = new ArrayList<>(frames);
		some.set(6, RandomPixels.image(1, 5, 4));
		assertTrue(assertThrows(IllegalArgumentException.class, () -> ncc(both).correlateEach(some, this::assertMap)).getMessage()
			.startsWith("frame 7: the template of 7x5 is larger than the image of 5x4"));
		assertOrder(6);
		some.set(6, RandomPixels.image(1, 40, 30, 2));
		assertTrue(assertThrows(IllegalArgumentException.class, () -> ncc(cpu).correlateEach(some, (k, r) -> {})).getMessage()
			.startsWith("frame 7: the frame of 40x30x2 has 3 dimensions, the template has 2"));
		assertThrows(IllegalArgumentException.class, () -> ncc(cpu).correlateEach(Collections.singletonList(null), (k, r) -> {}));
	}

	@Test
	void aConsumerThatFailsSaysAtWhichFrame() {
		final FrameException e = assertThrows(FrameException.class, () -> ncc(both).correlateEach(frames, (frame, response) -> {
			order.add(frame);
			if (frame == 4) throw new IOException("the disk is full");
		}));
		assertEquals(4, e.frame());
		assertInstanceOf(IOException.class, e.getCause());
		assertTrue(e.getMessage().endsWith("the disk is full"), e.getMessage());
		assertOrder(5);
	}

	/** The last result that was handed over is whole, and no more come. */
	@Test
	void cancelLeavesTheFramesThatAreDone() {
		final AtomicBoolean cancel = new AtomicBoolean();
		assertThrows(CancellationException.class, () -> ncc(both).monitor(canceledBy(cancel)).correlateEach(frames, (frame, response) -> {
			assertMap(frame, response);
			cancel.set(frame == 3);
		}));
		assertOrder(4);
	}

	@Test
	void cancelWakesASourceThatWaits() {
		final AtomicBoolean cancel = new AtomicBoolean(), woken = new AtomicBoolean();
		final CountDownLatch never = new CountDownLatch(1);
		final Iterator<RandomAccessibleInterval<?>> first = frames.subList(0, 2).iterator();
		final Iterable<RandomAccessibleInterval<?>> camera = () -> new Iterator<>() {

			@Override
			public boolean hasNext() {
				return true;
			}

			@Override
			public RandomAccessibleInterval<?> next() {
				if (first.hasNext()) return first.next();
				try {
					never.await();
				}
				catch (final InterruptedException e) {
					woken.set(true);
				}
				return frames.get(0);
			}
		};
		assertThrows(CancellationException.class, () -> ncc(both).monitor(canceledBy(cancel)).correlateEach(camera, (frame, response) -> {
			assertMap(frame, response);
			cancel.set(frame == 1);
		}));
		assertOrder(2);
		assertTrue(woken.get());
	}

	private static Monitor canceledBy(final AtomicBoolean cancel) {
		return new Monitor() {

			@Override
			public boolean canceled() {
				return cancel.get();
			}
		};
	}
}
