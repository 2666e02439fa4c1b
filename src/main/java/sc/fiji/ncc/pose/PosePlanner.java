package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.BoundedSearcher;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Decides for each family between a basis, with its size, and all poses. It computes the bounds for a sample of windows of the image, and adds up the
 * estimated times of the engine and of the work on the windows that are left.
 */
public final class PosePlanner {

	/** Windows in the sample, the largest number of their pixels, and of products for their bounds. */
	private static final int SAMPLE = 256, SAMPLE_PIXELS = 4_000_000;
	private static final long SAMPLE_PRODUCTS = 200_000_000;
	/** A basis has at least this size before smaller ones are tried, and at most this one; in between a share of the poses. */
	private static final int MIN_BASIS = 16, MAX_BASIS = 256, SHARE_OF_POSES = 4, FEW_POSES = 6;
	/** The size of the basis that is made first, and the share of it above which a best size makes a larger basis worth a try. */
	private static final int FIRST_BASIS = 48;
	private static final double ROOM = 0.75;
	/** A basis must take at most this share of the time of all poses: the sample may mislead. */
	private static final double WORTH = 0.75;
	/** Seconds for a product of a basis, for a square in the energy, for a product of a bound, for the greatest of two responses, and for a window whose
	 * bounds are computed. */
	private static final double BASIS = 0.5e-9, SQUARE = 0.15e-9, BOUND = 0.04e-9, GREATEST = 0.3e-9, WINDOW = 3e-8;
	/** Seconds for a product of a bound of the sample, and the number of products for each member of the basis and pose: those of all sizes. */
	private static final double SAMPLED_BOUND = 1e-9, SIZES = 4;

	private final RandomAccessibleInterval<?> frame;
	private final double minScore;
	private final PoseMethod method;
	private final long frames;
	private final double share;
	private final int threadCount;
	private final Parallel threads;
	private final ToDoubleFunction<List<Template>> seconds;
	/** The time of this machine, divided by the time that the constants predict. */
	private double slowness = 1;
	/** The device that correlates the basis, bounds and scores; null for the engine and the CPU. */
	private BoundedSearcher device;
	/** The predicted seconds of a plan, see {@link PosePlan}. */
	private double planning, scoring;

	/**
	 * @param frame the first frame
	 * @param frames the expected number of frames
	 * @param share the factor of the residual norms in the bound: 1
	 * @param seconds the engine's estimate for the correlation of templates with a frame
	 */
	public PosePlanner(final RandomAccessibleInterval<?> frame, final long frames, final double minScore, final PoseMethod method, final double share,
		final int threadCount, final Parallel threads, final ToDoubleFunction<List<Template>> seconds)
	{
		this.frame = frame;
		this.frames = frames;
		this.minScore = minScore;
		this.method = method;
		this.share = share;
		this.threadCount = threadCount;
		this.threads = threads;
		this.seconds = seconds;
	}

	/** A basis is correlated, bounded and scored on a device. */
	public PosePlanner on(final BoundedSearcher newDevice) {
		device = newDevice;
		return this;
	}

	/** Sets the time of this machine, divided by the time that the shipped constants predict. Default: 1. */
	public PosePlanner slowness(final double factor) {
		slowness = factor;
		return this;
	}

	/** Plans the search of a set. */
	public PosePlan plan(final PoseSet set) {
		planning = 0;
		scoring = 0;
		final List<PoseBank> banks = new ArrayList<>();
		final List<String> lines = new ArrayList<>();
		for (final PoseFamily f : set.families()) banks.add(plan(f, lines));
		final String whole = set.poses().size() + " poses with supports of their own: every pose is correlated";
		return new PosePlan(set, List.copyOf(banks), set.whole() ? List.of(whole) : List.copyOf(lines), planning, scoring);
	}

	static long lags(final PoseFamily family, final long[] image) {
		long n = 1;
		for (int d = 0; d < image.length; d++) n *= family.lags(d, image);
		return n;
	}

