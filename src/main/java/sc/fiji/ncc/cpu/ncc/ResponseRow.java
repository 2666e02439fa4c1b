package sc.fiji.ncc.cpu.ncc;

import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.plan.Precision;

/** A row of responses, from its sums into the array where those of a tile go, of floats or of doubles. Belongs to one thread. */
abstract class ResponseRow {

	static ResponseRow of(final Precision precision, final int maxLags) {
		return precision == Precision.SINGLE ? new Floats(maxLags) : new Doubles(maxLags);
	}

	/** From here on responses go to this array; null lets go of it. */
	abstract void to(Object array);

	/**
	 * From here on rows belong to a template.
	 *
	 * @param n the sum of its weights
	 * @param norm {@code √Σ w·(T - mean T)²}
	 */
	abstract void select(double n, double norm);

	/**
	 * Writes the responses of a row of windows inside the image.
	 *
	 * @param o where they go in the array
	 * @param way where their numerators are finished
	 * @param windows where sums and energies come from
	 * @param least the least variance of each window; may be null
	 * @param floor the least of any
	 * @param slack receives how much each variance stands above what makes it suspect, errors added up: negative where it lies below the floor, the least
	 *        variance and the mean's square over the limits together
	 * @return whether none is suspect
	 */
	abstract boolean inside(Numerator way, WindowMoments windows, int z, int y, double[] sums, double[] energies, double[] least, double floor, double[] slack,
		int o, int lags);

	/** Writes one response, in [-1, 1] or undefined. */
	abstract void put(int i, double response);

	private static final class Floats extends ResponseRow {

		private final float[] products;
		private final Normalisation normalisation;
		private float[] tile;

		Floats(final int maxLags) {
			products = new float[maxLags];
			normalisation = new Normalisation(maxLags);
		}

		@Override
		void to(final Object array) {
			tile = (float[]) array;
		}

		@Override
		void select(final double n, final double norm) {
			normalisation.select(n, norm);
		}

		@Override
		boolean inside(final Numerator way, final WindowMoments windows, final int z, final int y, final double[] sums, final double[] energies,
			final double[] least, final double floor, final double[] slack, final int o, final int lags)
		{
			final float[] numerators = way.finish(z, y, products);
			return normalisation.responses(numerators, sums, energies, least, 1 / (1 / way.limit() + 1 / windows.limit()), floor, slack, tile, o, lags);
		}

		@Override
		void put(final int i, final double response) {
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
		void to(final Object array) {
			tile = (double[]) array;
		}

		@Override
		void select(final double n, final double norm) {
			this.n = n;
			this.norm = norm;
		}

		@Override
		boolean inside(final Numerator way, final WindowMoments windows, final int z, final int y, final double[] sums, final double[] energies,
			final double[] least, final double floor, final double[] slack, final int o, final int lags)
		{
			way.finish(z, y, products);
			// the variances take the place of the energies
			PairRows.variances(sums, windows.sumRests(), energies, windows.energyRests(), n, mean, energies, lags);
			final double share = 1 / way.limit() + 1 / windows.limit();
			boolean sound = true;
			for (int x = 0; x < lags; x++) {
				slack[x] = energies[x] - mean[x] * share - floor - (least == null ? 0 : least[x]);
				sound &= slack[x] >= 0;
			}
			for (int x = 0; x < lags; x++) r[x] = Math.max(-1, Math.min(1, products[x] / (Math.sqrt(energies[x]) * norm)));
			System.arraycopy(r, 0, tile, o, lags);
			return sound;
		}

		@Override
		void put(final int i, final double response) {
			tile[i] = response;
		}
	}
}
