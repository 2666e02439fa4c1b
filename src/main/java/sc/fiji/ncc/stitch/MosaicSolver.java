package sc.fiji.ncc.stitch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;

import sc.fiji.ncc.numeric.BandMatrix;
import sc.fiji.ncc.numeric.ResidualCovariance;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.result.Mosaic.Link;
import sc.fiji.ncc.result.Mosaic.Placed;

/**
 * The positions of tiles that fit all links best: weighted least squares with the covariances of the links. A pair of neighbours without a link has the
 * distance and the uncertainty of the stage, see {@link StageModel}. A link that contradicts the others is left out: the residual in units of its covariance
 * follows a χ² distribution. The limit is such that with the probability 1 − level no good link exceeds it. The link with the largest
 * residual goes first, then the rest is solved again.
 * <p>
 * Complexity for n tiles in a grid with s tiles along the shorter side: {@code O(n·s²)} for each round, see {@link BandMatrix}.
 */
public final class MosaicSolver {

	/** A link without redundancy has no residual: the share of its variance that the other links leave open. */
	private static final double REDUNDANT = 1e-3;
	/** The number of residuals that say how good the covariances are. */
	private static final int ENOUGH = 8;
	private static final double MEDIAN = 0.5;

	private final Tiles tiles;
	private final int n, dimensions;
	private final List<TilePair> pairs;
	private final List<Link> links;
	/** Null if no tile has an approximate position. */
	private final StageModel stage;
	private final boolean[] used;
	private final String[] reasons;
	/** For each link the inverse of its covariance; null if it is not used. */
	private final double[][][] weights;
	/** For each tile its group, and the number of tiles in each group. */
	private int[] group;
	private double scale = 1;

	private double[][] positions;
	private int[] place;
	private BandMatrix factor, inverse;

	/** An equation: the distance of two tiles, with its weight matrix. */
	private record Edge(int a, int b, double[] distance, double[][] weight) {}

	/** @param stage null if no tile has an approximate position */
	MosaicSolver(final Tiles tiles, final List<TilePair> pairs, final List<Link> links, final StageModel stage) {
		this.tiles = tiles;
		this.pairs = pairs;
		this.links = links;
		this.stage = stage;
		n = tiles.count();
		dimensions = tiles.dimensions();
		used = new boolean[links.size()];
		reasons = new String[links.size()];
		weights = new double[links.size()][][];
		for (int i = 0; i < used.length; i++) {
			if (links.get(i).used()) weights[i] = ResidualCovariance.inverse(links.get(i).covariance());
			used[i] = weights[i] != null;
			reasons[i] = links.get(i).used() && !used[i] ? "the covariance of the shift is singular" : links.get(i).reason();
		}
	}

	/**
	 * Solves for the positions.
	 *
	 * @param level the probability that any good link is left out
	 * @param error the largest error of the stage that was compared; null without positions
	 * @param measured whether it follows from links
	 */
	Mosaic solve(final double level, final long[] error, final boolean measured) {
		solveOnce();
		final double[] squares = IntStream.range(0, used.length).filter(i -> used[i]).mapToDouble(this::chiSquare).filter(t -> !Double.isNaN(t)).sorted().toArray();
		final ChiSquaredDistribution distribution = new ChiSquaredDistribution(null, dimensions);
		if (squares.length >= ENOUGH) {
			final double ratio = squares[squares.length / 2] / distribution.inverseCumulativeProbability(MEDIAN);
			if (ratio > 1) {
				scale = Math.sqrt(ratio);
				solveOnce();
			}
		}
		// of several good links, none is left out with the probability 1 − level
		final double each = -Math.expm1(Math.log1p(-level) / Math.max(1, links.stream().filter(Link::used).count()));
		final double limit = distribution.inverseCumulativeProbability(1 - each);
		while (reject(limit)) solveOnce();
		return mosaic(error, measured);
	}

