package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Effort;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Planner;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Normalized cross-correlation of a template, or of several, with an image, in any number of dimensions.
 *
 * <pre>
 * Response response = NormalizedCrossCorrelation.of(template).extent(Extent.SAME).correlate(image);
 * </pre>
 *
 * The response at a lag is {@code r = (N·ΣPT − ΣP·ΣT) / sqrt((N·ΣP² − (ΣP)²)(N·ΣT² − (ΣT)²))}, with P the image's pixels under the template
 * T there, N their number, or weight under a mask, and every sum weighted. It lies in [-1, 1], and within 1e-5 of the exact value for every
 * input.
 * <p>
 * Image and template may be of any real type, different ones too; views, planar and cell images are read as they are. A template of
 * fewer dimensions than the image runs over the others as frames, prepared once. Inputs are never written to.
 * <p>
 * What it costs is the algorithm's; {@link #explain} says which one is taken and why. Not safe for use by several threads at once.
 */
public final class NormalizedCrossCorrelation {

	/** What is done again if a device fails. */
	private static final long MOST_LAGS = 1L << 26;

	/** The most lags in one box. */
	private long mostLags = MOST_LAGS;

	/** Empty if only their size is known. */
	private final List<RandomAccessibleInterval<?>> templateImages;
	private final Size laterSize;
	/** One for all templates, or one a template; null where there is none. */
	private List<RandomAccessibleInterval<?>> masks = Collections.singletonList(null);
	private Extent extent = Extent.VALID;
	private Border border;
	private double leastOverlap = -1;
	private Undefined undefined = Undefined.ZERO;
	private Interval search;
	private int threads = Runtime.getRuntime().availableProcessors();
	private Optional<String> backend = Optional.empty();
	private Optional<String> algorithm = Optional.empty();
	private Effort effort = Effort.ESTIMATE;
	private double measuringSeconds = Planner.MEASURING_SECONDS;
	private Monitor monitor = Monitor.NONE;
	private List<Backend> backends;
	private List<Template> templates;

	private NormalizedCrossCorrelation(final List<RandomAccessibleInterval<?>> templates, final Size laterSize) {
		templateImages = templates;
		this.laterSize = laterSize;
	}

	/** @param template at least two different values; it is read when it is first needed */
	public static NormalizedCrossCorrelation of(final RandomAccessibleInterval<?> template) {
		return new NormalizedCrossCorrelation(Collections.singletonList(template), null);
	}

	/**
	 * Of several templates with one image. Those of one size and mask share what is computed of it, so that each further one costs less.
	 *
	 * @param templates of the same number of dimensions, of any sizes and types
	 */
	public static NormalizedCrossCorrelation of(final List<? extends RandomAccessibleInterval<?>> templates) {
		if (templates.isEmpty()) throw new IllegalArgumentException("the list of templates is empty: give at least one");
		return new NormalizedCrossCorrelation(new ArrayList<>(templates), null);
	}

	/** Of templates of this size and of the image's pixel type that come later: only to {@link #prepare} an image for them. */
	public static NormalizedCrossCorrelation ofSize(final long... size) {
		return new NormalizedCrossCorrelation(List.of(), Size.of(size));
	}

	/** Which of the pixels of every template count: those above 0 in an image of its shape. Null: all. */
	public NormalizedCrossCorrelation mask(final RandomAccessibleInterval<?> mask) {
		return masks(Collections.singletonList(mask));
	}

	/**
	 * As {@link #mask}, one a template.
	 *
	 * @param masks null for a template of which all pixels count
	 */
	public NormalizedCrossCorrelation masks(final List<? extends RandomAccessibleInterval<?>> masks) {
		if (masks.size() != 1 && masks.size() != templateImages.size()) throw new IllegalArgumentException(masks.size() + " masks for "
			+ templateImages.size() + " templates: give one for all, or one for each");
		this.masks = new ArrayList<>(masks);
		templates = null;
		return this;
	}

	/** {@link Extent#VALID} unless said. */
	public NormalizedCrossCorrelation extent(final Extent extent) {
		this.extent = Objects.requireNonNull(extent, "extent");
		return this;
	}

