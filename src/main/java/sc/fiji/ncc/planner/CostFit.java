package sc.fiji.ncc.planner;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;

/**
 * Fits the constants of cost models to measured times. It needs no information about the models: it records which constants they request,
 * and it varies each constant to see how the predictions change.
 * <p>
 * The fit minimizes the sum of two parts: the errors of the predictions, and the changes of the constants. Both are logarithms, relative to
 * their usual size. So a constant moves only as far as the runs that depend on it demand, and it keeps its shipped value if none does.
 * <p>
 * Errors and changes count by their squares, and above their usual size by their size, so that a few large ones are possible. But a
 * prediction that is longer than the measured time always counts by the square of its error: then a constant is too large. A run can take
 * longer than it should for many other reasons: code that is not compiled, memory that is used for the first time, other programs.
 */
final class CostFit {

	/** As logarithms: the usual error of a prediction, and the usual change of a constant. */
	private static final double ERROR = 0.1, CHANGE = Math.log(2);
	/** As logarithms: the largest change of a constant in one step, the largest in total, and the step of a derivative. */
	private static final double MAX_STEP = 1, MAX_CHANGE = Math.log(30), DERIVATIVE_STEP = 0.02;
	private static final int STEPS = 40;
	/** The weight of a cold run that takes longer than predicted. */
	private static final double COLD = 0.001;

	/** Measured times with a model that predicts them. */
	interface Timed {

		/** The prediction. */
		Cost cost(Device device);

		/** The measured time of a call. */
		double seconds();

		/** The measured time of its frames, without the preparation. */
		double frameSeconds();

		/** Whether it still gets faster, so that its code may not be compiled. */
		boolean isCold();
	}

	private CostFit() {}

	/** Shipped constants that record each request. */
	static Constants recording(final Map<String, Double> requested) {
		return (name, shipped) -> {
			requested.put(name, shipped);
			return shipped;
		};
	}

	/** Constants with factors. @param logFactors the logarithms of the factors */
	static Constants scaled(final List<String> names, final double[] logFactors) {
		return (name, shipped) -> {
			final int k = names.indexOf(name);
			return k < 0 ? shipped : shipped * Math.exp(logFactors[k]);
		};
	}

	/** The logarithm of a factor, limited to the largest change. */
	static double limited(final double logFactor) {
		return Math.max(-MAX_CHANGE, Math.min(MAX_CHANGE, logFactor));
	}

	/** The logarithms of the factors by which the constants change, by Gauss-Newton steps of limited length with new weights in each step. */
	static double[] logFactors(final Device device, final List<? extends Timed> runs, final List<String> names) {
		final int n = names.size();
		final double[] logFactors = new double[n];
		final List<int[]> requested = runs.stream().map(r -> requested(r, device, names)).toList();
		for (int step = 0; step < STEPS; step++) {
			final double[][] normal = new double[n][n + 1];
			for (int k = 0; k < n; k++) {
				normal[k][k] = ERROR * ERROR / (CHANGE * CHANGE) * weight(logFactors[k], CHANGE);
				normal[k][n] = -normal[k][k] * logFactors[k];
			}
			for (int i = 0; i < runs.size(); i++) add(runs.get(i), requested.get(i), device, names, logFactors, normal);
			final double[] change = solve(normal);
			for (int k = 0; k < n; k++) logFactors[k] = limited(logFactors[k] + Math.max(-MAX_STEP, Math.min(MAX_STEP, change[k])));
		}
		return logFactors;
	}

	/** The indices of the constants on which a run depends. */
	private static int[] requested(final Timed run, final Device device, final List<String> names) {
		final Map<String, Double> requested = new TreeMap<>();
		run.cost(device.with(recording(requested)));
		return requested.keySet().stream().mapToInt(names::indexOf).toArray();
	}

	/** Adds a run to the normal equations. @param on the constants on which it depends */
	private static void add(final Timed run, final int[] on, final Device device, final List<String> names, final double[] logFactors,
		final double[][] normal)
	{
		final double[] predicted = predicted(run, device.with(scaled(names, logFactors))), measured = { run.seconds(), run.frameSeconds() };
		final double[][] slopes = new double[measured.length][names.size()];
		for (final int k : on) {
			final double[] shifted = logFactors.clone();
			shifted[k] += DERIVATIVE_STEP;
			final double[] with = predicted(run, device.with(scaled(names, shifted)));
			for (int i = 0; i < slopes.length; i++) slopes[i][k] = Math.log(with[i] / predicted[i]) / DERIVATIVE_STEP;
		}
		for (int i = 0; i < slopes.length; i++) {
			final double residual = Math.log(measured[i] / predicted[i]);
			final double weight = residual < 0 ? 1 : weight(residual, ERROR) * (run.isCold() ? COLD : 1);
			for (final int k : on) {
				for (final int l : on) normal[k][l] += weight * slopes[i][k] * slopes[i][l];
				normal[k][names.size()] += weight * slopes[i][k] * residual;
			}
		}
	}

	/** The weight of a square, so that the sum counts the size of what is above the usual one. */
	private static double weight(final double size, final double usual) {
		return Math.min(1, usual / Math.abs(size));
	}

	private static double[] predicted(final Timed run, final Device device) {
		final Cost cost = run.cost(device);
		return new double[] { cost.seconds(), cost.frameSeconds() };
	}

	/** Gaussian elimination without pivoting: the weight of the changes makes the matrix positive definite. */
	private static double[] solve(final double[][] a) {
		final int n = a.length;
		for (int k = 0; k < n; k++)
			for (int i = k + 1; i < n; i++) {
				final double f = a[i][k] / a[k][k];
				for (int j = k; j <= n; j++) a[i][j] -= f * a[k][j];
			}
		final double[] x = new double[n];
		for (int i = n - 1; i >= 0; i--) {
			double sum = a[i][n];
			for (int j = i + 1; j < n; j++) sum -= a[i][j] * x[j];
			x[i] = sum / a[i][i];
		}
		return x;
	}
}
