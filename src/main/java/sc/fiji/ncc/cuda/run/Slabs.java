package sc.fiji.ncc.cuda.run;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
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
	/** For frames of a stream, whose maps are copied while others are computed: the least number of slabs, and the responses of a slab if there are more. */
	private static final int SLABS_OF_STREAMS = 2, RESPONSES_OF_STREAMS = 1 << 21;
	/** The lags of a slab if the best response of each lag is copied. */
	private static final int LAGS_OF_BEST = 1 << 20;
	/** The share of the GPU's memory for one execution. */
	private static final double SHARE_OF_MEMORY = 0.5;
	/** The maximum number of responses that are fetched at once. */
	private static final long MAX_RESPONSES = 1 << 24;
	/** The number of maps that are searched or compared on the GPU, for each map that could be fetched. */
	private static final int MAPS_ON_GPU = 8;
	/** The maximum number of pixels of a slab: their indices on the GPU, those of the padding included, are int. */
	private static final long MAX_PIXELS = 1 << 29;

	private static final int CONTEXTS = ParallelCopy.THREADS;
	/** The largest number of slabs times groups of methods. */
	private static final int GROUPS = Math.min(CONTEXTS, 4);

	private final CudaDevice device;
	private final List<Template> templates;
	private final List<CudaMethod> methods;
	private final ParallelCopy pieces = new ParallelCopy(CudaExecution.POOL, CONTEXTS);
	private final SentPixels layout;
	/** The precision of the responses, and the requested result. */
	private final Precision precision;
	private final Result kind;
	/** Whether the problem has one frame. */
	private final boolean single;

	private Slabs(final CudaDevice device, final List<Template> templates, final Sliding problem, final List<CudaMethod> methods) {
		this.device = device;
		this.templates = templates;
		this.methods = methods;
		layout = SentPixels.of(problem);
		precision = problem.precision();
		// the kernels that search or compare responses read floats
		kind = precision == Precision.SINGLE ? problem.result() : Result.MAP;
		single = problem.frames() == 1;
	}

	public static Execution execution(final CudaDevice device, final List<Template> templates, final Sliding problem,
		final Function<List<Template>, List<CudaMethod>> prepare) {
		return new CudaExecution<>(device, CONTEXTS, CONTEXTS + 1, templates, all -> new Slabs(device, all, problem, prepare.apply(all)));
	}

	/**
	 * The number of slabs of an image. With a small result, frames overlap each other, and whole frames need fewer launches.
	 *
	 * @param single whether the problem has one frame
	 */
	static int parts(final long lags, final boolean single, final Result kind) {
		final long parts = single ? SLABS : switch (kind) {
			case PEAKS -> 1;
			case BEST -> Math.max(1, lags / LAGS_OF_BEST);
			case MAP, MAP_16_BIT, MAP_8_BIT -> Math.max(SLABS_OF_STREAMS, lags / RESPONSES_OF_STREAMS);
		};
		return (int) Math.min(Math.min(CONTEXTS, SLABS), parts);
	}

	/** The largest number of lags of a slab for which each context has memory. */
	private static long maxLags(final CudaDevice device, final double bytesPerLag) {
		return (long) (SHARE_OF_MEMORY * device.device.memory() / CONTEXTS / bytesPerLag);
	}

	/** As many maps of some templates are fetched at once, or stay on the GPU in the memory for one map that is fetched. */
	private static int fetched(final Result kind, final int templates) {
		return kind.isMap() ? templates : (templates + MAPS_ON_GPU - 1) / MAPS_ON_GPU;
	}

	/** Whether that many lags of some templates are computed at once, without cutting them into slabs. */
	public static boolean fits(final CudaDevice device, final long lags, final double bytesPerLag, final Result kind, final int templates) {
		return lags <= maxLags(device, bytesPerLag) && lags <= MAX_RESPONSES / fetched(kind, templates);
	}

	@Override
	public void close() {
		methods.forEach(CudaMethod::close);
	}

	@Override
	public List<Part> tasks(final Submission s) {
		long target = Long.MAX_VALUE, maxLags = Long.MAX_VALUE;
		for (final CudaMethod m : methods) {
			target = Math.min(target, m.lagsAtOnce(s.lags.lags(), parts(s.lags.lags(), single, kind)));
			maxLags = Math.min(maxLags, maxLags(device, m.bytesPerLag()));
			maxLags = Math.min(maxLags, Math.max(1 << 16, MAX_RESPONSES / Math.max(fetched(kind, m.templates()), layout.channels())));
		}
		final long maxPixels = Math.min(MAX_PIXELS, Integer.MAX_VALUE / layout.bytesPerPixel());
		final List<Slab> slabs = Slab.all(s.lags.size(),
			Slab.step(s.lags.size(), target, maxLags, templates.stream().map(Template::size).toList(), maxPixels));
		final int groups = groups(slabs.size(), methods.size(), single, kind);
		final List<Part> all = new ArrayList<>();
		for (final Slab slab : slabs) for (int g = 0; g < groups; g++)
			all.add(new Part(s, slab, g * methods.size() / groups, (g + 1) * methods.size() / groups));
		return all;
	}

	/**
	 * The number of groups of methods that are computed side by side: if a single image has few slabs, one group computes while another one copies its results.
	 * Each group sends the pixels. The best response of all templates needs them in one group.
	 */
	static int groups(final int slabs, final int methods, final boolean single, final Result kind) {
		return single && kind != Result.BEST ? Math.max(1, Math.min(methods, GROUPS / slabs)) : 1;
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

	/** Templates of a method with the same lags in a slab, which are computed together: {@code count} from {@code first} on, {@code template} among all. */
	private record Round(CudaMethod method, int first, int count, int template, BoxGeometry box) {}

	/** A slab of a submission, for some of the methods. */
	final class Part extends Schedule.Task {

		private final Slab slab;
		/** The methods, from one up to another. */
		private final int from, to;
		private final int[] lags = { 1, 1, 1 };
		/** The box whose pixels are on the GPU. */
		private BoxGeometry sent;

		private Part(final Submission s, final Slab slab, final int from, final int to) {
			super(s);
			this.slab = slab;
			this.from = from;
			this.to = to;
			System.arraycopy(slab.size(), 0, lags, 0, slab.size().length);
		}

		private List<Round> rounds() {
			final long[] image = threeDimensional(s.in.size(), 1);
			final long[][] origins = s.lags.origins();
			final List<Round> all = new ArrayList<>();
			int first = 0;
			for (int m = 0; m < to; m++) {
				final CudaMethod method = methods.get(m);
				for (int i = 0, count; m >= from && i < method.templates(); i += count) {
					final int t = first + i;
					final long[] lag = threeDimensional(origins[t], 0);
					count = 1;
					// templates with another origin need other pixels
					while (i + count < method.templates() && Arrays.equals(origins[t], origins[t + count])) count++;
					for (int d = 0; d < slab.min().length; d++) lag[d] += slab.min()[d];
					all.add(new Round(method, i, count, t,
						new BoxGeometry(templates.get(t).size(), lag, lags, image, method.pitch(lags[0]))));
				}
				first += method.templates();
			}
			return all;
		}

		private void compute(final StreamContext context) {
			s.monitor.requireNotCanceled();
			final long maxElements = methods.stream().mapToLong(m ->
				m.templates() * DeviceMaps.elements(lags, m.mapPitch(lags[0]))).max().orElse(0);
			final List<Round> rounds = rounds();
			final ResultFetcher answer = ResultFetcher.of(kind, templates.size(), rounds.size(), maxElements,
				new MapFetcher(precision, pieces, context, s.out, s.monitor, slab.min(), slab.size()));
			for (int done = 0; done < rounds.size();) {
				final int until = Math.min(rounds.size(), done + answer.together());
				for (int r = done; r < until; r++) enqueue(answer, rounds.get(r), r);
				context.await(s.monitor);
				for (; done < until; done++) finish(answer, rounds.get(done), done);
			}
			answer.end();
		}

		/** Computes a round, and fetches what shows whether it must be computed again. */
		private void enqueue(final ResultFetcher answer, final Round r, final int round) {
			final StreamContext context = answer.context;
			send(context, r.box);
			s.monitor.requireNotCanceled();
			final CUdeviceptr counts = answer.counts(round, Math.multiplyExact(r.count, r.box.count()));
			answer.clear(counts);
			r.method.enqueue(context, r.box, raw(context, r.box), outcome(context, r, counts), r.first, r.count);
			answer.fetch(maps(context, r), counts, round, r.template, false);
		}

		/** Computes a round again if it must be, and passes its result on. */
		private void finish(final ResultFetcher answer, final Round r, final int round) {
			final StreamContext context = answer.context;
			final int count = Math.multiplyExact(r.count, r.box.count());
			final CUdeviceptr counts = answer.counts(round, count);
			ByteBuffer c = answer.counted(round);
			boolean inDouble = false;
			if (c.getInt(4) > 0) {
				send(context, r.box);
				final Outcome outcome = outcome(context, r, counts);
				inDouble = r.method.fallBack(context, r.box, raw(context, r.box), outcome, c.getInt(4), r.first, r.count);
				// other rounds have overwritten a map that was not used because of suspects
				final boolean again = !inDouble && answer.together() > 1 && c.getInt(8) == 0;
				if (again) {
					answer.clear(counts);
					r.method.enqueue(context, r.box, raw(context, r.box), outcome, r.first, r.count);
				}
				if (inDouble || again) {
					answer.fetch(maps(context, r), counts, round, r.template, true);
					context.await(s.monitor);
					c = answer.counted(round);
				}
			}
			s.count(c.getInt(0), inDouble ? count - c.getInt(0) : c.getInt(8));
			s.monitor.requireNotCanceled();
			answer.take(maps(context, r), counts, r.template);
		}

		private DeviceMaps maps(final StreamContext context, final Round r) {
			final int pitch = r.method.mapPitch(lags[0]);
			// the map is fetched before the suspects are computed again, so its memory must be initialized
			return new DeviceMaps(context.clearedBuffer("map", precision.bytes * r.count * DeviceMaps.elements(lags, pitch)),
				r.count, lags, pitch);
		}

		private Outcome outcome(final StreamContext context, final Round r, final CUdeviceptr counts) {
			final DeviceMaps maps = maps(context, r);
			return new Outcome(maps.pointer(), counts, context.buffer("suspects", 4L * maps.responses()), s.out.undefined(), maps.pitch());
		}

		private CUdeviceptr raw(final StreamContext context, final BoxGeometry box) {
			return context.buffer("raw", Math.max(1, layout.bytes(box)));
		}

		/** Reads the box's pixels inside the image, of all channels, and their mask, and sends them to the GPU. */
		private void send(final StreamContext context, final BoxGeometry box) {
			if (sent != null && Arrays.equals(sent.first, box.first) && Arrays.equals(sent.part, box.part)) return;
			// the memory of the pixels before may still be copied
			if (sent != null) context.await(s.monitor);
			sent = box;
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
			final ByteBuffer part = context.pinned("pixels", all).slice(Math.toIntExact(staging), Math.toIntExact(bytes))
				.order(ByteOrder.nativeOrder());
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
			s.monitor.requireNotCanceled();
			context.send(to, pinned, bytes);
		}
	}
}
