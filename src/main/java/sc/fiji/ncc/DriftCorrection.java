package sc.fiji.ncc;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.ComputingOp;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.register.DriftMeasurement;
import sc.fiji.ncc.register.DriftParts;
import sc.fiji.ncc.register.DriftSettings;
import sc.fiji.ncc.register.correct.CorrectedStack;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.FrameException;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.run.FailoverSampler;

/**
 * Measures and corrects the drift of a sequence of frames in two or three dimensions.
 *
 * <pre>
 * DriftCorrection correction = DriftCorrection.ofFrames(2).reference(DriftReference.MULTI).maxShift(40, 40);
 * Drift drift = correction.measure(stack);
 * Img&lt;?&gt; corrected = DriftCorrection.correct(stack, 2, drift, Interpolation.INTEGER, Outside.BLACK);
 * </pre>
 *
 * Pairs of frames are registered as in {@link Registration}. Each frame is transformed once for all its pairs. Frames that are flat, and frames with a far lower score
 * than those around, are named in the result. A flat or lost frame gets the shift of its neighbours. Memory does not grow with the number of frames. Inputs are never
 * changed. Several threads can use an object at the same time: each call uses the settings at its start.
 */
public final class DriftCorrection extends ComputingOp<DriftCorrection, DriftSettings> {

	/** A narrower window has no maximum shift: this is a third of a window. */
	public static final long LEAST_WINDOW = 4;

	private final int dimensions;

	private DriftCorrection(final int dimensions) {
		super(Backends::all, DriftSettings.DEFAULT);
		this.dimensions = dimensions;
	}

	/** @param dimensions the number of dimensions of a frame, 2 or 3 */
	public static DriftCorrection ofFrames(final int dimensions) {
		if (dimensions < 2 || dimensions > 3) throw new IllegalArgumentException("frames of " + dimensions + " dimensions cannot be corrected: give 2 or 3");
		return new DriftCorrection(dimensions);
	}

	/** Sets what frames are measured against. Default: {@link DriftReference#MULTI}. */
	public DriftCorrection reference(final DriftReference newReference) {
		return set(DriftSettings::reference, newReference);
	}

	/**
	 * Sets the largest shift between two frames that are compared, in pixels, in both directions along each dimension. A small maximum shift saves time and memory.
	 * With {@link DriftReference#FIRST}, {@link DriftReference#MEAN}, and a frame, it limits the drift as a whole. Default: as the overlap allows.
	 *
	 * @throws IllegalArgumentException if a number is negative, or their number differs from the number of dimensions
	 */
	public DriftCorrection maxShift(final long... pixels) {
		return set(DriftSettings::maxShift, Range.distances(pixels, dimensions, "images"));
	}

	/**
	 * Sets the smallest overlap of two frames, as a share of a frame. Default: 0.333.
	 *
	 * @throws IllegalArgumentException if not above 0 and at most 1
	 */
	public DriftCorrection minOverlap(final double share) {
		return set(DriftSettings::minOverlap, share);
	}

	/** Sets the box of the frames in which the drift is measured, in pixels relative to the first pixel of a frame. Null for all. */
	public DriftCorrection inside(final Interval box) {
		if (box != null && box.numDimensions() != dimensions) throw new IllegalArgumentException("the box has " + box.numDimensions()
			+ " dimensions, frames have " + dimensions + ": give a box of as many dimensions");
		return set(DriftSettings::inside, box == null ? null : new FinalInterval(box));
	}

	/** Sets which pixels of each frame count: those where the mask is not 0. The mask has the size of a frame, or of the box. Null for all. */
	public DriftCorrection imageMask(final RandomAccessibleInterval<?> mask) {
		return set(DriftSettings::imageMask, mask);
	}

	/**
	 * Sets the standard deviation, in frames, of the Gaussian that smooths the shifts in time. Default: 0, no smoothing.
	 *
	 * @throws IllegalArgumentException if negative or not finite
	 */
	public DriftCorrection smoothing(final double frames) {
		return set(DriftSettings::smoothing, frames);
	}

