package sc.fiji.ncc.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.SlidingSettings;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.sink.BestMaps;
import sc.fiji.ncc.sink.ResponseMaps;
import sc.fiji.ncc.sink.Sinks;
import sc.fiji.ncc.sink.StoredMaps;

/**
 * One call of an operation that slides templates or kernels over an image: its templates and settings, which do not change during the call. It lays out the
 * responses, ranks the candidates and runs the best one.
 *
 * @param operation what slides over the image
 * @param settings which responses are computed
 * @param compute how they are computed; with a planner
 * @param kept the executions that stay open from one call to the next; null for none
 */
public record SlidingCall(Operation operation, SlidingSettings settings, ComputeOptions compute, KeptExecutions kept) {

	/** What slides over an image: a correlation with templates, or a convolution with kernels. */
	public interface Operation {

		/** The name of a template in messages: template or kernel. */
		String noun();

		/** The number of dimensions of the templates. */
		int dimensions();

		/** The templates or kernels, all of one pixel type. */
		List<Template> templates();

		/** Where the responses to a template of this size lie. */
		ResponseLayout layout(Size template, RandomAccessibleInterval<?> image, SlidingSettings settings);

		/** The problem for the planner. @param templates those that are computed together */
		Sliding problem(Windows windows, List<Template> templates, Result kind);

		/** Checks an image whose frames are all at hand. */
		void require(RandomAccessibleInterval<?> image);
	}

	public String noun() {
		return operation.noun();
	}

	public int dimensions() {
		return operation.dimensions();
	}

	public List<Template> templates() {
		return operation.templates();
	}

	public Undefined undefined() {
		return settings.undefined();
	}

	/** The largest number of lags in one box. */
	public long maxLags() {
		return settings.maxLags();
	}

	public Precision precision() {
		return compute.precision();
	}

	public ResponseType responseType() {
		return settings.responseType();
	}

	/** The result if maps are requested: with responses of the type of this call. */
	public Result map() {
		return Result.map(responseType());
	}

	public int threads() {
		return compute.threads();
	}

	public Monitor monitor() {
		return compute.monitor();
	}

	/** How responses are written to stores. */
	public StoredMaps.Storing storing() {
		return new StoredMaps.Storing(undefined(), precision(), responseType(), maxLags(), threads(), StoredMaps.memory(settings.heap()));
	}

	/** Checks an image whose frames are all at hand. */
	public void require(final RandomAccessibleInterval<?> image) {
		operation.require(image);
	}

