package sc.fiji.ncc.peaks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;

/** Chooses the best of many candidates, greedily: the best, then the best of those that it leaves, and so on. */
public final class Selection {

	private Selection() {}

	/**
	 * The result is the same as if every candidate had its exact value from the start, but only those are computed that can make a
	 * difference: a candidate's turn comes while its rough value is within {@code tolerance} of the best exact one.
	 *
	 * @param candidates with rough values, in any order
	 * @param suppression which candidates an accepted one puts out; it is told of all that are accepted
	 * @param most how many at most
	 * @param least the least exact value
	 * @param tolerance how far rough values are off, at most
	 * @param exact a position's exact value; NaN if it is no candidate after all
	 * @return the chosen with their exact values, in {@link Peak}'s order
	 */
	public static List<Peak> best(final Collection<Peak> candidates, final Suppression suppression, final int most, final double least,
		final double tolerance, final ToDoubleFunction<long[]> exact)
	{
		final PriorityQueue<Peak> rough = new PriorityQueue<>(candidates), sure = new PriorityQueue<>();
		final List<Peak> chosen = new ArrayList<>();
		while (chosen.size() < most) {
			while (!rough.isEmpty() && (sure.isEmpty() || rough.peek().value() + tolerance >= sure.peek().value())) {
				final long[] position = rough.peek().position();
				if (!(rough.poll().value() + tolerance >= least)) rough.clear();
				else if (!suppression.covers(position)) {
					final double value = exact.applyAsDouble(position);
					if (value >= least) sure.add(new Peak(position, value));
				}
			}
			if (sure.isEmpty()) break;
			final Peak best = sure.poll();
			if (suppression.covers(best.position())) continue;
			suppression.accept(best.position());
			chosen.add(best);
		}
		return chosen;
	}
}
