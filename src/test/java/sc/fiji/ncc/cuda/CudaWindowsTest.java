package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cuda.window.WindowLayout;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.WindowPairs.Shape;

/** What {@code cuda-windows} takes, what it needs, and what it is predicted to cost on an H200. Needs no GPU. */
class CudaWindowsTest {

	private static final int PROCESSORS = 132, SHARED = 232_448;
	private static final long MEMORY = 140L << 30;

	private static WindowPairs problem(final PixelType type, final long frame, final long window, final long lags) {
		return new WindowPairs(type, Size.of(frame, frame), Size.of(window, window), Size.of((window + 1) / 2, (window + 1) / 2), Size.of(lags, lags), false, 0.5, 1);
	}

	private static String reason(final WindowPairs p) {
		return new CudaWindows().unsupported(p).orElse("");
	}

	@Test
	void whatIsNotSupportedIsSaid() {
		for (final PixelType type : PixelType.values())
			assertEquals(type == PixelType.F64 ? "its kernels support pixels of up to 32 bits, not F64" : "", reason(problem(type, 500, 32, 25)));
		assertEquals("its kernels support planes, not volumes", reason(new WindowPairs(PixelType.U8, Size.of(40, 40, 20), Size.of(8, 8, 8), Size.of(4, 4, 4), Size.of(
			5, 5, 5), false, 0.5, 1)));
		assertEquals("windows share sums only if their pixels count alike", reason(new WindowPairs(PixelType.U8, Size.of(40, 40),
			Size.of(8, 8), Size.of(4, 4), Size.of(
			5, 5), false, 0.5, 1, Shape.GAUSSIAN)));
		assertEquals("its kernels support windows of at most 65536 pixels that are at most 2048 pixels wide, not 257x257", reason(problem(PixelType.U8, 500, 257,
			25)));
		assertEquals("its kernels support at most 16384 lags, not 129x129", reason(problem(PixelType.U8, 500, 32, 129)));
		assertEquals("its kernels support frames of at most 268435455 pixels, not 20000x20000", reason(problem(PixelType.U8, 20_000, 32, 25)));
		assertEquals("its kernels support frames of at most 65535 rows with their margins, not 500x65530", reason(new WindowPairs(PixelType.U8, Size.of(500, 65_530),
			Size.of(32, 32), Size.of(16, 16), Size.of(25, 25), false, 0.5, 1)));
		assertEquals("its kernels support at most 15790320 windows, not 3993x3993", reason(new WindowPairs(PixelType.U8, Size.of(4000,
			4000), Size.of(8, 8), Size.of(1, 1),
			Size.of(5, 5), false, 0.5, 1)));
		assertEquals("its kernels support at most 268435455 responses of a row of windows, not 268612366", reason(new WindowPairs(PixelType.U8, Size.of(16_660, 400),
			Size.of(7, 7), Size.of(1, 1), Size.of(127, 127), false, 0.5, 1)));
		assertTrue(new CudaWindows().unsupported(problem(PixelType.U8, 500, 32, 25), new Device("gpus", "two", 264, MEMORY)).orElseThrow().contains(
			"this device is several"));
	}

	/** All that is supported fits into the shared memory of an H200, and a GPU with less says so. */
	@Test
	void theSharedMemoryIsStated() {
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.U16, PixelType.F32 })
			for (final long window : new long[] { 1, 3, 16, 32, 65, 256 })
				for (final long lags : new long[] { 1, 7, 25, 85, 127 }) {
					final WindowLayout layout = new WindowLayout(problem(type, 600, window, lags));
					assertEquals(Optional.empty(), CudaWindows.tooLarge(layout, SHARED, MEMORY), type + " " + window + " " + lags);
				}
		// a GPU with 64 KB takes windows of the usual sizes
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.U16, PixelType.F32 })
			for (final long window : new long[] { 8, 16, 24, 32 })
				for (final long lags : new long[] { 7, 9, 11, 15, 25 }) assertEquals(Optional.empty(),
					CudaWindows.tooLarge(new WindowLayout(problem(type, 600, window, lags)),
					64 << 10, MEMORY), type + " " + window + " " + lags);
		final WindowLayout large = new WindowLayout(problem(PixelType.F32, 600, 256, 127));
		assertTrue(CudaWindows.tooLarge(large, 48 << 10, MEMORY).orElseThrow().contains("shared memory"));
		assertTrue(CudaWindows.tooLarge(large, SHARED, 1 << 20).orElseThrow().contains("MB on the GPU"));
	}

	/** Each window pixel is multiplied once for each lag where windows are half a window apart, but for lags that fill threads. */
	@Test
	void windowsShareTheirProducts() {
		final WindowPairs p = problem(PixelType.U8, 2000, 32, 25);
		final double least = 2000.0 * 2000 * 625;
		assertTrue(new WindowLayout(p).products() > 0.9 * least && new WindowLayout(p).products() < 1.5 * least);
	}

	/** The rows of {@code motion-gpu.csv} with one pair at a time and whole searches: milliseconds. */
	@Test
	void predictionsAreNearMeasuredTimes() {
		final CudaCost costs = new CudaCost(null, PROCESSORS, 1, Constants.SHIPPED);
		assertEquals(1.54, 1e3 * CudaWindows.cost(problem(PixelType.U8, 2000, 32, 25), costs, 0).seconds(), 0.2);
		assertEquals(2.35, 1e3 * CudaWindows.cost(problem(PixelType.U16, 2000, 32, 25), costs, 0).seconds(), 0.3);
	}

	@Test
	void costsGrowWithTheWork() {
		final CudaCost costs = new CudaCost(null, PROCESSORS, 1, Constants.SHIPPED);
		final double bytes = CudaWindows.cost(problem(PixelType.U8, 2000, 32, 25), costs, 0).seconds(), shorts = CudaWindows.cost(problem(PixelType.U16, 2000, 32,
			25), costs, 0).seconds(), small = CudaWindows.cost(problem(PixelType.U8, 500, 32, 25), costs, 0).seconds();
		assertTrue(small < bytes && bytes < shorts, small + " " + bytes + " " + shorts);
		final WindowPairs p = problem(PixelType.U8, 2000, 32, 25);
		assertEquals(3 * bytes, CudaWindows.cost(p.of(p.frame(), 3), costs, 0).seconds(), 1e-12);
		assertTrue(CudaWindows.cost(p, new CudaCost(null, PROCESSORS / 2, 1, Constants.SHIPPED), 0).seconds() > bytes);
	}
}
