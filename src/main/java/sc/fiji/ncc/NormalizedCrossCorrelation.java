package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.FrameStream;
import sc.fiji.ncc.sink.BestMaps;

/**
 * Normalized cross-correlation of a template, or of several, with an image, in any number of dimensions.
 *
 * <pre>
 * Response response = NormalizedCrossCorrelation.of(template).extent(Extent.SAME).correlate(image);
 * </pre>
 *
 * The response at a lag is {@code r = (N·ΣPT − ΣP·ΣT) / sqrt((N·ΣP² − (ΣP)²)(N·ΣT² − (ΣT)²))}, with P the image's pixels under the template
 * T there, N their number, or weight under a mask, and every sum weighted. It lies in [-1, 1], and within 1e-5 of the exact value for every
 * input, in double precision within 1e-10.
 * <p>
 * Image and template may be of any real type, different ones too; views, planar and cell images are read as they are. A template of
 * fewer dimensions than the image runs over the others as frames, prepared once. Inputs are never written to.
 * <p>
 * What it costs is the algorithm's; {@link #explain} says which one is taken and why. Safe for use by several threads at once, each call with the
 * settings as they are when it begins.
 */
public final class NormalizedCrossCorrelation extends SlidingOp<NormalizedCrossCorrelation> {

	/** Empty if only their size is known. */
	private final List<RandomAccessibleInterval<?>> templateImages;
	private final Size laterSize;
	/** One for all templates, or one a template; null where there is none. */
	private List<RandomAccessibleInterval<?>> masks = Collections.singletonList(null);
	/** Whether these hold weights; else they say which pixels count. */
	private boolean weighted;
	private double minOverlap = -1;
	private Interval inside;
	private List<Template> templates;

