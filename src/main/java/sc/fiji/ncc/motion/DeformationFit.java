package sc.fiji.ncc.motion;

import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.motion.WindowSearch.Pair;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Fits smooth deformations: fields u of a frame f and a reference r with {@code f(x + u(x))} like {@code r(x)}. u is a cubic B-spline through vectors at the centres of
 * windows. Each pass deforms the frame by u, measures what remains in all windows, and adds the smooth field through it: least squares over the valid vectors, with
 * weights from their covariances and a penalty on the curvature, which fills windows without a vector. The penalty is as large as the covariances allow. The first pass has
 * windows of twice the size and distance. The last one refines vectors on the pixels.
 */
public final class DeformationFit implements AutoCloseable {

	/** The largest number of passes with windows of the given size, and the change of the motion in pixels below which the next pass is the last one. */
	private static final int PASSES = 8;
	private static final double SETTLED = 0.03;
	/** The weight of the smoothness of the first pass, for windows half a window apart. */
	private static final double SMOOTHNESS = 0.1;

	/** The error of a vector besides its standard deviation, from interpolation; and the error of a vector without one. In pixels. */
	private static final double BIAS = 0.01, UNKNOWN = 0.05;
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
	private final Parallel parallel;
	private final WindowSearch first, later;

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
		validation = Components.with(usual, MotionSettings.Validation::minScore, Math.min(MOST_SCORE, Math.max(usual.minScore(), CERTAIN / Math.sqrt(0.5 * window.pixels()))));
		final MotionSettings settings = Components.with(MotionSettings.of(window), MotionSettings::minOverlap, OVERLAP);
		grid = around(new WindowGrid(frame, window, settings.spacing()));
		min = new long[frame.dimensions()];
		for (int d = 0; d < min.length; d++) min[d] = -beside(grid, d);
		final long[] shift = settings.maxShift();
		parallel = new Parallel(options.threads());
		first = new WindowSearch(grid.coarse(), shift, PixelType.F32, true, settings, options, pairs);
		later = new WindowSearch(grid, MotionRun.remaining(shift), PixelType.F32, true, settings, options, PASSES * pairs);
	}

	/** Windows whose outermost centres lie at or beyond the border of the frame. */
	private static WindowGrid around(final WindowGrid inside) {
		final long[] size = inside.frame().toArray();
		for (int d = 0; d < size.length; d++) {
			final long window = inside.window().get(d), spacing = inside.spacing().get(d), reach = size[d] + 2 * beside(inside, d) - window;
			size[d] = window + (reach + spacing - 1) / spacing * spacing;
		}
		return new WindowGrid(Size.of(size), inside.window(), inside.spacing());
	}

	/** The pixels before the first one of a frame. */
	private static long beside(final WindowGrid grid, final int d) {
		return grid.window().get(d) / 2;
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

	private GridSpline spline(final double[][] motion) {
		return new GridSpline(count(), origin(), spacing(), motion);
	}

	/**
	 * A frame with a deformation.
	 *
	 * @param motion the components of a vector for each window, in pixels
	 * @return floats without the mean of the frame, with pixels around the frame; NaN where the frame has no pixel
	 */
	public RandomAccessibleInterval<?> corrected(final RandomAccessibleInterval<?> frame, final long index, final double[][] motion) {
		return deformed(new DeformedFrame(spline(frame, index), parallel), motion);
	}

	private RandomAccessibleInterval<?> deformed(final DeformedFrame frame, final double[][] motion) {
		return frame.by(spline(motion), min, grid.frame().toIntArray());
	}

	private FrameSpline spline(final RandomAccessibleInterval<?> frame, final long index) {
		return new FrameSpline(missing.in(frame, index), parallel);
	}

	/** What frames are compared with. */
	public final class Reference {

		private final ImagePixels pixels;
		private final FrameSpline spline;

		/** @param frame floats, NaN for missing pixels, as of {@link #corrected}, or a mean of these */
		public Reference(final RandomAccessibleInterval<?> frame) {
			pixels = MotionRun.OUTSIDE.in(frame, 0);
			spline = new FrameSpline(pixels, parallel);
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
	public record Fitted(double[][] motion, double score, double valid, double residual) {}

	/**
	 * Fits the deformation of a frame.
	 *
	 * @param index the index of the frame, for its mask
	 * @param start where to begin: the components of a vector for each window
	 * @param coarse whether to begin with windows of twice the size
	 * @return null if the last pass has fewer valid vectors than windows see an object: 4 in planes, 8 in volumes
	 */
	public Fitted fit(final Reference reference, final RandomAccessibleInterval<?> frame, final long index, final double[][] start, final boolean coarse) {
		final DeformedFrame moving = new DeformedFrame(spline(frame, index), parallel);
		double[][] motion = start;
		if (coarse) {
			final GridSpline more = first.grid().spline(FieldPass.smooth(first.grid(), measured(first, reference, moving, motion, false), SMOOTHNESS, parallel));
			final double[][] added = new double[motion.length][grid.windows()];
			for (int i = 0; i < grid.windows(); i++) {
				final double[] at = more.at(grid.centre(i));
				for (int d = 0; d < at.length; d++) added[d][i] = at[d];
			}
			motion = sum(motion, added);
		}
		for (int p = 1; p < PASSES; p++) {
			final double[][] before = motion;
			motion = smooth(motion, measured(later, reference, moving, motion, false));
			if (change(before, motion) < SETTLED) break;
		}
		final List<MotionVector> vectors = measured(later, reference, moving, motion, true);
		final double[] scores = vectors.stream().filter(MotionVector::isValid).mapToDouble(MotionVector::score).sorted().toArray();
		// windows overlap, so an object is in several of them
		if (scores.length < Math.min(1 << motion.length, vectors.size())) return null;
		final double squares = vectors.stream().filter(MotionVector::isValid).mapToDouble(v -> v.speed() * v.speed()).sum();
		return new Fitted(smooth(motion, vectors), scores[scores.length / 2], scores.length / (double) vectors.size(), Math.sqrt(squares / scores.length));
	}

	private List<MotionVector> measured(final WindowSearch search, final Reference reference, final DeformedFrame moving, final double[][] motion, final boolean refined) {
		final ImagePixels deformed = MotionRun.OUTSIDE.in(deformed(moving, motion), 0);
		final Pair pair = new Pair(reference.pixels, deformed, refined ? reference.spline : null, refined ? new FrameSpline(deformed, parallel) : null);
		return FieldPass.vectors(search, pair, null, validation, true, parallel);
	}

	/** The motion with what was measured on top, as smooth as the errors of the vectors allow. */
	private double[][] smooth(final double[][] motion, final List<MotionVector> vectors) {
		if (vectors.stream().noneMatch(MotionVector::isValid)) return motion;
		final double[][] variances = new double[motion.length][vectors.size()];
		for (int d = 0; d < motion.length; d++)
			for (int i = 0; i < vectors.size(); i++) {
				final MotionVector v = vectors.get(i);
				variances[d][i] = !v.isValid() ? Double.NaN : v.covariance() == null ? UNKNOWN * UNKNOWN : BIAS * BIAS + v.covariance()[d][d];
			}
		return new FieldSmoothing(grid.count(), parallel).smoothWithin(sum(motion, FieldPass.components(vectors)), variances);
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
		try (parallel; later; first) {
			// each is closed, also if another one fails
		}
	}
}