	private PoseBank plan(final PoseFamily family, final List<String> lines) {
		final int poses = family.poses.size(), pixels = family.values[0].length;
		final int largest = Math.min(Math.min(poses, pixels - family.channels), Math.min(MAX_BASIS, Math.max(MIN_BASIS, poses / SHARE_OF_POSES)));
		final String name = "template " + (family.template + 1) + ", scale " + String.format(Locale.ROOT, "%.4g", family.poses.get(0).scale())
			+ ", " + poses + " poses of "
			+ pixels + " pixels: ";
		final long lags = lags(family, frame.dimensionsAsLongArray());
		final double greatest = frames * slowness * lags * poses * GREATEST / threadCount;
		if (method == PoseMethod.EXHAUSTIVE || method == PoseMethod.AUTO && poses < FEW_POSES) {
			scoring += greatest;
			lines.add(name + "every pose is correlated");
			return PoseBank.exhaustive(family);
		}
		final Template sized = family.template(0, family.support.weights());
		final double all = frames * engine(sized, poses) + greatest;
		final double build = slowness * BASIS * 4 * poses * (double) pixels * Math.min(largest, FIRST_BASIS) / threadCount;
		if (method == PoseMethod.AUTO && build > 0.5 * all) {
			scoring += greatest;
			lines.add(name + String.format(Locale.ROOT, "every pose is correlated, %.3g s; a basis would take %.3g s to make", all, build));
			return PoseBank.exhaustive(family);
		}
		final List<double[]> windows = sample(family, largest);
		planning += slowness * windows.size() * pixels * PoseCost.READ;
		PoseBasis basis = null;
		PoseBound best = null;
		int made = 0;
		double least = Double.POSITIVE_INFINITY, leastScoring = 0;
		String words = "";
		for (final int tried : new int[] { Math.min(largest, FIRST_BASIS), largest }) {
			// a small basis first: if the best size is well below its own, a larger one is not made
			if (tried <= made || best != null && best.size < ROOM * made) break;
			made = tried;
			planning += slowness * tried * (BASIS * 4 * poses * pixels / threadCount + windows.size() * (PoseCost.EXACT * pixels + SAMPLED_BOUND * SIZES * poses));
			final PoseBasis of = PoseBasis.of(family, tried, threads);
			final List<double[]> sample = products(windows, of);
			for (final int size : sizes(of.vectors.length)) {
				final Sample kept = new Sample(new PoseBound(of, size, minScore, share, of.groups), sample);
				final double perLag = size * SQUARE + kept.bounds(kept.chosen) + kept.read * pixels * PoseCost.READ + kept.pairs * pixels * PoseCost.EXACT;
				// the calibration of the CPU says nothing about a device
				final double own = frames * perLag * lags * (device == null ? slowness / threadCount : 1.0 / device.threads()), time = frames * basis(sized, size) + own;
				if (time >= least) continue;
				least = time;
				leastScoring = device == null ? own : time;
				basis = of;
				best = new PoseBound(of, size, minScore, share, kept.chosen.stream().map(of.groups::get).toList());
				words = (device == null ? "" : "on " + device.device().id() + ": ") + String.format(Locale.ROOT, "%d correlations, %.3g s; %.2g of the windows kept by their energy, %.2g by groups %s, %.2g exact scores per window; every pose: %.3g s",
					size, time, kept.windows, kept.left(kept.chosen), Arrays.toString(kept.groups(kept.chosen)), kept.pairs, all);
			}
		}
		if (method == PoseMethod.AUTO && WORTH * all < least) {
			scoring += greatest;
			lines.add(name + String.format(Locale.ROOT, "every pose is correlated, %.3g s; a basis: ", all) + words);
			return PoseBank.exhaustive(family);
		}
		scoring += leastScoring;
		lines.add(name + words);
		return PoseBank.of(family, basis, best);
	}

