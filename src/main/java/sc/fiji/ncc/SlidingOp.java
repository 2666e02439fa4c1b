package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Problem;
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
 * What the ops share that slide a template, or a kernel, over an image and answer each place with a response: where responses lie, which are
 * wanted, how the method is chosen, and the run itself. Safe for use by several threads at once: each call works with the settings as they are when it begins.
 *
 * @param <O> the op itself
 */
public abstract class SlidingOp<O extends SlidingOp<O>> extends ComputingOp<O> {

	/** What is done again if a device fails. */
	static final long MOST_LAGS = 1L << 26;

	/** The most lags in one box. */
	private long maxLags = MOST_LAGS;
	private Extent extent;
	private Border border;
	private Undefined undefined;
	private Interval search;

	/** With the op's own defaults. */
	SlidingOp(final Extent extent, final Undefined undefined) {
		this.extent = extent;
		this.undefined = undefined;
	}

	/** The templates, or kernels, as plans take them, all of one pixel type. */
	abstract List<Template> templates();

	/** Dimensions of the templates. */
	abstract int dimensions();

	/** How the responses to a template of this size are laid out over an image. */
	abstract ResponseLayout layout(Size template, RandomAccessibleInterval<?> image);

	/** The question to the planner, of what this op computes. */
	abstract Problem asked(Problem problem, List<Template> templates);

	/** What slides over the image, in messages. */
	abstract String noun();

	/** {@link Extent#VALID} unless said for a correlation, {@link Extent#SAME} for a convolution. */
	public final O extent(final Extent extent) {
		this.extent = Objects.requireNonNull(extent, "extent");
		return self();
	}

	/**
	 * What stands where the template does not fit. Unless said, {@link Border#UNDEFINED} for SAME and {@link Border#OVERLAP} for FULL of a
	 * correlation, {@link Border#EDGE} for SAME and zeros for FULL of a convolution; VALID has no border.
	 */
	public final O border(final Border border) {
		this.border = border;
		return self();
	}

	/** What an undefined response reads: {@link Undefined#ZERO} unless said for a correlation, {@link Undefined#NAN} for a convolution. */
	public final O undefined(final Undefined undefined) {
		this.undefined = Objects.requireNonNull(undefined, "undefined");
		return self();
	}

	/**
	 * Only these responses: the places where a response lies (see {@link Extent}), in pixels from the image's first one, one dimension for
	 * each of the template. With VALID that is a window's first pixel, so windows reach beyond the interval. Null: all.
	 */
	public final O search(final Interval responses) {
		search = responses;
		return self();
	}

	/** At most so many lags in one box. */
	public final O maxLags(final long maxLags) {
		this.maxLags = maxLags;
		return self();
	}

	final Extent extent() {
		return extent;
	}

	/** Null for the op's own. */
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

	/** How the responses to each template are laid out. */
	final List<ResponseLayout> layout(final RandomAccessibleInterval<?> image) {
		final List<ResponseLayout> all = new ArrayList<>();
		for (final Template t : templates()) all.add(layout(t.size(), image));
		return all;
	}

	/** How many frames an image has for templates of this many dimensions. */
	final long frames(final RandomAccessibleInterval<?> image) {
		return StackFrames.count(dimensions(), image.dimensionsAsLongArray());
	}

	/**
	 * The candidates for this image, the one that would be taken first; for the first template, and all that go through with it.
	 *
	 * @throws IllegalArgumentException as the op itself
	 * @throws java.util.concurrent.CancellationException if the monitor canceled while methods were measured
	 */
	public final Ranking explain(final RandomAccessibleInterval<?> image) {
		return explainAll(image).get(0);
	}

	/**
	 * The candidates for each set of templates that go through together: with extent VALID, for instance, those of one size.
	 *
	 * @throws IllegalArgumentException as the op itself
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public final List<Ranking> explainAll(final RandomAccessibleInterval<?> image) {
		final O op = snapshot();
		return op.rank(image, TemplateBank.of(op.templates(), op.layout(image)), Result.MAP);
	}

	/**
	 * As {@link #explainAll(RandomAccessibleInterval)}, for maps that go to stores, by whose chunks the work is cut.
	 *
	 * @throws IllegalArgumentException as the op itself; and if a store does not fit its map
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public final List<Ranking> explainAll(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		return snapshot().explainStored(image, stores);
	}

	final List<Ranking> explainStored(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		final List<ResponseLayout> layouts = layout(image);
		try (StoredMaps maps = new StoredMaps(stores, image, layouts, undefined, options().precision(), maxLags, options().threads())) {
			return rank(image, TemplateBank.of(templates(), layouts), b -> maps.grid(b, maxLags), Result.MAP);
		}
	}

	/** How large the maps of an image will be, and where they will lie, one a template; throws as the op itself. */
	public final List<MapShape> mapShapes(final RandomAccessibleInterval<?> image) {
		final List<MapShape> shapes = new ArrayList<>();
		for (final ResponseLayout a : snapshot().layout(image))
			shapes.add(new MapShape(ResponseMaps.size(image, a), ResponseMaps.origin(image.numDimensions(), a)));
		return shapes;
	}

