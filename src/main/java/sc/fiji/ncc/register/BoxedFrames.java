package sc.fiji.ncc.register;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.BoxMeans;
import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.FrameShift;

/**
 * The frames of a stack as means over boxes of pixels, and the measurement of their shifts. Windows that measure the rest in boxes need no better shifts.
 */
final class BoxedFrames extends AbstractList<RandomAccessibleInterval<?>> implements AutoCloseable {

	private final List<? extends RandomAccessibleInterval<?>> frames;
	private final UnaryOperator<RandomAccessibleInterval<?>> cut;
	private final int[] box;
	private final Parallel parallel, one = new Parallel(1);
	private final DriftMeasurement measurement;

	/**
	 * @param cut what is measured of a frame
	 * @param box the extents of a box
	 * @param settings those of the frames, without a mask
	 */
	BoxedFrames(final List<? extends RandomAccessibleInterval<?>> frames, final UnaryOperator<RandomAccessibleInterval<?>> cut, final int[] box,
		final DriftSettings settings, final ComputeOptions compute)
	{
		this.frames = frames;
		this.cut = cut;
		this.box = box;
		parallel = new Parallel(compute.threads());
		final long[] most = settings.maxShift() == null ? null : settings.maxShift().clone();
		final RandomAccessibleInterval<?> first = get(0);
		for (int d = 0; most != null && d < most.length; d++) most[d] = Math.min(first.dimension(d) - 1, (most[d] + box[d] - 1) / box[d]);
		DriftSettings ofBoxes = Components.with(settings, DriftSettings::piecewise, null);
		ofBoxes = Components.with(ofBoxes, DriftSettings::inside, null);
		ofBoxes = Components.with(ofBoxes, DriftSettings::subpixel, true);
		measurement = new DriftMeasurement(Components.with(ofBoxes, DriftSettings::maxShift, most), compute, first);
	}

	/** The measurement of the shifts in boxes. */
	DriftMeasurement measurement() {
		return measurement;
	}

	/** The means of a frame: floats, computed at each call. */
	@Override
	public RandomAccessibleInterval<?> get(final int index) {
		return means(index, parallel);
	}

	private RandomAccessibleInterval<?> means(final int index, final Parallel threads) {
		final RandomAccessibleInterval<?> frame = cut.apply(frames.get(index));
		final int[] size = Arrays.stream(frame.dimensionsAsLongArray()).mapToInt(Math::toIntExact).toArray();
		return ArrayImgs.floats(BoxMeans.of(FrameSpline.values(ImagePixels.of(frame), threads), size, box, threads),
			Arrays.stream(BoxMeans.extents(size, box)).asLongStream().toArray());
	}

	/** Some frames. A copy of this list computes them side by side, each by one thread. */
	@Override
	public List<RandomAccessibleInterval<?>> subList(final int from, final int to) {
		final int size = to - Objects.checkFromToIndex(from, to, size());
		return new AbstractList<>() {

			@Override
			public RandomAccessibleInterval<?> get(final int index) {
				return BoxedFrames.this.get(from + Objects.checkIndex(index, size));
			}

			@Override
			public int size() {
				return size;
			}

			@Override
			public Object[] toArray() {
				final Object[] all = new Object[size];
				parallel.each(size, i -> all[i] = means(from + i, one));
				return all;
			}
		};
	}

	@Override
	public int size() {
		return frames.size();
	}

	/** Shifts of boxes in pixels. */
	List<FrameShift> inPixels(final List<FrameShift> ofBoxes) {
		final int most = Arrays.stream(box).max().orElseThrow();
		return ofBoxes.stream().map(s -> new FrameShift(s.frame(), IntStream.range(0, box.length).mapToDouble(d -> box[d] * s.shift()[d]).toArray(),
			s.score(), s.overlap(), most * s.residual(), s.runnerUp(), s.edge(), s.state())).toList();
	}

	@Override
	public void close() {
		parallel.close();
	}
}
