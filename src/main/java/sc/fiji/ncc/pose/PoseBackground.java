package sc.fiji.ncc.pose;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.bounded.MemberWindow;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.statistics.Background;
import sc.fiji.ncc.statistics.BackgroundFit;
import sc.fiji.ncc.peaks.MapSample;
import sc.fiji.ncc.statistics.WindowNoise;

/**
 * The expected number of matches in the background of a frame, over all poses. For the poses of one scale it is the number of poses, times the expected number of
 * local maxima in the map of one of them ({@link Background}), times the share of those that no other pose exceeds ({@link PoseShare}). The background of one pose
 * is fitted to the scores of several poses in blocks of windows at regular places.
 */
public final class PoseBackground {

	/** The extents of a block along the first axis and the others: enough for the correlations at distances 1 and 2. */
	private static final int LENGTH = 32, ROWS = MapSample.ROWS;
	/** The number of windows follows from a number of pixels, within limits. Each window is scored with so many poses. */
	private static final double PIXELS = 2e7;
	private static final int LEAST = 2000, MOST = 16384, POSES = 8;
	private static final int BISECTIONS = 32;
	/** The number of independent pixels of a window below which more matches than expected are found, see {@code src/doc/statistics.md}. */
	private static final double LEAST_PIXELS = 40;

	/** The poses of one template and scale. */
	private record Group(Background background, int poses, PoseShare share) {

		BackgroundState state() {
			return background.state() == BackgroundState.OK && background.effectivePixels() < LEAST_PIXELS ? BackgroundState.SMOOTH
				: background.state();
		}

		double falseAlarms(final double score) {
			final double one = background.falseAlarms(score);
			return one > 0 ? poses * one * share.above(background.normal(score)) : 0;
		}
	}

	private final List<Group> groups = new ArrayList<>();

	private PoseBackground() {}

	/**
	 * Samples a frame. Time for each scale: that of the scores of 16,384 windows or fewer with 8 poses, and of 128 windows with all poses.
	 *
	 * @param check called often; an exception ends the sampling
	 */
	public static PoseBackground of(final PoseSet set, final RandomAccessibleInterval<?> frame, final Parallel threads,
		final Runnable check) {
		final PoseBackground all = new PoseBackground();
		final Pixels pixels = ImagePixels.of(frame);
		for (int t = 0; t < set.templates().size(); t++) {
			final List<List<PoseFamily>> scales = scales(set, t);
			final List<PoseShare> shares = PoseShare.of(scales, pixels, threads, check);
			for (int s = 0; s < scales.size(); s++) {
				final List<PoseFamily> families = scales.get(s);
				all.groups.add(new Group(background(families, frame, pixels, threads, check),
					families.stream().mapToInt(f -> f.poses.size()).sum(), shares.get(s)));
			}
		}
		return all;
	}

	/**
	 * The seconds on one thread.
	 *
	 * @param read the seconds to read a pixel of a window
	 * @param exact the seconds to score it with a pose
	 * @param noise the seconds for a multiplication of {@link WindowNoise}
	 */
	static double seconds(final PoseSet set, final double read, final double exact, final double noise) {
		double seconds = 0;
		for (int t = 0; t < set.templates().size(); t++) {
			final List<List<PoseFamily>> scales = scales(set, t);
			final int all = PoseShare.windows(scales);
			for (final List<PoseFamily> families : scales) {
				final int poses = families.stream().mapToInt(f -> f.poses.size()).sum();
				final double pixels = families.get(0).members.length();
				seconds += noise * WindowNoise.multiplications(families.get(0).members.first())
					+ pixels * windows(families) * (Math.min(POSES, families.size()) * read + Math.min(POSES, poses) * exact)
					+ pixels * all * (families.size() * read + poses * exact);
			}
		}
		return seconds;
	}

	private static int windows(final List<PoseFamily> families) {
		return (int) Math.max(LEAST, Math.min(MOST, PIXELS / families.get(0).members.length()));
	}

	/** The families of a template, scale by scale. With the support whole, each pose is a family. */
	private static List<List<PoseFamily>> scales(final PoseSet set, final int template) {
		final List<List<PoseFamily>> scales = new ArrayList<>();
		for (final PoseFamily f : set.families()) {
			if (f.template != template) continue;
			final double scale = f.poses.get(0).scale();
			if (scales.isEmpty() || scales.get(scales.size() - 1).get(0).poses.get(0).scale() != scale) scales.add(new ArrayList<>());
			scales.get(scales.size() - 1).add(f);
		}
		return scales;
	}

