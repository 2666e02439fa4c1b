package sc.fiji.ncc.option;

/** How pixels between the pixels are computed. */
public enum Interpolation {

	/** The nearest pixel: frames move by whole pixels, and no value changes. */
	INTEGER(1),
	/** The weighted mean of 2 pixels along each dimension. Smooths noise by an amount that depends on the shift. */
	LINEAR(2),
	/** A cubic through 4 pixels along each dimension (Keys 1981, doi:10.1109/TASSP.1981.1163711). */
	CUBIC(4),
	/** A sinc with the window of Lanczos, over 6 pixels along each dimension (Duchon 1979, doi:10.1175/1520-0450(1979)018<1016:LFIOAT>2.0.CO;2). Keeps detail and noise. */
	LANCZOS(6),
	/** The phases of the Fourier transform. All pixels of a frame count. Keeps all detail and noise; bright edges can ring. */
	FOURIER(0);

	/** The number of pixels along each dimension; 0 for all. */
	public final int pixels;

	Interpolation(final int pixels) {
		this.pixels = pixels;
	}

	/**
	 * The weights of the neighbouring pixels. Their sum is 1.
	 *
	 * @param fraction the distance from the pixel before, from 0 up to 1
	 * @return one weight for each of the {@link #pixels}; the pixel before has the index {@code (pixels - 1) / 2}
	 * @throws UnsupportedOperationException for Fourier interpolation
	 */
	public double[] weights(final double fraction) {
		if (this == FOURIER) throw new UnsupportedOperationException("Fourier interpolation has no weights of a few pixels");
		final double[] w = new double[pixels];
		double sum = 0;
		for (int i = 0; i < pixels; i++) sum += w[i] = weight(Math.abs(fraction - (i - (pixels - 1) / 2)));
		for (int i = 0; i < pixels; i++) w[i] /= sum;
		return w;
	}

	private double weight(final double t) {
		switch (this) {
			case INTEGER: return 1;
			case LINEAR: return Math.max(0, 1 - t);
			case CUBIC: return t < 1 ? 1.5 * t * t * t - 2.5 * t * t + 1 : t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0;
			default: return t == 0 ? 1 : t >= 3 ? 0 : 3 * Math.sin(Math.PI * t) * Math.sin(Math.PI * t / 3) / (Math.PI * Math.PI * t * t);
		}
	}
}
