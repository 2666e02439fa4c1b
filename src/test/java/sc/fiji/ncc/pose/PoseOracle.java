package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Pose;

/** The definition: every pose at every position, in plain loops. It shares the sampled templates with the search, and nothing else. */
public final class PoseOracle {

	/** A match: position and number of the grid pose. */
	public record Found(int template, List<Long> position, Pose pose, double score) {}

	private record Cell(int template, long[] position, Pose pose, double score, double radius) {}

	private PoseOracle() {}

	/** All matches of two-dimensional templates, best first. */
	public static List<Found> find(final RandomAccessibleInterval<? extends RealType<?>> image, final List<Template> templates, final List<Pose> poses, final double minScore,
		final double overlap)
	{
		final PoseSet set = PoseSet.of(templates, poses, PoseSupport.DISK, 0).fitting(image.dimensionsAsLongArray());
		final double[][] pixels = new double[(int) image.dimension(1)][(int) image.dimension(0)];
		final RandomAccess<? extends RealType<?>> a = image.randomAccess();
		for (int y = 0; y < pixels.length; y++)
			for (int x = 0; x < pixels[0].length; x++) pixels[y][x] = a.setPositionAndGet(x + image.min(0), y + image.min(1)).getRealDouble();
		final List<Cell> maxima = new ArrayList<>();
		for (int t = 0; t < templates.size(); t++) maxima.addAll(maxima(set, t, pixels, minScore));
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

	private static List<Cell> maxima(final PoseSet set, final int template, final double[][] pixels, final double minScore) {
		final int h = pixels.length, w = pixels[0].length, edge = 200;
		final double[][] best = new double[h + 2 * edge][w + 2 * edge];
		final int[][] pose = new int[h + 2 * edge][w + 2 * edge];
		for (final double[] row : best) Arrays.fill(row, Double.NEGATIVE_INFINITY);
		for (final PoseFamily f : set.families()) {
			if (f.template != template) continue;
			final int[] box = f.support.box();
			for (int y = 0; y + box[1] <= h; y++)
				for (int x = 0; x + box[0] <= w; x++) {
					final double[] window = new double[f.support.pixels().length];
					for (int i = 0; i < window.length; i++) window[i] = pixels[y + f.support.pixels()[i] / box[0]][x + f.support.pixels()[i] % box[0]];
					for (int p = 0; p < f.poses.size(); p++) {
						final double score = score(window, f.values[p]);
						final int px = (int) (x - f.shift[0]) + edge, py = (int) (y - f.shift[1]) + edge;
						if (score > best[py][px]) {
							best[py][px] = score;
							pose[py][px] = f.first + p;
						}
					}
				}
		}
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
				final Pose p = set.poses().get(pose[y][x]);
				maxima.add(new Cell(template, new long[] { x - edge, y - edge }, p, best[y][x], p.scale() * PoseSet.radius(set.size(template))));
			}
		return maxima;
	}

	/** The correlation coefficient; NaN if the window is flat. */
	private static double score(final double[] window, final float[] values) {
		double mw = 0, mv = 0;
		for (int i = 0; i < window.length; i++) {
			mw += window[i] / window.length;
			mv += values[i] / (double) window.length;
		}
		double wv = 0, ww = 0, vv = 0;
		for (int i = 0; i < window.length; i++) {
			final double a = window[i] - mw, b = values[i] - mv;
			wv += a * b;
			ww += a * a;
			vv += b * b;
		}
		return ww < 1e-18 * mw * mw * window.length || ww == 0 ? Double.NaN : wv / Math.sqrt(ww * vv);
	}
}
