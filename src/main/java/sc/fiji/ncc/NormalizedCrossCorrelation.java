package sc.fiji.ncc;

import java.util.Collections;
import java.util.List;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.image.BufferImages;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.image.TemplateImages;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.option.SlidingSettings;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.parts.BestMapParts;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.parts.TemplateMapParts;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.KeptExecutions;
import sc.fiji.ncc.run.SlidingCall;
import sc.fiji.ncc.run.SlidingOp;

/**
 * Normalized cross-correlation of one or several templates with an image, in any number of dimensions.
 *
 * <pre>
 * Response response = NormalizedCrossCorrelation.of(template).extent(Extent.SAME).correlate(image);
 * </pre>
 *
 * The response at a lag is {@code r = (N·ΣPT − ΣP·ΣT) / sqrt((N·ΣP² − (ΣP)²)(N·ΣT² − (ΣT)²))}. P are the pixels of the image under the template T. N is
 * their number, or under a mask their total weight. Every sum is weighted. The response lies in [-1, 1]. Its error is at most 1e-5 for every input, in double
 * precision at most 1e-10.
 * <p>
 * Image and template can have any real type, also different ones. Views, planar images and cell images are read directly. If the template has fewer
 * dimensions than the image, the other dimensions are frames; the template is prepared once. Inputs are never changed.
 * <p>
 * The time depends on the algorithm. {@link #explain} shows which algorithm is selected and why. Several threads can use an operation at the same time:
 * each call uses the settings at its start.
 */
public final class NormalizedCrossCorrelation extends SlidingOp<NormalizedCrossCorrelation> {

	/**
	 * What slides.
	 *
	 * @param minOverlap negative for the default
	 * @param inside the box of all windows; null for none
	 */
	private record Templates(TemplateImages images, MissingPixels missing, double minOverlap, Interval inside) implements SlidingCall.Operation {

		@Override
		public String noun() {
			return "template";
		}

		@Override
		public int dimensions() {
			return images.dimensions();
		}

		@Override
		public List<Template> templates() {
			return images.read();
		}

		@Override
		public ResponseLayout layout(final Size template, final RandomAccessibleInterval<?> image, final SlidingSettings settings) {
			if (inside != null && settings.search() != null) throw new IllegalArgumentException("both search(...) and inside(...) are set: set one of them");
			missing.requireFits(image, template.dimensions(), false);
			final long[] size = image.dimensionsAsLongArray();
			return new ResponseLayout(template, StackFrames.size(noun(), template, size), settings.extent(), settings.border(), minOverlap,
				inside == null ? settings.search() : ResponseLayout.responsesInside(inside, template, size, settings.extent()),
				missing.possible(ImagePixels.type(image)) ? missing : MissingPixels.NONE);
		}

		@Override
		public Sliding problem(final Windows windows, final List<Template> templates, final Result kind) {
			return Correlation.of(windows, templates.get(0), kind);
		}

		@Override
		public void require(final RandomAccessibleInterval<?> image) {
			missing.requireFits(image, dimensions(), true);
		}
	}

	private Templates templates;
	private boolean missingChecked;

	private NormalizedCrossCorrelation(final TemplateImages templates) {
		super(Backends::all, Extent.VALID, Undefined.ZERO);
		this.templates = new Templates(templates, MissingPixels.NONE, -1, null);
	}

	/** @param template an image with at least two different values; it is read when it is first needed */
	public static NormalizedCrossCorrelation of(final RandomAccessibleInterval<?> template) {
		return new NormalizedCrossCorrelation(TemplateImages.of(List.of(Given.nonNull(template, "template"))));
	}

	/**
	 * Correlates several templates with one image. Templates of the same size and mask share work, so each further template takes less time.
	 *
	 * @param templates images with the same number of dimensions, of any sizes and types
	 */
	public static NormalizedCrossCorrelation of(final List<? extends RandomAccessibleInterval<?>> templates) {
		return new NormalizedCrossCorrelation(TemplateImages.of(Given.list(templates, "template")));
	}

	/** Sets only the size of the templates, to {@link #prepare} an image. The templates must then have the pixel type of the image. */
	public static NormalizedCrossCorrelation ofSize(final long... size) {
		return new NormalizedCrossCorrelation(TemplateImages.ofSize(Size.of(Given.nonNull(size, "size"))));
	}

