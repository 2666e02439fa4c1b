package sc.fiji.ncc.motion;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.motion.WindowSearch.Pair;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;

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
	/** The extents of boxes, the largest first. */
	private static final int[] BOXES = { 4, 2, 1 };
	/** The smallest extent of a window in boxes. */
	private static final int WINDOW = 16;
	/** The extent of the boxes in which the large windows are searched. */
	private static final int SEARCHED = 8;
	/** The number of corrections for what windows measure of a field. */
	private static final int MEANS = 2;
	/** The weight of the smoothness of the search and of the passes in boxes, for windows half a window apart. */
	private static final double SMOOTHNESS = 0.1, COARSE = 0.01;

	/** The error of a vector besides its standard deviation, from interpolation, in pixels. */
	private static final double BIAS = 0.01;
	/** The smallest share of a window that lies in the frame: windows in the corners have a quarter. */
	private static final double OVERLAP = 0.2;

	/** The least score in standard deviations of the scores of white noise in half a window, and its largest value. */
	private static final double CERTAIN = 6, MOST_SCORE = 0.8;

	private final MissingPixels missing;
	private final MotionSettings.Validation validation;
	/** The grid of the frame with the pixels around it. */
	private final WindowGrid grid;
	/** The first pixel of this in pixels of the frame. */
	private final long[] min;
	private final int[] size;
	private final Parallel parallel;
	/** One for each extent of boxes, and the steps, the validation and the smoothing of its windows. */
	private final List<FrameLevel> levels = new ArrayList<>();
	private final List<WindowSteps> steps = new ArrayList<>();
	private final List<FieldValidation> validations = new ArrayList<>();
	private final List<FieldSmoothing> smoothings = new ArrayList<>();
	/** A deformed frame of each level. */
	private final float[][] deformed = new float[BOXES.length][];
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
	public DeformationFit(final Size window, final MissingPixels missing, final ComputeOptions options, final Size frame, final long pairs) {
		this.missing = missing;
		final MotionSettings.Validation usual = MotionSettings.Validation.DEFAULT;
		validation = Components.with(usual, MotionSettings.Validation::minScore, Math.min(MOST_SCORE,
			Math.max(usual.minScore(), CERTAIN / Math.sqrt(0.5 * window.pixels()))));
		final MotionSettings settings = Components.with(MotionSettings.of(window), MotionSettings::minOverlap, OVERLAP);
		size = frame.toIntArray();
		grid = around(new WindowGrid(frame, window, settings.spacing()));
		min = new long[frame.dimensions()];
		for (int d = 0; d < min.length; d++) min[d] = -beside(grid, d);
		parallel = new Parallel(options.threads());
		for (final int box : BOXES) {
			final FrameLevel level = new FrameLevel(grid, min, box, WINDOW, parallel);
			if (!levels.isEmpty() && levels.get(levels.size() - 1).isWhole()) break;
			levels.add(level);
			steps.add(new WindowSteps(level.grid(), OVERLAP, parallel));
			validations.add(new FieldValidation(level.grid(), validation, parallel));
			smoothings.add(new FieldSmoothing(level.grid().count(), parallel));
		}
		searched = new FrameLevel(grid, min, SEARCHED, WINDOW / 2, parallel);
		final long[] shift = settings.maxShift();
		for (int d = 0; d < shift.length; d++) shift[d] = (shift[d] + searched.box()[d] - 1) / searched.box()[d];
		search = new WindowSearch(searched.grid().coarse(), null, shift, PixelType.F32, true, settings, options, pairs);
	}

	/**
	 * The extents of the boxes in which the windows of the first passes measure: the start of a fit may be wrong by a box.
	 *
	 * @param window the size of a window
	 * @param frame the extents of the frames, or of a part of them
	 */
	public static int[] boxes(final Size window, final long[] frame) {
		final int[] boxes = new int[frame.length];
		for (int d = 0; d < boxes.length; d++) boxes[d] = FrameLevel.box(Math.min(window.get(d), frame[d]), BOXES[0], WINDOW);
		return boxes;
	}

	/** Windows whose outermost centres lie at or beyond the border of the frame. */
	private static WindowGrid around(final WindowGrid inside) {
		final long[] size = inside.frame().toArray();
		for (int d = 0; d < size.length; d++) {
			final long window = inside.window().get(d), spacing = inside.spacing().get(d), span = size[d] + 2 * beside(inside, d) - window;
			size[d] = window + (span + spacing - 1) / spacing * spacing;
		}
		return new WindowGrid(Size.of(size), inside.window(), inside.spacing());
	}

	/** The pixels before the first one of a frame. */
	private static long beside(final WindowGrid grid, final int d) {
		return grid.window().get(d) / 2;
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
		for (int d = 0; d < origin.length; d++) origin[d] += min[d];
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
		final FrameLevel whole = levels.get(levels.size() - 1);
		return ArrayImgs.floats(whole.by(whole.frame(values(frame, index), size), motion, null), grid.frame().toArray());
	}

	private float[] values(final RandomAccessibleInterval<?> frame, final long index) {
		return FrameSpline.values(missing.in(frame, index), parallel);
	}

	/** Values times a power of two, between -2 and 2, in place: the products of four values are floats then, and correlations stay as they are. */
	private static float[] scaled(final float[] values) {
		float most = 0;
		for (final float v : values) if (Math.abs(v) > most) most = Math.abs(v);
		final float scale = Math.scalb(1f, -Math.getExponent(most));
		for (int i = 0; i < values.length; i++) values[i] *= scale;
		return values;
	}

	/** The values of a frame at each level, and last those that are searched. */
	private List<float[]> means(final float[] whole, final int[] extents) {
		final float[][] means = new float[levels.size() + 1][];
		float[] finer = whole;
		int[] box = new int[extents.length];
		Arrays.fill(box, 1);
		for (int l = levels.size() - 1; l >= -1; l--) {
			final FrameLevel level = l < 0 ? searched : levels.get(l);
			if (l != levels.size() - 1) finer = level.means(finer, extents, box);
			means[l < 0 ? levels.size() : l] = finer;
			box = level.box();
		}
		return Arrays.asList(means);
	}

	/** What frames are compared with. */
	public final class Reference {

		/** That of each level, and the values that are searched. */
		private final List<WindowSteps.Reference> levels = new ArrayList<>();
		private final float[] coarse;

		/**
		 * @param frame floats, NaN for missing pixels, as of {@link #corrected}, or a mean of these
		 * @param several whether several frames are compared with it
		 */
		public Reference(final RandomAccessibleInterval<?> frame, final boolean several) {
			final float[] whole = scaled(FrameSpline.values(MotionRun.OUTSIDE.in(frame, 0), parallel));
			final List<float[]> values = means(whole, grid.frame().toIntArray());
			for (int l = 0; l < steps.size(); l++) levels.add(steps.get(l).reference(values.get(l), several || l < steps.size() - 1));
			coarse = values.get(steps.size());
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
	public Fitted fit(final Reference reference, final RandomAccessibleInterval<?> frame, final long index, final double[][] start, final boolean coarse) {
		final float[] whole = scaled(values(frame, index));
		final List<float[]> values = coarse ? means(whole, size) : Collections.nCopies(levels.size(), whole);
		double[][] motion = start;
		if (coarse) motion = sum(motion, searched.windows(search.grid(), FieldPass.smooth(search.grid(), searched(reference.coarse,
			searched.by(searched.frame(values.get(levels.size()), size), motion, null)), SMOOTHNESS, parallel)));
		List<MotionVector> vectors = List.of();
		for (int l = coarse ? 0 : levels.size() - 1; l < levels.size(); l++) {
			final FrameLevel level = levels.get(l);
			final boolean last = l == levels.size() - 1;
			final DeformedFrame moving = level.frame(values.get(l), size);
			if (deformed[l] == null) deformed[l] = new float[Math.toIntExact(level.grid().frame().pixels())];
			// small windows have fewer levels, and more passes in the last one
			final int more = last ? 2 * (BOXES.length - levels.size()) : 0, passes = PASSES[last ? PASSES.length - 1 : l] + more;
			for (int p = 0; p < passes; p++) {
				// what the first passes measure is still a change of the motion
				final boolean refined = last && p >= more;
				final double[][] before = motion;
				final WindowSteps.Steps measured = steps.get(l).measure(reference.levels.get(l), level.by(moving, motion, deformed[l]), !refined);
				vectors = validations.get(l).validated(measured.vectors(), false, i -> null);
				motion = smooth(l, motion, vectors, measured, refined);
				if (last == refined && change(before, motion) < SETTLED * level.box()[0]) break;
			}
		}
		final double[] scores = vectors.stream().filter(MotionVector::isValid).mapToDouble(MotionVector::score).sorted().toArray();
		// windows overlap, so an object is in several of them
		if (scores.length < Math.min(1 << motion.length, vectors.size())) return null;
		final double squares = vectors.stream().filter(MotionVector::isValid).mapToDouble(v -> v.speed() * v.speed()).sum();
		return new Fitted(motion, scores[scores.length / 2], scores.length / (double) vectors.size(), Math.sqrt(squares / scores.length));
	}

	private List<MotionVector> searched(final float[] fixed, final float[] moving) {
		final long[] extents = search.grid().frame().toArray();
		final Pair pair = new Pair(MotionRun.OUTSIDE.in(ArrayImgs.floats(fixed, extents), 0), MotionRun.OUTSIDE.in(ArrayImgs.floats(moving, extents), 0), null);
		return FieldPass.vectors(search, pair, null, validation, true, parallel);
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
		final double[] weights = refined ? FieldSmoothing.weights(variances) : vectors.stream().mapToDouble(v -> v.isValid() ? 1 : 0).toArray();
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
		try (parallel; search) {
			// each is closed, also if another one fails
		}
	}
}
