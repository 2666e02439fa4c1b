package sc.fiji.ncc.cpu.response;

import java.util.Arrays;

import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.plan.Precision;

/** Computes a row of responses from its sums and writes it to an array of floats or of doubles. Belongs to one thread. */
public abstract class ResponseRow {

	public static ResponseRow of(final Precision precision, final int maxLags) {
		return precision == Precision.SINGLE ? new Floats(maxLags) : new Doubles(maxLags);
	}

	/** Sets the destination of responses; null releases it. */
	public abstract void to(Object array);

	/**
	 * Selects a template for the following rows.
	 *
	 * @param n the sum of its weights
	 * @param norm {@code √Σ w·(T - mean T)²}
	 */
	public abstract void select(double n, double norm);

	/** Finishes the numerators of a row, and with them their error estimates. */
	public abstract void finish(Numerator numerator, int z, int y);

	/**
	 * Writes the responses of a row of windows inside the image, whose numerators are finished.
	 *
	 * @param sums the sums of the windows; null if the energies are already variances
	 * @param moments the source of the rounding errors of sums and energies
	 * @param share the minimum variance, as a share of the squared mean
	 * @param minVariance the minimum variance of each window; may be null
	 * @param floor the minimum variance of any window
	 * @param slack receives each variance minus the floor, the minimum variance, and the squared mean over both limits. A negative slack marks a response
	 *        that must be rechecked
	 * @param o the index of the first response in the array
	 * @return whether no response must be rechecked
	 */
	public abstract boolean inside(double[] sums, double[] energies, WindowMoments moments, double share, double[] minVariance, double floor, double[] slack, int o, int lags);

	/** Writes one response: a value in [-1, 1], or the value of an undefined response. */
	public abstract void put(int i, double response);

	private static final class Floats extends ResponseRow {

		private final float[] products;
		/** Sums of 0. */
		private final double[] none;
		private final Normalisation normalisation;
		private float[] numerators, tile;

		Floats(final int maxLags) {
			products = new float[maxLags];
			none = new double[maxLags];
			normalisation = new Normalisation(maxLags);
		}

		@Override
		public void to(final Object array) {
			tile = (float[]) array;
		}

		@Override
		public void select(final double n, final double norm) {
			normalisation.select(n, norm);
		}

		@Override
		public void finish(final Numerator numerator, final int z, final int y) {
			numerators = numerator.finish(z, y, products);
		}

		@Override
		public boolean inside(final double[] sums, final double[] energies, final WindowMoments moments, final double share, final double[] minVariance, final double floor,
			final double[] slack, final int o, final int lags)
		{
			return normalisation.responses(numerators, sums == null ? none : sums, energies, minVariance, 1 / share, floor, slack, tile, o, lags);
		}

		@Override
		public void put(final int i, final double response) {
			tile[i] = (float) response;
		}
	}

	private static final class Doubles extends ResponseRow {

		private final double[] products, r, mean;
		private double[] tile;
		private double n, norm;

		Doubles(final int maxLags) {
			products = new double[maxLags];
			r = new double[maxLags];
			mean = new double[maxLags];
		}

		@Override
		public void to(final Object array) {
			tile = (double[]) array;
		}

		@Override
		public void select(final double n, final double norm) {
			this.n = n;
			this.norm = norm;
		}

		@Override
		public void finish(final Numerator numerator, final int z, final int y) {
			numerator.finish(z, y, products);
		}

		@Override
		public boolean inside(final double[] sums, final double[] energies, final WindowMoments moments, final double share, final double[] minVariance, final double floor,
			final double[] slack, final int o, final int lags)
		{
			// the variances overwrite the energies
			if (sums != null) PairRows.variances(sums, moments.sumRests(), energies, moments.energyRests(), n, mean, energies, lags);
			else Arrays.fill(mean, 0, lags, 0);
			boolean sound = true;
			for (int x = 0; x < lags; x++) {
				slack[x] = energies[x] - mean[x] * share - floor - (minVariance == null ? 0 : minVariance[x]);
				sound &= slack[x] >= 0;
			}
			for (int x = 0; x < lags; x++) r[x] = Math.max(-1, Math.min(1, products[x] / (Math.sqrt(energies[x]) * norm)));
			System.arraycopy(r, 0, tile, o, lags);
			return sound;
		}

		@Override
		public void put(final int i, final double response) {
			tile[i] = response;
		}
	}
}