	/**
	 * Sets which pixels of every template count. Replaces {@link #weights}.
	 *
	 * @param mask an image of the template's shape that contains 0 and one other value; a pixel counts if its value is above 0. Null for all pixels
	 */
	public NormalizedCrossCorrelation mask(final RandomAccessibleInterval<?> mask) {
		return masks(Collections.singletonList(mask));
	}

	/**
	 * Sets a mask for each template, as {@link #mask}.
	 *
	 * @param masks one for all templates, or one per template; a null element for all pixels
	 */
	public NormalizedCrossCorrelation masks(final List<? extends RandomAccessibleInterval<?>> masks) {
		return masks(masks, false);
	}

	/**
	 * Sets how much each pixel of every template counts. Replaces {@link #mask}.
	 *
	 * @param weights an image of the template's shape and any real type, with finite values of at least 0. Only their ratios matter. A pixel of weight 0 never
	 *        counts, even if it is NaN. Null for equal weights
	 */
	public NormalizedCrossCorrelation weights(final RandomAccessibleInterval<?> weights) {
		return masks(Collections.singletonList(weights), true);
	}

	/**
	 * Sets weights for each template, as {@link #weights(RandomAccessibleInterval)}.
	 *
	 * @param images one for all templates, or one per template; a null element for equal weights
	 */
	public NormalizedCrossCorrelation weights(final List<? extends RandomAccessibleInterval<?>> images) {
		return masks(images, true);
	}

	private synchronized NormalizedCrossCorrelation masks(final List<? extends RandomAccessibleInterval<?>> masks, final boolean weighted) {
		return change(Templates::images, templates.images.with(Given.nonNull(masks, weighted ? "list of weights" : "list of masks"), weighted));
	}

	/**
	 * Sets which pixels of the image are present. A response uses the present pixels only, and the pixels of the template that lie on them: N, ΣT and ΣT²
	 * are then those of this part, as with {@link sc.fiji.ncc.option.Border#OVERLAP}. A response with too few present pixels is undefined, see {@link
	 * #minOverlap}. The values of missing pixels do not matter. Masks and weights of the template apply as well. {@code cpu-direct}, {@code
	 * cpu-direct-exact}, {@code cpu-fourier} and the three of these names on GPUs support missing pixels. The other algorithms are not selected. With several
	 * channels, a pixel is missing in all channels if the mask is 0 there, or if NaN means missing and one of them is NaN.
	 * <p>
	 * The border policies apply to the mask, too: mirrored pixels are missing where their originals are. A constant border is present.
	 *
	 * @param mask an image of any real type: 0 for missing pixels, any other value for present ones. It has the size of the image, or of one frame for all
	 *        frames; for a stream also one dimension more, the frames. Null for all pixels
	 * @see <a href="https://doi.org/10.1109/TIP.2011.2181402">D. Padfield, Masked object registration in the Fourier domain, IEEE Transactions on Image
	 *      Processing 21 (2012)</a>
	 */
	public synchronized NormalizedCrossCorrelation imageMask(final RandomAccessibleInterval<?> mask) {
		missingChecked = false;
		return change(Templates::missing, new MissingPixels(mask, templates.missing.nan()));
	}

	/** Sets the meaning of pixels of the image that are NaN. With {@link NaNs#MISSING} they are missing, as with {@link #imageMask}. Default: UNDEFINED. */
	public synchronized NormalizedCrossCorrelation nan(final NaNs meaning) {
		return change(Templates::missing, new MissingPixels(templates.missing.mask(), meaning));
	}

	/**
	 * Sets the type of the responses in maps. With {@link ResponseType#BITS_16} and {@link ResponseType#BITS_8} they are quantized: maps are images of unsigned
	 * numbers ({@link Response#shortMaps}, {@link Response#byteMaps}), and the number c stands for the response {@code r = (c − 32768) / 32767}, or
	 * {@code (c − 128) / 127}. The rounding adds an error of at most 1.6e-5, or 0.004. An undefined response has the number 0 with
	 * {@link Undefined#NAN}, and the number of r = 0 with {@link Undefined#ZERO}. A GPU quantizes the responses itself, except with
	 * {@code cuda-small-shifts}, so a map comes back in a half or a fourth of the bytes. Only maps in single precision can be quantized, not {@link
	 * #best} and matches. Default: FLOAT.
	 */
	public NormalizedCrossCorrelation responseType(final ResponseType type) {
		return set(SlidingSettings::responseType, type);
	}

