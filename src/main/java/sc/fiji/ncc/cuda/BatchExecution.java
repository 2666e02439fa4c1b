package sc.fiji.ncc.cuda;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

import jcuda.CudaException;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/**
 * Frames of few lags: all that wait, with all their templates, go to the card together. Some threads, each with a stream of its own, take what waits: read
 * the pixels, send them, launch, fetch the responses and hand them on.
 */
final class BatchExecution implements Execution {

	/** Frames on their way, and at most at once; threads. */
	private static final int DEPTH = 64, MOST_FRAMES = 32, SLOTS = 4;
	/** The share of the card's memory that all slots may take, and bytes of pixels that are sent at once. */
	private static final double SHARE_OF_MEMORY = 0.25;
	private static final long MOST_BYTES = 1 << 27;
	/** Where a template's pixels begin among those that are sent: at multiples of this, for pixels of any type. */
	private static final int ALIGNMENT = 8;
	/** Windows are sent each by itself if all of them together are that much smaller than the smallest box about them. */
	private static final double APART = 0.5;

	private final CudaDevice device;
	private final Function<List<Template>, PartsMethod> prepare;
	private final Semaphore places = new Semaphore(DEPTH);
	private PartsMethod method;
	private List<Template> templates;
	/** Slots that nobody uses at the moment; all there are; frames that wait, oldest first; threads at work. Guarded by this. */
	private final Deque<Slot> idle = new ArrayDeque<>();
	private final List<Slot> all = new ArrayList<>();
	private final Deque<Frame> waiting = new ArrayDeque<>();
	private int working;
	private boolean closed;

	/** A submission. */
	private static final class Frame {

		final Pixels in;
		final LagBox lags;
		final Sink out;
		final Monitor monitor;
		final CompletableFuture<Report> future = new CompletableFuture<>();
		/** Where the pixels about each template's windows lie in the picture, and how many there are. */
		final List<long[]> min = new ArrayList<>();
		final List<int[]> size = new ArrayList<>();
		/** Of each template: which of those, and where its first window begins in it. */
		final int[] box;
		final long[][] within;
		/** Where that begins among what is sent, in pixels. */
		long[] at;
		/** How it ended. */
		Throwable failure;
		Report report;

		Frame(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor, final List<Template> templates) {
			this.in = in;
			this.lags = lags;
			this.out = out;
			this.monitor = monitor;
			final int n = templates.size();
			box = new int[n];
			within = new long[n][];
			final long[] least = { Long.MAX_VALUE, Long.MAX_VALUE }, end = new long[2];
			long apart = 0;
			for (int t = 0; t < n; t++) {
				final int[] its = extents(templates.get(t));
				apart += (long) its[0] * its[1];
				for (int d = 0; d < 2; d++) {
					least[d] = Math.min(least[d], origin(t, d));
					end[d] = Math.max(end[d], origin(t, d) + its[d]);
				}
			}
			if (apart < APART * (end[0] - least[0]) * (end[1] - least[1]))
				for (int t = 0; t < n; t++) {
					box[t] = t;
					within[t] = new long[2];
					min.add(new long[] { origin(t, 0), origin(t, 1) });
					size.add(extents(templates.get(t)));
				}
			else {
				min.add(least);
				size.add(new int[] { Math.toIntExact(end[0] - least[0]), Math.toIntExact(end[1] - least[1]) });
				for (int t = 0; t < n; t++) within[t] = new long[] { origin(t, 0) - least[0], origin(t, 1) - least[1] };
			}
		}

		private long origin(final int t, final int d) {
			return d < lags.size().length ? lags.origins()[t][d] : 0;
		}

		private int lags(final int d) {
			return d < lags.size().length ? lags.size()[d] : 1;
		}

		private int[] extents(final Template t) {
			return new int[] { (int) t.size().get(0) + lags(0) - 1, (int) t.size().get(1) + lags(1) - 1 };
		}

		void requireGoOn() {
			if (monitor.canceled()) throw new CancellationException("canceled");
		}

		/** Bytes of its pixels, with what lies between them. */
		long bytes() {
			return size.stream().mapToLong(s -> aligned((long) s[0] * s[1])).sum() * in.type().bytes;
		}

