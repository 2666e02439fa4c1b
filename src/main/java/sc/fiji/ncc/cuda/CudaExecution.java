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
	private static final AtomicInteger THREADS = new AtomicInteger();
	private static final ExecutorService POOL = Executors.newCachedThreadPool(task -> {
		final Thread t = new Thread(task, "ncc-cuda-" + THREADS.incrementAndGet());
		t.setDaemon(true);
		return t;
	});

	private final CudaDevice device;
	private final Function<Template, CudaMethod> prepare;
	private final int slots = Math.max(2, Math.min(MOST_SLOTS, Runtime.getRuntime().availableProcessors()));
	private final Semaphore places = new Semaphore(depth());
	private List<CudaMethod> methods = List.of();
	private List<Template> templates;
	/** Slots that nobody uses at the moment; all there are; submissions with slabs left, oldest first; threads at work. Guarded by this. */
	private final Deque<Slot> idle = new ArrayDeque<>();
	private final List<Slot> all = new ArrayList<>();
	private final Deque<Submission> underWay = new ArrayDeque<>();
	private int working;
	private boolean closed;

	CudaExecution(final CudaDevice device, final List<Template> templates, final Function<Template, CudaMethod> prepare) {
		this.device = device;
		this.prepare = prepare;
		use(templates);
	}

	private void use(final List<Template> those) {
		final List<CudaMethod> made = new ArrayList<>();
		try {
			device.enter();
			for (final Template t : those) made.add(prepare.apply(t));
		}
		catch (final CudaException e) {
			made.forEach(CudaMethod::close);
			throw new DeviceException(e.getMessage(), e);
		}
		catch (final RuntimeException | Error e) {
			made.forEach(CudaMethod::close);
			throw e;
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
			if (failure == null) future.complete(new Report(lags.lags() * methods.size(), undefined.get(), rechecked.get()));
			else future.completeExceptionally(failure);
			// free only when the future is done: who has closed the execution finds all of them done
			places.release();
		}

		private void compute(final Slab slab) {
			final Slot slot = slot();
			try {
				BoxGeometry sent = null;
				for (int t = 0; t < methods.size(); t++) {
					final long[] lag = three(lags.origins()[t], 0);
					for (int d = 0; d < slab.min.length; d++) lag[d] += slab.min[d];
					final int[] size = { 1, 1, 1 };
					System.arraycopy(slab.size, 0, size, 0, slab.size.length);
					final BoxGeometry box = new BoxGeometry(templates.get(t).size(), lag, size, image, methods.get(t).pitch(size[0]));
					if (sent == null || !Arrays.equals(sent.first, box.first) || !Arrays.equals(sent.part, box.part)) send(slot, box);
					sent = box;
					respond(slot, t, slab, box);
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
			in.read(Arrays.copyOf(box.first, n), Arrays.copyOf(box.part, n), heap);
			requireGoOn();
			final Pointer pinned = slot.pinnedPointer("pixels", bytes);
			Buffers.copy(heap, view(slot.pinned("pixels", bytes), type));
			slot.send(slot.buffer("raw", bytes), pinned, bytes);
		}

		private void respond(final Slot slot, final int t, final Slab slab, final BoxGeometry box) {
			final int count = box.count();
			final CUdeviceptr map = slot.buffer("map", 4L * count), counts = slot.buffer("counts", 16);
			final Pointer responses = slot.pinnedPointer("responses", 4L * count), counted = slot.pinnedPointer("counted", 16);
			requireGoOn();
			slot.clear(counts, 4);
			final Outcome outcome = new Outcome(map, counts, slot.buffer("suspects", 4L * count), out.undefined());
			final CUdeviceptr raw = slot.buffer("raw", Math.max(1, (long) box.pixels() * in.type().bytes));
			final ByteBuffer c = slot.pinned("counted", 16);
			methods.get(t).enqueue(slot, box, raw, outcome);
			slot.fetch(counted, counts, 16);
			slot.fetch(responses, map, 4L * count);
			await(slot);
			final boolean again = methods.get(t).again(slot, box, raw, outcome, c.getInt(4));
			if (again) {
				slot.fetch(counted, counts, 16);
				slot.fetch(responses, map, 4L * count);
				await(slot);
			}
			undefined.addAndGet(c.getInt(0));
			rechecked.addAndGet(again ? count - c.getInt(0) : c.getInt(8));
			requireGoOn();
			out.map(t, slab.min.clone(), slab.size.clone(), slot.pinned("responses", 4L * count).asFloatBuffer());
			monitor.done(count);
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

	private static Buffer view(final ByteBuffer bytes, final PixelType type) {
		switch (type) {
			case U8: case S8: return bytes;
			case U16: case S16: return bytes.asShortBuffer();
			case U32: case S32: return bytes.asIntBuffer();
			case F32: return bytes.asFloatBuffer();
			default: return bytes.asDoubleBuffer();
		}
	}
}
