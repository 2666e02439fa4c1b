package sc.fiji.ncc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.RunCounter;
import sc.fiji.ncc.pose.PoseBackground;
import sc.fiji.ncc.pose.PoseCost;
import sc.fiji.ncc.pose.PosePlan;
import sc.fiji.ncc.pose.PosePlanner;
import sc.fiji.ncc.pose.PoseSet;
import sc.fiji.ncc.pose.PoseSinks;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.FrameException;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.result.PosesFound;
import sc.fiji.ncc.run.SlidingCall;

/** One search for poses: the sampled templates, the plan for frames of one size, and the scores of the last frame. */
final class PoseRun implements AutoCloseable {

	/** The least number of positions that a box must hold. */
	private static final long MIN_LAGS = 4096;
	/** The number of frames that the planner expects of a stream. */
	private static final long UNKNOWN_COUNT = 1000;
	/** The most memory for a box, in bytes, and its share of all memory: one part in so many. */
	private static final long MAX_BOX = 1L << 30, SHARE_OF_MEMORY = 4;
	/** The range of minimum scores that one plan serves. */
	private static final double SCORES = 0.05;
	/** The name of this code among those that have run in a process. */
	private static final String CODE = "poses";
	/** One array per correlation, and two of the box itself. */
	private static final int OWN_MAPS = 2;

	private final PoseSettings search;
	private final ComputeOptions options;
	private final boolean everyPose;
	private final long frames;
	/** The expected number of false alarms in a frame; NaN if the minimum score is given. */
	private final double alarms;
	/** The minimum score of the last frame, of the plan, and the least one of all frames. */
	private double score, planned, least = Double.POSITIVE_INFINITY;
	/** How far the minimum score of the last frame holds; null if it is given. */
	private BackgroundState state;
	private final Parallel threads;
	private final PoseSet whole;
	private final Monitor monitor;
	private boolean totalKnown;
	/** The plan, and the size and pixel type for which it was made. */
	private PosePlan plan;
	private long[] size;
	private PixelType type;
	private SlidingCall op;
	private List<TemplateBank> banks;
	private List<Ranking> rankings;
	/** The predicted times of the plan. */
	private List<PoseReport.Part> parts;
	private PoseSinks sinks;
	private long boxBytes;
	/** The device that searches without the engine; null if the engine correlates. */
	private PoseDevice device;
	/** Whether a device failed, or the caller computes boxes. */
	private boolean engineOnly;

	/**
	 * @param everyPose whether every position needs its pose
	 * @param frames the number of frames; negative if unknown
	 * @param searched the number of frames that share the expected false alarms
	 */
	PoseRun(final List<? extends RandomAccessibleInterval<?>> images, final PoseSettings search, final ComputeOptions options, final boolean everyPose,
		final long frames, final long searched)
	{
		alarms = search.falseAlarms / searched;
		this.search = search;
		this.options = options;
		this.everyPose = everyPose;
		this.frames = frames;
		final List<Template> templates = new ArrayList<>();
		for (int t = 0; t < images.size(); t++) templates.add(TemplateReader.read(images.get(t), search.masks.isEmpty() ? null : search.masks.get(t), false));
		// refuses templates that differ in their dimensions or channels
		TemplateReader.alike(templates, "template");
		final Monitor outer = options.monitor();
		monitor = new Monitor() {

			@Override
			public void total(final long responses) {
				if (!totalKnown && frames >= 0) outer.total(Math.multiplyExact(responses, frames));
				totalKnown = true;
			}

			@Override
			public void done(final long responses) {
				outer.done(responses);
			}

			@Override
			public boolean canceled() {
				return outer.canceled();
			}
		};
		whole = PoseSet.of(templates, search.grid.poses(templates), search.support, search.inner, this::stopIfCanceled);
		threads = new Parallel(options.threads());
	}

	private void stopIfCanceled() {
		if (monitor.canceled()) throw new CancellationException("canceled");
	}

	int dimensions() {
		return whole.templates().get(0).size().dimensions();
	}

	long frames() {
		return frames;
	}

	/** Makes the plan for frames like this one. */
	void prepare(final RandomAccessibleInterval<?> uncut) {
		replan(uncut, bank -> BoxGrid.of(bank.lags().lags, maxLags()));
	}

	/** The extents of the searched part of a frame. */
	long[] size(final RandomAccessibleInterval<?> uncut) {
		JointImage.requireSameChannels("template", whole.templates().get(0).channels(), uncut);
		return cut(uncut).dimensionsAsLongArray();
	}

