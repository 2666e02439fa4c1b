package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.PoseParts;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.BoundedSearcher;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PosesFound;

/** A device that searches poses alone finds what the engine finds, and the engine takes over if it fails. The device is plain loops. */
class PoseDeviceTest {

	/** Scores every member at every lag. It fails when it is prepared, or in a search. */
	private static final class Loops implements BoundedSearcher, Backend {

		private final boolean canPrepare;
		private final double seconds;
		private int searchesUntilFailure, searches, open;

		Loops(final boolean canPrepare, final int searchesUntilFailure, final double seconds) {
			this.canPrepare = canPrepare;
			this.searchesUntilFailure = searchesUntilFailure;
			this.seconds = seconds;
		}

		@Override
		public String id() {
			return "loops";
		}

		@Override
		public Optional<String> unavailable() {
			return Optional.empty();
		}

		@Override
		public List<Device> devices() {
			return List.of(device());
		}

		@Override
		public List<SlidingAlgorithm<Correlation>> algorithms() {
			return List.of();
		}

		@Override
		public Optional<BoundedSearcher> boundedSearcher() {
			return Optional.of(this);
		}

		@Override
		public Device device() {
			return new Device("loops0", "plain loops", 1, 1 << 30);
		}

		@Override
		public Optional<String> unsupported(final PixelType image, final int dimensions) {
			return image == PixelType.F64 ? Optional.of("no doubles") : Optional.empty();
		}

		@Override
		public double seconds(final Size image, final Size box, final int vectors) {
			return vectors * seconds;
		}

		@Override
		public double startSeconds() {
			return 0;
		}

		@Override
		public int threads() {
			return 1;
		}

		@Override
		public Search prepare(final PixelType type, final Size image, final List<BoundedSearcher.Bank> banks) {
			if (!canPrepare) throw new DeviceException("no memory");
			open++;
			return new Search() {

				@Override
				public Report search(final Pixels in, final Receiver to, final Monitor monitor) {
					searches++;
					for (int b = 0; b < banks.size(); b++) searchBank(in, b, banks.get(b), to);
					// it fails after a part of the result was passed on
					if (searchesUntilFailure-- == 0) throw new DeviceException("lost");
					monitor.done(responses());
					return new Report(responses(), 0, 0);
				}

				@Override
				public long responses() {
					return banks.size();
				}

				@Override
				public long bytes() {
					return 12_345;
				}

				@Override
				public void close() {
					open--;
				}
			};
		}

		private static void searchBank(final Pixels in, final int index, final BoundedSearcher.Bank bank, final Receiver to) {
			final int[] box = bank.box().toIntArray(), size = new int[2];
			for (int d = 0; d < 2; d++) size[d] = (int) in.size()[d] - box[d] + 1;
			final Buffer buffer = in.type().allocate(box[0] * box[1]);
			final double[] window = new double[bank.support().length];
			for (int i = 0; i < size[0] * size[1]; i++) {
				in.read(new long[] { i % size[0], i / size[0] }, box, buffer);
				double mean = 0, energy = 0;
				for (int k = 0; k < window.length; k++) mean += (window[k] = Buffers.value(buffer, in.type().min == 0, bank.support()[k])) / window.length;
				for (int k = 0; k < window.length; k++) energy += Math.pow(window[k] - mean, 2);
				double best = -2;
				int member = -1;
				for (int m = 0; m < bank.members().length; m++) {
					double product = 0;
					for (int k = 0; k < window.length; k++) product += (window[k] - mean) * bank.members()[m][k];
					final double score = product * bank.gains()[m] / Math.sqrt(energy);
					if (score > best) {
						best = score;
						member = m;
					}
				}
				if (best >= bank.minScore()) to.take(index, new long[2], size, new int[] { i }, new double[] { best }, new int[] { member }, 1);
			}
		}
	}

	private static final DoubleBinaryOperator OBJECT = PosePictures.object(11, 8);

	private static ArrayImg<FloatType, ?> image(final long seed) {
		final ArrayImg<FloatType, ?> image = PosePictures.noise(seed, 70, 62, 0.05);
		PosePictures.add(image, OBJECT, 20, 25, 12, Pose.of(33, 1, false));
		PosePictures.add(image, OBJECT, 50, 38, 12, Pose.of(200, 1.1, false));
		return image;
	}