	/**
	 * Sets whether volumes are measured by their projections along z and along y, which is faster than by the volumes, and less exact. Default: false.
	 *
	 * @throws IllegalArgumentException for frames of two dimensions
	 */
	public DriftCorrection projections(final boolean project) {
		if (project && dimensions < 3) throw new IllegalArgumentException("only volumes have projections, and frames have 2 dimensions: leave projections out");
		return set(DriftSettings::projections, project);
	}

	/**
	 * Sets whether doubtful frames are moved by their measured shifts. Otherwise they get the shift of their neighbours, and stay where they are if all
	 * frames are doubtful. The state of such a frame is {@link sc.fiji.ncc.result.FrameShift.State#DOUBTFUL} in both cases. Default: false.
	 */
	public DriftCorrection moveDoubtful(final boolean move) {
		return set(DriftSettings::moveDoubtful, move);
	}

	/**
	 * Measures how frames are deformed, after their shifts: by the motion of windows against the reference, at most a third of a window.
	 * The field between the windows is smooth. With the references mean and multi, windows are compared with the mean of all corrected
	 * frames. Default: null, shifts only.
	 *
	 * @param window the size of a window in pixels, such as 64, 64; windows are half a window apart
	 * @throws IllegalArgumentException if a number is below 4, their number differs from the number of dimensions, or shifts are smoothed
	 */
	public DriftCorrection piecewise(final long... window) {
		if (window == null) return set(DriftSettings::piecewise, null);
		if (window.length != dimensions) throw new IllegalArgumentException("the windows of the deformation have " + window.length
			+ " numbers, and frames have " + dimensions
			+ " dimensions: give one number for each dimension");
		for (final long w : window) if (w < LEAST_WINDOW) throw new IllegalArgumentException("a window of the deformation is " + w
			+ " pixels wide: give at least " + LEAST_WINDOW);
		return set(DriftSettings::piecewise, Size.of(window));
	}

	/** Sets whether shifts are refined between the pixels. Default: true. */
	public DriftCorrection subpixel(final boolean refine) {
		return set(DriftSettings::subpixel, refine);
	}

	/** A measurement with the current settings. */
	private synchronized DriftMeasurement measurement(final RandomAccessibleInterval<?> first) {
		return new DriftMeasurement(settings(), planned(), first);
	}

	/**
	 * Measures the drift of a stack.
	 *
	 * @param stack an image of any real type, of colours, or a {@link sc.fiji.ncc.image.JointImage}, whose channels are measured together; dimensions beyond those of a frame are frames, the first of these fastest
	 * @return the shift of each frame, against the reference
	 * @throws IllegalArgumentException if the stack has one frame, all frames or the reference are flat, the reference frame does not
	 *        exist, or a box or mask does not fit
	 * @throws CancellationException if the monitor canceled
	 */
	public Drift measure(final RandomAccessibleInterval<?> stack) {
		return measure(frames(stack));
	}

	/**
	 * Measures the drift of frames that can be read again, as {@link #measure(RandomAccessibleInterval)}.
	 *
	 * @param frames images of one size
	 */
	public Drift measure(final List<? extends RandomAccessibleInterval<?>> frames) {
		requireSeveral(frames);
		return measurement(frames.get(0)).stack(frames);
	}

	/**
	 * The planner's problem for {@link #measure} with frames of a size, against the reference multi.
	 *
	 * @param size the size of a frame, with two or three dimensions
	 * @param frames the number of frames, at least 2
	 */
	public static FramePairs problem(final PixelType type, final Size size, final long frames) {
		Given.nonNull(type, "pixel type");
		Given.nonNull(size, "size");
		if (frames < 2) throw new IllegalArgumentException("the number of frames is " + frames + ": give at least 2");
		ofFrames(size.dimensions());
		return DriftSettings.DEFAULT.problem(type, size, 1, false, frames);
	}