	/** The background of the map of one pose. */
	private static Background background(final List<PoseFamily> families, final RandomAccessibleInterval<?> frame, final Pixels pixels,
		final Parallel threads, final Runnable check)
	{
		final PoseFamily first = families.get(0);
		final int n = first.shift.length;
		final long[] image = pixels.size(), lags = new long[n];
		final int[] block = new int[n];
		int volume = 1;
		for (int d = 0; d < n; d++) {
			final int axis = d;
			lags[d] = families.stream().mapToLong(f -> f.lags(axis, image)).max().orElse(1);
			block[d] = (int) Math.min(d == 0 ? LENGTH : ROWS, families.stream().mapToLong(f -> f.lags(axis, image)).min().orElse(1));
			volume *= block[d];
		}
		final int windows = windows(families), blocks = (windows + volume - 1) / volume;
		final List<int[]> poses = new ArrayList<>();
		for (int f = 0; f < families.size(); f++)
			for (int p = 0; p < families.get(f).poses.size(); p++) poses.add(new int[] { f, p });
		final int each = Math.min(POSES, poses.size());
		final MapSample sample = new MapSample();
		threads.each(blocks, b -> {
			check.run();
			// poses all around, others in each block
			final Map<Integer, List<Integer>> chosen = new TreeMap<>();
			for (int k = 0; k < each; k++) {
				final int[] pose = poses.get((int) ((b * 7919L + (long) k * poses.size() / each) % poses.size()));
				chosen.computeIfAbsent(pose[0], f -> new ArrayList<>()).add(pose[1]);
			}
			int row = b * each;
			for (final Map.Entry<Integer, List<Integer>> e : chosen.entrySet())
				// each pose of each block has rows of its own
				for (final float[] scores : scores(families.get(e.getKey()), e.getValue(), pixels, b, block))
					sample.add(place(n, (long) (ROWS + 1) * row++), block, FloatBuffer.wrap(scores));
		});
		final Template template = first.members.first();
		final Supplier<WindowNoise> noise = () -> WindowNoise.of(template, pixels, frame);
		return threads.within(() -> BackgroundFit.of(sample, lags, false, noise).orElseGet(() -> Background.analytic(noise.get(), lags)));
	}

	private static long[] place(final int n, final long row) {
		final long[] place = new long[n];
		place[1] = row;
		return place;
	}

	/** The scores of a few poses of a family in a block of windows. */
	private static float[][] scores(final PoseFamily family, final List<Integer> poses, final Pixels pixels, final int index,
		final int[] block) {
		final MemberWindow window = new MemberWindow(pixels, family.members);
		final long[] lag = new long[block.length], origin = new long[block.length];
		int n = 1;
		for (int d = 0; d < lag.length; d++) {
			n *= block[d];
			origin[d] = PoseShare.place(index, d, family.lags(d, pixels.size()) - block[d] + 1);
		}
		final float[][] scores = new float[poses.size()][n];
		for (int i = 0; i < n; i++) {
			for (int d = 0, rest = i; d < lag.length; rest /= block[d++]) lag[d] = origin[d] + rest % block[d];
			final boolean defined = window.read(lag);
			for (int k = 0; k < scores.length; k++) scores[k][i] = defined ? (float) window.score(poses.get(k)) : Float.NaN;
		}
		return scores;
	}

	/** The expected number of matches with at least this score in background alone. */
	public double falseAlarms(final double score) {
		double sum = 0;
		for (final Group g : groups) sum += g.falseAlarms(score);
		return sum;
	}

	/** How far the number of matches with at least this score holds: the state of the groups that give most of it. */
	public BackgroundState state(final double score) {
		final Map<BackgroundState, Double> alarms = new EnumMap<>(BackgroundState.class);
		for (final Group g : groups) alarms.merge(g.state(), g.falseAlarms(score), Double::sum);
		return Collections.max(alarms.entrySet(), Map.Entry.comparingByValue()).getKey();
	}

	/** The smallest score with at most this number of expected false alarms. */
	public double minScore(final double falseAlarms) {
		double low = -1, high = 1;
		for (int i = 0; i < BISECTIONS; i++) {
			final double middle = (low + high) / 2;
			if (falseAlarms(middle) > falseAlarms) low = middle;
			else high = middle;
		}
		return high;
	}
}
