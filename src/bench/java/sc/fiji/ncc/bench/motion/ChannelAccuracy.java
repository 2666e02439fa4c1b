package sc.fiji.ncc.bench.motion;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
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
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.motion.ParticlePair;
import sc.fiji.ncc.register.JointChannels;

/**
 * The errors of the common motion of two channels, beside those of one of them and of the sum of both, each divided by its standard deviation. The channels
 * show the same particles with noise of their own, other particles, the same particles in black or with an eighth of the contrast, or nothing but noise.
 */
@Command(name = "ChannelAccuracy", mixinStandardHelpOptions = true)
public final class ChannelAccuracy implements Callable<Integer> {

	@Parameters(arity = "0..1", defaultValue = "10", description = "The number of pairs for each row. Default: ${DEFAULT-VALUE}")
	private int repeats;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new ChannelAccuracy()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException {
		System.out.println("second channel,noise,measured,vectors,valid,spurious,rms,bias,sigma,within_sigma");
		csv.columns("second", "noise", "measured", "vectors", "valid", "rms_px", "sigma_px", "within_sigma");
		for (final String second : List.of("same particles", "other particles", "same in black", "same but dim", "only noise"))
			for (final int noise : new int[] { 8, 16 })
				for (final String measured : List.of("first", "sum", "joint")) {
					final MotionAccuracy.Errors errors = new MotionAccuracy.Errors();
					for (int r = 0; r < repeats; r++) {
						final ParticlePair flow = ParticlePair.of(256, 256).noise(0).seed(r + 1);
						final UnaryOperator<double[]> truth = MotionAccuracy.motion("uniform", r, repeats, flow.size());
						final RandomAccessibleInterval<?>[] a = noisy(flow.images(truth), 0, 1, noise, r),
							images = (second.startsWith("other") ? flow.seed(r + 1001) : flow).images(truth),
							b = second.endsWith("black") ? noisy(images, 255, -1, -noise, r + 1000)
								: second.endsWith("dim") ? noisy(images, 60, 0.125, noise, r + 1000)
								: second.endsWith("noise") ? noisy(images, 120, 0, 50, r + 1000) : noisy(images, 0, 1, noise, r + 1000);
						final RandomAccessibleInterval<?> before = measured(measured, a[0], b[0]), after = measured(measured, a[1], b[1]);
						errors.add(MotionField.ofWindows(32, 32).maxShift(12, 12).passes(3).threads(1).measure(before, after).fields().get(0), truth, 24);
					}
					System.out.printf(Locale.ROOT, "%s,%s,%s,%s%n", second, noise, measured, errors.text());
					csv.row(second, noise, measured, errors.vectors, errors.valid / (double) errors.vectors, errors.rms(), errors.sigma(), errors.within());
				}
		csv.write();
		return 0;
	}

	/** What is measured of two channels. */
	private static RandomAccessibleInterval<?> measured(final String how, final RandomAccessibleInterval<?> first, final RandomAccessibleInterval<?> second) {
		final JointImage both = JointImage.of(List.of(first, second));
		return how.equals("first") ? first : how.equals("joint") ? both : JointChannels.joined(both);
	}

	/** Changes brightness and contrast of frames of 8 bits, and adds noise of some gray levels. */
	@SuppressWarnings("unchecked") // the frames have 8 bits
	private static RandomAccessibleInterval<?>[] noisy(final RandomAccessibleInterval<?>[] pair, final int black, final double contrast,
		final int levels, final long seed)
	{
		final Random random = new Random(seed);
		for (final RandomAccessibleInterval<?> frame : pair)
			for (final UnsignedByteType p : Views.flatIterable((RandomAccessibleInterval<UnsignedByteType>) frame))
				p.set((int) Math.max(0, Math.min(255, Math.rint(black + contrast * p.get() + levels * random.nextGaussian()))));
		return pair;
	}
}
