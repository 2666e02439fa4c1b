package sc.fiji.ncc.cuda;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

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
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
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
		if (what.contains("host")) for (final int k : new int[] { 8, 32, 128 }) host(device, 2000, k);
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

	/** From byte[] to float[]: one picture after the other, and several in flight; then through the op, which makes a new map each time. */
	private static void host(final CudaDevice device, final int n, final int k) {
		final byte[] pixels = new byte[n * n];
		new Random(2).nextBytes(pixels);
		final Problem p = problem(PixelType.U8, new long[] { n, n }, new long[] { k, k });
		final double[] values = new double[k * k];
		for (int i = 0; i < values.length; i++) values[i] = pixels[i] & 0xff;
		final List<Template> templates = List.of(new Template(p.templates().get(0), PixelType.U8, values, null));
		for (final Algorithm a : new CudaBackend().algorithms()) {
			if (a.unsupported(p).isPresent() || a.id().contains("handbook")) continue;
			try (Execution execution = a.plan(p, device.device).prepare(templates)) {
				final LagBox lags = new LagBox(new long[1][2], p.lags().count().toIntArray());
				final int depth = execution.depth();
				final ArraySinks sinks = new ArraySinks(depth, lags);
				final double[] one = new double[REPEATS], streamed = new double[REPEATS];
				for (int i = -40; i < REPEATS; i++) {
					final long start = System.nanoTime();
					execution.submit(new BytePixels(pixels, n), lags, sinks.of(0), Monitor.NONE).join();
					if (i >= 0) one[i] = 1e-6 * (System.nanoTime() - start);
				}
				for (int i = 0; i < REPEATS; i++) {
					final long start = System.nanoTime();
					final List<CompletableFuture<Report>> flying = new ArrayList<>();
					for (int f = 0; f < depth; f++) flying.add(execution.submit(new BytePixels(pixels, n), lags, sinks.of(f), Monitor.NONE));
					flying.forEach(CompletableFuture::join);
					streamed[i] = 1e-6 * (System.nanoTime() - start) / depth;
				}
				System.out.printf(Locale.ROOT, "byte[] to float[], %dx%d with %dx%d, %s: %.3f ms one by one, %.3f ms a picture of %d in flight%n", n, n, k, k,
					a.id(), median(one), median(streamed), depth);
			}
		}
		final Img<?> image = ArrayImgs.unsignedBytes(pixels, n, n), template = ArrayImgs.unsignedBytes(Arrays.copyOf(pixels, k * k), k, k);
		final double[] times = new double[REPEATS];
		for (int i = -20; i < REPEATS; i++) {
			final long start = System.nanoTime();
			NormalizedCrossCorrelation.of(template).backend("cuda").correlate(image);
			if (i >= 0) times[i] = 1e-6 * (System.nanoTime() - start);
		}
		System.out.printf(Locale.ROOT, "the op, a new map each time: %.3f ms%n", median(times));
	}

	/** A picture in an array. */
	private record BytePixels(byte[] pixels, int n) implements Pixels {

		@Override
		public PixelType type() {
			return PixelType.U8;
		}

		@Override
		public long[] size() {
			return new long[] { n, n };
		}

		@Override
		public void read(final long[] min, final int[] size, final Buffer to) {
			final ByteBuffer target = ((ByteBuffer) to).duplicate();
			if (size[0] == n) target.put(pixels, (int) min[1] * n, n * size[1]);
			else for (int y = 0; y < size[1]; y++) target.put(pixels, (int) ((min[1] + y) * n + min[0]), size[0]);
		}
	}

	/** Maps in arrays. */
	private static final class ArraySinks {

		private final float[][] maps;
		private final int width;

		ArraySinks(final int count, final LagBox lags) {
			maps = new float[count][(int) lags.lags()];
			width = lags.size()[0];
		}

		Sink of(final int index) {
			return new Sink() {

				@Override
				public float undefined() {
					return 0;
				}

				@Override
				public void map(final int template, final long[] min, final int[] size, final Buffer from) {
					((FloatBuffer) from).duplicate().get(maps[index], (int) (min[1] * width + min[0]), size[0] * size[1]);
				}
			};
		}
	}

	private static double median(final double[] times) {
		final double[] sorted = times.clone();
		Arrays.sort(sorted);
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}
}