	private NormalizedCrossCorrelation(final List<RandomAccessibleInterval<?>> templates, final Size laterSize) {
		super(Extent.VALID, Undefined.ZERO);
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

	/**
	 * Which of the pixels of every template count: those above 0 in an image of its shape, which holds 0 and one other value. Null: all. In place of
	 * {@link #weights}.
	 */
	public NormalizedCrossCorrelation mask(final RandomAccessibleInterval<?> mask) {
		return masks(Collections.singletonList(mask));
	}

	/**
	 * As {@link #mask}, one a template.
	 *
	 * @param masks null for a template of which all pixels count
	 */
	public NormalizedCrossCorrelation masks(final List<? extends RandomAccessibleInterval<?>> masks) {
		return masks(masks, false);
	}

	/**
	 * How much each pixel of every template counts: any finite numbers from 0 on in an image of its shape, of any real type, taken as they are. Only their
	 * ratios matter, so a mask of 0 and 255 is the same here as there. A pixel of weight 0 never counts, be it NaN. Null: all count once. In place of
	 * {@link #mask}.
	 */
	public NormalizedCrossCorrelation weights(final RandomAccessibleInterval<?> weights) {
		return masks(Collections.singletonList(weights), true);
	}

	/**
	 * As {@link #weights(RandomAccessibleInterval)}, one a template.
	 *
	 * @param weights null for a template of which all pixels count once
	 */
	public NormalizedCrossCorrelation weights(final List<? extends RandomAccessibleInterval<?>> weights) {
		return masks(weights, true);
	}

	private synchronized NormalizedCrossCorrelation masks(final List<? extends RandomAccessibleInterval<?>> masks, final boolean weighted) {
		if (masks.size() != 1 && masks.size() != templateImages.size()) throw new IllegalArgumentException(masks.size()
			+ (weighted ? " images of weights for " : " masks for ") + templateImages.size() + " templates: give one for all, or one for each");
		this.masks = new ArrayList<>(masks);
		this.weighted = weighted;
		templates = null;
		return this;
	}

	/**
	 * The least share of the template that must overlap the image with {@link sc.fiji.ncc.option.Border#OVERLAP}; below it a response is undefined. A third for
	 * FULL and 0 for SAME unless said.
	 */
	public NormalizedCrossCorrelation minOverlap(final double share) {
		if (!(share >= 0 && share <= 1)) throw new IllegalArgumentException("the least overlap must be a share from 0 to 1, not " + share);
		minOverlap = share;
		return this;
	}

	/**
	 * Only windows that lie in this part of the image, with all their pixels: the responses to a template of width w are those of the windows whose first pixel
	 * lies between the interval's first column and w − 1 before its last one, and so on. In place of {@link #search}. Null: all windows.
	 *
	 * @param windows in pixels from the image's first one, one dimension for each of the template
	 */
	public NormalizedCrossCorrelation inside(final Interval windows) {
		inside = windows;
		return this;
	}

	/** The templates as plans take them, all of one pixel type. */
	@Override
	List<Template> templates() {
		if (templateImages.isEmpty())
			throw new IllegalArgumentException("no template: only the size " + laterSize + " of those that come later was given; prepare the image for them");
		if (templates == null) {
			final List<Template> read = new ArrayList<>();
			for (int t = 0; t < templateImages.size(); t++)
				read.add(TemplateReader.read(templateImages.get(t), masks.get(masks.size() == 1 ? 0 : t), weighted));
			templates = TemplateReader.alike(read, noun());
		}
		return templates;
	}

	@Override
	void prepareSnapshot() {
		if (!templateImages.isEmpty()) templates();
	}

	/** One of them, or one of their shape, size and mask if they come later. */
	Template shape(final PixelType image) {
		return templateImages.isEmpty() ? TemplateReader.standIn(laterSize, image, masks.get(0), weighted) : templates().get(0);
	}

	@Override
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

	@Override
	NormalizedCrossCorrelation self() {
		return this;
	}

	@Override
	ResponseLayout layout(final Size template, final RandomAccessibleInterval<?> image) {
		return new ResponseLayout(template, StackFrames.size(noun(), template, image.dimensionsAsLongArray()), extent(), border(), minOverlap,
			inside == null ? search() : responses(template, image.dimensionsAsLongArray()));
	}

	/** Where the responses lie of the windows inside. */
	private Interval responses(final Size template, final long[] image) {
		final int n = template.dimensions();
		if (search() != null) throw new IllegalArgumentException("responses to search and windows that lie inside: give one of them");
		if (inside.numDimensions() != n) throw new IllegalArgumentException("the box for windows has " + inside.numDimensions() + " dimensions, and the template of "
			+ template + " has " + n);
		final long[] min = inside.minAsLongArray(), max = inside.maxAsLongArray(), size = inside.dimensionsAsLongArray();
		for (int d = 0; d < n; d++) {
			if (min[d] < 0 || max[d] >= image[d]) throw new IllegalArgumentException("the box for windows " + Arrays.toString(min) + ".." + Arrays.toString(max)
				+ " leaves the image of " + Size.of(image) + ": give one inside it, in pixels counted from 0");
			if (size[d] < template.get(d)) throw new IllegalArgumentException("the template of " + template + " does not fit into the box for windows, which is "
				+ Size.of(size) + ": give a larger box or a smaller template");
			final long place = extent() == Extent.SAME ? template.get(d) / 2 : 0;
			min[d] += place;
			max[d] += place + 1 - template.get(d);
		}
		return new FinalInterval(min, max);
	}

	@Override
	Problem asked(final Problem problem, final List<Template> templates) {
		return problem;
	}

	@Override
	String noun() {
		return "template";
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
		final ResponseLayout a = new ResponseLayout(templateSize, StackFrames.size("template", templateSize, all), extent, null, -1, null);
		return a.problem(image, template, List.of(templateSize), Weights.NONE, Math.multiplyExact(frames, StackFrames.count(templateSize.dimensions(), all)),
			BoxGrid.of(a.lags, MOST_LAGS));
	}

	/**
	 * Correlates the templates with an image.
	 *
	 * @param image at least as many dimensions as the templates; those beyond them are frames
	 * @return a map for each template, of as many dimensions as the image
	 * @throws IllegalArgumentException if a template is flat, larger than the image or holds NaN, a mask does not fit, an image is no
	 *         real one, the search window lies outside, or the algorithm that was asked for does not apply; the message says what to do
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if the machine failed
	 */
	public Response correlate(final RandomAccessibleInterval<?> image) {
		return snapshot().respond(image, null);
	}

	/**
	 * As {@link #correlate}, with maps that need not fit in memory. The image is read and the maps are written part by part: with an image of cells
	 * that are read on demand, memory holds some of its cells and some chunks of the maps, however large they are.
	 *
	 * @param stores take the maps, one a template, of the sizes that {@link #mapShapes} tells; what they have already is not computed again
	 * @throws IllegalArgumentException as {@link #correlate}; and if a store does not fit its map
	 * @throws java.io.UncheckedIOException if a store cannot take it
	 * @throws java.util.concurrent.CancellationException if the monitor canceled; what was written by then stays
	 * @throws sc.fiji.ncc.result.NccException if the machine failed
	 */
	public StoredResponse correlateInto(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		return snapshot().respondInto(image, stores);
	}

	/** As {@link #correlateInto(RandomAccessibleInterval, List)}, of the only template. */
	public StoredResponse correlateInto(final RandomAccessibleInterval<?> image, final MapStore store) {
		return snapshot().respondInto(image, List.of(store));
	}

	/**
	 * The greatest response of each lag over all templates, and by which of them it is: without a map for each.
	 *
	 * @param image as for {@link #correlate}
	 * @throws IllegalArgumentException as {@link #correlate}; and if the templates' maps would differ in size or place, as they do for templates
	 *         of different sizes with extent VALID or FULL and no search window
	 */
	public Best best(final RandomAccessibleInterval<?> image) {
		return snapshot().bestNow(image);
	}

	private Best bestNow(final RandomAccessibleInterval<?> image) {
		final long start = System.nanoTime();
		final List<ResponseLayout> layouts = layout(image);
		BestMaps.requireCongruent(templates(), layouts);
		final List<TemplateBank> banks = TemplateBank.of(templates(), layouts);
		final List<Ranking> rankings = rank(image, banks, Result.BEST);
		final BestMaps maps = new BestMaps(image, layouts.get(0), options().precision(), templates().size(), undefined(), banks.size() == 1);
		maps.begin(image);
		return maps.finish(run(image, banks, rankings, maps), rankings, 1e-9 * (System.nanoTime() - start));
	}

	/**
	 * Correlates the templates with one frame after the other, as many as come. The next frames are read while one is computed, and all share one plan,
	 * the templates' spectra and their buffers: memory does not depend on how many there are. Results come in order. The calling thread hands
	 * them over; the source is read by another one, alone.
	 *
	 * @param frames images of as many dimensions as the templates, of one size and pixel type: where these change, a new plan is made. An image is read
	 *        before the next one is asked for, so that a source may use its own again, unless one takes more than a twelfth of the heap: such a one is
	 *        read in parts until its result is taken. A Collection says how many there are, for progress; {@code () -> iterator} will do, or
	 *        {@link sc.fiji.ncc.result.Frames#of}.
	 * @param consumer takes the maps of each; they are used again for later frames
	 * @throws IllegalArgumentException as {@link #correlate}; for a frame beyond the first the message begins with its number
	 * @throws sc.fiji.ncc.result.FrameException if the source or the consumer failed, which says with which frame. The results of all frames before it were taken.
	 * @throws java.util.concurrent.CancellationException if the monitor canceled: no further result is handed over. A source that does not come
	 *         back then is interrupted.
	 * @throws sc.fiji.ncc.result.NccException if the machine failed, so that no candidate is left. If one fails, what is left goes to the next.
	 */
	public StreamReport correlateEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Response> consumer) {
		return snapshot().respondToEach(frames, consumer);
	}

