package sc.fiji.ncc.numeric;

/**
 * A sum in double that keeps what each addition loses (Neumaier 1974). Equal terms round alike, so that the errors of a plain sum add up: many light
 * weights beside a heavy one, or the deviations of a template of few levels.
 */
public final class CompensatedSum {

	private double sum, lost;

	public static double of(final double[] terms) {
		final CompensatedSum sum = new CompensatedSum();
		for (final double term : terms) sum.add(term);
		return sum.value();
	}

	public void add(final double term) {
		final double next = sum + term, part = next - sum;
		lost += (sum - (next - part)) + (term - part);
		sum = next;
	}

	/** Adds another sum with what it keeps. */
	public void add(final CompensatedSum other) {
		add(other.sum);
		lost += other.lost;
	}

	public double value() {
		return sum + lost;
	}
}
