package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.bounded.MemberBasis;
import sc.fiji.ncc.bounded.MemberWindow;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.bank.Bounds;
import sc.fiji.ncc.plan.bank.Members;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Describes the search of a set of poses as a {@link BoundedBank}. For each family it makes a basis, computes the bounds for a sample of
 * windows of the image, and takes the size of the basis for which the predicted time is the shortest. If a basis saves too little time, the
 * family has none.
 */
final class PosePlanner {

	/** Windows in the sample, the largest number of their pixels, and of products for their bounds. */
	private static final int SAMPLE = 256, SAMPLE_PIXELS = 4_000_000;
	private static final long SAMPLE_PRODUCTS = 200_000_000;
	/** A basis has at least this size before smaller ones are tried, and at most this one; in between a share of the poses. */
	private static final int MIN_BASIS = 16, MAX_BASIS = 256, SHARE_OF_POSES = 4;
	/** The size of the basis that is made first, and the share of it above which a best size makes a larger basis worth a try. */
	private static final int FIRST_BASIS = 48, LEAST_BASIS = 4;
	private static final double LARGER_BASIS = 0.75;
	/** A basis must take at most this share of the time of all poses: the sample may mislead. To make it must take at most the second share. */
	private static final double WORTH = 0.75, MAKING = 0.5;

	private final RandomAccessibleInterval<?> frame;
	private final BoundedBank like;
	private final double minScore, share;
	private final PoseCost cost;
	private final Parallel threads;
	private final ToDoubleFunction<BoundedBank> predicted;
	/** The predicted seconds of a plan, see {@link PosePlan}. */
	private double seconds;

	/**
	 * @param frame the first frame
	 * @param like a problem without families
	 * @param share the factor of the residual norms in the bound: 1
	 * @param predicted the predicted time of a problem; infinite if no candidate applies
	 */
	PosePlanner(final RandomAccessibleInterval<?> frame, final BoundedBank like, final double minScore, final double share,
		final PoseCost cost, final Parallel threads, final ToDoubleFunction<BoundedBank> predicted)
	{
		this.frame = frame;
		this.like = like;
		this.minScore = minScore;
		this.share = share;
		this.cost = cost;
		this.threads = threads;
		this.predicted = predicted;
	}

	/** Plans the search of a set. */
	PosePlan plan(final PoseSet set) {
		seconds = 0;
		final List<Members> members = new ArrayList<>();
		final List<BoundedBank.Family> families = new ArrayList<>();
		final List<String> lines = new ArrayList<>();
		for (final PoseFamily f : set.families()) plan(f, members, families, lines);
		final boolean none = families.stream().allMatch(f -> f.basis() == null);
		return new PosePlan(set, like.of(families), List.copyOf(members), set.whole() && none ? List.of(set.poses().size()
			+ " poses with supports of their own: every pose is correlated") : List.copyOf(lines), seconds);
	}

