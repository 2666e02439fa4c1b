package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.motion.DeformationFit;
import sc.fiji.ncc.motion.DeformationFit.Fitted;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Deformation;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/**
 * The deformations of the frames of a stack, after their shifts. Frames are compared with the first frame, a given frame, the frame before after its
 * correction, or, with the references mean and multi, the mean of all corrected frames, which becomes sharper in {@value #ROUNDS} rounds.
 *
 * @param joiner makes one image of the channels of a frame
 */
record PiecewiseMeasurement(DriftSettings settings, ComputeOptions compute, Size size, UnaryOperator<RandomAccessibleInterval<?>> joiner) {

	private static final int ROUNDS = 2;
	/** The bytes for each pixel of a frame that is measured, with a margin for the heap that the stack takes. */
	private static final long MEMORY = 128;

	/** How often a frame is read. */
	static int steps(final DriftReference reference) {
		return isMean(reference) ? 2 * ROUNDS : 1;
	}

	private static boolean isMean(final DriftReference reference) {
		return reference.kind() == DriftReference.Kind.MEAN || reference.kind() == DriftReference.Kind.MULTI;
	}

	/**
	 * Measures the deformations.
	 *
	 * @param shifts those of all frames
	 * @throws IllegalArgumentException if a window is larger than a frame, or no window of any frame has a valid motion
	 */
	Drift drift(final List<? extends RandomAccessibleInterval<?>> frames, final List<FrameShift> shifts) {
		// frames of a few pixels keep several threads busy only together
		final int together = settings.reference().kind() == DriftReference.Kind.PREVIOUS ? 1
			: (int) Math.max(1, Math.min(Math.min(compute.threads(), frames.size() / 2), compute.memory() / (MEMORY * size.pixels())));
		final ComputeOptions windows = compute.algorithm(null).threads(compute.threads() / together)
			.monitor(Monitor.canceledIf(compute.monitor()::canceled));
		final long pairs = (long) frames.size() * (isMean(settings.reference()) ? ROUNDS : 1);
		final MissingPixels missing = missing();
		final List<DeformationFit> fits = new ArrayList<>();
		try (Parallel parallel = new Parallel(compute.threads())) {
			for (int i = 0; i < together; i++) fits.add(new DeformationFit(settings.piecewise(), missing, windows, size, pairs / together + 1));
			return drift(fits.get(0), shifts, new Run(fits, frames, shifts, parallel).fitted());
		}
		finally {
			fits.forEach(DeformationFit::close);
		}
	}

	/** The pixels that do not count, in a frame. */
	private MissingPixels missing() {
		final Interval box = settings.inside();
		final RandomAccessibleInterval<?> mask = settings.imageMask();
		if (box == null || mask != null && Size.of(mask.dimensionsAsLongArray()).equals(size)) return new MissingPixels(inside(mask, box), NaNs.MISSING);
		final RandomAccessibleInterval<UnsignedByteType> all = ArrayImgs.unsignedBytes(size.toArray());
		final RandomAccessibleInterval<UnsignedByteType> within = Views.zeroMin(Views.interval(all, box));
		if (mask == null) LoopBuilder.setImages(within).forEachPixel(p -> p.set(1));
		else copy(mask, within);
		return new MissingPixels(all, NaNs.MISSING);
	}

	/** A mask of a frame, without the pixels outside a box. */
	private static RandomAccessibleInterval<?> inside(final RandomAccessibleInterval<?> mask, final Interval box) {
		if (mask == null || box == null) return mask;
		final RandomAccessibleInterval<UnsignedByteType> all = ArrayImgs.unsignedBytes(mask.dimensionsAsLongArray());
		copy(Views.zeroMin(Views.interval(Views.zeroMin(mask), box)), Views.zeroMin(Views.interval(all, box)));
		return all;
	}

	private static void copy(final RandomAccessibleInterval<?> mask, final RandomAccessibleInterval<UnsignedByteType> to) {
		final var from = Views.flatIterable(mask).cursor();
		for (final UnsignedByteType t : Views.flatIterable(to)) t.set(((RealType<?>) from.next()).getRealDouble() == 0 ? 0 : 1);
	}

