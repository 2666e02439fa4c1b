package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import org.apache.commons.math3.special.Erf;

import sc.fiji.ncc.bounded.MemberWindow;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * How often a pose with a high score in the background is the best of all poses at its position. Neighbouring angles and scales have similar scores, so of N poses
 * fewer count.
 * <p>
 * The scores of all poses in a sample of windows are mapped to normal values z by their ranks. For a pose p with the value v, the other poses have the values
 * {@code z_q + C_pq·(v − z_p)}, C the correlations in the sample: for normal values this is the distribution given that z_p = v. The share is the relative
 * frequency of windows in which none of them exceeds v, on average over the values v above a threshold.
 */
final class PoseShare {

	private static final int WINDOWS = 128, LEAST_WINDOWS = 32;
	/** The largest number of scores, and the poses of each scale that are tried. */
	private static final long SCORES = 1 << 22;
	private static final int TRIED = 8;
	/** The thresholds, and the number of values above each. */
	private static final double FIRST = 1.5, STEP = 1, NODES = 4;
	private static final int LEVELS = 6;
	/** Multiples spread evenly over [0, 1). */
	private static final double[] STEPS = { 0.7548776662466927, 0.5698402909980532, 0.3247179572447461 };

	/** The share above each threshold. */
	private final double[] shares;

	private PoseShare(final double[] shares) {
		this.shares = shares;
	}

	/** The share of the values above {@code u} that no other pose exceeds. */
	double above(final double u) {
		final double at = Math.max(0, Math.min(LEVELS - 1, (u - FIRST) / STEP));
		final int i = Math.min(LEVELS - 2, (int) at);
		return shares[i] + (at - i) * (shares[i + 1] - shares[i]);
	}

	/**
	 * The shares of all scales of one template.
	 *
	 * @param scales the families of each scale
	 */
	static List<PoseShare> of(final List<List<PoseFamily>> scales, final Pixels pixels, final Parallel threads, final Runnable check) {
		final int poses = scales.stream().flatMap(List::stream).mapToInt(f -> f.poses.size()).sum(), windows = windows(scales);
		final float[][] z = new float[windows][poses];
		threads.each(windows, w -> {
			check.run();
			int first = 0;
			for (final List<PoseFamily> scale : scales)
				for (final PoseFamily f : scale) {
					final MemberWindow window = new MemberWindow(pixels, f.members);
					final boolean defined = window.read(lag(f, pixels.size(), w, scales.get(0).get(0)));
					for (int p = 0; p < f.poses.size(); p++) z[w][first++] = defined ? (float) window.score(p) : 0;
				}
		});
		final List<PoseShare> shares = new ArrayList<>();
		int first = 0;
		final int[] ends = new int[scales.size()];
		for (int s = 0; s < ends.length; s++) {
			final int from = first;
			first += scales.get(s).stream().mapToInt(f -> f.poses.size()).sum();
			ends[s] = first;
			rank(z, from, first);
		}
		for (int s = 0; s < ends.length; s++) shares.add(of(z, s == 0 ? 0 : ends[s - 1], ends[s], threads, check));
		return shares;
	}

	/** The number of windows in the sample. */
	static int windows(final List<List<PoseFamily>> scales) {
		return (int) Math.max(LEAST_WINDOWS, Math.min(WINDOWS, SCORES / scales.stream().flatMap(List::stream).mapToInt(f -> f.poses.size()).sum()));
	}

	/** A place along a dimension, from 0 to count - 1. The places of all indices are spread evenly. */
	static long place(final int index, final int d, final long count) {
		final double place = (index + 0.5) * STEPS[d];
		return (long) ((place - Math.floor(place)) * count);
	}

	/** The lag of a family at a position that all families share, as far as it has one there. */
	private static long[] lag(final PoseFamily f, final long[] image, final int index, final PoseFamily like) {
		final long[] lag = new long[image.length];
		for (int d = 0; d < lag.length; d++) {
			final long position = place(index, d, like.lags(d, image)) - like.shift[d];
			lag[d] = Math.max(0, Math.min(f.lags(d, image) - 1, position + f.shift[d]));
		}
		return lag;
	}

	/** Replaces the scores of some poses by the normal values of their ranks. */
	private static void rank(final float[][] z, final int from, final int to) {
		final float[] sorted = new float[z.length * (to - from)];
		for (int w = 0; w < z.length; w++) System.arraycopy(z[w], from, sorted, w * (to - from), to - from);
		Arrays.sort(sorted);
		final float[] normal = new float[sorted.length];
		for (int i = 0; i < sorted.length; i++) normal[i] = (float) (Math.sqrt(2) * Erf.erfInv(2 * (i + 0.5) / sorted.length - 1));
		for (final float[] row : z)
			for (int p = from; p < to; p++) row[p] = normal[Math.max(0, Arrays.binarySearch(sorted, row[p]))];
	}

	private static PoseShare of(final float[][] z, final int from, final int to, final Parallel threads, final Runnable check) {
		final int tried = Math.min(TRIED, to - from);
		final double[][] found = new double[tried][];
		final int[] chosen = new SplittableRandom(to - from).ints(tried, from, to).toArray();
		threads.each(tried, i -> {
			check.run();
			found[i] = best(z, chosen[i], correlations(z, chosen[i]));
		});
		final double[] shares = new double[LEVELS];
		for (int l = 0; l < LEVELS; l++) {
			// not 0: with a sample twice as large, one window might have counted
			double sum = 0.5 / (z.length * NODES);
			for (final double[] f : found) sum += f[l];
			shares[l] = Math.min(1, sum / tried);
		}
		return new PoseShare(shares);
	}

	/** The correlations of a pose with all poses. */
	private static float[] correlations(final float[][] z, final int p) {
		final double[] sum = new double[z[0].length];
		for (final float[] row : z)
			for (int q = 0; q < sum.length; q++) sum[q] += row[q] * row[p];
		final float[] c = new float[sum.length];
		for (int q = 0; q < c.length; q++) c[q] = (float) (sum[q] / sum[p]);
		return c;
	}

	/** For each threshold the share of values of a pose above it that no other pose exceeds. */
	private static double[] best(final float[][] z, final int p, final float[] c) {
		final double[] shares = new double[LEVELS];
		for (int l = 0; l < LEVELS; l++)
			for (final float[] row : z)
				for (int k = 0; k < NODES; k++) {
					final double u = FIRST + l * STEP;
					// values above u have nearly an exponential distribution
					final float v = (float) (u - Math.log(1 - (k + 0.5) / NODES) / u);
					if (isBest(row, p, c, v)) shares[l] += 1.0 / (z.length * NODES);
				}
		return shares;
	}

	private static boolean isBest(final float[] z, final int p, final float[] c, final float v) {
		final float change = v - z[p];
		// neighbours of the pose first: one of them is above most often
		final int n = z.length;
		for (int d = 1; d < n; d++) {
			if (p - d < 0 && p + d >= n) return true;
			if (p - d >= 0 && z[p - d] + c[p - d] * change > v) return false;
			if (p + d < n && z[p + d] + c[p + d] * change > v) return false;
		}
		return true;
	}
}
