package sc.fiji.ncc.motion;

import java.util.Arrays;

import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.peaks.Neighbours;
import sc.fiji.ncc.plan.Size;

/**
 * The windows of a frame: of one size, on a regular grid that begins at the first pixel. Windows lie inside the frame.
 *
 * @param frame the extents of a frame
 * @param window the extents of a window
 * @param spacing the distance of the first pixels of neighbouring windows
 */
public record WindowGrid(Size frame, Size window, Size spacing) {

	/** @throws IllegalArgumentException if a window does not fit into the frame */
	public WindowGrid {
		for (int d = 0; d < frame.dimensions(); d++)
			if (window.get(d) > frame.get(d)) throw new IllegalArgumentException("the window of " + window
				+ " is larger than the frame of " + frame + ": choose a smaller window");
	}

	public int dimensions() {
		return frame.dimensions();
	}

	/** The number of windows along each dimension. */
	public int[] count() {
		final int[] count = new int[dimensions()];
		for (int d = 0; d < count.length; d++) count[d] = Math.toIntExact((frame.get(d) - window.get(d)) / spacing.get(d) + 1);
		return count;
	}

	/** The number of windows. */
	public int windows() {
		return Math.toIntExact(Size.of(Arrays.stream(count()).asLongStream().toArray()).pixels());
	}

	/** The indices of a window along each dimension. */
	public int[] place(final int window) {
		final int[] count = count(), place = new int[count.length];
		for (int d = 0, rest = window; d < place.length; rest /= count[d++]) place[d] = rest % count[d];
		return place;
	}

	/** The first pixel of a window. */
	public long[] first(final int window) {
		final int[] place = place(window);
		final long[] first = new long[place.length];
		for (int d = 0; d < first.length; d++) first[d] = place[d] * spacing.get(d);
		return first;
	}

	/** The centre of the first window, counted from 0, in pixels. */
	public double[] origin() {
		final double[] origin = new double[dimensions()];
		for (int d = 0; d < origin.length; d++) origin[d] = 0.5 * (window.get(d) - 1);
		return origin;
	}

	/** The centre of a window, counted from 0, in pixels. */
	public double[] centre(final int window) {
		final double[] centre = origin();
		final long[] first = first(window);
		for (int d = 0; d < centre.length; d++) centre[d] += first[d];
		return centre;
	}

	/** The centres of all windows. */
	double[][] centres() {
		final int[] count = count();
		final double[] origin = origin();
		final double[][] centres = new double[windows()][origin.length];
		for (int i = 0; i < centres.length; i++)
			for (int d = 0, rest = i; d < origin.length; rest /= count[d++]) centres[i][d] = origin[d] + rest % count[d] * spacing.get(d);
		return centres;
	}

	/** A grid of windows that are twice as large and twice as far apart, as far as they fit into the frame. */
	public WindowGrid coarse() {
		final long[] larger = new long[dimensions()], apart = new long[dimensions()];
		for (int d = 0; d < larger.length; d++) {
			larger[d] = Math.min(2 * window.get(d), frame.get(d));
			apart[d] = 2 * spacing.get(d);
		}
		return new WindowGrid(frame, Size.of(larger), Size.of(apart));
	}

	/**
	 * The spline through a vector at the centre of each window.
	 *
	 * @param components finite values of each component, one for each window
	 */
	GridSpline spline(final double[][] components) {
		return new GridSpline(count(), origin(), distances(), components);
	}

	/** The distance of neighbouring windows along each dimension. */
	public double[] distances() {
		return Arrays.stream(spacing.toArray()).asDoubleStream().toArray();
	}

	/** The windows beside a window, along the axes and diagonally. */
	public int[] neighbours(final int window) {
		final long[] count = Arrays.stream(count()).asLongStream().toArray();
		return Arrays.stream(new Neighbours(count).of(window)).mapToInt(Math::toIntExact).toArray();
	}
}
