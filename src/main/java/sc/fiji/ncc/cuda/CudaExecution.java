package sc.fiji.ncc.cuda;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/**
 * Cuts submissions into slabs. Some threads, each with a stream of its own, take one after the other: read its pixels into pinned memory, send
 * them, launch, fetch the responses and hand them on. So copies of one slab hide behind the work of others, and the copy into the result is
 * done by several threads.
 */
final class CudaExecution implements Execution {

	/** Threads with a stream each. */
	static final int MOST_SLOTS = 8;
	/** The share of the card's free memory that one execution may take. */
	private static final double SHARE_OF_MEMORY = 0.5;
	/** Responses that are fetched at once. */
	private static final long MOST_RESPONSES = 1 << 24;
	private static final AtomicInteger THREADS = new AtomicInteger();
	private static final ExecutorService POOL = Executors.newCachedThreadPool(task -> {
		final Thread t = new Thread(task, "ncc-cuda-" + THREADS.incrementAndGet());
		t.setDaemon(true);
		return t;
	});

	private final CudaDevice device;
	private final Function<List<Template>, List<CudaMethod>> prepare;
	private final int slots = Math.max(2, Math.min(MOST_SLOTS, Runtime.getRuntime().availableProcessors()));
	private final Pieces pieces = new Pieces(POOL, slots);
	private final Semaphore places = new Semaphore(depth());
	private List<CudaMethod> methods = List.of();
	private List<Template> templates;
	/** Slots that nobody uses at the moment; all there are; submissions with slabs left, oldest first; threads at work. Guarded by this. */
	private final Deque<Slot> idle = new ArrayDeque<>();
	private final List<Slot> all = new ArrayList<>();
	private final Deque<Submission> underWay = new ArrayDeque<>();
	private int working;
	private boolean closed;

	CudaExecution(final CudaDevice device, final List<Template> templates, final Function<List<Template>, List<CudaMethod>> prepare) {
		this.device = device;
		this.prepare = prepare;
		use(templates);
	}

	private void use(final List<Template> those) {
		final List<CudaMethod> made;
		try {
			device.enter();
			made = prepare.apply(those);
		}
		catch (final CudaException e) {
			throw new DeviceException(e.getMessage(), e);
		}
		methods.forEach(CudaMethod::close);
		methods = made;
		templates = List.copyOf(those);
	}

	@Override
	public int depth() {
		return slots + 1;
	}

	@Override
	public void replace(final List<Template> sameShapes) {
		places.acquireUninterruptibly(depth());
		try {
			requireOpen();
			use(sameShapes);
		}
		finally {
			places.release(depth());
		}
	}

