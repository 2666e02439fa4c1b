package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.driver.GpuMemory;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.ZeroCostBackend;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StreamReport;

/** Long streams through a GPU, and GPUs that fail on the way. Skipped, with the reason, without a GPU. */
@Tag("gpu")
class CudaStreamTest {

	private static final int SIDE = 64;
	/** What memory may grow by between frame 1000 and 10,000: a thread or two that began late, but not 9000 frames of 4096 pixels. */
	private static final long GROWTH = 8 << 20;

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	private static RandomAccessibleInterval<?> noise(final int width, final int height, final int seed) {
		return RandomPixels.image(seed, width, height);
	}

	/** Bytes in use: on the GPU, pinned, on the heap. */
	private static long[] used() {
		System.gc();
		return new long[] { GpuMemory.onGpu(), GpuMemory.pinned(), ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() };
	}

	@Test
	void tenThousandFramesTakeNoMoreMemoryThanAThousand() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int i = 0; i < 4; i++) frames.add(noise(SIDE, SIDE, i));
		final List<RandomAccessibleInterval<?>> source = new ArrayList<>();
		for (final RandomAccessibleInterval<?> frame : Collections.nCopies(2500, frames).stream().flatMap(List::stream).toList()) source.add(frame);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Views.interval(frames.get(0), new long[] { 3, 4 }, new long[] { 12, 11 })).algorithm("cuda-direct-exact");
		final List<long[]> used = new ArrayList<>();
		final FrameConsumer<Object> look = (frame, result) -> {
			if (frame == 999 || frame == 9_999) used.add(used());
		};
		for (final String kind : List.of("maps", "matches", "best")) {
			used.clear();
			if (kind.equals("maps")) op.correlateEach(source, look);
			else if (kind.equals("matches")) TemplateMatching.with(op).findEach(source, look);
			else op.bestOfEach(source, look);
			System.out.println(kind + ": GPU, pinned, heap in use after 1000 frames " + Arrays.toString(used.get(0)) + ", after 10,000 " + Arrays.toString(used.get(1)));
			for (int i = 0; i < 3; i++) assertTrue(used.get(1)[i] - used.get(0)[i] < GROWTH, kind);
		}
	}

	@Test
	void allPinnedMemoryComesBack() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int i = 0; i < 9; i++) frames.add(noise(i < 5 ? 400 : 500, 300, i));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Views.interval(frames.get(0), new long[] { 3, 4 }, new long[] { 12, 11 })).algorithm("cuda-direct-exact");
		GpuMemory.limit(Long.MAX_VALUE);
		final long before = GpuMemory.pinned();
		op.correlateEach(frames, (frame, response) -> assertTrue(GpuMemory.pinned() > before));
		GpuMemory.limit(Long.MAX_VALUE);
		assertEquals(before, GpuMemory.pinned());
		final StagingBuffer staging = StagingBuffer.of(sc.fiji.ncc.plan.PixelType.U16, 1000, 10);
		assertTrue(staging.pinned() && GpuMemory.pinned() > before);
		staging.close();
		staging.close();
		GpuMemory.limit(Long.MAX_VALUE);
		assertEquals(before, GpuMemory.pinned());
	}

	/** Enough for some threads of the GPU, not for all of them: frames are on their way when it ends. */
	@Test
	void whereTheGpusMemoryEndsTheCpuGoesOn() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int i = 0; i < 24; i++) frames.add(noise(700, 520, i));
		final RandomAccessibleInterval<?> template = Views.interval(frames.get(0), new long[] { 30, 40 }, new long[] { 50, 60 });
		final List<Backend> backends = List.of(new ZeroCostBackend(new CudaBackend(), "cuda-direct-exact"), new CpuBackend(2));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).backends(backends), alone = NormalizedCrossCorrelation.of(template).algorithm("cpu-direct-exact");
		for (final long limit : new long[] { 2 << 20, 4 << 20 }) {
			GpuMemory.limit(limit);
			try {
				final List<Long> order = new ArrayList<>();
				final StreamReport maps = op.correlateEach(frames, (frame, response) -> {
					order.add(frame);
					assertArrayEquals(map(alone.correlate(frames.get((int) frame))), map(response), 1e-5f, "frame " + frame);
				});
				assertEquals(24, order.size());
				assertFalse(maps.rankings().get(0).candidates().get(0).algorithm().id().startsWith("cuda"));
				TemplateMatching.with(op).minScore(0.2).findEach(frames, (frame, found) ->
					assertEquals(TemplateMatching.with(alone).minScore(0.2).find(frames.get((int) frame)).matches().toString(), found.matches().toString()));
			}
			finally {
				GpuMemory.limit(Long.MAX_VALUE);
			}
		}
	}

	/** A mask of its own for each frame, of one channel and of colours, through the threads of the GPU: as on the CPU. */
	@Test
	void missingPixelsAndChannelsOfEachFrame() {
		final int width = 700, height = 520, count = 9;
		final List<RandomAccessibleInterval<?>> masks = new ArrayList<>(), frames = new ArrayList<>(), colours = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			final byte[] mask = RandomPixels.bytes(new Random(i), 4, width * height);
			// no pixel of frame 3 is missing
			if (i == 3) Arrays.fill(mask, (byte) 1);
			masks.add(ArrayImgs.unsignedBytes(mask, width, height));
			frames.add(noise(width, height, i));
			colours.add(JointImage.of(List.of(frames.get(i), noise(width, height, 100 + i), noise(width, height, 200 + i))));
		}
		final RandomAccessibleInterval<?> mask = stack(masks);
		for (final List<RandomAccessibleInterval<?>> source : List.of(frames, colours)) {
			final Interval box = new FinalInterval(new long[] { 30, 40 }, new long[] { 50, 60 });
			final RandomAccessibleInterval<?> template = JointImage.view(source.get(4), v -> Views.zeroMin(Views.interval(v, box)));
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).imageMask(mask), alone = NormalizedCrossCorrelation.of(template).algorithm("cpu-direct-exact");
			for (final String algorithm : List.of("cuda-direct-exact", "cuda-direct", "cuda-fourier")) {
				final List<Long> order = new ArrayList<>();
				op.algorithm(algorithm).correlateEach(source, (frame, response) -> {
					order.add(frame);
					final float[] expected = map(alone.imageMask(masks.get((int) frame)).correlate(source.get((int) frame)));
					assertArrayEquals(expected, map(response), algorithm.endsWith("exact") ? 0 : 1e-5f, algorithm + ", frame " + frame);
				});
				assertEquals(count, order.size());
				TemplateMatching.with(op.algorithm(algorithm)).minScore(0.2).findEach(source, (frame, found) -> assertEquals(
					TemplateMatching.with(alone.imageMask(masks.get((int) frame))).minScore(0.2).find(source.get((int) frame)).matches().toString(), found.matches().toString(), algorithm));
			}
		}
	}

	@SuppressWarnings({ "unchecked", "rawtypes" }) // the images have one type
	private static RandomAccessibleInterval<?> stack(final List<RandomAccessibleInterval<?>> images) {
		return Views.stack((List) images);
	}

	private static float[] map(final Response response) {
		return ((FloatArray) ((ArrayImg<?, ?>) response.map()).update(null)).getCurrentStorageArray();
	}

	/** Of these tests, whoever loaded them. */
	private static String classPath() {
		if (!(CudaStreamTest.class.getClassLoader() instanceof URLClassLoader)) return System.getProperty("java.class.path");
		return Arrays.stream(((URLClassLoader) CudaStreamTest.class.getClassLoader()).getURLs()).map(url -> new File(url.getPath()).getPath())
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** In a JVM of its own, since the GPU is off in it afterwards. */
	@Test
	void aTrappedKernelAmongFramesLeavesTheRestToTheCpu() throws Exception {
		final Process p = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath(),
			TrappedStream.class.getName()).redirectErrorStream(true).start();
		final String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertTrue(p.waitFor(60, TimeUnit.SECONDS));
		assertEquals(0, p.exitValue(), said);
		assertTrue(said.contains("off until Java is started again"), said);
	}
}
