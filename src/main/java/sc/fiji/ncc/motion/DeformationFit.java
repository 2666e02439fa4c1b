package sc.fiji.ncc.motion;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.BoxMeans;
import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.motion.WindowSearch.Pair;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.DeformExecution;
import sc.fiji.ncc.plan.deform.DeformPlan;
import sc.fiji.ncc.plan.deform.DeformReference;
import sc.fiji.ncc.plan.deform.Level;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.run.Failover;

/**
 * Fits smooth deformations: fields u of a frame f and a reference r with {@code f(x + u(x))} like {@code r(x)}. u is a cubic B-spline through vectors
 * at the centres of windows. Each pass deforms the frame by u, measures what remains in all windows, and adds the smooth field through it: least
 * squares over the valid vectors, with weights from their covariances and a penalty on the curvature, which fills windows without a vector. The
 * penalty is as large as the covariances allow.
 * <p>
 * The first pass searches windows of twice the size and distance in frames of large boxes of pixels. The others need no search ({@link WindowSteps}):
 * all but the last one take quick steps, most of them in boxes; the last one takes an exact step in pixels.
 */
public final class DeformationFit implements AutoCloseable {

	/** The largest number of passes in each level, and the change of the motion in boxes below which the level ends. */
	private static final int[] PASSES = { 3, 3, 1 };
	private static final double SETTLED = 0.1;
	/** The largest number of levels. */
	private static final int LEVELS = PASSES.length;
	/** The number of corrections for what windows measure of a field. */
	private static final int MEANS = 2;
	/** The weight of the smoothness of the search and of the passes in boxes, for windows half a window apart. */
	private static final double SMOOTHNESS = 0.1, COARSE = 0.01;

	/** The error of a vector besides its standard deviation, from interpolation, in pixels. */
	private static final double BIAS = 0.01;
	/** The smallest share of a window that lies in the frame: windows in the corners have a quarter. */
	private static final double OVERLAP = 0.2;

	/** The minimum score in standard deviations of the scores of white noise in half a window, and its largest value. */
	private static final double CERTAIN = 6, MOST_SCORE = 0.8;

	private final MissingPixels missing;
	private final MotionSettings.Validation validation;
	/** The grid of the frame with the pixels around it. */
	private final WindowGrid grid;
	private final Deformations problem;
	private final Parallel parallel;
	/** One for each extent of boxes, and the steps, the validation and the smoothing of its windows. */
	private final List<FrameLevel> levels = new ArrayList<>();
	private final List<WindowSteps> steps = new ArrayList<>();
	private final List<FieldValidation> validations = new ArrayList<>();
	private final List<FieldSmoothing> smoothings = new ArrayList<>();
	private final Failover<DeformExecution> frames;
	private final FrameLevel searched;
	private final WindowSearch search;

	/**
	 * @param window the size of a window
	 * @param missing which pixels of the frames are missing
	 * @param options how responses are computed; with a planner
	 * @param frame the size of a frame
	 * @param pairs the number of fits
	 * @throws IllegalArgumentException if a window is larger than a frame
	 */
	public DeformationFit(final Size window, final MissingPixels missing, final ComputeOptions options, final Size frame,
		final long pairs) {
		this.missing = missing;
		final MotionSettings.Validation usual = MotionSettings.Validation.DEFAULT;
		validation = Components.with(usual, MotionSettings.Validation::minScore, Math.min(MOST_SCORE,
			Math.max(usual.minScore(), CERTAIN / Math.sqrt(0.5 * window.pixels()))));
		problem = new Deformations(frame, window, pairs);
		grid = new WindowGrid(problem.area(), window, problem.spacing());
		final Ranking ranking = rank(problem, options);
		parallel = new Parallel(options.threads());
		final List<Level> all = Level.of(problem);
		for (final Level l : all.subList(0, all.size() - 1)) {
			final FrameLevel level = new FrameLevel(grid, l);
			levels.add(level);
			steps.add(new WindowSteps(level.grid(), l.cuts(), OVERLAP, parallel));
			validations.add(new FieldValidation(level.grid(), validation, parallel));
			smoothings.add(new FieldSmoothing(level.grid().count(), parallel));
		}
		searched = new FrameLevel(grid, all.get(levels.size()));
		search = search(problem, searched, options);
		frames = new Failover<>(ranking, DeformPlan.class, p -> p.prepare(options.threads()));
	}

