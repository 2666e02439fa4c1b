package sc.fiji.ncc.cpu.fourier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.fft.TileFft;

/**
 * The spectra of templates for images with missing pixels: of their weighted values, of their weighted squares about the mean of the squares, and of the
 * weights if they are zeros and ones. The squares are taken about their mean because the transforms then have no large sums that the number of present
 * pixels gives exactly. Shared by all threads.
 */
public final class MaskSpectra {

	final TemplateParts parts;
	final TileFft fft;
	private final List<PartSpectra> values = new ArrayList<>(), squares = new ArrayList<>();
	private final double[] meanSquares;
	/** Null if there are none of zeros and ones. */
	final PartSpectra weights;

	/**
	 * @param coefficients the weighted values of each template
	 * @param deviations their values without weights
	 * @param weights null if each is 1
	 * @param whole whether they are zeros and ones
	 */
	public MaskSpectra(final TileFft fft, final TemplateParts parts, final List<double[]> coefficients, final List<double[]> deviations, final double[] weights,
		final boolean whole)
	{
		this.parts = parts;
		this.fft = fft;
		this.weights = weights != null && whole ? new PartSpectra(fft, parts, weights) : null;
		meanSquares = new double[coefficients.size()];
		final boolean line = parts.block[1] == 1 && parts.block[2] == 1;
		for (int t = 0; t < meanSquares.length; t++) {
			final double[] c = coefficients.get(t), squared = squares(c, deviations.get(t), weights, t);
			// with other weights, squares may be larger by orders of magnitude, and their rounding errors with them
			final boolean pair = whole && !line;
			final PartSpectra[] both = pair ? PartSpectra.pair(fft, parts, c, squared) : new PartSpectra[] { new PartSpectra(fft, parts, c),
				new PartSpectra(fft, parts, squared) };
			values.add(both[0]);
			squares.add(both[1]);
		}
	}

	private double[] squares(final double[] coefficients, final double[] deviations, final double[] weights, final int template) {
		final double[] squared = new double[coefficients.length];
		double sum = 0;
		for (int i = 0; i < squared.length; i++) sum += squared[i] = coefficients[i] * deviations[i];
		final double mean = sum / (weights == null ? squared.length : Arrays.stream(weights).sum());
		for (int i = 0; i < squared.length; i++) squared[i] -= weights == null ? mean : weights[i] * mean;
		meanSquares[template] = mean;
		return squared;
	}

	/** The number of templates. */
	int count() {
		return meanSquares.length;
	}

	/** The spectra of the values of each template. */
	public List<PartSpectra> values() {
		return values;
	}

	PartSpectra squares(final int template) {
		return squares.get(template);
	}

	/** The weighted mean of the squares of a template. */
	double meanSquare(final int template) {
		return meanSquares[template];
	}
}
