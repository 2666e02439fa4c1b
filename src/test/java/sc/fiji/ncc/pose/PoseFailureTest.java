package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.bounded.MappedBank;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.CountedProgress;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PosesFound;

/** A device finds what the CPU finds, and the CPU takes over if it fails. The device is plain loops. */
class PoseFailureTest {

	@TempDir
	private Path folder;

	private static final DoubleBinaryOperator OBJECT = PoseImages.object(11, 8);

	private static ArrayImg<FloatType, ?> image(final long seed) {
		final ArrayImg<FloatType, ?> image = PoseImages.noise(seed, 70, 62, 0.05);
		PoseImages.add(image, OBJECT, 20, 25, 12, Pose.of(33, 1, false));
		PoseImages.add(image, OBJECT, 50, 38, 12, Pose.of(200, 1.1, false));
		return image;
	}

	private PoseSearch search(final Backend... backends) {
		final List<Backend> all = new ArrayList<>(List.of(backends));
		all.add(new CpuBackend(2));
		return PoseSearch.of(PoseImages.template(OBJECT, 17, 17)).angleRange(0, 360, 10).scales(1, 1.1).minScore(0.7).refine(false)
			.compute(ComputeOptions.DEFAULT.planner(new Planner(all, folder.resolve("wisdom.txt"))));
	}

	private static List<String> places(final List<PoseMatch> matches) {
		return matches.stream().map(m -> Arrays.toString(m.position()) + " " + m.gridPose() + " " + (float) m.gridScore()).toList();
	}

	@Test
	void aDeviceFindsWhatTheCpuFinds() {
		final FakeDevice device = new FakeDevice();
		final RandomAccessibleInterval<FloatType> image = image(1);
		final PosesFound found = search(device).find(image), cpu = search().find(image);
		assertEquals(1, device.submissions.get());
		assertEquals(0, device.open.get(), "the device is closed");
		assertTrue(cpu.matches().size() >= 2);
		assertEquals(places(cpu.matches()), places(found.matches()));
		assertEquals("fake-bounded", found.plan().methods());
		assertEquals("cpu-", cpu.plan().methods().substring(0, 4));
		final BestPoses best = search(device).bestPoses(image), other = search().bestPoses(image);
		LoopBuilder.setImages(best.pose(), other.pose()).forEachPixel((a, b) -> assertEquals(b.get(), a.get()));
		// scores of maps have the tolerance of responses
		LoopBuilder.setImages(best.score(), other.score()).forEachPixel((a, b) -> assertEquals(b.get(), a.get(), 1e-5));
	}

	/**
	 * Boxes of positions are planned, read and searched as images of their own size: a device that transforms whole images must not transform all pixels
	 * for each box.
	 */
	@Test
	void boxesAreSearchedByThemselves() {
		final ArrayImg<FloatType, ?> image = PoseImages.noise(7, 1300, 40, 0.05);
		for (final int[] at : new int[][] { { 12, 11 }, { 1010, 20 }, { 1024, 18 }, { 1040, 25 }, { 1290, 27 } })
			PoseImages.add(image, OBJECT, at[0], at[1], 12, Pose.of(at[0], 1, false));
		final PoseSearch search = search(new FakeDevice()).scales(1, 1.1).angleRange(0, 360, 30);
		final List<String> whole = places(search.find(image).matches());
		assertTrue(whole.size() >= 3, whole::toString);
		final FakeDevice device = new FakeDevice();
		try (PoseParts parts = search(device).scales(1, 1.1).angleRange(0, 360, 30).algorithm("fake-bounded").parts(image)) {
			assertEquals(2, parts.count());
			final List<PoseParts.Maxima> maxima = new ArrayList<>();
			for (long b = 0; b < parts.count(); b++) maxima.add(parts.maxima(b).join());
			assertEquals(whole, places(parts.matches(maxima, chosen -> parts.refined(chosen).join()).get(0).matches()));
		}
		assertEquals(3, device.bankSizes.size());
		for (final Size size : device.bankSizes) {
			assertEquals(device.bankSizes.get(0), size, "one size for all boxes");
			assertTrue(size.get(0) > 1024 && size.get(0) <= 1024 + 2 + 25 && size.get(1) == 40, size::toString);
		}
	}