	/** Leaves out the links that contradict the others most. Links near to each other share their residuals, so only the worst one of them goes. */
	private boolean reject(final double limit) {
		final double[] squares = new double[used.length];
		for (int i = 0; i < used.length; i++) squares[i] = used[i] ? chiSquare(i) : Double.NaN;
		final List<Integer> bad = IntStream.range(0, used.length).filter(i -> squares[i] > limit).boxed()
			.sorted(Comparator.<Integer>comparingDouble(i -> -squares[i]).thenComparingDouble(i -> links.get(i).score())).toList();
		final Set<Integer> touched = new HashSet<>();
		for (final int i : bad) {
			final Link l = links.get(i);
			final Set<Integer> around = new HashSet<>(List.of(l.a(), l.b()));
			for (int k = 0; k < used.length; k++)
				if (used[k] && (links.get(k).a() == l.a() || links.get(k).b() == l.b() || links.get(k).a() == l.b() || links.get(k).b() == l.a()))
					around.addAll(List.of(links.get(k).a(), links.get(k).b()));
			if (around.stream().anyMatch(touched::contains)) continue;
			touched.addAll(around);
			used[i] = false;
			reasons[i] = String.format(Locale.ROOT, Mosaic.REJECTED + " the other links by %.1f standard deviations", Math.sqrt(squares[i]));
		}
		return !bad.isEmpty();
	}

	private double[] residual(final int i) {
		final Link l = links.get(i);
		final double[] residual = new double[dimensions];
		for (int d = 0; d < dimensions; d++) residual[d] = l.shift()[d] - (positions[l.b()][d] - positions[l.a()][d]);
		return residual;
	}

	/** The square of the residual of a link in units of its covariance; NaN if nothing contradicts it. */
	private double chiSquare(final int i) {
		final Link l = links.get(i);
		if (l.shift() == null || l.covariance() == null || !inverse.holds(place[l.a()] * dimensions, (place[l.b()] + 1) * dimensions - 1)
			|| !inverse.holds((place[l.a()] + 1) * dimensions - 1, place[l.b()] * dimensions)) return Double.NaN;
		final double[][] c = new double[dimensions][dimensions];
		for (int d = 0; d < dimensions; d++)
			for (int e = 0; e < dimensions; e++) {
				final double positions = covariance(l.a(), d, l.a(), e) + covariance(l.b(), d, l.b(), e) - covariance(l.a(), d, l.b(), e) - covariance(l.b(), d, l.a(), e);
				c[d][e] = scale * scale * l.covariance()[d][e] + (used[i] ? -positions : positions);
			}
		for (int d = 0; d < dimensions; d++) if (!(c[d][d] > REDUNDANT * scale * scale * l.covariance()[d][d])) return Double.NaN;
		final double[] r = residual(i);
		final double[][] w = ResidualCovariance.inverse(c);
		if (w == null) return Double.NaN;
		double square = 0;
		for (int d = 0; d < dimensions; d++) for (int e = 0; e < dimensions; e++) square += r[d] * w[d][e] * r[e];
		return square < 0 ? Double.NaN : square;
	}

	private double covariance(final int tile, final int d, final int other, final int e) {
		return inverse.get(place[tile] * dimensions + d, place[other] * dimensions + e);
	}

	private List<Edge> edges() {
		final List<Edge> edges = new ArrayList<>();
		for (int i = 0; i < used.length; i++) {
			final TilePair pair = pairs.get(i);
			if (used[i]) {
				final double[][] weight = new double[dimensions][dimensions];
				for (int d = 0; d < dimensions; d++) for (int e = 0; e < dimensions; e++) weight[d][e] = weights[i][d][e] / (scale * scale);
				edges.add(new Edge(pair.a(), pair.b(), links.get(i).shift(), weight));
			}
			else if (pair.isExpected()) edges.add(stageEdge(pair.a(), pair.b(), stage.distance(pair)));
		}
		// tiles that lie apart from all others, and groups of them, keep the distances of the stage
		final int[] groups = groups(edges), placed = tiles.placed();
		final Set<Integer> joined = new HashSet<>();
		for (final int i : placed) {
			if (!joined.add(groups[i]) || i == placed[0]) continue;
			final double[] distance = new double[dimensions];
			for (int d = 0; d < dimensions; d++) distance[d] = tiles.get(i).position()[d] - tiles.get(placed[0]).position()[d];
			edges.add(stageEdge(placed[0], i, distance));
		}
		return edges;
	}

