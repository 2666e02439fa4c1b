package sc.fiji.ncc.bench.accuracy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.basictypeaccess.array.ByteArray;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.bench.Machine;

/**
 * The preview of matches: the time to compute the maps and keep their maxima, and the time to choose matches again after a change of the minimum score, beside a whole
 * search. Each repeat takes another minimum score, so that new exact scores are needed; least and median in milliseconds. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.PreviewTimes
 * </pre>
 */
@Command(name = "PreviewTimes", mixinStandardHelpOptions = true, sortOptions = false)
public final class PreviewTimes implements Callable<Integer> {

	@Option(names = "--side", defaultValue = "2000", description = "side of the image: ${DEFAULT-VALUE}")
	private int side;
	@Option(names = "--templates", split = ",", defaultValue = "16,32,64", description = "sides of the templates: ${DEFAULT-VALUE}")
	private List<Integer> templates;
	@Option(names = "--blur", split = ",", defaultValue = "0,2,5", description = "passes of a 3x3 mean over the noise of the image: ${DEFAULT-VALUE}")
	private List<Integer> blurs;
	@Option(names = "--repeats", defaultValue = "15", description = "${DEFAULT-VALUE}")
	private int repeats;

	public static void main(final String[] args) {
		final int code = new CommandLine(new PreviewTimes()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		System.out.printf("%-9s %5s %9s %12s %19s %19s %19s%n", "template", "blur", "matches", "least score", "keep", "choose", "whole search");
		for (final int blur : blurs)
			for (final int t : templates) row(image(blur), t, blur);
		return 0;
	}

	private ArrayImg<UnsignedByteType, ByteArray> image(final int blur) {
		final Random random = new Random(1);
		float[] v = new float[side * side];
		for (int i = 0; i < v.length; i++) v[i] = (float) random.nextGaussian();
		for (int pass = 0; pass < blur; pass++) {
			final float[] w = v.clone();
			for (int i = side + 1; i < v.length - side - 1; i++) {
				float sum = 0;
				for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) sum += v[i + y * side + x];
				w[i] = sum / 9;
			}
			v = w;
		}
		double squares = 0;
		for (final float f : v) squares += f * f;
		final double deviation = Math.sqrt(squares / v.length);
		final byte[] pixels = new byte[v.length];
		for (int i = 0; i < v.length; i++) pixels[i] = (byte) Math.max(0, Math.min(255, Math.round(128 + 40 * v[i] / deviation)));
		return ArrayImgs.unsignedBytes(pixels, side, side);
	}

	private void row(final ArrayImg<UnsignedByteType, ByteArray> image, final int t, final int blur) {
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(Views.zeroMin(Views.interval(image, new long[] { side / 3, side / 4 },
			new long[] { side / 3 + t - 1, side / 4 + t - 1 })))).minScore(0.5);
		final double[] keep = new double[repeats], choose = new double[repeats], whole = new double[repeats];
		int matches = 0;
		double least = 0;
		for (int i = 0; i < repeats; i++) {
			matching.minScore(0.5);
			long start = System.nanoTime();
			final KeptMaxima kept = matching.keep(image, 1000);
			keep[i] = 1e-6 * (System.nanoTime() - start);
			least = kept.minScore();
			// half the way between the least score and 0.5, where many matches are chosen
			matching.minScore(Math.max(least, (least + 0.5) / 2 + 0.01 * (i % 5)));
			start = System.nanoTime();
			matches = matching.findUnrefined(kept).matches().size();
			choose[i] = 1e-6 * (System.nanoTime() - start);
			start = System.nanoTime();
			matching.find(image);
			whole[i] = 1e-6 * (System.nanoTime() - start);
		}
		System.out.printf(Locale.ROOT, "%-9s %5d %9d %12.3f %19s %19s %19s%n", t + "x" + t, blur, matches, least, text(keep), text(choose), text(whole));
	}

	private static String text(final double[] milliseconds) {
		final double[] sorted = milliseconds.clone();
		Arrays.sort(sorted);
		return String.format(Locale.ROOT, "%.1f, %.1f", sorted[0], sorted[sorted.length / 2]);
	}
}
