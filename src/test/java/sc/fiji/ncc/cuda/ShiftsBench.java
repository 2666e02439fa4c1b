package sc.fiji.ncc.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.PartsCut.Region;
import sc.fiji.ncc.cuda.PartsCut.Shape;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Many templates over small shifts on the device alone, as in table 1 and figures 3 and 4 of Moore, Leeser and Smith King: for six sets over their ranges
 * each main tile against one thread a lag, with the time of each region; and beside it what the card could do at most, PyTorch's grouped convolution and
 * a Fourier way. Prints tables.
 */
public final class ShiftsBench {

	/** Templates of one size, shifted by so many pixels either way, through so many frames. */
	record Set(String name, int width, int height, int templates, int shiftX, int shiftY, int frames) {

		int lagsX() {
			return 2 * shiftX + 1;
		}

		int lagsY() {
			return 2 * shiftY + 1;
		}

		/** Multiply-adds. */
		double products() {
			return (double) width * height * templates * lagsX() * lagsY() * frames;
		}
	}

	private static final List<Set> SETS = List.of(new Set("1", 53, 54, 12, 18, 3, 300), new Set("2", 23, 21, 13, 9, 2, 300), new Set("3", 76, 45, 10, 12, 4, 300),
		new Set("4", 86, 78, 14, 11, 6, 300), new Set("5", 141, 107, 11, 9, 2, 300), new Set("6", 156, 116, 14, 18, 9, 300));
	static final List<Shape> TILES = List.of(new Shape(16, 4), new Shape(8, 8), new Shape(4, 4), new Shape(8, 4), new Shape(12, 4), new Shape(24, 4), new Shape(32, 4),
		new Shape(16, 8), new Shape(8, 16));
	private static final int[] BLOCKS = { 64, 128, 256, 512 };

	private final CudaDevice device;
	private final DeviceTimes times;
	private final Map<PixelType, Double> limits = new EnumMap<>(PixelType.class);

	private ShiftsBench(final CudaDevice device) {
		this.device = device;
		times = new DeviceTimes(device, false);
	}

	/** @param arguments some of tiles (all main tiles), lone (a frame at a time), peers; all if none is given */
	public static void main(final String[] arguments) throws Exception {
		final List<String> what = arguments.length == 0 ? List.of("tiles", "lone", "peers") : List.of(arguments);
		new CudaBackend().unavailable().ifPresent(reason -> {
			throw new IllegalStateException(reason);
		});
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		System.out.println(device.device.name());
		final ShiftsBench bench = new ShiftsBench(device);
		for (final PixelType type : new PixelType[] { PixelType.F32, PixelType.U8, PixelType.U16 }) {
			if (type != PixelType.U16) bench.limit(type);
			for (final Set set : SETS) bench.print(type, set, what.contains("tiles") && type != PixelType.U16);
			if (what.contains("lone"))
				for (final Set s : SETS) bench.print(type, new Set(s.name + ", a frame", s.width, s.height, s.templates, s.shiftX, s.shiftY, 1), false);
		}
		if (what.contains("peers")) {
			final List<String> sets = new ArrayList<>();
			for (final Set s : SETS) Collections.addAll(sets, "" + s.width, "" + s.height, "" + s.templates, "" + s.lagsX(), "" + s.lagsY(), "" + s.frames);
			CudaPeers.print("shifts.py", sets);
		}
	}

	/** Measures multiply-adds a millisecond. */
	private void limit(final PixelType type) {
		final int blocks = 32 * device.processors, threads = 256, n = 4096;
		try (Slot slot = new Slot(device)) {
			final CUdeviceptr to = slot.buffer("limit", 4L * blocks * threads);
			final Kernel k = device.kernels().get("untiled", type == PixelType.F32 ? "limit_floats" : "limit_bytes");
			final Object a = type == PixelType.F32 ? (Object) 0.5f : (Object) 3, b = type == PixelType.F32 ? (Object) 0.25f : (Object) 5;
			final double ms = times.graph(slot, () -> slot.launch(k, new Kernel.Grid(blocks, 1, 1, threads, 1), 0, a, b, n, to));
			limits.put(type, 16.0 * n * blocks * threads * (type == PixelType.F32 ? 1 : 4) / ms);
			System.out.printf(Locale.ROOT, "%s: %.1f e12 multiply-adds a second at most%n", type, limits.get(type) * 1e-9);
		}
	}

