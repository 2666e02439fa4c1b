package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.option.SlidingSettings;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.parts.TemplateMapParts;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.SlidingCall;
import sc.fiji.ncc.run.SlidingOp;

/**
 * Convolution of an image with one or several kernels, in any number of dimensions.
 *
 * <pre>
 * Img&lt;FloatType&gt; smooth = Convolution.of(kernel).border(Border.MIRROR).convolve(image).map();
 * </pre>
 *
 * The response at i is {@code Σ k(j)·x(i − j)}, with j relative to the kernel's centre, {@code floor(size / 2)}. In the sense of correlation it is
 * {@code Σ k(j)·x(i + j)}. Nothing is normalized: a kernel with sum 1 keeps the brightness of the image. The error is at most 1e-6·max|x|·Σ|k| for every
 * input, in double precision at most 1e-13·max|x|·Σ|k|. A response beyond the range of its type is infinite.
 * <p>
 * A response is always at the kernel's centre: {@link Extent#FULL}, {@link Extent#SAME} and {@link Extent#VALID} are parts of one result. A response is
 * undefined where a pixel that is NaN or infinite meets a kernel value other than 0. Default value of undefined responses: NaN.
 * <p>
 * Image and kernel can have any real type, also different ones. If the kernel has fewer dimensions than the image, the other dimensions are frames. With
 * extent SAME or FULL the kernel can be larger than the image. Inputs are never changed.
 * <p>
 * The time depends on the algorithm. A kernel that is a sum of a few products of one-dimensional kernels, such as a Gaussian or a box, is convolved along
 * one dimension after the other. {@link #explain} shows which algorithm is selected and why. Several threads can use an operation at the same time: each
 * call uses the settings at its start.
 */
public final class Convolution extends SlidingOp<Convolution> {

	/** @param kernels in the sense of correlation */
	private record Kernels(List<Template> kernels, Sense sense) implements SlidingCall.Operation {

		@Override
		public String noun() {
			return "kernel";
		}

		@Override
		public int dimensions() {
			return kernels.get(0).size().dimensions();
		}

		@Override
		public List<Template> templates() {
			return kernels;
		}

		@Override
		public ResponseLayout layout(final Size kernel, final RandomAccessibleInterval<?> image, final SlidingSettings settings) {
			return Convolution.layout(kernel, image.dimensionsAsLongArray(), settings, sense);
		}

		@Override
		public Sliding problem(final Windows windows, final List<Template> some, final Result kind) {
			return new Sliding.Convolution(windows, Separation.terms(some, windows.image(), windows.precision()));
		}

		@Override
		public void require(final RandomAccessibleInterval<?> image) {
			// a convolution has no image mask
		}
	}

	private final List<RandomAccessibleInterval<?>> images;
	private Sense sense = Sense.CONVOLUTION;
	/** The kernels in the sense of correlation; null before they are read. */
	private List<Template> kernels;

	private Convolution(final List<RandomAccessibleInterval<?>> kernels) {
		super(Backends::all, Extent.SAME, Undefined.NAN);
		images = kernels;
	}

	/** @param kernel an image of finite values; it is read when it is first needed */
	public static Convolution of(final RandomAccessibleInterval<?> kernel) {
		return new Convolution(List.of(Given.nonNull(kernel, "kernel")));
	}

	/**
	 * Convolves one image with several kernels. Kernels of the same size share work.
	 *
	 * @param kernels images with the same number of dimensions, of any sizes and types
	 */
	public static Convolution of(final List<? extends RandomAccessibleInterval<?>> kernels) {
		return new Convolution(new ArrayList<>(Given.list(kernels, "kernel")));
	}

	/** Sets the orientation of the kernel. Default: {@link Sense#CONVOLUTION}. */
	public synchronized Convolution sense(final Sense sense) {
		this.sense = Given.nonNull(sense, "sense");
		kernels = null;
		return this;
	}

	@Override
	protected synchronized SlidingCall.Operation operation() {
		if (kernels == null) {
			final List<Template> read = images.stream().map(TemplateReader::readKernel).map(t -> sense == Sense.CORRELATION ? t : mirrored(t)).toList();
			kernels = TemplateReader.alike(read, "kernel");
		}
		return new Kernels(kernels, sense);
	}

	/** The kernel mirrored along each dimension. */
	private static Template mirrored(final Template t) {
		final double[] values = t.values().clone();
		for (int i = 0; i < values.length; i++) values[i] = t.values()[values.length - 1 - i];
		return new Template(t.size(), t.type(), values, null);
	}

	private static ResponseLayout layout(final Size kernel, final long[] image, final SlidingSettings settings, final Sense sense) {
		final long[] anchor = ResponseLayout.centre(kernel);
		if (sense == Sense.CONVOLUTION)
			for (int d = 0; d < anchor.length; d++) anchor[d] = kernel.get(d) - 1 - anchor[d];
		return ResponseLayout.ofKernel(kernel, StackFrames.size("kernel", kernel, image), new ResponseLayout.Positions(settings.extent(), anchor,
			border(settings.extent(), settings.border()), settings.search()));
	}