	private Edge stageEdge(final int a, final int b, final double[] distance) {
		final double[][] weight = new double[dimensions][dimensions];
		for (int d = 0; d < dimensions; d++) weight[d][d] = 1 / (stage.sigma()[d] * stage.sigma()[d]);
		return new Edge(a, b, distance, weight);
	}

	/** The neighbours of each tile. */
	private List<List<Integer>> neighbours(final List<Edge> edges) {
		final List<List<Integer>> all = new ArrayList<>();
		for (int i = 0; i < n; i++) all.add(new ArrayList<>());
		for (final Edge e : edges) {
			all.get(e.a).add(e.b);
			all.get(e.b).add(e.a);
		}
		return all;
	}

	/** For each tile the first tile that edges join it to. */
	private int[] groups(final List<Edge> edges) {
		final int[] first = new int[n];
		Arrays.fill(first, -1);
		final List<List<Integer>> neighbours = neighbours(edges);
		for (int i = 0; i < n; i++) {
			if (first[i] >= 0) continue;
			final Deque<Integer> next = new ArrayDeque<>(List.of(i));
			first[i] = i;
			while (!next.isEmpty())
				for (final int k : neighbours.get(next.remove()))
					if (first[k] < 0) {
						first[k] = i;
						next.add(k);
					}
		}
		return first;
	}

	/** An order of the tiles in which neighbours are near to each other (E. Cuthill and J. McKee 1969): breadth first from a tile at an end. */
	private int[] order(final List<List<Integer>> neighbours) {
		final int[] order = new int[n];
		Arrays.fill(order, -1);
		int next = 0;
		for (int i = 0; i < n; i++) if (order[i] < 0) next = breadth(end(i, neighbours), neighbours, order, next);
		return order;
	}

	private int end(final int from, final List<List<Integer>> neighbours) {
		int tile = from;
		for (int round = 0; round < 2; round++) {
			final int[] order = new int[n];
			Arrays.fill(order, -1);
			final int count = breadth(tile, neighbours, order, 0);
			for (int i = 0; i < n; i++) if (order[i] == count - 1) tile = i;
		}
		return tile;
	}

	private static int breadth(final int start, final List<List<Integer>> neighbours, final int[] order, final int first) {
		int next = first;
		final Deque<Integer> queue = new ArrayDeque<>(List.of(start));
		order[start] = next++;
		while (!queue.isEmpty())
			for (final int k : neighbours.get(queue.remove()).stream().sorted(Comparator.comparingInt(t -> neighbours.get(t).size())).toList())
				if (order[k] < 0) {
					order[k] = next++;
					queue.add(k);
				}
		return next;
	}

	private void solveOnce() {
		final List<Edge> edges = edges();
		final List<List<Integer>> neighbours = neighbours(edges);
		place = order(neighbours);
		group = groups(edges);
		int width = 1;
		for (final Edge e : edges) width = Math.max(width, Math.abs(place[e.a] - place[e.b]) + 1);
		final BandMatrix matrix = new BandMatrix(n * dimensions, width * dimensions - 1);
		final double[] right = new double[n * dimensions];
		for (final Edge e : edges)
			for (int d = 0; d < dimensions; d++)
				for (int f = 0; f < dimensions; f++) {
					final double w = e.weight[d][f];
					final int a = place[e.a] * dimensions, b = place[e.b] * dimensions;
					// the first tile of a group stays at 0
					final boolean fixedA = group[e.a] == e.a, fixedB = group[e.b] == e.b;
					if (!fixedA && d <= f) matrix.add(a + d, a + f, w);
					if (!fixedB && d <= f) matrix.add(b + d, b + f, w);
					if (!fixedA && !fixedB) matrix.add(a + d, b + f, -w);
					if (!fixedA) right[a + d] -= w * e.distance[f];
					if (!fixedB) right[b + d] += w * e.distance[f];
				}
		for (int i = 0; i < n; i++) if (group[i] == i) for (int d = 0; d < dimensions; d++) matrix.add(place[i] * dimensions + d, place[i] * dimensions + d, 1);
		matrix.factorize();
		factor = matrix;
		matrix.solve(right);
		inverse = matrix.inverse();
		for (int i = 0; i < n; i++) if (group[i] == i) for (int d = 0; d < dimensions; d++) inverse.add(place[i] * dimensions + d, place[i] * dimensions + d, -1);
		positions = new double[n][dimensions];
		for (int i = 0; i < n; i++) for (int d = 0; d < dimensions; d++) positions[i][d] = right[place[i] * dimensions + d];
	}

