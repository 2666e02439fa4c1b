package sc.fiji.ncc.plan.deform;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Size;

/**
 * Boxes of pixels, and windows over these. Large motions and coarse fields need no small pixels, and a level of boxes of 4x4 pixels takes a
 * 16th of the time. Boxes of a frame begin at its first pixel, and those of the area of all windows at its own.
 */
public final class Level {

	/** The extents of boxes, the largest first, and of those in which the motion is searched. */
	private static final int[] BOXES = { 4, 2, 1 };
	private static final int SEARCHED = 8;
	/** The smallest extent of a window in boxes. */
	private static final int WINDOW = 16;

	private final Deformations problem;
	private final int n;
	private final int[] box;

	/** @param least the smallest extent of a window in boxes; boxes are smaller than {@code most} where windows would be smaller */
	private Level(final Deformations problem, final int most, final int least) {
		this.problem = problem;
		n = problem.frame().dimensions();
		box = new int[n];
		for (int d = 0; d < n; d++) {
			box[d] = most;
			while (box[d] > 1 && problem.window().get(d) < (long) least * box[d]) box[d] /= 2;
		}
	}

	/** The levels at which windows measure, from large boxes to pixels, and last the one that is searched. */
	public static List<Level> of(final Deformations problem) {
		final List<Level> levels = new ArrayList<>();
		for (final int box : BOXES) {
			if (!levels.isEmpty() && levels.get(levels.size() - 1).isWhole()) break;
			levels.add(new Level(problem, box, WINDOW));
		}
		levels.add(new Level(problem, SEARCHED, WINDOW / 2));
		return levels;
	}

	/** The extents of a box in pixels. */
	public int[] box() {
		return box.clone();
	}

	/** Whether boxes are pixels. */
	public boolean isWhole() {
		return Arrays.stream(box).allMatch(b -> b == 1);
	}

	/** The extents of a frame in boxes; the rest at its end is left out. */
	public int[] frame() {
		return divided(problem.frame()).toIntArray();
	}

	/** The extents of the area of the windows in boxes. */
	public Size area() {
		return divided(problem.area());
	}

	/** The extents of a window in boxes. */
	public Size window() {
		return divided(problem.window());
	}

	/** The distance of windows in boxes. */
	public Size spacing() {
		return divided(problem.spacing());
	}

	private Size divided(final Size size) {
		final long[] divided = size.toArray();
		for (int d = 0; d < n; d++) divided[d] = Math.max(1, divided[d] / box[d]);
		return Size.of(divided);
	}

	/** Where cells begin along a dimension, and the end of the last one: the area is cut where windows begin or end. */
	public int[] cuts(final int d) {
		final int window = (int) window().get(d), spacing = (int) spacing().get(d);
		return cuts(window, spacing, (int) ((area().get(d) - window) / spacing + 1));
	}

	/** The cuts along a line of windows. */
	public static int[] cuts(final int window, final int spacing, final int count) {
		return IntStream.range(0, count).flatMap(i -> IntStream.of(i * spacing, i * spacing + window)).sorted().distinct().toArray();
	}

	/** The cuts along all dimensions. */
	public int[][] cuts() {
		return IntStream.range(0, n).mapToObj(this::cuts).toArray(int[][]::new);
	}

	/** The number of windows of the problem along each dimension, which a motion has a vector for. */
	public int[] count() {
		final int[] count = new int[n];
		for (int d = 0; d < n; d++)
			count[d] = Math.toIntExact((problem.area().get(d) - problem.window().get(d)) / problem.spacing().get(d) + 1);
		return count;
	}

	/** The place of the first one of these in the area, in boxes. */
	public double[] origin() {
		final double[] origin = new double[n];
		for (int d = 0; d < n; d++) origin[d] = (0.5 * (problem.window().get(d) - 1) - 0.5 * (box[d] - 1)) / box[d];
		return origin;
	}

	/** Their distances in boxes. */
	public double[] distances() {
		final double[] distances = new double[n];
		for (int d = 0; d < n; d++) distances[d] = problem.spacing().get(d) / (double) box[d];
		return distances;
	}

	/**
	 * A motion in boxes, from the place of a box in the area to its place in the frame.
	 *
	 * @param motion in pixels of the frame, for each dimension a value for each window
	 */
	public double[][] inFrame(final double[][] motion) {
		final double[][] scaled = new double[n][];
		for (int d = 0; d < n; d++) {
			final int b = box[d];
			final double start = -problem.beside(d) / (double) b;
			scaled[d] = Arrays.stream(motion[d]).map(u -> u / b + start).toArray();
		}
		return scaled;
	}
}
