package sc.fiji.ncc.cpu.ncc;

import sc.fiji.ncc.cpu.correlator.SumOrder;
import sc.fiji.ncc.cpu.window.NumeratorError;
import sc.fiji.ncc.numeric.CompensatedSum;
import sc.fiji.ncc.numeric.RoundingBound;
import sc.fiji.ncc.numeric.Tolerance;

/**
 * The rounding errors of a direct sum {@code Σ f·p}, as a function of the window. With p = m + d, m the window's mean about the reference, each partial sum
 * is {@code m·S + Σ f·d}, S the partial sum of the coefficients f. It is rounded by at most one eps of itself. Errors in r, in eps:
 * <ul>
 * <li>of the deviations d: {@code √(Σ c²·f²/w)/‖T̂‖}, c the number of roundings of sums that contain the product. The sum of all magnitudes {@code |Σ f·d|} is
 * at most {@code Σ c·|f·d|}; by Cauchy and Schwarz this is at most that root times {@code √(Σ w·d²)}. This is a bound.</li>
 * <li>of the mean: {@code M·|m|/σ}, {@code M = Σ|S|/(√N·‖T̂‖)}. This is a bound. Where the coefficients carry a random change of standard deviation s
 * ({@link DirectCoefficients}), the rounding errors of m·S are nearly independent: the characteristic function of the change leaves at most {@code
 * 2/π·exp(−2π²·(s/u)²)} of the error on average, u = 2·eps·|S| the last place. Let β be that share, and q the last place of the coefficient, of which
 * a change is a multiple ({@link RoundingBound#common}). Then {@code M = (Σ min(|S|, β·|S| + q/(2·eps)) + 7·√(Σ S²/3))/(√N·‖T̂‖)}: seven standard
 * deviations.</li>
 * </ul>
 * Derivation of both: first order in eps.
 */
final class DirectError implements SumOrder.Sum {

	/** Seven standard deviations of a rounding error, which is uniform within one eps. */
	private static final double DEVIATIONS = 7 / Math.sqrt(3);
	/** A change with a standard deviation of less than this many eps of the greatest coefficient that carries it has too few values to be random. */
	private static final double COARSE = 4;

	private final double[] coefficients, weights, changes;
	private final double eps;
	/** The change of the previous coefficient. */
	private double last;
	private double partial, magnitudes, remaining, squares;
	/** The additions of the run so far; Σ f²/w of the run, and the same times the additions before, and their squares; Σ c²·f²/w of all runs. */
	private double roundings, energy, late, later, contained;

	private DirectError(final double[] coefficients, final double[] weights, final double[] changes, final double eps) {
		this.coefficients = coefficients;
		this.weights = weights;
		this.changes = changes;
		this.eps = eps;
	}

	@Override
	public void start() {
		contained += Math.max(0, roundings * (roundings * energy - 2 * late) + later);
		partial = roundings = energy = late = later = 0;
	}

	@Override
	public void add(final int i, final int n) {
		double sum = 0, greatest = 0;
		for (int j = i + n - 1; j >= i; j--) {
			if (coefficients[j] == 0) continue;
			sum += coefficients[j];
			greatest = Math.max(greatest, Math.abs(coefficients[j]));
			final double square = weights == null ? coefficients[j] * coefficients[j] : coefficients[j] * (coefficients[j] / weights[j]);
			// the product is in so many of the sums before, too
			final double before = roundings - (n > 1 ? j - i + 1 : 0);
			energy += square;
			late += square * before;
			later += square * before * before;
			// a change is absorbed by the next coefficient: that of the one before is left in this sum
			if (n > 1) round(Math.abs(sum), changes == null ? 0 : j > i ? changes[j - 1] : last, greatest);
		}
		if (greatest == 0) return;
		if (changes != null) last = changes[i + n - 1];
		roundings++;
		partial += sum;
		round(Math.abs(partial), last, greatest);
	}

	private void round(final double magnitude, final double change, final double coefficient) {
		magnitudes += magnitude;
		if (change < COARSE * eps * coefficient || magnitude == 0) remaining += magnitude;
		else {
			final double places = change / (2 * eps * magnitude);
			final double share = 2 / Math.PI * Math.exp(-2 * Math.PI * Math.PI * places * places);
			remaining += Math.min(magnitude, magnitude * share + RoundingBound.common(magnitude, coefficient));
			squares += magnitude * magnitude;
		}
	}

	/**
	 * The errors of a response.
	 *
	 * @param ofMean for each |m|/σ
	 * @param ofDeviations independent of the window
	 * @param changed the part of it that is due to the coefficients
	 */
	record Of(double ofMean, double ofDeviations, double changed) {

		/** The maximum (m/σ)² at which the error stays below the tolerance; never 0, because its inverse is used. */
		double limit(final double tolerance) {
			return Math.max(Double.MIN_NORMAL, Math.pow(Math.max(0, tolerance - ofDeviations) / ofMean, 2));
		}
	}

	/**
	 * The coefficients of a sum.
	 *
	 * @param rounded the same as rounded for the sum
	 * @param weights null if all are 1
	 * @param changes the standard deviation of the random change of each coefficient, which the next one absorbs. Default: null
	 */
	record Coefficients(double[] exact, double[] rounded, double[] weights, double[] changes) {}

	/**
	 * @param inexact the roundings of each pixel and product before it is added
	 * @param n the sum of the weights
	 * @param norm ‖T̂‖
	 */
	static Of of(final SumOrder order, final Coefficients of, final double n, final double norm, final double inexact, final double eps) {
		final CompensatedSum all = new CompensatedSum();
		double magnitude = 0, changed = 0, ofMean = 0, ofDeviations = 0;
		for (int i = 0; i < of.rounded.length; i++) {
			if (of.rounded[i] == 0 && of.exact[i] == 0) continue;
			all.add(of.rounded[i]);
			magnitude += Math.abs(of.rounded[i]);
			final double by = of.rounded[i] - of.exact[i];
			changed += by * by / (of.weights == null ? 1 : of.weights[i]);
		}
		for (int phase = 0; phase < order.phases(); phase++) {
			final DirectError e = new DirectError(of.rounded, of.weights, of.changes, eps);
			order.walk(phase, e);
			e.start();
			ofMean = Math.max(ofMean, Math.min(e.magnitudes, e.remaining + DEVIATIONS * Math.sqrt(e.squares)));
			ofDeviations = Math.max(ofDeviations, Math.sqrt(e.contained));
		}
		final double perMean = (eps * (ofMean + inexact * magnitude) + Math.abs(all.value())) / (Math.sqrt(n) * norm);
		return new Of(perMean, (eps * ofDeviations + Math.sqrt(changed)) / norm + (1 + inexact) * eps, Math.sqrt(changed) / norm);
	}

	/**
	 * The error estimate of direct sums: it grows with the distance of a window's mean from the reference ({@link DirectError}).
	 *
	 * @param limit the maximum (m/σ)² of a window
	 * @param changed the error of rounded coefficients, over ‖T̂‖
	 * @param partialError the rounding errors where a part of the template overlaps, see {@link DirectCoefficients#partialError}
	 * @param tolerance the tolerance of a response
	 */
	record Limits(double limit, double changed, double partialError, double tolerance, double floor) implements NumeratorError {

		@Override
		public double partialLimit(final double share, final double contrast) {
			if (share >= 1) return limit;
			final double error = partialError + (changed == 0 ? 0 : changed / Math.sqrt(contrast));
			return Math.min(Tolerance.DOUBLE_LIMIT, Math.pow(tolerance / error, 2) - 1);
		}
	}
}