		static long aligned(final long pixels) {
			return (pixels + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
		}
	}

	BatchExecution(final CudaDevice device, final List<Template> templates, final Function<List<Template>, PartsMethod> prepare) {
		this.device = device;
		this.prepare = prepare;
		use(templates);
	}

	private void use(final List<Template> those) {
		final PartsMethod made;
		try {
			device.enter();
			made = prepare.apply(those);
		}
		catch (final CudaException e) {
			throw new DeviceException(e.getMessage(), e);
		}
		if (method != null) method.close();
		method = made;
		templates = List.copyOf(those);
	}

	@Override
	public int depth() {
		return DEPTH;
	}

	@Override
	public void replace(final List<Template> sameShapes) {
		places.acquireUninterruptibly(DEPTH);
		try {
			requireOpen();
			use(sameShapes);
		}
		finally {
			places.release(DEPTH);
		}
	}

	private void requireOpen() {
		if (closed) throw new IllegalStateException("this execution is closed");
	}

	@Override
	public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
		places.acquireUninterruptibly();
		final Frame frame;
		try {
			requireOpen();
			frame = new Frame(in, lags, out, monitor, templates);
		}
		catch (final RuntimeException e) {
			places.release();
			throw e;
		}
		final boolean more;
		synchronized (this) {
			waiting.add(frame);
			more = working < SLOTS;
			if (more) working++;
		}
		if (more) CudaExecution.POOL.execute(this::work);
		return frame.future;
	}

	@Override
	public void close() {
		places.acquireUninterruptibly(DEPTH);
		try {
			if (closed) return;
			closed = true;
			if (device.lost() != null) return; // its memory went with it
			device.enter();
			method.close();
			synchronized (this) {
				all.forEach(Slot::close);
			}
		}
		finally {
			places.release(DEPTH);
		}
	}

	/** What one thread does until no frame waits. */
	private void work() {
		for (List<Frame> batch = take(); batch != null; batch = take()) {
			Throwable failure = null;
			try {
				compute(batch);
			}
			catch (final CudaException e) {
				failure = new DeviceException(e.getMessage(), e);
			}
			catch (final OutOfMemoryError e) {
				failure = new DeviceException("not enough memory on the Java heap: give Java more (-Xmx)", e);
			}
			catch (final Throwable t) {
				failure = t;
			}
			for (final Frame f : batch) {
				if (f.failure == null) f.failure = failure;
				if (f.failure == null) f.future.complete(f.report);
				else f.future.completeExceptionally(f.failure);
				// free only when the future is done: who has closed the execution finds all of them done
				places.release();
			}
		}
	}

