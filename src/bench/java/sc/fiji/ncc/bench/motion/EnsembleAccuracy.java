package sc.fiji.ncc.bench.motion;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.motion.ParticlePair;

/**
 * The errors of one motion for many pairs of frames with few particles: uniform motions over all fractions of a pixel, frames of
 * 128x128, windows of 32x32.
 */
@Command(name = "EnsembleAccuracy", mixinStandardHelpOptions = true)
public final class EnsembleAccuracy implements Callable<Integer> {

	@Parameters(index = "0", arity = "0..1", defaultValue = "4", description = "The number of motions for each row. Default: ${DEFAULT-VALUE}")
	private int repeats;
	@Parameters(index = "1", arity = "0..1", defaultValue = "64", description = "The largest number of pairs. Default: ${DEFAULT-VALUE}")
	private int most;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new EnsembleAccuracy()).execute(arguments));
	}

	private static RandomAccessibleInterval<UnsignedByteType> stack(final int pairs, final ParticlePair particles, final long seed,
		final UnaryOperator<double[]> motion)
	{
		final List<RandomAccessibleInterval<UnsignedByteType>> frames = new ArrayList<>();
		for (int p = 0; p < pairs; p++) for (final RandomAccessibleInterval<?> frame : particles.seed(seed + p).images(motion)) frames.add(bytes(frame));
		return Views.stack(frames);
	}

	@SuppressWarnings("unchecked") // frames of 8 bits
	private static RandomAccessibleInterval<UnsignedByteType> bytes(final RandomAccessibleInterval<?> frame) {
		return (RandomAccessibleInterval<UnsignedByteType>) frame;
	}

	@Override
	public Integer call() throws IOException {
		csv.columns("particles", "pairs", "passes", "vectors", "valid", "spurious", "rms_px", "bias_px", "sigma_px", "within_sigma");
		System.out.println("particles a window,pairs,passes,vectors,valid,spurious,rms,bias,sigma,within_sigma");
		for (final double particles : new double[] { 2, 5, 10 })
			for (final int pairs : new int[] { 1, 4, 16, 64 })
				for (final int passes : new int[] { 1, 3 }) {
					if (pairs > most) continue;
					final ParticlePair flow = ParticlePair.of(128, 128).density(particles / 1024);
					final MotionField field = MotionField.ofWindows(32, 32).maxShift(8, 8).passes(passes).minScore(0.1).doubleFrames(true).ensemble(true).threads(1);
					final MotionAccuracy.Errors errors = new MotionAccuracy.Errors();
					for (int r = 0; r < repeats; r++) {
						final UnaryOperator<double[]> truth = MotionAccuracy.motion("uniform", r, repeats, flow.size());
						errors.add(field.measure(stack(pairs, flow, 1000L * r + 1, truth)).fields().get(0), truth, 24);
					}
					System.out.printf(Locale.ROOT, "%.0f,%d,%d,%s%n", particles, pairs, passes, errors.text());
					csv.row((int) particles, pairs, passes, errors.vectors, errors.valid / (double) errors.vectors, errors.spurious / (double) errors.vectors,
						errors.rms(), errors.bias(), errors.sigma(), errors.within());
				}
		csv.write();
		return 0;
	}
}
