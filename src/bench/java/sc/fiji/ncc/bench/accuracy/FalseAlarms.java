package sc.fiji.ncc.bench.accuracy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;

import org.jtransforms.fft.DoubleFFT_2D;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.result.Match;

/**
 * Calibration of the false alarms: pictures of noise in which the template does not occur, predicted against observed matches. Each row has one kind of noise and
 * one template side: the number of pictures, the expected number of false matches over all pictures, the observed number, their ratio, and the number of pictures
 * with a match. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.FalseAlarms
 * </pre>
 */
@Command(name = "FalseAlarms", mixinStandardHelpOptions = true, sortOptions = false)
public final class FalseAlarms implements Callable<Integer> {

	@Option(names = "--side", defaultValue = "256", description = "side of the pictures: ${DEFAULT-VALUE}")
	private int side;
	@Option(names = "--templates", split = ",", defaultValue = "8,16,32,64", description = "sides of the templates: ${DEFAULT-VALUE}")
	private List<Integer> templates;
	@Option(names = "--expected", split = ",", defaultValue = "0.05,1,10", description = "expected numbers of false matches in a picture: ${DEFAULT-VALUE}")
	private List<Double> expected;
	@Option(names = "--pictures", defaultValue = "200", description = "${DEFAULT-VALUE}")
	private int pictures;
	@Option(names = "--kinds", split = ",", defaultValue = "white,blur1,blur2,blur5,poisson,speckle,red", description = "kinds of noise: ${DEFAULT-VALUE}")
	private List<String> kinds;

	public static void main(final String[] args) {
		final int code = new CommandLine(new FalseAlarms()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println(Machine.describe());
		System.out.printf("%-9s %-9s %9s %10s %9s %7s %10s %9s %9s %9s %9s%n", "noise", "template", "expected", "sum", "observed", "ratio", "pictures", "min score", "pixels", "skewness", "tails");
		for (final String kind : kinds)
			for (final int t : templates) for (final double e : expected) row(kind, t, e);
		return 0;
	}

	private void row(final String kind, final int t, final double alarms) {
		final Random random = new Random(41 * t + kind.hashCode());
		long observed = 0, with = 0;
		double score = 0, pixels = 0, skewness = 0, tails = 0;
		for (int p = 0; p < pictures; p++) {
			final double[] image = noise(kind, side, random), other = noise(kind, 128, random), cut = new double[t * t];
			for (int y = 0; y < t; y++) System.arraycopy(other, (y + 20) * 128 + 20, cut, y * t, t);
			final ArrayImg<?, ?> i = ArrayImgs.doubles(image, side, side);
			final TemplateMatching.Result r = TemplateMatching.with(NormalizedCrossCorrelation.of(ArrayImgs.doubles(cut, t, t)).backend("cpu")).overlap(1).falseAlarms(alarms).find(i);
			observed += r.matches().size();
			if (!r.matches().isEmpty()) with++;
			score += r.backgrounds().get(0).minScore(alarms);
			pixels += r.backgrounds().get(0).effectivePixels();
			skewness += r.backgrounds().get(0).skewness();
			tails += r.backgrounds().get(0).tails();
			for (final Match m : r.matches()) if (!(m.falseAlarms() <= alarms * 1.001)) throw new IllegalStateException("false alarms " + m.falseAlarms() + " of a match exceed " + alarms);
		}
		System.out.printf(Locale.ROOT, "%-9s %-9s %9.3g %10.2f %9d %7.2f %10d %9.3f %9.1f %9.4f %9.4f%n", kind, t + "x" + t, alarms, alarms * pictures, observed, observed / (alarms * pictures), with,
			score / pictures, pixels / pictures, skewness / pictures, tails / pictures);
	}

	/** Noise of one kind: white, blurN (Gaussian of deviation N pixels), poisson (20 photons, blurred by 1), speckle (squared modulus of a complex field), red (1/f amplitude). */
	private static double[] noise(final String kind, final int n, final Random random) {
		if (kind.equals("white")) return random.doubles((long) n * n).map(v -> random.nextGaussian()).toArray();
		if (kind.equals("speckle")) {
			final double[] a = filtered(n, random, 2), b = filtered(n, random, 2);
			for (int i = 0; i < a.length; i++) a[i] = a[i] * a[i] + b[i] * b[i];
			return a;
		}
		if (kind.equals("poisson")) {
			final double[] a = filtered(n, random, 3);
			final double max = Arrays.stream(a).map(Math::abs).max().orElse(1);
			for (int i = 0; i < a.length; i++) a[i] = poisson(20 * (1 + 0.5 * a[i] / max), random);
			return a;
		}
		return filtered(n, random, kind.equals("red") ? -1 : Double.parseDouble(kind.substring(4)));
	}

	private static int poisson(final double mean, final Random random) {
		final double limit = Math.exp(-mean);
		int k = 0;
		for (double p = random.nextDouble(); p > limit; p *= random.nextDouble()) k++;
		return k;
	}

	/** White noise on twice the side, filtered by a Gaussian of this deviation in pixels, or with amplitude 1/f if negative; a quarter of it. */
	private static double[] filtered(final int n, final Random random, final double sigma) {
		final int m = 2 * n;
		final double[] f = new double[2 * m * m];
		for (int i = 0; i < m * m; i++) f[2 * i] = random.nextGaussian();
		final DoubleFFT_2D fft = new DoubleFFT_2D(m, m);
		fft.complexForward(f);
		for (int y = 0; y < m; y++) for (int x = 0; x < m; x++) {
			final double u = (x <= m / 2 ? x : x - m) / (double) m, v = (y <= m / 2 ? y : y - m) / (double) m, q = u * u + v * v;
			final double g = sigma < 0 ? q == 0 ? 0 : 1 / Math.sqrt(q) : Math.exp(-2 * Math.PI * Math.PI * sigma * sigma * q);
			f[2 * (y * m + x)] *= g;
			f[2 * (y * m + x) + 1] *= g;
		}
		fft.complexInverse(f, true);
		final double[] to = new double[n * n];
		for (int y = 0; y < n; y++) for (int x = 0; x < n; x++) to[y * n + x] = f[2 * (y * m + x)];
		return to;
	}
}
