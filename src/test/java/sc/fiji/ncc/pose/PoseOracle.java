package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Pose;

/** The definition: every pose at every position, in plain loops. It shares the sampled templates with the search, and nothing else. */
public final class PoseOracle {

	/** A match: position and number of the grid pose. */
	public record Found(int template, List<Long> position, Pose pose, double score) {}

	private record Cell(int template, long[] position, Pose pose, double score, double radius) {}

	private PoseOracle() {}

	/** The best score over all poses of a template, and the number of its pose, at {@code [y + EDGE][x + EDGE]}. Negative infinity where there is no score. */
	public record Best(double[][] score, int[][] pose) {

		/** Positions outside the image on each side. */
		public static final int EDGE = 200;
	}

	/** All matches of two-dimensional templates, best first. The image and the templates can have several channels. */
	public static List<Found> find(final RandomAccessibleInterval<?> image, final List<Template> templates, final List<Pose> poses, final double minScore,
		final double overlap)
	{
		final PoseSet set = PoseSet.of(templates, poses, PoseSupport.DISK, 0).fitting(image.dimensionsAsLongArray());
		final List<Cell> maxima = new ArrayList<>();
		for (int t = 0; t < templates.size(); t++) maxima.addAll(maxima(set, t, best(image, set, t), minScore));
		maxima.sort(Comparator.comparingDouble(Cell::score).reversed().thenComparingLong(c -> c.position()[1]).thenComparingLong(c -> c.position()[0])
			.thenComparingInt(Cell::template));
		final List<Cell> chosen = new ArrayList<>();
		for (final Cell c : maxima) {
			boolean covered = false;
			for (final Cell other : chosen) {
				final double dx = centre(set, c, 0) - centre(set, other, 0), dy = centre(set, c, 1) - centre(set, other, 1);
				covered |= PoseOverlap.balls(2, c.radius(), other.radius(), Math.hypot(dx, dy)) > overlap;
			}
			if (!covered) chosen.add(c);
		}
		final List<Found> found = new ArrayList<>();
		for (final Cell c : chosen) found.add(new Found(c.template(), Arrays.stream(c.position()).boxed().toList(), c.pose(), c.score()));
		return found;
	}

	private static double centre(final PoseSet set, final Cell c, final int d) {
		return c.position()[d] + set.size(c.template())[d] / 2.0;
	}

	/** The pixels of each channel, row by row. */
	private static double[][][] pixels(final RandomAccessibleInterval<?> image) {
		final double[][][] pixels = new double[JointImage.channels(image)][(int) image.dimension(1)][(int) image.dimension(0)];
		for (int c = 0; c < pixels.length; c++) {
			final RandomAccess<?> a = JointImage.channelsOf(image).get(c).randomAccess();
			for (int y = 0; y < pixels[0].length; y++)
				for (int x = 0; x < pixels[0][0].length; x++) pixels[c][y][x] = ((RealType<?>) a.setPositionAndGet(x + image.min(0), y + image.min(1))).getRealDouble();
		}
		return pixels;
	}

	/** Every pose at every position. */
	public static Best best(final RandomAccessibleInterval<?> image, final PoseSet set, final int template) {
		final double[][][] pixels = pixels(image);
		final int h = pixels[0].length, w = pixels[0][0].length, edge = Best.EDGE;
		final double[][] best = new double[h + 2 * edge][w + 2 * edge];
		final int[][] pose = new int[h + 2 * edge][w + 2 * edge];
		for (final double[] row : best) Arrays.fill(row, Double.NEGATIVE_INFINITY);
		for (final PoseFamily f : set.families()) {
			if (f.template != template) continue;
			final int[] box = f.support.box();
			for (int y = 0; y + box[1] <= h; y++)
				for (int x = 0; x + box[0] <= w; x++) {
					final int n = f.support.pixels().length;
					final double[][] window = new double[pixels.length][n];
					for (int c = 0; c < window.length; c++)
						for (int i = 0; i < n; i++) window[c][i] = pixels[c][y + f.support.pixels()[i] / box[0]][x + f.support.pixels()[i] % box[0]];
					for (int p = 0; p < f.poses.size(); p++) {
						final double score = score(window, f.members.values()[p]);
						final int px = (int) (x - f.shift[0]) + edge, py = (int) (y - f.shift[1]) + edge;
						if (score > best[py][px]) {
							best[py][px] = score;
							pose[py][px] = f.first + p;
						}
					}
				}
		}
		return new Best(best, pose);
	}

	private static List<Cell> maxima(final PoseSet set, final int template, final Best all, final double minScore) {
		final double[][] best = all.score();
		final List<Cell> maxima = new ArrayList<>();
		for (int y = 1; y + 1 < best.length; y++)
			for (int x = 1; x + 1 < best[0].length; x++) {
				boolean top = best[y][x] >= minScore;
				for (int dy = -1; dy <= 1 && top; dy++)
					for (int dx = -1; dx <= 1; dx++) {
						final boolean before = dy < 0 || dy == 0 && dx < 0;
						if (dx != 0 || dy != 0) top &= before ? best[y + dy][x + dx] < best[y][x] : best[y + dy][x + dx] <= best[y][x];
					}
				if (!top) continue;
				final Pose p = set.poses().get(all.pose()[y][x]);
				maxima.add(new Cell(template, new long[] { x - Best.EDGE, y - Best.EDGE }, p, best[y][x], p.scale() * PoseSet.radius(set.size(template))));
			}
		return maxima;
	}

	/**
	 * The correlation coefficient, each channel about its own mean; NaN if all channels are flat.
	 *
	 * @param values channel after channel
	 */
	private static double score(final double[][] window, final float[] values) {
		double wv = 0, ww = 0, vv = 0;
		for (int c = 0; c < window.length; c++) {
			final int n = window[c].length;
			double mw = 0, mv = 0;
			for (int i = 0; i < n; i++) {
				mw += window[c][i] / n;
				mv += values[c * n + i] / (double) n;
			}
			double energy = 0;
			for (int i = 0; i < n; i++) {
				final double a = window[c][i] - mw, b = values[c * n + i] - mv;
				wv += a * b;
				energy += a * a;
				vv += b * b;
			}
			if (energy >= 1e-18 * mw * mw * n) ww += energy;
		}
		return ww == 0 ? Double.NaN : wv / Math.sqrt(ww * vv);
	}
}