	/**
	 * The planner's problem for {@link #corrected} with frames of a size.
	 *
	 * @param size the size of a frame, with two or three dimensions
	 * @param interpolation any but {@link Interpolation#INTEGER}, which computes nothing
	 * @param deformed whether frames are {@link #piecewise deformed}, besides their shifts
	 * @param frames the number of frames, times that of channels
	 * @throws IllegalArgumentException if frames are deformed, and the interpolation cannot deform them
	 */
	public static Resampling problemOfMoving(final PixelType type, final Size size, final Interpolation interpolation, final boolean deformed,
		final long frames)
	{
		Given.nonNull(type, "pixel type");
		Given.nonNull(interpolation, "interpolation");
		ofFrames(Given.nonNull(size, "size").dimensions());
		return CorrectedStack.problem(type, size.toArray(), interpolation, deformed, frames);
	}

	/**
	 * The planner's problem for {@link #measure} with {@link #piecewise} and frames of a size, against the reference multi: that of the deformations, after
	 * the shifts.
	 *
	 * @param size the size of a frame, with two or three dimensions
	 * @param window the size of a window
	 * @param frames the number of frames, at least 2
	 * @throws IllegalArgumentException if a window is larger than a frame
	 */
	public static Deformations problemOfDeforming(final Size size, final Size window, final long frames) {
		Given.nonNull(size, "size");
		Given.nonNull(window, "window");
		if (frames < 2) throw new IllegalArgumentException("the number of frames is " + frames + ": give at least 2");
		return ofFrames(size.dimensions()).piecewise(window.toArray()).settings().deformations(size, frames);
	}

	/**
	 * The candidates that can measure the drift of a stack, best first.
	 *
	 * @param frames as for {@link #measure(List)}; {@link Frames#of} makes them of a stack
	 */
	public Ranking explain(final List<? extends RandomAccessibleInterval<?>> frames) {
		Given.list(frames, "frame");
		return measurement(frames.get(0)).explain(frames.get(0), frames.size());
	}

	/**
	 * The candidates that can measure the deformations of a stack, best first.
	 *
	 * @param frames as for {@link #explain}
	 * @throws IllegalArgumentException without {@link #piecewise}, or if a window is larger than a frame
	 */
	public Ranking explainPiecewise(final List<? extends RandomAccessibleInterval<?>> frames) {
		Given.list(frames, "frame");
		if (settings().piecewise() == null) throw new IllegalArgumentException("there are no windows that measure deformations: call piecewise");
		return measurement(frames.get(0)).explainPiecewise(frames.size());
	}

	/**
	 * Divides the measurement of the drift of a stack into parts that several processes compute. Their drift is that of {@link #measure(RandomAccessibleInterval)}.
	 *
	 * @param stack as for {@link #measure(RandomAccessibleInterval)}
	 * @param heap the heap of a process, in bytes
	 * @param means a folder that all processes share, for the reference mean, and with windows also for multi; otherwise null
	 */
	public DriftParts parts(final RandomAccessibleInterval<?> stack, final long heap, final Path means) {
		if (settings().piecewise() != null && settings().reference().kind() == DriftReference.Kind.PREVIOUS) throw new IllegalArgumentException("the deformation of "
			+ "a frame against the previous one follows after that of the previous one, and several processes measure frames in any order: choose another "
			+ "reference, or measure in one process");
		final List<RandomAccessibleInterval<?>> frames = frames(stack);
		return new DriftParts(measurement(frames.get(0)), frames, heap, means);
	}

	/** Such as {@code drift correction of frames of 2 dimensions, reference multi}. */
	@Override
	public String toString() {
		final DriftSettings s = settings();
		return "drift correction of frames of " + dimensions + " dimensions, reference " + s.reference()
			+ (s.maxShift() == null ? "" : ", maximum shift " + Size.text(s.maxShift())) + (s.piecewise() == null ? "" : ", piecewise by windows of " + s.piecewise());
	}