	/**
	 * Sets the smallest share of the template that must overlap the image with {@link sc.fiji.ncc.option.Border#OVERLAP}, and that must lie on present pixels
	 * ({@link #imageMask}, {@link #nan}). With weights, it is a share of their sum. A response with less overlap is undefined. Default: 1/3 with FULL and with
	 * missing pixels, otherwise 0.
	 *
	 * @throws IllegalArgumentException if the share does not lie in [0, 1]
	 */
	public NormalizedCrossCorrelation minOverlap(final double share) {
		return change(Templates::minOverlap, Range.SHARE.of("the minimum overlap is ", share));
	}

	/**
	 * Restricts the search to windows that lie completely in a box of the image. Replaces {@link #search}. Default: all windows.
	 *
	 * @param windows in pixels relative to the image's first pixel, one dimension for each dimension of the template. Null for all windows
	 */
	public NormalizedCrossCorrelation inside(final Interval windows) {
		return change(Templates::inside, windows);
	}

	private synchronized <V> NormalizedCrossCorrelation change(final Components.Accessor<Templates, V> setting, final V value) {
		templates = Components.with(templates, setting, value);
		return this;
	}

	/** Sets the maximum number of lags in one box. */
	NormalizedCrossCorrelation maxLags(final long lags) {
		return boxes(lags);
	}

	/** Sets the backends. Null for all. */
	NormalizedCrossCorrelation backends(final List<Backend> backends) {
		return planWith(backends);
	}

	@Override
	protected synchronized SlidingCall.Operation operation() {
		if (!templates.images.later()) templates.images.read(options().threads());
		if (!missingChecked) templates.missing.requirePixels();
		missingChecked = true;
		return templates;
	}

	/** A call with the current settings. */
	SlidingCall call() {
		return begin();
	}

	/**
	 * The planner's problem for {@link #correlate} with an image and a template of these sizes.
	 *
	 * @param size the size of the image; dimensions beyond the template's are frames
	 * @param frames the number of such images, at least 1
	 * @throws IllegalArgumentException if the template is larger than the image or has more dimensions
	 */
	public static Correlation problem(final PixelType image, final Size size, final PixelType template, final Size templateSize, final Extent extent,
		final long frames)
	{
		Given.nonNull(image, "pixel type");
		Given.nonNull(size, "size");
		Given.nonNull(template, "pixel type");
		Given.nonNull(templateSize, "size");
		Given.nonNull(extent, "extent");
		Range.COUNT.of("the number of frames is ", frames);
		final long[] all = size.toArray();
		final ResponseLayout layout = new ResponseLayout(templateSize, StackFrames.size("template", templateSize, all), extent, null, -1, null, MissingPixels.NONE);
		return new Correlation(layout.windows(image, template, List.of(templateSize), Precision.SINGLE, Math.multiplyExact(frames,
			StackFrames.count(templateSize.dimensions(), all)), BoxGrid.of(layout.lags, SlidingSettings.MAX_LAGS)), Weights.NONE, 1, Result.MAP);
	}

	/**
	 * Correlates the templates with an image.
	 *
	 * @param image an image with at least as many dimensions as the templates; the other dimensions are frames
	 * @return one map per template, with as many dimensions as the image
	 * @throws IllegalArgumentException if a template is flat, larger than the image or contains NaN, a mask does not fit, an image has no real type, the search
	 *         window extends beyond the image, or the selected algorithm does not apply; the message says what to do
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public Response correlate(final RandomAccessibleInterval<?> image) {
		return begin().computeMaps(image, null);
	}

	/**
	 * Correlates as {@link #correlate} and writes the maps to images of the caller, so that repeated calls allocate no maps. Every pixel is written.
	 *
	 * @param into one image per template, of the sizes from {@link #mapShapes}: of floats in single precision, of doubles in double precision,
	 *        of unsigned numbers of 16 or 8 bits for quantized responses ({@link #responseType})
	 * @return the response, whose maps are these images
	 * @throws IllegalArgumentException as {@link #correlate}; and if an image has another size or pixel type, or is the searched image
	 */
	public <T extends RealType<T>> Response correlate(final RandomAccessibleInterval<?> image, final List<? extends Img<T>> into) {
		return begin().computeMaps(image, Given.list(into, "map"));
	}

