package sc.fiji.ncc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Staging;

/**
 * How frames of one size and pixel type are done: the rankings, one queue of boxes for each set of templates that goes through together, each with a
 * thread and an execution that last as long as such frames come, and the buffers that frames and results lie in.
 *
 * @param <R> what comes of a frame
 */
final class FramePlan<R> {

	/** The share of the heap that frames on their way may take, and how many there are at least: one is read, one computed, one handed over. */
	private static final int SHARE_OF_HEAP = 4, LEAST_FRAMES = 3;
	/** As many keep a card and its threads at work. More would not stay in the processor's caches. */
	private static final int FRAMES_OF_A_DEVICE = 6;

	/** Makes what the results of such frames lie in. */
	@FunctionalInterface
	interface Maker<R> {

		/** @param monitor cancels */
		FrameSinks<R> sinks(RandomAccessibleInterval<?> like, List<Arrangement> arrangements, Monitor monitor);
	}

	/** One frame on its way. */
	static final class Frame<R> {

		final FrameSinks<R> sinks;
		private final FrameBuffer buffer;
		private RandomAccessibleInterval<?> pixels;
		private int boxesLeft;
		private Report report;
		long index, start;
		volatile CompletableFuture<R> result;

		private Frame(final FrameSinks<R> sinks, final FrameBuffer buffer) {
			this.sinks = sinks;
			this.buffer = buffer;
		}
	}

	private final SlidingOp<?> op;
	private final PixelType type;
	private final long[] size;
	private final List<Arrangement> arrangements;
	private final List<TemplateBank> banks;
	private final List<List<long[][]>> boxes = new ArrayList<>();
	private final List<Ranking> rankings = new ArrayList<>();
	private final List<BoxQueue> queues = new ArrayList<>();
	private final List<FrameFeed> feeds = new ArrayList<>();
	private final List<Thread> threads = new ArrayList<>();
	private final Maker<R> make;
	private final Monitor monitor;
	private final Executor finishers;
	private final int most;
	private final long mostBytes;
	private final Deque<Frame<R>> free = new ArrayDeque<>();
	private final List<FrameBuffer> buffers = new ArrayList<>();

	/**
	 * @param like the first of the frames
	 * @param count how many frames the planner expects
	 * @param monitor hears of what is done, and cancels
	 * @param finishers what makes results of what was computed
	 */
	FramePlan(final SlidingOp<?> op, final RandomAccessibleInterval<?> like, final long count, final Result kind, final Maker<R> make, final Monitor monitor,
		final Executor finishers)
	{
		this.op = op;
		this.make = make;
		this.monitor = monitor;
		this.finishers = finishers;
		type = ImagePixels.type(like);
		size = like.dimensionsAsLongArray();
		arrangements = op.arrange(like);
		banks = TemplateBank.of(op.templates(), arrangements);
		for (final TemplateBank bank : banks) {
			final BoxGrid grid = BoxGrid.of(bank.lags().lags, op.mostLags());
			rankings.add(op.rank(like, bank, grid, count, kind));
			boxes.add(grid.boxes());
		}
		mostBytes = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / LEAST_FRAMES;
		most = most(kind);
		for (int b = 0; b < banks.size(); b++) {
			final FrameFeed feed = new FrameFeed(monitor);
			feeds.add(feed);
			queues.add(new BoxQueue(feed, monitor));
		}
	}

	/** As many as keep all threads at work while one is read and one handed over, if memory allows. */
	private int most(final Result kind) {
		double bytes = FrameBuffer.holds(type, size, mostBytes) ? (double) type.bytes * Size.of(size).pixels() : 0;
		final boolean onDevice = rankings.get(0).best().map(c -> !c.device().id().equals("cpu")).orElse(false);
		if (kind != Result.PEAKS) for (final Arrangement a : kind == Result.BEST ? arrangements.subList(0, 1) : arrangements) bytes += 8.0 * Size.of(a.size).pixels();
		return (int) Math.max(LEAST_FRAMES, Math.min(Math.min(onDevice ? FRAMES_OF_A_DEVICE : Integer.MAX_VALUE, op.threads() + LEAST_FRAMES), Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / (bytes + 1)));
	}

	/** Whether a frame is done as those of this plan. */
	boolean fits(final RandomAccessibleInterval<?> frame) {
		return Arrays.equals(size, frame.dimensionsAsLongArray()) && type == ImagePixels.type(frame);
	}