	/** {@link Border#UNDEFINED} for SAME and {@link Border#OVERLAP} for FULL unless said; VALID has no border. */
	public NormalizedCrossCorrelation border(final Border border) {
		this.border = border;
		return this;
	}

	/**
	 * The least share of the template that must overlap the image with {@link Border#OVERLAP}; below it a response is undefined. A third for
	 * FULL and 0 for SAME unless said.
	 */
	public NormalizedCrossCorrelation leastOverlap(final double share) {
		if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("the least overlap must be a share from 0 to 1, not " + share);
		leastOverlap = share;
		return this;
	}

	/** What an undefined response reads: {@link Undefined#ZERO} unless said. */
	public NormalizedCrossCorrelation undefined(final Undefined undefined) {
		this.undefined = Objects.requireNonNull(undefined, "undefined");
		return this;
	}

	/**
	 * Only these responses: the places where a response lies (see {@link Extent}), in pixels from the image's first one, one dimension for
	 * each of the template. Null: all.
	 */
	public NormalizedCrossCorrelation search(final Interval responses) {
		search = responses;
		return this;
	}

	/** How many threads the CPU may use: as many as it has cores unless said. */
	public NormalizedCrossCorrelation threads(final int threads) {
		if (threads < 1) throw new IllegalArgumentException("the number of threads must be at least 1, not " + threads);
		this.threads = threads;
		return this;
	}

	/** {@code auto}, or one of {@link Backends#all}. */
	public NormalizedCrossCorrelation backend(final String id) {
		backend = "auto".equals(id) ? Optional.empty() : Optional.ofNullable(id);
		return this;
	}

	/** {@code auto}, or the id of an algorithm. */
	public NormalizedCrossCorrelation algorithm(final String id) {
		algorithm = "auto".equals(id) ? Optional.empty() : Optional.ofNullable(id);
		return this;
	}

	/**
	 * How the algorithm is chosen: {@link Effort#ESTIMATE} unless said.
	 *
	 * @param seconds that measuring an unseen problem may take
	 */
	public NormalizedCrossCorrelation effort(final Effort effort, final double seconds) {
		this.effort = effort;
		measuringSeconds = seconds;
		return this;
	}

	/** Hears of progress and may cancel. */
	public NormalizedCrossCorrelation monitor(final Monitor monitor) {
		this.monitor = Objects.requireNonNull(monitor, "monitor");
		return this;
	}

	/** Backends in place of {@link Backends#all}. */
	NormalizedCrossCorrelation backends(final List<Backend> backends) {
		this.backends = backends;
		return this;
	}

	/** At most so many lags in one box. */
	NormalizedCrossCorrelation boxes(final long mostLags) {
		this.mostLags = mostLags;
		return this;
	}

	/** The templates as plans take them, all of one pixel type. */
	List<Template> templates() {
		if (templateImages.isEmpty())
			throw new IllegalArgumentException("no template: only the size " + laterSize + " of those that come later was given; prepare the image for them");
		if (templates == null) {
			final List<Template> read = new ArrayList<>();
			for (int t = 0; t < templateImages.size(); t++)
				read.add(TemplateReader.read(templateImages.get(t), masks.get(masks.size() == 1 ? 0 : t)));
			templates = TemplateReader.alike(read);
		}
		return templates;
	}

	/** One of them, or one of their shape, size and mask if they come later. */
	Template shape(final PixelType image) {
		return templateImages.isEmpty() ? TemplateReader.standIn(laterSize, image, masks.get(0)) : templates().get(0);
	}

	/** Dimensions of the templates. */
	int dimensions() {
		return templateImages.isEmpty() ? laterSize.dimensions() : templates().get(0).size().dimensions();
	}

	/** @throws IllegalArgumentException if the templates are not of one size and mask */
	void requireOneShape() {
		if (templateImages.isEmpty()) return;
		for (final Template t : templates())
			if (!t.size().equals(templates().get(0).size()) || !Arrays.equals(t.weights(), templates().get(0).weights()))
				throw new IllegalArgumentException("an image is prepared for templates of one size and mask, and these differ: prepare it once for each");
	}

