package sc.fiji.ncc.register;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The positions of frames from measured shifts between pairs of them, by robust least squares: the sum of {@code ρ(|p(to) − p(from) − shift| / σ)} is smallest, with
 * the ρ of Cauchy. The start is the sum of shifts along the tree of the pairs with the highest scores, so that a wrong measurement cannot pull it away. Then come
 * least squares with weights from the residuals (Holland and Welsch 1977, doi:10.1080/03610927708827533), each solved by conjugate gradients.
 */
final class ShiftSolver {

	/** Rounds of new weights; the constant of Cauchy's ρ for 95 % efficiency; the smallest standard deviation of a measurement in pixels. */
	private static final int ROUNDS = 20;
	private static final double CAUCHY = 2.385, LEAST_SIGMA = 0.003;
	private static final double CONVERGED = 1e-5;

	/**
	 * A measured shift.
	 *
	 * @param variance the variance of the shift along a dimension, in square pixels, which weighs the measurement; 0 if unknown
	 * @param covariance of the shift; null if unknown
	 * @param alarms the expected number of noise peaks as high as that of this shift, see {@link sc.fiji.ncc.statistics.NoisePeak}; NaN without a second peak
	 */
	record Edge(int from, int to, double[] shift, double score, double variance, double runnerUp, double overlap, boolean edge, double[][] covariance,
		double alarms) implements Serializable {

		/** A measurement whose covariance is unknown. */
		Edge(final int from, final int to, final double[] shift, final double score, final double variance, final double runnerUp,
			final double overlap, final boolean edge) {
			this(from, to, shift, score, variance, runnerUp, overlap, edge, null, Double.NaN);
		}

		Edge from(final int other) {
			return new Edge(other, to, shift, score, variance, runnerUp, overlap, edge, covariance, alarms);
		}
	}

	private final int frames, anchor, dimensions;
	private final List<Edge> edges;
	/** The positions; NaN for frames that are not connected with the anchor. */
	final double[][] positions;
	private final double[] weights, sigmas;

	/**
	 * @param anchor the frame at position 0
	 */
	ShiftSolver(final int frames, final int anchor, final int dimensions, final List<Edge> edges) {
		this.frames = frames;
		this.anchor = anchor;
		this.dimensions = dimensions;
		this.edges = edges;
		positions = new double[frames][dimensions];
		weights = new double[edges.size()];
		sigmas = edges.stream().mapToDouble(e -> Math.max(LEAST_SIGMA, Math.sqrt(e.variance()))).toArray();
		// a tree has no residuals
		if (tree() < edges.size()) refine();
	}

	/** Places the frames along the tree of the pairs with the highest scores. Returns the number of its pairs. */
	private int tree() {
		for (final double[] p : positions) Arrays.fill(p, Double.NaN);
		final int[] group = IntStream.range(0, frames).toArray();
		final List<Edge> sorted = edges.stream().sorted(Comparator.comparingDouble(e -> -e.score())).toList();
		final List<Edge> taken = new ArrayList<>();
		for (final Edge e : sorted) {
			final int a = root(group, e.from()), b = root(group, e.to());
			if (a == b) continue;
			group[a] = b;
			taken.add(e);
		}
		final List<List<Edge>> at = DriftEvaluation.at(frames, taken);
		positions[anchor] = new double[dimensions];
		final ArrayDeque<Integer> open = new ArrayDeque<>(List.of(anchor));
		while (!open.isEmpty()) {
			final int i = open.poll();
			for (final Edge e : at.get(i)) {
				final int other = e.from() == i ? e.to() : e.from();
				if (!Double.isNaN(positions[other][0])) continue;
				for (int d = 0; d < dimensions; d++) positions[other][d] = positions[i][d] + (e.from() == i ? e.shift()[d] : -e.shift()[d]);
				open.add(other);
			}
		}
		return taken.size();
	}