	/** As {@link #correlateEach}, with what {@link #best} gives of each frame; throws as both. */
	public StreamReport bestOfEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Best> consumer) {
		final NormalizedCrossCorrelation op = snapshot();
		return new FrameStream<Best>(op.frameOperation(), frames, Result.BEST, (like, layouts, monitor) -> {
			BestMaps.requireCongruent(op.templates(), layouts);
			return new BestMaps(like, layouts.get(0), op.options().precision(), op.templates().size(), op.undefined(), TemplateBank.of(op.templates(), layouts).size() == 1);
		}).run(consumer);
	}

	/**
	 * Computes once what templates of one size share of an image. Each template then costs little more than a multiplication and an inverse
	 * transform where the Fourier way is taken. What is set now holds until it is closed.
	 *
	 * @param image as for {@link #correlate}; must not change meanwhile
	 * @throws IllegalArgumentException as {@link #correlate}; and if the templates given differ in size or mask
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if the machine failed, or there is not enough memory
	 */
	public PreparedImage prepare(final RandomAccessibleInterval<?> image) {
		final NormalizedCrossCorrelation op = snapshot();
		op.requireOneShape();
		final Template shape = op.shape(ImagePixels.type(image));
		return new PreparedImage(op.frameOperation(), image, shape, op.layout(shape.size(), image), op.undefined(), op.options().precision());
	}
}
