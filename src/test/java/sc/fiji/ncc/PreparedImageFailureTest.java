package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;

/** A prepared image on a device that fails: the CPU prepares the image again, and the result is whole. */
@Timeout(60)
class PreparedImageFailureTest {

	private final FakeDevice device = new FakeDevice();
	private final Img<UnsignedByteType> image = RandomPixels.image(1, 30, 20), template = RandomPixels.image(2, 4, 5);

	private NormalizedCrossCorrelation settings(final Backend... backends) {
		return NormalizedCrossCorrelation.of(template).backends(List.of(backends));
	}

	private static float[] values(final Img<FloatType> map) {
		final float[] values = new float[(int) map.size()];
		int i = 0;
		for (final FloatType v : map) values[i++] = v.get();
		return values;
	}

	@AfterEach
	void nothingIsOpen() {
		assertEquals(0, device.inFlight.get());
		assertEquals(0, device.open.get());
	}

	private void assertWhole(final Consumer<FakeDevice> fault) {
		final CpuBackend cpu = new CpuBackend(1);
		try (PreparedImage prepared = settings(device, cpu).prepare(image)) {
			fault.accept(device);
			final Response found = prepared.correlate(template);
			assertArrayEquals(values(settings(cpu).correlate(image).map()), values(found.map()), 2e-5f);
			assertEquals("cpu", prepared.explain().best().orElseThrow().device().id());
		}
	}

	@Test
	void aHeapThatIsFullWhenTheImageIsPrepared() {
		device.heapIsFull = true;
		assertWhole(d -> {});
	}

	@Test
	void aHeapThatIsFullWhenTheTemplateIsReplaced() {
		assertWhole(d -> d.heapIsFullInReplace = true);
	}

	@Test
	void aDeviceThatCannotBeClosed() {
		device.failClose = true;
		assertWhole(d -> d.refuse = 0);
	}

	@Test
	void withoutAnotherCandidateTheReasonIsReported() {
		device.heapIsFull = true;
		final NccException e = assertThrows(NccException.class, () -> settings(device).prepare(image));
		assertTrue(e.getMessage().contains("every candidate failed") && e.getMessage().contains("increase the heap (-Xmx)"), e.getMessage());
	}
}
