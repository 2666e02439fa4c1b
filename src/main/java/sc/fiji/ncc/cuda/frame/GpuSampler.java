package sc.fiji.ncc.cuda.frame;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.util.function.Supplier;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * Samples frames between their pixels on a GPU: the same numbers as {@code cpu.frame.RowInterpolation} and {@code cpu.frame.DeformedRows}, and the
 * transforms of {@code cpu.frame.FourierShift} by cuFFT. Each call has a
 * stream and memory of its own, from the pool of the device.
 */
public final class GpuSampler implements Sampler {

	/** The largest size of the lines that are transformed at a time, in bytes. Their spectra and cuFFT's working memory take as much again. */
	public static final long CHUNK_BYTES = 256L << 20;
	/** The threads of a block; the pixels of the box that a block samples by weights; and the largest number of weights, as in the kernels. */
	private static final int THREADS = 256, WIDTH = 32, HEIGHT = 8, WEIGHTS = 6;
	/** The numbers of a dimension of {@code struct Deformed}. */
	private static final int ALONG = 7;
	/** The largest number of blocks where a thread takes several elements. */
	private static final long BLOCKS = 4096;

	private final CudaDevice gpu;

	public GpuSampler(final CudaDevice gpu) {
		this.gpu = gpu;
	}

	@Override
	public Object sample(final Block b) {
		gpu.enter();
		try (StreamContext context = new StreamContext(gpu)) {
			final long read = (long) b.all() * b.type().bytes, written = (long) b.count() * b.type().bytes;
			Buffers.copy(b.pixels().duplicate().clear(), Buffers.view(context.pinned("pixels", read), b.type()));
			final CUdeviceptr from = context.buffer("pixels", read), to = context.buffer("box", written);
			context.send(from, context.pinnedPointer("pixels", read), read);
			if (b instanceof Block.Deformed deformed) deformed(context, deformed, from, to);
			else if (((Block.Shifted) b).weights() != null) weighted(context, (Block.Shifted) b, from, to);
			else moved(context, (Block.Shifted) b, from, to);
			context.fetch(context.pinnedPointer("box", written), to, written);
			context.await(Monitor.NONE);
			final Buffer box = b.type().allocate(b.count());
			Buffers.copy(Buffers.view(context.pinned("box", written), b.type()), box.duplicate());
			return box.array();
		}
	}

	private GpuKernel kernel(final String function) {
		return gpu.kernels().get("resample", function);
	}

	private static int[] extents(final Block b) {
		return new int[] { b.extent(0), b.extent(1), b.extent(2) };
	}

	private static int[] size(final Block b) {
		return new int[] { b.size(0), b.size(1), b.size(2) };
	}

	private void weighted(final StreamContext context, final Block.Shifted b, final CUdeviceptr from, final CUdeviceptr to) {
		// struct Weights: the weights along x, y and z, then their numbers
		final long[] weights = new long[3 * WEIGHTS + 2];
		for (int d = 0; d < b.size().length; d++)
			for (int k = 0; k < b.count(d); k++) weights[d * WEIGHTS + k] = Double.doubleToRawLongBits(b.weights()[d][k]);
		weights[3 * WEIGHTS] = b.count(0) | (long) b.count(1) << 32;
		weights[3 * WEIGHTS + 1] = b.count(2);
		context.launch(kernel("weighted"), GpuKernel.Grid.over(b.size(0), b.size(1), b.size(2), WIDTH, HEIGHT), 0, from, b.type().ordinal(), extents(b), size(b),
			weights, to);
	}

	private void deformed(final StreamContext context, final Block.Deformed b, final CUdeviceptr from, final CUdeviceptr to) {
		final double[][] coefficients = b.field().coefficients();
		final double[] weights = b.neighbours().weights();
		final int n = coefficients.length, nodes = coefficients[0].length;
		final long bytes = (long) Double.BYTES * (n * nodes + weights.length);
		final DoubleBuffer pinned = context.pinned("field", bytes).asDoubleBuffer();
		for (final double[] component : coefficients) pinned.put(component);
		pinned.put(weights);
		final CUdeviceptr field = context.buffer("field", bytes);
		context.send(field, context.pinnedPointer("field", bytes), bytes);
		final long count = (long) n * b.field().nodes()[0] * b.size(1) * b.size(2);
		final CUdeviceptr lines = context.buffer("lines", Double.BYTES * count);
		final long[] struct = struct(b);
		context.launch(kernel("rows_of_field"), grid(count), 0, field, struct, size(b), lines);
		context.launch(kernel("deformed"), grid(b.count()), 0, from, b.type().ordinal(), extents(b), size(b), struct, lines,
			field.withByteOffset((long) Double.BYTES * n * nodes), to);
	}