	@Override
	public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
		places.acquireUninterruptibly();
		final Submission s;
		try {
			requireOpen();
			s = new Submission(in, lags, out, monitor);
		}
		catch (final RuntimeException e) {
			places.release();
			throw e;
		}
		final int more;
		synchronized (this) {
			underWay.add(s);
			more = Math.min(slots - working, s.slabs.size());
			working += more;
		}
		for (int i = 0; i < more; i++) POOL.execute(this::work);
		return s.future;
	}

	private void requireOpen() {
		if (closed) throw new IllegalStateException("this execution is closed");
	}

	@Override
	public void close() {
		places.acquireUninterruptibly(depth());
		try {
			if (closed) return;
			closed = true;
			if (device.lost() != null) return; // its memory went with it
			device.enter();
			methods.forEach(CudaMethod::close);
			synchronized (this) {
				all.forEach(Slot::close);
			}
		}
		finally {
			methods = List.of();
			places.release(depth());
		}
	}

	/** What one thread does until no slab is left. */
	private void work() {
		while (true) {
			final Submission s;
			final int slab;
			synchronized (this) {
				s = underWay.peek();
				if (s == null) {
					working--;
					return;
				}
				slab = s.take();
			}
			Throwable failure = null;
			try {
				if (s.monitor.canceled()) throw new CancellationException("canceled");
				s.compute(s.slabs.get(slab));
			}
			catch (final CudaException e) {
				failure = new DeviceException(e.getMessage(), e);
			}
			catch (final OutOfMemoryError e) {
				failure = new DeviceException("not enough memory on the Java heap: give Java more (-Xmx), or restrict the work to a search window", e);
			}
			catch (final Throwable t) {
				failure = t;
			}
			s.slabDone(failure);
		}
	}

	private Slot slot() {
		device.enter();
		synchronized (this) {
			final Slot free = idle.poll();
			if (free != null) return free;
			final Slot made = new Slot(device);
			all.add(made);
			return made;
		}
	}

	/** First lag, counted from the submission's, and how many. */
	private record Slab(long[] min, int[] size) {}

	/** One image on its way through. */
	private final class Submission {

		private final Pixels in;
		private final LagBox lags;
		private final Sink out;
		private final Monitor monitor;
		private final long[] image;
		private final List<Slab> slabs;
		private final AtomicLong undefined = new AtomicLong(), rechecked = new AtomicLong();
		private final CompletableFuture<Report> future = new CompletableFuture<>();
		/** The next slab, and how many are being computed; guarded by the execution. */
		private int next, flying;
		private Throwable failure;

		Submission(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			this.in = in;
			this.lags = lags;
			this.out = out;
			this.monitor = monitor;
			image = three(in.size(), 1);
			slabs = slabs();
		}

		private List<Slab> slabs() {
			long most = Long.MAX_VALUE;
			for (final CudaMethod m : methods) {
				most = Math.min(most, m.lagsAtOnce(lags.lags(), slots));
				most = Math.min(most, (long) (SHARE_OF_MEMORY * device.device.memory() / slots / m.bytesPerLag()));
				most = Math.min(most, Math.max(1 << 16, MOST_RESPONSES / m.templates()));
			}
			final int[] step = lags.size().clone();
			for (int d = step.length - 1; d >= 0; d--) {
				long count = 1;
				for (final int s : step) count *= s;
				if (count > most) {
					final long parts = Math.min(step[d], (count + most - 1) / most);
					step[d] = (int) ((step[d] + parts - 1) / parts);
				}
			}
			final List<Slab> list = new ArrayList<>();
			final long[] min = new long[step.length];
			for (int d = 0; d < step.length;) {
				final int[] size = new int[step.length];
				for (int k = 0; k < step.length; k++) size[k] = (int) Math.min(step[k], lags.size()[k] - min[k]);
				list.add(new Slab(min.clone(), size));
				for (d = 0; d < step.length && (min[d] += step[d]) >= lags.size()[d]; d++) min[d] = 0;
			}
			return list;
		}

		/** The next slab; there is one as long as the submission is under way. Called under the execution's lock. */
		int take() {
			flying++;
			if (next + 1 == slabs.size()) underWay.remove(this);
			return next++;
		}

		void slabDone(final Throwable problem) {
			final boolean last;
			synchronized (CudaExecution.this) {
				flying--;
				if (problem != null) {
					if (failure == null) failure = problem;
					underWay.remove(this);
					next = slabs.size();
				}
				last = next == slabs.size() && flying == 0;
			}
			if (!last) return;
			if (failure == null) future.complete(new Report(lags.lags() * templates.size(), undefined.get(), rechecked.get()));
			else future.completeExceptionally(failure);
			// free only when the future is done: who has closed the execution finds all of them done
			places.release();
		}

		private void compute(final Slab slab) {
			final Slot slot = slot();
			try {
				BoxGeometry sent = null;
				int first = 0;
				for (final CudaMethod method : methods) {
					for (int i = 0, count; i < method.templates(); i += count) {
						final int t = first + i;
						final long[] lag = three(lags.origins()[t], 0);
						count = 1;
						// templates that lie elsewhere see other pixels
						while (i + count < method.templates() && Arrays.equals(lags.origins()[t], lags.origins()[t + count])) count++;
						for (int d = 0; d < slab.min.length; d++) lag[d] += slab.min[d];
						final int[] size = { 1, 1, 1 };
						System.arraycopy(slab.size, 0, size, 0, slab.size.length);
						final BoxGeometry box = new BoxGeometry(templates.get(t).size(), lag, size, image, method.pitch(size[0]));
						if (sent == null || !Arrays.equals(sent.first, box.first) || !Arrays.equals(sent.part, box.part)) send(slot, box);
						sent = box;
						respond(slot, method, t, i, count, slab, box);
					}
					first += method.templates();
				}
			}
			finally {
				try {
					// whatever failed, the stream must have left the slot's memory
					device.check(JCudaDriver.cuStreamSynchronize(slot.stream), "waiting for " + device.device.name());
				}
				finally {
					synchronized (CudaExecution.this) {
						idle.push(slot);
					}
				}
			}
		}

		/** Reads the image's part of a box and sends it. */
		private void send(final Slot slot, final BoxGeometry box) {
			final int pixels = box.pixels();
			if (pixels == 0) return;
			final PixelType type = in.type();
			final long bytes = (long) pixels * type.bytes;
			final int n = in.size().length;
			final Buffer heap = slot.heap(type, pixels);
			final Pointer pinned = slot.pinnedPointer("pixels", bytes);
			final Buffer staged = Pieces.view(slot.pinned("pixels", bytes), type);
			pieces.copy(Arrays.copyOf(box.part, n), (from, size, first, elements) -> {
				final long[] min = Arrays.copyOf(box.first, n);
				min[n - 1] += from;
				final Buffer part = Pieces.of(heap, first, elements);
				in.read(min, size, part);
				Buffers.copy(part, Pieces.of(staged, first, elements));
			});
			requireGoOn();
			// whole words: kernels read those
			slot.send(slot.buffer("raw", bytes), pinned, (bytes + 3) / 4 * 4);
		}

		/** Some templates of a method, from the i-th of it on; the t-th of all. */
		private void respond(final Slot slot, final CudaMethod method, final int t, final int i, final int templates, final Slab slab, final BoxGeometry box) {
			final int each = box.count(), count = Math.multiplyExact(templates, each);
			final CUdeviceptr map = slot.buffer("map", 4L * count), counts = slot.buffer("counts", 16);
			final Pointer responses = slot.pinnedPointer("responses", 4L * count), counted = slot.pinnedPointer("counted", 16);
			requireGoOn();
			slot.clear(counts, 4);
			final Outcome outcome = new Outcome(map, counts, slot.buffer("suspects", 4L * count), out.undefined());
			final CUdeviceptr raw = slot.buffer("raw", Math.max(1, (long) box.pixels() * in.type().bytes));
			final ByteBuffer c = slot.pinned("counted", 16);
			method.enqueue(slot, box, raw, outcome, i, templates);
			slot.fetch(counted, counts, 16);
			slot.fetch(responses, map, 4L * count);
			await(slot);
			final boolean again = method.again(slot, box, raw, outcome, c.getInt(4));
			if (again) {
				slot.fetch(counted, counts, 16);
				slot.fetch(responses, map, 4L * count);
				await(slot);
			}
			undefined.addAndGet(c.getInt(0));
			rechecked.addAndGet(again ? count - c.getInt(0) : c.getInt(8));
			final FloatBuffer all = slot.pinned("responses", 4L * count).asFloatBuffer();
			for (int k = 0; k < templates; k++) {
				requireGoOn();
				final int template = t + k, begin = k * each;
				pieces.copy(slab.size, (from, size, first, elements) -> {
					final long[] min = slab.min.clone();
					min[min.length - 1] += from;
					out.map(template, min, size, Pieces.of(all, begin + first, elements));
				});
				monitor.done(each);
			}
		}

		private void requireGoOn() {
			if (monitor.canceled()) throw new CancellationException("canceled");
		}

		/** Waits for the stream, at first without sleeping. */
		private void await(final Slot slot) {
			final long start = System.nanoTime();
			long asked = start;
			while (true) {
				final int code = JCudaDriver.cuStreamQuery(slot.stream);
				if (code == CUresult.CUDA_SUCCESS) return;
				if (code != CUresult.CUDA_ERROR_NOT_READY) device.check(code, "computing on " + device.device.name());
				final long now = System.nanoTime();
				if (now - asked > 1_000_000) {
					requireGoOn();
					asked = now;
				}
				if (now - start < 200_000) Thread.onSpinWait();
				else LockSupport.parkNanos(20_000);
			}
		}
	}

	private static long[] three(final long[] a, final long further) {
		final long[] b = { further, further, further };
		System.arraycopy(a, 0, b, 0, a.length);
		return b;
	}
}