	private void plan(final PoseFamily family, final List<Members> members, final List<BoundedBank.Family> families, final List<String> lines) {
		final int poses = family.poses.size();
		final BoundedBank.Family bare = new BoundedBank.Family(family.members.box(), family.members.length(), poses, null);
		final String name = "template " + (family.template + 1) + ", scale " + String.format(Locale.ROOT, "%.4g", family.poses.get(0).scale()) + ", " + poses
			+ (poses == 1 ? " pose of " : " poses of ") + family.members.length() + " pixels: ";
		final int most = Math.min(Math.min(poses, family.members.length() - family.channels),
			Math.min(MAX_BASIS, Math.max(MIN_BASIS, poses / SHARE_OF_POSES)));
		if (poses == 1) {
			members.add(family.members);
			families.add(bare);
			lines.add(name + "it is correlated");
			return;
		}
		final double all = predicted(bare, null), making = cost.basis(family, Math.min(most, FIRST_BASIS));
		if (making > MAKING * all || predicted(bare, new BoundedBank.Basis(Math.min(most, LEAST_BASIS), 0, List.of(), 0, 0)) >= WORTH * all) {
			members.add(family.members);
			families.add(bare);
			lines.add(name + String.format(Locale.ROOT, "every pose is correlated, %.3g s; a basis would take %.3g s to make", all, making));
			return;
		}
		final int largest = cost.basis(family, most) > MAKING * all ? Math.min(most, FIRST_BASIS) : most;
		final List<double[]> windows = sample(family, largest);
		seconds += cost.windows(family, windows.size());
		Sample best = null;
		MemberBasis basis = null;
		int made = 0;
		double least = Double.POSITIVE_INFINITY;
		for (final int tried : new int[] { Math.min(largest, FIRST_BASIS), largest }) {
			// a small basis first: if the best size is well below its own, a larger one is not made
			if (tried <= made || best != null && best.size < LARGER_BASIS * made) break;
			made = tried;
			seconds += cost.basis(family, tried) + cost.sampled(family, tried, windows.size());
			final MemberBasis of = MemberBasis.of(family.members, tried, threads);
			final List<double[]> sample = products(windows, of);
			final int[] sizes = sizes(of.vectors.length);
			final Sample[] samples = new Sample[sizes.length];
			threads.each(sizes.length, i -> samples[i] = new Sample(new Bounds(of.vectors, of.products, sizes[i], minScore, share, of.groups), sample));
			for (final Sample kept : samples) {
				final double time = predicted(bare, kept.basis());
				if (time >= least) continue;
				least = time;
				best = kept;
				basis = of;
			}
		}
		final BoundedBank.Basis left = best == null ? null : best.basis();
		final boolean worth = left != null && least < WORTH * all;
		members.add(worth ? family.members.with(new Bounds(basis.vectors, basis.products, best.size, minScore, share,
			best.chosen.stream().map(basis.groups::get).toList())) : family.members);
		families.add(worth ? new BoundedBank.Family(bare.box(), bare.values(), bare.members(), left) : bare);
		final String words = left == null ? "none can be computed"
			: String.format(Locale.ROOT, "%d correlations, %.3g s; ", left.vectors(), least) + left.shares();
		lines.add(name + (!worth ? String.format(Locale.ROOT, "every pose is correlated, %.3g s; a basis: ", all) + words
			: words + (all < Double.POSITIVE_INFINITY ? String.format(Locale.ROOT, "; every pose: %.3g s", all) : "")));
	}

	private double predicted(final BoundedBank.Family bare, final BoundedBank.Basis basis) {
		return predicted.applyAsDouble(like.of(List.of(new BoundedBank.Family(bare.box(), bare.values(), bare.members(), basis))));
	}

	private static int[] sizes(final int largest) {
		final List<Integer> sizes = new ArrayList<>();
		for (double k = LEAST_BASIS; k < largest; k *= 1.3) sizes.add((int) k);
		sizes.add(largest);
		return sizes.stream().mapToInt(k -> k).filter(k -> k <= largest).distinct().toArray();
	}

	/** The products of sampled windows with the basis; NaN for an undefined window. */
	private List<double[]> products(final List<double[]> windows, final MemberBasis basis) {
		final double[][] all = new double[windows.size()][basis.vectors.length];
		threads.each(all.length, i -> {
			final double[] window = windows.get(i), c = all[i];
			for (int k = 0; k < c.length; k++) c[k] = window == null ? Double.NaN : MemberWindow.dot(window, basis.vectors[k]);
		});
		return List.of(all);
	}

