package sc.fiji.ncc.cpu.fourier;

import java.util.List;

import sc.fiji.ncc.cpu.fft.TileFft;

/**
 * The spectra of templates for sums under the image's mask: of their values, of the squares of these, and of the weights if they are zeros and ones. Those of
 * a template are computed when a thread first needs them. Shared by all threads.
 */
public final class MaskSpectra {

	final TemplateParts parts;
	final TileFft fft;
	private final List<PartSpectra> values;
	private final List<double[]> coefficients, deviations;
	/** Null if each is 1. */
	private final double[] weights;
	private final boolean whole;
	private final PartSpectra[] squares;
	private PartSpectra ofWeights;

	/**
	 * @param values the spectra of the coefficients
	 * @param coefficients the weighted values of each template
	 * @param deviations their values without weights
	 * @param weights null if each is 1
	 * @param whole whether they are zeros and ones
	 */
	public MaskSpectra(final TemplateParts parts, final List<PartSpectra> values, final List<double[]> coefficients, final List<double[]> deviations, final double[] weights,
		final boolean whole)
	{
		this.parts = parts;
		this.values = values;
		this.coefficients = coefficients;
		this.deviations = deviations;
		this.weights = weights;
		this.whole = whole;
		fft = values.get(0).fft;
		squares = new PartSpectra[values.size()];
	}

	/** The number of templates. */
	int count() {
		return squares.length;
	}

	PartSpectra values(final int template) {
		return values.get(template);
	}

	/**
	 * The spectrum of the weighted squares about their mean: the transforms then have no large sums that the number of present pixels gives exactly.
	 *
	 * @param meanSquare the weighted mean of the squares
	 */
	synchronized PartSpectra squares(final int template, final double meanSquare) {
		if (squares[template] == null) {
			final double[] c = coefficients.get(template), d = deviations.get(template), squared = new double[c.length];
			for (int i = 0; i < c.length; i++) squared[i] = c[i] * d[i] - (weights == null ? meanSquare : weights[i] * meanSquare);
			squares[template] = new PartSpectra(fft, parts, squared);
		}
		return squares[template];
	}

	/** The spectrum of the weights; null if there are none of zeros and ones. */
	synchronized PartSpectra weights() {
		if (ofWeights == null && weights != null && whole) ofWeights = new PartSpectra(fft, parts, weights);
		return ofWeights;
	}
}