	/**
	 * In boxes of whole rows and planes.
	 *
	 * @param kind what comes back
	 */
	final List<Ranking> rank(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks, final Result kind) {
		return rank(image, banks, b -> BoxGrid.of(b.lags().lags, maxLags), kind);
	}

	private List<Ranking> rank(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks, final Function<TemplateBank, BoxGrid> boxes,
		final Result kind)
	{
		final List<Ranking> rankings = new ArrayList<>();
		for (final TemplateBank b : banks) rankings.add(rank(image, b, boxes.apply(b), frames(image), kind));
		return rankings;
	}

	final Ranking rank(final RandomAccessibleInterval<?> image, final TemplateBank bank, final BoxGrid boxes) {
		return rank(image, bank, boxes, frames(image), Result.MAP);
	}

	/**
	 * @param frames how many images like this one follow each other
	 * @param kind what comes back
	 */
	final Ranking rank(final RandomAccessibleInterval<?> image, final TemplateBank bank, final BoxGrid boxes, final long frames, final Result kind) {
		final Problem problem = asked(bank.problem(ImagePixels.type(image), frames, boxes), bank.templates()).in(options().precision()).to(kind);
		return options().rank(problem);
	}

	/**
	 * Every response to every template.
	 *
	 * @param to where the maps go, one a template; null for new ones
	 */
	final Response respond(final RandomAccessibleInterval<?> image, final List<Img<FloatType>> to) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = layout(image);
		final List<TemplateBank> banks = TemplateBank.of(templates(), layouts);
		final List<Ranking> rankings = rank(image, banks, Result.MAP);
		final ResponseMaps maps = new ResponseMaps(image, layouts, undefined, options().precision(), to);
		final Report report = run(image, banks, rankings, maps);
		return maps.finish(report, rankings, 1e-9 * (System.nanoTime() - start));
	}

	/** Every response to every template, to stores. */
	final StoredResponse respondInto(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = layout(image);
		final List<TemplateBank> banks = TemplateBank.of(templates(), layouts);
		try (StoredMaps maps = new StoredMaps(stores, image, layouts, undefined, options().precision(), maxLags, options().threads())) {
			final List<Ranking> rankings = rank(image, banks, b -> maps.grid(b, maxLags), Result.MAP);
			maps.fillBorders(frames(image), options().monitor());
			final Report report = run(image, banks, rankings, maps);
			return new StoredResponse(mapShapes(image), report, maps.before(), rankings, 1e-9 * (System.nanoTime() - start));
		}
	}

	/** Every response to every template, of one frame after the other. */
	final StreamReport respondToEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Response> consumer) {
		templates();
		return new FrameStream<>(frameOperation(), frames, Result.MAP, (like, layouts, stop) -> new ResponseMaps(like, layouts, undefined, options().precision())).run(consumer);
	}

	/** Has each bank's templates done; a ranking is replaced by how it turned out. */
	final Report run(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks, final List<Ranking> rankings, final Sinks sinks) {
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
				for (final long[][] box : boxes) {
					final Sink sink = sinks.of(bank, f, box);
					if (sink == null) monitor.done(Size.of(box[1]).pixels() * bank.indices().length);
					else queue.add(new BoxQueue.Box(() -> bank.pixels(frame), bank.lagBox(box), sink, monitor));
				}
			}
			if (queue.isEmpty()) continue;
			final BoxQueue work = new BoxQueue(queue, sinks.maxBoxes(bank, maxLags), monitor);
			report = report.plus(work.run(rankings.get(b), bank.templates()));
			rankings.set(b, work.outcome(rankings.get(b)));
		}
		return report;
	}

	/** What a stream of frames needs of this op. */
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
