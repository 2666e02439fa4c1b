package sc.fiji.ncc.register.correct;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.view.Views;

import sc.fiji.ncc.cpu.frame.CpuSampler;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.store.DiskImage;

/** Corrected stacks as images whose planes are computed when they are used. Memory holds the last planes that were used. */
public final class CorrectedStack {

	private CorrectedStack() {}

	/**
	 * The region of a corrected frame, in pixels of the recorded frames.
	 *
	 * @param min its first pixel
	 * @param size its extents
	 */
	public record Region(long[] min, long[] size) {}

	/**
	 * The region of all corrected frames.
	 *
	 * @throws IllegalArgumentException if no pixel is common to all frames, and they are to be cropped; or if the region of all is too large
	 */
	public static Region region(final Drift drift, final Interpolation interpolation, final Outside outside) {
		final int n = drift.dimensions();
		final long[] min = new long[n], size = drift.frameSize().clone();
		if (outside.kind() != Outside.Kind.CROP && outside.kind() != Outside.Kind.UNION) return new Region(min, size);
		for (int d = 0; d < n; d++) {
			final boolean crop = outside.kind() == Outside.Kind.CROP;
			double low = crop ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY, high = -low;
			for (int f = 0; f < drift.frames().size(); f++) {
				final double shift = drift.frames().get(f).shift()[d], s = interpolation == Interpolation.INTEGER ? Math.rint(shift) : shift;
				final double[] beside = deformed(drift, f)[d];
				low = crop ? Math.max(low, Math.ceil(-s - beside[0])) : Math.min(low, Math.floor(-s - beside[1]));
				high = crop ? Math.min(high, Math.floor(size[d] - 1 - s - beside[1])) : Math.max(high, Math.ceil(size[d] - 1 - s - beside[0]));
			}
			if (high - low >= Integer.MAX_VALUE) throw new IllegalArgumentException("the region of all frames has " + (high - low + 1)
				+ " pixels along dimension " + d + ", above "
				+ Integer.MAX_VALUE + ": frames of " + size[d] + " pixels move by up to " + drift.largest(d) + "; choose another border than union, or check the shifts");
			if (low > high) throw new IllegalArgumentException("the frames have no region in common: they move by up to " + drift.largest(d) + " of " + size[d]
				+ " pixels along dimension " + d + "; choose another border than crop");
			min[d] = (long) low;
			size[d] = (long) (high - low) + 1;
		}
		return new Region(min, size);
	}

	/**
	 * Bounds of the deformation of a frame along each dimension, at the pixels of its corrected frame that show it. A field may grow beyond them, so bounds of
	 * all pixels bound these pixels first.
	 */
	private static double[][] deformed(final Drift drift, final int frame) {
		final int n = drift.dimensions();
		final double[][] bounds = new double[n][2];
		final GridSpline deformation = drift.deformation(frame);
		if (deformation == null) return bounds;
		final double[] shift = drift.frames().get(frame).shift(), from = new double[n], to = new double[n];
		Arrays.fill(from, Double.NEGATIVE_INFINITY);
		Arrays.fill(to, Double.POSITIVE_INFINITY);
		for (int round = 0; round < 2; round++)
			for (int d = 0; d < n; d++) {
				bounds[d] = deformation.range(d, from, to);
				from[d] = -shift[d] - bounds[d][1] - 1;
				to[d] = drift.frameSize()[d] - shift[d] - bounds[d][0];
			}
		return bounds;
	}

	/**
	 * The numbers of the frames without a pixel in the corrected stack: their shift is as large as a frame. With crop and union there are none.
	 */
	public static List<Long> empty(final Drift drift, final Outside outside) {
		if (outside.kind() == Outside.Kind.CROP || outside.kind() == Outside.Kind.UNION) return List.of();
		final long[] size = drift.frameSize();
		return drift.frames().stream().filter(f -> IntStream.range(0, size.length).anyMatch(d -> {
			final double[] beside = deformed(drift, (int) f.frame())[d];
			return f.shift()[d] + beside[0] >= size[d] || f.shift()[d] + beside[1] <= -size[d];
		})).map(FrameShift::frame).toList();
	}