	private List<RandomAccessibleInterval<?>> frames(final RandomAccessibleInterval<?> stack) {
		Given.nonNull(stack, "stack");
		if (stack.numDimensions() <= dimensions) throw new IllegalArgumentException("the image of " + Size.of(stack.dimensionsAsLongArray())
			+ " has one frame of " + dimensions + " dimensions, and drift needs at least two frames: give a stack");
		final List<RandomAccessibleInterval<?>> frames = Frames.of(stack, dimensions);
		requireSeveral(frames);
		return frames;
	}

	private static void requireSeveral(final List<?> frames) {
		Given.nonNull(frames, "list of frames");
		if (frames.size() < 2) throw new IllegalArgumentException("there " + (frames.size() == 1 ? "is one frame" : "are no frames") + ", and drift needs at least two: give a stack");
	}

	/**
	 * Measures the drift of a stream of any length, with the references first, previous and multi. A shift is passed on a few frames after its frame was read, and does
	 * not change any more. With multi it depends on the frames before; the shifts of a stack depend on all frames.
	 *
	 * @param frames images of one size, whose pixels must not change until their shifts are passed on: they are read once, unless a device fails
	 * @param each receives the frames in order, with their shifts
	 * @throws IllegalArgumentException as for a stack; and if the reference is mean or a frame, or shifts are to be smoothed, which need all frames
	 * @throws FrameException if the consumer fails
	 */
	public void measureEach(final Iterable<? extends RandomAccessibleInterval<?>> frames, final FrameConsumer<ShiftedFrame> each) {
		Given.nonNull(frames, "source of frames");
		Given.nonNull(each, "consumer");
		if (settings().piecewise() != null) throw new IllegalArgumentException("deformations are not measured by a stream: measure a stack, or leave piecewise "
			+ "out");
		final Iterator<? extends RandomAccessibleInterval<?>> all = frames.iterator();
		if (!all.hasNext()) throw new IllegalArgumentException("the stream has no frame: give at least one");
		final RandomAccessibleInterval<?> first = all.next();
		final List<RandomAccessibleInterval<?>> pending = new ArrayList<>();
		pending.add(first);
		measurement(first).stream(pending, all, (frame, shift) -> {
			try {
				each.accept(shift.frame(), new ShiftedFrame(frame, shift));
			}
			catch (final IOException | RuntimeException e) {
				throw new FrameException(shift.frame(), " cannot be processed: ", e);
			}
		});
	}

	/**
	 * A frame of a stream and its shift.
	 *
	 * @param frame as it was recorded
	 * @param shift its shift
	 */
	public record ShiftedFrame(RandomAccessibleInterval<?> frame, FrameShift shift) {

		public ShiftedFrame {
			Given.nonNull(frame, "frame");
			Given.nonNull(shift, "shift");
		}

		@Override
		public String toString() {
			return Components.text(this);
		}

		/** The corrected frame, computed when its pixels are used. Crop and union are not possible in a stream, and give black pixels outside. */
		public Img<?> corrected(final Interpolation interpolation, final Outside outside) {
			Given.nonNull(interpolation, "interpolation");
			Given.nonNull(outside, "policy outside");
			final boolean whole = outside.kind() == Outside.Kind.CROP || outside.kind() == Outside.Kind.UNION;
			return CorrectedStack.onto(frame.dimensionsAsLongArray(), frame, shift.shift(), interpolation, whole ? Outside.BLACK : outside);
		}
	}