	/** The fits of all frames. */
	private final class Run {

		/** As many as frames are measured together. */
		private final List<DeformationFit> fits;
		private final List<? extends RandomAccessibleInterval<?>> frames;
		private final List<FrameShift> shifts;
		private final Parallel parallel;
		private final Fitted[] fitted;

		Run(final List<DeformationFit> fits, final List<? extends RandomAccessibleInterval<?>> frames, final List<FrameShift> shifts, final Parallel parallel) {
			this.fits = fits;
			this.frames = frames;
			this.shifts = shifts;
			this.parallel = parallel;
			fitted = new Fitted[frames.size()];
		}

		Fitted[] fitted() {
			if (isMean(settings.reference())) {
				for (int round = 0; round < ROUNDS; round++) toMean(round == 0);
				return fitted;
			}
			final int anchor = settings.reference().kind() == DriftReference.Kind.FRAME ? (int) settings.reference().frame()
				: IntStream.range(0, frames.size()).filter(i -> !isFlat(i)).findFirst().orElseThrow();
			// the reference is where it is
			final double[][] still = motion(new double[size.dimensions()]);
			fitted[anchor] = new Fitted(still, shifts.get(anchor).score(), 1, 0);
			if (settings.reference().kind() == DriftReference.Kind.PREVIOUS) toPrevious(anchor);
			else {
				final DeformationFit.Reference reference = fits.get(0).new Reference(corrected(fits.get(0), anchor, still));
				each((fit, i) -> {
					if (i != anchor && !isFlat(i)) fitted[i] = fit.fit(reference, frame(i), i, motion(shifts.get(i).shift()), true);
					compute.monitor().done(1);
				});
			}
			return fitted;
		}

		/** Works on all frames, several at once. */
		private void each(final ObjIntConsumer<DeformationFit> work) {
			final AtomicInteger next = new AtomicInteger();
			parallel.each(fits.size(), k -> {
				for (int i = next.getAndIncrement(); i < fitted.length; i = next.getAndIncrement()) work.accept(fits.get(k), i);
			});
		}

		private void toPrevious(final int anchor) {
			compute.monitor().done(anchor + 1);
			final DeformationFit fit = fits.get(0);
			int last = anchor;
			for (int i = anchor + 1; i < fitted.length; i++) {
				if (!isFlat(i)) {
					final double[][] start = motion(shifts.get(i).shift());
					for (int d = 0; d < start.length; d++)
						for (int k = 0; k < start[d].length; k++) start[d][k] += fitted[last].motion()[d][k] - shifts.get(last).shift()[d];
					fitted[i] = fit.fit(fit.new Reference(corrected(fit, last, fitted[last].motion())), frame(i), i, start, true);
					if (fitted[i] != null) last = i;
				}
				compute.monitor().done(1);
			}
		}

		/** Fits all frames to the mean of the frames that are corrected so far. */
		private void toMean(final boolean first) {
			final RandomAccessibleInterval<?> mean = mean(first);
			if (mean == null) return;
			final DeformationFit.Reference reference = fits.get(0).new Reference(mean);
			each((fit, i) -> {
				if (first ? !isFlat(i) : fitted[i] != null) fitted[i] = fit.fit(reference, frame(i), i, known(first, i), first);
				compute.monitor().done(1);
			});
		}

		private RandomAccessibleInterval<?> mean(final boolean first) {
			final boolean good = DriftMeasurement.isAnyGood(shifts);
			final double[] still = new double[size.dimensions()];
			MeanFrame mean = null;
			for (int i = 0; i < fitted.length; i += fits.size()) {
				final int end = Math.min(fitted.length, i + fits.size());
				final int[] some = IntStream.range(i, end)
					.filter(k -> first ? !isFlat(k) && (!good || shifts.get(k).state() == FrameShift.State.OK) : fitted[k] != null).toArray();
				final RandomAccessibleInterval<?>[] corrected = new RandomAccessibleInterval<?>[some.length];
				parallel.each(some.length, k -> corrected[k] = corrected(fits.get(k), some[k], known(first, some[k])));
				if (mean == null && some.length > 0) mean = new MeanFrame(FrameReader.extents(corrected[0]));
				if (some.length > 0) mean.add(List.of(corrected), Collections.nCopies(some.length, still), parallel);
				compute.monitor().done(end - i);
			}
			return mean == null ? null : mean.image(size.dimensions());
		}

