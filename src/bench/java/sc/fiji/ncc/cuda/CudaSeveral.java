package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.Texture;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.planner.Planner;

/**
 * The times of one GPU and of several equal GPUs together, from Java array to Java array: one image after the other, and many in flight. Maps, peaks and best
 * templates are those of one algorithm; poses and drift are calls of the public classes, by the methods that the planner chooses.
 */
final class CudaSeveral {

	static final String[] COLUMNS = { "result", "method", "type", "image", "template", "templates", "gpus", "frames", "ms_an_image", "predicted_ms" };

	private static final int REPEATS = 12, FRAMES = 48;
	/** The calls for poses and drift, after one that is not counted. */
	private static final int CALLS = 3;
	private static final int ANGLES = 360, RADIUS = 25, POSE_FRAMES = 24, DRIFT_SIDE = 512, DRIFT_FRAMES = 512;

	/** A backend with the first of its devices only, or with all. */
	private record Devices(Backend all, boolean first) implements Backend {

		@Override
		public String id() {
			return all.id();
		}

		@Override
		public boolean fast() {
			return all.fast();
		}

		@Override
		public Optional<String> unavailable() {
			return all.unavailable();
		}

		@Override
		public List<Device> devices() {
			return first ? all.devices().subList(0, 1) : all.devices();
		}

		@Override
		public List<? extends Algorithm<?>> algorithms() {
			return all.algorithms();
		}
	}

	private CudaSeveral() {}

	/** @param table receives a row for each problem, device, and number of frames in flight */
	static void measure(final DocumentTable table) throws IOException {
		measure(table, Result.MAP, PixelType.U8, "cuda-direct-exact", new long[] { 2000, 2000 }, 32, 1);
		measure(table, Result.MAP, PixelType.U8, "cuda-direct", new long[] { 2000, 2000 }, 128, 1);
		measure(table, Result.MAP, PixelType.U8, "cuda-direct-exact", new long[] { 2000, 2000 }, 16, 16);
		measure(table, Result.MAP, PixelType.U16, "cuda-direct-exact", new long[] { 256, 256, 256 }, 16, 1);
		measure(table, Result.PEAKS, PixelType.U8, "cuda-direct-exact", new long[] { 2000, 2000 }, 32, 1);
		measure(table, Result.PEAKS, PixelType.F32, "cuda-fourier", new long[] { 2000, 2000 }, 128, 1);
		measure(table, Result.BEST, PixelType.U8, "cuda-direct-exact", new long[] { 2000, 2000 }, 16, 32);
		measure(table, Result.BEST, PixelType.U8, "cuda-fourier", new long[] { 2000, 2000 }, 64, 32);
		poses(table);
		drift(table);
	}

	/** Rotations of a disk in a stream of frames. */
	private static void poses(final DocumentTable table) throws IOException {
		final Pixmap image = new Pixmap(Texture.blobs(2000, 2000, 1), 2000, 2000, Pixmap.floats("u8"));
		final int side = 2 * RADIUS + 1;
		final PoseSearch search = PoseSearch.of(image.cut(side, side).img()).angleRange(0, 360, 360.0 / ANGLES).minScore(0.7).refine(false);
		final List<RandomAccessibleInterval<?>> frames = Collections.nCopies(POSE_FRAMES, image.img());
		onOneAndOnAll(table, planner -> {
			final PoseSearch own = search.compute(ComputeOptions.DEFAULT.planner(planner));
			final String[] methods = new String[1];
			own.findEach(frames, (i, found) -> methods[0] = found.plan().methods());
			return new Object[] { "poses", methods[0], "8 bit", Size.of(2000, 2000), Size.of(side, side), ANGLES };
		}, POSE_FRAMES);
	}

