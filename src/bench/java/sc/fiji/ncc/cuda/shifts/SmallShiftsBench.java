package sc.fiji.ncc.cuda.shifts;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.CudaPeers;
import sc.fiji.ncc.cuda.CudaSmallShifts;
import sc.fiji.ncc.cuda.DeviceTimes;
import sc.fiji.ncc.cuda.HostArrays;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Region;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;

/**
 * Many templates over small shifts on the device alone, as in table 1 and figures 3 and 4 of Moore, Leeser and Smith King. For six sets each main tile is
 * compared with one thread per lag. Prints the time of each region, the limit of the GPU, and the times of PyTorch's grouped convolution and of a Fourier
 * method.
 */
public final class SmallShiftsBench {

	private static final PixelType[] TYPES = { PixelType.F32, PixelType.U8, PixelType.U16 };
	private static final String PLANNED = "planner's ", ANY = "any template";
	private static final int[] BLOCKS = { 64, 128, 256, 512 };

	private final CudaDevice device;
	private final DeviceTimes times;
	private final Map<PixelType, Double> limits = new EnumMap<>(PixelType.class);
	/** The times of the regions, and of all numerators. */
	private final DocumentTable regions;

	/** Milliseconds of each tile of each set and type. */
	private final Map<String, Map<String, Double>> measured = new LinkedHashMap<>();

	private SmallShiftsBench(final CudaDevice device, final String command) {
		this.device = device;
		regions = new DocumentTable(Origin.here(device.device.name().replace(",", ";"), command), "set", "templates", "template", "lags", "frames", "type", "method",
			"tile", "main_ms", "right_ms", "bottom_ms", "corner_ms", "sum_ms", "ms");
		times = new DeviceTimes(device, false);
	}

	/**
	 * @param arguments some of tiles (all main tiles), blocks (of more or fewer tiles), lone (a frame at a time), host (from Java's arrays to Java's arrays),
	 *        peers; all if none is given. rows (of tiles and of lags); compile: compiles the kernels only, 2/8: only the second of every eight, so that
	 *        eight processes share the work; a set's name, or a pixel type: only that; FILE.csv: writes the times of each region after each set, for
	 *        the chart of the regions
	 */
	public static void main(final String[] arguments) throws Exception {
		final List<String> what = arguments.length == 0 ? List.of("tiles", "blocks", "lone", "host", "peers") : List.of(arguments);
		new CudaBackend().unavailable().ifPresent(reason -> {
			throw new IllegalStateException(reason);
		});
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		System.out.println(device.device.name());
		final SmallShiftsBench bench = new SmallShiftsBench(device, "SmallShiftsBench " + String.join(" ", what.stream().filter(w -> !w.endsWith(".csv")).toList()));
		final List<ShiftSet> sets = ShiftSet.ALL.stream().filter(s -> what.stream().noneMatch(w -> w.matches("[1-6]")) || what.contains(s.name())).toList();
		final List<PixelType> types = Arrays.stream(TYPES).filter(t -> Arrays.stream(TYPES).noneMatch(u -> what.contains(u.name()))
			|| what.contains(t.name())).toList();
		if (what.contains("compile")) {
			final List<Runnable> kernels = new ArrayList<>();
			for (final PixelType type : types)
				for (final ShiftSet s : sets) kernels.addAll(bench.kernels(type, s, what));
			final int[] part = what.stream().filter(w -> w.matches("\\d+/\\d+")).map(w -> Arrays.stream(w.split("/")).mapToInt(Integer::parseInt).toArray()).findFirst()
				.orElse(new int[] { 1, 1 });
			for (int i = part[0] - 1; i < kernels.size(); i += part[1]) kernels.get(i).run();
			return;
		}
		for (final PixelType type : types) {
			if (type != PixelType.U16) bench.limit(type);
			for (final ShiftSet s : sets) {
				bench.print(type, s, what);
				if (what.contains("lone")) bench.print(type, new ShiftSet(s.name() + ", a frame", s.width(), s.height(), s.templates(),
					s.shiftX(), s.shiftY(), 1), what);
				for (final String name : what) if (name.endsWith(".csv")) {
					final Path file = Path.of(name).toAbsolutePath();
					bench.regions.write(file.getParent(), file.getFileName().toString().replaceAll("\\.csv$", ""));
				}
			}
		}
		if (what.contains("tiles")) bench.printChoices();
		if (what.contains("host"))
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
				for (final ShiftSet set : sets) bench.host(type, set);
		if (what.contains("peers")) {
			final List<String> numbers = new ArrayList<>();
			for (final ShiftSet s : sets)
				for (final int number : new int[] { s.width(), s.height(), s.templates(), s.lagsX(), s.lagsY(), s.frames() }) numbers.add("" + number);
			CudaPeers.print("shifts.py", numbers);
		}
	}