	/** {@code struct Deformed}: for each dimension seven numbers of {@code struct Along}, then four. */
	static long[] struct(final Block.Deformed b) {
		final long[] struct = new long[3 * ALONG + 4];
		final Block.Place place = b.place();
		for (int d = 0; d < 3; d++) {
			final int at = ALONG * d;
			struct[at + 3] = 1;
			if (d >= b.size().length) continue;
			struct[at] = Double.doubleToRawLongBits(b.field().origin()[d]);
			struct[at + 1] = Double.doubleToRawLongBits(b.field().spacing()[d]);
			struct[at + 2] = Double.doubleToRawLongBits(place.shift()[d]);
			struct[at + 3] = b.field().nodes()[d];
			struct[at + 4] = place.min()[d];
			struct[at + 5] = place.first()[d];
			struct[at + 6] = place.frame()[d] - 1;
		}
		struct[3 * ALONG] = Double.doubleToRawLongBits(b.neighbours().beyond());
		struct[3 * ALONG + 1] = b.size().length;
		struct[3 * ALONG + 2] = b.neighbours().edge() ? 1 : 0;
		struct[3 * ALONG + 3] = b.neighbours().count();
		return struct;
	}

	private void moved(final StreamContext context, final Block.Shifted b, final CUdeviceptr from, final CUdeviceptr to) {
		final CUdeviceptr values = context.buffer("values", (long) Double.BYTES * b.all());
		context.launch(kernel("to_doubles"), grid(b.all()), 0, from, b.type().ordinal(), (long) b.all(), values);
		long stride = 1;
		for (int d = 0; d < b.size().length; stride *= b.extent(d++))
			if (b.extent(d) > 1 && b.fraction(d) != 0) move(context, values, b.extent(d), stride, b.all() / b.extent(d), b.fraction(d));
		context.launch(kernel("inside"), grid(b.count()), 0, values, extents(b), new int[] { b.margin(0), b.margin(1), b.margin(2) },
			size(b), b.type().ordinal(), to);
	}

	private static GpuKernel.Grid grid(final long elements) {
		return new GpuKernel.Grid(Math.max(1, Math.min(BLOCKS, (elements + THREADS - 1) / THREADS)), 1, 1, THREADS, 1);
	}

	/** Moves lines of n values that are {@code stride} apart, some at a time. */
	private void move(final StreamContext context, final CUdeviceptr values, final int n, final long stride, final int lines, final double fraction) {
		final int points = Sampler.points(n), frequencies = points / 2 + 1;
		final int most = (int) Math.max(1, Math.min(lines, CHUNK_BYTES / (Double.BYTES * (long) points)));
		final CUdeviceptr reals = context.buffer("lines", (long) Double.BYTES * points * most), complexes = context.buffer("spectra",
			2L * Double.BYTES * frequencies * most);
		final CUdeviceptr phases = context.table("phases " + points + " " + fraction, phases(points, fraction));
		for (int first = 0; first < lines; first += most) {
			final int count = Math.min(most, lines - first);
			final Cufft.Transform forward = context.lines(points, count, Cufft.Type.D2Z), inverse = context.lines(points, count, Cufft.Type.Z2D);
			final CUdeviceptr work = context.buffer("work", Math.max(1, Math.max(forward.work, inverse.work)));
			context.launch(kernel("gather"), grid((long) points * count), 0, values, n, stride, points, first, count, reals);
			forward.run(context.stream, work, reals, complexes);
			context.launch(kernel("turn"), grid((long) frequencies * count), 0, phases, frequencies, (long) frequencies * count, complexes);
			inverse.run(context.stream, work, complexes, reals);
			context.launch(kernel("scatter"), grid((long) n * count), 0, reals, n, stride, points, first, count, values);
		}
	}

	/** The factors of the frequencies: the cosines and sines of their phases, divided by the number of points. The highest one keeps its real part only. */
	private Supplier<DeviceArray> phases(final int points, final double fraction) {
		return () -> {
			final double[] factors = new double[points / 2 * 2 + 2];
			for (int k = 0; k <= points / 2; k++) {
				final double angle = 2 * Math.PI * k * fraction / points;
				factors[2 * k] = Math.cos(angle) / points;
				factors[2 * k + 1] = 2 * k == points ? 0 : Math.sin(angle) / points;
			}
			return DeviceArray.of(gpu, factors);
		};
	}
}
