package sc.fiji.ncc.bench.stream;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.util.Intervals;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

/**
 * How exactly known motion is recovered. A texture of waves of 6 to 40 pixels' length is moved by fractions of pixels, along a Lissajous figure of ±12
 * and ±7 pixels as a breathing patient's, seen with noise and rounded to 8 bits; templates of the paper's sizes are parts of the first frame, noise and
 * all. Prints the root mean square of the error over all frames and both axes, in pixels:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.stream.Motion
 * </pre>
 */
@Command(name = "Motion", mixinStandardHelpOptions = true, sortOptions = false)
public final class Motion implements Callable<Integer> {

	private static final int WIDTH = 240, HEIGHT = 200, WAVES = 40;
	private static final double CONTRAST = 30, MEAN = 128;

	@Option(names = "--length", defaultValue = "60", description = "how many frames: ${DEFAULT-VALUE}")
	private int length;
	@Option(names = "--noise", split = ",", defaultValue = "0,3,6,15,30", description = "standard deviations of the noise, the image's being 30: ${DEFAULT-VALUE}")
	private double[] noises;
	@Option(names = "--template", split = ",", defaultValue = "23x21,64x48,156x116", description = "sizes of templates: ${DEFAULT-VALUE}")
	private String[] templates;

	public static void main(final String[] args) {
		final int code = new CommandLine(new Motion()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		final double[][] moved = new double[length][];
		for (int f = 0; f < length; f++) moved[f] = new double[] { 12 * Math.sin(2 * Math.PI * f / 23), 7 * Math.sin(2 * Math.PI * f / 17.3) };
		final float[][] clean = render(moved);
		System.out.printf("%d frames of %dx%d, 8 bits, contrast %.0f; root mean square error in pixels, all frames and both axes%n", length, WIDTH, HEIGHT, CONTRAST);
		System.out.printf("%-9s %-14s", "template", "update");
		for (final double noise : noises) System.out.printf(Locale.ROOT, " %11s", "noise " + (noise == Math.rint(noise) ? String.valueOf((int) noise) : String.valueOf(noise)));
		System.out.println();
		for (final String template : templates)
			for (final Update update : List.of(Update.FIXED, Update.PREVIOUS, Update.MEAN)) {
				System.out.printf("%-9s %-14s", template, update.kind().name().toLowerCase(Locale.ROOT) + (update.kind() == Update.Kind.MEAN ? ", " + update.weight() : ""));
				for (final double noise : noises) System.out.printf(Locale.ROOT, " %11s", error(clean, moved, Pixmap.size(template), update, noise));
				System.out.println();
			}
		return 0;
	}

	/** The texture in each frame, about 0 and with a standard deviation of 1. */
	private static float[][] render(final double[][] moved) {
		final Random random = new Random(4);
		final double[][] waves = new double[WAVES][];
		for (int w = 0; w < WAVES; w++) {
			final double angle = 2 * Math.PI * random.nextDouble(), k = 2 * Math.PI / (6 + 34 * random.nextDouble());
			waves[w] = new double[] { k * Math.cos(angle), k * Math.sin(angle), 2 * Math.PI * random.nextDouble() };
		}
		final float[][] frames = new float[moved.length][WIDTH * HEIGHT];
		Arrays.parallelSetAll(frames, f -> {
			final float[] frame = new float[WIDTH * HEIGHT];
			for (int y = 0; y < HEIGHT; y++)
				for (int x = 0; x < WIDTH; x++) {
					double sum = 0;
					for (final double[] w : waves) sum += Math.cos(w[0] * (x - moved[f][0]) + w[1] * (y - moved[f][1]) + w[2]);
					frame[y * WIDTH + x] = (float) (sum * Math.sqrt(2.0 / WAVES));
				}
			return frame;
		});
		return frames;
	}

	/** Nine templates about the middle, or as many as fit. */
	private String error(final float[][] clean, final double[][] moved, final int[] size, final Update update, final double noise) {
		final Random random = new Random(9);
		final byte[] pixels = new byte[length * WIDTH * HEIGHT];
		for (int i = 0; i < pixels.length; i++) {
			final double v = MEAN + CONTRAST * clean[i / (WIDTH * HEIGHT)][i % (WIDTH * HEIGHT)] + noise * random.nextGaussian();
			pixels[i] = (byte) Math.round(Math.max(0, Math.min(255, v)));
		}
		final RandomAccessibleInterval<?> stack = ArrayImgs.unsignedBytes(pixels, WIDTH, HEIGHT, length);
		final List<FinalInterval> regions = new ArrayList<>();
		for (int i = 0; i < 9; i++) {
			// everywhere at least 20 pixels from the border
			final int x = 20 + (WIDTH - 40 - size[0]) * (i % 3) / 2, y = 20 + (HEIGHT - 40 - size[1]) * (i / 3) / 2;
			regions.add(Intervals.createMinSize(x, y, size[0], size[1]));
		}
		final Tracks tracks = TemplateTracking.ofRegions(regions).maxShift(6, 6).update(update).minScore(0.2).track(stack);
		double squares = 0;
		int n = 0, lost = 0;
		for (final TrackPoint p : tracks.points()) {
			if (p.frame() == 0) continue;
			if (p.lost()) {
				lost++;
				continue;
			}
			for (int d = 0; d < 2; d++, n++) squares += Math.pow(p.motion()[d] - moved[(int) p.frame()][d], 2);
		}
		return String.format(Locale.ROOT, "%.4f", Math.sqrt(squares / n)) + (lost == 0 ? "" : " (" + lost + ")");
	}
}
