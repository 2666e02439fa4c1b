package sc.fiji.ncc.bounded;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.IntFunction;

import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.bank.Bounds;
import sc.fiji.ncc.plan.bank.Members;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * The maps of one family in one box of lags, and the scores that follow from them. With a basis, most windows are left out because of their energy. For the
 * others the bound of each member is computed, and the members that can reach the minimum score are scored exactly. Without a basis, the
 * maps are those of all members.
 */
final class MemberBox {

	/** The number of lags whose energies are computed together. */
	private static final int BLOCK = 4096;
	/**
	 * The least and the largest number of lags of a task, and the least number of tasks if there are lags enough. A window can take milliseconds: exact
	 * scores of a thousand members of a volume.
	 */
	private static final int MIN_TASK = 128, MAX_TASK = 1 << 17, TASKS = 64;

	private final Members members;
	private final double minScore;
	private final boolean everyMember;
	private final int[] size;
	/** The first lag of the box. */
	private final long[] lag;
	private final int lags;
	/** The maps, one per vector of the basis or member. They can be longer than the box. */
	final float[][] maps;
	/** The energy e² of each window, or the greatest response. */
	private final float[] summary;
	/** A window for each thread. */
	private final ThreadLocal<MemberWindow> windows;

	/** Receives the entries of a box. */
	interface Receiver {

		/**
		 * @param lags the indices of the lags in the box
		 * @param codes as in {@link sc.fiji.ncc.plan.bank.BankExecution.Receiver}
		 */
		void take(int[] lags, double[] values, int[] codes, int n);
	}

	/**
	 * @param everyMember whether each entry needs its member, also if it is no local maximum
	 * @param image the pixels, for exact scores
	 * @param arrays gives arrays of a length or more
	 */
	MemberBox(final Members members, final double minScore, final boolean everyMember, final int[] size, final long[] lag,
		final Pixels image, final IntFunction<float[]> arrays)
	{
		this.members = members;
		this.minScore = minScore;
		this.everyMember = everyMember;
		this.size = size;
		this.lag = lag;
		lags = Boxes.pixels(size);
		maps = new float[(members.bounds() == null ? members.values() : members.bounds().vectors).length][];
		for (int k = 0; k < maps.length; k++) maps[k] = arrays.apply(lags);
		summary = arrays.apply(lags);
		windows = ThreadLocal.withInitial(() -> new MemberWindow(image, members));
	}

	/** Gives the arrays back. The box must not be used later. */
	void release(final Collection<float[]> to) {
		to.addAll(Arrays.asList(maps));
		to.add(summary);
	}

	/** Computes the entries from the maps. */
	void finish(final Parallel threads, final Runnable check, final Receiver receiver) {
		final int task = task(lags), tasks = (lags + task - 1) / task;
		final Entries[] found = new Entries[tasks];
		if (members.bounds() == null) threads.each(tasks, t -> greatest(t * task, Math.min(lags, (t + 1) * task)));
		threads.each(tasks, t -> {
			check.run();
			found[t] = new Entries();
			if (members.bounds() != null) bounded(t * task, Math.min(lags, (t + 1) * task), found[t]);
			else exhaustive(t * task, Math.min(lags, (t + 1) * task), found[t]);
		});
		for (final Entries e : found) receiver.take(e.lags, e.values, e.codes, e.count);
	}

	/** The number of lags of a task. */
	static int task(final int lags) {
		return Math.max(MIN_TASK, Math.min(MAX_TASK, lags / TASKS));
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
		final BoundFilter filter = new BoundFilter(members.bounds(), maps, (lag, left, upper, n) -> score(lag, left, upper, n, found));
		for (int i = from; i < to; i += BLOCK) bounded(i, Math.min(to, i + BLOCK), filter);
		filter.end();
	}

