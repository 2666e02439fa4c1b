package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Effort;
import sc.fiji.ncc.plan.LagBox;
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
 * Normalized cross-correlation of a template with an image, in any number of dimensions.
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

	private final RandomAccessibleInterval<?> templateImage;
	private RandomAccessibleInterval<?> mask;
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
	private Template template;

	private NormalizedCrossCorrelation(final RandomAccessibleInterval<?> template) {
		templateImage = template;
	}

	/** @param template at least two different values; it is read when it is first needed */
	public static NormalizedCrossCorrelation of(final RandomAccessibleInterval<?> template) {
		return new NormalizedCrossCorrelation(template);
	}

	/** Which of the template's pixels count: those above 0 in an image of its shape. Null: all. */
	public NormalizedCrossCorrelation mask(final RandomAccessibleInterval<?> mask) {
		this.mask = mask;
		template = null;
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

	/** The template as plans take it. */
	Template template() {
		if (template == null) template = TemplateReader.read(templateImage, mask);
		return template;
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

	/** How this correlation is laid out over an image. */
	Arrangement arrange(final RandomAccessibleInterval<?> image) {
		return new Arrangement(template().size(), spatial(template().size(), image.dimensionsAsLongArray()), extent, border, leastOverlap, search);
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
		return a.problem(image, template, Weights.NONE, Math.multiplyExact(frames, frames(templateSize.dimensions(), all)), MOST_LAGS);
	}

	/**
	 * The candidates for this image, the one that would be taken first.
	 *
	 * @throws IllegalArgumentException as {@link #correlate}
	 */
	public Ranking explain(final RandomAccessibleInterval<?> image) {
		return rank(image, arrange(image));
	}

	private Ranking rank(final RandomAccessibleInterval<?> image, final Arrangement a) {
		final Problem problem = a.problem(ImagePixels.type(image), template().type(), template().weights() == null ? Weights.NONE : Weights.BINARY,
			frames(template().size().dimensions(), image.dimensionsAsLongArray()), mostLags);
		return new Planner(backends == null ? Backends.all(threads) : backends).rank(problem, backend, algorithm, effort, measuringSeconds);
	}

	/** @param dimensions the template's */
	private static long frames(final int dimensions, final long[] image) {
		long n = 1;
		for (int d = dimensions; d < image.length; d++) n = Math.multiplyExact(n, image[d]);
		return n;
	}

	/**
	 * Correlates the template with an image.
	 *
	 * @param image at least as many dimensions as the template; those beyond it are frames
	 * @return the map, of as many dimensions as the image
	 * @throws IllegalArgumentException if the template is flat, larger than the image or holds NaN, the mask does not fit, an image is no
	 *         real one, the search window lies outside, or the algorithm that was asked for does not apply; the message says what to do
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws NccException if the machine failed
	 */
	public Response correlate(final RandomAccessibleInterval<?> image) {
		final long start = System.nanoTime();
		final Arrangement a = arrange(image);
		final Ranking ranking = rank(image, a);
		final int n = a.size.length;
		final long[] size = image.dimensionsAsLongArray();
		System.arraycopy(a.size, 0, size, 0, n);
		final Img<FloatType> map = allocate(size);
		if (a.hasUndefinedBorder() && undefined != Undefined.ZERO) LoopBuilder.setImages(map).forEachPixel(p -> p.set(undefined.value));
		final long[] origin = new long[size.length];
		System.arraycopy(a.origin, 0, origin, 0, n);
		if (a.empty()) return new Response(map, origin, Report.NONE, ranking, seconds(start));

		final List<BoxQueue.Box> queue = new ArrayList<>();
		final long frames = frames(n, image.dimensionsAsLongArray());
		monitor.total(frames * Size.of(a.lags).pixels());
		for (long f = 0; f < frames; f++) {
			final RandomAccessibleInterval<?> frame = frame(image, n, f);
			final RandomAccessibleInterval<FloatType> target = (RandomAccessibleInterval<FloatType>) frame(map, n, f);
			final float[] array = map instanceof ArrayImg ? array(map) : null;
			for (final long[][] box : a.boxes(mostLags)) {
				final long[] first = a.firstLagInPixels(), place = a.place.clone();
				for (int d = 0; d < n; d++) {
					first[d] += box[0][d];
					place[d] += box[0][d];
				}
				final LagBox lags = new LagBox(new long[][] { first }, Size.of(box[1]).toIntArray());
				queue.add(new BoxQueue.Box(() -> a.pixels(frame), lags,
					new MapSink(target, array, array == null ? 0 : f * Size.of(a.size).pixels(), place, undefined.value), monitor));
			}
		}
		final BoxQueue boxes = new BoxQueue(queue, monitor);
		final Report report = boxes.run(ranking, List.of(template()));
		return new Response(map, origin, report, boxes.outcome(ranking), seconds(start));
	}

	private static double seconds(final long start) {
		return 1e-9 * (System.nanoTime() - start);
	}

	private static Img<FloatType> allocate(final long[] size) {
		return Size.of(size).pixels() <= Integer.MAX_VALUE - 8 ? ArrayImgs.floats(size) : new CellImgFactory<>(new FloatType(), 256).create(size);
	}

	private static float[] array(final Img<FloatType> map) {
		return ((FloatArray) ((ArrayImg<?, ?>) map).update(null)).getCurrentStorageArray();
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