	/** The poses that fit in a frame of this size. */
	PoseSet set(final long[] extents) {
		return whole.fitting(extents);
	}

	/**
	 * The same for boxes that the engine correlates.
	 *
	 * @param boxes the division of a bank's lags, for the planner
	 */
	void prepare(final RandomAccessibleInterval<?> uncut, final Function<TemplateBank, BoxGrid> boxes) {
		engineOnly = true;
		replan(uncut, boxes);
	}

	private void replan(final RandomAccessibleInterval<?> uncut, final Function<TemplateBank, BoxGrid> boxes) {
		final long[] extents = size(uncut);
		final RandomAccessibleInterval<?> frame = cut(uncut);
		final boolean same = plan != null && Arrays.equals(size, extents) && type == ImagePixels.type(frame);
		final PoseSet set = same ? plan.set() : set(extents);
		if (Double.isNaN(alarms)) score = search.minScore;
		else {
			final PoseBackground background = PoseBackground.of(set, frame, threads, this::stopIfCanceled);
			score = background.minScore(alarms);
			state = background.state(score);
		}
		least = Math.min(least, score);
		if (same && score >= planned && score <= planned + SCORES) return;
		// further frames can have a slightly lower score
		planned = Double.isNaN(alarms) || frames == 1 ? score : Math.max(-1, score - SCORES / 2);
		closeDevice();
		final long expected = frames < 0 ? UNKNOWN_COUNT : frames;
		// exact scores are multiplications and additions in double
		final double slowness = options.planner().orElseThrow().calibrated("cpu", "direct-tap-double");
		final PosePlanner planner = new PosePlanner(frame, expected, planned, search.method, search.boundShare, options.threads(), threads,
			templates -> seconds(frame, templates)).slowness(slowness);
		if (!engineOnly) device = PoseDevice.of(options, search.method, set, frame, expected, templates -> seconds(frame, templates));
		PosePlan next = planner.on(device == null ? null : device.searcher()).plan(set);
		// afterwards the device has started
		final double deviceStart = device == null ? 0 : device.searcher().startSeconds();
		if (device != null && !device.prepare(next, planned, frame)) {
			closeDevice();
			next = planner.on(null).plan(set);
		}
		final NormalizedCrossCorrelation engine = engine(next.templates());
		banks = TemplateBank.of(next.templates(), engine.call().layouts(frame));
		final int largest = banks.stream().mapToInt(b -> b.indices().length).max().orElse(1) + OWN_MAPS;
		final long memory = Math.min(MAX_BOX, options.memory() / SHARE_OF_MEMORY), lags = Math.min(next.lags(extents), memory / (4L * largest));
		if (device == null && lags < Math.min(MIN_LAGS, next.lags(extents))) throw new IllegalArgumentException("a quarter of the memory of " + options.memory()
			+ " bytes holds " + lags + " positions of " + (largest - OWN_MAPS) + " correlations: give at least " + SHARE_OF_MEMORY * 4 * largest * MIN_LAGS + " bytes, or fewer poses");
		boxBytes = device == null ? 4L * largest * lags : device.bytes();
		// the engine must not plan with the memory of the box
		op = engine.memory(Math.max(options.memory() / 2, options.memory() - 4L * largest * lags - set.bytes())).maxLags(Math.max(1, lags)).call();
		rankings = device == null ? new ArrayList<>(op.rank(frame, banks, boxes, Result.MAP)) : List.of();
		parts = parts(new PoseCost(set, options.threads(), slowness), next, expected, device == null ? 0 : deviceStart);
		sinks = new PoseSinks(next, extents, search.sinks(), everyPose, threads, monitor);
		size = extents;
		type = ImagePixels.type(frame);
		plan = next;
	}

