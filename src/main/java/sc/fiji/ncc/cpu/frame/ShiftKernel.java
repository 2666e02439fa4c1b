package sc.fiji.ncc.cpu.frame;

/**
 * The weights of neighbouring pixels for a position between them: a sinc with a Kaiser window of 8 pixels (Kaiser and Schafer 1980, doi:10.1109/TASSP.1980.1163349),
 * or for short dimensions the cubic of 4 pixels (Keys 1981, doi:10.1109/TASSP.1981.1163711).
 */
final class ShiftKernel {

	private static final double BETA = 4.5;

	/** The first pixel relative to the position's whole part, and the weights. Their sum is 1. */
	final int first;
	final float[] weights;

	/**
	 * @param taps 8, 4, or 1 for a dimension without a shift between the pixels
	 * @param fraction from 0 to 1
	 */
	ShiftKernel(final int taps, final double fraction) {
		first = taps == 1 ? 0 : 1 - taps / 2;
		weights = new float[taps];
		final double[] w = new double[taps];
		double sum = 0;
		for (int i = 0; i < taps; i++) {
			final double t = fraction - (first + i);
			w[i] = taps == 1 ? 1 : taps == 4 ? cubic(Math.abs(t)) : sinc(t) * kaiser(t / (taps / 2));
			sum += w[i];
		}
		for (int i = 0; i < taps; i++) weights[i] = (float) (w[i] / sum);
	}

	private static double sinc(final double t) {
		return t == 0 ? 1 : Math.sin(Math.PI * t) / (Math.PI * t);
	}

	private static double kaiser(final double t) {
		return Math.abs(t) >= 1 ? 0 : bessel(BETA * Math.sqrt(1 - t * t)) / bessel(BETA);
	}

	/** The modified Bessel function of the first kind and order 0. */
	private static double bessel(final double x) {
		double sum = 1, term = 1;
		for (int k = 1; k < 30; k++) {
			term *= x / 2 / k;
			sum += term * term;
		}
		return sum;
	}

	private static double cubic(final double t) {
		return t < 1 ? 1.5 * t * t * t - 2.5 * t * t + 1 : t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0;
	}
}
