package sc.fiji.ncc.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.method.BoundedSearchTest;
import sc.fiji.ncc.cuda.shifts.SmallShiftsMethodTest;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.result.Alignment;

/**
 * The kernels in the jar are those that were last run on a GPU, and what they computed there was right. Without a GPU a test cannot tell a
 * wrong kernel from a right one; it can tell that a kernel has changed since a GPU ran it. The record holds for each file of kernels a hash
 * of its PTX, and for each method a hash of what it computed. A line that begins with {@code awaited} is for a file that has
 * changed since this test ran on a GPU:
 * it is a debt, which the next record pays, and on a GPU this test fails until then. The history says what stands in for the run.
 * <p>
 * After a change to a {@code .cu} file, run on a GPU {@code CudaContractTest}, {@code CudaEstimateTest}, and this test with {@code -Dncc.record=FILE
 * -Dncc.cuda.kernels=ptx}; then FILE replaces {@code src/test/resources/sc/fiji/ncc/cuda/record.txt}.
 */
class KernelRecordTest {

	private static final String RECORD = "record.txt", KERNEL = "kernel ", AWAITED = "awaited ", RESULT = "result ";
	private static final int WIDTH = 61, HEIGHT = 47;
	private static final int[][] TEMPLATES = { { 5, 4 }, { 17, 19 }, { 2, 40 } };

	@Test
	void everyKernelHasRunOnAGpu() throws IOException {
		final Map<String, String> record = recorded(KERNEL), now = kernels();
		record.putAll(recorded(AWAITED));
		final List<String> changed = now.keySet().stream().filter(k -> !now.get(k).equals(record.get(k))).toList();
		assertEquals(List.of(), changed, "kernels that have changed since a GPU ran them. Run CudaContractTest, CudaEstimateTest and "
			+ "KernelRecordTest -Dncc.record=FILE "
			+ "-Dncc.cuda.kernels=ptx on a GPU, then put FILE in place of src/test/resources/sc/fiji/ncc/cuda/" + RECORD);
		assertEquals(now.keySet(), record.keySet());
	}

	/** Writes the record where it is asked for; else compares with it. */
	@Test
	@Tag("gpu")
	void everyMethodComputesWhatItDid() throws IOException {
		RequiredGpu.require();
		final Map<String, String> results = results();
		final String to = System.getProperty("ncc.record");
		if (to == null) {
			assertEquals(Map.of(), recorded(AWAITED), "kernels without a record: run this test with -Dncc.record=FILE -Dncc.cuda.kernels=ptx");
			assertEquals(recorded(RESULT), results);
			return;
		}
		assertEquals("ptx", System.getProperty("ncc.cuda.kernels"), "the record is of the PTX in the jar: add -Dncc.cuda.kernels=ptx");
		final List<String> lines = new ArrayList<>();
		kernels().forEach((name, hash) -> lines.add(KERNEL + name + " " + hash));
		results.forEach((name, hash) -> lines.add(RESULT + name + " " + hash));
		Files.write(Path.of(to), lines);
	}

	private static Map<String, String> recorded(final String kind) throws IOException {
		final Map<String, String> record = new LinkedHashMap<>();
		try (InputStream in = KernelRecordTest.class.getResourceAsStream("/sc/fiji/ncc/cuda/" + RECORD)) {
			assertTrue(in != null, "src/test/resources/sc/fiji/ncc/cuda/" + RECORD + " is missing");
			for (final String line : new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList()) {
				if (!line.startsWith(kind)) continue;
				final int end = line.lastIndexOf(' ');
				record.put(line.substring(kind.length(), end), line.substring(end + 1));
			}
		}
		return record;
	}

	/** Of each file the code in all its PTX, or the source of a file without PTX; a comment does not change them. */
	private static Map<String, String> kernels() {
		final Map<String, String> all = new LinkedHashMap<>();
		for (final String name : GpuKernelSource.NAMES) {
			final StringBuilder code = new StringBuilder();
			for (final ExtendedPrecision wide : GpuKernelSource.variants(name))
				for (final int target : GpuKernelSource.targets(name)) {
					final String ptx = new String(GpuKernelSource.ptxFor(name, wide, target), StandardCharsets.US_ASCII);
					code.append(ptx.substring(ptx.indexOf('\n') + 1)).append('\0');
				}
			all.put(name, GpuKernelSource.sha256(code.toString().getBytes(StandardCharsets.US_ASCII)));
		}
		for (final String name : GpuKernelSource.COMPILED)
			all.put(name, GpuKernelSource.sha256(GpuKernelSource.whole(name).replaceAll("(?m)\\s*//.*$", "").getBytes(StandardCharsets.US_ASCII)));
		return all;
	}

