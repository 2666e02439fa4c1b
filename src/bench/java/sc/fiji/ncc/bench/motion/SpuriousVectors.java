package sc.fiji.ncc.bench.motion;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.ParticlePair;

/**
 * Wrong vectors with ten particles in a window of 32x32, and which criteria find them; and the expected numbers of false alarms of frames that show different
 * particles.
 */
@Command(name = "SpuriousVectors", mixinStandardHelpOptions = true)
public final class SpuriousVectors implements Callable<Integer> {

	@Parameters(arity = "0..1", defaultValue = "10", description = "The number of pairs for each row. Default: ${DEFAULT-VALUE}")
	private int repeats;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new SpuriousVectors()).execute(arguments));
	}

	private static MotionField field(final int passes) {
		return MotionField.ofWindows(32, 32).spacing(16, 16).maxShift(12, 12).passes(passes).threads(1);
	}

	private static List<MotionVector> vectors(final MotionField field, final RandomAccessibleInterval<?> a, final RandomAccessibleInterval<?> b) {
		return field.measure(a, b).fields().get(0).vectors();
	}

	@Override
	public Integer call() throws IOException {
		csv.columns("particles", "lost", "noise", "passes", "criteria", "vectors", "wrong", "missed", "rejected");
		System.out.println("particles a window,lost,noise,passes,criteria,vectors,wrong,wrong_and_valid,right_and_rejected");
		for (final double particles : new double[] { 10, 5 })
			for (final double[] lossNoise : new double[][] { { 0.05, 0.02 }, { 0.3, 0.02 }, { 0.05, 0.1 }, { 0.3, 0.1 } })
				for (final int passes : new int[] { 1, 3 })
					for (final String criteria : new String[] { "default", "alarms 0.05", "alarms 0.05 alone" }) {
						int all = 0, wrong = 0, missed = 0, lost = 0;
						for (int r = 0; r < repeats; r++) {
							final ParticlePair flow = ParticlePair.of(256, 256).density(particles / 1024).loss(lossNoise[0]).noise(lossNoise[1]).seed(r + 1);
							final UnaryOperator<double[]> truth = MotionAccuracy.motion("uniform", r, repeats, flow.size());
							final RandomAccessibleInterval<?>[] pair = flow.images(truth);
							final MotionField field = field(passes).keepRejected(true);
							if (!criteria.equals("default")) field.falseAlarms(0.05);
							if (criteria.endsWith("alone")) field.minScore(-1).minRatio(0).maxResidual(1e9);
							for (final MotionVector v : vectors(field, pair[0], pair[1])) {
								if (Double.isNaN(v.score())) continue;
								final double[] u = truth.apply(v.centre());
								final boolean right = Math.hypot(v.motion()[0] - u[0], v.motion()[1] - u[1]) < 1;
								all++;
								if (!right) wrong++;
								if (!right && v.isValid()) missed++;
								if (right && !v.isValid()) lost++;
							}
						}
						System.out.printf(Locale.ROOT, "%.0f,%.2f,%.2f,%d,%s,%d,%.4f,%.4f,%.4f%n", particles, lossNoise[0], lossNoise[1], passes, criteria, all,
							wrong / (double) all, missed / (double) all, lost / (double) all);
						csv.row((int) particles, String.valueOf(lossNoise[0]), String.valueOf(lossNoise[1]), passes, criteria, all, wrong / (double) all, missed / (double) all,
							lost / (double) all);
					}
		System.out.println("particles a window,noise,vectors,share with at most 0.001,0.01,0.1,1 expected by chance");
		for (final double particles : new double[] { 5, 10, 50, 100 })
			for (final double noise : new double[] { 0.02, 0.1 }) {
				final double[] levels = { 0.001, 0.01, 0.1, 1 };
				final int[] at = new int[levels.length];
				int all = 0;
				for (int r = 0; r < repeats; r++) {
					final ParticlePair flow = ParticlePair.of(256, 256).density(particles / 1024).noise(noise).seed(r + 1);
					final RandomAccessibleInterval<?> a = flow.images(x -> new double[2])[0], b = flow.seed(r + 1001).images(x -> new double[2])[1];
					for (final MotionVector v : vectors(field(1).refine(false).falseAlarms(1e9).keepRejected(true), a, b)) {
						all++;
						for (int l = 0; l < levels.length; l++) if (v.falseAlarms() <= levels[l]) at[l]++;
					}
				}
				System.out.printf(Locale.ROOT, "%.0f,%.2f,%d,%.4f,%.4f,%.4f,%.4f%n", particles, noise, all, at[0] / (double) all, at[1] / (double) all,
					at[2] / (double) all, at[3] / (double) all);
			}
		csv.write();
		return 0;
	}
}
