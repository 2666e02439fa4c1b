package sc.fiji.ncc.pose;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.bank.BankAlgorithm;
import sc.fiji.ncc.plan.bank.BankExecution.Range;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.BankPlan;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.RunCounter;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.FrameException;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.result.PosesFound;
import sc.fiji.ncc.run.Failover;

/** One search for poses: the sampled templates, the plan for frames of one size, and the scores of the last frame. One thread at a time uses it. */
public final class PoseRun implements AutoCloseable {

	/** The number of frames that the planner expects of a stream. */
	private static final long UNKNOWN_COUNT = 1000;
	/** The range of minimum scores that one plan serves. */
	private static final double SCORES = 0.05;
	/** The bytes of a score and of the number of its pose; and the largest share of the heap for the maps of all frames, because the search needs the rest. */
	private static final double BYTES_OF_MAPS = 8, SHARE_FOR_MAPS = 0.75;
	/** The name of this code among those that have run in a process. */
	private static final String CODE = "poses";

	private final PoseSettings settings;
	private final ComputeOptions options;
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
	private volatile boolean canceled;
	/** The largest number of positions that are searched at once, and the number of such boxes in a frame; null for all positions. */
	private Size box;
	private long boxes = 1;
	/** The plan, and the size and pixel type for which it was made. */
	private PosePlan plan;
	private long[] size;
	private PixelType type;
	/** The predicted times of the plan. */
	private List<PoseReport.Part> parts;
	private Failover<BankExecution> search;
	private PoseFrame found;
	private final long begin = System.nanoTime();
	/** The seconds that it took to measure candidates so far. */
	private double measuring;

	/**
	 * @param frames the number of frames; negative if unknown
	 * @param searched the number of frames that share the expected false alarms
	 */
	public PoseRun(final List<? extends RandomAccessibleInterval<?>> images, final PoseSettings settings, final ComputeOptions options,
		final long frames, final long searched)
	{
		alarms = settings.falseAlarms() / searched;
		this.settings = settings;
		this.options = options;
		this.frames = frames;
		final List<Template> templates = new ArrayList<>();
		for (int t = 0; t < images.size(); t++) templates.add(TemplateReader.read(images.get(t), settings.masks().isEmpty() ? null
			: settings.masks().get(t), false));
		// refuses templates that differ in their dimensions or channels
		TemplateReader.alike(templates, "template");
		monitor = options.monitor().orIf(() -> canceled);
		threads = new Parallel(options.threads());
		try {
			whole = PoseSet.of(templates, settings.grid().poses(templates), settings.support(), settings.inner(), threads,
				monitor::requireNotCanceled);
		}
		catch (final RuntimeException | Error e) {
			threads.close();
			throw e;
		}
	}

	/** The seconds since the run began, without those of measuring candidates. */
	public double seconds() {
		return 1e-9 * (System.nanoTime() - begin) - measuring;
	}

	public int dimensions() {
		return whole.templates().get(0).size().dimensions();
	}