		/** What is known of the motion of a frame: its shift, or that of the round before. */
		private double[][] known(final boolean first, final int i) {
			return first ? motion(shifts.get(i).shift()) : fitted[i].motion();
		}

		private boolean isFlat(final int i) {
			return shifts.get(i).state() == FrameShift.State.FLAT;
		}

		private RandomAccessibleInterval<?> frame(final int i) {
			return Views.zeroMin(joiner.apply(frames.get(i)));
		}

		private RandomAccessibleInterval<?> corrected(final DeformationFit fit, final int i, final double[][] motion) {
			return fit.corrected(frame(i), i, motion);
		}

		/** The same motion for all windows. */
		private double[][] motion(final double[] shift) {
			final double[][] motion = new double[shift.length][fits.get(0).windows()];
			for (int d = 0; d < shift.length; d++) Arrays.fill(motion[d], shift[d]);
			return motion;
		}
	}

	/** The shift of a frame is the mean of its motion. Frames without a motion get that of their neighbours. */
	private Drift drift(final DeformationFit fit, final List<FrameShift> shifts, final Fitted[] fitted) {
		final int anchors = isMean(settings.reference()) ? 0 : 1;
		if (Arrays.stream(fitted).filter(f -> f != null).count() <= anchors) throw new IllegalArgumentException("no window of " + settings.piecewise()
			+ " has a valid motion in any frame: choose larger windows, or correct the drift only");
		final List<FrameShift> frames = new ArrayList<>();
		final List<float[][]> deformations = new ArrayList<>();
		for (int i = 0; i < fitted.length; i++) {
			final double[][] motion = fitted[i] == null ? between(fitted, i) : fitted[i].motion();
			final double[] shift = new double[motion.length];
			final float[][] rest = new float[motion.length][fit.windows()];
			for (int d = 0; d < shift.length; d++) {
				shift[d] = Arrays.stream(motion[d]).average().orElseThrow();
				for (int k = 0; k < rest[d].length; k++) rest[d][k] = (float) (motion[d][k] - shift[d]);
			}
			final FrameShift s = shifts.get(i);
			final Fitted f = fitted[i];
			frames.add(f == null ? new FrameShift(i, shift, s.score(), s.overlap(), s.residual(), s.runnerUp(), s.edge(),
				s.state() == FrameShift.State.FLAT ? s.state() : FrameShift.State.LOST)
				: new FrameShift(i, shift, f.score(), f.valid(), f.residual(), Double.NaN, false, FrameShift.State.OK));
			deformations.add(rest);
		}
		return new Drift(size.toArray(), settings.reference().toString(), frames, new Deformation(fit.count(), fit.origin(), fit.spacing(), deformations));
	}

	/** A motion between those of the frames before and after, in proportion to the time. */
	private static double[][] between(final Fitted[] fitted, final int frame) {
		int before = frame, after = frame;
		while (before >= 0 && fitted[before] == null) before--;
		while (after < fitted.length && fitted[after] == null) after++;
		if (before < 0) return fitted[after].motion();
		if (after == fitted.length) return fitted[before].motion();
		final double share = (frame - before) / (double) (after - before);
		final double[][] a = fitted[before].motion(), b = fitted[after].motion(), motion = new double[a.length][a[0].length];
		for (int d = 0; d < a.length; d++) for (int k = 0; k < a[d].length; k++) motion[d][k] = a[d][k] + share * (b[d][k] - a[d][k]);
		return motion;
	}
}