	private double engine(final Template template, final int count) {
		return seconds.applyAsDouble(Collections.nCopies(count, template));
	}

	private double basis(final Template template, final int count) {
		return device == null ? engine(template, count) : device.seconds(Size.of(frame.dimensionsAsLongArray()), template.size(), count);
	}

	private static int[] sizes(final int largest) {
		final List<Integer> sizes = new ArrayList<>();
		for (double k = 4; k < largest; k *= 1.3) sizes.add((int) k);
		sizes.add(largest);
		return sizes.stream().mapToInt(k -> k).filter(k -> k <= largest).distinct().toArray();
	}

	/** The products of sampled windows with the basis; NaN for an undefined window. */
	private static List<double[]> products(final List<double[]> windows, final PoseBasis basis) {
		final List<double[]> all = new ArrayList<>();
		for (final double[] window : windows) {
			final double[] c = new double[basis.vectors.length];
			for (int k = 0; k < c.length; k++) c[k] = window == null ? Double.NaN : PoseWindow.dot(window, basis.vectors[k]);
			all.add(c);
		}
		return all;
	}

	/**
	 * Sampled windows; null for an undefined one.
	 *
	 * @param size the largest size of a basis
	 */
	private List<double[]> sample(final PoseFamily family, final int size) {
		final long[] image = frame.dimensionsAsLongArray(), lag = new long[image.length];
		final long products = (long) family.poses.size() * size;
		final int count = (int) Math.max(32, Math.min(Math.min(SAMPLE, SAMPLE_PIXELS / family.values[0].length), SAMPLE_PRODUCTS / Math.max(1, products)));
		final Pixels pixels = ImagePixels.of(frame);
		final PoseWindow window = new PoseWindow(pixels, family);
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

	/** What a bound leaves of the sampled windows. */
	private static final class Sample {

		private final PoseBound bound;
		/** The share of windows kept by their energy, and of those with a pair; the number of pairs of a window and a pose left per window. */
		private final double windows, read, pairs;
		/** The share of windows that each level keeps. */
		private final double[] kept;
		/** The levels with which the bounds take the least time. */
		private final List<Integer> chosen;

		Sample(final PoseBound bound, final List<double[]> sample) {
			this.bound = bound;
			kept = new double[bound.levels.length];
			final double[] least = new double[kept.length];
			double windows = 0, pairs = 0, read = 0;
			for (final double[] c : sample) {
				float energy = 0;
				for (int k = 0; k < bound.size; k++) energy += c[k] * c[k];
				if (!(energy >= bound.minEnergy)) continue;
				windows++;
				final float outside = bound.outside(energy), enough = bound.least();
				bound.groups(energy, outside, least);
				boolean left = true;
				for (int l = 0; l < kept.length && left; l++) {
					left = greatest(bound.levels[l].centres, c) >= least[l];
					if (left) kept[l] += 1.0 / sample.size();
				}
				if (!left) continue;
				int n = 0;
				for (int p = 0; p < bound.products.length; p++) if (dot(bound.products[p], c) + outside * bound.residual[p] >= enough) n++;
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
				if (bounds(levels) < bounds(best)) best = levels;
			}
			chosen = best;
		}

		/** Seconds per lag for the bounds, with some of the levels. */
		private double bounds(final List<Integer> levels) {
			double left = windows, sum = windows * WINDOW;
			for (final int l : levels) {
				sum += left * bound.levels[l].centres.length * bound.size * BOUND;
				left = kept[l];
			}
			return sum + left * bound.products.length * bound.size * BOUND;
		}

		private double left(final List<Integer> levels) {
			return levels.isEmpty() ? windows : kept[levels.get(levels.size() - 1)];
		}

		private int[] groups(final List<Integer> levels) {
			return levels.stream().mapToInt(l -> bound.levels[l].centres.length).toArray();
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