	public long frames() {
		return frames;
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

	/** Only boxes of positions will be searched: the plan is one for their pixels. */
	void inBoxes(final Size largest, final long perFrame) {
		box = largest;
		boxes = perFrame;
	}

	/** The extents of the pixels that are searched at once in a frame: those of the supports at all positions of a box and its neighbours. */
	private long[] searched(final PoseSet set, final long[] frame) {
		final long[] all = frame.clone();
		for (int d = 0; d < all.length && box != null; d++) {
			final int axis = d;
			final long first = set.families().stream().mapToLong(f -> f.shift[axis]).min().orElse(0),
					end = set.families().stream().mapToLong(f -> f.shift[axis] + f.members.box().get(axis)).max().orElse(0);
			all[d] = Math.min(all[d], box.get(d) + 1 + end - first);
		}
		return all;
	}

	/** Makes the plan for frames like this one, and finds the minimum score. */
	public void prepare(final RandomAccessibleInterval<?> uncut) {
		final long[] extents = size(uncut);
		final RandomAccessibleInterval<?> frame = cut(uncut);
		final boolean same = plan != null && Arrays.equals(size, extents) && type == ImagePixels.type(frame);
		final PoseSet set = same ? plan.set() : set(extents);
		if (Double.isNaN(alarms)) score = settings.minScore();
		else {
			final PoseBackground background = PoseBackground.of(set, frame, threads, monitor::requireNotCanceled);
			score = background.minScore(alarms);
			state = background.state(score);
		}
		least = Math.min(least, score);
		if (same && score >= planned && score <= planned + SCORES) return;
		// further frames can have a slightly lower score
		planned = Double.isNaN(alarms) || frames == 1 ? score : Math.max(-1, score - SCORES / 2);
		final long expected = frames < 0 ? UNKNOWN_COUNT : Math.multiplyExact(frames, boxes);
		final Planner planner = options.planner().orElseThrow();
		// exact scores are multiplications and additions in double
		final PoseCost cost = new PoseCost(set, options.threads(), planner.calibrated("cpu", "direct-tap-double"));
		final BoundedBank like = new BoundedBank(ImagePixels.type(frame), Size.of(searched(set, extents)),
			set.templates().get(0).channels(), List.of(), planned, settings.maps(), expected);
		final PosePlan next = new PosePlanner(frame, like, planned, settings.boundShare(), cost, threads, problem -> {
			monitor.requireNotCanceled();
			// sizes of a basis are compared by what needs one: the time of all poses is the same for all sizes, and known
			final BoundedBank bare = problem.of(problem.families().stream().map(BoundedBank.Family::bare).toList());
			return planner.seconds(problem, options.backend(), options.algorithm(), a -> problem.equals(bare) || a instanceof BankAlgorithm
				&& ((BankAlgorithm) a).unsupported(bare).isPresent());
		}).plan(set);
		final Ranking ranking = options.monitor(monitor).rank(next.problem());
		measuring += ranking.measuringSeconds();
		parts = parts(cost, next, ranking, expected);
		closeSearch();
		final double minScore = planned;
		search = new Failover<>(ranking, BankPlan.class, plan -> plan.prepare(next.members(), minScore, options.threads()));
		found = new PoseFrame(set, extents, settings.choice(), threads, monitor);
		size = extents;
		type = ImagePixels.type(frame);
		plan = next;
	}

	/** The predicted time of all frames. */
	private List<PoseReport.Part> parts(final PoseCost cost, final PosePlan next, final Ranking ranking, final long expected) {
		final boolean background = !Double.isNaN(alarms);
		final Ranking.Candidate best = ranking.best().orElseThrow();
		final int matches = !settings.choice().refine() ? 0 : PoseCost.matches(settings.choice().maxMatches());
		final double before = cost.sampling() + next.seconds(),
			frame = (background ? cost.background() : 0) + best.seconds() / expected + cost.refinement(matches);
		final double start = (RunCounter.hasStarted(best.name()) ? 0 : best.plan().cost().startSeconds()) + (RunCounter.hasStarted(CODE) ? 0
			: cost.start(before + frame));
		final List<PoseReport.Part> all = new ArrayList<>();
		all.add(new PoseReport.Part("start of the process", start));
		all.add(new PoseReport.Part("sampling of the poses", cost.sampling()));
		if (background) all.add(new PoseReport.Part("background of the minimum score", expected * cost.background()));
		all.add(new PoseReport.Part("plan", next.seconds()));
		all.add(new PoseReport.Part("search by " + best.name(), best.seconds()));
		final String refinement = "refinement, if a frame has " + matches + (matches == 1 ? " match" : " matches");
		if (matches > 0) all.add(new PoseReport.Part(refinement, expected * cost.refinement(matches)));
		return all;
	}

	/** The searched part of a frame. */
	RandomAccessibleInterval<?> cut(final RandomAccessibleInterval<?> frame) {
		if (settings.inside() == null) return frame;
		final long[] min = settings.inside().minAsLongArray(), max = settings.inside().maxAsLongArray();
		if (min.length != frame.numDimensions()) throw new IllegalArgumentException("the box has " + min.length
			+ " dimensions, the image has " + frame.numDimensions() + ": give as many");
		for (int d = 0; d < min.length; d++) {
			if (min[d] < 0 || max[d] >= frame.dimension(d) || min[d] > max[d])
				throw new IllegalArgumentException("the box " + Arrays.toString(min) + ".." + Arrays.toString(max)
				+ " must lie inside the image of " + Size.of(frame.dimensionsAsLongArray()) + ": give a box in pixels counted from 0");
			min[d] += frame.min(d);
			max[d] += frame.min(d);
		}
		return JointImage.view(frame, f -> Views.interval(f, new FinalInterval(min, max)));
	}

	/** The searched part of a frame. */
	PoseFrame.Part part(final RandomAccessibleInterval<?> uncut) {
		final long[] size = size(uncut);
		final boolean[] before = new boolean[size.length], after = new boolean[size.length];
		for (int d = 0; d < size.length && settings.inside() != null; d++) {
			before[d] = settings.inside().min(d) > 0;
			after[d] = settings.inside().max(d) < uncut.dimension(d) - 1;
		}
		return new PoseFrame.Part(size, before, after);
	}

	/** Computes the scores of a frame. */
	public Report frame(final RandomAccessibleInterval<?> uncut) {
		prepare(uncut);
		begin(uncut);
		if (!totalKnown && frames >= 0) monitor.total(Math.multiplyExact(search.run(open -> open.responses(found.lags(null))), frames));
		totalKnown = true;
		return frame(uncut, null);
	}

	/**
	 * Computes the scores of a prepared frame.
	 *
	 * @param positions the first position, and the number of positions along each dimension; null for all
	 */
	Report frame(final RandomAccessibleInterval<?> uncut, final long[][] positions) {
		begin(uncut);
		final RandomAccessibleInterval<?> frame = cut(uncut);
		final List<Range> lags = found.lags(positions);
		final long[] origin = new long[frame.numDimensions()], end = plan.problem().size().toArray();
		for (int d = 0; d < origin.length; d++) {
			final int axis = d;
			final long first = lags.stream().filter(r -> !r.isEmpty()).mapToLong(r -> r.first()[axis]).min().orElse(0);
			origin[d] = Math.min(first, frame.dimension(d) - end[d]);
			end[d] += frame.min(d) + origin[d] - 1;
		}
		final RandomAccessibleInterval<?> pixels = positions == null ? frame
			: JointImage.view(frame, f -> Views.interval(f, new FinalInterval(
			plus(f.minAsLongArray(), origin), end)));
		final List<Range> inPixels = lags.stream().map(r -> new Range(minus(r.first(), origin), r.count())).toList();
		final Report report = search.repeat(monitor, (open, progress) -> {
			final PoseFrame to = begin(uncut);
			return open.search(ImagePixels.of(pixels), inPixels,
				(family, first, size, at, scores, codes, n) -> to.take(family, plus(first, origin), size, at,
				scores, codes, n), progress);
		});
		RunCounter.started(CODE);
		return report;
	}

	private static long[] plus(final long[] a, final long[] b) {
		final long[] sum = a.clone();
		for (int d = 0; d < sum.length; d++) sum[d] += b[d];
		return sum;
	}

	private static long[] minus(final long[] a, final long[] b) {
		final long[] difference = a.clone();
		for (int d = 0; d < difference.length; d++) difference[d] -= b[d];
		return difference;
	}

	/** The scores of a prepared frame, without any. */
	PoseFrame begin(final RandomAccessibleInterval<?> uncut) {
		found.begin(cut(uncut), part(uncut), score);
		return found;
	}

	/** The scores of the last frame. */
	PoseFrame found() {
		return found;
	}

	/** The candidates. */
	Ranking ranking() {
		return search.ranking();
	}

	/** Ends the search of another thread. */
	void cancel() {
		canceled = true;
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
	public List<BackgroundState> backgrounds() {
		return state == null ? List.of() : List.of(state);
	}

	/** The matches of the last frame. */
	public List<PoseMatch> matches() {
		return placed(found.matches(), score, state);
	}

	/**
	 * Matches in the searched part of a frame as matches in the frame, with its minimum score.
	 *
	 * @param background how far the minimum score holds; null if it is given
	 */
	List<PoseMatch> placed(final List<PoseMatch> matches, final double minScore, final BackgroundState background) {
		final List<PoseMatch> placed = new ArrayList<>();
		for (final PoseMatch m : matches) {
			final long[] position = m.position().clone();
			final double[] subpixel = m.subpixel().clone();
			for (int d = 0; d < position.length && settings.inside() != null; d++) {
				position[d] += settings.inside().min(d);
				subpixel[d] += settings.inside().min(d);
			}
			final PoseMatch inFrame = m.at(position, subpixel);
			placed.add(background == null ? inFrame : inFrame.rated(minScore, background));
		}
		return placed;
	}

	/** The least minimum score of all frames. */
	public double leastScore() {
		return least;
	}

	public PoseReport plan() {
		final Cost cost = ranking().best().orElseThrow().plan().cost();
		return new PoseReport(plan.set().poses().size(), plan.lines(), parts, plan.set().bytes() + cost.hostBytes() + cost.deviceBytes(),
			Optional.of(ranking()));
	}

	public Report each(final Iterable<? extends RandomAccessibleInterval<?>> stream, final FrameConsumer<? super PosesFound> consumer) {
		Report all = Report.NONE;
		long index = 0;
		for (final RandomAccessibleInterval<?> frame : stream) {
			monitor.requireNotCanceled();
			final double start = seconds();
			if (frame.numDimensions() != dimensions()) throw new IllegalArgumentException("frame " + (index + 1) + " has "
				+ frame.numDimensions() + " dimensions, the template has "
				+ dimensions() + ": pass frames of " + dimensions() + " dimensions");
			final Report report = frame(frame);
			all = all.plus(report);
			final PosesFound found = new PosesFound(matches(), report, plan(), score, backgrounds(), maps(start), seconds() - start);
			try {
				consumer.accept(index, found);
			}
			catch (final IOException e) {
				throw new FrameException(index, " was computed, but its result could not be used: ", e);
			}
			index++;
		}
		return all;
	}

	/**
	 * Refuses maps of all frames that the heap cannot hold at once.
	 *
	 * @param frame a frame
	 */
	public void requireMapsFit(final RandomAccessibleInterval<?> frame) {
		final double bytes = BYTES_OF_MAPS * Size.of(size(frame)).pixels() * whole.templates().size() * frames,
			heap = Runtime.getRuntime().maxMemory();
		if (settings.maps() && bytes > SHARE_FOR_MAPS * heap)
			throw new IllegalArgumentException(String.format(Locale.ROOT, "the maps of %d %s take %.1f GB, and the "
			+ "Java heap has %.1f GB: search fewer frames at once, give Java more memory, or take the frames one by one (findEach in Java, ncc match --score-map)",
			frames, frames == 1 ? "frame" : "frames", 1e-9 * bytes, 1e-9 * heap));
	}

	/**
	 * The maps of the last frame, one for each template; none if the settings do not ask for them.
	 *
	 * @param start when the frame began, as {@link #seconds}
	 */
	public List<BestPoses> maps(final double start) {
		final List<BestPoses> maps = new ArrayList<>();
		for (int t = 0; settings.maps() && t < plan.set().templates().size(); t++) maps.add(best(t, start));
		return maps;
	}

	/**
	 * The map of a template in the last frame.
	 *
	 * @param start when the frame began, as {@link #seconds}
	 */
	public BestPoses best(final int template, final double start) {
		final long[][] positions = found.positions();
		final boolean small = Size.of(positions[1]).pixels() <= Integer.MAX_VALUE - 8;
		final Img<FloatType> score = small ? undefined(positions[1]) : new CellImgFactory<>(new FloatType(), 256).create(positions[1]);
		final Img<IntType> pose = small ? ArrayImgs.ints(positions[1]) : new CellImgFactory<>(new IntType(), 256).create(positions[1]);
		if (!small) LoopBuilder.setImages(score).forEachPixel(p -> p.set(Float.NaN));
		final RandomAccess<FloatType> s = score.randomAccess();
		final RandomAccess<IntType> p = pose.randomAccess();
		found.forEach(template, (position, value, number) -> {
			for (int d = 0; d < position.length; d++) position[d] -= positions[0][d];
			s.setPositionAndGet(position).set((float) value);
			p.setPositionAndGet(position).set(number + 1);
		});
		final List<Pose> poses = plan.set().poses().subList(0, plan.set().poses().size() / plan.set().templates().size());
		final long[] origin = positions[0];
		if (settings.inside() != null) for (int d = 0; d < origin.length; d++) origin[d] += settings.inside().min(d);
		return new BestPoses(score, pose, origin, List.copyOf(poses), plan.lines(), seconds() - start);
	}

	/** NaN everywhere; an array is filled faster than an image. */
	private static Img<FloatType> undefined(final long[] size) {
		final float[] values = new float[(int) Size.of(size).pixels()];
		Arrays.fill(values, Float.NaN);
		return ArrayImgs.floats(values, size);
	}

	private void closeSearch() {
		if (search != null) search.close();
		search = null;
	}

	@Override
	public void close() {
		closeSearch();
		threads.close();
	}
}