	/** All candidates, on the CPU and on the device, find the same. */
	@Test
	void allCandidatesFindTheSame() {
		final RandomAccessibleInterval<FloatType> image = image(1);
		final List<String> expected = places(search().find(image).matches());
		for (final String id : List.of("cpu-bounded", "cpu-every-pose", "fake-bounded")) {
			final PosesFound found = search(new FakeDevice()).algorithm(id).find(image);
			assertEquals(id, found.plan().methods());
			assertEquals(expected, places(found.matches()), id);
		}
	}

	/** A device that fails in any way, in the second of three frames. */
	@Test
	void theCpuTakesOverFromADeviceThatFails() {
		final List<RandomAccessibleInterval<FloatType>> frames = List.of(image(1), image(2), image(3));
		final List<List<String>> expected = new ArrayList<>();
		search().findEach(frames, (i, f) -> expected.add(places(f.matches())));
		final List<Consumer<FakeDevice>> faults = List.of(d -> d.failAllocation = true, d -> d.heapIsFull = true, d -> d.failLaunch = 1,
			d -> d.refuse = 1, d -> d.heapIsFullAt = 1, d -> d.loseAt = 1, d -> {
				d.loseAt = 1;
				d.failClose = true;
			});
		for (int k = 0; k < faults.size(); k++) {
			final FakeDevice device = new FakeDevice();
			faults.get(k).accept(device);
			final List<List<String>> found = new ArrayList<>();
			final List<String> methods = new ArrayList<>();
			final CountedProgress progress = new CountedProgress();
			search(device).monitor(progress).findEach(frames, (i, f) -> {
				found.add(places(f.matches()));
				methods.add(f.plan().methods());
			});
			assertEquals(expected, found, "fault " + k);
			assertEquals(0, device.open.get(), "fault " + k);
			assertEquals(k < 2 ? 0 : 2, device.submissions.get(), "fault " + k + ": it is not tried again");
			assertEquals(k >= 2, methods.get(0).equals("fake-bounded"), "fault " + k);
			assertFalse(methods.get(2).startsWith("fake"), "fault " + k);
		}
	}

	/** A host whose correlations are those of the device, then its own. */
	private static Backend host(final FakeDevice device) {
		final CpuBackend cpu = new CpuBackend(2);
		final List<SlidingAlgorithm<?>> sliding = Stream.of(device, cpu).flatMap(b -> b.algorithms().stream())
			.filter(SlidingAlgorithm.class::isInstance).<SlidingAlgorithm<?>> map(a -> (SlidingAlgorithm<?>) a).toList();
		return new FakeBackend("host", cpu.devices().get(0), List.of(new MappedBank("host-bounded", true, sliding)), false);
	}

	/** The correlations of a bank fail in any way, in the second of three frames: the next algorithm of the device goes on, in the same search. */
	@Test
	void theNextCorrelationsTakeOver() {
		final List<RandomAccessibleInterval<FloatType>> frames = List.of(image(1), image(2), image(3));
		final List<List<String>> expected = new ArrayList<>();
		search().findEach(frames, (i, f) -> expected.add(places(f.matches())));
		final List<Consumer<FakeDevice>> faults = List.of(d -> {}, d -> d.failAllocation = true, d -> d.heapIsFull = true,
			d -> d.failLaunch = 1, d -> d.refuse = 1, d -> d.heapIsFullAt = 1, d -> {
				d.loseAt = 1;
				d.failClose = true;
			});
		for (int k = 0; k < faults.size(); k++) {
			final FakeDevice device = new FakeDevice();
			faults.get(k).accept(device);
			final List<List<String>> found = new ArrayList<>();
			final CountedProgress progress = new CountedProgress();
			search(host(device)).backend("host").monitor(progress).findEach(frames, (i, f) -> {
				found.add(places(f.matches()));
				assertEquals("host-bounded", f.plan().methods());
			});
			assertEquals(progress.total.get(), progress.done.get(), "fault " + k + ": a box that is repeated counts once");
			assertEquals(expected, found, "fault " + k);
			assertEquals(0, device.open.get(), "fault " + k);
			assertEquals(1, device.prepared.get(), "fault " + k + ": prepared once for all frames");
			assertEquals(k == 0 ? 3 : k < 3 ? 0 : 2, device.submissions.get(), "fault " + k);
		}
	}