	/** Frames against the first one. */
	private static void drift(final DocumentTable table) throws IOException {
		final DriftTexture texture = new DriftTexture(DRIFT_SIDE + 100, DRIFT_SIDE + 100, 1.5, 7);
		final Random random = new Random(5);
		final short[][] few = new short[16][], stack = new short[DRIFT_FRAMES][];
		for (int t = 0; t < few.length; t++) few[t] = DriftTexture.photons(texture.frame(60 + random.nextInt(40),
			60 + random.nextInt(40), DRIFT_SIDE, DRIFT_SIDE), 200,
			0.3, random);
		for (int t = 0; t < stack.length; t++) stack[t] = few[t % few.length].clone();
		final RandomAccessibleInterval<?> image = DriftTexture.stack(stack, DRIFT_SIDE, DRIFT_SIDE);
		onOneAndOnAll(table, planner -> {
			DriftCorrection.ofFrames(2).reference(DriftReference.of("first")).maxShift(40, 40).compute(ComputeOptions.DEFAULT.planner(planner)).measure(image);
			return new Object[] { "drift", "cuda-frames", "16 bit", Size.of(DRIFT_SIDE, DRIFT_SIDE), "-", 1 };
		}, DRIFT_FRAMES);
	}

	/** A row for the first GPU and one for all. @param call gives the cells of the row up to the number of templates */
	private static void onOneAndOnAll(final DocumentTable table, final Function<Planner, Object[]> call, final int frames) throws IOException {
		final int gpus = Driver.devices().list().size();
		for (final boolean one : new boolean[] { true, false }) {
			final Path wisdom = Files.createTempDirectory("wisdom").resolve("none.txt");
			final Planner planner = new Planner(List.of(new Devices(new CudaBackend(), one)), wisdom);
			final double[] ms = new double[CALLS];
			Object[] cells = call.apply(planner);
			for (int i = 0; i < CALLS; i++) {
				final long start = System.nanoTime();
				cells = call.apply(planner);
				ms[i] = 1e-6 * (System.nanoTime() - start) / frames;
			}
			final List<Object> row = new ArrayList<>(Arrays.asList(cells));
			row.addAll(List.of(one ? 1 : gpus, frames, DeviceTimes.median(ms), "-"));
			table.row(row.toArray());
			System.out.println(table.last());
			Files.deleteIfExists(wisdom);
			Files.delete(wisdom.getParent());
		}
	}

	private static void measure(final DocumentTable table, final Result result, final PixelType type, final String id,
		final long[] size, final int k, final int templates) {
		final long[] template = size.clone();
		Arrays.fill(template, k);
		final Correlation maps = DeviceTimes.problem(type, size, template, templates);
		final Correlation one = new Correlation(maps.windows(), maps.weights(), maps.channels(), result);
		final Correlation many = one.with(one.windows().part(one.lags().count(), FRAMES));
		final SlidingAlgorithm<Correlation> a = Problems.correlations(new CudaBackend()).stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
		final int gpus = Driver.devices().list().size();
		final List<Device> devices = new CudaBackend().devices();
		// one GPU, and the group of all
		for (final Device d : List.of(devices.get(0), devices.get(devices.size() - 1)))
			for (final Correlation p : List.of(one, many)) {
				final SlidingPlan plan = a.plan(p, d);
				final int frames = p == one ? 1 : FRAMES;
				table.row(result.name().toLowerCase(Locale.ROOT), id, CudaTables.name(type), one.size(), one.templates().get(0), templates,
					d == devices.get(0) ? 1 : gpus, frames,
					time(plan, p, frames), 1e3 * plan.cost().seconds() / frames);
				System.out.println(table.last());
			}
	}

	private static double time(final SlidingPlan plan, final Correlation p, final int frames) {
		final Random random = new Random(2);
		final LagBox lags = new LagBox(new long[p.templates().size()][p.size().dimensions()], p.lags().count().toIntArray());
		final HostArrays arrays = HostArrays.noise(p.image(), p.size().toArray(), p.result() == Result.MAP ? p.templates().size() : 0, lags);
		try (Execution execution = plan.prepare(DeviceTimes.templates(p, random))) {
			final double[] ms = new double[frames == 1 ? REPEATS : 3];
			for (int i = -2; i < ms.length; i++) {
				final long start = System.nanoTime();
				final List<CompletableFuture<Report>> flying = new ArrayList<>();
				for (int f = 0; f < frames; f++) {
					if (flying.size() >= execution.depth()) flying.remove(0).join();
					flying.add(execution.submit(arrays, lags, p.result() == Result.MAP ? arrays.sink() : CudaBench.DISCARD, Monitor.NONE));
				}
				flying.forEach(CompletableFuture::join);
				if (i >= 0) ms[i] = 1e-6 * (System.nanoTime() - start) / frames;
			}
			return DeviceTimes.median(ms);
		}
	}
}
