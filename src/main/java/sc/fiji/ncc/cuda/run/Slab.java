package sc.fiji.ncc.cuda.run;

import java.util.ArrayList;
import java.util.List;

/**
 * Lags that one thread computes at once.
 *
 * @param min the first lag, relative to the submission's first lag
 * @param size the number of lags along each dimension
 */
record Slab(long[] min, int[] size) {

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
