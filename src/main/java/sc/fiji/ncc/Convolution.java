package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.numeric.Separation;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.result.StreamReport;

/**
 * Convolution of an image with a kernel, or with several, in any number of dimensions.
 *
 * <pre>
 * Img&lt;FloatType&gt; smooth = Convolution.of(kernel).border(Border.MIRROR).convolve(image).map();
 * </pre>
 *
 * The response at i is {@code Σ k(j)·x(i − j)}, with j counted from the kernel's centre, {@code floor(size / 2)}; in the sense of correlation
 * {@code Σ k(j)·x(i + j)}. Nothing is normalised: a kernel that sums to 1 keeps the image's brightness. It lies within 1e-6·max|x|·Σ|k| of the exact
 * value for every input, in double precision within 1e-13·max|x|·Σ|k|, and beyond the range of its type it is infinite.
 * <p>
 * A response lies at the kernel's centre, whatever the extent: {@link Extent#FULL}, {@link Extent#SAME} and {@link Extent#VALID} are parts of one
 * result, and what is seen in it stands where it stood in the image. A response is undefined where a pixel that is NaN or infinite meets a value of the
 * kernel other than 0; it reads NaN unless said.
 * <p>
 * Image and kernel may be of any real type, different ones too. A kernel of fewer dimensions than the image runs over the others as frames. With extent
 * SAME or FULL it may be larger than the image. Inputs are never written to.
 * <p>
 * What it costs is the algorithm's: kernels that are sums of a few products of one-dimensional ones, such as a Gaussian's or a box, are convolved along
 * one dimension after the other; {@link #explain} says which way is taken and why. Safe for use by several threads at once, each call
 * with the settings as they are when it begins.
 */
public final class Convolution extends SlidingOp<Convolution> {

	private final List<RandomAccessibleInterval<?>> kernelImages;
	private Sense sense = Sense.CONVOLUTION;
	private List<Template> kernels;

	private Convolution(final List<RandomAccessibleInterval<?>> kernels) {
		super(Extent.SAME, Undefined.NAN);
		kernelImages = kernels;
	}

	/** @param kernel of finite values; it is read when it is first needed */
	public static Convolution of(final RandomAccessibleInterval<?> kernel) {
		return new Convolution(Collections.singletonList(kernel));
	}

	/**
	 * Of several kernels with one image. Those of one size share what is computed of it.
	 *
	 * @param kernels of the same number of dimensions, of any sizes and types
	 */
	public static Convolution of(final List<? extends RandomAccessibleInterval<?>> kernels) {
		if (kernels.isEmpty()) throw new IllegalArgumentException("the list of kernels is empty: give at least one");
		return new Convolution(new ArrayList<>(kernels));
	}

	/** {@link Sense#CONVOLUTION} unless said. */
	public synchronized Convolution sense(final Sense sense) {
		this.sense = Objects.requireNonNull(sense, "sense");
		kernels = null;
		return this;
	}

	@Override
	Convolution self() {
		return this;
	}

	@Override
	String noun() {
		return "kernel";
	}

	/** As they lie on the image, in the sense of correlation. */
	@Override
	List<Template> templates() {
		if (kernels == null) {
			final List<Template> read = new ArrayList<>();
			for (final RandomAccessibleInterval<?> k : kernelImages) {
				final Template t = TemplateReader.readKernel(k);
				read.add(sense == Sense.CORRELATION ? t : turned(t));
			}
			kernels = TemplateReader.alike(read, noun());
		}
		return kernels;
	}

	@Override
	void prepareSnapshot() {
		templates();
	}

	/** Reversed along each dimension. */
	private static Template turned(final Template t) {
		final double[] values = t.values().clone();
		for (int i = 0; i < values.length; i++) values[i] = t.values()[values.length - 1 - i];
		return new Template(t.size(), t.type(), values, null);
	}

	@Override
	int dimensions() {
		return kernelImages.get(0).numDimensions();
	}

	@Override
	ResponseLayout layout(final Size kernel, final RandomAccessibleInterval<?> image) {
		return arrange(kernel, image.dimensionsAsLongArray(), extent(), border(), sense, search());
	}

	private static ResponseLayout arrange(final Size kernel, final long[] image, final Extent extent, final Border given, final Sense sense,
		final Interval search)
	{
		final long[] anchor = ResponseLayout.centre(kernel);
		if (sense == Sense.CONVOLUTION)
			for (int d = 0; d < anchor.length; d++) anchor[d] = kernel.get(d) - 1 - anchor[d];
		return new ResponseLayout("kernel", kernel, StackFrames.size("kernel", kernel, image), false, extent, anchor, border(extent, given), 0, search);
	}

