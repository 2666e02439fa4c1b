package sc.fiji.ncc.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.DeviceMaps;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** Times on the device alone: image and maps are in GPU memory, and a whole correlation runs as a CUDA graph. */
public final class DeviceTimes {

	/** The number of runs; fewer for long ones, so that all together take at most about {@link #SECONDS}. */
	private static final int REPEATS = 20, LEAST_REPEATS = 5;
	private static final double SECONDS = 1;

	private final CudaDevice device;
	/** Each method runs only once, for profilers. */
	private final boolean once;

	public DeviceTimes(final CudaDevice device, final boolean once) {
		this.device = device;
		this.once = once;
	}

	static Correlation problem(final PixelType type, final long[] image, final long[] template, final int templates) {
		final long[] lags = new long[image.length];
		for (int d = 0; d < lags.length; d++) lags[d] = image[d] - template[d] + 1;
		final List<Size> sizes = new ArrayList<>();
		for (int i = 0; i < templates; i++) sizes.add(Size.of(template));
		return Problems.correlation(type, type, Size.of(image), sizes, Weights.NONE, Lags.inside(Size.of(lags)), 1);
	}

	/** The same problem with real weights. */
	static Correlation weighted(final Correlation p) {
		return new Correlation(p.windows(), Weights.REAL, p.channels(), p.result());
	}

	/** The same problem with missing pixels. */
	static Correlation missing(final Correlation p) {
		return p.with(new Windows(p.image(), p.template(), p.size(), p.templates(), new Lags(p.lags().count(), false, true, 1 / 3.0), p.frames(), p.precision()));
	}

	static List<Template> templates(final Sliding p, final Random random) {
		final List<Template> all = new ArrayList<>();
		for (final Size size : p.templates()) {
			final double[] values = new double[p.channels() * (int) size.pixels()];
			final int width = (int) size.get(0), height = (int) size.get(1);
			// for a convolution with terms: products of 1D kernels
			for (int i = 0; i < values.length; i++) values[i] = !(p instanceof Convolution c) || c.terms() == 0 ? random.nextInt(256)
				: (1 + i % width) * (1.0 + i / width % height) * (1 + i / width / height);
			final double[] weights = p.weights() == Weights.NONE ? null : random.doubles(size.pixels(), 0.1, 1).toArray();
			all.add(new Template(size, p.template(), values, weights, p.channels()));
		}
		return all;
	}

	/** Milliseconds for all templates of a problem: the median. */
	<P extends Sliding> double of(final CudaAlgorithm<P> algorithm, final Sliding problem) {
		final Random random = new Random(1);
		final P p = algorithm.kind().cast(problem);
		device.enter();
		final List<CudaMethod> methods = algorithm.prepareAll(device, templates(p, random), p);
		try (StreamContext context = new StreamContext(device)) {
			return milliseconds(methods, context, p, random);
		}
		finally {
			methods.forEach(CudaMethod::close);
		}
	}

