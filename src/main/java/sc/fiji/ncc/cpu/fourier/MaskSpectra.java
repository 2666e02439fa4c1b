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
	private final double[] weights;
	private final PartSpectra[] squares;
	private PartSpectra ofWeights;

	/**
	 * @param values the spectra of the coefficients
	 * @param coefficients the weighted values of each template
	 * @param deviations their values without weights
	 * @param weights zeros and ones. Default: null
	 */
	public MaskSpectra(final TemplateParts parts, final List<PartSpectra> values, final List<double[]> coefficients, final List<double[]> deviations, final double[] weights) {
		this.parts = parts;
		this.values = values;
		this.coefficients = coefficients;
		this.deviations = deviations;
		this.weights = weights;
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

	synchronized PartSpectra squares(final int template) {
		if (squares[template] == null) {
			final double[] c = coefficients.get(template), d = deviations.get(template), squared = new double[c.length];
			for (int i = 0; i < c.length; i++) squared[i] = c[i] * d[i];
			squares[template] = new PartSpectra(fft, parts, squared);
		}
		return squares[template];
	}

	/** The spectrum of the weights; null if there are none of zeros and ones. */
	synchronized PartSpectra weights() {
		if (ofWeights == null && weights != null) ofWeights = new PartSpectra(fft, parts, weights);
		return ofWeights;
	}
}
