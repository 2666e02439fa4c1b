package sc.fiji.ncc.bounded;

import java.util.Arrays;

import sc.fiji.ncc.plan.bank.Bounds;

/**
 * Leaves out windows whose members cannot reach the minimum score: by the bounds of groups of members, the largest groups first, and then
 * by those of single members. The windows of one step are computed together; those that are left are collected for the next step. Only one
 * thread may use an object.
 */
final class BoundFilter {

	/** The number of windows that are computed together, and of members. */
	private static final int BATCH = 128, MEMBERS = 8;

	/** Receives the windows that are left. */
	@FunctionalInterface
	interface Receiver {

		/**
		 * @param members the members whose bound reaches the minimum score
		 * @param upper their bounds
		 * @param n the number of these members
		 */
		void take(int lag, int[] members, float[] upper, int n);
	}

	/** The windows of one step. */
	private static final class Windows {

		private int n;
		private final int[] lag = new int[BATCH];
		private final float[] outside = new float[BATCH];
		/** What a group must reach, level by level. */
		private final float[][] least;
		private final float[][] products;
		/** The greatest number of all groups, or bound of a few members. */
		private final float[] top = new float[BATCH];

		Windows(final int levels, final int size) {
			least = new float[levels][BATCH];
			products = new float[size][BATCH];
		}
	}

	private final Bounds bound;
	private final float[][] maps;
	private final Receiver receiver;
	/** The windows of each level, and those for single members. */
	private final Windows[] steps;
	private final double[] least;
	private final float[] sum = new float[BATCH];
	private final float[][] uppers = new float[MEMBERS][BATCH], bounds = new float[BATCH][MEMBERS];
	private final int[][] members = new int[BATCH][MEMBERS];
	private final int[] pairs = new int[BATCH];

	/** @param maps the products of each window with each vector */
	BoundFilter(final Bounds bound, final float[][] maps, final Receiver receiver) {
		this.bound = bound;
		this.maps = maps;
		this.receiver = receiver;
		least = new double[bound.levels.size()];
		steps = new Windows[least.length + 1];
		for (int l = 0; l < steps.length; l++) steps[l] = new Windows(least.length, maps.length);
	}

	/** Adds a window. */
	void add(final int lag, final float energy) {
		final Windows to = steps[0];
		final int w = to.n++;
		to.lag[w] = lag;
		to.outside[w] = bound.outside(energy);
		bound.groups(energy, to.outside[w], least);
		for (int l = 0; l < least.length; l++) to.least[l][w] = (float) least[l];
		if (to.n < BATCH) return;
		gather();
		flush(0);
	}

	/** Completes the windows that were added. */
	void end() {
		gather();
		for (int l = 0; l < steps.length; l++) flush(l);
	}

	private void gather() {
		final Windows to = steps[0];
		for (int k = 0; k < maps.length; k++) {
			final float[] map = maps[k], products = to.products[k];
			for (int w = 0; w < to.n; w++) products[w] = map[to.lag[w]];
		}
	}

	private void flush(final int level) {
		final Windows w = steps[level];
		if (w.n == 0) return;
		if (level < least.length) groups(w, level);
		else members(w);
		w.n = 0;
	}

	private void groups(final Windows from, final int level) {
		final int n = from.n;
		final float[] top = from.top;
		Arrays.fill(top, 0, n, Float.NEGATIVE_INFINITY);
		for (final float[] centre : bound.levels.get(level).centres) {
			multiply(centre, from);
			greatest(top, sum, n);
		}
		final Windows to = steps[level + 1];
		for (int w = 0; w < n; w++) {
			if (!(top[w] >= from.least[level][w])) continue;
			final int i = to.n++;
			to.lag[i] = from.lag[w];
			to.outside[i] = from.outside[w];
			for (int l = level + 1; l < least.length; l++) to.least[l][i] = from.least[l][w];
			for (int k = 0; k < to.products.length; k++) to.products[k][i] = from.products[k][w];
			if (to.n == BATCH) flush(level + 1);
		}
	}

	private void members(final Windows windows) {
		final int n = windows.n;
		final float[] top = windows.top;
		Arrays.fill(pairs, 0);
		final float enough = bound.least();
		for (int from = 0; from < bound.products.length; from += MEMBERS) {
			final int to = Math.min(bound.products.length, from + MEMBERS);
			Arrays.fill(top, 0, n, Float.NEGATIVE_INFINITY);
			for (int p = from; p < to; p++) {
				multiply(bound.products[p], windows);
				upper(uppers[p - from], sum, windows.outside, bound.residual[p], n);
				greatest(top, uppers[p - from], n);
			}
			for (int w = 0; w < n; w++) {
				if (!(top[w] >= enough)) continue;
				for (int p = from; p < to; p++)
					if (uppers[p - from][w] >= enough) pair(w, p, uppers[p - from][w]);
			}
		}
		for (int w = 0; w < n; w++) if (pairs[w] > 0) receiver.take(windows.lag[w], members[w], bounds[w], pairs[w]);
	}

	private void pair(final int w, final int member, final float upper) {
		final int i = pairs[w]++;
		if (i == members[w].length) {
			members[w] = Arrays.copyOf(members[w], 2 * i);
			bounds[w] = Arrays.copyOf(bounds[w], 2 * i);
		}
		members[w][i] = member;
		bounds[w][i] = upper;
	}

	private void multiply(final float[] d, final Windows windows) {
		final float[][] c = windows.products;
		final int n = windows.n;
		Arrays.fill(sum, 0, n, 0);
		int k = 0;
		for (; k + 3 < d.length; k += 4) addFour(sum, c, d, k, n);
		for (; k < d.length; k++) addProducts(sum, c[k], d[k], n);
	}

	private static void addFour(final float[] sum, final float[][] c, final float[] d, final int k, final int n) {
		final float[] c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], c3 = c[k + 3];
		final float d0 = d[k], d1 = d[k + 1], d2 = d[k + 2], d3 = d[k + 3];
		for (int w = 0; w < n; w++) sum[w] += d0 * c0[w] + d1 * c1[w] + d2 * c2[w] + d3 * c3[w];
	}

	private static void addProducts(final float[] sum, final float[] c, final float d, final int n) {
		for (int w = 0; w < n; w++) sum[w] += d * c[w];
	}

	private static void greatest(final float[] top, final float[] values, final int n) {
		for (int w = 0; w < n; w++) top[w] = Math.max(top[w], values[w]);
	}

	private static void upper(final float[] to, final float[] sum, final float[] outside, final float rho, final int n) {
		for (int w = 0; w < n; w++) to[w] = sum[w] + outside[w] * rho;
	}
}