	private static PoseSearch search(final Backend... backends) {
		final List<Backend> all = new ArrayList<>(List.of(backends));
		all.add(new CpuBackend(2));
		return PoseSearch.of(PosePictures.template(OBJECT, 17, 17)).angleRange(0, 360, 10).scales(1, 1.1).minScore(0.7).refine(false).method(PoseMethod.BASIS)
			.compute(ComputeOptions.DEFAULT.planner(new Planner(all)));
	}

	private static List<String> places(final List<PoseMatch> matches) {
		return matches.stream().map(m -> Arrays.toString(m.position()) + " " + m.gridPose() + " " + (float) m.gridScore()).toList();
	}

	@Test
	void theDeviceFindsWhatTheEngineFinds() {
		final Loops loops = new Loops(true, -1, 1e-9);
		final RandomAccessibleInterval<FloatType> image = image(1);
		final PosesFound found = search(loops).find(image), engine = search().find(image);
		assertEquals(1, loops.searches);
		assertEquals(0, loops.open, "the device is closed");
		assertTrue(engine.matches().size() >= 2);
		assertEquals(places(engine.matches()), places(found.matches()));
		assertTrue(found.plan().lines().stream().allMatch(line -> line.contains("on loops0")), () -> found.plan().lines().toString());
		assertTrue(found.plan().rankings().isEmpty());
		assertEquals("loops0", found.plan().methods());
		assertEquals("cpu-", engine.plan().methods().substring(0, 4));
		assertEquals(2, found.report().responses());
		final BestPoses best = search(loops).bestPoses(image), other = search().bestPoses(image);
		LoopBuilder.setImages(best.pose(), other.pose()).forEachPixel((a, b) -> assertEquals(b.get(), a.get()));
		LoopBuilder.setImages(best.score(), other.score()).forEachPixel((a, b) -> assertEquals(b.get(), a.get()));
	}

	@Test
	void theEngineTakesOverFromADeviceThatFails() {
		final List<RandomAccessibleInterval<FloatType>> frames = List.of(image(1), image(2), image(3));
		final List<List<String>> expected = new ArrayList<>(), found = new ArrayList<>();
		search().findEach(frames, (i, f) -> expected.add(places(f.matches())));
		final Loops loops = new Loops(true, 1, 1e-9);
		search(loops).findEach(frames, (i, f) -> found.add(places(f.matches())));
		assertEquals(2, loops.searches, "it fails in the second frame and is not tried again");
		assertEquals(0, loops.open);
		assertEquals(expected, found);
		final Loops without = new Loops(false, 0, 1e-9);
		assertEquals(expected.get(0), places(search(without).find(frames.get(0)).matches()));
		assertEquals(0, without.searches);
	}

	/** Each frame has a minimum score of its own, which can be above that of the plan. */
	@Test
	void minimumScoresFromTheBackground() {
		final List<RandomAccessibleInterval<FloatType>> frames = List.of(image(1), PosePictures.noise(4, 70, 62, 1), image(2));
		final List<String> expected = new ArrayList<>(), found = new ArrayList<>();
		search().falseAlarms(0.5).findEach(frames, (i, f) -> expected.add(f.minScore() + " " + places(f.matches())));
		final Loops loops = new Loops(true, -1, 1e-9);
		search(loops).falseAlarms(0.5).findEach(frames, (i, f) -> found.add(f.minScore() + " " + places(f.matches())));
		assertEquals(3, loops.searches);
		assertEquals(0, loops.open);
		assertEquals(expected, found);
	}

	/** Boxes of several processes have responses of the engine. */
	@Test
	void partsAreForTheEngine() {
		final RandomAccessibleInterval<FloatType> image = image(1);
		final Loops loops = new Loops(true, -1, 1e-9);
		try (PoseParts parts = search(loops).parts(image)) {
			final List<PoseParts.Maxima> maxima = new ArrayList<>();
			for (long b = 0; b < parts.count(); b++) maxima.add(parts.maxima(b).join());
			assertEquals(places(search().find(image).matches()), places(parts.matches(maxima, chosen -> parts.refined(chosen).join()).get(0).matches()));
		}
		assertEquals(0, loops.searches);
	}

	@Test
	void aSlowDeviceAndEveryPoseAreForTheEngine() {
		final Loops slow = new Loops(true, -1, 1e3), quick = new Loops(true, -1, 1e-9);
		search(slow).find(image(1));
		assertEquals(0, slow.searches);
		search(quick).method(PoseMethod.EXHAUSTIVE).find(image(1));
		search(quick).algorithm("cpu-direct").find(image(1));
		search(quick).backend("cpu").find(image(1));
		assertEquals(0, quick.searches);
	}
}