	Undefined undefined() {
		return undefined;
	}

	long mostLags() {
		return mostLags;
	}

	Extent extent() {
		return extent;
	}

	int threads() {
		return threads;
	}

	Monitor monitor() {
		return monitor;
	}

	/** How the correlation with a template of this size is laid out over an image. */
	Arrangement arrange(final Size template, final RandomAccessibleInterval<?> image) {
		return new Arrangement(template, spatial(template, image.dimensionsAsLongArray()), extent, border, leastOverlap, search);
	}

	/** The same for each template. */
	List<Arrangement> arrange(final RandomAccessibleInterval<?> image) {
		final List<Arrangement> all = new ArrayList<>();
		for (final Template t : templates()) all.add(arrange(t.size(), image));
		return all;
	}

	/** The image's extents along the template's dimensions. */
	private static long[] spatial(final Size template, final long[] image) {
		if (image.length < template.dimensions()) throw new IllegalArgumentException("the template of " + template
			+ " has more dimensions than the image of " + Size.of(image) + ": choose a template of at most " + image.length);
		return Arrays.copyOf(image, template.dimensions());
	}

	/**
	 * What {@link #correlate} would ask the planner for an image and a template of these sizes, without either of them.
	 *
	 * @param size of the image; dimensions beyond the template's are frames, as there
	 * @param frames how many such images follow each other, at least 1
	 * @throws IllegalArgumentException if the template is larger than the image or has more dimensions
	 */
	public static Problem problem(final PixelType image, final Size size, final PixelType template, final Size templateSize, final Extent extent,
		final long frames)
	{
		if (frames < 1) throw new IllegalArgumentException("the number of frames must be at least 1, not " + frames);
		final long[] all = size.toArray();
		final Arrangement a = new Arrangement(templateSize, spatial(templateSize, all), extent, null, -1, null);
		return a.problem(image, template, List.of(templateSize), Weights.NONE, Math.multiplyExact(frames, frames(templateSize.dimensions(), all)), MOST_LAGS);
	}

	/**
	 * The candidates for this image, the one that would be taken first; for the first template, and all that go through with it.
	 *
	 * @throws IllegalArgumentException as {@link #correlate}
	 */
	public Ranking explain(final RandomAccessibleInterval<?> image) {
		return explainAll(image).get(0);
	}

	/**
	 * The candidates for each set of templates that go through together: with extent VALID, for instance, those of one size.
	 *
	 * @throws IllegalArgumentException as {@link #correlate}
	 */
	public List<Ranking> explainAll(final RandomAccessibleInterval<?> image) {
		return rank(image, TemplateBank.of(templates(), arrange(image)));
	}

	private List<Ranking> rank(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks) {
		final List<Ranking> rankings = new ArrayList<>();
		for (final TemplateBank b : banks) rankings.add(rank(image, b));
		return rankings;
	}

	Ranking rank(final RandomAccessibleInterval<?> image, final TemplateBank bank) {
		final Problem problem = bank.problem(ImagePixels.type(image), frames(image), mostLags);
		return new Planner(backends == null ? Backends.all(threads) : backends).rank(problem, backend, algorithm, effort, measuringSeconds);
	}

	/** How many frames an image has for templates of this many dimensions. */
	long frames(final RandomAccessibleInterval<?> image) {
		return frames(dimensions(), image.dimensionsAsLongArray());
	}

	/** @param dimensions the template's */
	private static long frames(final int dimensions, final long[] image) {
		long n = 1;
		for (int d = dimensions; d < image.length; d++) n = Math.multiplyExact(n, image[d]);
		return n;
	}