	/** The planner's tile of each set and type, compared with the fastest one. */
	private void printChoices() {
		System.out.println();
		measured.forEach((set, tiles) -> tiles.entrySet().stream().filter(e -> e.getKey().matches("\\d+x\\d+")).min(Map.Entry.comparingByValue())
			.ifPresent(best -> {
				final Map.Entry<String, Double> planned = tiles.entrySet().stream().filter(e -> e.getKey().startsWith(PLANNED)).findFirst().orElseThrow();
				System.out.printf(Locale.ROOT, "%s: %s %.4f ms, best measured %s %.4f ms, ratio %.3f%n", set, planned.getKey(), planned.getValue(),
					best.getKey(), best.getValue(), planned.getValue() / best.getValue());
			}));
	}

	/** The times of frames one by one and several in flight, for each algorithm that may be as fast, and the predicted times. */
	private void host(final PixelType type, final ShiftSet s) {
		final Random random = new Random(1);
		final Correlation p = s.problem(type);
		final Size size = p.size();
		final List<Template> templates = templates(type, s, random);
		final byte[] pixels = new byte[(int) size.pixels() * type.bytes];
		if (type == PixelType.F32) for (final ByteBuffer b = ByteBuffer.wrap(pixels).order(ByteOrder.nativeOrder()); b.hasRemaining();)
			b.putFloat(random.nextFloat());
		else random.nextBytes(pixels);
		final LagBox lags = new LagBox(new long[s.templates()][], new int[] { s.lagsX(), s.lagsY() });
		for (int t = 0; t < s.templates(); t++) lags.origins()[t] = new long[] { random.nextInt(41), random.nextInt(31) };
		final HostArrays arrays = new HostArrays(type, size.toArray(), pixels, s.templates(), lags);
		final StringBuilder line = new StringBuilder("set " + s.name()
			+ ", " + type + ", from array to array, ms a frame, one by one, many in flight, by estimate:");
		for (final String id : new String[] { "cuda-small-shifts", "cuda-direct-exact", "cuda-direct", "cuda-fourier", "cpu-direct-exact",
			"cpu-fourier-partitioned" }) {
			final Backend backend = id.startsWith("cpu") ? new CpuBackend(Runtime.getRuntime().availableProcessors()) : new CudaBackend();
			final SlidingAlgorithm<Correlation> a = Problems.correlations(backend).stream().filter(some -> some.id().equals(id)).findFirst().orElseThrow();
			if (a.unsupported(p).isPresent()) continue;
			final SlidingPlan plan = a.plan(p, backend.devices().get(0));
			try (Execution execution = plan.prepare(templates)) {
				final double[] one = new double[20];
				for (int i = -5; i < one.length; i++) {
					final long start = System.nanoTime();
					execution.submit(arrays, lags, arrays.sink(), Monitor.NONE).join();
					if (i >= 0) one[i] = 1e-6 * (System.nanoTime() - start);
				}
				final Deque<CompletableFuture<Report>> flying = new ArrayDeque<>();
				final int frames = id.startsWith("cpu") ? 40 : 400;
				long start = 0;
				for (int i = -frames / 4; i < frames; i++) {
					if (i == 0) start = System.nanoTime();
					if (flying.size() == execution.depth()) flying.poll().join();
					flying.add(execution.submit(arrays, lags, arrays.sink(), Monitor.NONE));
				}
				flying.forEach(CompletableFuture::join);
				line.append(String.format(Locale.ROOT, " %s %.3f, %.3f, %.3f;", id, DeviceTimes.median(one),
					1e-6 * (System.nanoTime() - start) / frames, 1e3 * plan.cost().seconds() / s.frames()));
			}
		}
		System.out.println(line);
	}

