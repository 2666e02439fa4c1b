package sc.fiji.ncc.cuda.run;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Template;

/** Divides submissions into slabs. Each slab computes one template, or the templates of one method, after another. Several threads copy the result. */
public final class Slabs implements Schedule<Slabs.Part> {

	/** The number of slabs of an image, so that copies of one slab overlap the computation of another. */
	private static final int SLABS = 8;
	/** The share of the GPU's memory for one execution. */
	private static final double SHARE_OF_MEMORY = 0.5;
	/** The maximum number of responses that are fetched at once. */
	private static final long MAX_RESPONSES = 1 << 24;
	/** The maximum number of pixels of a slab: their indices on the GPU, those of the padding included, are int. */
	private static final long MAX_PIXELS = 1 << 29;

	private static final int CONTEXTS = ParallelCopy.THREADS;

	private final CudaDevice device;
	private final List<Template> templates;
	private final List<CudaMethod> methods;
	private final ParallelCopy pieces = new ParallelCopy(CudaExecution.POOL, CONTEXTS);
	private final SentPixels layout;
	/** The precision of the responses, and the requested result. */
	private final Precision precision;
	private final Result kind;
	/** The number of slabs of an image. */
	private final int parts;

	private Slabs(final CudaDevice device, final List<Template> templates, final Sliding problem, final List<CudaMethod> methods) {
		this.device = device;
		this.templates = templates;
		this.methods = methods;
		layout = SentPixels.of(problem);
		precision = problem.precision();
		// the kernels that search or compare responses read floats
		kind = precision == Precision.SINGLE ? problem.result() : Result.MAP;
		// with a small result, frames overlap each other, and whole frames need fewer launches
		parts = kind != Result.MAP && problem.frames() > 1 ? 1 : Math.min(CONTEXTS, SLABS);
	}

	public static Execution execution(final CudaDevice device, final List<Template> templates, final Sliding problem, final Function<List<Template>,
		List<CudaMethod>> prepare) {
		return new CudaExecution<>(device, CONTEXTS, CONTEXTS + 1, templates, all -> new Slabs(device, all, problem, prepare.apply(all)));
	}

	@Override
	public void close() {
		methods.forEach(CudaMethod::close);
	}

	@Override
	public List<Part> tasks(final Submission s) {
		long target = Long.MAX_VALUE, maxLags = Long.MAX_VALUE;
		for (final CudaMethod m : methods) {
			target = Math.min(target, m.lagsAtOnce(s.lags.lags(), parts));
			maxLags = Math.min(maxLags, (long) (SHARE_OF_MEMORY * device.device.memory() / CONTEXTS / m.bytesPerLag()));
			maxLags = Math.min(maxLags, Math.max(1 << 16, MAX_RESPONSES / Math.max(m.templates(), layout.channels())));
		}
		final long maxPixels = Math.min(MAX_PIXELS, Integer.MAX_VALUE / layout.bytesPerPixel());
		return Slab.all(s.lags.size(), Slab.step(s.lags.size(), target, maxLags, templates.stream().map(Template::size).toList(), maxPixels)).stream()
			.map(slab -> new Part(s, slab)).toList();
	}

	@Override
	public int together(final Collection<Part> waiting) {
		return 1;
	}

	@Override
	public void compute(final StreamContext context, final List<Part> tasks) {
		for (final Part part : tasks) part.compute(context);
	}

	private static long[] threeDimensional(final long[] a, final long missing) {
		final long[] b = { missing, missing, missing };
		System.arraycopy(a, 0, b, 0, a.length);
		return b;
	}

	/** A slab of a submission. */
	final class Part extends Schedule.Task {

		private final Slab slab;

		private Part(final Submission s, final Slab slab) {
			super(s);
			this.slab = slab;
		}

		private void compute(final StreamContext context) {
			s.requireGoOn();
			final int[] lags = { 1, 1, 1 };
			System.arraycopy(slab.size(), 0, lags, 0, slab.size().length);
			final long maxElements = methods.stream().mapToLong(m -> m.templates() * DeviceMaps.elements(lags, m.mapPitch(lags[0]))).max().orElse(0);
			final ResultFetcher answer = ResultFetcher.of(kind, templates.size(), maxElements,
				new MapFetcher(precision, pieces, context, s.out, s.monitor, slab.min(), slab.size()));
			final long[] image = threeDimensional(s.in.size(), 1);
			final long[][] origins = s.lags.origins();
			BoxGeometry sent = null;
			int first = 0;
			for (final CudaMethod method : methods) {
				for (int i = 0, count; i < method.templates(); i += count) {
					final int t = first + i;
					final long[] lag = threeDimensional(origins[t], 0);
					count = 1;
					// templates with another origin need other pixels
					while (i + count < method.templates() && Arrays.equals(origins[t], origins[t + count])) count++;
					for (int d = 0; d < slab.min().length; d++) lag[d] += slab.min()[d];
					final BoxGeometry box = new BoxGeometry(templates.get(t).size(), lag, lags, image, method.pitch(lags[0]));
					if (sent == null || !Arrays.equals(sent.first, box.first) || !Arrays.equals(sent.part, box.part)) send(context, box);
					sent = box;
					respond(answer, method, t, i, count, box);
				}
				first += method.templates();
			}
			answer.end();
		}

