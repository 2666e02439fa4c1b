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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.driver.CardMemory;
import sc.fiji.ncc.fixture.CudaCard;
import sc.fiji.ncc.fixture.ZeroCostBackend;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StreamReport;

/** Long streams through a card, and cards that fail on the way. Skipped, with the reason, without a card. */
@Tag("gpu")
class CudaStreamTest {

	private static final int SIDE = 64;
	/** What memory may grow by between frame 1000 and 10,000: a thread or two that began late, but not 9000 frames of 4096 pixels. */
	private static final long SLACK = 8 << 20;

	@BeforeEach
	void requireCard() {
		CudaCard.require();
	}

	private static RandomAccessibleInterval<?> noise(final int width, final int height, final int seed) {
		return RandomPixels.image(seed, width, height);
	}

	/** Bytes in use: on the card, pinned, on the heap. */
	private static long[] used() {
		System.gc();
		return new long[] { CardMemory.onCard(), CardMemory.pinned(), ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() };
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
			System.out.println(kind + ": card, pinned, heap in use after 1000 frames " + Arrays.toString(used.get(0)) + ", after 10,000 " + Arrays.toString(used.get(1)));
			for (int i = 0; i < 3; i++) assertTrue(used.get(1)[i] - used.get(0)[i] < SLACK, kind);
		}
	}

	@Test
	void allPinnedMemoryComesBack() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int i = 0; i < 9; i++) frames.add(noise(i < 5 ? 400 : 500, 300, i));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Views.interval(frames.get(0), new long[] { 3, 4 }, new long[] { 12, 11 })).algorithm("cuda-direct-exact");
		CardMemory.limit(Long.MAX_VALUE);
		final long before = CardMemory.pinned();
		op.correlateEach(frames, (frame, response) -> assertTrue(CardMemory.pinned() > before));
		CardMemory.limit(Long.MAX_VALUE);
		assertEquals(before, CardMemory.pinned());
		final StagingBuffer staging = StagingBuffer.of(sc.fiji.ncc.plan.PixelType.U16, 1000, 10);
		assertTrue(staging.pinned() && CardMemory.pinned() > before);
		staging.close();
		staging.close();
		CardMemory.limit(Long.MAX_VALUE);
		assertEquals(before, CardMemory.pinned());
	}

	/** Enough for some threads of the card, not for all of them: frames are on their way when it ends. */
	@Test
	void whereTheCardsMemoryEndsTheCpuGoesOn() {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int i = 0; i < 24; i++) frames.add(noise(700, 520, i));
		final RandomAccessibleInterval<?> template = Views.interval(frames.get(0), new long[] { 30, 40 }, new long[] { 50, 60 });
		final List<Backend> backends = List.of(new ZeroCostBackend(new CudaBackend(), "cuda-direct-exact"), new CpuBackend(2));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).backends(backends), alone = NormalizedCrossCorrelation.of(template).algorithm("cpu-direct-exact");
		for (final long limit : new long[] { 2 << 20, 4 << 20 }) {
			CardMemory.limit(limit);
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
				CardMemory.limit(Long.MAX_VALUE);
			}
		}
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

	/** In a JVM of its own, since the card is off in it afterwards. */
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
