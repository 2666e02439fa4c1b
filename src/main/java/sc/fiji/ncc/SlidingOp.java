package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.parts.TemplateMapParts;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.BoxQueue;
import sc.fiji.ncc.run.FrameOperation;
import sc.fiji.ncc.run.FrameStream;
import sc.fiji.ncc.sink.ResponseMaps;
import sc.fiji.ncc.sink.Sinks;
import sc.fiji.ncc.sink.StoredMaps;

/**
 * An operation that slides a template or a kernel over an image and computes a response at each lag. This class has the options for lags and
 * borders, ranks the candidates and runs the plan. Several threads can use an operation at the same time: each call uses the settings at its start.
 *
 * @param <O> the type of the operation itself
 */
public abstract class SlidingOp<O extends SlidingOp<O>> extends ComputingOp<O> {

	/** Default of {@link #maxLags}. A box is the part that is repeated if a device fails. */
	static final long MAX_LAGS = 1L << 26;

	private long maxLags = MAX_LAGS;
	private long heap = Runtime.getRuntime().maxMemory();
	private Extent extent;
	private Border border;
	private Undefined undefined;
	private Interval search;

	/** Sets the defaults of the operation. */
	SlidingOp(final Extent extent, final Undefined undefined) {
		this.extent = extent;
		this.undefined = undefined;
	}

	/** The templates or kernels for the plans, all of one pixel type. */
	abstract List<Template> templates();

	/** The number of dimensions of the templates. */
	abstract int dimensions();

	/** The layout of the responses to a template of this size. */
	abstract ResponseLayout layout(Size template, RandomAccessibleInterval<?> image);

	/** The problem for the planner. @param templates those that are computed together */
	abstract Sliding problem(Windows windows, List<Template> templates, Result kind);

	/** Checks an image whose frames are all at hand. Default: nothing. */
	void require(final RandomAccessibleInterval<?> image) {}

	/** The name of the template in messages: template or kernel. */
	abstract String noun();

	/** Sets which lags are computed. Default: {@link Extent#VALID} for a correlation, {@link Extent#SAME} for a convolution. */
	public final O extent(final Extent extent) {
		this.extent = Given.nonNull(extent, "extent");
		return self();
	}

	/**
	 * Sets the pixels outside the image. Default for a correlation: {@link Border#UNDEFINED} with SAME, {@link Border#OVERLAP} with FULL. Default for
	 * a convolution: {@link Border#EDGE} with SAME, zeros with FULL. VALID has no border.
	 *
	 * @param border null for the default
	 */
	public final O border(final Border border) {
		this.border = border;
		return self();
	}

	/** Sets the value of an undefined response. Default: {@link Undefined#ZERO} for a correlation, {@link Undefined#NAN} for a convolution. */
	public final O undefined(final Undefined undefined) {
		this.undefined = Given.nonNull(undefined, "value of undefined responses");
		return self();
	}

	/**
	 * Restricts the responses to a box of positions. Default: all responses.
	 *
	 * @param responses the positions (see {@link Extent}), in pixels relative to the image's first pixel, one dimension for each dimension of the
	 *        template. With VALID a position is the first pixel of a window, so windows extend beyond the box. Null for all responses
	 */
	public final O search(final Interval responses) {
		search = responses;
		return self();
	}

	/** Sets the maximum number of lags in one box, which is computed in one piece. Default: 2^26. */
	final O maxLags(final long maxLags) {
		this.maxLags = maxLags;
		return self();
	}

	/**
	 * Sets the heap that limits the sizes and the number of boxes in flight, for maps that are written to stores. Default: the heap of this process. Processes that share
	 * the boxes of one map need the same value and the same number of threads.
	 *
	 * @param bytes at least 1
	 */
	public final O heap(final long bytes) {
		if (bytes < 1) throw new IllegalArgumentException("the heap has " + bytes + " bytes: give at least 1");
		heap = bytes;
		return self();
	}

	/** Which positions have responses, in words. */
	final String positions() {
		return extent.name().toLowerCase(Locale.ROOT) + " positions";
	}

	final Extent extent() {
		return extent;
	}

	/** Null for the default. */
	final Border border() {
		return border;
	}

	final Undefined undefined() {
		return undefined;
	}

	final Interval search() {
		return search;
	}

	final long maxLags() {
		return maxLags;
	}

	/** The memory for boxes in flight, for maps that are written to stores, in bytes. */
	final long storedMemory() {
		return StoredMaps.memory(heap);
	}

