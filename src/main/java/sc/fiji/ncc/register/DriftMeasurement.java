package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.motion.DeformationFit;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.run.FailoverShifts;

/** The measurement of the drift of a stack or a stream: its reference, region, projections and smoothing. */
public final class DriftMeasurement {

	/** The rounds in which the mean frame becomes sharper. */
	private static final int ROUNDS = 2;
	/** The number of frames of a stream, for the estimate. */
	private static final long MANY = 10_000;

	private final DriftSettings settings;
	private final ComputeOptions compute;
	private final UnaryOperator<RandomAccessibleInterval<?>> joiner;
	private final long[] frameSize;
	/** 0 for pixels that do not count; null if all count. */
	private final boolean[] mask;

	/**
	 * @param compute how shifts are computed; with a planner. Its monitor receives the progress in frames
	 * @param first the first frame, for its extents and its channels, which are joined as by {@link JointChannels}
	 * @throws IllegalArgumentException if the box or the mask does not fit
	 */
	public DriftMeasurement(final DriftSettings settings, final ComputeOptions compute, final RandomAccessibleInterval<?> first) {
		// windows find the fractions of the shifts
		this.settings = settings.piecewise() == null ? settings : Components.with(settings, DriftSettings::subpixel, false);
		this.compute = compute;
		joiner = JointChannels.joiner(first);
		frameSize = first.dimensionsAsLongArray();
		final Interval box = settings.inside();
		if (box != null && !Intervals.contains(new FinalInterval(frameSize), box)) throw new IllegalArgumentException("the box "
			+ Arrays.toString(box.minAsLongArray()) + ".." + Arrays.toString(box.maxAsLongArray()) + " extends beyond frames of " + Size.of(frameSize)
			+ ": choose a box inside them, in pixels counted from 0");
		final RandomAccessibleInterval<?> given = settings.imageMask();
		if (given != null && settings.projections()) throw new IllegalArgumentException("a mask does not apply to projections: leave one of them out");
		final boolean ofFrame = given != null && box != null && Arrays.equals(given.dimensionsAsLongArray(), frameSize);
		mask = given == null ? null
			: FrameReader.mask(ofFrame ? Views.interval(Views.zeroMin(given), box) : given, box == null ? frameSize : box.dimensionsAsLongArray(), "mask");
	}

	Monitor monitor() {
		return compute.monitor();
	}

	/** Measures frames that can be read several times. */
	public Drift stack(final List<? extends RandomAccessibleInterval<?>> frames) {
		compute.monitor().total(steps(frames.size()));
		if (settings.piecewise() == null) return drift(shifts(frames));
		return piecewise().drift(frames, starts(frames, DriftMeasurement::shifts));
	}

	/**
	 * The shifts of frames whose deformations follow: those of boxes, unless some are doubtful and pixels leave fewer frames without a shift. There are
	 * fewer shifts between boxes than between pixels, so a peak must stand further above the runner-up to be no chance.
	 *
	 * @param shifts measures frames, which are of boxes or of pixels
	 */
	List<FrameShift> starts(final List<? extends RandomAccessibleInterval<?>> frames,
		final BiFunction<DriftMeasurement, List<? extends RandomAccessibleInterval<?>>, List<FrameShift>> shifts)
	{
		try (BoxedFrames boxed = boxed(frames)) {
			if (boxed == null) return shifts.apply(this, frames);
			final List<FrameShift> ofBoxes = boxed.inPixels(shifts.apply(boxed.measurement(), boxed));
			if (count(ofBoxes, s -> s == FrameShift.State.DOUBTFUL) == 0) return ofBoxes;
			// the monitor has been told of these steps
			final ComputeOptions untold = compute.monitor(Monitor.canceledIf(compute.monitor()::canceled));
			final List<FrameShift> ofPixels = shifts.apply(new DriftMeasurement(settings, untold, frames.get(0)), frames);
			return count(ofPixels, FrameShift.State::interpolated) < count(ofBoxes, FrameShift.State::interpolated) ? ofPixels : ofBoxes;
		}
	}

	private static long count(final List<FrameShift> shifts, final Predicate<FrameShift.State> which) {
		return shifts.stream().map(FrameShift::state).filter(which).count();
	}

	/** The number of fits of deformations. */
	long fits(final int frames) {
		final PiecewiseMeasurement piecewise = piecewise();
		return piecewise == null ? 0 : piecewise.pairs(frames);
	}

	/** The measurement of deformations after the shifts; null if there is none. */
	PiecewiseMeasurement piecewise() {
		return settings.piecewise() == null ? null : new PiecewiseMeasurement(settings, compute, Size.of(frameSize), joiner);
	}