	private static List<Template> templates(final PixelType type, final ShiftSet s, final Random random) {
		final List<Template> templates = new ArrayList<>();
		for (int t = 0; t < s.templates(); t++) {
			final double[] v = new double[s.width() * s.height()];
			for (int i = 0; i < v.length; i++) v[i] = random.nextInt(256);
			templates.add(new Template(Size.of(s.width(), s.height()), type, v, null));
		}
		return templates;
	}

	/** Measures the multiply-adds per millisecond that the GPU can do. */
	private void limit(final PixelType type) {
		final int blocks = 32 * device.processors, threads = 256, n = 4096;
		try (StreamContext context = new StreamContext(device)) {
			final CUdeviceptr to = context.buffer("limit", 4L * blocks * threads);
			final GpuKernel k = device.kernels().get("untiled", type == PixelType.F32 ? "limit_floats" : "limit_bytes");
			final Object a = type == PixelType.F32 ? (Object) 0.5f : (Object) 3, b = type == PixelType.F32 ? (Object) 0.25f : (Object) 5;
			final double ms = times.graph(context, () -> context.launch(k, new GpuKernel.Grid(blocks, 1, 1, threads, 1), 0, a, b, n, to));
			limits.put(type, 16.0 * n * blocks * threads * (type == PixelType.F32 ? 1 : 4) / ms);
			System.out.printf(Locale.ROOT, "%s: %.1f e12 multiply-adds a second at most%n", type, limits.get(type) * 1e-9);
		}
	}

	private void print(final PixelType type, final ShiftSet s, final List<String> what) {
		final Random random = new Random(1);
		final Correlation p = s.problem(type);
		final Size size = p.size();
		final List<Template> templates = templates(type, s, random);
		final long[][] first = new long[s.frames()][s.templates()];
		final int[][] pitch = new int[s.frames()][s.templates()];
		for (int f = 0; f < s.frames(); f++)
			for (int t = 0; t < s.templates(); t++) {
				pitch[f][t] = (int) size.get(0);
				first[f][t] = f * size.pixels() + random.nextInt(31) * size.get(0) + random.nextInt(41);
			}
		try (StreamContext context = new StreamContext(device)) {
			final CUdeviceptr raw = raw(context, type, size.pixels() * s.frames(), random);
			final SmallShiftsMethod.Batch batch = new SmallShiftsMethod.Batch(raw, first, pitch, new float[s.frames()], s.lagsX(), s.lagsY());
			System.out.printf(Locale.ROOT, "%nset %s: %s, %d templates of %dx%d, %dx%d lags, %d frames%n", s.name(), type, s.templates(), s.width(),
				s.height(), s.lagsX(), s.lagsY(), s.frames());
			final double untiled = type == PixelType.U16 ? 0 : untiled(context, batch, type, s, templates);
			if (type != PixelType.U16) {
				System.out.printf(Locale.ROOT, "  limit %.4f ms; one thread a lag %.4f ms%n", s.products() / limits.get(type), untiled);
				final List<Object> row = row(s, type, "one thread per lag", "-");
				row.addAll(List.of("-", "-", "-", "-", "-", untiled));
				regions.row(row.toArray());
			}
			final TemplateCut chosen = CudaSmallShifts.cut(p, true, device.processors);
			print(context, batch, p, s, templates, chosen, PLANNED + name(chosen), untiled);
			print(context, batch, p, s, templates, CudaSmallShifts.cut(p, false, device.processors), ANY, untiled);
			if (what.contains("blocks"))
				for (final double share : new double[] { 0.25, 0.5, 2, 4 })
					print(context, batch, p, s, templates, CudaSmallShifts.cut(p, true, (int) (device.processors * share)),
						"blocks x " + share, untiled);
			if (what.contains("rows") && s.name().equals("6") && type != PixelType.U16)
				for (final TemplateCut cut : others(p, s))
					print(context, batch, p, s, templates, cut, name(cut) + ", " + cut.down + " rows of lags", untiled);
			if (what.contains("tiles") && type != PixelType.U16)
				for (final TemplateCut cut : mainTiles(p)) print(context, batch, p, s, templates, cut, name(cut), untiled);
		}
	}