	private double milliseconds(final List<CudaMethod> methods, final StreamContext context, final Sliding p, final Random random) {
		final int[] lags = { 1, 1, 1 };
		final long[] image = { 1, 1, 1 };
		for (int d = 0; d < p.size().dimensions(); d++) {
			lags[d] = (int) p.lags().count().get(d);
			image[d] = p.size().get(d);
		}
		final BoxGeometry box = new BoxGeometry(p.templates().get(0), new long[3], lags, image, methods.get(0).pitch(lags[0]));
		final int numbers = p.channels() * box.pixels();
		// the channels, then the mask, as SentPixels has them
		final byte[] pixels = new byte[numbers * p.image().bytes + (p.lags().masked() ? box.pixels() : 0)];
		if (p.image() == PixelType.F32) {
			final ByteBuffer b = ByteBuffer.wrap(pixels).order(ByteOrder.nativeOrder());
			for (int i = 0; i < numbers; i++) b.putFloat(random.nextFloat());
		}
		else if (p.image() == PixelType.F64) {
			final ByteBuffer b = ByteBuffer.wrap(pixels).order(ByteOrder.nativeOrder());
			for (int i = 0; i < numbers; i++) b.putDouble(random.nextDouble());
		}
		else random.nextBytes(pixels);
		for (int i = numbers * p.image().bytes; i < pixels.length; i++) pixels[i] = (byte) (random.nextInt(10) == 0 ? 0 : 1);
		// whole words, as an execution sends them
		final CUdeviceptr raw = context.buffer("raw", pixels.length);
		context.send(raw, Pointer.to(Arrays.copyOf(pixels, (pixels.length + 3) / 4 * 4)), (pixels.length + 3) / 4 * 4);
		final long elements = methods.stream().mapToLong(m -> m.templates() * DeviceMaps.elements(lags, m.mapPitch(lags[0]))).sum();
		final int bytes = p.precision().bytes;
		final CUdeviceptr maps = context.buffer("map", bytes * elements), counts = context.buffer("counts", 16),
			suspects = context.buffer("suspects", 4L * box.count() * methods.stream().mapToInt(CudaMethod::templates).max().orElse(1));
		final Runnable all = () -> {
			context.clear(counts, 4);
			context.forgetPixels();
			long done = 0;
			for (final CudaMethod m : methods) {
				m.enqueue(context, box, raw, new Outcome(maps.withByteOffset(bytes * done), counts, suspects, 0, m.mapPitch(lags[0])));
				done += m.templates() * DeviceMaps.elements(lags, m.mapPitch(lags[0]));
			}
		};
		all.run();
		device.check(JCudaDriver.cuStreamSynchronize(context.stream), "the first run");
		if (!once) return graph(context, all);
		// in double, too, where a method does that
		for (final CudaMethod m : methods) m.fallBack(context, box, raw, new Outcome(maps, counts, suspects, 0, m.mapPitch(lags[0])), Integer.MAX_VALUE);
		device.check(JCudaDriver.cuStreamSynchronize(context.stream), "the second look");
		return 0;
	}

	/** Milliseconds of what is put on a context's stream, as a graph: the median. */
	public double graph(final StreamContext context, final Runnable work) {
		final CUgraph graph = new CUgraph();
		final CUgraphExec ready = new CUgraphExec();
		device.check(JCudaDriver.cuStreamBeginCapture(context.stream, 0), "capturing");
		work.run();
		device.check(JCudaDriver.cuStreamEndCapture(context.stream, graph), "capturing");
		device.check(JCudaDriver.cuGraphInstantiate(ready, graph, 0), "making a graph");
		final CUevent from = new CUevent(), to = new CUevent();
		device.check(JCudaDriver.cuEventCreate(from, 0), "making an event");
		device.check(JCudaDriver.cuEventCreate(to, 0), "making an event");
		final List<Double> times = new ArrayList<>();
		double all = 0;
		for (int i = -5; i < REPEATS && (times.size() < LEAST_REPEATS || all < 1e3 * SECONDS); i++) {
			device.check(JCudaDriver.cuEventRecord(from, context.stream), "recording");
			device.check(JCudaDriver.cuGraphLaunch(ready, context.stream), "launching");
			device.check(JCudaDriver.cuEventRecord(to, context.stream), "recording");
			device.check(JCudaDriver.cuEventSynchronize(to), "waiting");
			final float[] ms = new float[1];
			device.check(JCudaDriver.cuEventElapsedTime(ms, from, to), "timing");
			all += ms[0];
			// a long run needs no warm-up beyond the first one
			if (i >= 0 || i > -5 && ms[0] > 1e3 * SECONDS / REPEATS) times.add((double) ms[0]);
		}
		JCudaDriver.cuGraphExecDestroy(ready);
		JCudaDriver.cuGraphDestroy(graph);
		JCudaDriver.cuEventDestroy(from);
		JCudaDriver.cuEventDestroy(to);
		return median(times.stream().mapToDouble(t -> t).toArray());
	}

	/** Milliseconds to write the given number of bytes of GPU memory. */
	double writing(final long bytes) {
		device.enter();
		try (StreamContext context = new StreamContext(device)) {
			final CUdeviceptr to = context.buffer("written", bytes);
			return graph(context, () -> context.clear(to, bytes / 4));
		}
	}

	public static double median(final double[] times) {
		final double[] sorted = times.clone();
		Arrays.sort(sorted);
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}
}
