package sc.fiji.ncc.bench.motion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.ParticlePair;
import sc.fiji.ncc.motion.VectorField;

/** The errors of {@link MotionField} on pairs of particle images with a known motion. */
public final class MotionAccuracy {

	private MotionAccuracy() {}

	/** What the errors of many vectors are: of those that are valid, except counts. */
	static final class Errors {

		long vectors, valid, spurious, covered, sigmas;
		double squares, sum, scale;
		int components;
		/** The mean error for each tenth of the fraction of the true motion. */
		final double[] sums = new double[10];
		final long[] counts = new long[10];

		void add(final VectorField field, final UnaryOperator<double[]> truth, final int border) {
			for (final MotionVector v : field.vectors()) {
				boolean inside = true;
				for (int d = 0; d < v.centre().length; d++)
					inside &= v.centre()[d] >= border && v.centre()[d] < field.grid().frame().get(d) - border;
				if (!inside) continue;
				vectors++;
				if (!v.isValid()) continue;
				valid++;
				final double[] u = truth.apply(v.centre());
				double length = 0;
				for (int d = 0; d < u.length; d++) length = Math.max(length, Math.abs(v.motion()[d] - u[d]));
				if (length > 1) {
					spurious++;
					continue;
				}
				for (int d = 0; d < u.length; d++) {
					final double e = v.motion()[d] - u[d];
					squares += e * e;
					sum += e;
					components++;
					final int bin = (int) Math.min(9, 10 * (u[d] - Math.floor(u[d])));
					sums[bin] += e;
					counts[bin]++;
					if (Double.isNaN(v.sigma(d))) continue;
					sigmas++;
					scale += v.sigma(d) * v.sigma(d);
					if (Math.abs(e) <= v.sigma(d)) covered++;
				}
			}
		}

		double rms() {
			return Math.sqrt(squares / components);
		}

		/** The largest mean error of a tenth of the fractions. */
		double bias() {
			double largest = 0;
			for (int i = 0; i < sums.length; i++) if (counts[i] > 0) largest = Math.max(largest, Math.abs(sums[i] / counts[i]));
			return largest;
		}

		/** The root mean square of the standard deviations. */
		double sigma() {
			return Math.sqrt(scale / sigmas);
		}

		/** The share of the errors within one standard deviation. */
		double within() {
			return covered / (double) sigmas;
		}

		String text() {
			return String.format(Locale.ROOT, "%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.3f", vectors, valid / (double) vectors, spurious / (double) vectors, rms(),
				bias(), sigma(), within());
		}
	}

	/** A row: a flow, its particles, and how it is measured. */
	record Row(String flow, ParticlePair particles, int passes, int window) {

		Row(final String flow, final ParticlePair particles, final int passes) {
			this(flow, particles, passes, 32);
		}

		Errors errors(final int repeats) {
			final Errors errors = new Errors();
			final MotionField field = MotionField.ofWindows(window, window).maxShift(12, 12).passes(passes);
			for (int r = 0; r < repeats; r++) {
				final UnaryOperator<double[]> truth = motion(flow, r, repeats, particles.size());
				final RandomAccessibleInterval<?>[] pair = particles.seed(r + 1).images(truth);
				errors.add(field.measure(pair[0], pair[1]).fields().get(0), truth, 24);
			}
			return errors;
		}
	}

	/** A motion; that of a uniform flow differs from repeat to repeat, over all fractions. */
	static UnaryOperator<double[]> motion(final String flow, final int repeat, final int repeats, final long[] size) {
		switch (flow) {
			case "uniform": return x -> new double[] { 3 + (double) repeat / repeats, -2 - ((repeat * 7) % repeats) / (double) repeats };
			case "shear": return x -> new double[] { 6 * (x[1] / size[1] - 0.5), 0.3 };
			case "vortex": return ParticlePair.vortex(new double[] { size[0] / 2.0, size[1] / 2.0 }, size[0] / 5.0, 6);
			default: throw new IllegalArgumentException("unknown flow " + flow);
		}
	}

	static List<Row> rows() {
		final List<Row> rows = new ArrayList<>();
		final ParticlePair usual = ParticlePair.of(256, 256);
		for (final int passes : new int[] { 1, 2, 3 })
			for (final String flow : List.of("uniform", "shear", "vortex")) rows.add(new Row(flow, usual, passes));
		for (final double density : new double[] { 0.01, 0.02, 0.1 }) rows.add(new Row("uniform", usual.density(density), 3));
		for (final double noise : new double[] { 0, 0.05, 0.1 }) rows.add(new Row("uniform", usual.noise(noise), 3));
		for (final double loss : new double[] { 0, 0.15, 0.3 }) rows.add(new Row("uniform", usual.loss(loss), 3));
		rows.add(new Row("uniform", usual.bits(16), 3));
		rows.add(new Row("uniform", usual.diameter(3.5), 3));
		rows.add(new Row("uniform", usual.loss(0).noise(0), 3));
		for (final int window : new int[] { 24, 16 }) for (final String flow : List.of("uniform", "vortex")) rows.add(new Row(flow, usual, 3, window));
		return rows;
	}

	public static void main(final String[] args) {
		final int repeats = args.length > 0 ? Integer.parseInt(args[0]) : 20;
		System.out.println("flow,density,diameter,noise,loss,bits,passes,window,vectors,valid,spurious,rms,bias,sigma,within_sigma");
		for (final Row row : rows()) {
			if (args.length > 1 && !row.flow.equals(args[1]) || args.length > 2 && row.passes != Integer.parseInt(args[2])) continue;
			final ParticlePair p = row.particles;
			System.out.printf(Locale.ROOT, "%s,%s,%s,%s,%s,%d,%d,%d,%s%n", row.flow, p.density(), p.diameter(), p.noise(), p.loss(), p.bits(),
				row.passes, row.window,
				row.errors(repeats).text());
		}
	}
}
