package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.CountedProgress;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;

/** Frames through an asynchronous device that fails: the result is whole and right, and everything is closed. */
class BoxQueueTest {

	private static final int FRAMES = 9;

	private final FakeDevice device = new FakeDevice();
	private final List<Backend> both = List.of(device, new CpuBackend(2));
	private final Img<UnsignedByteType> stack = RandomPixels.image(4, 40, 30, FRAMES);
	private final float[] expected = responses(ncc(List.of(new CpuBackend(2))).correlate(stack));

	private NormalizedCrossCorrelation ncc(final List<Backend> backends) {
		return NormalizedCrossCorrelation.of(Views.interval(Views.hyperSlice(stack, 2, 3), new long[] { 5, 6 }, new long[] { 11, 10 }))
			.backends(backends);
	}

	private static float[] responses(final Response r) {
		return ((FloatArray) ((ArrayImg<FloatType, ?>) r.map()).update(null)).getCurrentStorageArray();
	}

	private void assertRight(final Response r) {
		assertArrayEquals(expected, responses(r), 1e-6f);
		assertEquals(1f, r.map().getAt(5, 6, 3).get(), 1e-6f);
		assertEquals(34L * 26 * FRAMES, r.report().responses());
	}

	@AfterEach
	void everythingIsClosed() {
		assertEquals(0, device.open.get());
		assertEquals(0, device.inFlight.get());
	}

	@Test
	void framesOverlap() {
		device.latency = 5;
		final Response r = ncc(both).correlate(stack);
		assertRight(r);
		assertEquals(FakeDevice.DEPTH, device.mostInFlight.get());
		assertEquals(FRAMES, device.completed.get());
		assertEquals("fake-direct", r.ranking().best().orElseThrow().name());
	}

	@Test
	void withoutMemoryTheNextCandidateDoesAll() {
		device.failAllocation = true;
		final Response r = ncc(both).correlate(stack);
		assertRight(r);
		assertEquals(1, device.prepared.get());
		assertTrue(r.ranking().explain().contains("failed: out of device memory"), r.ranking().explain());
	}

	@Test
	void withAFullHeapTheNextCandidateDoesAll() {
		device.heapIsFull = true;
		final Response r = ncc(both).correlate(stack);
		assertRight(r);
		assertEquals(1, device.prepared.get());
		assertTrue(r.ranking().explain().contains("failed: not enough memory on the Java heap"), r.ranking().explain());
	}

	@Test
	void shortOfMemoryItGoesOnOneByOne() {
		device.shortOfMemory = true;
		device.beforeBox = () -> {
			while (device.submissions.get() < 2) Thread.onSpinWait();
		};
		final Response r = ncc(List.of(device)).correlate(stack);
		assertRight(r);
		assertEquals(2, device.prepared.get());
		assertEquals("fake-direct", r.ranking().best().orElseThrow().name());
	}

	@Test
	void afterAFailedLaunchTheRestGoesToTheNextCandidate() {
		device.failLaunch = 4;
		assertRight(ncc(both).correlate(stack));
		assertTrue(device.completed.get() >= 4 && device.completed.get() < FRAMES, "done on the device: " + device.completed);
	}

	@Test
	void aLostDeviceLosesNothing() {
		device.loseAt = 3;
		final Response r = ncc(both).correlate(stack);
		assertRight(r);
		assertEquals(3, device.completed.get());
		assertEquals("cpu", r.ranking().best().orElseThrow().device().id());
		assertTrue(r.ranking().explain().contains("failed: the device is lost"), r.ranking().explain());
	}

	/** The box that was refused is done by the next candidate, once, and so are those after it. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 3, FRAMES - 1 })
	void aBoxThatIsRefusedIsDoneOnceByTheNextCandidate(final int number) {
		device.refuse = number;
		final CountedProgress progress = new CountedProgress();
		final Response r = ncc(both).monitor(progress).correlate(stack);
		assertRight(r);
		assertEquals(34L * 26 * FRAMES, progress.done.get());
		assertEquals(number, device.completed.get());
		assertTrue(r.ranking().explain().contains("failed: the box is refused"), r.ranking().explain());
	}

	@Test
	void ifNothingIsLeftTheReasonIsSaid() {
		device.loseAt = 0;
		final NccException e = assertThrows(NccException.class, () -> ncc(List.of(device)).correlate(stack));
		assertTrue(e.getMessage().contains("the device is lost"), e.getMessage());
	}

	@Test
	void cancelDoesNotWaitForWhatIsUnderWay() {
		// a box that was waited for would be completed
		device.latency = 60_000;
		final AtomicBoolean cancel = new AtomicBoolean();
		device.beforeBox = () -> cancel.set(true);
		assertThrows(CancellationException.class, () -> ncc(both).monitor(new Monitor() {

			@Override
			public boolean canceled() {
				return cancel.get();
			}
		}).correlate(stack));
		assertEquals(0, device.completed.get());
	}

	@Test
	void aBugIsNotTakenForAFailingDevice() {
		device.beforeBox = () -> {
			throw new IllegalStateException("a bug");
		};
		assertThrows(IllegalStateException.class, () -> ncc(both).correlate(stack));
	}

	@Test
	void boxesAreTheWhole() {
		for (final Extent extent : Extent.values())
			for (final Border border : List.of(Border.UNDEFINED, Border.MIRROR, Border.OVERLAP, Border.constant(7)))
				assertArrayEquals(responses(ncc(List.of(new CpuBackend(2))).algorithm("cpu-direct-exact").extent(extent).border(border).correlate(stack)),
					responses(ncc(List.of(new CpuBackend(2))).algorithm("cpu-direct-exact").extent(extent).border(border).maxLags(150).correlate(stack)), extent + " " + border);
	}

	@Test
	void progressIsComplete() {
		final CountedProgress progress = new CountedProgress();
		ncc(both).monitor(progress).correlate(stack);
		assertEquals(34L * 26 * FRAMES, progress.total.get());
		assertEquals(progress.total.get(), progress.done.get());
		assertFalse(device.completed.get() < FRAMES);
	}
}