	/**
	 * Sampled windows; null for an undefined one.
	 *
	 * @param size the largest size of a basis
	 */
	private List<double[]> sample(final PoseFamily family, final int size) {
		final long[] image = frame.dimensionsAsLongArray(), lag = new long[image.length];
		final long products = (long) family.poses.size() * size;
		final int count = (int) Math.max(32, Math.min(Math.min(SAMPLE, SAMPLE_PIXELS / family.members.length()), SAMPLE_PRODUCTS / Math.max(1, products)));
		final Pixels pixels = ImagePixels.of(frame);
		final MemberWindow window = new MemberWindow(pixels, family.members);
		final SplittableRandom random = new SplittableRandom(count);
		final List<double[]> sample = new ArrayList<>();
		for (int s = 0; s < count; s++) {
			for (int d = 0; d < lag.length; d++) {
				final long n = family.lags(d, image);
				// one window from each part of the last axis, so that no part of the image is left out
				lag[d] = d == lag.length - 1 ? Math.min(n - 1, (long) ((s + random.nextDouble()) / count * n)) : random.nextLong(n);
			}
			sample.add(window.read(lag) ? window.values.clone() : null);
		}
		return sample;
	}

	/** What a bound leaves of the sampled windows. It does not keep the bound, which holds a number for each member and vector. */
	private static final class Sample {

		/** The number of vectors, of members, and of the groups of each level. */
		private final int size, members;
		private final int[] groups;
		/** The share of windows kept by their energy, and of those with a pair; the number of pairs of a window and a pose left per window. */
		private final double windows, read, pairs;
		/** The share of windows that each level keeps. */
		private final double[] kept;
		/** The levels with which the bounds take the least products. */
		private final List<Integer> chosen;

		Sample(final Bounds bound, final List<double[]> sample) {
			size = bound.size();
			members = bound.products.length;
			groups = bound.levels.stream().mapToInt(l -> l.centres.length).toArray();
			kept = new double[bound.levels.size()];
			final double[] least = new double[kept.length];
			double windows = 0, pairs = 0, read = 0;
			for (final double[] c : sample) {
				float energy = 0;
				for (int k = 0; k < size; k++) energy += c[k] * c[k];
				if (!(energy >= bound.minEnergy)) continue;
				windows++;
				final float outside = bound.outside(energy), enough = bound.least();
				bound.groups(energy, outside, least);
				boolean left = true;
				for (int l = 0; l < kept.length && left; l++) {
					left = greatest(bound.levels.get(l).centres, c) >= least[l];
					if (left) kept[l] += 1.0 / sample.size();
				}
				if (!left) continue;
				int n = 0;
				for (int p = 0; p < members; p++) if (dot(bound.products[p], c) + outside * bound.residual[p] >= enough) n++;
				pairs += n;
				if (n > 0) read++;
			}
			this.windows = windows / sample.size();
			this.pairs = pairs / sample.size();
			this.read = read / sample.size();
			List<Integer> best = List.of();
			for (int subset = 1; subset < 1 << kept.length; subset++) {
				final List<Integer> levels = new ArrayList<>();
				for (int l = 0; l < kept.length; l++) if ((subset >> l & 1) == 1) levels.add(l);
				if (products(levels) < products(best)) best = levels;
			}
			chosen = best;
		}

		/** The number of bounds per lag, with some of the levels. */
		private double products(final List<Integer> levels) {
			double left = windows, sum = 0;
			for (final int l : levels) {
				sum += left * groups[l];
				left = kept[l];
			}
			return sum + left * members;
		}

		BoundedBank.Basis basis() {
			return new BoundedBank.Basis(size, windows, chosen.stream().map(l -> new BoundedBank.Groups(groups[l], kept[l])).toList(), read, pairs);
		}

		private static float greatest(final float[][] rows, final double[] c) {
			float top = Float.NEGATIVE_INFINITY;
			for (final float[] row : rows) top = Math.max(top, dot(row, c));
			return top;
		}

		private static float dot(final float[] row, final double[] c) {
			float s0 = 0, s1 = 0;
			int k = 0;
			for (; k + 1 < row.length; k += 2) {
				s0 += row[k] * c[k];
				s1 += row[k + 1] * c[k + 1];
			}
			return k < row.length ? s0 + s1 + row[k] * (float) c[k] : s0 + s1;
		}
	}
}