	/** The predicted time of all frames. */
	private List<PoseReport.Part> parts(final PoseCost cost, final PosePlan next, final long expected, final double deviceStart) {
		final boolean background = !Double.isNaN(alarms);
		final Map<String, Double> starts = new HashMap<>();
		double correlations = 0;
		for (final Ranking r : rankings) {
			final Ranking.Candidate best = r.best().orElseThrow();
			correlations += best.seconds();
			starts.put(best.name(), RunCounter.hasStarted(best.name()) ? 0 : best.plan().cost().startSeconds());
		}
		final double start = deviceStart + starts.values().stream().mapToDouble(s -> s).sum() + (RunCounter.hasStarted(CODE) ? 0 : cost.start(background));
		final int matches = everyPose || !search.refine ? 0 : PoseCost.matches(search.maxMatches);
		final List<PoseReport.Part> all = new ArrayList<>();
		all.add(new PoseReport.Part("start of the process", start));
		all.add(new PoseReport.Part("sampling of the poses", cost.sampling()));
		if (background) all.add(new PoseReport.Part("background of the minimum score", expected * cost.background()));
		all.add(new PoseReport.Part("plan", next.planning()));
		if (device == null) all.add(new PoseReport.Part("correlations", expected * correlations));
		all.add(new PoseReport.Part(device == null ? "bounds and exact scores" : "search on " + device.searcher().device().id(), next.scoring()));
		final String refinement = "refinement, if a frame has " + matches + (matches == 1 ? " match" : " matches");
		if (matches > 0) all.add(new PoseReport.Part(refinement, expected * cost.refinement(matches)));
		return all;
	}

	private NormalizedCrossCorrelation engine(final List<Template> templates) {
		return NormalizedCrossCorrelation.ofTemplates(templates).undefined(Undefined.NAN).compute(options.precision(Precision.SINGLE).monitor(monitor));
	}

	/** The engine's estimate for templates of one size. */
	private double seconds(final RandomAccessibleInterval<?> frame, final List<Template> templates) {
		stopIfCanceled();
		final SlidingCall estimated = engine(templates).effort(Effort.ESTIMATE, options.measuringSeconds()).call();
		final List<Ranking> ranked = estimated.rank(frame, List.of(bank(estimated, frame)), Result.MAP);
		return ranked.get(0).best().orElseThrow().seconds();
	}

	private static TemplateBank bank(final SlidingCall op, final RandomAccessibleInterval<?> frame) {
		final int[] indices = new int[op.templates().size()];
		for (int i = 0; i < indices.length; i++) indices[i] = i;
		return new TemplateBank(indices, op.templates(), Collections.nCopies(indices.length, op.layout(op.templates().get(0).size(), frame)));
	}

	/** The searched part of a frame. */
	RandomAccessibleInterval<?> cut(final RandomAccessibleInterval<?> frame) {
		if (search.inside == null) return frame;
		final long[] min = search.inside.minAsLongArray(), max = search.inside.maxAsLongArray();
		if (min.length != frame.numDimensions()) throw new IllegalArgumentException("the box has " + min.length + " dimensions, the image has " + frame.numDimensions()
			+ ": give as many");
		for (int d = 0; d < min.length; d++) {
			if (min[d] < 0 || max[d] >= frame.dimension(d) || min[d] > max[d]) throw new IllegalArgumentException("the box " + Arrays.toString(min) + ".." + Arrays.toString(max)
				+ " must lie inside the image of " + Size.of(frame.dimensionsAsLongArray()) + ": give a box in pixels counted from 0");
			min[d] += frame.min(d);
			max[d] += frame.min(d);
		}
		return JointImage.view(frame, f -> Views.interval(f, new FinalInterval(min, max)));
	}

	/** The searched part of a frame. */
	PoseSinks.Part part(final RandomAccessibleInterval<?> uncut) {
		final long[] size = size(uncut);
		final boolean[] before = new boolean[size.length], after = new boolean[size.length];
		for (int d = 0; d < size.length && search.inside != null; d++) {
			before[d] = search.inside.min(d) > 0;
			after[d] = search.inside.max(d) < uncut.dimension(d) - 1;
		}
		return new PoseSinks.Part(size, before, after);
	}

	/** Computes the scores of a frame. */
	Report frame(final RandomAccessibleInterval<?> uncut) {
		prepare(uncut);
		final RandomAccessibleInterval<?> frame = cut(uncut);
		sinks.begin(frame, part(uncut), score);
		if (device != null) {
			final Report report = device.frame(frame, sinks, monitor);
			RunCounter.started(CODE);
			if (report != null) return report;
			engineOnly = true;
			plan = null;
			prepare(uncut);
			sinks.begin(frame, part(uncut), score);
		}
		final Report report = op.run(frame, banks, rankings, sinks);
		RunCounter.started(CODE);
		return report;
	}

	PoseSinks sinks() {
		return sinks;
	}

	List<TemplateBank> banks() {
		return banks;
	}

	List<Ranking> rankings() {
		return rankings;
	}

	/** The maximum number of lags of a box. */
	long maxLags() {
		return op.maxLags();
	}

	Monitor monitor() {
		return monitor;
	}