	/** Correlates a single template as {@link #correlate(RandomAccessibleInterval, List)}. */
	public <T extends RealType<T>> Response correlate(final RandomAccessibleInterval<?> image, final Img<T> into) {
		return correlate(image, List.of(Given.nonNull(into, "map")));
	}

	/**
	 * Correlates as {@link #correlate} and writes the maps to stores, so they do not need to fit in memory. The image is read and the maps are written in
	 * parts. With an image of cells that are loaded on demand, memory holds only some of its cells and some chunks of the maps.
	 *
	 * @param stores one store per template, of the sizes from {@link #mapShapes}; chunks that a store already has are not computed again
	 * @throws IllegalArgumentException as {@link #correlate}; and if a store does not fit its map
	 * @throws java.io.UncheckedIOException if a store cannot write a chunk
	 * @throws java.util.concurrent.CancellationException if the monitor canceled; chunks written before remain
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public StoredResponse correlateInto(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		return begin().respondInto(image, stores);
	}

	/** Correlates a single template as {@link #correlateInto(RandomAccessibleInterval, List)}. */
	public StoredResponse correlateInto(final RandomAccessibleInterval<?> image, final MapStore store) {
		return begin().respondInto(image, List.of(Given.nonNull(store, "store")));
	}

	/**
	 * Computes the greatest response of each lag over all templates, and the number of its template. It needs no map per template.
	 *
	 * @param image as for {@link #correlate}
	 * @throws IllegalArgumentException as {@link #correlate}; and if the maps of the templates differ in size or origin, as for templates of different sizes
	 *         with extent VALID or FULL and no search window
	 */
	public Best best(final RandomAccessibleInterval<?> image) {
		return begin().best(image);
	}

	/**
	 * Computes {@link #best} and writes it to stores, so the maps do not need to fit in memory, as {@link #correlateInto}.
	 *
	 * @param scores the store of the scores
	 * @param numbers the store of the templates' numbers, with equal chunks. It receives a ByteBuffer for up to 255 templates, a ShortBuffer for up to 65535, and
	 *        otherwise an IntBuffer. Null if they are not needed
	 * @throws IllegalArgumentException as {@link #best}; and if a store does not fit its map
	 * @throws java.util.concurrent.CancellationException if the monitor canceled; chunks written before remain
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public StoredResponse bestInto(final RandomAccessibleInterval<?> image, final MapStore scores, final MapStore numbers) {
		Given.nonNull(image, "image");
		Given.nonNull(scores, "store");
		final long start = System.nanoTime();
		final SlidingCall call = begin();
		call.require(image);
		final List<MapStore> stores = numbers == null ? List.of(scores) : List.of(scores, numbers);
		try (MapParts parts = new BestMapParts(call, image, stores)) {
			final MapParts.Done done = parts.computeAll();
			return new StoredResponse(Collections.nCopies(stores.size(), call.mapShapes(image).get(0)), done.report(), done.before(),
				parts.rankings(), Ranking.secondsSince(start, parts.rankings()));
		}
	}

	/**
	 * The work of {@link #bestInto}, box by box, for several threads and processes.
	 *
	 * @param stores the scores, and the numbers if there are two; they can be written to by several processes
	 * @throws IllegalArgumentException as {@link #bestInto}
	 */
	public MapParts bestParts(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		Given.nonNull(image, "image");
		Given.list(stores, "store");
		return new BestMapParts(begin(), image, stores);
	}

	/**
	 * The work of {@link #correlateInto}, box by box, for several threads and processes.
	 *
	 * @param stores as there; they can be written to by several processes
	 * @throws IllegalArgumentException as there
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public MapParts parts(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		Given.nonNull(image, "image");
		Given.list(stores, "store");
		return new TemplateMapParts(begin(), image, stores);
	}

	/**
	 * The candidates for {@link #best}, for each set of templates that are computed together.
	 *
	 * @throws IllegalArgumentException as {@link #best}
	 * @throws java.util.concurrent.CancellationException if the monitor cancels a measurement
	 */
	public List<Ranking> explainBest(final RandomAccessibleInterval<?> image) {
		return begin().explain(image, Result.BEST);
	}