	/** The first frame of the largest group of frames that measurements connect. */
	static int firstOfLargestGroup(final int frames, final List<Edge> edges) {
		final int[] group = IntStream.range(0, frames).toArray(), sizes = new int[frames];
		for (final Edge e : edges) {
			final int a = root(group, e.from()), b = root(group, e.to());
			group[Math.max(a, b)] = Math.min(a, b);
		}
		for (int i = 0; i < frames; i++) sizes[root(group, i)]++;
		return IntStream.range(0, frames).reduce((a, b) -> sizes[b] > sizes[a] ? b : a).orElseThrow();
	}

	private static int root(final int[] group, final int i) {
		int r = i;
		while (group[r] != r) r = group[r] = group[group[r]];
		return r;
	}

	private void refine() {
		final double[] residuals = new double[edges.size()];
		for (int round = 0; round < ROUNDS; round++) {
			for (int e = 0; e < residuals.length; e++) residuals[e] = distance(edges.get(e)) / sigmas[e];
			// 1.18 is the median of a Rayleigh distribution: the distance of two normal coordinates
			final double scale = Math.max(1, median(residuals) / 1.18);
			for (int e = 0; e < weights.length; e++) {
				final double r = residuals[e] / (CAUCHY * scale);
				weights[e] = Double.isNaN(r) ? 0 : 1 / (sigmas[e] * sigmas[e] * (1 + r * r));
			}
			double moved = 0;
			for (int d = 0; d < dimensions; d++) moved = Math.max(moved, gradients(d));
			if (moved < CONVERGED) return;
		}
	}

	private static double median(final double[] values) {
		final double[] sorted = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
		return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
	}

	/** The distance between a measured shift and that of the positions, in pixels. */
	double distance(final Edge e) {
		double sum = 0;
		for (int d = 0; d < dimensions; d++) {
			final double r = positions[e.to()][d] - positions[e.from()][d] - e.shift()[d];
			sum += r * r;
		}
		return Math.sqrt(sum);
	}

	/** Solves the weighted least squares along a dimension by conjugate gradients (Hestenes and Stiefel 1952). Returns the largest change. */
	private double gradients(final int d) {
		final double[] x = new double[frames], r = new double[frames], p = new double[frames], ap = new double[frames],
			diagonal = new double[frames], z = new double[frames];
		for (int e = 0; e < weights.length; e++) {
			final Edge edge = edges.get(e);
			if (weights[e] == 0) continue;
			diagonal[edge.from()] += weights[e];
			diagonal[edge.to()] += weights[e];
			final double miss = weights[e] * (edge.shift()[d] - positions[edge.to()][d] + positions[edge.from()][d]);
			r[edge.to()] += miss;
			r[edge.from()] -= miss;
		}
		r[anchor] = 0;
		double rz = 0, first = 0;
		for (int i = 0; i < frames; i++) {
			z[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : 0;
			p[i] = z[i];
			rz += r[i] * z[i];
		}
		first = rz;
		for (int k = 0; k < 20 * frames && rz > 1e-18 * first && rz > 0; k++) {
			Arrays.fill(ap, 0);
			for (int e = 0; e < weights.length; e++) {
				final Edge edge = edges.get(e);
				final double difference = weights[e] * (p[edge.to()] - p[edge.from()]);
				ap[edge.to()] += difference;
				ap[edge.from()] -= difference;
			}
			ap[anchor] = 0;
			double pap = 0;
			for (int i = 0; i < frames; i++) pap += p[i] * ap[i];
			if (!(pap > 0)) break;
			final double alpha = rz / pap;
			double next = 0;
			for (int i = 0; i < frames; i++) {
				x[i] += alpha * p[i];
				r[i] -= alpha * ap[i];
				z[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : 0;
				next += r[i] * z[i];
			}
			for (int i = 0; i < frames; i++) p[i] = z[i] + next / rz * p[i];
			rz = next;
		}
		double most = 0;
		for (int i = 0; i < frames; i++)
			if (!Double.isNaN(positions[i][d])) {
				positions[i][d] += x[i];
				most = Math.max(most, Math.abs(x[i]));
			}
		return most;
	}
}
