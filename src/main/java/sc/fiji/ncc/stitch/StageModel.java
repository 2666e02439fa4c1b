package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import sc.fiji.ncc.result.Mosaic.Link;

/**
 * How far the stage stands from where it was sent, from the links between neighbours: the median deviation of neighbours along each dimension (an overlap that
 * is larger or smaller than stated), and the spread about it.
 *
 * @param offset the median deviation of the distance of neighbours from the expected one: for each dimension along which tiles are neighbours, a vector
 * @param sigma the standard deviation of the distance of neighbours along each dimension, in pixels
 */
record StageModel(double[][] offset, double[] sigma) {

	/** Without a setting the first links are searched within this share of a tile, and at least so many pixels. */
	private static final double FIRST = 0.1;
	private static final long LEAST_FIRST = 24;
	/** The pairs of the first links, the number of links that say enough, and the error over the largest deviation. */
	private static final int SAMPLE = 32, ENOUGH = 4;
	private static final double MORE = 2;
	private static final long MARGIN = 3;
	/** The smallest standard deviation of a stage, in pixels. */
	private static final double LEAST_SIGMA = 0.5;

	/** The largest error in the search for the first links. */
	static long[] first(final Tiles tiles) {
		final long[] size = tiles.size(0), error = new long[size.length];
		for (int d = 0; d < error.length; d++) error[d] = Math.max(Math.min(LEAST_FIRST, size[d] / 2), (long) (FIRST * size[d]));
		return error;
	}

	/** Some of the neighbours, from all parts of the mosaic. */
	static List<TilePair> sample(final List<TilePair> all) {
		final List<TilePair> pairs = all.stream().filter(TilePair::isExpected).toList();
		if (pairs.size() <= SAMPLE) return pairs;
		final List<TilePair> some = new ArrayList<>();
		for (int i = 0; i < SAMPLE; i++) some.add(pairs.get((int) ((i + 0.5) * pairs.size() / SAMPLE)));
		return some;
	}

	/** Whether there are enough links for {@link #error}. */
	static boolean isMeasured(final List<Link> links) {
		return links.stream().filter(Link::used).count() >= ENOUGH;
	}

	/** The largest error that the deviations of links let expect; at most {@code most}. */
	static long[] error(final List<TilePair> pairs, final List<Link> links, final long[] most) {
		final long[] error = most.clone();
		for (int d = 0; d < most.length; d++) {
			double largest = 0;
			for (int i = 0; i < pairs.size(); i++)
				if (links.get(i).used()) largest = Math.max(largest, Math.abs(links.get(i).shift()[d] - pairs.get(i).expected()[d]));
			error[d] = Math.min(most[d], (long) Math.ceil(MORE * largest) + MARGIN);
		}
		return error;
	}

	/** @param error the largest error that was compared */
	static StageModel of(final List<TilePair> pairs, final List<Link> links, final long[] error) {
		final int n = error.length;
		final double[][] offset = new double[n][n];
		final double[] sigma = new double[n];
		for (int d = 0; d < n; d++) {
			final List<double[]> all = new ArrayList<>();
			for (int along = 0; along < n; along++) {
				final int direction = along, component = d;
				final double[] deviations = IntStream.range(0, pairs.size())
					.filter(i -> links.get(i).used() && pairs.get(i).isExpected() && direction(pairs.get(i)) == direction)
					.mapToDouble(i -> sign(pairs.get(i)) * (links.get(i).shift()[component] - pairs.get(i).expected()[component])).sorted().toArray();
				if (deviations.length < ENOUGH) continue;
				final double median = (deviations[(deviations.length - 1) / 2] + deviations[deviations.length / 2]) / 2;
				offset[along][d] = median;
				all.add(Arrays.stream(deviations).map(v -> Math.abs(v - median)).toArray());
			}
			final double[] spread = all.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
			// the root mean square without the largest twentieth, which may be wrong links
			final int kept = (int) Math.ceil(0.95 * spread.length);
			sigma[d] = spread.length == 0 ? Math.max(LEAST_SIGMA, error[d] / 2.0)
				: Math.max(LEAST_SIGMA, Math.sqrt(Arrays.stream(spread).limit(kept).map(v -> v * v).average().orElseThrow()));
		}
		return new StageModel(offset, sigma);
	}

	private static int direction(final TilePair pair) {
		return direction(pair.expected());
	}

	/** The dimension along which two tiles are neighbours: that with the largest distance. */
	static int direction(final double[] distance) {
		int direction = 0;
		for (int d = 1; d < distance.length; d++) if (Math.abs(distance[d]) > Math.abs(distance[direction])) direction = d;
		return direction;
	}

	/** The expected position of b minus that of a, with the median deviation. */
	double[] distance(final TilePair pair) {
		final double[] distance = pair.expected().clone();
		for (int d = 0; d < distance.length; d++) distance[d] += sign(pair) * offset[direction(pair)][d];
		return distance;
	}

	/** Whether the second tile lies in the positive direction, 1, or in the negative one, −1. */
	private static double sign(final TilePair pair) {
		return pair.expected()[direction(pair)] < 0 ? -1 : 1;
	}
}