	/** Zeros outside the image give the same sum as the overlapping part alone. */
	private static Border border(final Extent extent, final Border given) {
		if (extent == Extent.VALID) return Border.UNDEFINED;
		if (given == null) return extent == Extent.FULL ? Border.OVERLAP : Border.EDGE;
		return given.kind() == Border.Kind.CONSTANT && given.value() == 0 ? Border.OVERLAP : given;
	}

	/**
	 * The planner's problem for {@link #convolve} with an image and a kernel of these sizes.
	 *
	 * @param size the size of the image; dimensions beyond the kernel's are frames
	 * @param terms the number of products of one-dimensional kernels whose sum is the kernel; 0 if they are too many to be useful
	 * @param frames the number of such images, at least 1
	 * @throws IllegalArgumentException if the kernel has more dimensions, or is larger than the image with extent VALID
	 */
	public static Sliding.Convolution problem(final PixelType image, final Size size, final PixelType kernel, final Size kernelSize, final int terms,
		final Extent extent, final long frames)
	{
		Given.nonNull(image, "pixel type");
		Given.nonNull(size, "size");
		Given.nonNull(kernel, "pixel type");
		Given.nonNull(kernelSize, "size");
		Given.nonNull(extent, "extent");
		Range.COUNT.of("the number of frames is ", frames);
		final long[] all = size.toArray();
		final ResponseLayout layout = layout(kernelSize, all, new SlidingSettings(extent, Undefined.NAN), Sense.CONVOLUTION);
		return new Sliding.Convolution(layout.windows(image, kernel, List.of(kernelSize), Precision.SINGLE,
			Math.multiplyExact(frames, StackFrames.count(kernelSize.dimensions(), all)), BoxGrid.of(layout.lags, SlidingSettings.MAX_LAGS)), terms);
	}

	/**
	 * Convolves an image with the kernels.
	 *
	 * @param image an image with at least as many dimensions as the kernels; the other dimensions are frames
	 * @return one map per kernel, with as many dimensions as the image
	 * @throws IllegalArgumentException if a kernel contains NaN or infinity, or is larger than the image with extent VALID, an image has no real type, the search
	 *         window extends beyond the responses, or the selected algorithm does not apply; the message says what to do
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public Response convolve(final RandomAccessibleInterval<?> image) {
		return begin().computeMaps(image, null);
	}

	/**
	 * Convolves with a single kernel as {@link #convolve(RandomAccessibleInterval)}, into an existing image. This saves memory allocation.
	 *
	 * @param to an image of the map's size, which is the size of the image with extent SAME; not the image itself
	 * @throws IllegalArgumentException as {@link #convolve(RandomAccessibleInterval)}; and if {@code to} has another size or is the image
	 */
	public Response convolve(final RandomAccessibleInterval<?> image, final Img<FloatType> to) {
		Given.nonNull(image, "image");
		Given.nonNull(to, "map");
		if (to == image) throw new IllegalArgumentException("the result cannot be written into the input image: give another image for the result");
		return begin().computeMaps(image, List.of(to));
	}

	/**
	 * Convolves as {@link #convolve(RandomAccessibleInterval)} and writes the results to stores, as
	 * {@link NormalizedCrossCorrelation#correlateInto(RandomAccessibleInterval, List)} does.
	 *
	 * @param stores one store per kernel, of the sizes from {@link #mapShapes}; chunks that a store already has are not computed again
	 * @throws IllegalArgumentException as {@link #convolve(RandomAccessibleInterval)}; and if a store does not fit its result
	 * @throws java.io.UncheckedIOException if a store cannot write a chunk
	 * @throws java.util.concurrent.CancellationException if the monitor canceled; chunks written before remain
	 * @throws sc.fiji.ncc.result.NccException if every candidate failed
	 */
	public StoredResponse convolveInto(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		return begin().respondInto(image, stores);
	}

	/** Convolves with a single kernel as {@link #convolveInto(RandomAccessibleInterval, List)}. */
	public StoredResponse convolveInto(final RandomAccessibleInterval<?> image, final MapStore store) {
		return begin().respondInto(image, List.of(Given.nonNull(store, "store")));
	}

	/**
	 * The work of {@link #convolveInto(RandomAccessibleInterval, List)}, box by box, for several threads and processes.
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
	 * Convolves each frame of a stream with the kernels, as {@link NormalizedCrossCorrelation#correlateEach}.
	 *
	 * @throws IllegalArgumentException as {@link #convolve(RandomAccessibleInterval)}; for frames after the first, the message begins with the number of the frame
	 */
	public StreamReport convolveEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<? super Response> consumer) {
		return begin().respondToEach(frames, consumer);
	}

	/** Such as {@code convolution with a 5x5 kernel, same positions}. */
	@Override
	public synchronized String toString() {
		return sense.name().toLowerCase(Locale.ROOT) + " with "
			+ Size.text("kernel", images.stream().map(k -> Size.of(k.dimensionsAsLongArray())).toList()) + ", " + positions();
	}
}