	private void bounded(final int from, final int to, final BoundFilter filter) {
		final float[] e = summary;
		Arrays.fill(e, from, to, 0);
		int k = 0;
		for (; k + 3 < maps.length; k += 4) addSquares(e, maps[k], maps[k + 1], maps[k + 2], maps[k + 3], from, to);
		for (; k < maps.length; k++) addSquares(e, maps[k], from, to);
		final float least = members.bounds().minEnergy;
		for (int i = from; i < to; i++)
			// false for NaN: the score is undefined
			if (e[i] >= least) filter.add(i, e[i]);
	}

	private static void addSquares(final float[] e, final float[] a, final float[] b, final float[] c, final float[] d,
		final int from, final int to) {
		for (int i = from; i < to; i++) e[i] += a[i] * a[i] + b[i] * b[i] + c[i] * c[i] + d[i] * d[i];
	}

	private static void addSquares(final float[] e, final float[] a, final int from, final int to) {
		for (int i = from; i < to; i++) e[i] += a[i] * a[i];
	}

	/** Scores the members of a window, that with the highest bound first, until no bound exceeds the best score. */
	private void score(final int lag, final int[] left, final float[] upper, final int n, final Entries found) {
		final MemberWindow window = windows.get();
		if (!window.read(position(lag))) return;
		final float error = members.bounds().error;
		double best = Double.NEGATIVE_INFINITY;
		int member = -1;
		final long[] order = new long[n];
		// a float of at least 0 sorts as its bits; the bounds are at most 2 and at least -2
		for (int i = 0; i < n; i++) order[i] = (long) Float.floatToRawIntBits(4 + upper[i]) << 32 | i;
		if (n > 1) Arrays.sort(order);
		for (int i = n - 1; i >= 0; i--) {
			final int pair = (int) order[i], p = left[pair];
			// sorting rounds a bound by less than 1e-6
			if (upper[pair] + error + 1e-6 < best) break;
			final double score = window.score(p);
			if (score > best || score == best && p < member) {
				best = score;
				member = p;
			}
		}
		if (best >= minScore) found.add(lag, best, member);
	}

	/** The first pixel of the window of a lag of the box. */
	private long[] position(final int index) {
		final long[] p = lag.clone();
		for (int d = 0, rest = index; d < p.length; rest /= size[d++]) p[d] += rest % size[d];
		return p;
	}

	private void greatest(final int from, final int to) {
		System.arraycopy(maps[0], from, summary, from, to - from);
		for (int k = 1; k < maps.length; k++) greatest(summary, maps[k], from, to);
	}

	private static void greatest(final float[] m, final float[] map, final int from, final int to) {
		for (int i = from; i < to; i++) m[i] = Math.max(m[i], map[i]);
	}

	private void exhaustive(final int from, final int to, final Entries found) {
		final float least = Math.nextDown((float) (minScore - Bounds.RESPONSE)), tie = (float) (2 * Bounds.RESPONSE);
		final int[] near = new int[maps.length];
		for (int i = from; i < to; i++) {
			final float top = summary[i];
			if (!(top >= least)) continue;
			if (!everyMember && maps.length > 1 && !canBeMaximum(i)) {
				found.add(i, top, -1 - members.count());
				continue;
			}
			int n = 0;
			for (int p = 0; p < maps.length; p++) if (maps[p][i] >= top - tie) near[n++] = p;
			if (n == 1 && !everyMember) {
				found.add(i, top, -1 - near[0]);
				continue;
			}
			if (n == 1 && top >= minScore + Bounds.RESPONSE) {
				found.add(i, top, -1 - near[0]);
				continue;
			}
			final MemberWindow window = windows.get();
			if (!window.read(position(i))) continue;
			double best = Double.NEGATIVE_INFINITY;
			int member = -1;
			for (int j = 0; j < n; j++) {
				final double score = window.score(near[j]);
				if (score > best) {
					best = score;
					member = near[j];
				}
			}
			if (best >= minScore) found.add(i, best, member);
		}
	}

	/** Whether no neighbour in the box is greater by more than the errors. */
	private boolean canBeMaximum(final int i) {
		final float more = summary[i] + (float) (2 * Bounds.RESPONSE);
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
