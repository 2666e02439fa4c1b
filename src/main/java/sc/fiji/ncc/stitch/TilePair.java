package sc.fiji.ncc.stitch;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import sc.fiji.ncc.plan.Size;

/**
 * Two tiles that may overlap, and the strips in which they may overlap.
 * <p>
 * The strips are laid so that the expected shift between them is {@link #centre}, 0 except for very small overlaps: one strip is the expected overlap, the
 * other one is longer by the stage's error. So all shifts within the stage's error are compared, and no others.
 *
 * @param a the number of the first tile
 * @param b the number of the second tile
 * @param expected the expected position of b minus that of a, in pixels; null if it is unknown
 * @param minA the first pixel of the strip in a
 * @param minB the first pixel of the strip in b
 * @param sizeA the extents of the strip in a
 * @param sizeB the extents of the strip in b
 * @param least the smallest extent of an overlap along each dimension, in pixels
 * @param error the largest distance from the expected shift; null for any
 */
record TilePair(int a, int b, double[] expected, long[] minA, long[] minB, long[] sizeA, long[] sizeB, long[] least, long[] error)
	implements Serializable
{

	/** The smallest extent of an overlap, in pixels; of tiles of few pixels along a dimension, such as few slices, half of them. */
	private static final int LEAST = 8;
	/** The smallest overlap of two tiles at a corner as a share of that with other neighbours. */
	private static final double CORNER = 0.25;
	/** The share of an overlap without positions, at least; and the strips are cut to multiples of this share of their extents if there are many sizes. */
	static final double LEAST_SHARE = 0.1;
	private static final int PARTS = 16, MANY = 24;

	/** What pairs need to be measured together. */
	record Shape(Size fixed, Size moving, List<Long> most) {}

	/**
	 * The pairs of tiles that may overlap. A tile without an approximate position is compared with all others.
	 *
	 * @param error the largest distance between the expected and the true shift of two neighbours, along each dimension; null if no tile has a position
	 */
	static List<TilePair> of(final Tiles tiles, final long[] error) {
		final List<TilePair> pairs = new ArrayList<>(neighbours(tiles, error));
		for (int a = 0; a < tiles.count(); a++)
			for (int b = a + 1; b < tiles.count(); b++) if (!tiles.isPlaced(a) || !tiles.isPlaced(b)) pairs.add(anywhere(tiles, a, b));
		return pairs;
	}

	private static List<TilePair> neighbours(final Tiles tiles, final long[] error) {
		final double[] best = new double[tiles.count()];
		final List<int[]> near = near(tiles, error);
		final List<Double> areas = new ArrayList<>();
		for (final int[] p : near) {
			final double area = area(tiles, p[0], p[1], error);
			areas.add(area);
			for (final int tile : p) best[tile] = Math.max(best[tile], area);
		}
		final List<int[]> kept = new ArrayList<>();
		for (int i = 0; i < near.size(); i++) {
			final int[] p = near.get(i);
			if (areas.get(i) >= CORNER * Math.min(best[p[0]], best[p[1]]) || isSide(tiles, p[0], p[1])) kept.add(p);
		}
		final List<TilePair> pairs = kept.stream().map(p -> of(tiles, p[0], p[1], error, Integer.MAX_VALUE)).toList();
		if (pairs.stream().map(TilePair::shape).distinct().count() <= MANY) return pairs;
		return kept.stream().map(p -> of(tiles, p[0], p[1], error, PARTS)).toList();
	}

	/** The pairs that may overlap, in the order of their numbers: of all tiles, those near to each other along x are compared. */
	private static List<int[]> near(final Tiles tiles, final long[] error) {
		final int[] order = Arrays.stream(tiles.placed()).boxed().sorted(Comparator.comparingDouble(i -> tiles.get(i).position()[0])).mapToInt(i -> i)
			.toArray();
		final List<int[]> near = new ArrayList<>();
		for (int i = 0; i < order.length; i++) {
			final Tile left = tiles.get(order[i]);
			final double end = left.position()[0] + left.size()[0] + error[0];
			for (int k = i + 1; k < order.length && tiles.get(order[k]).position()[0] <= end; k++) {
				final int[] pair = { Math.min(order[i], order[k]), Math.max(order[i], order[k]) };
				if (area(tiles, pair[0], pair[1], error) > 0) near.add(pair);
			}
		}
		near.sort(Comparator.<int[]>comparingInt(p -> p[0]).thenComparingInt(p -> p[1]));
		return near;
	}

	private static TilePair anywhere(final Tiles tiles, final int a, final int b) {
		final int d = tiles.dimensions();
		return new TilePair(a, b, null, new long[d], new long[d], tiles.size(a), tiles.size(b), least(tiles, a, b), null);
	}

	private static long[] least(final Tiles tiles, final int a, final int b) {
		final long[] sa = tiles.size(a), sb = tiles.size(b), least = new long[sa.length];
		for (int d = 0; d < least.length; d++) least[d] = Math.min(LEAST, Math.min(sa[d], sb[d]) / 2);
		return least;
	}

	/** The largest expected overlap of two tiles within the error; 0 if they cannot overlap. */
	private static double area(final Tiles tiles, final int a, final int b, final long[] error) {
		final Tile one = tiles.get(a), two = tiles.get(b);
		final long[] least = least(tiles, a, b);
		double area = 1;
		for (int d = 0; d < error.length; d++) {
			final double shift = two.position()[d] - one.position()[d];
			final double overlap = Math.min(one.size()[d], two.size()[d] + shift) - Math.max(0, shift);
			if (overlap + error[d] < least[d]) return 0;
			area *= Math.max(overlap, Math.max(1, least[d]));
		}
		return area;
	}

	/** Whether two tiles overlap at a side, not at a corner: by at least half of an extent along all dimensions but one. */
	private static boolean isSide(final Tiles tiles, final int a, final int b) {
		final Tile one = tiles.get(a), two = tiles.get(b);
		int narrow = 0;
		for (int d = 0; d < one.position().length; d++) {
			final double shift = two.position()[d] - one.position()[d];
			if (Math.min(one.size()[d], two.size()[d] + shift) - Math.max(0, shift) < Math.min(one.size()[d], two.size()[d]) / 2.0) narrow++;
		}
		return narrow <= 1;
	}

	private static TilePair of(final Tiles tiles, final int a, final int b, final long[] error, final int parts) {
		final int n = error.length;
		final long[] sa = tiles.size(a), sb = tiles.size(b), least = least(tiles, a, b);
		final double[] expected = new double[n];
		final long[] minA = new long[n], minB = new long[n], sizeA = new long[n], sizeB = new long[n];
		for (int d = 0; d < n; d++) {
			expected[d] = tiles.get(b).position()[d] - tiles.get(a).position()[d];
			final long shift = Math.round(expected[d]), start = Math.max(0, shift), end = Math.min(sa[d], sb[d] + shift);
			final long wider = Math.max(0, least[d] - (end - start));
			minA[d] = Math.max(0, start - wider);
			minB[d] = Math.max(0, start - wider - shift);
			sizeA[d] = cut(Math.min(sa[d], end + error[d]) - minA[d], parts);
			sizeB[d] = cut(Math.min(sb[d], end - shift + error[d]) - minB[d], parts);
		}
		return new TilePair(a, b, expected, minA, minB, sizeA, sizeB, least, error);
	}

	private static long cut(final long extent, final int parts) {
		final long part = Math.max(1, extent / parts);
		return extent / part * part;
	}

	/** Whether both tiles have an approximate position. */
	boolean isExpected() {
		return expected != null;
	}

	/** The expected shift between the strips along a dimension, in whole pixels. */
	long centre(final int d) {
		return expected == null ? 0 : minA[d] - Math.round(expected[d]) - minB[d];
	}

	/** The largest shift between the strips; null for any. */
	private List<Long> most() {
		if (error == null) return List.of();
		final Long[] most = new Long[error.length];
		for (int d = 0; d < most.length; d++) most[d] = error[d] + Math.abs(centre(d));
		return Arrays.asList(most);
	}

	Shape shape() {
		return new Shape(Size.of(sizeA), Size.of(sizeB), most());
	}

	/** The smallest overlap of the strips, as a share of the largest one. */
	double minOverlap() {
		if (error == null) return LEAST_SHARE;
		double share = 1;
		for (int d = 0; d < error.length; d++) {
			final double common = Math.min(sizeA[d], sizeB[d]);
			share *= Math.max(Math.min(common, Math.max(1, least[d])), common - most().get(d)) / common;
		}
		return share;
	}

	/** The position of b minus that of a from the shift between the strips. */
	double[] distance(final double[] shift) {
		final double[] distance = new double[minA.length];
		for (int d = 0; d < distance.length; d++) distance[d] = minA[d] - shift[d] - minB[d];
		return distance;
	}

	/** Whether a whole-pixel shift lies within the stage's error, and not at the least overlap: a better one may lie beyond. */
	boolean allows(final int[] lag) {
		for (int d = 0; d < minA.length; d++) {
			if (error != null && Math.abs(lag[d] - centre(d)) > error[d]) return false;
			if (Math.min(sizeA[d], sizeB[d] - lag[d]) - Math.max(0, -lag[d]) <= least[d]) return false;
		}
		return true;
	}

	/** The number of shifts that are compared. */
	double shifts() {
		double shifts = 1;
		for (int d = 0; d < minA.length; d++) shifts *= shifts(d);
		return shifts;
	}

	/** The number of shifts that are compared along a dimension. */
	double shifts(final int d) {
		return error == null ? (sizeA[d] + sizeB[d]) * (1 - LEAST_SHARE) : 2.0 * error[d] + 1;
	}
}