	/**
	 * Checks shifts that were read from a file.
	 *
	 * @throws IllegalArgumentException if a frame would have no pixel in the corrected stack
	 */
	public static void requireVisible(final Drift drift, final Outside outside) {
		final List<Long> empty = empty(drift, outside);
		if (!empty.isEmpty()) throw new IllegalArgumentException("the shift of frame " + (empty.get(0) + 1) + " is "
			+ Arrays.stream(drift.frames().get(empty.get(0).intValue()).shift()).mapToObj(Double::toString).collect(Collectors.joining(", "))
			+ " pixels, and frames have " + Size.text(drift.frameSize()) + " pixels: the corrected frame would have none of its pixels; choose the border"
				+ " union, or mend the shift");
	}

	/** @throws IllegalArgumentException if integers are to have NaN outside */
	public static void requireBorder(final RandomAccessibleInterval<?> image, final Outside outside) {
		final PixelType type = ImagePixels.type(image);
		if (outside.kind() == Outside.Kind.NAN && type.integer) throw new IllegalArgumentException("pixels of " + type
			+ " cannot be NaN: choose another border, such as constant or edge, or convert the stack to 32-bit floats");
	}

	/** @throws IllegalArgumentException if frames are deformed, and the interpolation cannot deform them */
	public static void requireInterpolation(final boolean deformed, final Interpolation interpolation) {
		if (deformed) FrameWarper.requireNeighbours(interpolation);
	}

	/**
	 * Corrects a stack.
	 *
	 * @param stack the recorded stack; its first dimensions are those of the drift
	 * @param time the dimension of the frames
	 * @param sampler computes pixels between the pixels
	 * @return a stack of the same pixel type and dimensions; its first pixel is at 0. Its spatial extents are those of {@link #region}
	 * @throws IllegalArgumentException if the drift belongs to another stack, or integers are to have NaN outside
	 */
	public static Img<?> of(final RandomAccessibleInterval<?> stack, final int time, final Drift drift, final Interpolation interpolation, final Outside outside,
		final Sampler sampler)
	{
		Given.nonNull(stack, "stack");
		Given.nonNull(drift, "drift");
		Given.nonNull(interpolation, "interpolation");
		Given.nonNull(outside, "policy outside");
		final int n = drift.dimensions();
		drift.requireFor(Arrays.copyOf(stack.dimensionsAsLongArray(), n), stack.dimension(time));
		return moved(stack, n, time, moves(drift, interpolation, outside, sampler), region(drift, interpolation, outside), interpolation, outside);
	}

	/**
	 * What is sampled between the pixels in a stack.
	 *
	 * @param frame the extents of a frame
	 * @param interpolation {@link Interpolation#INTEGER}, which samples no frame that is shifted as a whole, counts as linear
	 * @param deformed whether frames are deformed
	 * @param frames the number of frames, times that of channels
	 * @throws IllegalArgumentException if frames are deformed, and the interpolation cannot deform them
	 */
	public static Resampling problem(final PixelType type, final long[] frame, final Interpolation interpolation, final boolean deformed,
		final long frames)
	{
		requireInterpolation(deformed, interpolation);
		final long[] box = frame.clone();
		long boxes = frames;
		for (int d = planes(frame.length, interpolation); d < box.length; d++) {
			boxes *= box[d];
			box[d] = 1;
		}
		return new Resampling(type, Size.of(box), interpolation == Interpolation.INTEGER ? 2 : interpolation.pixels, deformed, boxes);
	}

	/** The same for all pixels of an image, whose dimensions beyond those of a frame move alike. @param times the number of such images */
	public static Resampling problem(final RandomAccessibleInterval<?> image, final long[] frame, final Interpolation interpolation,
		final boolean deformed, final long times)
	{
		long frames = times;
		for (int d = frame.length; d < image.numDimensions(); d++) frames *= image.dimension(d);
		return problem(ImagePixels.type(image), frame, interpolation, deformed, frames);
	}

	/** The number of dimensions that are sampled at a time. A transform moves all planes of a volume at once. */
	private static int planes(final int n, final Interpolation interpolation) {
		return interpolation == Interpolation.FOURIER ? n : 2;
	}

	/** Boxes of moved frames. */
	private interface Moves {

		/** As {@link FrameShifter#box}. */
		Object box(int frame, RandomAccessibleInterval<?> pixels, long[] min, int[] size);
	}

