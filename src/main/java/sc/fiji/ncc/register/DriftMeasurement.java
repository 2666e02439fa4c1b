package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.run.Parallel;

/** The measurement of the drift of a stack or a stream: its reference, region, projections and smoothing. */
public final class DriftMeasurement {

	/** The rounds in which the mean frame becomes sharper. */
	private static final int ROUNDS = 2;

	private final DriftSettings settings;
	private final UnaryOperator<RandomAccessibleInterval<?>> joiner;
	private final long[] frameSize;
	private final Interval region;
	private final boolean projections;
	private final double smoothing;

	/**
	 * @param first the first frame, for its extents and its channels, which are joined as by {@link JointChannels}
	 * @param region the region to measure in; null for all
	 * @param projections whether volumes are measured by projections
	 * @param smoothing the standard deviation of the Gaussian that smooths shifts, in frames; 0 for none
	 */
	public DriftMeasurement(final DriftSettings settings, final RandomAccessibleInterval<?> first, final Interval region, final boolean projections, final double smoothing) {
		this.settings = settings;
		joiner = JointChannels.joiner(first);
		frameSize = first.dimensionsAsLongArray();
		this.region = region;
		this.projections = projections;
		this.smoothing = smoothing;
	}

	/** What measures the frames, and why, a line for each backend. */
	public String explain(final RandomAccessibleInterval<?> first, final long frames) {
		return EngineChoice.of(settings, projections ? Projections.of(cut(first)).alongZ() : cut(first), false, frames).toString();
	}

	/** Measures frames that can be read several times. */
	public Drift stack(final List<? extends RandomAccessibleInterval<?>> frames) {
		final DriftReference.Kind kind = settings.reference().kind();
		final int n = frames.size();
		settings.monitor().total((long) n * (kind == DriftReference.Kind.MEAN ? 1 + 2 * ROUNDS : 1));
		List<FrameShift> shifts;
		if (kind == DriftReference.Kind.FRAME) {
			if (settings.reference().frame() >= n) throw new IllegalArgumentException("reference frame " + settings.reference().frame() + " does not exist: there are " + n
				+ " frames, counted from 0");
			shifts = run(frames, frames.get((int) settings.reference().frame()));
		}
		else shifts = run(frames, null);
		for (int round = 0; kind == DriftReference.Kind.MEAN && round < ROUNDS; round++) shifts = sharpened(frames, shifts);
		return new Drift(frameSize, settings.reference().toString(), smoothed(shifts));
	}

	private List<FrameShift> run(final List<? extends RandomAccessibleInterval<?>> frames, final RandomAccessibleInterval<?> reference) {
		try (Runs runs = new Runs(frames.get(0), reference, null, frames.size())) {
			return runs.all(frames);
		}
	}