	/** Frames that wait, with as many lags: a thread's share of them. Null if there is none, and the thread ends. */
	private synchronized List<Frame> take() {
		final Frame first = waiting.poll();
		if (first == null) {
			working--;
			return null;
		}
		final List<Frame> batch = new ArrayList<>(List.of(first));
		final long most = Math.min(MOST_FRAMES, (waiting.size() + 1 + SLOTS - 1) / SLOTS);
		final double ofCard = SHARE_OF_MEMORY * device.device.memory() / SLOTS, each = method.bytesPerFrame(first.lags(0), first.lags(1));
		long bytes = first.bytes();
		for (final Iterator<Frame> rest = waiting.iterator(); batch.size() < most && rest.hasNext();) {
			final Frame next = rest.next();
			bytes += next.bytes();
			if (!Arrays.equals(next.lags.size(), first.lags.size()) || bytes > MOST_BYTES || bytes + each * (batch.size() + 1) > ofCard) break;
			batch.add(next);
			rest.remove();
		}
		return batch;
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

	private void compute(final List<Frame> batch) {
		final Slot slot = slot();
		try {
			final List<Frame> read = read(slot, batch);
			if (read.isEmpty()) return;
			final int n = templates.size(), each = (int) read.get(0).lags.lags(), lagsX = read.get(0).lags(0);
			final long bytes = 4L * each * n * read.size(), counted = 16L * read.size();
			final PartsMethod.Answer answer = method.enqueue(slot, batch(slot.buffer("raw", 1), read, lagsX));
			slot.fetch(slot.pinnedPointer("responses", bytes), answer.map(), bytes);
			slot.fetch(slot.pinnedPointer("counted", counted), answer.counts(), counted);
			device.check(JCudaDriver.cuStreamSynchronize(slot.stream), "computing on " + device.device.name());
			final FloatBuffer responses = slot.pinned("responses", bytes).asFloatBuffer();
			final ByteBuffer counts = slot.pinned("counted", counted);
			for (int f = 0; f < read.size(); f++) hand(read.get(f), responses, f * n * each, each, counts.getInt(16 * f), counts.getInt(16 * f + 8));
		}
		finally {
			try {
				// whatever failed, the stream must have left the slot's memory
				device.check(JCudaDriver.cuStreamSynchronize(slot.stream), "waiting for " + device.device.name());
			}
			finally {
				synchronized (this) {
					idle.push(slot);
				}
			}
		}
	}

	/** Reads the pixels of frames and sends them. Those that cannot be read, or are canceled, are left out. */
	private static List<Frame> read(final Slot slot, final List<Frame> batch) {
		final long bytes = batch.stream().mapToLong(Frame::bytes).sum();
		final ByteBuffer to = slot.pinned("pixels", bytes);
		final List<Frame> read = new ArrayList<>();
		long next = 0;
		for (final Frame f : batch)
			try {
				f.requireGoOn();
				f.at = new long[f.min.size()];
				for (int i = 0; i < f.at.length; i++) {
					f.at[i] = next;
					next = read(slot, f, i, to, next);
				}
				read.add(f);
			}
			catch (final DeviceException | CudaException | OutOfMemoryError e) {
				throw e;
			}
			catch (final RuntimeException | Error e) {
				f.failure = e;
			}
		if (!read.isEmpty()) slot.send(slot.buffer("raw", bytes), slot.pinnedPointer("pixels", bytes), next * read.get(0).in.type().bytes);
		return read;
	}

	/** Reads one box, and says where the next begins. */
	private static long read(final Slot slot, final Frame f, final int i, final ByteBuffer to, final long at) {
		final int[] size = f.size.get(i);
		final int pixels = Math.multiplyExact(size[0], size[1]), dimensions = f.lags.size().length;
		final Buffer heap = slot.heap(f.in.type(), pixels);
		f.in.read(Arrays.copyOf(f.min.get(i), dimensions), Arrays.copyOf(size, dimensions), heap);
		Buffers.copy(heap, Pieces.of(Pieces.view(to, f.in.type()), Math.toIntExact(at), pixels));
		return at + Frame.aligned(pixels);
	}

	private PartsMethod.Batch batch(final CUdeviceptr raw, final List<Frame> frames, final int lagsX) {
		final int n = templates.size();
		final long[][] first = new long[frames.size()][n];
		final int[][] pitch = new int[frames.size()][n];
		final float[] undefined = new float[frames.size()];
		for (int i = 0; i < first.length; i++) {
			final Frame f = frames.get(i);
			undefined[i] = f.out.undefined();
			for (int t = 0; t < n; t++) {
				pitch[i][t] = f.size.get(f.box[t])[0];
				first[i][t] = f.at[f.box[t]] + f.within[t][1] * pitch[i][t] + f.within[t][0];
			}
		}
		return new PartsMethod.Batch(raw, first, pitch, undefined, lagsX, frames.get(0).lags(1));
	}

	/** Hands on the responses of a frame, template by template. */
	private void hand(final Frame f, final FloatBuffer responses, final int from, final int each, final int undefined, final int rechecked) {
		try {
			for (int t = 0; t < templates.size(); t++) {
				f.requireGoOn();
				f.out.map(t, new long[f.lags.size().length], f.lags.size().clone(), Pieces.of(responses, from + t * each, each));
				f.monitor.done(each);
			}
			f.report = new Report((long) each * templates.size(), undefined, rechecked);
		}
		catch (final RuntimeException | Error e) {
			f.failure = e;
		}
	}
}