	private void print(final PixelType type, final Set s, final boolean all) {
		final Random random = new Random(1);
		final Size size = Size.of(s.width + s.lagsX() - 1 + 40, s.height + s.lagsY() - 1 + 30), its = Size.of(s.width, s.height);
		final List<Template> templates = new ArrayList<>();
		for (int t = 0; t < s.templates; t++) {
			final double[] v = new double[s.width * s.height];
			for (int i = 0; i < v.length; i++) v[i] = random.nextInt(256);
			templates.add(new Template(its, type, v, null));
		}
		final long[][] first = new long[s.frames][s.templates];
		final int[][] pitch = new int[s.frames][s.templates];
		for (int f = 0; f < s.frames; f++)
			for (int t = 0; t < s.templates; t++) {
				pitch[f][t] = (int) size.get(0);
				first[f][t] = f * size.pixels() + random.nextInt(31) * size.get(0) + random.nextInt(41);
			}
		final Problem p = new Problem(type, type, size, Collections.nCopies(s.templates, its), Weights.NONE, Lags.inside(Size.of(s.lagsX(), s.lagsY())), s.frames);
		try (Slot slot = new Slot(device)) {
			final CUdeviceptr raw = raw(slot, type, size.pixels() * s.frames, random);
			final PartsMethod.Batch batch = new PartsMethod.Batch(raw, first, pitch, new float[s.frames], s.lagsX(), s.lagsY());
			System.out.printf(Locale.ROOT, "%nset %s: %s, %d templates of %dx%d, %dx%d lags, %d frames%n", s.name, type, s.templates, s.width, s.height, s.lagsX(), s.lagsY(), s.frames);
			final double untiled = type == PixelType.U16 ? 0 : untiled(slot, batch, type, s, templates);
			if (type != PixelType.U16) System.out.printf(Locale.ROOT, "  limit %.4f ms; one thread a lag %.4f ms%n", s.products() / limits.get(type), untiled);
			final Shape chosen = Parts.tile(p, its);
			print(slot, batch, p, templates, Parts.cut(p, true, device.processors), "planner's " + chosen.rows() + "x" + chosen.columns(), untiled);
			print(slot, batch, p, templates, Parts.cut(p, false, device.processors), "any template", untiled);
			if (!all) return;
			for (final Shape tile : TILES) {
				final PartsCut cut = new PartsCut(Parts.kind(p), p.templates(), s.lagsX(), s.lagsY(), Collections.nCopies(s.templates, tile), Parts.down(Parts.kind(p), s.lagsY()),
					device.processors);
				print(slot, batch, p, templates, cut, tile.rows() + "x" + tile.columns(), untiled);
			}
		}
	}

	private void print(final Slot slot, final PartsMethod.Batch batch, final Problem p, final List<Template> templates, final PartsCut cut, final String name, final double untiled) {
		try (PartsMethod method = new PartsMethod(device, templates, p, cut)) {
			final double whole = times.graph(slot, () -> method.enqueue(slot, batch));
			final CUdeviceptr references = slot.buffer("references", 1), partials = slot.buffer("partials", 1);
			final long[] struct = method.struct(slot, batch);
			final double products = times.graph(slot, () -> method.accumulate(slot, struct, batch.frames(), references, partials));
			final double sums = times.graph(slot, () -> method.respond(slot, batch, struct));
			final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %-14s tiles %.4f ms, sum %.4f; whole %.4f", name, products, sums, whole));
			if (untiled > 0) line.append(String.format(Locale.ROOT, ", %.2f times as fast, %.2f of the limit", untiled / (products + sums),
				whole / (sizes(p) / limits.get(p.image()))));
			line.append("; by region:");
			for (final Region region : Region.values()) {
				if (cut.parts.stream().noneMatch(part -> part.region() == region)) continue;
				try (PartsMethod some = new PartsMethod(device, templates, p, new PartsCut(cut, region))) {
					final long[] its = some.struct(slot, batch);
					line.append(String.format(Locale.ROOT, " %s %.4f", region.name().toLowerCase(Locale.ROOT),
						times.graph(slot, () -> some.accumulate(slot, its, batch.frames(), references, partials))));
				}
			}
			System.out.println(line);
		}
	}

	private static double sizes(final Problem p) {
		double n = 0;
		for (final Size t : p.templates()) n += t.pixels();
		return n * p.lags().count().pixels() * p.frames();
	}

	private CUdeviceptr raw(final Slot slot, final PixelType type, final long pixels, final Random random) {
		final byte[] bytes = new byte[Math.toIntExact(pixels * type.bytes + 16)];
		random.nextBytes(bytes);
		if (type == PixelType.F32) {
			final ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
			for (int i = 0; i < pixels; i++) b.putFloat(100 + random.nextFloat());
		}
		final CUdeviceptr to = slot.buffer("raw", bytes.length);
		device.check(JCudaDriver.cuMemcpyHtoD(to, Pointer.to(bytes), bytes.length), "sending frames");
		return to;
	}

	/** By the best size of a block. */
	private double untiled(final Slot slot, final PartsMethod.Batch batch, final PixelType type, final Set s, final List<Template> templates) {
		final boolean bytes = type.bytes == 1;
		final int pitch = bytes ? (s.width + 3) / 4 : s.width;
		final ByteBuffer taps = ByteBuffer.allocate(4 * pitch * s.height * s.templates).order(ByteOrder.nativeOrder());
		for (int t = 0; t < s.templates; t++)
			for (int i = 0; i < s.width * s.height; i++) {
				final int row = 4 * pitch * (t * s.height + i / s.width), x = i % s.width;
				if (bytes) taps.put(row + x, (byte) (templates.get(t).values()[i] - 128));
				else taps.putFloat(row + 4 * x, (float) templates.get(t).values()[i]);
			}
		final ByteBuffer places = ByteBuffer.allocate(16 * s.frames * s.templates).order(ByteOrder.nativeOrder());
		for (int f = 0; f < s.frames; f++)
			for (int t = 0; t < s.templates; t++) places.putLong(batch.first()[f][t]).putInt(batch.pitch()[f][t]).putFloat(0);
		final Kernel k = device.kernels().get("untiled", bytes ? "untiled_bytes" : "untiled_floats");
		final int lags = s.lagsX() * s.lagsY();
		final CUdeviceptr to = slot.buffer("untiled", 4L * lags * s.templates * s.frames);
		try (DeviceArray t = DeviceArray.of(device, taps.array()); DeviceArray where = DeviceArray.of(device, places.array())) {
			return Arrays.stream(BLOCKS).mapToDouble(block -> times.graph(slot, () -> slot.launch(k, new Kernel.Grid((lags + block - 1) / block, s.templates, s.frames, block, 1), 0,
				batch.raw(), where.pointer(), t.pointer(), s.width, s.height, pitch, s.lagsX(), s.lagsY(), to))).min().orElseThrow();
		}
	}
}