	/** The candidates for {@link #bestInto}. Errors are those of {@link #bestInto}. */
	public List<Ranking> explainBest(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		try (MapParts parts = bestParts(image, stores)) {
			return parts.rankings();
		}
	}

	/** The candidates for {@link #bestOfEach}; parameters and errors as {@link #explainEach}. */
	public List<Ranking> explainBestOfEach(final RandomAccessibleInterval<?> frame, final long count) {
		return begin().explainEach(frame, count, Result.BEST);
	}

	/**
	 * Correlates the templates with each frame of a stream of any length. The next frames are read while a frame is computed. All frames share one plan, the
	 * spectra of the templates and the buffers, so memory does not depend on the number of frames. Results come in the order of the frames, in the calling
	 * thread. One other thread reads the source.
	 *
	 * @param frames images with as many dimensions as the templates. If their size or pixel type changes, a new plan is made. A frame is read before the next
	 *        one is requested, so a source can reuse its image. Exception: a frame that takes more than 1/12 of the heap is read in parts until its result is
	 *        consumed. A Collection gives the number of frames, for progress. Other sources: {@code () -> iterator}, or {@link sc.fiji.ncc.result.Frames#of}
	 * @param consumer receives the maps of each frame; later frames reuse them
	 * @throws IllegalArgumentException as {@link #correlate}; for frames after the first, the message begins with the number of the frame
	 * @throws sc.fiji.ncc.result.FrameException if the source or the consumer failed; the consumer received the results of all frames before
	 * @throws java.util.concurrent.CancellationException if the monitor canceled; then the consumer receives no further result, and a source that blocks is
	 *         interrupted
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed. If one candidate fails, the next one continues
	 */
	public StreamReport correlateEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Response> consumer) {
		return begin().respondToEach(frames, consumer);
	}

	/** Computes {@link #best} for each frame of a stream, as {@link #correlateEach}. Throws as both. */
	public StreamReport bestOfEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Best> consumer) {
		return begin().bestOfEach(frames, consumer);
	}

	/**
	 * Computes once what templates of one size share of an image. With a Fourier algorithm, each template then takes little more than a multiplication of
	 * spectra and an inverse transform. The current settings apply until the prepared image is closed.
	 *
	 * @param image as for {@link #correlate}; it must not change while the prepared image is in use
	 * @throws IllegalArgumentException as {@link #correlate}; and if the given templates differ in size or mask
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed, for example because of too little memory
	 */
	public PreparedImage prepare(final RandomAccessibleInterval<?> image) {
		Given.nonNull(image, "image");
		final SlidingCall call = begin();
		call.require(image);
		final Template shape = ((Templates) call.operation()).images.shape(ImagePixels.type(image), JointImage.channels(image));
		JointImage.requireSameChannels("template", shape.channels(), image);
		return new PreparedImage(call, image, shape);
	}

	/**
	 * Prepares the templates for images that come one after another: they are read, transformed and kept on their device until the prepared templates are closed.
	 * The current settings apply until then.
	 *
	 * @param type the pixel type of the images
	 * @param size the size of each image; dimensions beyond the templates' are frames
	 * @throws IllegalArgumentException as {@link #correlate}
	 * @throws java.util.concurrent.CancellationException if the monitor canceled a measurement
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed, for example because of too little memory
	 */
	public PreparedTemplates prepare(final PixelType type, final Size size) {
		final SlidingCall call = begin();
		final RandomAccessibleInterval<?> blank = BufferImages.blank(Given.nonNull(type, "pixel type"), Given.nonNull(size, "size"),
			call.templates().get(0).channels());
		final KeptExecutions executions = new KeptExecutions(type, size);
		final SlidingCall keeping = call.keeping(executions);
		try {
			return new PreparedTemplates(keeping, executions, keeping.open(blank), toString());
		}
		catch (final RuntimeException | Error e) {
			executions.close();
			throw e;
		}
	}

	/** Such as {@code normalized cross-correlation of a 32x32 template, valid positions}. */
	@Override
	public synchronized String toString() {
		return "normalized cross-correlation of " + Size.text("template", templates.images.sizes()) + ", " + positions();
	}
}
