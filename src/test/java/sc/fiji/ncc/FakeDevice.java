package sc.fiji.ncc;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/**
 * An asynchronous device for tests: two submissions in flight, one thread that works through them in order as a stream does, and faults on
 * request. Like a real device it reads pixels and writes responses long after {@code submit} has returned, and fails late. It answers
 * windows inside the image by the definition, in double.
 */
final class FakeDevice implements Backend {

	static final int DEPTH = 2;

	/** {@code prepare} fails, as when memory cannot be had. */
	boolean failAllocation;
	/** The submission with this number, counted from 0 over the device's life, fails; others go on. */
	int failLaunch = -1;
	/** The submission with this number is refused at once, before any of it is done. */
	int refuse = -1;
	/** From this submission on everything fails. */
	int loseAt = -1;
	/** A submission fails as if the heap were full when others came beside it. */
	boolean shortOfMemory;
	/** How long a box takes at least, in milliseconds. */
	long latency;
	/** Called by the device's thread before each box. */
	Runnable beforeBox = () -> {};

	final AtomicInteger open = new AtomicInteger(), prepared = new AtomicInteger(), submissions = new AtomicInteger(), replaced = new AtomicInteger();
	final AtomicInteger inFlight = new AtomicInteger(), mostInFlight = new AtomicInteger(), completed = new AtomicInteger();

	@Override
	public String id() {
		return "fake";
	}

	@Override
	public Optional<String> unavailable() {
		return Optional.empty();
	}

	@Override
	public List<Device> devices() {
		return List.of(new Device("fake", "a device for tests", 1, 1 << 20));
	}

	@Override
	public List<Algorithm> algorithms() {
		return List.of(new Algorithm() {

			@Override
			public String id() {
				return "fake-direct";
			}

			@Override
			public Optional<String> unsupported(final Problem p) {
				return p.lags().partial() ? Optional.of("it knows windows inside the image only") : Optional.empty();
			}

			@Override
			public Plan plan(final Problem problem, final Device device) {
				return new FakePlan();
			}
		});
	}

	/** Said to cost nothing, so that it is always tried first. */
	private final class FakePlan implements Plan {

		@Override
		public Cost cost() {
			return new Cost(0, 0, 0, 0);
		}

		@Override
		public Execution prepare(final List<Template> templates) {
			prepared.incrementAndGet();
			if (failAllocation) throw new DeviceException("out of device memory");
			return new Stream(templates);
		}
	}

	/** A box on its way, with a number. */
	private record Job(int number, Pixels in, LagBox lags, Sink out, Monitor monitor, CompletableFuture<Report> future) {}

	private final class Stream implements Execution {

		private static final Job END = new Job(-1, null, null, null, null, null);

		private final LinkedBlockingQueue<Job> queue = new LinkedBlockingQueue<>();
		private final Semaphore places = new Semaphore(DEPTH);
		private final Thread thread = new Thread(this::work, "fake-device");
		private List<Template> templates;
		private boolean closed;

		Stream(final List<Template> templates) {
			this.templates = templates;
			open.incrementAndGet();
			thread.setDaemon(true);
			thread.start();
		}

		@Override
		public int depth() {
			return DEPTH;
		}

		@Override
		public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			if (closed) throw new IllegalStateException("closed");
			if (submissions.get() == refuse) {
				submissions.incrementAndGet();
				throw new DeviceException("the box is refused");
			}
			places.acquireUninterruptibly();
			mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
			final CompletableFuture<Report> future = new CompletableFuture<>();
			queue.add(new Job(submissions.getAndIncrement(), in, lags, out, monitor, future));
			return future;
		}

		private void work() {
			try {
				for (Job job = queue.take(); job != END; job = queue.take()) run(job);
			}
			catch (final InterruptedException e) {
				throw new AssertionError(e);
			}
		}

		private void run(final Job job) throws InterruptedException {
			Report report = null;
			RuntimeException failure = null;
			try {
				beforeBox.run();
				for (long t = 0; t < latency; t += 5) {
					if (job.monitor.canceled()) throw new CancellationException("canceled");
					Thread.sleep(5);
				}
				if (shortOfMemory && inFlight.get() > 1) throw new DeviceException("not enough memory", new OutOfMemoryError());
				if (loseAt >= 0 && job.number >= loseAt) throw new DeviceException("the device is lost");
				report = compute(job);
				// a failed launch is noticed when the stream is waited for: by then a part may have been written
				if (job.number == failLaunch) throw new DeviceException("the launch failed");
			}
			catch (final RuntimeException e) {
				failure = e;
			}
			inFlight.decrementAndGet();
			places.release();
			if (failure != null) job.future.completeExceptionally(failure);
			else {
				completed.incrementAndGet();
				job.future.complete(report);
			}
		}

		private Report compute(final Job job) {
			final int lags = (int) job.lags.lags();
			for (int t = 0; t < templates.size(); t++) {
				job.out.map(t, new long[job.lags.size().length], job.lags.size(), FloatBuffer.wrap(responses(job, t, lags)));
				job.monitor.done(lags);
			}
			return new Report((long) lags * templates.size(), 0, 0);
		}

		private float[] responses(final Job job, final int template, final int lags) {
			final int[] size = job.lags.size();
			final Template t = templates.get(template);
			final float[] r = new float[lags];
			final boolean spoilt = job.number == failLaunch;
			final Buffer raw = job.in.type().allocate((int) t.size().pixels());
			for (int i = 0; i < lags; i++) {
				final long[] at = job.lags.origins()[template].clone();
				for (int d = 0, rest = i; d < at.length; d++) {
					at[d] += rest % size[d];
					rest /= size[d];
				}
				job.in.read(at, t.size().toIntArray(), raw);
				r[i] = spoilt ? 17 : score(raw, job.in.type().min == 0, t);
			}
			return r;
		}

		private float score(final Buffer raw, final boolean unsigned, final Template t) {
			double n = 0, p = 0, pp = 0, s = 0, ss = 0, ps = 0;
			for (int i = 0; i < t.values().length; i++) {
				final double w = t.weight(i), a = w == 0 ? 0 : Buffers.value(raw, unsigned, i), b = w == 0 ? 0 : t.values()[i];
				n += w;
				p += w * a;
				pp += w * a * a;
				s += w * b;
				ss += w * b * b;
				ps += w * a * b;
			}
			final double v = (n * pp - p * p) * (n * ss - s * s);
			return v > 0 ? (float) ((n * ps - p * s) / Math.sqrt(v)) : 0;
		}

		@Override
		public void replace(final List<Template> sameShapes) {
			replaced.incrementAndGet();
			templates = sameShapes;
		}

		@Override
		public void close() {
			if (closed) return;
			closed = true;
			queue.add(END);
			try {
				thread.join();
			}
			catch (final InterruptedException e) {
				throw new AssertionError(e);
			}
			open.decrementAndGet();
		}
	}
}