	private List<TemplateCut> mainTiles(final Correlation p) {
		return TemplateCut.MAIN_TILES.stream().map(tile -> CudaSmallShifts.cut(p, tile, device.processors)).toList();
	}

	private static String name(final TemplateCut cut) {
		return cut.main == null ? ANY : cut.main.rows() + "x" + cut.main.columns();
	}

	/** Other numbers of rows of lags and of tiles, for the largest set. */
	private List<TemplateCut> others(final Correlation p, final ShiftSet s) {
		final List<TemplateCut> cuts = new ArrayList<>();
		for (final int[] v : new int[][] { { 10, 20 }, { 10, 16 }, { 7, 29 }, { 5, 29 } })
			cuts.add(new TemplateCut(CudaSmallShifts.kind(p), p.templates(), s.lagsX(), s.lagsY(), new Shape(v[1], 4), v[0], device.processors));
		return cuts;
	}

	/** The compilations of a set, so that several processes can do this before the measurement. */
	private List<Runnable> kernels(final PixelType type, final ShiftSet s, final List<String> what) {
		final Correlation p = s.problem(type);
		final List<TemplateCut> cuts = new ArrayList<>();
		for (final boolean own : new boolean[] { true, false }) cuts.add(CudaSmallShifts.cut(p, own, device.processors));
		if (type != PixelType.U16 && what.contains("tiles")) cuts.addAll(mainTiles(p));
		if (type != PixelType.U16 && what.contains("rows") && s.name().equals("6")) cuts.addAll(others(p, s));
		return cuts.stream().<Runnable>map(cut -> () -> device.kernels().get("smallshifts", "accumulate_" + cut.kind.name().toLowerCase(Locale.ROOT),
			cut.options())).toList();
	}