	private List<FrameShift> shifts(final List<? extends RandomAccessibleInterval<?>> frames) {
		List<FrameShift> shifts = run(frames, reference(frames));
		int round = 0;
		for (; round < rounds() && isAnyGood(shifts); round++) shifts = sharpened(frames, shifts);
		compute.monitor().done(2L * (rounds() - round) * frames.size());
		return shifts;
	}

	/** Frames of boxes, if windows measure what their shifts leave; null if these frames are measured themselves. */
	BoxedFrames boxed(final List<? extends RandomAccessibleInterval<?>> frames) {
		final int[] box = settings.piecewise() == null || settings.imageMask() != null ? null
			: DeformationFit.boxes(settings.piecewise(), cut(frames.get(0)).dimensionsAsLongArray());
		return box == null || Arrays.stream(box).allMatch(b -> b == 1) ? null : new BoxedFrames(frames, f -> {
			requireSize(f);
			return cut(f);
		}, box, settings, compute);
	}

	/** The number of frames that are read, each time they are. */
	long steps(final int frames) {
		return (long) frames * (1 + 2 * rounds() + (settings.piecewise() == null ? 0 : PiecewiseMeasurement.steps(settings.reference())));
	}

	/** The number of means. */
	int rounds() {
		if (settings.reference().kind() != DriftReference.Kind.MEAN) return 0;
		if (settings.projections()) throw new IllegalArgumentException("the reference mean needs whole volumes: choose another reference, or leave projections out");
		return ROUNDS;
	}

	/** The reference, if it is a frame that the user has chosen; else null. */
	RandomAccessibleInterval<?> reference(final List<? extends RandomAccessibleInterval<?>> frames) {
		if (settings.reference().kind() != DriftReference.Kind.FRAME) return null;
		if (settings.reference().frame() >= frames.size()) throw new IllegalArgumentException("the reference is frame " + settings.reference() + ": there are only "
			+ frames.size() + " frames");
		return frames.get((int) settings.reference().frame());
	}

	/** The drift from the shifts of all frames. */
	Drift drift(final List<FrameShift> shifts) {
		return new Drift(frameSize, settings.reference().toString(), smoothed(shifts));
	}

	private List<FrameShift> run(final List<? extends RandomAccessibleInterval<?>> frames, final RandomAccessibleInterval<?> reference) {
		try (Runs runs = new Runs(frames.get(0), reference, null, frames.size())) {
			return runs.all(frames);
		}
	}

	/** Whether a frame can be part of a mean. */
	static boolean isAnyGood(final List<FrameShift> shifts) {
		return shifts.stream().anyMatch(s -> s.state() == FrameShift.State.OK);
	}

	/** Measures all frames against the mean of the corrected frames. */
	private List<FrameShift> sharpened(final List<? extends RandomAccessibleInterval<?>> frames, final List<FrameShift> shifts) {
		final MeanFrame mean = mean(frames);
		try (Parallel parallel = new Parallel(compute.threads())) {
			for (final List<FrameShift> block : MeanFrame.blocks(shifts)) {
				final MeanFrame part = mean(frames);
				add(part, frames, block, compute.threads(), parallel);
				mean.add(part);
			}
		}
		try (Runs runs = new Runs(frames.get(0), null, frame(mean), frames.size())) {
			return runs.all(frames);
		}
	}

	/** A mean of no frames. */
	MeanFrame mean(final List<? extends RandomAccessibleInterval<?>> frames) {
		return new MeanFrame(FrameReader.extents(cut(frames.get(0))));
	}

	Frame frame(final MeanFrame mean) {
		return mean.frame(mask, frameSize.length);
	}

	/**
	 * Adds corrected frames to a mean.
	 *
	 * @param threads the number of threads of {@code parallel}
	 */
	void add(final MeanFrame mean, final List<? extends RandomAccessibleInterval<?>> frames, final List<FrameShift> shifts, final int threads,
		final Parallel parallel) {
		final int batch = 2 * threads;
		for (int i = 0; i < shifts.size(); i += batch) {
			if (compute.monitor().canceled()) throw new CancellationException("canceled");
			final List<FrameShift> some = shifts.subList(i, Math.min(shifts.size(), i + batch)),
				good = some.stream().filter(s -> s.state() == FrameShift.State.OK).toList();
			mean.add(good.stream().<RandomAccessibleInterval<?>>map(s -> cut(frames.get((int) s.frame()))).toList(),
				good.stream().map(FrameShift::shift).toList(), parallel);
			compute.monitor().done(some.size());
		}
	}