	private static Moves moves(final Drift drift, final Interpolation interpolation, final Outside outside, final Sampler sampler) {
		final double[][] shifts = drift.shifts();
		if (drift.deformation() == null) {
			final FrameShifter shifter = new FrameShifter(interpolation, outside, sampler);
			return (frame, pixels, min, size) -> shifter.box(pixels, shifts[frame], min, size);
		}
		final FrameWarper warper = new FrameWarper(interpolation, outside, sampler);
		return (frame, pixels, min, size) -> warper.box(pixels, shifts[frame], drift.deformation(frame), min, size);
	}

	/**
	 * Moves the content of an image back.
	 *
	 * @param n the number of spatial dimensions, which come first
	 * @param time the dimension of the frames; -1 if all planes move as the first frame
	 * @param moves moves a frame
	 */
	private static Img<?> moved(final RandomAccessibleInterval<?> stack, final int n, final int time, final Moves moves, final Region region,
		final Interpolation interpolation,
		final Outside outside)
	{
		JointImage.requireOneChannel("stack to correct", stack);
		final PixelType type = ImagePixels.type(stack);
		requireBorder(stack, outside);
		final RandomAccessibleInterval<?> recorded = Views.zeroMin(stack);
		final long[] size = stack.dimensionsAsLongArray();
		System.arraycopy(region.size(), 0, size, 0, n);
		final int[] cell = new int[size.length];
		Arrays.fill(cell, 1);
		double pixels = 1;
		for (int d = 0; d < planes(n, interpolation); d++) {
			cell[d] = Math.toIntExact(size[d]);
			pixels *= cell[d];
		}
		if (pixels * type.bytes > Integer.MAX_VALUE - 8) throw new IllegalArgumentException("a corrected frame of "
			+ Size.text(Arrays.copyOf(size, n)) + " pixels is above 2 GB: choose "
			+ (outside.kind() == Outside.Kind.UNION ? "another border than union" : "smaller frames"));
		return DiskImage.of("the corrected image", type, size, cell, (min, extents) -> {
			RandomAccessibleInterval<?> frame = recorded;
			for (int d = size.length - 1; d >= n; d--) frame = Views.hyperSlice(frame, d, min[d]);
			final long[] first = new long[n];
			for (int d = 0; d < n; d++) first[d] = region.min()[d] + min[d];
			return moves.box(time < 0 ? 0 : (int) min[time], frame, first, Arrays.copyOf(extents, n));
		});
	}

	/**
	 * Corrects one frame of a sequence.
	 *
	 * @param index the number of the frame
	 * @param frame its first dimensions are those of the drift; the others, such as channels, move alike
	 * @return the frame in the region of all corrected frames
	 */
	public static Img<?> frame(final Drift drift, final int index, final RandomAccessibleInterval<?> frame,
		final Interpolation interpolation, final Outside outside,
		final Sampler sampler)
	{
		drift.requireFor(Arrays.copyOf(frame.dimensionsAsLongArray(), drift.dimensions()), drift.frames().size());
		final Moves moves = moves(drift, interpolation, outside, sampler);
		return moved(frame, drift.dimensions(), -1, (first, pixels, min, size) -> moves.box(index, pixels, min, size), region(drift, interpolation, outside),
			interpolation, outside);
	}

	/** The same as the other method, on the CPU. */
	public static Img<?> onto(final long[] size, final RandomAccessibleInterval<?> image, final double[] shift,
		final Interpolation interpolation, final Outside outside) {
		return onto(size, image, shift, interpolation, outside, CpuSampler.INSTANCE);
	}

	/**
	 * Moves an image back by a shift.
	 *
	 * @param image its first dimensions are those of the shift; the others are planes or volumes that all move alike
	 * @param size the spatial extents of the result, such as those of the fixed image
	 */
	public static Img<?> onto(final long[] size, final RandomAccessibleInterval<?> image, final double[] shift,
		final Interpolation interpolation, final Outside outside,
		final Sampler sampler)
	{
		Given.nonNull(image, "image");
		Given.nonNull(shift, "shift");
		Given.nonNull(interpolation, "interpolation");
		Given.nonNull(outside, "policy outside");
		if (outside.kind() == Outside.Kind.CROP || outside.kind() == Outside.Kind.UNION) throw new IllegalArgumentException("the border " + outside
			+ " is for stacks, and one image keeps the size of the fixed image: choose edge, constant or nan");
		final FrameShifter shifter = new FrameShifter(interpolation, outside, sampler);
		return moved(image, shift.length, -1, (frame, pixels, min, extents) -> shifter.box(pixels, shift, min, extents),
			new Region(new long[shift.length], size), interpolation, outside);
	}
}