	/**
	 * Correlates the templates with an image.
	 *
	 * @param image at least as many dimensions as the templates; those beyond them are frames
	 * @return a map for each template, of as many dimensions as the image
	 * @throws IllegalArgumentException if a template is flat, larger than the image or holds NaN, a mask does not fit, an image is no
	 *         real one, the search window lies outside, or the algorithm that was asked for does not apply; the message says what to do
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws NccException if the machine failed
	 */
	public Response correlate(final RandomAccessibleInterval<?> image) {
		final long start = System.nanoTime();
		final List<Arrangement> arrangements = arrange(image);
		final List<TemplateBank> banks = TemplateBank.of(templates(), arrangements);
		final List<Ranking> rankings = rank(image, banks);
		final ResponseMaps maps = new ResponseMaps(image, arrangements, undefined);
		final Report report = run(image, banks, rankings, maps);
		return new Response(maps.maps(), maps.origins(), report, rankings, 1e-9 * (System.nanoTime() - start));
	}

	/**
	 * The greatest response of each lag over all templates, and by which of them it is: without a map for each.
	 *
	 * @param image as for {@link #correlate}
	 * @throws IllegalArgumentException as {@link #correlate}; and if the templates' maps would differ in size or place, as they do for templates
	 *         of different sizes with extent VALID or FULL and no search window
	 */
	public Best best(final RandomAccessibleInterval<?> image) {
		final long start = System.nanoTime();
		final List<Arrangement> arrangements = arrange(image);
		BestMaps.requireCongruent(templates(), arrangements);
		final List<TemplateBank> banks = TemplateBank.of(templates(), arrangements);
		final List<Ranking> rankings = rank(image, banks);
		final BestMaps maps = new BestMaps(image, arrangements.get(0), templates().size());
		final Report report = run(image, banks, rankings, maps);
		maps.finish(undefined);
		return new Best(maps.score(), maps.which(), maps.origin(), report, rankings, 1e-9 * (System.nanoTime() - start));
	}

	/**
	 * Computes once what templates of one size share of an image. Each template then costs little more than a multiplication and an inverse
	 * transform where the Fourier way is taken. What is set now holds until it is closed.
	 *
	 * @param image as for {@link #correlate}; must not change meanwhile
	 * @throws IllegalArgumentException as {@link #correlate}; and if the templates given differ in size or mask
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws NccException if the machine failed, or there is not enough memory
	 */
	public PreparedImage prepare(final RandomAccessibleInterval<?> image) {
		return new PreparedImage(this, image);
	}

	/** Has each bank's templates correlated; a ranking is replaced by how it turned out. */
	private Report run(final RandomAccessibleInterval<?> image, final List<TemplateBank> banks, final List<Ranking> rankings, final Sinks sinks) {
		final int n = dimensions();
		final long frames = frames(image);
		long total = 0;
		for (final TemplateBank bank : banks) total += frames * bank.responses();
		if (total == 0) return Report.NONE;
		monitor.total(total);
		Report report = Report.NONE;
		for (int b = 0; b < banks.size(); b++) {
			final TemplateBank bank = banks.get(b);
			final List<BoxQueue.Box> queue = new ArrayList<>();
			for (long f = 0; f < frames; f++) {
				final RandomAccessibleInterval<?> frame = frame(image, n, f);
				for (final long[][] box : bank.lags().boxes(mostLags))
					queue.add(new BoxQueue.Box(() -> bank.pixels(frame), bank.lagBox(box), sinks.of(bank, f, box), monitor));
			}
			if (queue.isEmpty()) continue;
			final BoxQueue boxes = new BoxQueue(queue, monitor);
			report = report.plus(boxes.run(rankings.get(b), bank.templates()));
			rankings.set(b, boxes.outcome(rankings.get(b)));
		}
		return report;
	}

	/** Frame {@code index} over the dimensions from {@code n} on. */
	static RandomAccessibleInterval<?> frame(final RandomAccessibleInterval<?> image, final int n, final long index) {
		RandomAccessibleInterval<?> frame = image;
		long rest = index;
		for (int d = n; d < image.numDimensions(); d++) {
			// the dimensions before were sliced away: the next one always stands at n
			frame = Views.hyperSlice(frame, n, image.min(d) + rest % image.dimension(d));
			rest /= image.dimension(d);
		}
		return frame;
	}
}