	private Mosaic mosaic(final long[] error, final boolean measured) {
		final List<Edge> held = new ArrayList<>();
		for (int i = 0; i < used.length; i++) if (used[i]) held.add(new Edge(pairs.get(i).a(), pairs.get(i).b(), null, null));
		final int[] linked = groups(held), sizes = new int[n], count = new int[n];
		for (final int g : linked) sizes[g]++;
		for (final Edge e : held) {
			count[e.a]++;
			count[e.b]++;
		}
		// a group that the stage places, if there is one
		final int main = Arrays.stream(stage == null ? linked : Arrays.stream(tiles.placed()).map(i -> linked[i]).toArray()).boxed()
			.max(Comparator.<Integer>comparingInt(g -> sizes[g]).thenComparingInt(g -> -g)).orElseThrow();
		final int[] members = IntStream.range(0, n).filter(i -> linked[i] == main && (stage == null || tiles.isPlaced(i))).toArray();
		final double[] mean = new double[dimensions];
		final double[][] ofMean = new double[dimensions][], both = new double[dimensions][dimensions];
		for (int d = 0; d < dimensions; d++) {
			final double[] one = new double[n * dimensions];
			for (final int i : members) {
				mean[d] += (positions[i][d] - (stage == null ? 0 : tiles.get(i).position()[d])) / members.length;
				if (group[i] != i) one[place[i] * dimensions + d] = 1.0 / members.length;
			}
			factor.solve(one);
			ofMean[d] = one;
			for (final int i : members) for (int e = 0; e < dimensions; e++) both[e][d] += one[place[i] * dimensions + e] / members.length;
		}
		final List<Placed> placed = new ArrayList<>();
		for (int i = 0; i < n; i++) {
			final boolean in = linked[i] == main && sizes[main] > 1;
			if (group[i] != group[main] || stage == null && !in) placed.add(new Placed(tiles.get(i).name(), null, null, count[i], false));
			else {
				final double[] position = new double[dimensions];
				for (int d = 0; d < dimensions; d++) position[d] = positions[i][d] - mean[d];
				placed.add(new Placed(tiles.get(i).name(), position, covariance(i, ofMean, both), count[i], in));
			}
		}
		final List<Link> judged = new ArrayList<>();
		for (int i = 0; i < used.length; i++) {
			final Link l = links.get(i);
			final boolean known = l.shift() != null && placed.get(l.a()).position() != null && placed.get(l.b()).position() != null;
			double sum = 0;
			if (known) for (final double r : residual(i)) sum += r * r;
			judged.add(new Link(l.a(), l.b(), l.shift(), l.score(), l.runnerUp(), l.falseAlarms(), l.covariance(),
				known ? Math.sqrt(sum) : Double.NaN, known ? Math.sqrt(chiSquare(i)) : Double.NaN, used[i], reasons[i]));
		}
		return new Mosaic(placed, judged, error == null ? null : Arrays.stream(error).asDoubleStream().toArray(), measured, scale, "");
	}

	/** The covariance of a position relative to the mean of the linked tiles. */
	private double[][] covariance(final int i, final double[][] ofMean, final double[][] both) {
		final double[][] c = new double[dimensions][dimensions];
		for (int d = 0; d < dimensions; d++)
			for (int e = 0; e < dimensions; e++)
				c[d][e] = covariance(i, d, i, e) - ofMean[e][place[i] * dimensions + d] - ofMean[d][place[i] * dimensions + e] + both[d][e];
		return c;
	}
}
