package sc.fiji.ncc.pose;

import java.util.Arrays;
import java.util.function.Supplier;

import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.run.Parallel;

/**
 * The maps of one family in one box of lags, and the scores that follow from them. With a basis, most windows are left out because of their energy. For the
 * others the bound of each pose is computed, and the poses that can reach the minimum score are scored exactly. Without a basis, the maps are those of all poses.
 */
final class PoseBox {

	/** The number of lags of a task, and of windows whose bounds are computed together. */
	private static final int TASK = 4096, BATCH = 128;

	private final PoseBank bank;
	private final double minScore;
	private final boolean everyPose;
	private final int[] size;
	/** The first lag of the box. */
	private final long[] lag;
	private final int lags;
	/** The maps, one per template of the bank. */
	final float[][] maps;
	/** The energy e² of each window, or the greatest response. */
	private final float[] summary;
	/** A window for each thread. */
	private final ThreadLocal<PoseWindow> windows;

	/** Receives the entries of a box. */
	interface Receiver {

		/** @param lags the indices of the lags in the box */
		void take(int[] lags, double[] values, int[] codes, int n);
	}

	/**
	 * @param everyPose whether each entry needs its pose, also if it is no local maximum
	 * @param pixels opens the image
	 */
	PoseBox(final PoseBank bank, final double minScore, final boolean everyPose, final int[] size, final long[] lag, final Supplier<Pixels> pixels) {
		this.bank = bank;
		this.minScore = minScore;
		this.everyPose = everyPose;
		this.size = size;
		this.lag = lag;
		int n = 1;
		for (final int s : size) n *= s;
		lags = n;
		maps = new float[bank.templates().size()][n];
		summary = new float[n];
		final Pixels image = pixels.get();
		windows = ThreadLocal.withInitial(() -> new PoseWindow(image, bank.family()));
	}

	/** Computes the entries from the maps. */
	void finish(final Parallel threads, final Runnable check, final int poses, final Receiver receiver) {
		final int tasks = (lags + TASK - 1) / TASK;
		final Entries[] found = new Entries[tasks];
		if (bank.bound() != null) threads.each(tasks, t -> {
			check.run();
			found[t] = new Entries();
			bounded(t * TASK, Math.min(lags, (t + 1) * TASK), found[t]);
		});
		else {
			threads.each(tasks, t -> greatest(t * TASK, Math.min(lags, (t + 1) * TASK)));
			threads.each(tasks, t -> {
				check.run();
				found[t] = new Entries();
				exhaustive(t * TASK, Math.min(lags, (t + 1) * TASK), poses, found[t]);
			});
		}
		for (final Entries e : found) receiver.take(e.lags, e.values, e.codes, e.count);
	}

	private static final class Entries {

		private int[] lags = new int[16], codes = new int[16];
		private double[] values = new double[16];
		private int count;

		void add(final int lag, final double value, final int code) {
			if (count == lags.length) {
				lags = Arrays.copyOf(lags, 2 * count);
				codes = Arrays.copyOf(codes, 2 * count);
				values = Arrays.copyOf(values, 2 * count);
			}
			lags[count] = lag;
			values[count] = value;
			codes[count++] = code;
		}
	}

	private void bounded(final int from, final int to, final Entries found) {
		final float[] e = summary;
		Arrays.fill(e, from, to, 0);
		int k = 0;
		for (; k + 3 < maps.length; k += 4) addSquares(e, maps[k], maps[k + 1], maps[k + 2], maps[k + 3], from, to);
		for (; k < maps.length; k++) addSquares(e, maps[k], from, to);
		final float least = bank.bound().minEnergy;
		final Batch batch = new Batch(found);
		for (int i = from; i < to; i++)
			// false for NaN: the score is undefined
			if (e[i] >= least) batch.add(i);
		batch.flush();
	}

	private static void addSquares(final float[] e, final float[] a, final float[] b, final float[] c, final float[] d, final int from, final int to) {
		for (int i = from; i < to; i++) e[i] += a[i] * a[i] + b[i] * b[i] + c[i] * c[i] + d[i] * d[i];
	}

	private static void addSquares(final float[] e, final float[] a, final int from, final int to) {
		for (int i = from; i < to; i++) e[i] += a[i] * a[i];
	}

	/** Windows whose bounds are computed together, for speed. */
	private final class Batch {

		private final Entries found;
		private final int[] lag = new int[BATCH];
		private final float[] outside = new float[BATCH], sum = new float[BATCH];
		private final float[][] products = new float[maps.length][BATCH];
		private int n;
		/** The pairs of a window and a pose that can reach the minimum score: upper bound and pose, window by window. */
		private final float[][] bounds = new float[BATCH][8];
		private final int[][] poses = new int[BATCH][8];
		private final int[] pairs = new int[BATCH];

		Batch(final Entries found) {
			this.found = found;
		}

		void add(final int i) {
			lag[n] = i;
			outside[n++] = bank.bound().outside(summary[i]);
			if (n == BATCH) flush();
		}

		void flush() {
			if (n == 0) return;
			final PoseBound bound = bank.bound();
			for (int k = 0; k < maps.length; k++) {
				final float[] map = maps[k], to = products[k];
				for (int w = 0; w < n; w++) to[w] = map[lag[w]];
			}
			Arrays.fill(pairs, 0);
			final float least = bound.least();
			for (int p = 0; p < bound.products.length; p++) {
				multiply(bound.products[p]);
				final float rho = bound.residual[p];
				for (int w = 0; w < n; w++) {
					final float upper = sum[w] + outside[w] * rho;
					if (upper >= least) pair(w, p, upper);
				}
			}
			for (int w = 0; w < n; w++) if (pairs[w] > 0) score(w);
			n = 0;
		}