	private static WindowSearch search(final Deformations problem, final FrameLevel searched, final ComputeOptions options) {
		final MotionSettings settings = Components.with(MotionSettings.of(problem.window()), MotionSettings::minOverlap, OVERLAP);
		final long[] shift = settings.maxShift();
		for (int d = 0; d < shift.length; d++) shift[d] = (shift[d] + searched.box()[d] - 1) / searched.box()[d];
		return new WindowSearch(searched.grid().coarse(), null, shift, PixelType.F32, true, settings, options, problem.frames());
	}

	/** The candidates for the deformations, and for the search before them: a fit has an execution of each. */
	public static List<Ranking> rankings(final Deformations problem, final ComputeOptions options) {
		final List<Level> all = Level.of(problem);
		final FrameLevel searched = new FrameLevel(new WindowGrid(problem.area(), problem.window(), problem.spacing()),
			all.get(all.size() - 1));
		return List.of(rank(problem, options), search(problem, searched, options).ranking());
	}

	/** Ranks what can measure deformations. If no algorithm of the selected backend can, as for volumes on a GPU, the CPU does. */
	public static Ranking rank(final Deformations problem, final ComputeOptions options) {
		final boolean can = options.backend().isEmpty()
			|| options.planner().orElseThrow().seconds(problem, options.backend(), options.algorithm(),
			a -> true) < Double.POSITIVE_INFINITY;
		return (can ? options : options.backend("cpu")).rank(problem);
	}

	/**
	 * The extents of the boxes in which the windows of the first passes measure: the start of a fit may be wrong by a box.
	 *
	 * @param window the size of a window
	 * @param frame the extents of the frames, or of a part of them
	 */
	public static int[] boxes(final Size window, final long[] frame) {
		final long[] inside = window.toArray();
		for (int d = 0; d < inside.length; d++) inside[d] = Math.min(inside[d], frame[d]);
		return Level.of(new Deformations(Size.of(frame), Size.of(inside), 1)).get(0).box();
	}

	/** The extents of corrected frames along x, y and z, with the pixels around them. */
	public int[] extents() {
		return new int[] { (int) grid.frame().get(0), (int) grid.frame().get(1), (int) grid.frame().get(2) };
	}

	/** The number of windows. */
	public int windows() {
		return grid.windows();
	}

	/** The number of windows along each dimension. */
	public int[] count() {
		return grid.count();
	}

	/** The centre of the first window in pixels of a frame. */
	public double[] origin() {
		final double[] origin = grid.origin();
		for (int d = 0; d < origin.length; d++) origin[d] -= problem.beside(d);
		return origin;
	}

	/** The distance of neighbouring windows along each dimension. */
	public double[] spacing() {
		return grid.distances();
	}

	/**
	 * A frame with a deformation.
	 *
	 * @param motion the components of a vector for each window, in pixels
	 * @return floats without the mean of the frame, with pixels around the frame; NaN where the frame has no pixel
	 */
	public RandomAccessibleInterval<?> corrected(final RandomAccessibleInterval<?> frame, final long index, final double[][] motion) {
		final float[] deformed = frames.repeat(Monitor.NONE, (execution, m) -> {
			execution.frame(FrameSpline.values(missing.in(frame, index), parallel), false);
			return execution.deformed(levels.size() - 1, motion);
		});
		return ArrayImgs.floats(deformed, grid.frame().toArray());
	}

	/** Values times a power of two, between -2 and 2, in place: the products of four values are floats then, and correlations stay as they are. */
	private static float[] scaled(final float[] values) {
		// several maxima, which do not wait for each other; a missing pixel is no maximum
		float a = 0, b = 0, c = 0, d = 0;
		int i = 0;
		for (; i + 3 < values.length; i += 4) {
			final float p = Math.abs(values[i]), q = Math.abs(values[i + 1]), r = Math.abs(values[i + 2]), s = Math.abs(values[i + 3]);
			a = p > a ? p : a;
			b = q > b ? q : b;
			c = r > c ? r : c;
			d = s > d ? s : d;
		}
		for (; i < values.length; i++) a = Math.abs(values[i]) > a ? Math.abs(values[i]) : a;
		final float most = Math.max(Math.max(a, b), Math.max(c, d)), scale = Math.scalb(1f, -Math.getExponent(most));
		for (int k = 0; k < values.length; k++) values[k] *= scale;
		return values;
	}

