package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.ByteArray;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.MemoryPool;
import sc.fiji.ncc.cuda.driver.TrappedKernel;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.result.Response;

/** Memory, and what happens when a GPU fails. Skipped, with the reason, without a GPU. */
@Tag("gpu")
class CudaFaultTest {

	private static final int SIDE = 600, TEMPLATE = 21;
	/** A leak is lost in all of these but the first. */
	private static final int ROUNDS = 6;

	private CudaDevice device;

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
		device = Driver.devices().list().get(0);
	}

	private static ArrayImg<UnsignedByteType, ByteArray> noise(final int side, final int seed) {
		return RandomPixels.image(seed, side, side);
	}

	private static float[] map(final Response response) {
		return ((FloatArray) ((ArrayImg<?, ?>) response.map()).update(null)).getCurrentStorageArray();
	}

	private static NormalizedCrossCorrelation correlation() {
		return NormalizedCrossCorrelation.of(noise(TEMPLATE, 2));
	}

	private static Correlation problem() {
		return Problems.correlation(PixelType.U8, PixelType.U8, Size.of(SIDE, SIDE), List.of(Size.of(TEMPLATE, TEMPLATE)), Weights.NONE,
			Lags.inside(Size.of(SIDE - TEMPLATE + 1, SIDE - TEMPLATE + 1)), 1);
	}

	private static List<SlidingAlgorithm<Correlation>> correlations() {
		return Problems.correlations(new CudaBackend());
	}

	/**
	 * What the pool counts must come back to the byte. What the driver holds beside it, modules and transforms for instance, shows in the GPU's free memory alone,
	 * which other processes change, too: a leak is what is lost every time. The first time all is loaded that stays.
	 */
	@Test
	void allMemoryComesBack() {
		final List<Long> lost = new ArrayList<>();
		for (int round = 0; round < ROUNDS; round++) {
			device.enter();
			device.memory().trim();
			final long before = device.freeMemory(), counted = device.memory().deviceBytes(), pinned = device.memory().pinnedBytes();
			useAll();
			device.memory().trim();
			assertEquals(counted, device.memory().deviceBytes(), "bytes of the GPU, as the pool counts them");
			assertEquals(pinned, device.memory().pinnedBytes(), "bytes of pinned memory");
			lost.add(before - device.freeMemory());
			if (round > 0 && lost.get(round) <= 0) return;
		}
		fail("bytes of the GPU that were lost each time: " + lost);
	}

	/** Each algorithm, several times. */
	private static void useAll() {
		for (final SlidingAlgorithm<?> a : Problems.sliding(new CudaBackend()))
			// one is for few lags only
			for (int i = 0; i < 3; i++)
				if (a.kind() == Correlation.class) correlation().algorithm(a.id()).correlate(noise(Problems.unsupported(a, problem()).isEmpty() ? SIDE : 2 * TEMPLATE, 1));
				else if (Problems.unsupported(a, Problems.convolution(problem(), 0)).isEmpty())
					Convolution.of(noise(TEMPLATE, 2)).algorithm(a.id()).convolve(noise(SIDE, 1));
	}

	@Test
	void idleMemoryGoesBackByItself() throws InterruptedException {
		device.enter();
		device.memory().trim();
		final long before = device.memory().deviceBytes();
		correlation().backend("cuda").correlate(noise(2000, 1));
		assertTrue(device.memory().deviceBytes() > before, "nothing waits for the next");
		for (int i = 0; i < 4 * MemoryPool.PATIENCE && device.memory().deviceBytes() > before; i++) Thread.sleep(1000);
		assertEquals(before, device.memory().deviceBytes());
	}

	@Test
	void aReleasedGpuIsOpenedAnew() {
		final float[] expected = map(correlation().algorithm("cuda-direct-exact").correlate(noise(SIDE, 1)));
		new CudaBackend().release();
		new CudaBackend().release();
		assertArrayEquals(expected, map(correlation().algorithm("cuda-direct-exact").correlate(noise(SIDE, 1))));
	}

	@Test
	void withoutMemoryTheCpuGoesOn() {
		final float[] expected = map(correlation().algorithm("cpu-direct-exact").correlate(noise(SIDE, 1)));
		device.enter();
		device.memory().trim();
		device.memory().limit(1 << 18);
		try {
			for (final SlidingAlgorithm<Correlation> a : correlations()) {
				if (a.unsupported(problem()).isPresent()) continue;
				final Response r = correlation().algorithm("auto").correlate(noise(SIDE, 1));
				final float[] actual = map(r);
				for (int i = 0; i < expected.length; i++) assertEquals(expected[i], actual[i], 1e-5f);
			}
			assertThrows(DeviceException.class, () -> device.memory().onDevice(1 << 20));
		}
		finally {
			device.memory().limit(Long.MAX_VALUE);
		}
		assertArrayEquals(expected, map(correlation().algorithm("cuda-direct-exact").correlate(noise(SIDE, 1))));
	}

	@Test
	void aFlatTemplateIsTheCallersMistakeAndCostsNoMemory() {
		device.enter();
		device.memory().trim();
		final Template flat = new Template(Size.of(3, 3), PixelType.U8, new double[9], null);
		final Correlation p = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(9, 9), List.of(flat.size()), Weights.NONE, Lags.inside(Size.of(7, 7)), 1);
		for (final SlidingAlgorithm<Correlation> a : correlations())
			assertThrows(IllegalArgumentException.class, () -> a.plan(p, device.device).prepare(List.of(flat)));
	}

	/** Of these tests, whoever loaded them. */
	private static String classPath() {
		if (!(CudaFaultTest.class.getClassLoader() instanceof URLClassLoader)) return System.getProperty("java.class.path");
		return Arrays.stream(((URLClassLoader) CudaFaultTest.class.getClassLoader()).getURLs()).map(url -> new File(url.getPath()).getPath())
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** In a JVM of its own, since the GPU is off in it afterwards: a kernel traps, the GPU says so, and the CPU does the work. */
	@Test
	void aTrappedKernelSwitchesTheGpuOff() throws Exception {
		final Process p = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath(),
			TrappedKernel.class.getName()).redirectErrorStream(true).start();
		final String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertTrue(p.waitFor(60, TimeUnit.SECONDS));
		assertEquals(0, p.exitValue(), said);
		assertTrue(said.contains("off until Java is started again"), said);
	}
}
