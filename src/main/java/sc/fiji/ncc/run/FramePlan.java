package sc.fiji.ncc.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.SlidingPlan.Staging;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.sink.FrameSinks;

/**
 * The plan for frames of one size and pixel type. It holds the rankings, one queue of boxes for each bank of templates, and the buffers of frames and results.
 * Each queue has a thread and an execution, which it keeps as long as frames of this kind come.
 *
 * @param <R> the result of a frame
 */
public final class FramePlan<R> {

	/** The share of the heap for frames in flight, one part in this many; and their minimum number: one is read, one computed, one consumed. */
	private static final int SHARE_OF_HEAP = 4, MIN_FRAMES = 3;
	/** Enough frames to keep a GPU and its threads busy. More would exceed the processor's caches. */
	private static final int FRAMES_OF_A_DEVICE = 6;

	/** Makes the sinks of a frame's results. */
	@FunctionalInterface
	public interface Maker<R> {

		/** @param monitor polled for cancellation */
		FrameSinks<R> sinks(RandomAccessibleInterval<?> like, List<ResponseLayout> layouts, Monitor monitor);
	}

	/** A frame in flight. */
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

	private final SlidingCall op;
	private final PixelType type;
	private final int channels;
	private final long[] size;
	private final List<ResponseLayout> layouts;
	private final List<List<long[][]>> boxes = new ArrayList<>();
	private final List<BankFeed> feeds = new ArrayList<>();
	private final Maker<R> make;
	private final Monitor monitor;
	private final Executor finishers;
	private final int maxFrames;
	private final long maxBytes;
	private final Deque<Frame<R>> free = new ArrayDeque<>();
	private final List<FrameBuffer> buffers = new ArrayList<>();

	/**
	 * @param like the first of the frames
	 * @param count the number of frames that the planner expects
	 * @param monitor receives progress, and can cancel
	 * @param finishers runs the tasks that turn responses into results
	 */
	FramePlan(final SlidingCall op, final RandomAccessibleInterval<?> like, final long count, final Result kind, final Maker<R> make, final Monitor monitor,
		final Executor finishers)
	{
		this.op = op;
		this.make = make;
		this.monitor = monitor;
		this.finishers = finishers;
		type = ImagePixels.type(like);
		channels = JointImage.channels(like);
		size = like.dimensionsAsLongArray();
		layouts = op.frameLayouts(like);
		for (final TemplateBank bank : TemplateBank.of(op.templates(), layouts)) {
			final BoxGrid grid = BoxGrid.of(bank.lags().lags, op.maxLags());
			feeds.add(new BankFeed(bank, op.rank(like, bank, grid, count, kind), Integer.MAX_VALUE, monitor));
			boxes.add(grid.boxes());
		}
		maxBytes = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / MIN_FRAMES / channels;
		maxFrames = maxFrames(kind);
	}

	/** Enough frames to keep all threads busy while one frame is read and one is consumed, if memory allows. */
	private int maxFrames(final Result kind) {
		double bytes = FrameBuffer.holds(type, size, maxBytes) ? (double) channels * type.bytes * Size.of(size).pixels() : 0;
		final boolean onDevice = feeds.get(0).ranking().best().map(c -> !c.device().id().equals("cpu")).orElse(false);
		if (kind != Result.PEAKS) for (final ResponseLayout a : kind == Result.BEST ? layouts.subList(0, 1) : layouts) bytes += 8.0 * Size.of(a.size).pixels();
		return (int) Math.max(MIN_FRAMES, Math.min(Math.min(onDevice ? FRAMES_OF_A_DEVICE : Integer.MAX_VALUE, op.threads() + MIN_FRAMES),
			Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / (bytes + 1)));
	}

	/** Whether a frame has the size and pixel type of this plan. */
	boolean fits(final RandomAccessibleInterval<?> frame) {
		return Arrays.equals(size, frame.dimensionsAsLongArray()) && type == ImagePixels.type(frame) && channels == JointImage.channels(frame);
	}

	/** The number of responses of a frame. */
	long responses() {
		long n = 0;
		for (final BankFeed feed : feeds) n += feed.bank.responses();
		return n;
	}

	/**
	 * Starts the queues. They run until {@link #end} or a failure.
	 *
	 * @param failed receives the failure of a queue
	 */
	void start(final Consumer<Throwable> failed) {
		for (final BankFeed feed : feeds) if (!feed.bank.lags().empty()) feed.start("ncc-frames", failed);
	}

	/** A free frame, or a new one if the maximum is not reached; null if there is none. */
	synchronized Frame<R> take(final RandomAccessibleInterval<?> like) {
		if (!free.isEmpty()) return free.pop();
		if (buffers.size() == maxFrames) return null;
		final FrameSinks<R> sinks = make.sinks(like, layouts, monitor);
		buffers.add(new FrameBuffer(type, size, channels, maxBytes, this::staging, op.threads()));
		return new Frame<>(sinks, buffers.get(buffers.size() - 1));
	}

	/** Memory that the device of the first bank's best candidate reads directly; null if the device has none. */
	private Staging staging(final long bytes) {
		return feeds.get(0).ranking().best().map(c -> c.plan(SlidingPlan.class).staging(bytes)).orElse(null);
	}

	/** Makes a frame free after its result was consumed. */
	synchronized void release(final Frame<R> frame) {
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
		frame.sinks.begin(frame.pixels, index);
	}

	/** Submits all boxes of a frame. */
	void submit(final Frame<R> frame) {
		final List<BoxQueue.Box> frameBoxes = new ArrayList<>();
		final List<BankFeed> boxFeeds = new ArrayList<>();
		for (int b = 0; b < feeds.size(); b++) {
			final BankFeed feed = feeds.get(b);
			for (final long[][] box : boxes.get(b)) {
				frameBoxes.add(BoxQueue.Box.of(feed.bank, frame.pixels, frame.index, box, frame.sinks.of(feed.bank, 0, box), monitor,
					done -> done(frame, done)));
				boxFeeds.add(feed);
			}
		}
		synchronized (frame) {
			frame.boxesLeft = frameBoxes.size();
		}
		if (frameBoxes.isEmpty()) finish(frame);
		for (int i = 0; i < frameBoxes.size(); i++) boxFeeds.get(i).add(frameBoxes.get(i));
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
		final Runnable work = () -> {
			try {
				result.complete(frame.sinks.finish(frame.report, rankings(), 1e-9 * (System.nanoTime() - frame.start)));
			}
			catch (final Throwable t) {
				result.completeExceptionally(t);
			}
		};
		try {
			finishers.execute(work);
		}
		catch (final OutOfMemoryError e) {
			// no thread could be started: this one does the work, because the box must not count twice
			work.run();
		}
	}

	/** The counts of a finished frame. */
	static Report report(final Frame<?> frame) {
		synchronized (frame) {
			return frame.report;
		}
	}

	/** The rankings after the failures so far. */
	List<Ranking> rankings() {
		return feeds.stream().map(BankFeed::ranking).toList();
	}

	/** Declares that no more frames come. */
	void end() {
		feeds.forEach(BankFeed::end);
	}

	/** Waits until the queues have ended and their executions are closed. Call it after {@link #end}. */
	void join() throws InterruptedException {
		for (final BankFeed feed : feeds) feed.join();
	}

	/** Releases the memory of the frames. Call it when no thread reads them. */
	synchronized void close() {
		buffers.forEach(FrameBuffer::close);
		buffers.clear();
		free.clear();
	}
}