	/** One sequence, or two of projections: along z, and along y. */
	List<ImageSequence> sequences(final RandomAccessibleInterval<?> first) {
		final RandomAccessibleInterval<?> frame = cut(first);
		final int[] size = FrameReader.extents(frame);
		final int channels = JointImage.channelsOf(first).size();
		if (!settings.projections()) return List.of(new ImageSequence(settings, compute, mask, ImagePixels.type(frame), Size.of(frame.dimensionsAsLongArray()),
			channels, this::cut));
		final long[] most = settings.maxShift() == null ? null : new long[] { settings.maxShift()[0], settings.maxShift()[2] },
			flat = settings.maxShift() == null ? null : Arrays.copyOf(settings.maxShift(), 2);
		return List.of(new ImageSequence(Components.with(settings, DriftSettings::maxShift, flat), compute, null, PixelType.F32, Size.of(size[0], size[1]),
			(long) channels * size[2], f -> Projections.of(cut(f)).alongZ()),
			new ImageSequence(Components.with(settings, DriftSettings::maxShift, most), compute.monitor(Monitor.NONE), null, PixelType.F32,
				Size.of(size[0], size[2]), 1, f -> Projections.of(cut(f)).alongY()));
	}

	/** The candidates that measure the frames, best first. */
	public Ranking explain(final RandomAccessibleInterval<?> first, final long frames) {
		try (BoxedFrames boxed = boxed(List.of(first))) {
			return boxed == null ? sequences(first).get(0).ranking(false, frames) : boxed.measurement().explain(boxed.get(0), frames);
		}
	}

	/** The candidates that measure the deformations of frames, best first. There must be windows. */
	public Ranking explainPiecewise(final long frames) {
		return piecewise().ranking(frames);
	}

	private void requireSize(final RandomAccessibleInterval<?> frame) {
		if (!Arrays.equals(frame.dimensionsAsLongArray(), frameSize)) throw new IllegalArgumentException("a frame is " + Size.of(frame.dimensionsAsLongArray())
			+ ", and the first frame is " + Size.of(frameSize) + ": give frames of one size");
	}

	/** The shifts of all frames. If the sequences have no common reference, they are relative to one frame: the first that none of them replaces. */
	static List<FrameShift> shiftsOf(final List<DriftEvaluation> sequences) {
		final List<FrameShift> all = joined(sequences.stream().map(DriftEvaluation::shifts).toList());
		final Set<Integer> references = sequences.stream().map(DriftEvaluation::reference).collect(Collectors.toSet());
		if (sequences.size() == 1 || references.size() == 1 && !references.contains(-1)) return all;
		return all.stream().filter(f -> !sequences.get(0).isReplaced(f)).findFirst()
			.map(f -> joined(sequences.stream().map(s -> s.shifts((int) f.frame())).toList())).orElse(all);
	}

	/** The shifts of frames from those of their sequences. */
	private static List<FrameShift> joined(final List<List<FrameShift>> sequences) {
		if (sequences.size() == 1) return sequences.get(0);
		final List<FrameShift> all = new ArrayList<>();
		for (int i = 0; i < sequences.get(0).size(); i++) {
			final FrameShift a = sequences.get(0).get(i), b = sequences.get(1).get(i);
			final FrameShift worse = b.state().compareTo(a.state()) > 0 ? b : a;
			all.add(new FrameShift(a.frame(), new double[] { a.shift()[0], a.shift()[1], b.shift()[1] }, Math.min(a.score(), b.score()),
				Math.min(a.overlap(), b.overlap()),
				Math.max(a.residual(), b.residual()), a.runnerUp(), a.edge() || b.edge(), worse.state(), joined(a.covariance(), b.covariance())));
		}
		return all;
	}

	/** The covariance along x and y, and along z. The shifts come from different projections, so nothing is known of the correlation of their errors: 0. */
	private static double[][] joined(final double[][] flat, final double[][] deep) {
		return flat == null || deep == null ? null : new double[][] { { flat[0][0], flat[0][1], 0 }, { flat[1][0], flat[1][1], 0 }, { 0, 0, deep[1][1] } };
	}