	/** What frames are compared with. */
	public final class Reference {

		private final DeformReference levels;

		/**
		 * @param frame floats, NaN for missing pixels, as of {@link #corrected}, or a mean of these
		 * @param several whether several frames are compared with it
		 */
		public Reference(final RandomAccessibleInterval<?> frame, final boolean several) {
			final List<Level> all = Level.of(problem);
			final int last = all.size() - 2;
			final float[][] values = new float[all.size()][];
			values[last] = scaled(FrameSpline.values(MotionRun.OUTSIDE.in(frame, 0), parallel));
			for (int l = last - 1; l >= 0; l--) values[l] = means(values[l + 1], all.get(l + 1), all.get(l));
			values[last + 1] = means(values[0], all.get(0), all.get(last + 1));
			levels = new DeformReference(values, several);
		}

		private float[] means(final float[] finer, final Level from, final Level to) {
			final int[] ratio = to.box(), before = from.box();
			for (int d = 0; d < ratio.length; d++) ratio[d] /= before[d];
			return BoxMeans.of(finer, BoxMeans.extents(grid.frame().toIntArray(), before), ratio, parallel);
		}
	}

	/**
	 * A fitted deformation.
	 *
	 * @param motion the components of a vector for each window, in pixels
	 * @param score the median score of the valid windows of the last pass
	 * @param valid the share of valid windows
	 * @param residual the root mean square of what the windows of the last pass measured: the length of a vector in pixels
	 */
	public record Fitted(double[][] motion, double score, double valid, double residual) implements Serializable {}

	/**
	 * Fits the deformation of a frame.
	 *
	 * @param index the index of the frame, for its mask
	 * @param start where to begin: the components of a vector for each window
	 * @param coarse whether to begin with a search
	 * @return null if the last pass has fewer valid vectors than windows see an object: 4 in planes, 8 in volumes
	 */
	public Fitted fit(final Reference reference, final RandomAccessibleInterval<?> frame, final long index, final double[][] start,
		final boolean coarse) {
		return frames.repeat(Monitor.NONE, (execution, m) -> {
			final ImagePixels pixels = missing.in(frame, index);
			final float[] values = FrameSpline.values(pixels, parallel);
			// products of four values of 16 bits are floats
			execution.frame(pixels.type().exact() ? values : scaled(values), coarse);
			return fit(execution, reference.levels, start, coarse);
		});
	}

	private Fitted fit(final DeformExecution frame, final DeformReference reference, final double[][] start, final boolean coarse) {
		double[][] motion = start;
		if (coarse) motion = sum(motion, searched.windows(search.grid(),
			FieldPass.smooth(search.grid(), searched(reference.values(levels.size()),
			frame.deformed(levels.size(), motion)), SMOOTHNESS, parallel)));
		List<MotionVector> vectors = List.of();
		for (int l = coarse ? 0 : levels.size() - 1; l < levels.size(); l++) {
			final FrameLevel level = levels.get(l);
			final boolean last = l == levels.size() - 1;
			// small windows have fewer levels, and more passes in the last one
			final int more = last ? 2 * (LEVELS - levels.size()) : 0, passes = PASSES[last ? PASSES.length - 1 : l] + more;
			for (int p = 0; p < passes; p++) {
				// what the first passes measure is still a change of the motion
				final boolean refined = last && p >= more;
				final double[][] before = motion;
				final WindowSteps.Steps measured = steps.get(l).measured(frame.sums(l, reference, motion, refined), !refined);
				vectors = validations.get(l).validated(measured.vectors(), false, i -> null);
				motion = smooth(l, motion, vectors, measured, refined);
				if (last == refined && change(before, motion) < SETTLED * level.box()[0]) break;
			}
		}
		final double[] scores = vectors.stream().filter(MotionVector::isValid).mapToDouble(MotionVector::score).sorted().toArray();
		// windows overlap, so an object is in several of them
		if (scores.length < 1 << motion.length) return null;
		final double squares = vectors.stream().filter(MotionVector::isValid).mapToDouble(v -> v.speed() * v.speed()).sum();
		return new Fitted(motion, scores[scores.length / 2], scores.length / (double) vectors.size(), Math.sqrt(squares / scores.length));
	}

