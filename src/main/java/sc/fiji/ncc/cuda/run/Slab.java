package sc.fiji.ncc.cuda.run;

import java.util.ArrayList;
import java.util.List;

import sc.fiji.ncc.plan.Size;

/**
 * Lags that one thread computes at once.
 *
 * @param min the first lag, relative to the submission's first lag
 * @param size the number of lags along each dimension
 */
record Slab(long[] min, int[] size) {

	/** The maximum number of rows and of planes of lags. Blocks have at least 4 rows, and transforms more planes than that. */
	private static final int MAX_ROWS = 1 << 17, MAX_PLANES = 1 << 15;

	/**
	 * The extents of slabs: whole rows and planes if possible, because these are contiguous.
	 *
	 * @param target the approximate number of lags of a slab
	 * @param maxLags the maximum number of lags of a slab; a slab has at least one
	 */
	static int[] step(final int[] lags, final long target, final long maxLags) {
		final int[] step = lags.clone();
		for (int d = step.length - 1; d >= 0; d--) {
			long row = 1;
			for (int k = 0; k < d; k++) row *= step[k];
			final long fits = Math.max(1, maxLags / row);
			final long parts = Math.min(step[d], Math.max((row * step[d] + target - 1) / target, (step[d] + fits - 1) / fits));
			step[d] = (int) ((step[d] + parts - 1) / parts);
			// slightly larger slabs cost less than divided rows
			if (step[d] > 1) break;
		}
		return step;
	}

	/**
	 * The same within the limits of the GPU: a launch counts blocks along y and z in 16 bits.
	 *
	 * @param maxPixels the maximum number of pixels that the windows of a slab cover; a slab has at least one lag
	 */
	static int[] step(final int[] lags, final long target, final long maxLags, final List<Size> templates, final long maxPixels) {
		for (long most = maxLags;;) {
			final int[] step = step(lags, target, most);
			if (step.length > 1) step[1] = evenly(lags[1], Math.min(step[1], MAX_ROWS));
			if (step.length > 2) step[2] = evenly(lags[2], Math.min(step[2], MAX_PLANES));
			long n = 1;
			for (final int s : step) n *= s;
			if (n == 1 || templates.stream().allMatch(t -> pixels(step, t) <= maxPixels)) return step;
			most = n / 2;
		}
	}

	/** The extent of equal parts of at most {@code most} lags. */
	private static int evenly(final int lags, final int most) {
		final int parts = (lags + most - 1) / most;
		return (lags + parts - 1) / parts;
	}

	/** The number of pixels that the windows of so many lags cover. */
	private static double pixels(final int[] step, final Size template) {
		double n = 1;
		for (int d = 0; d < step.length; d++) n *= step[d] + template.get(d) - 1.0;
		return n;
	}

	/** Divides a box of lags into slabs of at most these extents. */
	static List<Slab> all(final int[] lags, final int[] step) {
		final List<Slab> list = new ArrayList<>();
		final long[] min = new long[step.length];
		for (int d = 0; d < step.length;) {
			final int[] size = new int[step.length];
			for (int k = 0; k < step.length; k++) size[k] = (int) Math.min(step[k], lags[k] - min[k]);
			list.add(new Slab(min.clone(), size));
			for (d = 0; d < step.length && (min[d] += step[d]) >= lags[d]; d++) min[d] = 0;
		}
		return list;
	}
}
