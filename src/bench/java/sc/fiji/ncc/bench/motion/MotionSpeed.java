package sc.fiji.ncc.bench.motion;

import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.ParticlePair;

/** Vectors a second of {@link MotionField}: windows of 32x32, spacing 16, shifts of up to 12 pixels. Arguments: side, threads, algorithm ids. */
public final class MotionSpeed {

	private static final int REPEATS = 3;

	private MotionSpeed() {}

	public static void main(final String[] args) {
		final int side = args.length > 0 ? Integer.parseInt(args[0]) : 2000, threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
		System.out.println("side,bits,threads,algorithm,passes,refined,vectors,seconds,vectors_a_second,chosen");
		for (final int bits : new int[] { 8, 16 }) {
			final RandomAccessibleInterval<?>[] pair = ParticlePair.of(side, side).bits(bits).images(x -> new double[] { 3.3, -2.4 });
			row(pair, bits, threads, "auto", 1, false);
			for (int a = 2; a < args.length; a++) row(pair, bits, threads, args[a], 1, false);
			row(pair, bits, threads, "auto", 1, true);
			row(pair, bits, threads, "auto", 3, true);
		}
	}

	private static void row(final RandomAccessibleInterval<?>[] pair, final int bits, final int threads, final String algorithm, final int passes,
		final boolean refined) {
		final MotionField field = MotionField.ofWindows(32, 32).spacing(16, 16).maxShift(12, 12).passes(passes).refine(refined).threads(threads).algorithm(algorithm);
		double best = Double.POSITIVE_INFINITY;
		MotionFields found = null;
		for (int r = 0; r < REPEATS; r++) {
			found = field.measure(pair[0], pair[1]);
			best = Math.min(best, found.seconds());
		}
		System.out.printf(Locale.ROOT, "%d,%d,%d,%s,%d,%b,%d,%.3f,%.0f,%s%n", pair[0].dimension(0), bits, threads, algorithm, passes, refined,
			found.windows(), best, found.windows() / best,
			found.rankings().get(0).best().map(c -> c.name()).orElse("none"));
	}
}
