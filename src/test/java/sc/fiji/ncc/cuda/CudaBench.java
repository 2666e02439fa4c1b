package sc.fiji.ncc.cuda;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.JCudaDriver;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Prints what each CUDA algorithm takes: on the device alone (picture and map on the card, the whole correlation, as a graph), and from a
 * Java array to a Java array. Medians of 20.
 */
public final class CudaBench {

	private static final int REPEATS = 20;

	/** Each is run once only, under a profiler. */
	private static boolean once;

	private CudaBench() {}

	/** @param arguments {@code device}, {@code host}, or both if none is given; {@code once} for profilers */
	public static void main(final String[] arguments) {
		final List<String> what = arguments.length == 0 ? List.of("device", "host") : List.of(arguments);
		final CudaBackend backend = new CudaBackend();
		backend.unavailable().ifPresent(reason -> {
			throw new IllegalStateException(reason);
		});
		final CudaDevice device = Driver.devices().list().get(0);
		System.out.println(device.device.name());
		once = what.contains("once");
		if (what.contains("device")) {
			for (final int k : new int[] { 2, 4, 8, 16, 32, 64, 128, 256 }) device(device, PixelType.U8, new long[] { 2000, 2000 }, new long[] { k, k });
			for (final int k : new int[] { 8, 32, 128 }) device(device, PixelType.U16, new long[] { 2000, 2000 }, new long[] { k, k });
			for (final int k : new int[] { 8, 32, 128 }) device(device, PixelType.F32, new long[] { 2000, 2000 }, new long[] { k, k });
			device(device, PixelType.U8, new long[] { 256, 256, 256 }, new long[] { 16, 16, 16 });
			device(device, PixelType.F32, new long[] { 256, 256, 256 }, new long[] { 16, 16, 16 });
		}
		if (what.contains("once")) for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
			for (final int k : new int[] { 8, 32, 128 }) device(device, type, new long[] { 2000, 2000 }, new long[] { k, k });
		if (what.contains("host")) for (final int k : new int[] { 8, 32, 128 }) host(2000, k);
	}

	private static Problem problem(final PixelType type, final long[] image, final long[] template) {
		final long[] lags = new long[image.length];
		for (int d = 0; d < lags.length; d++) lags[d] = image[d] - template[d] + 1;
		return new Problem(type, type, Size.of(image), List.of(Size.of(template)), Weights.NONE, Lags.inside(Size.of(lags)), 1);
	}

	private static void device(final CudaDevice device, final PixelType type, final long[] image, final long[] templateSize) {
		final Problem p = problem(type, image, templateSize);
		final Random random = new Random(1);
		final double[] values = new double[(int) Size.of(templateSize).pixels()];
		for (int i = 0; i < values.length; i++) values[i] = random.nextInt(256);
		final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%s %s with %s:", type, Size.of(image), Size.of(templateSize)));
		for (final Algorithm a : new CudaBackend().algorithms()) {
			if (a.unsupported(p).isPresent()) continue;
			device.enter();
			try (CudaMethod method = ((CudaAlgorithm) a).prepare(device, new Template(Size.of(templateSize), type, values, null), p);
				Slot slot = new Slot(device))
			{
				line.append(String.format(Locale.ROOT, "  %s %.4f ms", a.id().substring(5), deviceMilliseconds(device, method, slot, p, random)));
			}
		}
		System.out.println(line);
	}

	private static double deviceMilliseconds(final CudaDevice device, final CudaMethod method, final Slot slot, final Problem p, final Random random) {
		final int[] lags = { 1, 1, 1 };
		final long[] image = { 1, 1, 1 };
		for (int d = 0; d < p.size().dimensions(); d++) {
			lags[d] = (int) p.lags().count().get(d);
			image[d] = p.size().get(d);
		}
		final BoxGeometry box = new BoxGeometry(p.templates().get(0), new long[3], lags, image, method.pitch(lags[0]));
		final byte[] pixels = new byte[box.pixels() * p.image().bytes];
		if (p.image() == PixelType.F32) {
			final ByteBuffer b = ByteBuffer.wrap(pixels).order(java.nio.ByteOrder.nativeOrder());
			for (int i = 0; i < box.pixels(); i++) b.putFloat(random.nextFloat());
		}
		else random.nextBytes(pixels);
		final CUdeviceptr raw = slot.buffer("raw", pixels.length);
		slot.send(raw, Pointer.to(pixels), pixels.length);
		final Outcome out = new Outcome(slot.buffer("map", 4L * box.count()), slot.buffer("counts", 16), slot.buffer("suspects", 4L * box.count()), 0);
		slot.clear(out.counts(), 4);
		method.enqueue(slot, box, raw, out);
		device.check(JCudaDriver.cuStreamSynchronize(slot.stream), "the first run");
		if (once) return 0;
		final CUgraph graph = new CUgraph();
		final CUgraphExec ready = new CUgraphExec();
		device.check(JCudaDriver.cuStreamBeginCapture(slot.stream, 0), "capturing");
		slot.clear(out.counts(), 4);
		method.enqueue(slot, box, raw, out);
		device.check(JCudaDriver.cuStreamEndCapture(slot.stream, graph), "capturing");
		device.check(JCudaDriver.cuGraphInstantiate(ready, graph, 0), "making a graph");
		final CUevent from = new CUevent(), to = new CUevent();
		device.check(JCudaDriver.cuEventCreate(from, 0), "making an event");
		device.check(JCudaDriver.cuEventCreate(to, 0), "making an event");
		final double[] times = new double[REPEATS];
		for (int i = -5; i < REPEATS; i++) {
			device.check(JCudaDriver.cuEventRecord(from, slot.stream), "recording");
			device.check(JCudaDriver.cuGraphLaunch(ready, slot.stream), "launching");
			device.check(JCudaDriver.cuEventRecord(to, slot.stream), "recording");
			device.check(JCudaDriver.cuEventSynchronize(to), "waiting");
			final float[] ms = new float[1];
			device.check(JCudaDriver.cuEventElapsedTime(ms, from, to), "timing");
			if (i >= 0) times[i] = ms[0];
		}
		JCudaDriver.cuGraphExecDestroy(ready);
		JCudaDriver.cuGraphDestroy(graph);
		JCudaDriver.cuEventDestroy(from);
		JCudaDriver.cuEventDestroy(to);
		return median(times);
	}

	private static void host(final int n, final int k) {
		final byte[] pixels = new byte[n * n];
		new Random(2).nextBytes(pixels);
		final Img<?> image = ArrayImgs.unsignedBytes(pixels, n, n), template = ArrayImgs.unsignedBytes(Arrays.copyOf(pixels, k * k), k, k);
		final List<Double> times = new ArrayList<>();
		for (int i = -20; i < REPEATS; i++) {
			final NormalizedCrossCorrelation ncc = NormalizedCrossCorrelation.of(template).backend("cuda");
			final long start = System.nanoTime();
			final var response = ncc.correlate(image);
			if (i >= 0) times.add(1e-6 * (System.nanoTime() - start));
			if (i == 0) System.out.println(response.ranking().explain());
		}
		System.out.printf(Locale.ROOT, "byte[] to float[], %dx%d with %dx%d: %.3f ms a picture%n", n, n, k, k,
			median(times.stream().mapToDouble(t -> t).toArray()));
	}

	private static double median(final double[] times) {
		final double[] sorted = times.clone();
		Arrays.sort(sorted);
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}
}