	/**
	 * Where the responses to each template lie.
	 *
	 * @throws IllegalArgumentException if executions that stay open were prepared for other images
	 */
	public List<ResponseLayout> layouts(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "image");
		if (kept != null) kept.require(image);
		return frameLayouts(image);
	}

	/** The same for a frame of a stream, which has executions of its own. */
	List<ResponseLayout> frameLayouts(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "frame");
		JointImage.requireSameChannels(noun(), templates().get(0).channels(), image);
		return templates().stream().map(t -> layout(t.size(), image)).toList();
	}

	/** Where the responses to a template of this size lie. */
	public ResponseLayout layout(final Size template, final RandomAccessibleInterval<?> image) {
		return operation.layout(template, image, settings);
	}

	/** The number of frames in an image. */
	public long frames(final RandomAccessibleInterval<?> image) {
		return StackFrames.count(dimensions(), image.dimensionsAsLongArray());
	}

	/** The size and the origin of each map, one per template. */
	public List<MapShape> mapShapes(final RandomAccessibleInterval<?> image) {
		return layouts(image).stream().map(l -> new MapShape(ResponseMaps.size(image, l), ResponseMaps.origin(image.numDimensions(), l))).toList();
	}

	/**
	 * The candidates for a bank of templates, best first.
	 *
	 * @param frames the expected number of frames like this one
	 * @throws IllegalArgumentException if something else than maps is requested, and maps would be quantized
	 */
	public Ranking rank(final RandomAccessibleInterval<?> frame, final TemplateBank bank, final BoxGrid boxes, final long frames, final Result kind) {
		if (!kind.isMap()) requireFloats();
		return compute.rank(operation.problem(bank.windows(ImagePixels.type(frame), precision(), frames, boxes), bank.templates(), kind));
	}

	/** @throws IllegalArgumentException if maps would be quantized */
	public void requireFloats() {
		if (responseType().quantized()) throw new IllegalArgumentException("maps can have " + responseType()
			+ " responses, but matches and the best response of each lag cannot: choose float responses");
	}

	/** The candidates of each bank, for boxes of whole rows and planes. */
	public List<Ranking> rank(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks, final Result kind) {
		return rank(image, banks, this::boxes, kind);
	}

	/** @param boxes the division of a bank's lags */
	public List<Ranking> rank(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks,
		final Function<TemplateBank, BoxGrid> boxes, final Result kind)
	{
		// executions that stay open serve many images: the time of the first start is a small part
		final long count = kept == null ? frames(image) : FrameStream.expectedCount(-1);
		final List<Ranking> rankings = new ArrayList<>();
		for (final TemplateBank b : banks) rankings.add(rank(image, b, boxes.apply(b), count, kind));
		return rankings;
	}

	private BoxGrid boxes(final TemplateBank bank) {
		return BoxGrid.of(bank.lags().lags, maxLags());
	}

	/** The candidates for the maps of each group of templates that are computed together. */
	public List<Ranking> explainMaps(final RandomAccessibleInterval<?> image) {
		return explain(image, map());
	}

	/** The candidates for each group of templates that are computed together. */
	public List<Ranking> explain(final RandomAccessibleInterval<?> image, final Result kind) {
		return rank(image, banks(layouts(image), kind), kind);
	}

	/** The same for maps that are written to stores. */
	public List<Ranking> explain(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		final List<ResponseLayout> layouts = layouts(image);
		try (StoredMaps maps = stored(image, layouts, stores)) {
			return rank(image, banks(layouts, map()), b -> maps.grid(b, maxLags()), map());
		}
	}

	/**
	 * The same for a stream of frames.
	 *
	 * @param count the number of frames; negative if unknown
	 */
	public List<Ranking> explainEach(final RandomAccessibleInterval<?> frame, final long count, final Result kind) {
		final List<Ranking> rankings = new ArrayList<>();
		for (final TemplateBank b : banks(frameLayouts(frame), kind)) rankings.add(rank(frame, b, boxes(b), FrameStream.expectedCount(count), kind));
		return rankings;
	}

	/** The same call with executions that stay open. */
	public SlidingCall keeping(final KeptExecutions executions) {
		return new SlidingCall(operation, settings, compute, executions);
	}

	/** Opens the executions that stay open, for the maps of images like this one. Returns their candidates; the best one of each is open. */
	public List<Ranking> open(final RandomAccessibleInterval<?> like) {
		final List<TemplateBank> banks = banks(layouts(like), map());
		final List<Ranking> rankings = rank(like, banks, map());
		for (int b = 0; b < banks.size(); b++)
			if (!banks.get(b).lags().empty()) rankings.set(b, kept.open(rankings.get(b), banks.get(b)));
		return rankings;
	}

	/** The templates in groups that are computed together. */
	private List<TemplateBank> banks(final List<ResponseLayout> layouts, final Result kind) {
		if (kind == Result.BEST) BestMaps.requireCongruent(templates(), layouts);
		return TemplateBank.of(templates(), layouts);
	}

	/** The maps of templates with these layouts, in stores. */
	public StoredMaps stored(final RandomAccessibleInterval<?> image, final List<ResponseLayout> layouts, final List<? extends MapStore> stores) {
		return new StoredMaps(stores, image, layouts, storing());
	}

	/**
	 * Computes all maps.
	 *
	 * @param to the images for the maps, one per template; null for new images
	 */
	public Response computeMaps(final RandomAccessibleInterval<?> image, final List<? extends Img<?>> to) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = layouts(image);
		if (to != null) for (final Img<?> map : to)
			if (map == image) throw new IllegalArgumentException("the map cannot be written into the image that is searched: give another image for the map");
		final List<TemplateBank> banks = banks(layouts, map());
		final List<Ranking> rankings = rank(image, banks, map());
		final double measuring = Ranking.measuringSeconds(rankings);
		final ResponseMaps maps = new ResponseMaps(image, layouts, undefined(), precision(), responseType(), to);
		return maps.finish(computeBanks(image, banks, rankings, maps), rankings, seconds(start) - measuring);
	}

	/** Computes all maps and writes them to stores. */
	public StoredResponse respondInto(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = layouts(image);
		final List<TemplateBank> banks = banks(layouts, map());
		try (StoredMaps maps = stored(image, layouts, stores)) {
			final List<Ranking> rankings = rank(image, banks, b -> maps.grid(b, maxLags()), map());
			final double measuring = Ranking.measuringSeconds(rankings);
			maps.fillBorders(frames(image), monitor());
			final Report report = computeBanks(image, banks, rankings, maps);
			return new StoredResponse(mapShapes(image), report, maps.before(), rankings, seconds(start) - measuring);
		}
	}

	/** Computes the greatest response of each lag over all templates. */
	public Best best(final RandomAccessibleInterval<?> image) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = layouts(image);
		final List<TemplateBank> banks = banks(layouts, Result.BEST);
		final List<Ranking> rankings = rank(image, banks, Result.BEST);
		final double measuring = Ranking.measuringSeconds(rankings);
		final BestMaps maps = new BestMaps(image, layouts.get(0), precision(), templates().size(), undefined(), banks.size() == 1);
		maps.begin(image, 0);
		return maps.finish(computeBanks(image, banks, rankings, maps), rankings, seconds(start) - measuring);
	}

	private static double seconds(final long start) {
		return 1e-9 * (System.nanoTime() - start);
	}

	/** Computes all maps of each frame of a stream. */
	public StreamReport respondToEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Response> consumer) {
		templates();
		return new FrameStream<>(this, frames, map(), (like, layouts, stop) -> new ResponseMaps(like, layouts, undefined(), precision(), responseType())).run(
			consumer);
	}

	/** Computes {@link #best} of each frame of a stream. */
	public StreamReport bestOfEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Best> consumer) {
		return new FrameStream<Best>(this, frames, Result.BEST, (like, layouts, stop) ->
			new BestMaps(like, layouts.get(0), precision(), templates().size(), undefined(), banks(layouts, Result.BEST).size() == 1)).run(consumer);
	}

	/** Computes each bank. Replaces its ranking by the ranking after failures. */
	public Report computeBanks(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks, final List<Ranking> rankings, final Sinks sinks) {
		require(image);
		final int n = dimensions();
		final long frames = frames(image);
		long total = 0;
		for (final TemplateBank bank : banks) total += frames * bank.responses();
		if (total == 0) return Report.NONE;
		final Monitor monitor = monitor();
		monitor.total(total);
		Report report = Report.NONE;
		for (int b = 0; b < banks.size(); b++) {
			final TemplateBank bank = banks.get(b);
			final List<BoxQueue.Box> queue = new ArrayList<>();
			final List<long[][]> boxes = sinks.grid(bank, maxLags()).boxes();
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
			final BoxQueue work = new BoxQueue(queue, sinks.maxBoxes(bank, maxLags()), monitor);
			try (Failover<Execution> executions = kept == null ? work.executions(rankings.get(b), bank.operands()) : null) {
				report = report.plus(kept == null ? executions.run(work::drain) : kept.run(work, rankings.get(b), bank));
			}
			rankings.set(b, work.outcome(rankings.get(b)));
		}
		return report;
	}
}