		/** Reads the box's pixels inside the image, of all channels, and their mask, and sends them to the GPU. */
		private void send(final StreamContext context, final BoxGeometry box) {
			context.forgetPixels();
			final int pixels = box.pixels();
			if (pixels == 0) return;
			final long bytes = layout.bytes(box);
			final CUdeviceptr raw = context.buffer("raw", bytes);
			// kernels read whole 32-bit words
			if (bytes % 4 != 0) context.clear(raw.withByteOffset(bytes / 4 * 4), 1);
			for (int c = 0; c < layout.channels(); c++) {
				final Pixels channel = s.in.channels().get(c);
				send(context, box, channel, channel.readsRowsFast(), layout.channel(raw, box, c), layout.channelOffset(box, c), bytes);
			}
			if (!layout.masked()) return;
			final Pixels mask = s.in.mask();
			if (mask == null) context.fill(layout.mask(raw, box), 1, pixels);
			else send(context, box, mask, true, layout.mask(raw, box), layout.maskOffset(box), bytes);
		}

		/**
		 * Sends the pixels of one channel, or of the mask.
		 *
		 * @param direct whether they are read into pinned memory, not by way of the heap
		 * @param staging where their part of the pinned memory begins, which has {@code all} bytes
		 */
		private void send(final StreamContext context, final BoxGeometry box, final Pixels in, final boolean direct, final CUdeviceptr to,
			final long staging, final long all)
		{
			final PixelType type = in.type();
			final long bytes = (long) box.pixels() * type.bytes;
			final int n = in.size().length;
			final Buffer memory = in.memory();
			if (memory != null && box.isContiguous(in.size())) {
				context.send(to, Pointer.to(memory).withByteOffset(box.offset(in.size()) * type.bytes), bytes);
				return;
			}
			final Pointer pinned = context.pinnedPointer("pixels", all).withByteOffset(staging);
			final ByteBuffer part = context.pinned("pixels", all).slice(Math.toIntExact(staging), Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
			final Buffer staged = Buffers.view(part, type), heap = direct ? null : context.heap(type, box.pixels());
			pieces.copy(Arrays.copyOf(box.part, n), (from, size, first, elements) -> {
				final long[] min = Arrays.copyOf(box.first, n);
				min[n - 1] += from;
				final Buffer piece = ParallelCopy.of(staged, first, elements);
				if (heap == null) {
					in.read(min, size, piece);
					return;
				}
				final Buffer onHeap = ParallelCopy.of(heap, first, elements);
				in.read(min, size, onHeap);
				Buffers.copy(onHeap, piece);
			});
			s.requireGoOn();
			context.send(to, pinned, bytes);
		}

		/** Computes {@code templates} templates of a method, from its template {@code i} on, which is template {@code t} of all. */
		private void respond(final ResultFetcher answer, final CudaMethod method, final int t, final int i, final int templates, final BoxGeometry box) {
			final StreamContext context = answer.context;
			final int count = Math.multiplyExact(templates, box.count()), pitch = method.mapPitch(box.lags[0]);
			// the map is fetched before the suspects are computed again, so its memory must be initialized
			final CUdeviceptr map = context.clearedBuffer("map", precision.bytes * templates * DeviceMaps.elements(box.lags, pitch)), counts = answer.counts(count);
			final DeviceMaps maps = new DeviceMaps(map, templates, box.lags, pitch);
			s.requireGoOn();
			answer.clear(counts);
			final Outcome outcome = new Outcome(map, counts, context.buffer("suspects", 4L * count), s.out.undefined(), pitch);
			final CUdeviceptr raw = context.buffer("raw", Math.max(1, layout.bytes(box)));
			method.enqueue(context, box, raw, outcome, i, templates);
			ByteBuffer c = answer.fetch(maps, counts);
			context.await(s.monitor);
			final boolean rechecked = method.recheck(context, box, raw, outcome, c.getInt(4));
			if (rechecked) {
				c = answer.fetch(maps, counts);
				context.await(s.monitor);
			}
			s.count(c.getInt(0), rechecked ? count - c.getInt(0) : c.getInt(8));
			s.requireGoOn();
			answer.take(maps, counts, t);
		}
	}
}