	private void print(final StreamContext context, final SmallShiftsMethod.Batch batch, final Correlation p, final ShiftSet set,
		final List<Template> templates, final TemplateCut cut, final String name, final double untiled)
	{
		try (SmallShiftsMethod method = new SmallShiftsMethod(device, templates, p, cut)) {
			// memory is got before a graph is captured
			method.enqueue(context, batch);
			device.check(JCudaDriver.cuStreamSynchronize(context.stream), "the first run");
			final double whole = times.graph(context, () -> method.enqueue(context, batch));
			final CUdeviceptr references = context.buffer("references", 1), partials = context.buffer("partials", 1);
			final long[] struct = method.struct(context, batch);
			final double products = times.graph(context, () -> method.accumulate(context, struct, batch.frames(), references, partials));
			final double sums = times.graph(context, () -> method.respond(context, batch, struct));
			final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %-14s tiles %.4f ms, sum %.4f; whole %.4f", name, products,
				sums, whole));
			if (untiled > 0) line.append(String.format(Locale.ROOT, ", %.2f times as fast, %.2f of the limit", untiled / (products + sums),
				whole / (sizes(p) / limits.get(p.image()))));
			line.append("; by region:");
			final List<Object> row = row(set, p.image(), name.startsWith(PLANNED) ? "tiles by the planner" : cut.main != null && name.equals(name(cut)) ? "tiles "
				+ name : name, cut.main == null ? "-" : name(cut));
			for (final Region region : Region.values()) {
				double ms = 0;
				if (cut.parts.stream().anyMatch(part -> part.region() == region)) {
					try (SmallShiftsMethod some = new SmallShiftsMethod(device, templates, p, new TemplateCut(cut, region))) {
						final long[] its = some.struct(context, batch);
						ms = times.graph(context, () -> some.accumulate(context, its, batch.frames(), references, partials));
					}
					line.append(String.format(Locale.ROOT, " %s %.4f", region.name().toLowerCase(Locale.ROOT), ms));
				}
				row.add(ms);
			}
			measured.computeIfAbsent("set " + set.name() + ", " + p.image(), k -> new LinkedHashMap<>()).put(name, products + sums);
			row.addAll(List.of(sums, products + sums));
			regions.row(row.toArray());
			System.out.println(line);
		}
	}

	/** The first cells of a row of the table. */
	private static List<Object> row(final ShiftSet set, final PixelType type, final String method, final String tile) {
		return new ArrayList<>(List.of(set.name(), set.templates(), set.width() + "x" + set.height(), set.lagsX() + "x" + set.lagsY(), set.frames(),
			type == PixelType.F32 ? "float" : 8 * type.bytes + " bit", method, tile));
	}

	private static double sizes(final Correlation p) {
		double n = 0;
		for (final Size t : p.templates()) n += t.pixels();
		return n * p.lags().count().pixels() * p.frames();
	}

	private CUdeviceptr raw(final StreamContext context, final PixelType type, final long pixels, final Random random) {
		final byte[] bytes = new byte[Math.toIntExact(pixels * type.bytes + 16)];
		random.nextBytes(bytes);
		if (type == PixelType.F32) {
			final ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
			for (int i = 0; i < pixels; i++) b.putFloat(100 + random.nextFloat());
		}
		final CUdeviceptr to = context.buffer("raw", bytes.length);
		device.check(JCudaDriver.cuMemcpyHtoD(to, Pointer.to(bytes), bytes.length), "sending frames");
		return to;
	}

	/** By the best size of a block. */
	private double untiled(final StreamContext context, final SmallShiftsMethod.Batch batch, final PixelType type, final ShiftSet s,
		final List<Template> templates) {
		final boolean bytes = type.bytes == 1;
		final int pitch = bytes ? (s.width() + 3) / 4 : s.width();
		final ByteBuffer coefficients = ByteBuffer.allocate(4 * pitch * s.height() * s.templates()).order(ByteOrder.nativeOrder());
		for (int t = 0; t < s.templates(); t++)
			for (int i = 0; i < s.width() * s.height(); i++) {
				final int row = 4 * pitch * (t * s.height() + i / s.width()), x = i % s.width();
				if (bytes) coefficients.put(row + x, (byte) (templates.get(t).values()[i] - 128));
				else coefficients.putFloat(row + 4 * x, (float) templates.get(t).values()[i]);
			}
		final ByteBuffer places = ByteBuffer.allocate(16 * s.frames() * s.templates()).order(ByteOrder.nativeOrder());
		for (int f = 0; f < s.frames(); f++)
			for (int t = 0; t < s.templates(); t++) places.putLong(batch.first()[f][t]).putInt(batch.pitch()[f][t]).putFloat(0);
		final GpuKernel k = device.kernels().get("untiled", bytes ? "untiled_bytes" : "untiled_floats");
		final int lags = s.lagsX() * s.lagsY();
		final CUdeviceptr to = context.buffer("untiled", 4L * lags * s.templates() * s.frames());
		try (DeviceArray t = DeviceArray.of(device, coefficients.array()); DeviceArray where = DeviceArray.of(device, places.array())) {
			return Arrays.stream(BLOCKS).mapToDouble(block -> times.graph(context, () -> context.launch(k,
				new GpuKernel.Grid((lags + block - 1) / block, s.templates(), s.frames(), block, 1), 0,
				batch.raw(), where.pointer(), t.pointer(), s.width(), s.height(), pitch, s.lagsX(), s.lagsY(), to))).min().orElseThrow();
		}
	}
}