	/** Measures all frames against the mean of the corrected frames. */
	private List<FrameShift> sharpened(final List<? extends RandomAccessibleInterval<?>> frames, final List<FrameShift> shifts) {
		if (projections) throw new IllegalArgumentException("the reference mean needs whole volumes: choose another reference, or leave projections out");
		final MeanFrame mean = new MeanFrame(FrameReader.extents(cut(frames.get(0))));
		final int batch = 2 * settings.threads();
		try (Parallel parallel = new Parallel(settings.threads())) {
			for (int i = 0; i < frames.size(); i += batch) {
				if (settings.monitor().canceled()) throw new CancellationException("canceled");
				final List<FrameShift> some = shifts.subList(i, Math.min(frames.size(), i + batch)), good = some.stream().filter(s -> s.state() == FrameShift.State.OK).toList();
				mean.add(good.stream().<RandomAccessibleInterval<?>>map(s -> cut(frames.get((int) s.frame()))).toList(), good.stream().map(FrameShift::shift).toList(), parallel);
				settings.monitor().done(some.size());
			}
		}
		try (Runs runs = new Runs(frames.get(0), null, mean.pixels(settings.mask(), frameSize.length), frames.size())) {
			return runs.all(frames);
		}
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
		if (smoothing > 0) throw new IllegalArgumentException("smoothing needs all frames, and a stream has only those so far: leave it out, or give a stack");
		final List<FrameShift> known = new ArrayList<>();
		final List<RandomAccessibleInterval<?>> batch = new ArrayList<>(first);
		try (Runs runs = new Runs(batch.get(0), null, null, EngineChoice.MANY)) {
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
		return region == null ? joined : Views.interval(Views.zeroMin(joined), region);
	}

	/** Smooths the shifts of all frames. */
	private List<FrameShift> smoothed(final List<FrameShift> shifts) {
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

		private final DriftRun run;
		/** The run of the projections along y; null without projections. */
		private final DriftRun depth;

		Runs(final RandomAccessibleInterval<?> first, final RandomAccessibleInterval<?> reference, final FramePixels mean, final long frames) {
			final RandomAccessibleInterval<?> frame = cut(first);
			if (!projections) {
				run = new DriftRun(settings, frame, reference == null ? null : cut(reference), mean, frames);
				depth = null;
				return;
			}
			final Projections p = Projections.of(frame), r = reference == null ? null : Projections.of(cut(reference));
			run = new DriftRun(settings, p.alongZ(), r == null ? null : r.alongZ(), null, frames);
			final long[] most = settings.maxShift() == null ? null : new long[] { settings.maxShift()[0], settings.maxShift()[2] };
			final DriftSettings deep = new DriftSettings(settings.reference(), most, settings.minOverlap(), null, settings.subpixel(), settings.threads(), settings.backend(), Monitor.NONE);
			depth = new DriftRun(deep, p.alongY(), r == null ? null : r.alongY(), null, frames);
		}

		int batch() {
			return run.batch();
		}

		void push(final List<RandomAccessibleInterval<?>> frames) {
			for (final RandomAccessibleInterval<?> f : frames)
				if (!Arrays.equals(f.dimensionsAsLongArray(), frameSize)) throw new IllegalArgumentException("a frame is " + Size.of(f.dimensionsAsLongArray())
					+ ", and the first frame is " + Size.of(frameSize) + ": give frames of one size");
			if (depth == null) {
				run.push(frames.stream().<RandomAccessibleInterval<?>>map(DriftMeasurement.this::cut).toList());
				return;
			}
			final List<Projections> all = frames.stream().map(f -> Projections.of(cut(f))).toList();
			run.push(all.stream().map(Projections::alongZ).toList());
			depth.push(all.stream().map(Projections::alongY).toList());
		}

		/** Measures a whole sequence. */
		List<FrameShift> all(final List<? extends RandomAccessibleInterval<?>> frames) {
			for (int i = 0, n; i < frames.size(); i += n) {
				n = Math.min(frames.size() - i, run.largeBatch());
				push(new ArrayList<>(frames.subList(i, i + n)));
			}
			return solve();
		}

		private List<FrameShift> solve() {
			return depth == null ? run.solve() : joined(run.solve(), depth.solve());
		}

		List<FrameShift> next(final List<FrameShift> known) {
			final List<FrameShift> found;
			if (depth == null) found = run.next(known);
			else found = joined(run.next(known.stream().map(k -> k.with(new double[] { k.shift()[0], k.shift()[1] })).toList()),
				depth.next(known.stream().map(k -> k.with(new double[] { k.shift()[0], k.shift()[2] })).toList()));
			run.forgetMeasurements();
			if (depth != null) depth.forgetMeasurements();
			return found;
		}

		private List<FrameShift> joined(final List<FrameShift> flat, final List<FrameShift> deep) {
			final List<FrameShift> all = new ArrayList<>();
			for (int i = 0; i < flat.size(); i++) {
				final FrameShift a = flat.get(i), b = deep.get(i);
				final FrameShift worse = b.state().compareTo(a.state()) > 0 ? b : a;
				all.add(new FrameShift(a.frame(), new double[] { a.shift()[0], a.shift()[1], b.shift()[1] }, Math.min(a.score(), b.score()), Math.min(a.overlap(), b.overlap()),
					Math.max(a.residual(), b.residual()), a.runnerUp(), a.edge() || b.edge(), worse.state()));
			}
			return all;
		}

		@Override
		public void close() {
			run.close();
			if (depth != null) depth.close();
		}
	}
}