	/** With a device that was chosen, a failure ends the search. */
	@Test
	void aChosenDeviceThatFailsIsAnError() {
		final FakeDevice device = new FakeDevice();
		device.loseAt = 0;
		final String message = assertThrows(NccException.class, () -> search(device).backend("fake").find(image(1))).getMessage();
		assertTrue(message.contains("the device is lost"), message);
		assertEquals(0, device.open.get());
	}

	@Test
	void aSearchOnADeviceIsCanceled() {
		final FakeDevice device = new FakeDevice();
		final boolean[] begun = new boolean[1];
		device.beforeBox = () -> begun[0] = true;
		final Monitor monitor = new Monitor() {

			@Override
			public boolean canceled() {
				return begun[0];
			}
		};
		assertThrows(CancellationException.class, () -> search(device).monitor(monitor).find(image(1)));
		assertEquals(0, device.open.get());
	}

	/** Each frame has a minimum score of its own, which can be above that of the plan. */
	@Test
	void minimumScoresFromTheBackground() {
		final List<RandomAccessibleInterval<FloatType>> frames = List.of(image(1), PoseImages.noise(4, 70, 62, 1), image(2));
		final List<String> expected = new ArrayList<>(), found = new ArrayList<>();
		search().falseAlarms(0.5).findEach(frames, (i, f) -> expected.add(f.minScore() + " " + places(f.matches())));
		final FakeDevice device = new FakeDevice();
		search(device).falseAlarms(0.5).findEach(frames, (i, f) -> found.add(f.minScore() + " " + places(f.matches())));
		assertTrue(device.submissions.get() > 0);
		assertEquals(0, device.open.get());
		assertEquals(expected, found);
	}

	/** Boxes of several processes, with a device that fails in one of them. */
	@Test
	void partsGoOnAfterAFailure() {
		final RandomAccessibleInterval<FloatType> image = PoseImages.noise(1, 1200, 62, 0.05);
		PoseImages.add((ArrayImg<FloatType, ?>) image, OBJECT, 20, 25, 12, Pose.of(33, 1, false));
		PoseImages.add((ArrayImg<FloatType, ?>) image, OBJECT, 1100, 38, 12, Pose.of(200, 1.1, false));
		final FakeDevice device = new FakeDevice();
		device.failLaunch = 1;
		try (PoseParts parts = search(device).parts(image)) {
			final List<PoseParts.Maxima> maxima = new ArrayList<>();
			for (long b = 0; b < parts.count(); b++) maxima.add(parts.maxima(b).join());
			assertTrue(parts.count() > 1 && device.submissions.get() == 2,
				parts.count() + " parts, " + device.submissions.get() + " searches");
			assertTrue(parts.algorithms().startsWith("cpu-"), parts.algorithms());
			assertEquals(places(search().find(image).matches()),
				places(parts.matches(maxima, chosen -> parts.refined(chosen).join()).get(0).matches()));
		}
		assertEquals(0, device.open.get());
	}

	/** Measured times rank the candidates, and are kept. */
	@Test
	void candidatesAreMeasured() {
		final PoseSearch search = search().effort(Effort.MEASURE, 30);
		final Ranking ranking = search.explain(image(1)).ranking().orElseThrow();
		assertTrue(ranking.best().orElseThrow().measured().isPresent(), ranking.explain());
		assertTrue(ranking.explain().contains("shortest measured time"), ranking.explain());
		// another planner reads them from the file
		assertTrue(search().explain(image(1)).ranking().orElseThrow().best().orElseThrow().measured().isPresent());
	}
}
