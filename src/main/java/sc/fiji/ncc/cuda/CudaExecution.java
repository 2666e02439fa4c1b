package sc.fiji.ncc.cuda;

import java.nio.Buffer;
import java.nio.ByteBuffer;
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
import java.util.function.Function;

import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/**
 * Cuts submissions into slabs. Some threads, each with a stream of its own, take one after the other: read its pixels into pinned memory, send
 * them, launch, fetch the responses and hand them on. So copies of one slab hide behind the work of others, and the copy into the result is
 * done by several threads.
 */
final class CudaExecution implements Execution {

	/** Threads with a stream each. */
	static final int MOST_SLOTS = 12;
	/** Into how many parts an image is cut whose copies shall hide behind each other. */
	private static final int SLABS = 8;
	/** The share of the card's free memory that one execution may take. */
	private static final double SHARE_OF_MEMORY = 0.5;
	/** Responses that are fetched at once. */
	private static final long MOST_RESPONSES = 1 << 24;
	private static final AtomicInteger THREADS = new AtomicInteger();
	static final ExecutorService POOL = Executors.newCachedThreadPool(task -> {
		final Thread t = new Thread(task, "ncc-cuda-" + THREADS.incrementAndGet());
		t.setDaemon(true);
		return t;
	});

	private final CudaDevice device;
	private final Function<List<Template>, List<CudaMethod>> prepare;
	private final int slots = Math.max(2, Math.min(MOST_SLOTS, Runtime.getRuntime().availableProcessors()));
	private final Pieces pieces = new Pieces(POOL, slots);
	private final Semaphore places = new Semaphore(depth());
	/** Of the responses, and what comes back of them. */
	private final Precision precision;
	private final Result kind;
	/** Into how many slabs an image shall be cut. */
	private final int parts;
	private List<CudaMethod> methods = List.of();
	private List<Template> templates;
	/** The most templates of one method. */
	private int atOnce;
	/** Slots that nobody uses at the moment; all there are; submissions with slabs left, oldest first; threads at work. Guarded by this. */
	private final Deque<Slot> idle = new ArrayDeque<>();
	private final List<Slot> all = new ArrayList<>();
	private final Deque<Submission> underWay = new ArrayDeque<>();
	private int working;
	private boolean closed;

	CudaExecution(final CudaDevice device, final List<Template> templates, final Problem problem, final Function<List<Template>, List<CudaMethod>> prepare) {
		this.device = device;
		precision = problem.precision();
		// the kernels that look at responses read floats
		kind = precision == Precision.SINGLE ? problem.result() : Result.MAP;
		// where little comes back, frames hide behind each other, and a frame at once is less to launch
		parts = kind != Result.MAP && problem.frames() > 1 ? 1 : Math.min(slots, SLABS);
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
		atOnce = made.stream().mapToInt(CudaMethod::templates).max().orElse(1);
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
			long wanted = Long.MAX_VALUE, most = Long.MAX_VALUE;
			for (final CudaMethod m : methods) {
				wanted = Math.min(wanted, m.lagsAtOnce(lags.lags(), parts));
				most = Math.min(most, (long) (SHARE_OF_MEMORY * device.device.memory() / slots / m.bytesPerLag()));
				most = Math.min(most, Math.max(1 << 16, MOST_RESPONSES / m.templates()));
			}
			return Slab.all(lags.size(), Slab.step(lags.size(), wanted, most));
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
				final Answer answer = Answer.of(kind, precision, templates.size(), atOnce, pieces, slot, out, monitor, slab.min(), slab.size());
				BoxGeometry sent = null;
				int first = 0;
				for (final CudaMethod method : methods) {
					for (int i = 0, count; i < method.templates(); i += count) {
						final int t = first + i;
						final long[] lag = three(lags.origins()[t], 0);
						count = 1;
						// templates that lie elsewhere see other pixels
						while (i + count < method.templates() && Arrays.equals(lags.origins()[t], lags.origins()[t + count])) count++;
						for (int d = 0; d < slab.min().length; d++) lag[d] += slab.min()[d];
						final int[] size = { 1, 1, 1 };
						System.arraycopy(slab.size(), 0, size, 0, slab.size().length);
						final BoxGeometry box = new BoxGeometry(templates.get(t).size(), lag, size, image, method.pitch(size[0]));
						if (sent == null || !Arrays.equals(sent.first, box.first) || !Arrays.equals(sent.part, box.part)) send(slot, box);
						sent = box;
						respond(answer, method, t, i, count, box);
					}
					first += method.templates();
				}
				answer.end();
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
			final CUdeviceptr raw = slot.buffer("raw", bytes);
			// whole words: kernels read those
			if (bytes % 4 != 0) slot.clear(raw.withByteOffset(bytes / 4 * 4), 1);
			final Buffer memory = in.memory();
			if (memory != null && box.isWhole(in.size())) {
				slot.send(raw, Pointer.to(memory).withByteOffset(box.offset(in.size()) * type.bytes), bytes);
				return;
			}
			final Pointer pinned = slot.pinnedPointer("pixels", bytes);
			final Buffer staged = Pieces.view(slot.pinned("pixels", bytes), type), heap = in.rowsAreQuick() ? null : slot.heap(type, pixels);
			pieces.copy(Arrays.copyOf(box.part, n), (from, size, first, elements) -> {
				final long[] min = Arrays.copyOf(box.first, n);
				min[n - 1] += from;
				final Buffer to = Pieces.of(staged, first, elements);
				if (heap == null) {
					in.read(min, size, to);
					return;
				}
				final Buffer part = Pieces.of(heap, first, elements);
				in.read(min, size, part);
				Buffers.copy(part, to);
			});
			requireGoOn();
			slot.send(raw, pinned, bytes);
		}

		/** Some templates of a method, from the i-th of it on; the t-th of all. */
		private void respond(final Answer answer, final CudaMethod method, final int t, final int i, final int templates, final BoxGeometry box) {
			final Slot slot = answer.slot;
			final int count = Math.multiplyExact(templates, box.count());
			final CUdeviceptr map = slot.buffer("map", (long) precision.bytes * count), counts = answer.counts(count);
			requireGoOn();
			answer.clear(counts);
			final Outcome outcome = new Outcome(map, counts, slot.buffer("suspects", 4L * count), out.undefined());
			final CUdeviceptr raw = slot.buffer("raw", Math.max(1, (long) box.pixels() * in.type().bytes));
			method.enqueue(slot, box, raw, outcome, i, templates);
			ByteBuffer c = answer.fetch(map, counts, templates, box.count());
			slot.await(monitor);
			final boolean again = method.again(slot, box, raw, outcome, c.getInt(4));
			if (again) {
				c = answer.fetch(map, counts, templates, box.count());
				slot.await(monitor);
			}
			undefined.addAndGet(c.getInt(0));
			rechecked.addAndGet(again ? count - c.getInt(0) : c.getInt(8));
			requireGoOn();
			answer.take(map, counts, t, templates, box.count());
		}

		private void requireGoOn() {
			if (monitor.canceled()) throw new CancellationException("canceled");
		}
	}

	private static long[] three(final long[] a, final long further) {
		final long[] b = { further, further, further };
		System.arraycopy(a, 0, b, 0, a.length);
		return b;
	}
}