	/**
	 * Measures a stream.
	 *
	 * @param first the first frames, already read
	 * @param rest the other frames
	 * @param each receives each frame and its shift, in order
	 */
	public void stream(final List<? extends RandomAccessibleInterval<?>> first, final Iterator<? extends RandomAccessibleInterval<?>> rest,
		final BiConsumer<RandomAccessibleInterval<?>, FrameShift> each)
	{
		final DriftReference.Kind kind = settings.reference().kind();
		if (kind == DriftReference.Kind.MEAN || kind == DriftReference.Kind.FRAME) throw new IllegalArgumentException("the reference " + settings.reference()
			+ " needs all frames, and a stream has only those so far: choose first, previous or multi, or give a stack");
		if (settings.smoothing() > 0) throw new IllegalArgumentException("smoothing needs all frames, and a stream has only those so far: leave it out, or give a stack");
		final List<FrameShift> known = new ArrayList<>();
		final List<RandomAccessibleInterval<?>> batch = new ArrayList<>(first);
		try (Runs runs = new Runs(batch.get(0), null, null, MANY)) {
			while (!batch.isEmpty()) {
				while (batch.size() < runs.batch() && rest.hasNext()) batch.add(rest.next());
				runs.push(batch);
				final List<FrameShift> found = runs.next(known);
				for (int i = 0; i < batch.size(); i++) each.accept(batch.get(i), found.get(i));
				known.addAll(found);
				batch.clear();
				if (rest.hasNext()) batch.add(rest.next());
			}
		}
	}

	/** What is measured of a frame. */
	private RandomAccessibleInterval<?> cut(final RandomAccessibleInterval<?> frame) {
		final RandomAccessibleInterval<?> joined = joiner.apply(frame);
		return settings.inside() == null ? joined : Views.interval(Views.zeroMin(joined), settings.inside());
	}

	/** Smooths the shifts of all frames. */
	private List<FrameShift> smoothed(final List<FrameShift> shifts) {
		final double smoothing = settings.smoothing();
		if (smoothing == 0) return shifts;
		final int radius = (int) Math.ceil(4 * smoothing);
		final List<FrameShift> result = new ArrayList<>();
		for (int i = 0; i < shifts.size(); i++) {
			final double[] mean = new double[frameSize.length];
			double weights = 0;
			for (int j = Math.max(0, i - radius); j <= Math.min(shifts.size() - 1, i + radius); j++) {
				final double w = Math.exp(-0.5 * Math.pow((j - i) / smoothing, 2));
				for (int d = 0; d < mean.length; d++) mean[d] += w * shifts.get(j).shift()[d];
				weights += w;
			}
			for (int d = 0; d < mean.length; d++) mean[d] /= weights;
			result.add(shifts.get(i).with(mean));
		}
		return result;
	}

	/** One run, or for projections two in step. */
	private final class Runs implements AutoCloseable {

		private final List<DriftRun> runs = new ArrayList<>();

		Runs(final RandomAccessibleInterval<?> first, final RandomAccessibleInterval<?> reference, final Frame mean, final long frames) {
			if (reference != null) requireSize(reference);
			try {
				for (final ImageSequence s : sequences(first)) {
					final RandomAccessibleInterval<?> given = reference == null ? null : s.image().apply(reference);
					runs.add(new DriftRun(s, given, mean, new FailoverShifts(s.ranking(mean != null, frames), compute.threads(), compute.monitor())));
				}
			}
			catch (final RuntimeException | Error e) {
				close();
				throw e;
			}
		}

		int batch() {
			return runs.get(0).batch();
		}

		void push(final List<RandomAccessibleInterval<?>> frames) {
			frames.forEach(DriftMeasurement.this::requireSize);
			if (!settings.projections()) {
				runs.get(0).push(frames.stream().<RandomAccessibleInterval<?>>map(DriftMeasurement.this::cut).toList());
				return;
			}
			// one pass over a volume gives both
			final List<Projections> all = frames.stream().map(f -> Projections.of(cut(f))).toList();
			runs.get(0).push(all.stream().map(Projections::alongZ).toList());
			runs.get(1).push(all.stream().map(Projections::alongY).toList());
		}

		/** Measures a whole sequence. */
		List<FrameShift> all(final List<? extends RandomAccessibleInterval<?>> frames) {
			for (int i = 0, n; i < frames.size(); i += n) {
				n = Math.min(frames.size() - i, runs.get(0).largeBatch());
				push(new ArrayList<>(frames.subList(i, i + n)));
			}
			return shiftsOf(runs.stream().map(DriftRun::evaluation).toList());
		}

		List<FrameShift> next(final List<FrameShift> known) {
			final List<FrameShift> found = runs.size() == 1 ? runs.get(0).next(known)
				: joined(List.of(runs.get(0).next(part(known, 1)), runs.get(1).next(part(known, 2))));
			runs.forEach(DriftRun::forgetMeasurements);
			return found;
		}

		/** The shifts along x and another dimension. */
		private static List<FrameShift> part(final List<FrameShift> shifts, final int d) {
			return shifts.stream().map(k -> k.along(0, d)).toList();
		}

		@Override
		public void close() {
			runs.forEach(DriftRun::close);
		}
	}
}
