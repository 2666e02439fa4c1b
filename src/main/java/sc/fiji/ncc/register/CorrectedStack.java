package sc.fiji.ncc.register;

import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.PixelType;
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
	 * @throws IllegalArgumentException if no pixel is common to all frames, and they are to be cropped
	 */
	public static Region region(final Drift drift, final Interpolation interpolation, final Outside outside) {
		final int n = drift.dimensions();
		final long[] min = new long[n], size = drift.frameSize().clone();
		if (outside.kind() != Outside.Kind.CROP && outside.kind() != Outside.Kind.UNION) return new Region(min, size);
		for (int d = 0; d < n; d++) {
			final boolean crop = outside.kind() == Outside.Kind.CROP;
			double low = crop ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY, high = -low;
			for (final double[] shift : drift.shifts()) {
				final double s = interpolation == Interpolation.INTEGER ? Math.rint(shift[d]) : shift[d];
				low = crop ? Math.max(low, Math.ceil(-s)) : Math.min(low, Math.floor(-s));
				high = crop ? Math.min(high, Math.floor(size[d] - 1 - s)) : Math.max(high, Math.ceil(size[d] - 1 - s));
			}
			if (low > high) throw new IllegalArgumentException("the frames have no region in common: they move by up to " + drift.largest(d) + " of " + size[d]
				+ " pixels along dimension " + d + "; choose another border than crop");
			min[d] = (long) low;
			size[d] = (long) (high - low) + 1;
		}
		return new Region(min, size);
	}

	/**
	 * Corrects a stack.
	 *
	 * @param stack the recorded stack; its first dimensions are those of the drift
	 * @param time the dimension of the frames
	 * @return a stack of the same pixel type and dimensions; its first pixel is at 0. Its spatial extents are those of {@link #region}
	 * @throws IllegalArgumentException if the drift belongs to another stack, or integers are to have NaN outside
	 */
	public static Img<?> of(final RandomAccessibleInterval<?> stack, final int time, final Drift drift, final Interpolation interpolation, final Outside outside) {
		final int n = drift.dimensions();
		drift.requireFor(Arrays.copyOf(stack.dimensionsAsLongArray(), n), stack.dimension(time));
		final PixelType type = ImagePixels.type(stack);
		if (outside.kind() == Outside.Kind.NAN && type.integer) throw new IllegalArgumentException("pixels of " + type
			+ " cannot be NaN: choose another border, such as constant or edge, or convert the stack to 32-bit floats");
		final Region region = region(drift, interpolation, outside);
		final FrameShifter shifter = new FrameShifter(interpolation, outside);
		final RandomAccessibleInterval<?> recorded = Views.zeroMin(stack);
		final long[] size = stack.dimensionsAsLongArray();
		System.arraycopy(region.size(), 0, size, 0, n);
		final int[] cell = new int[size.length];
		Arrays.fill(cell, 1);
		for (int d = 0; d < 2; d++) cell[d] = Math.toIntExact(size[d]);
		return DiskImage.of("the corrected stack", type, size, cell, (min, extents) -> {
			RandomAccessibleInterval<?> frame = recorded;
			for (int d = size.length - 1; d >= n; d--) frame = Views.hyperSlice(frame, d, min[d]);
			final long[] first = new long[n];
			for (int d = 0; d < n; d++) first[d] = region.min()[d] + min[d];
			return shifter.box(frame, drift.frames().get((int) min[time]).shift(), first, Arrays.copyOf(extents, n));
		});
	}

	/** Corrects one frame, or moves an image back by its shift, as {@link #of}. */
	public static Img<?> frame(final RandomAccessibleInterval<?> frame, final double[] shift, final Interpolation interpolation, final Outside outside) {
		final Drift one = new Drift(frame.dimensionsAsLongArray(), "first", List.of(new FrameShift(0, shift, Double.NaN, Double.NaN, 0, Double.NaN, false,
			FrameShift.State.OK)));
		return of(Views.addDimension(frame, 0, 0), frame.numDimensions(), one, interpolation, outside);
	}
}
