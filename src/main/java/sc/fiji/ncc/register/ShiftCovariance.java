package sc.fiji.ncc.register;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;

import sc.fiji.ncc.register.ShiftSolver.Edge;

/**
 * The covariances of the shifts of frames, from those of the measured pairs.
 * <p>
 * The error of a pair comes from the noise of both frames. All pairs of a frame share the noise of that frame, so the mean of several measurements is not much better than one: a
 * frame with several measurements has the mean of their covariances. A frame with one measurement has its covariance plus that of the other frame. In a chain of
 * frames, neighbouring pairs share a frame, whose noise cancels. There, the sum is an upper limit.
 *
 * @param nodes the number of frames, with the reference if it is not a frame
 * @param anchor the node at position 0
 */
record ShiftCovariance(int dimensions, int nodes, int anchor, List<Edge> edges) {

	/** The covariance of each position relative to the anchor; null where it is unknown. */
	double[][][] positions() {
		final List<List<Edge>> at = DriftEvaluation.at(nodes, edges);
		final double[][][] known = new double[nodes][][];
		known[anchor] = new double[dimensions][dimensions];
		final boolean[] seen = new boolean[nodes];
		seen[anchor] = true;
		final ArrayDeque<Integer> open = new ArrayDeque<>(List.of(anchor));
		while (!open.isEmpty()) {
			final int i = open.poll();
			for (final Edge e : at.get(i)) {
				final int other = e.from() == i ? e.to() : e.from();
				if (seen[other]) continue;
				seen[other] = true;
				open.add(other);
				// in a tree one of the frame's pairs leads to the anchor
				known[other] = edges.size() < nodes ? sum(known[i], e.covariance()) : mean(at.get(other));
			}
		}
		return known;
	}

	/**
	 * The covariance of a frame from its pairs with frames before.
	 *
	 * @param before the covariance of the other frame of a pair
	 */
	static double[][] next(final int dimensions, final List<Edge> mine, final Function<Edge, double[][]> before) {
		if (mine.isEmpty()) return new double[dimensions][dimensions];
		return mine.size() == 1 ? sum(before.apply(mine.get(0)), mine.get(0).covariance()) : mean(mine);
	}

	private static double[][] sum(final double[][] a, final double[][] b) {
		if (a == null || b == null) return null;
		final double[][] sum = new double[a.length][a.length];
		for (int i = 0; i < a.length; i++) for (int j = 0; j < a.length; j++) sum[i][j] = a[i][j] + b[i][j];
		return sum;
	}

	/** The mean over the pairs with a covariance; null if there is none. */
	private static double[][] mean(final List<Edge> pairs) {
		double[][] sum = null;
		int count = 0;
		for (final Edge e : pairs) {
			if (e.covariance() == null) continue;
			sum = sum == null ? e.covariance() : sum(sum, e.covariance());
			count++;
		}
		if (count < 2) return sum;
		for (final double[] row : sum) for (int j = 0; j < row.length; j++) row[j] /= count;
		return sum;
	}
}