	private List<MotionVector> searched(final float[] fixed, final float[] moving) {
		final long[] extents = search.grid().frame().toArray();
		final Pair pair = new Pair(MotionRun.OUTSIDE.in(ArrayImgs.floats(fixed, extents), 0),
			MotionRun.OUTSIDE.in(ArrayImgs.floats(moving, extents), 0), null);
		return FieldPass.of(search.in(pair), null, validation, true, parallel).vectors();
	}

	/**
	 * The motion with what was measured on top, as smooth as the errors of the vectors allow. Windows measure the mean of the field over their texture,
	 * which lies on one side at the border of the frame. So the field is the one whose means are those that were measured.
	 */
	private double[][] smooth(final int l, final double[][] motion, final List<MotionVector> vectors, final WindowSteps.Steps measured,
		final boolean refined)
	{
		if (vectors.stream().noneMatch(MotionVector::isValid)) return motion;
		final FrameLevel level = levels.get(l);
		final WindowGrid windows = level.grid();
		final int n = motion.length;
		final double[][] before = level.at(motion), step = FieldPass.components(vectors);
		final FieldSmoothing smoothing = smoothings.get(l);
		final double[][] values = sum(before, step), variances = variances(vectors);
		// windows do not see waves that are shorter than they are, so the errors are those of what they see
		final double parameter = refined ? smoothing.within(sum(step, measured.seen(windows.spline(before))), variances) : COARSE;
		final double[] weights = refined ? FieldSmoothing.weights(variances)
			: vectors.stream().mapToDouble(v -> v.isValid() ? 1 : 0).toArray();
		final FieldSmoothing.Smoother smoother = smoothing.smoother(weights, parameter);
		double[][] field = smoother.smooth(values, values);
		for (int k = 0; k < MEANS; k++) {
			final double[][] added = new double[n][vectors.size()];
			for (int d = 0; d < n; d++) for (int i = 0; i < added[d].length; i++) added[d][i] = field[d][i] - before[d][i];
			final double[][] seen = measured.seen(windows.spline(added));
			for (int d = 0; d < n; d++)
				for (int i = 0; i < added[d].length; i++) values[d][i] = field[d][i] + (weights[i] > 0 ? step[d][i] - seen[d][i] : 0);
			field = smoother.smooth(values, field);
		}
		return level.windows(windows, field);
	}

	/** The variance of each component of each vector; NaN for those that are not valid. */
	private static double[][] variances(final List<MotionVector> vectors) {
		final double[][] variances = new double[vectors.get(0).motion().length][vectors.size()];
		for (int d = 0; d < variances.length; d++)
			for (int i = 0; i < vectors.size(); i++) {
				final MotionVector v = vectors.get(i);
				variances[d][i] = v.isValid() ? BIAS * BIAS + v.covariance()[d][d] : Double.NaN;
			}
		return variances;
	}

	/** The root mean square of the difference of two motions. */
	private static double change(final double[][] a, final double[][] b) {
		double sum = 0;
		for (int d = 0; d < a.length; d++) for (int i = 0; i < a[d].length; i++) sum += (a[d][i] - b[d][i]) * (a[d][i] - b[d][i]);
		return Math.sqrt(sum / a[0].length);
	}

	private static double[][] sum(final double[][] a, final double[][] b) {
		final double[][] sum = new double[a.length][];
		for (int d = 0; d < a.length; d++) {
			sum[d] = Arrays.copyOf(a[d], a[d].length);
			for (int i = 0; i < sum[d].length; i++) sum[d][i] += b[d][i];
		}
		return sum;
	}

	@Override
	public void close() {
		try (parallel; search; frames) {
			// each is closed, also if another one fails
		}
	}
}
