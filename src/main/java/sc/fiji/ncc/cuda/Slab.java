package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.List;

/**
 * Lags that one thread has done at once.
 *
 * @param min the first, counted from the submission's
 * @param size how many along each dimension
 */
record Slab(long[] min, int[] size) {

	/**
	 * The extents of slabs: whole rows and planes as far as possible, since those lie in one piece.
	 *
	 * @param wanted about how many lags a slab shall have
	 * @param most how many it may have, if not less than one
	 */
	static int[] step(final int[] lags, final long wanted, final long most) {
		final int[] step = lags.clone();
		for (int d = step.length - 1; d >= 0; d--) {
			long row = 1;
			for (int k = 0; k < d; k++) row *= step[k];
			final long fits = Math.max(1, most / row);
			final long parts = Math.min(step[d], Math.max((row * step[d] + wanted - 1) / wanted, (step[d] + fits - 1) / fits));
			step[d] = (int) ((step[d] + parts - 1) / parts);
			// a little more than wanted is nothing to cut rows for
			if (step[d] > 1) break;
		}
		return step;
	}

	/** All of a box of lags, cut so. */
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