	/** The layout of the responses to each template. */
	final List<ResponseLayout> layout(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "image");
		JointImage.requireSameChannels(noun(), templates().get(0).channels(), image);
		return templates().stream().map(t -> layout(t.size(), image)).toList();
	}

	/** The number of frames in an image. */
	final long frames(final RandomAccessibleInterval<?> image) {
		return StackFrames.count(dimensions(), image.dimensionsAsLongArray());
	}

	/**
	 * The candidates for this image, the best first, for the first template and all that are computed together with it.
	 *
	 * @throws IllegalArgumentException as the operation itself
	 * @throws java.util.concurrent.CancellationException if the monitor cancels a measurement
	 */
	public final Ranking explain(final RandomAccessibleInterval<?> image) {
		return explainAll(image).get(0);
	}

	/**
	 * The candidates for each group of templates that are computed together. With extent VALID, for example, these have the same size.
	 *
	 * @throws IllegalArgumentException as the operation itself
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public final List<Ranking> explainAll(final RandomAccessibleInterval<?> image) {
		final O op = snapshot();
		return op.rank(image, TemplateBank.of(op.templates(), op.layout(image)), Result.MAP);
	}

	/**
	 * Explains as {@link #explainAll(RandomAccessibleInterval)}, for maps that are written to stores. The boxes consist of whole chunks of the stores.
	 *
	 * @throws IllegalArgumentException as the operation itself; and if a store does not fit its map
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public final List<Ranking> explainAll(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		return snapshot().explainStored(image, stores);
	}

	/**
	 * The candidates for a stream of frames like this one, for each set of templates that are computed together.
	 *
	 * @param frame the first frame
	 * @param count the number of frames; negative if unknown
	 * @throws IllegalArgumentException as the operation itself
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public final List<Ranking> explainEach(final RandomAccessibleInterval<?> frame, final long count) {
		return snapshot().rankStream(frame, count, Result.MAP);
	}

	/** The rankings of a {@link FrameStream}. */
	final List<Ranking> rankStream(final RandomAccessibleInterval<?> frame, final long count, final Result kind) {
		final List<Ranking> rankings = new ArrayList<>();
		for (final TemplateBank b : TemplateBank.of(templates(), layout(frame)))
			rankings.add(rank(frame, b, BoxGrid.of(b.lags().lags, maxLags), FrameStream.expectedCount(count), kind));
		return rankings;
	}

	final List<Ranking> explainStored(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		final List<ResponseLayout> layouts = layout(image);
		try (StoredMaps maps = new StoredMaps(stores, image, layouts, undefined, options().precision(), maxLags, options().threads(), storedMemory())) {
			return rank(image, TemplateBank.of(templates(), layouts), b -> maps.grid(b, maxLags), Result.MAP);
		}
	}

	/** The size and the origin of each map, one per template. Throws as the operation itself. */
	public final List<MapShape> mapShapes(final RandomAccessibleInterval<?> image) {
		final List<MapShape> shapes = new ArrayList<>();
		for (final ResponseLayout l : snapshot().layout(image))
			shapes.add(new MapShape(ResponseMaps.size(image, l), ResponseMaps.origin(image.numDimensions(), l)));
		return shapes;
	}

	/** The rankings for boxes of whole rows and planes. */
	final List<Ranking> rank(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks, final Result kind) {
		return rank(image, banks, b -> BoxGrid.of(b.lags().lags, maxLags), kind);
	}

	/** @param boxes the division of a bank's lags */
	final List<Ranking> rank(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks, final Function<TemplateBank, BoxGrid> boxes,
		final Result kind)
	{
		final List<Ranking> rankings = new ArrayList<>();
		for (final TemplateBank b : banks) rankings.add(rank(image, b, boxes.apply(b), frames(image), kind));
		return rankings;
	}

	/**
	 * @param frames the number of images like this one
	 * @param kind the kind of result
	 */
	final Ranking rank(final RandomAccessibleInterval<?> image, final TemplateBank bank, final BoxGrid boxes, final long frames, final Result kind) {
		return options().rank(problem(bank.windows(ImagePixels.type(image), options().precision(), frames, boxes), bank.templates(), kind));
	}

	/**
	 * Computes all maps.
	 *
	 * @param to the images for the maps, one per template; null for new images
	 */
	final Response respond(final RandomAccessibleInterval<?> image, final List<? extends Img<?>> to) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = layout(image);
		final List<TemplateBank> banks = TemplateBank.of(templates(), layouts);
		final List<Ranking> rankings = rank(image, banks, Result.MAP);
		final ResponseMaps maps = new ResponseMaps(image, layouts, undefined, options().precision(), to);
		final Report report = run(image, banks, rankings, maps);
		return maps.finish(report, rankings, 1e-9 * (System.nanoTime() - start));
	}

	/** Computes all maps and writes them to stores. */
	final StoredResponse respondInto(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = layout(image);
		final List<TemplateBank> banks = TemplateBank.of(templates(), layouts);
		try (StoredMaps maps = new StoredMaps(stores, image, layouts, undefined, options().precision(), maxLags, options().threads(), storedMemory())) {
			final List<Ranking> rankings = rank(image, banks, b -> maps.grid(b, maxLags), Result.MAP);
			maps.fillBorders(frames(image), options().monitor());
			final Report report = run(image, banks, rankings, maps);
			return new StoredResponse(mapShapes(image), report, maps.before(), rankings, 1e-9 * (System.nanoTime() - start));
		}
	}

	/**
	 * The work of writing all maps to stores, box by box, for several threads and processes.
	 *
	 * @param stores as for the operation on one machine; they can be written to by several processes
	 * @throws IllegalArgumentException as the operation itself
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public final MapParts parts(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		Given.nonNull(image, "image");
		Given.list(stores, "store");
		final O op = snapshot();
		return new TemplateMapParts(op.frameOperation(), image, stores, op.undefined(), op.options().precision(), op.storedMemory());
	}

	/** Computes all maps of each frame of a stream. */
	final StreamReport respondToEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Response> consumer) {
		templates();
		return new FrameStream<>(frameOperation(), frames, Result.MAP, (like, layouts, stop) -> new ResponseMaps(like, layouts, undefined, options().precision())).run(consumer);
	}

	/** Computes each bank. Replaces its ranking by the ranking after failures. */
	final Report run(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks, final List<Ranking> rankings, final Sinks sinks) {
		require(image);
		final int n = dimensions();
		final long frames = frames(image);
		long total = 0;
		for (final TemplateBank bank : banks) total += frames * bank.responses();
		if (total == 0) return Report.NONE;
		final Monitor monitor = options().monitor();
		monitor.total(total);
		Report report = Report.NONE;
		for (int b = 0; b < banks.size(); b++) {
			final TemplateBank bank = banks.get(b);
			final List<BoxQueue.Box> queue = new ArrayList<>();
			final List<long[][]> boxes = sinks.grid(bank, maxLags).boxes();
			for (long f = 0; f < frames; f++) {
				final RandomAccessibleInterval<?> frame = StackFrames.get(image, n, f);
				final long index = f;
				for (final long[][] box : boxes) {
					final Sink sink = sinks.of(bank, f, box);
					if (sink == null) monitor.done(Size.of(box[1]).pixels() * bank.indices().length);
					else queue.add(BoxQueue.Box.of(bank, frame, index, box, sink, monitor, done -> {}));
				}
			}
			if (queue.isEmpty()) continue;
			final BoxQueue work = new BoxQueue(queue, sinks.maxBoxes(bank, maxLags), monitor);
			report = report.plus(work.run(rankings.get(b), bank.operands()));
			rankings.set(b, work.outcome(rankings.get(b)));
		}
		return report;
	}

	/** This operation, for a stream of frames. */
	final FrameOperation frameOperation() {
		return new FrameOperation() {

			@Override
			public int dimensions() {
				return SlidingOp.this.dimensions();
			}

			@Override
			public String noun() {
				return SlidingOp.this.noun();
			}

			@Override
			public int threads() {
				return options().threads();
			}

			@Override
			public long maxLags() {
				return maxLags;
			}

			@Override
			public Monitor monitor() {
				return options().monitor();
			}

			@Override
			public List<Template> templates() {
				return SlidingOp.this.templates();
			}

			@Override
			public List<ResponseLayout> layouts(final RandomAccessibleInterval<?> frame) {
				return layout(frame);
			}

			@Override
			public Ranking rank(final RandomAccessibleInterval<?> frame, final TemplateBank bank, final BoxGrid boxes, final long frames, final Result kind) {
				return SlidingOp.this.rank(frame, bank, boxes, frames, kind);
			}
		};
	}
}
