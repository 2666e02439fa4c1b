package sc.fiji.ncc.cuda.shifts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaSmallShifts;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Templates of 3x3 to 300x200 over small shifts, each about places of its own in several frames: every rest of every main tile, against the CPU's whole
 * numbers, bit by bit, or its double precision. Skipped, with the reason, without a GPU.
 */
@Tag("gpu")
public class SmallShiftsMethodTest {

	private static final int FRAMES = 3;
	private static final int[][] LAGS = { { 19, 5 }, { 5, 3 }, { 1, 1 }, { 37, 19 }, { 2, 7 }, { 64, 64 }, { 9, 11 } };
	private static final PixelType[][] TYPES = { { PixelType.U8, PixelType.U8 }, { PixelType.F32, PixelType.F32 }, { PixelType.U16, PixelType.U16 }, { PixelType.S8, PixelType.U8 },
		{ PixelType.U8, PixelType.S16 }, { PixelType.S16, PixelType.S8 }, { PixelType.U16, PixelType.F32 }, { PixelType.F64, PixelType.F64 }, { PixelType.S32, PixelType.U8 } };

	private CudaDevice device;

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
		device = Driver.devices().list().get(0);
		device.enter();
	}

	/** With the system property {@code ncc.contract.every} every so-manieth, for tools that slow everything down. */
	private static List<DynamicTest> some(final List<DynamicTest> tests) {
		final int every = Integer.getInteger("ncc.contract.every", 1);
		return IntStream.range(0, tests.size()).filter(i -> i % every == 0).mapToObj(tests::get).toList();
	}

	/** Of a main tile every width and height of what is left over, several templates at a time. */
	private static List<List<Size>> everyRest(final Shape tile) {
		final List<List<Size>> all = new ArrayList<>();
		final int combinations = tile.rows() * tile.columns();
		for (int i = 0; i < combinations; i += 3) {
			final List<Size> some = new ArrayList<>();
			for (int k = i; k < Math.min(combinations, i + 3); k++)
				some.add(Size.of(tile.columns() * (1 + k % 3) + k % tile.columns(), tile.rows() * (1 + k / 5 % 2) + k / tile.columns()));
			all.add(some);
		}
		return all;
	}

	@TestFactory
	List<DynamicTest> everyRestOfEveryMainTile() {
		final List<DynamicTest> tests = new ArrayList<>();
		int n = 0;
		for (final Shape tile : new Shape[] { new Shape(16, 4), new Shape(8, 8), new Shape(4, 4) })
			for (final List<Size> sizes : everyRest(tile)) {
				final PixelType[] types = TYPES[n % 3];
				final int[] lags = LAGS[n % 5];
				final long seed = n++;
				tests.add(dynamicTest(tile + ", " + types[0] + ", " + sizes + ", " + lags[0] + "x" + lags[1] + " lags",
					() -> check(sizes, types[0], types[1], lags, tile, seed)));
			}
		return some(tests);
	}

	/** By the code that fits all templates, and by that for exactly these sizes. */
	@TestFactory
	List<DynamicTest> everySizeAndType() {
		final int[][] sizes = { { 3, 3 }, { 4, 16 }, { 5, 4 }, { 2, 1 }, { 7, 21 }, { 23, 21 }, { 53, 54 }, { 156, 116 }, { 300, 200 }, { 1, 9 }, { 65, 33 }, { 97, 200 }, { 300, 3 }, { 3, 200 },
			{ 16, 16 }, { 31, 127 }, { 141, 107 }, { 1024, 2 } };
		final List<DynamicTest> tests = new ArrayList<>();
		for (int i = 0; i < 2 * sizes.length; i++) {
			final int[] size = sizes[i % sizes.length], other = sizes[(5 * i + 1) % sizes.length], lags = LAGS[i % LAGS.length];
			final PixelType[] types = TYPES[i % TYPES.length];
			final List<Size> both = List.of(Size.of(size[0], size[1]), Size.of(other[0], other[1]), Size.of(size[0], size[1]));
			final boolean own = i % 4 == 1;
			final Shape tile = own ? TemplateCut.MAIN_TILES.get(i % TemplateCut.MAIN_TILES.size()) : null;
			final long seed = i;
			tests.add(dynamicTest(types[0] + " and " + types[1] + ", " + both + ", " + lags[0] + "x" + lags[1] + " lags" + (own ? ", " + tile : ""),
				() -> check(both, types[0], types[1], lags, tile, seed)));
		}
		return some(tests);
	}

	/** @param tile null for code that fits all */
	private void check(final List<Size> sizes, final PixelType image, final PixelType type, final int[] lags, final Shape tile, final long seed) {
		Assumptions.assumeTrue(tile == null || device.kernels().compiles(), "there is no compiler");
		final Random random = new Random(seed);
		// together or far apart
		final int buffer = seed % 2 == 0 ? 5 : 300;
		long width = 0, height = 0;
		for (final Size s : sizes) {
			width = Math.max(width, s.get(0));
			height = Math.max(height, s.get(1));
		}
		final Size frame = Size.of(width + lags[0] - 1 + buffer, height + lags[1] - 1 + buffer);
		final List<Template> templates = new ArrayList<>();
		for (final Size s : sizes) templates.add(new Template(s, type, RandomPixels.onOffset(type, (int) s.pixels(), random), null));
		final List<Image> frames = new ArrayList<>();
		final List<LagBox> boxes = new ArrayList<>();
		for (int f = 0; f < FRAMES; f++) {
			frames.add(new Image(image, frame, RandomPixels.onOffset(image, (int) frame.pixels(), random)));
			final long[][] origins = new long[sizes.size()][];
			for (int t = 0; t < origins.length; t++) origins[t] = new long[] { random.nextInt((int) (frame.get(0) - sizes.get(t).get(0) - lags[0] + 2)),
				random.nextInt((int) (frame.get(1) - sizes.get(t).get(1) - lags[1] + 2)) };
			boxes.add(new LagBox(origins, lags));
		}
		final Correlation problem = Problems.correlation(image, type, frame, sizes, Weights.NONE, Lags.inside(Size.of(lags[0], lags[1])), FRAMES);
		assertTrue(new CudaSmallShifts().unsupported(problem).isEmpty());
		// as on a small GPU every other time: a block takes tiles one time after the other
		final int few = seed % 4 < 2 ? 1 : device.processors;
		final TemplateCut cut = CudaSmallShifts.cut(problem, tile, few);
		assertEquals(tile != null, cut.options().length > 0);
		final List<double[][]> found;
		try (Execution execution = FrameBatches.execution(device, templates, those -> new SmallShiftsMethod(device, those, problem, cut))) {
			found = run(execution, frames, boxes, sizes.size());
		}
		final boolean whole = image.exact() && type.exact();
		final CpuBackend cpu = new CpuBackend(2);
		final Correlation asked = whole ? problem : Problems.in(Precision.DOUBLE, problem);
		final SlidingAlgorithm<Correlation> reference = Problems.correlations(cpu).stream().filter(a -> a.id().equals(whole ? "cpu-direct-exact"
			: "cpu-direct")).findFirst().orElseThrow();
		final List<double[][]> expected;
		try (Execution execution = reference.plan(asked, cpu.devices().get(0)).prepare(templates)) {
			expected = run(execution, frames, boxes, sizes.size());
		}
		for (int f = 0; f < FRAMES; f++)
			for (int t = 0; t < sizes.size(); t++)
				for (int i = 0; i < found.get(f)[t].length; i++)
					assertEquals(expected.get(f)[t][i], found.get(f)[t][i], whole ? 0 : 1e-5, "frame " + f + ", template " + t + ", response " + i);
	}

	/** All frames at once: of each the map of each template. */
	private static List<double[][]> run(final Execution execution, final List<Image> frames, final List<LagBox> boxes, final int templates) {
		final List<double[][]> maps = new ArrayList<>();
		final List<CompletableFuture<Report>> flying = new ArrayList<>();
		for (int f = 0; f < frames.size(); f++) {
			final double[][] map = new double[templates][(int) boxes.get(f).lags()];
			maps.add(map);
			flying.add(execution.submit(frames.get(f), boxes.get(f), new Maps(map, boxes.get(f).size()), Monitor.NONE));
			if (flying.size() == execution.depth()) flying.forEach(CompletableFuture::join);
		}
		flying.forEach(CompletableFuture::join);
		return maps;
	}

	/** Responses to arrays. */
	public record Maps(double[][] maps, int[] size) implements Sink {

		@Override
		public float undefined() {
			return Float.NaN;
		}

		@Override
		public void map(final int template, final long[] min, final int[] part, final Buffer from) {
			final int planes = part.length > 2 ? part[2] : 1, firstPlane = part.length > 2 ? (int) min[2] : 0;
			for (int i = 0; i < part[0] * part[1] * planes; i++) {
				final int row = (int) min[1] + i / part[0] % part[1], plane = firstPlane + i / part[0] / part[1];
				maps[template][(plane * size[1] + row) * size[0] + (int) min[0] + i % part[0]] = from instanceof FloatBuffer ? ((FloatBuffer) from).get(from.position() + i)
					: ((DoubleBuffer) from).get(from.position() + i);
			}
		}
	}

	/** Pixels in an array. */
	public record Image(PixelType type, Size its, double[] values) implements Pixels {

		@Override
		public long[] size() {
			return its.toArray();
		}

		@Override
		public void read(final long[] min, final int[] part, final Buffer to) {
			final int width = (int) its.get(0);
			for (int y = 0, i = to.position(); y < part[1]; y++)
				for (int x = 0; x < part[0]; x++, i++) {
					final double v = values[(int) (min[1] + y) * width + (int) min[0] + x];
					switch (type) {
						case U8: case S8: ((ByteBuffer) to).put(i, (byte) (long) v); break;
						case U16: case S16: ((java.nio.ShortBuffer) to).put(i, (short) (long) v); break;
						case U32: case S32: ((java.nio.IntBuffer) to).put(i, (int) (long) v); break;
						case F32: ((FloatBuffer) to).put(i, (float) v); break;
						default: ((DoubleBuffer) to).put(i, v);
					}
				}
		}
	}
}