	/** Zeros beyond the image are what a plain sum over the part that overlaps makes of it. */
	private static Border border(final Extent extent, final Border given) {
		if (extent == Extent.VALID) return Border.UNDEFINED;
		if (given == null) return extent == Extent.FULL ? Border.OVERLAP : Border.EDGE;
		return given.kind() == Border.Kind.CONSTANT && given.value() == 0 ? Border.OVERLAP : given;
	}

	@Override
	Problem asked(final Problem problem, final List<Template> kernels) {
		return problem.convolving(Separation.terms(kernels, problem.image(), options().precision()));
	}

	/**
	 * What {@link #convolve} would ask the planner for an image and a kernel of these sizes, without either of them.
	 *
	 * @param size of the image; dimensions beyond the kernel's are frames, as there
	 * @param terms of how many products of one-dimensional kernels the kernel is the sum; 0 if of too many to be of use
	 * @param frames how many such images follow each other, at least 1
	 * @throws IllegalArgumentException if the kernel has more dimensions, or is larger than the image with extent VALID
	 */
	public static Problem problem(final PixelType image, final Size size, final PixelType kernel, final Size kernelSize, final int terms,
		final Extent extent, final long frames)
	{
		if (frames < 1) throw new IllegalArgumentException("the number of frames must be at least 1, not " + frames);
		final long[] all = size.toArray();
		final ResponseLayout a = arrange(kernelSize, all, extent, null, Sense.CONVOLUTION, null);
		return a.problem(image, kernel, List.of(kernelSize), Weights.NONE, Math.multiplyExact(frames, StackFrames.count(kernelSize.dimensions(), all)), BoxGrid.of(a.lags, MOST_LAGS))
			.convolving(terms);
	}

	/**
	 * Convolves an image with the kernels.
	 *
	 * @param image at least as many dimensions as the kernels; those beyond them are frames
	 * @return a map for each kernel, of as many dimensions as the image
	 * @throws IllegalArgumentException if a kernel holds NaN or infinity, or is larger than the image with extent VALID, an image is no real one, the
	 *         search window lies outside, or the algorithm that was asked for does not apply; the message says what to do
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if the machine failed
	 */
	public Response convolve(final RandomAccessibleInterval<?> image) {
		return snapshot().respond(image, null);
	}

	/**
	 * As {@link #convolve(RandomAccessibleInterval)} of one kernel, into an image that is there: one after the other then need no new memory.
	 *
	 * @param to of the size of the map, which is the image's with extent SAME; not the image
	 * @throws IllegalArgumentException as there; and if the size of {@code to} is another, or it is the image
	 */
	public Response convolve(final RandomAccessibleInterval<?> image, final Img<FloatType> to) {
		if (to == image) throw new IllegalArgumentException("the image would be written to while it is read: give another one for the result");
		return snapshot().respond(image, List.of(to));
	}

	/**
	 * As {@link #convolve(RandomAccessibleInterval)}, with results that need not fit in memory: as
	 * {@link NormalizedCrossCorrelation#correlateInto(RandomAccessibleInterval, List)} does it.
	 *
	 * @param stores take the results, one a kernel, of the sizes that {@link #mapShapes} tells; what they have already is not computed again
	 * @throws IllegalArgumentException as {@link #convolve(RandomAccessibleInterval)}; and if a store does not fit its result
	 * @throws java.io.UncheckedIOException if a store cannot take it
	 * @throws java.util.concurrent.CancellationException if the monitor canceled; what was written by then stays
	 * @throws sc.fiji.ncc.result.NccException if the machine failed
	 */
	public StoredResponse convolveInto(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		return snapshot().respondInto(image, stores);
	}

	/** As {@link #convolveInto(RandomAccessibleInterval, List)}, of the only kernel. */
	public StoredResponse convolveInto(final RandomAccessibleInterval<?> image, final MapStore store) {
		return snapshot().respondInto(image, List.of(store));
	}

	/**
	 * Convolves one frame after the other with the kernels, as many as come; as {@link NormalizedCrossCorrelation#correlateEach} in all else.
	 *
	 * @throws IllegalArgumentException as {@link #convolve(RandomAccessibleInterval)}; for a frame beyond the first the message begins with its number
	 */
	public StreamReport convolveEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Response> consumer) {
		return snapshot().respondToEach(frames, consumer);
	}
}