	/**
	 * Of each method and kind of pixels what it computes, once it has been held against the CPU in double precision. Only whole numbers have
	 * the same bits on every GPU.
	 */
	private static Map<String, String> results() {
		final Map<String, String> all = new LinkedHashMap<>();
		final Random random = new Random(7);
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.S16, PixelType.F32 })
			for (final int[] shape : TEMPLATES)
				for (final Weights weights : Weights.values())
					for (final boolean partial : new boolean[] { false, true }) compare(type, shape, weights, partial, false, 1, random, all);
		// missing pixels, several channels, both
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.S16, PixelType.F32 })
			for (final Weights weights : Weights.values())
				for (final boolean partial : new boolean[] { false, true }) {
					compare(type, TEMPLATES[1], weights, partial, true, 1, random, all);
					compare(type, TEMPLATES[1], weights, partial, false, 3, random, all);
					compare(type, TEMPLATES[1], weights, partial, true, 3, random, all);
				}
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.S16, PixelType.F32 })
			all.put("poses " + type, GpuKernelSource.sha256(BoundedSearchTest.record(type).getBytes(StandardCharsets.US_ASCII)));
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.S16 }) registration(type, "cuda", all);
		for (final ResponseType type : new ResponseType[] { ResponseType.BITS_16, ResponseType.BITS_8 }) quantized(type, all);
		return all;
	}

	/** Compares the peaks of two frames with the CPU. Their scores are exact. */
	private static void registration(final PixelType type, final String backend, final Map<String, String> all) {
		final Random random = new Random(type.ordinal());
		final double[] texture = noise(type, (WIDTH + 9) * (HEIGHT + 9), random);
		final RandomAccessibleInterval<?> fixed = part(type, texture, 0, 0);
		// a fifth of the pixels has changed
		for (int i = 0; i < texture.length; i += 5) texture[i] = noise(type, 2, random)[0];
		final RandomAccessibleInterval<?> moving = part(type, texture, 9, 5);
		final Alignment expected = Registration.of(fixed).backend("cpu").register(moving), found = Registration.of(fixed).backend(backend).register(moving);
		assertArrayEquals(expected.shift(), found.shift(), 1e-3);
		assertEquals(expected.score(), found.score());
		all.put("registration " + type, hash(new float[] { (float) found.score() }));
	}

	/** Compares the numbers of quantized responses with the CPU. Windows of the flat part are undefined. */
	private static void quantized(final ResponseType type, final Map<String, String> all) {
		final double[] texture = noise(PixelType.U8, (WIDTH + 9) * (HEIGHT + 9), new Random(type.ordinal()));
		Arrays.fill(texture, texture.length / 2, texture.length, 7);
		final RandomAccessibleInterval<?> image = part(PixelType.U8, texture, 0, 0), template = Views.interval(image, FinalInterval.createMinSize(3, 4, 11, 5));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).extent(Extent.SAME).undefined(Undefined.NAN).responseType(type);
		final double[] expected = TestImages.values(op.algorithm("cpu-direct-exact").correlate(image).images().get(0)),
			found = TestImages.values(op.algorithm("cuda-direct-exact").correlate(image).images().get(0));
		assertArrayEquals(expected, found);
		final float[] numbers = new float[found.length];
		for (int i = 0; i < numbers.length; i++) numbers[i] = (float) found[i];
		all.put("quantized " + type, hash(numbers));
	}

	private static RandomAccessibleInterval<?> part(final PixelType type, final double[] texture, final int x, final int y) {
		final short[] pixels = new short[WIDTH * HEIGHT];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (short) texture[(y + i / WIDTH) * (WIDTH + 9) + x + i % WIDTH];
		if (type == PixelType.S16) return ArrayImgs.shorts(pixels, WIDTH, HEIGHT);
		final byte[] bytes = new byte[pixels.length];
		for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) pixels[i];
		return ArrayImgs.unsignedBytes(bytes, WIDTH, HEIGHT);
	}

	/** Compares all methods with the CPU, and adds their results to {@code all}. */
	private static void compare(final PixelType type, final int[] shape, final Weights weights, final boolean partial, final boolean masked, final int channels, final Random random,
		final Map<String, String> all)
	{
		final CpuBackend cpu = new CpuBackend(2);
		final CudaDevice device = Driver.devices().list().get(0);
		final double[] image = noise(type, channels * WIDTH * HEIGHT, random), values = noise(type, channels * shape[0] * shape[1], random), w = weights(weights, shape[0] * shape[1], random);
		final double[] present = masked ? random.doubles(WIDTH * HEIGHT).map(r -> r < 0.2 ? 0 : 1).toArray() : null;
		final Template template = new Template(Size.of(shape[0], shape[1]), type, values, w, channels);
		final int[] lags = partial ? new int[] { WIDTH + shape[0] - 1, HEIGHT + shape[1] - 1 } : new int[] { WIDTH - shape[0] + 1, HEIGHT - shape[1] + 1 };
		final LagBox box = new LagBox(new long[][] { partial ? new long[] { 1 - shape[0], 1 - shape[1] } : new long[2] }, lags);
		final Size size = Size.of(lags[0], lags[1]);
		final Correlation problem = Problems.correlation(type, type, Size.of(WIDTH, HEIGHT), List.of(template.size()), weights,
			partial || masked ? new Lags(size, partial, masked, 1 / 3.0) : Lags.inside(size), 1).of(channels);
		final Pixels pixels = ArrayPixels.of(type, new int[] { WIDTH, HEIGHT }, image, channels, false, present);
		final SlidingAlgorithm<Correlation> reference = Problems.correlation(cpu, "cpu-direct");
		final float[] expected = responses(reference.plan(Problems.in(Precision.DOUBLE, problem), cpu.devices().get(0)).prepare(List.of(template)), pixels, box);
		for (final SlidingAlgorithm<Correlation> a : Problems.correlations(new CudaBackend())) {
			if (a.unsupported(problem).isPresent()) continue;
			final float[] found = responses(a.plan(problem, device.device).prepare(List.of(template)), pixels, box);
			for (int i = 0; i < found.length; i++) assertEquals(expected[i], found[i], 1e-5, a.id() + ", " + problem + ", response " + i);
			final boolean whole = type.exact() && !a.id().contains("fourier") && !a.id().equals("cuda-direct");
			final String name = a.id() + (channels > 1 ? " joint" : "") + (masked ? " missing" : "") + " " + type;
			all.put(name, whole ? GpuKernelSource.sha256((all.getOrDefault(name, "") + hash(found)).getBytes(StandardCharsets.US_ASCII)) : "within-1e-5");
		}
	}

	private static String hash(final float[] responses) {
		final ByteBuffer bytes = ByteBuffer.allocate(4 * responses.length);
		bytes.asFloatBuffer().put(responses);
		return GpuKernelSource.sha256(bytes.array());
	}

	/** Two pixels are alike in no window. */
	private static double[] noise(final PixelType type, final int n, final Random random) {
		final double[] v = new double[n];
		for (int i = 0; i < n; i++) v[i] = type.integer ? Math.floor(type.min + random.nextDouble() * (type.max - type.min)) : (float) random.nextGaussian();
		if (v[0] == v[1]) v[1] = v[0] == 0 ? 1 : 0;
		return v;
	}

	private static double[] weights(final Weights kind, final int n, final Random random) {
		if (kind == Weights.NONE) return null;
		final double[] w = new double[n];
		Arrays.setAll(w, i -> i < 2 ? 1 : kind == Weights.BINARY ? random.nextInt(2) : random.nextInt(64) / 64.0);
		if (kind == Weights.REAL) w[1] = 0.5;
		return w;
	}

	private static float[] responses(final Execution execution, final Pixels pixels, final LagBox box) {
		final double[][] map = new double[1][(int) box.lags()];
		try (execution) {
			execution.submit(pixels, box, new SmallShiftsMethodTest.Maps(map, box.size()), Monitor.NONE).join();
		}
		final float[] responses = new float[map[0].length];
		for (int i = 0; i < responses.length; i++) responses[i] = (float) map[0][i];
		return responses;
	}
}