	/** The minimum score of the last prepared frame. */
	double score() {
		return score;
	}

	/** How far the minimum score of the last prepared frame holds; null if it is given. */
	BackgroundState state() {
		return state;
	}

	/** The same as {@link PosesFound#backgrounds}. */
	List<BackgroundState> backgrounds() {
		return state == null ? List.of() : List.of(state);
	}

	/** The matches of the last frame. */
	List<PoseMatch> matches() {
		return placed(sinks.matches(), score, state);
	}

	/**
	 * Matches in the searched part of a frame as matches in the frame, with its minimum score.
	 *
	 * @param background how far the minimum score holds; null if it is given
	 */
	List<PoseMatch> placed(final List<PoseMatch> found, final double minScore, final BackgroundState background) {
		final List<PoseMatch> placed = new ArrayList<>();
		for (final PoseMatch m : found) {
			final long[] position = m.position().clone();
			final double[] subpixel = m.subpixel().clone();
			for (int d = 0; d < position.length && search.inside != null; d++) {
				position[d] += search.inside.min(d);
				subpixel[d] += search.inside.min(d);
			}
			final PoseMatch inFrame = m.at(position, subpixel);
			placed.add(background == null ? inFrame : inFrame.rated(minScore, background));
		}
		return placed;
	}

	/** The least minimum score of all frames. */
	double leastScore() {
		return least;
	}

	PoseReport plan() {
		return new PoseReport(plan.set().poses().size(), plan.lines(), parts, plan.set().bytes() + boxBytes, List.copyOf(rankings),
			Optional.ofNullable(device).map(d -> d.searcher().device().id()));
	}

	Report each(final Iterable<? extends RandomAccessibleInterval<?>> stream, final FrameConsumer<? super PosesFound> consumer) {
		Report all = Report.NONE;
		long index = 0;
		for (final RandomAccessibleInterval<?> frame : stream) {
			stopIfCanceled();
			final long start = System.nanoTime();
			if (frame.numDimensions() != dimensions()) throw new IllegalArgumentException("frame " + (index + 1) + " has " + frame.numDimensions()
				+ " dimensions, the template has "
				+ dimensions() + ": pass frames of " + dimensions() + " dimensions");
			final Report report = frame(frame);
			all = all.plus(report);
			final PosesFound found = new PosesFound(matches(), report, plan(), score, backgrounds(), 1e-9 * (System.nanoTime() - start));
			try {
				consumer.accept(index, found);
			}
			catch (final IOException e) {
				throw new FrameException(index, " was computed, but the consumer failed on its result: ", e);
			}
			index++;
		}
		return all;
	}

	/** The maps of the last frame. */
	BestPoses best(final long start) {
		final long[][] positions = sinks.positions();
		final boolean small = Size.of(positions[1]).pixels() <= Integer.MAX_VALUE - 8;
		final Img<FloatType> score = small ? undefined(positions[1]) : new CellImgFactory<>(new FloatType(), 256).create(positions[1]);
		final Img<IntType> pose = small ? ArrayImgs.ints(positions[1]) : new CellImgFactory<>(new IntType(), 256).create(positions[1]);
		if (!small) LoopBuilder.setImages(score).forEachPixel(p -> p.set(Float.NaN));
		final RandomAccess<FloatType> s = score.randomAccess();
		final RandomAccess<IntType> p = pose.randomAccess();
		sinks.forEach(0, (position, value, number) -> {
			for (int d = 0; d < position.length; d++) position[d] -= positions[0][d];
			s.setPositionAndGet(position).set((float) value);
			p.setPositionAndGet(position).set(number + 1);
		});
		final List<Pose> poses = plan.set().poses().subList(0, plan.set().poses().size() / plan.set().templates().size());
		final long[] origin = positions[0];
		if (search.inside != null) for (int d = 0; d < origin.length; d++) origin[d] += search.inside.min(d);
		return new BestPoses(score, pose, origin, List.copyOf(poses), plan.lines(), 1e-9 * (System.nanoTime() - start));
	}

	/** NaN everywhere; an array is filled faster than an image. */
	private static Img<FloatType> undefined(final long[] size) {
		final float[] values = new float[(int) Size.of(size).pixels()];
		Arrays.fill(values, Float.NaN);
		return ArrayImgs.floats(values, size);
	}

	private void closeDevice() {
		if (device != null) device.close();
		device = null;
	}

	@Override
	public void close() {
		closeDevice();
		threads.close();
	}
}