		private void multiply(final float[] d) {
			Arrays.fill(sum, 0);
			int k = 0;
			for (; k + 3 < d.length; k += 4) addProducts(sum, products[k], products[k + 1], products[k + 2], products[k + 3], d[k], d[k + 1], d[k + 2], d[k + 3]);
			for (; k < d.length; k++) {
				final float[] c = products[k];
				final float dk = d[k];
				for (int w = 0; w < BATCH; w++) sum[w] += dk * c[w];
			}
		}

		private void pair(final int w, final int pose, final float upper) {
			final int i = pairs[w]++;
			if (i == poses[w].length) {
				poses[w] = Arrays.copyOf(poses[w], 2 * i);
				bounds[w] = Arrays.copyOf(bounds[w], 2 * i);
			}
			poses[w][i] = pose;
			bounds[w][i] = upper;
		}

		/** Scores the poses of a window, that with the highest bound first, until no bound exceeds the best score. */
		private void score(final int w) {
			final PoseWindow window = windows.get();
			if (!window.read(position(lag[w]))) return;
			final float[] upper = bounds[w];
			final float error = bank.bound().error;
			double best = Double.NEGATIVE_INFINITY;
			int pose = -1;
			final long[] order = new long[pairs[w]];
			// a float of at least 0 sorts as its bits; the bounds are at most 2 and at least -2
			for (int i = 0; i < order.length; i++) order[i] = (long) Float.floatToRawIntBits(4 + upper[i]) << 32 | i;
			if (order.length > 1) Arrays.sort(order);
			for (int i = order.length - 1; i >= 0; i--) {
				final int pair = (int) order[i], p = poses[w][pair];
				// sorting rounds a bound by less than 1e-6
				if (upper[pair] + error + 1e-6 < best) break;
				final double score = window.score(p);
				if (score > best || score == best && p < pose) {
					best = score;
					pose = p;
				}
			}
			if (best >= minScore) found.add(lag[w], best, bank.family().first + pose);
		}
	}

	private static void addProducts(final float[] sum, final float[] c0, final float[] c1, final float[] c2, final float[] c3, final float d0, final float d1,
		final float d2, final float d3)
	{
		for (int w = 0; w < BATCH; w++) sum[w] += d0 * c0[w] + d1 * c1[w] + d2 * c2[w] + d3 * c3[w];
	}

	/** The first pixel of the window of a lag of the box. */
	private long[] position(final int index) {
		final long[] p = lag.clone();
		for (int d = 0, rest = index; d < p.length; d++) {
			p[d] += rest % size[d];
			rest /= size[d];
		}
		return p;
	}

	private void greatest(final int from, final int to) {
		System.arraycopy(maps[0], from, summary, from, to - from);
		for (int k = 1; k < maps.length; k++) greatest(summary, maps[k], from, to);
	}

	private static void greatest(final float[] m, final float[] map, final int from, final int to) {
		for (int i = from; i < to; i++) m[i] = Math.max(m[i], map[i]);
	}

	private void exhaustive(final int from, final int to, final int poses, final Entries found) {
		final int first = bank.family().first;
		final float least = Math.nextDown((float) (minScore - PoseBound.RESPONSE)), tie = (float) (2 * PoseBound.RESPONSE);
		final int[] near = new int[maps.length];
		for (int i = from; i < to; i++) {
			final float top = summary[i];
			if (!(top >= least)) continue;
			if (!everyPose && maps.length > 1 && !canBeMaximum(i)) {
				found.add(i, top, PoseScores.approximate(poses + first));
				continue;
			}
			int n = 0;
			for (int p = 0; p < maps.length; p++) if (maps[p][i] >= top - tie) near[n++] = p;
			if (n == 1 && !everyPose) {
				found.add(i, top, PoseScores.approximate(first + near[0]));
				continue;
			}
			if (n == 1 && top >= minScore + PoseBound.RESPONSE) {
				found.add(i, top, PoseScores.approximate(first + near[0]));
				continue;
			}
			final PoseWindow window = windows.get();
			if (!window.read(position(i))) continue;
			double best = Double.NEGATIVE_INFINITY;
			int pose = -1;
			for (int j = 0; j < n; j++) {
				final double score = window.score(near[j]);
				if (score > best) {
					best = score;
					pose = near[j];
				}
			}
			if (best >= minScore) found.add(i, best, first + pose);
		}
	}

	/** Whether no neighbour in the box is greater by more than the errors. */
	private boolean canBeMaximum(final int i) {
		final float more = summary[i] + (float) (2 * PoseBound.RESPONSE);
		int n = 1;
		for (int d = 0; d < size.length; d++) n *= 3;
		for (int code = 0; code < n; code++) {
			int at = i, stride = 1;
			boolean inside = true;
			for (int d = 0, rest = code, place = i; d < size.length; d++) {
				final int step = rest % 3 - 1, x = place % size[d] + step;
				inside &= x >= 0 && x < size[d];
				at += step * stride;
				rest /= 3;
				place /= size[d];
				stride *= size[d];
			}
			if (inside && summary[at] > more) return false;
		}
		return true;
	}
}
