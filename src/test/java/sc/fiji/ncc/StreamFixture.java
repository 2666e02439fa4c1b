package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.AfterEach;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.result.Response;

/** Frames, backends and checks for the tests of streams: results come in order and equal those of each frame alone, and all is closed at the end. */
abstract class StreamFixture {

	static final int FRAMES = 12, THREADS = 2;

	final FakeDevice device = new FakeDevice();
	final List<Backend> cpu = List.of(new CpuBackend(THREADS)), both = List.of(device, cpu.get(0));
	final List<RandomAccessibleInterval<?>> frames = IntStream.range(0, FRAMES).<RandomAccessibleInterval<?>>mapToObj(i -> RandomPixels.image(i, 40, 30)).toList();
	final RandomAccessibleInterval<?> template = Views.interval(frames.get(3), new long[] { 5, 6 }, new long[] { 11, 10 });
	final List<Long> order = new ArrayList<>();

	NormalizedCrossCorrelation ncc(final List<Backend> backends) {
		return NormalizedCrossCorrelation.of(template).threads(THREADS).backends(backends);
	}

	static double[] values(final RandomAccessibleInterval<?> image) {
		final double[] values = new double[(int) Intervals.numElements(image)];
		final Cursor<?> c = Views.flatIterable(image).cursor();
		for (int i = 0; i < values.length; i++) values[i] = ((RealType<?>) c.next()).getRealDouble();
		return values;
	}

	void assertMap(final long frame, final Response response) {
		order.add(frame);
		assertArrayEquals(values(ncc(cpu).correlate(frames.get((int) frame)).map()), values(response.map()), 1e-6, "frame " + frame);
	}

	void assertOrder(final long count) {
		assertEquals(LongStream.range(0, count).boxed().toList(), order);
	}

	@AfterEach
	void everythingIsClosed() {
		assertEquals(0, device.open.get());
		assertEquals(0, device.inFlight.get());
		assertEquals(List.of(), Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive).map(Thread::getName)
			.filter(n -> n.equals("ncc-frames") || n.equals("ncc-frame-reader")).toList());
	}
}
