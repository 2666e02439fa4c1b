package sc.fiji.ncc.numeric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.plan.Template;

/**
 * A template's deviations from its weighted mean, as sums in floating point use them.
 *
 * @param deviations from the mean, in each channel from its own mean, scaled by a power of two so that the greatest coefficient lies in [1,
 *        2); 0 where there is no weight
 * @param coefficients the weights times the deviations: numerators are sums with these
 * @param norm {@code √Σ w·deviation²}; 0 if it underflows: then no sum is accurate enough
 */
public record ZeroMeanTemplate(double[] deviations, double[] coefficients, double norm) {

	/**
	 * The deviations of each template under common weights.
	 *
	 * @param threads the maximum number of threads
	 * @throws IllegalArgumentException if a template is flat
	 */
	public static List<ZeroMeanTemplate> of(final List<Template> templates, final Weighting weights, final int threads) {
		final List<ZeroMeanTemplate> all = new ArrayList<>();
		for (final Template t : templates) {
			t.requireContrast();
			all.add(of(t, weights, threads));
		}
		return all;
	}

	private static ZeroMeanTemplate of(final Template t, final Weighting weights, final int threads) {
		final double[] d = ZeroMean.of(t, weights.values(), threads);
		final double[] c = weights.values() == null ? d : new double[d.length];
		final int n = d.length / t.channels(), chunks = Chunks.count(n);
		final double[] sums = new double[chunks], energies = new double[chunks];
		double variance = 0, greatest = 0;
		for (int first = 0; first < d.length; first += n) {
			final int begin = first;
			greatest = Math.max(greatest, Chunks.max(n, threads, (from, until) -> {
				double sum = 0, energy = 0, max = 0;
				for (int i = from; i < until; i++) {
					final double coefficient = weights.of(i) * d[begin + i];
					c[begin + i] = coefficient;
					sum += coefficient;
					energy += coefficient * d[begin + i];
					max = Math.max(max, Math.abs(coefficient));
				}
				sums[from / Chunks.LENGTH] = sum;
				energies[from / Chunks.LENGTH] = energy;
				return max;
			}));
			final double sum = Arrays.stream(sums).reduce(0, Double::sum);
			variance += Arrays.stream(energies).reduce(0, Double::sum) - sum * (sum / weights.sum());
		}
		return new ZeroMeanTemplate(d, c, greatest < 1 ? 0 : Math.sqrt(variance));
	}

	/**
	 * One of several channels, in the common scale.
	 *
	 * @return its norm is 0 if the channel is flat
	 */
	public ZeroMeanTemplate channel(final int channel, final int channels, final Weighting weights) {
		if (channels == 1) return this;
		final int n = deviations.length / channels;
		final double[] d = Arrays.copyOfRange(deviations, channel * n, (channel + 1) * n), c = Arrays.copyOfRange(coefficients, channel * n, (channel + 1) * n);
		double sum = 0, energy = 0;
		for (int i = 0; i < n; i++) {
			sum += c[i];
			energy += c[i] * d[i];
		}
		return new ZeroMeanTemplate(d, c, Math.sqrt(Math.max(0, energy - sum * (sum / weights.sum()))));
	}

	/** The coefficients of each template. */
	public static List<double[]> coefficients(final List<ZeroMeanTemplate> templates) {
		return templates.stream().map(ZeroMeanTemplate::coefficients).toList();
	}
}
