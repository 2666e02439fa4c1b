package sc.fiji.ncc.peaks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;

/** Greedy selection: chooses the best candidate, then the best of those that it does not suppress, and so on. */
public final class GreedySelection {

	private GreedySelection() {}

	/**
	 * The result is the same as if every candidate had its exact value from the start. However, it computes exact values only for candidates that can
	 * affect the result: those with an approximate value within {@code tolerance} of the best remaining exact value.
	 *
	 * @param candidates with approximate values, in any order
	 * @param suppression decides which candidates a chosen one suppresses; receives all chosen ones
	 * @param maxCount the maximum number of chosen candidates
	 * @param minScore the least exact value
	 * @param tolerance the largest error of an approximate value
	 * @param exact the exact value at a position; NaN if the position is no candidate
	 * @return the chosen candidates with their exact values, in the order of {@link Peak}
	 */
	public static List<Peak> best(final Collection<Peak> candidates, final Covering suppression, final int maxCount, final double minScore,
		final double tolerance, final ToDoubleFunction<long[]> exact)
	{
		final PriorityQueue<Peak> approximate = new PriorityQueue<>(candidates), confirmed = new PriorityQueue<>();
		final List<Peak> chosen = new ArrayList<>();
		while (chosen.size() < maxCount) {
			while (!approximate.isEmpty() && (confirmed.isEmpty() || approximate.peek().value() + tolerance >= confirmed.peek().value())) {
				final long[] position = approximate.peek().position();
				if (!(approximate.poll().value() + tolerance >= minScore)) approximate.clear();
				else if (!suppression.covers(position)) {
					final double value = exact.applyAsDouble(position);
					if (value >= minScore) confirmed.add(new Peak(position, value));
				}
			}
			if (confirmed.isEmpty()) break;
			final Peak best = confirmed.poll();
			if (suppression.covers(best.position())) continue;
			suppression.accept(best.position());
			chosen.add(best);
		}
		return chosen;
	}
}