	/** How many responses a frame has. */
	long responses() {
		long n = 0;
		for (final TemplateBank bank : banks) n += bank.responses();
		return n;
	}

	/** How many frames are on their way at once, at most. */
	int most() {
		return most;
	}

	/**
	 * Has the queues go on until {@link #end} or a failure.
	 *
	 * @param failed told why a queue ended too early
	 */
	void start(final Consumer<Throwable> failed) {
		for (int b = 0; b < banks.size(); b++) {
			final BoxQueue queue = queues.get(b);
			final Ranking ranking = rankings.get(b);
			final TemplateBank bank = banks.get(b);
			if (bank.lags().empty()) continue;
			final Thread thread = new Thread(() -> {
				try {
					queue.run(ranking, bank.templates());
				}
				catch (final Throwable t) {
					failed.accept(t);
				}
			}, "ncc-frames");
			thread.setDaemon(true);
			threads.add(thread);
			thread.start();
		}
	}

	/** A frame that nobody uses, a new one if there may be one more; null if not. */
	synchronized Frame<R> take(final RandomAccessibleInterval<?> like) {
		if (!free.isEmpty()) return free.pop();
		if (buffers.size() == most) return null;
		final FrameSinks<R> sinks = make.sinks(like, arrangements, monitor);
		buffers.add(new FrameBuffer(type, size, mostBytes, this::staging, op.threads()));
		return new Frame<>(sinks, buffers.get(buffers.size() - 1));
	}

	/** Memory that the device reads by itself that does most of the work, by the estimate; null where there is none. */
	private Staging staging(final long bytes) {
		return rankings.get(0).best().map(c -> c.plan().staging(bytes)).orElse(null);
	}

	/** Its result was taken. */
	synchronized void give(final Frame<R> frame) {
		frame.result = null;
		free.push(frame);
	}

	/** Reads a frame's pixels. */
	void read(final Frame<R> frame, final RandomAccessibleInterval<?> pixels, final long index) {
		frame.index = index;
		frame.pixels = frame.buffer.hold(pixels);
		frame.start = System.nanoTime();
		frame.result = new CompletableFuture<>();
		frame.report = Report.NONE;
		frame.sinks.begin(frame.pixels);
	}

	/** Has a frame done that was read. */
	void submit(final Frame<R> frame) {
		final List<BoxQueue.Box> all = new ArrayList<>();
		final List<FrameFeed> where = new ArrayList<>();
		for (int b = 0; b < banks.size(); b++) {
			final TemplateBank bank = banks.get(b);
			final RandomAccessibleInterval<?> pixels = frame.pixels;
			for (final long[][] box : boxes.get(b)) {
				all.add(new BoxQueue.Box(() -> bank.pixels(pixels), bank.lagBox(box), frame.sinks.of(bank, 0, box), monitor, done -> done(frame, done)));
				where.add(feeds.get(b));
			}
		}
		synchronized (frame) {
			frame.boxesLeft = all.size();
		}
		if (all.isEmpty()) finish(frame);
		for (int i = 0; i < all.size(); i++) where.get(i).add(all.get(i));
	}

	private void done(final Frame<R> frame, final Report done) {
		synchronized (frame) {
			frame.report = frame.report.plus(done);
			if (--frame.boxesLeft > 0) return;
		}
		finish(frame);
	}

	private void finish(final Frame<R> frame) {
		final CompletableFuture<R> result = frame.result;
		finishers.execute(() -> {
			try {
				result.complete(frame.sinks.finish(frame.report, rankings(), 1e-9 * (System.nanoTime() - frame.start)));
			}
			catch (final Throwable t) {
				result.completeExceptionally(t);
			}
		});
	}

	/** Of the frame whose result has come. */
	static Report report(final Frame<?> frame) {
		synchronized (frame) {
			return frame.report;
		}
	}

	/** The rankings as they have turned out so far. */
	List<Ranking> rankings() {
		final List<Ranking> now = new ArrayList<>();
		for (int b = 0; b < queues.size(); b++) now.add(queues.get(b).outcome(rankings.get(b)));
		return now;
	}

	/** No more frames come. */
	void end() {
		feeds.forEach(FrameFeed::end);
	}

	/** Waits for the queues; their executions are closed then. Only after {@link #end}. */
	void join() throws InterruptedException {
		for (final Thread t : threads) t.join();
	}

	/** Gives the frames' memory back. Only when nobody reads them any more. */
	synchronized void close() {
		buffers.forEach(FrameBuffer::close);
		buffers.clear();
		free.clear();
	}
}
