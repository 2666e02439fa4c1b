package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
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
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Deformation;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.FrameShift.State;

/**
 * The deformations of the frames of a stack, after their shifts. Frames are compared with the first frame, a given frame, the frame before after its
 * correction, or, with the references mean and multi, the mean of all corrected frames, which becomes sharper in {@value #ROUNDS} rounds.
 *
 * @param joiner makes one image of the channels of a frame
 */
record PiecewiseMeasurement(DriftSettings settings, ComputeOptions compute, Size size, UnaryOperator<RandomAccessibleInterval<?>> joiner) {

	private static final int ROUNDS = 2;
	/** Above this share of valid windows, the fit of a frame counts, whatever its shift. Unrelated frames have shares of up to 0.4. */
	private static final double MOST = 0.5;
	/** The bytes for each pixel of a frame that is measured, with a margin for the heap that the stack takes. */
	private static final long MEMORY = 128;

	/** How often a frame is measured. */
	static int rounds(final DriftReference reference) {
		return isMean(reference) ? ROUNDS : 1;
	}

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
		final boolean previous = settings.reference().kind() == DriftReference.Kind.PREVIOUS;
		final int together = previous ? 1 : together(DeformationFit.rankings(settings.deformations(size, frames.size()), compute.algorithm(null)),
			frames.size());
		final List<DeformationFit> fits = new ArrayList<>();
		try (Parallel parallel = new Parallel(Math.max(together, compute.threads()))) {
			// all fits share the devices, so each counts all frames
			for (int i = 0; i < together; i++)
				fits.add(fit(compute.algorithm(null).threads(Math.max(1, compute.threads() / together)), pairs(frames.size())));
			return drift(fits.get(0), shifts, previous ? toPrevious(fits.get(0), frames, shifts) : fitted(new Here(fits, frames, parallel), shifts));
		}
		finally {
			fits.forEach(DeformationFit::close);
		}
	}

	/**
	 * How many frames are measured at once: frames of a few pixels keep several threads busy only together. On a GPU there are 1.5 frames for each
	 * thread, because a frame waits for its sums. The memory of the host and of the devices holds all of them.
	 *
	 * @param rankings those of a fit
	 */
	int together(final List<Ranking> rankings, final int frames) {
		final long held = Ranking.together(rankings), busy = held < Long.MAX_VALUE ? compute.threads() + compute.threads() / 2 : compute.threads();
		return (int) Math.max(1, Math.min(Math.min(busy, frames / 2), Math.min(held, compute.memory() / (MEMORY * size.pixels()))));
	}

	/** Measures the deformations by the work of others. */
	Drift drift(final Work work, final List<FrameShift> shifts) {
		try (DeformationFit fit = fitOfOneThread(shifts.size())) {
			return drift(fit, shifts, fitted(work, shifts));
		}
	}

	/** The fits of a process of a cluster, in one thread of a CPU. Measured times do not count, because they differ from process to process. */
	DeformationFit fitOfOneThread(final int frames) {
		return fit(compute.algorithm(null).backend("cpu").effort(Effort.ESTIMATE, 0).threads(1), pairs(frames));
	}

	private DeformationFit fit(final ComputeOptions options, final long pairs) {
		return new DeformationFit(settings.piecewise(), missing(), options.monitor(Monitor.canceledIf(compute.monitor()::canceled)), size, pairs);
	}

	/** The candidates that measure the deformations, best first. */
	Ranking ranking(final long frames) {
		return DeformationFit.rank(settings.deformations(size, frames), compute.algorithm(null));
	}

	/** The number of fits. */
	long pairs(final int frames) {
		return (long) frames * rounds(settings.reference());
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

	/** What measures frames. */
	interface Work {

		/** Makes the mean of some frames, corrected by their starts, for the fits of a round. */
		void mean(int round, List<FitTask> frames);

		/** Fits frames, in any order. */
		List<FitTask.Result> fits(List<FitTask> tasks);
	}

	/** The fits of all frames but those of the reference previous, each of which needs the one before. */
	private Fitted[] fitted(final Work work, final List<FrameShift> shifts) {
		final Fitted[] fitted = new Fitted[shifts.size()];
		if (!isMean(settings.reference())) {
			final int anchor = anchor(shifts);
			final List<FitTask> tasks = shifts.stream().filter(s -> s.frame() != anchor && !isFlat(s))
				.map(s -> new FitTask(0, anchor, (int) s.frame(), constant(s), true)).toList();
			work.fits(tasks).forEach(r -> fitted[r.frame()] = r.fitted());
			fitted[anchor] = still();
			return fitted;
		}
		final boolean good = DriftMeasurement.isAnyGood(shifts);
		for (int round = 1; round <= ROUNDS; round++) {
			final int now = round;
			final IntFunction<FitTask> task = i -> new FitTask(now, -1, i, now == 1 ? constant(shifts.get(i)) : fitted[i].motion(), now == 1);
			final int[] measured = IntStream.range(0, fitted.length).filter(i -> now == 1 ? !isFlat(shifts.get(i)) : fitted[i] != null).toArray();
			final List<FitTask> shown = Arrays.stream(measured).filter(i -> {
				final State state = shifts.get(i).state();
				return !good || (now > 1 ? !isReplaced(state) : state == State.OK);
			}).mapToObj(task).toList();
			if (shown.isEmpty()) return fitted;
			work.mean(round, shown);
			final List<FitTask.Result> results = work.fits(Arrays.stream(measured).mapToObj(task).toList());
			results.forEach(r -> fitted[r.frame()] = r.fitted());
		}
		return fitted;
	}

	private int anchor(final List<FrameShift> shifts) {
		return settings.reference().kind() == DriftReference.Kind.FRAME ? (int) settings.reference().frame()
			: IntStream.range(0, shifts.size()).filter(i -> !isFlat(shifts.get(i))).findFirst().orElseThrow();
	}

	/** Whether a frame gets the motion of its neighbours. */
	private boolean isReplaced(final State state) {
		return DriftEvaluation.isReplaced(state, settings.moveDoubtful());
	}

	private static boolean isFlat(final FrameShift shift) {
		return shift.state() == State.FLAT;
	}

	/** The same motion for all windows: a shift. */
	private static double[][] constant(final FrameShift shift) {
		return Arrays.stream(shift.shift()).mapToObj(s -> new double[] { s }).toArray(double[][]::new);
	}

	/** A motion with a value for each window. */
	private static double[][] full(final double[][] start, final int windows) {
		if (start[0].length == windows) return start;
		final double[][] full = new double[start.length][windows];
		for (int d = 0; d < full.length; d++) Arrays.fill(full[d], start[d][0]);
		return full;
	}

	private RandomAccessibleInterval<?> frame(final List<? extends RandomAccessibleInterval<?>> frames, final int i) {
		return Views.zeroMin(joiner.apply(frames.get(i)));
	}

	/** A frame without what is known of its motion. */
	RandomAccessibleInterval<?> corrected(final DeformationFit fit, final List<? extends RandomAccessibleInterval<?>> frames, final int i,
		final double[][] known)
	{
		return fit.corrected(frame(frames, i), i, full(known, fit.windows()));
	}

	/** What frames are compared with in round 0. */
	DeformationFit.Reference reference(final DeformationFit fit, final List<? extends RandomAccessibleInterval<?>> frames, final int i) {
		return fit.new Reference(corrected(fit, frames, i, new double[size.dimensions()][1]), true);
	}

	DeformationFit.Reference reference(final DeformationFit fit, final MeanFrame mean) {
		return fit.new Reference(mean.image(size.dimensions()), true);
	}

	FitTask.Result result(final DeformationFit fit, final DeformationFit.Reference reference, final List<? extends RandomAccessibleInterval<?>> frames,
		final FitTask task)
	{
		return new FitTask.Result(task.frame(), fit.fit(reference, frame(frames, task.frame()), task.frame(), full(task.start(), fit.windows()), task.coarse()));
	}

	private void stopIfCanceled() {
		if (compute.monitor().canceled()) throw new CancellationException("canceled");
	}

	/** Adds corrected frames to a mean, several at once. */
	void add(final MeanFrame mean, final List<DeformationFit> fits, final List<? extends RandomAccessibleInterval<?>> frames, final List<FitTask> some,
		final Parallel parallel)
	{
		for (int i = 0; i < some.size(); i += fits.size()) {
			stopIfCanceled();
			final List<FitTask> now = some.subList(i, Math.min(some.size(), i + fits.size()));
			final RandomAccessibleInterval<?>[] corrected = new RandomAccessibleInterval<?>[now.size()];
			parallel.each(corrected.length, k -> corrected[k] = corrected(fits.get(k), frames, now.get(k).frame(), now.get(k).start()));
			mean.add(List.of(corrected), Collections.nCopies(corrected.length, new double[size.dimensions()]), parallel);
			compute.monitor().done(now.size());
		}
	}

	/** The work of this process. */
	private final class Here implements Work {

		/** As many as frames are measured together. */
		private final List<DeformationFit> fits;
		private final List<? extends RandomAccessibleInterval<?>> frames;
		private final Parallel parallel;
		private DeformationFit.Reference reference;

		Here(final List<DeformationFit> fits, final List<? extends RandomAccessibleInterval<?>> frames, final Parallel parallel) {
			this.fits = fits;
			this.frames = frames;
			this.parallel = parallel;
		}

		@Override
		public void mean(final int round, final List<FitTask> some) {
			final MeanFrame mean = new MeanFrame(fits.get(0).extents());
			for (final List<FitTask> block : MeanFrame.blocks(some)) {
				final MeanFrame part = new MeanFrame(fits.get(0).extents());
				add(part, fits, frames, block, parallel);
				mean.add(part);
			}
			compute.monitor().done(frames.size() - some.size());
			reference = reference(fits.get(0), mean);
		}

		@Override
		public List<FitTask.Result> fits(final List<FitTask> tasks) {
			if (!tasks.isEmpty() && tasks.get(0).round() == 0) reference = reference(fits.get(0), frames, tasks.get(0).reference());
			compute.monitor().done(frames.size() - tasks.size());
			final FitTask.Result[] results = new FitTask.Result[tasks.size()];
			final AtomicInteger next = new AtomicInteger();
			parallel.each(fits.size(), k -> {
				for (int i = next.getAndIncrement(); i < results.length; i = next.getAndIncrement()) {
					stopIfCanceled();
					results[i] = result(fits.get(k), reference, frames, tasks.get(i));
					compute.monitor().done(1);
				}
			});
			return List.of(results);
		}
	}

	/** Frames are fitted to the last good frame before. */
	private Fitted[] toPrevious(final DeformationFit fit, final List<? extends RandomAccessibleInterval<?>> frames, final List<FrameShift> shifts) {
		final int anchor = IntStream.range(0, shifts.size()).filter(i -> !isReplaced(shifts.get(i).state())).findFirst().orElseGet(() -> anchor(shifts));
		return new FittedChain(shifts, settings.moveDoubtful(), anchor, still(), (last, known, frame) -> {
			stopIfCanceled();
			final double[][] before = full(known.motion(), fit.windows()), start = full(constant(shifts.get(frame)), fit.windows());
			for (int d = 0; d < start.length; d++) for (int k = 0; k < start[d].length; k++) start[d][k] += before[d][k] - shifts.get(last).shift()[d];
			return fit.fit(fit.new Reference(corrected(fit, frames, last, before), false), frame(frames, frame), frame, start, true);
		}).all(compute.monitor()::done);
	}

	/** The reference is where it is, and equal to itself. */
	private Fitted still() {
		return new Fitted(new double[size.dimensions()][1], 1, 1, 0);
	}

	/**
	 * The states of frames by the scores of their fits, as those of shifted frames. Without a shift of its own, a frame keeps the worse one of
	 * both states, unless more than half of its windows fit, and the frame is no part of the reference.
	 */
	private State[] states(final List<FrameShift> shifts, final Fitted[] fitted) {
		final State[] found = new State[fitted.length];
		for (int i = 0; i < found.length; i++) found[i] = isFlat(shifts.get(i)) ? State.FLAT : fitted[i] == null ? State.LOST : State.OK;
		final State[] states = DriftEvaluation.judged(found, FittedChain.scores(fitted));
		final boolean apart = !isMean(settings.reference()) || DriftMeasurement.isAnyGood(shifts);
		for (int i = 0; i < states.length; i++) {
			final State shifted = shifts.get(i).state();
			if (shifted.interpolated() && !(apart && fitted[i] != null && fitted[i].valid() > MOST)) states[i] = Collections.max(List.of(states[i], shifted));
		}
		return states;
	}

	/** The shift of a frame is the mean of its motion. Frames that are judged as without a motion of their own get that of their neighbours. */
	private Drift drift(final DeformationFit fit, final List<FrameShift> shifts, final Fitted[] all) {
		final int anchors = isMean(settings.reference()) ? 0 : 1;
		if (Arrays.stream(all).filter(f -> f != null).count() <= anchors) {
			final long doubtful = shifts.stream().filter(s -> s.state() == State.DOUBTFUL).count();
			throw new IllegalArgumentException("no window of " + settings.piecewise() + " has a valid motion in any frame" + (doubtful == 0 ? ""
				: ", and the shift is doubtful in " + doubtful + " of " + shifts.size() + " frames") + ": choose larger windows or another reference, "
				+ "or correct the drift only");
		}
		final State[] states = states(shifts, all);
		final Fitted[] fitted = IntStream.range(0, all.length).mapToObj(i -> isReplaced(states[i]) ? null : all[i]).toArray(Fitted[]::new);
		final List<FrameShift> frames = new ArrayList<>();
		final List<float[][]> deformations = new ArrayList<>();
		for (int i = 0; i < fitted.length; i++) {
			final double[][] motion = fitted[i] == null ? between(fitted, i, fit.windows()) : full(fitted[i].motion(), fit.windows());
			final double[] shift = new double[motion.length];
			final float[][] rest = new float[motion.length][fit.windows()];
			for (int d = 0; d < shift.length; d++) {
				shift[d] = Arrays.stream(motion[d]).average().orElseThrow();
				for (int k = 0; k < rest[d].length; k++) rest[d][k] = (float) (motion[d][k] - shift[d]);
			}
			final FrameShift s = shifts.get(i);
			final Fitted f = fitted[i];
			frames.add(f == null ? new FrameShift(i, shift, s.score(), s.overlap(), s.residual(), s.runnerUp(), s.edge(), states[i])
				: new FrameShift(i, shift, f.score(), f.valid(), f.residual(), Double.NaN, false, states[i]));
			deformations.add(rest);
		}
		return new Drift(size.toArray(), settings.reference().toString(), frames, new Deformation(fit.count(), fit.origin(), fit.spacing(), deformations));
	}

	/** A motion between those of the frames before and after, in proportion to the time; none if no frame has one. */
	private double[][] between(final Fitted[] fitted, final int frame, final int windows) {
		int before = frame, after = frame;
		while (before >= 0 && fitted[before] == null) before--;
		while (after < fitted.length && fitted[after] == null) after++;
		if (before < 0) return full((after == fitted.length ? still() : fitted[after]).motion(), windows);
		if (after == fitted.length) return full(fitted[before].motion(), windows);
		final double share = (frame - before) / (double) (after - before);
		final double[][] a = full(fitted[before].motion(), windows), b = full(fitted[after].motion(), windows), motion = new double[a.length][windows];
		for (int d = 0; d < a.length; d++) for (int k = 0; k < a[d].length; k++) motion[d][k] = a[d][k] + share * (b[d][k] - a[d][k]);
		return motion;
	}
}