	/**
	 * Corrects a stack by any device: {@link #corrected} with default options.
	 *
	 * @param stack the recorded stack: its first dimensions are those of the drift; further dimensions are the frames and, for example, channels
	 * @param time the dimension of the frames
	 * @return a stack of the same pixel type; its first pixel is at 0
	 * @throws IllegalArgumentException as {@link #corrected}
	 */
	public static Img<?> correct(final RandomAccessibleInterval<?> stack, final int time, final Drift drift, final Interpolation interpolation,
		final Outside outside) {
		return ofFrames(Given.nonNull(drift, "drift").dimensions()).corrected(stack, time, drift, interpolation, outside);
	}

	/**
	 * Corrects a stack. The result is computed plane by plane when its pixels are used, so the stack may be larger than memory. The device that computes the
	 * pixels of moved frames is planned with the current options, except the algorithm, which measures. All devices give the same bytes, except that values of
	 * Fourier interpolation can differ in their last digit.
	 *
	 * @param stack the recorded stack: its first dimensions are those of the drift; further dimensions are the frames and, for example, channels
	 * @param time the dimension of the frames
	 * @return a stack of the same pixel type; its first pixel is at 0
	 * @throws IllegalArgumentException if the drift belongs to a stack of another size, the frames have no common region to crop to, integers are to be
	 *         NaN outside, or deformed frames are to be interpolated by Fourier transforms
	 */
	public Img<?> corrected(final RandomAccessibleInterval<?> stack, final int time, final Drift drift, final Interpolation interpolation, final Outside outside) {
		Given.nonNull(stack, "stack");
		Given.nonNull(drift, "drift");
		Given.nonNull(interpolation, "interpolation");
		return CorrectedStack.of(stack, time, drift, interpolation, outside, sampler(stack, drift, interpolation, 1));
	}

	/**
	 * Corrects one frame, as {@link #corrected}.
	 *
	 * @param index the number of the frame in the drift, counted from 0
	 * @param frame its first dimensions are those of the drift; the others, such as channels, move alike
	 * @return the frame in the region of all corrected frames
	 */
	public Img<?> correctedFrame(final RandomAccessibleInterval<?> frame, final int index, final Drift drift,
		final Interpolation interpolation, final Outside outside)
	{
		Given.nonNull(frame, "frame");
		Given.nonNull(drift, "drift");
		Given.nonNull(interpolation, "interpolation");
		Given.nonNull(outside, "policy outside");
		return CorrectedStack.frame(drift, index, frame, interpolation, outside, sampler(frame, drift, interpolation, drift.frames().size()));
	}

	/**
	 * The candidates that can compute the pixels of moved frames, best first.
	 *
	 * @param stack as for {@link #corrected}
	 * @param drift the measured drift: it says whether frames are deformed
	 * @param interpolation any but {@link Interpolation#INTEGER}, which computes none of frames that are not deformed
	 * @throws IllegalArgumentException if deformed frames are to be interpolated by Fourier transforms
	 */
	public Ranking explainCorrected(final RandomAccessibleInterval<?> stack, final Drift drift, final Interpolation interpolation) {
		Given.nonNull(stack, "stack");
		Given.nonNull(drift, "drift");
		Given.nonNull(interpolation, "interpolation");
		return planned().algorithm(null).rank(problem(stack, drift, interpolation, 1));
	}

	/** The current options for {@link Resampling}. The name of an algorithm is that of a method to measure. */
	private ComputeOptions resampling() {
		return planned().algorithm(null).monitor(Monitor.NONE);
	}

	private Sampler sampler(final RandomAccessibleInterval<?> pixels, final Drift drift, final Interpolation interpolation, final long times) {
		final ComputeOptions options = resampling();
		return new FailoverSampler(() -> options.rank(problem(pixels, drift, interpolation, times)));
	}

	private static Resampling problem(final RandomAccessibleInterval<?> pixels, final Drift drift, final Interpolation interpolation, final long times) {
		return CorrectedStack.problem(pixels, Arrays.copyOf(pixels.dimensionsAsLongArray(), drift.dimensions()), interpolation,
			drift.deformation() != null, times);
	}
}
