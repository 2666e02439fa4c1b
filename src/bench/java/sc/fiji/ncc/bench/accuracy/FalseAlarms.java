package sc.fiji.ncc.bench.accuracy;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.jtransforms.fft.DoubleFFT_2D;

import pl.edu.icm.jlargearrays.ConcurrencyUtils;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.bench.Machine;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.statistics.Background;

/**
 * Calibration of the false alarms: images of noise in which the template does not occur, predicted against observed matches. Each row has one kind of noise and
 * one template side: the number of images, the expected number of false matches over all images, the observed number, their ratio, the number of images
 * with a match, the number of images whose minimum score is not uncertain ({@link Background#state}), and the ratio in these images alone. From the
 * project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.FalseAlarms
 * </pre>
 */
@Command(name = "FalseAlarms", mixinStandardHelpOptions = true, sortOptions = false)
public final class FalseAlarms implements Callable<Integer> {

	/** The sides of images from which templates are cut and of volumes, and the radius of the filter of volumes. */
	private static final int OTHER = 128, VOLUME = 48, RADIUS = 8;

	@Option(names = "--size", split = "x", defaultValue = "256x256", description = "width and height of the images: ${DEFAULT-VALUE}")
	private int[] size;
	@Option(names = "--templates", split = ",", defaultValue = "8,16,32,64", description = "sides of the templates: ${DEFAULT-VALUE}")
	private List<Integer> templates;
	@Option(names = "--expected", split = ",", defaultValue = "0.05,0.5,2,10", description = "expected numbers of false matches in an image: ${DEFAULT-VALUE}")
	private List<Double> expected;
	@Option(names = "--pictures", defaultValue = "200", description = "${DEFAULT-VALUE}")
	private int images;
	@Option(names = "--kinds", split = ",", defaultValue = "white,blur1,blur2,blur5,poisson,speckle,red,shuffled",
		description = "kinds of noise: white; poisson; speckle; red; shuffled; blurN, "
		+ "a Gaussian of N pixels; tiltN, of N pixels along one diagonal and half of it across; exponentialN, the autocorrelation falls to 1/e at N "
		+ "pixels; bandN, a Gaussian of N pixels without one of 2N; "
		+ "volumeN, a volume with a Gaussian of N pixels, for templates up to 16. Default: ${DEFAULT-VALUE}")
	private List<String> kinds;
	@Option(names = "--template-kind", description = "the kind of noise of the templates. Default: that of the image")
	private String templateKind;
	@Option(names = "--seed", defaultValue = "0", description = "${DEFAULT-VALUE}")
	private long seed;
	@Mixin
	private CsvOption csv;
	@Option(names = "--threads", defaultValue = "2", description = "images that are searched at the same time: ${DEFAULT-VALUE}")
	private int threads;

	public static void main(final String[] args) {
		final int code = new CommandLine(new FalseAlarms()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		ConcurrencyUtils.setNumberOfThreads(1);
		System.out.println(Machine.describe());
		System.out.printf("%-15s %-9s %9s %10s %9s %7s %7s %10s %9s %9s %9s %9s %7s %7s %7s%n", "noise", "template", "expected", "sum", "observed", "ratio",
			"error", "images", "min score", "pixels", "skewness", "tails", "ok", "ratio", "error");
		csv.columns("background", "template", "template_background", "expected", "images", "due", "found", "ratio", "error", "with_match", "min_score",
			"effective_pixels", "skewness", "tails", "uncertain", "certain_images", "certain_found", "certain_ratio", "certain_error");
		final ForkJoinPool pool = new ForkJoinPool(threads);
		for (final String kind : kinds) {
			final List<List<Row>> all = pool.submit(() -> IntStream.range(0, images).parallel().mapToObj(p -> image(kind, p)).toList()).join();
			for (int i = 0; i < all.get(0).size(); i++) {
				final int row = i;
				final Row sum = all.stream().map(rows -> rows.get(row)).reduce(Row::plus).orElseThrow();
				final Row ok = all.stream().map(rows -> rows.get(row)).filter(r -> r.ok == 1).reduce(Row::plus)
					.orElse(new Row(sum.side, sum.alarms, 0, 0, 0, 0, 0, 0, 0, 0, 0));
				sum.print(kind, ok);
				csv.row(sum.cells(kind, templateKind == null ? kind : templateKind, ok));
			}
			csv.write();
		}
		pool.shutdown();
		return 0;
	}

	/** The sums over images for a template side and an expected number of false alarms. */
	private record Row(int side, double alarms, int images, long observed, long squares, int with, double score, double pixels, double skewness,
		double tails, int ok) {

		Row plus(final Row r) {
			return new Row(side, alarms, images + r.images, observed + r.observed, squares + r.squares, with + r.with, score + r.score, pixels + r.pixels,
				skewness + r.skewness, tails + r.tails, ok + r.ok);
		}

		double ratio() {
			return observed / (alarms * images);
		}

		/** The standard error of the ratio, from the variance between the images. */
		double error() {
			return Math.sqrt(squares - (double) observed * observed / images) / (alarms * images);
		}

		void print(final String kind, final Row unflagged) {
			System.out.printf(Locale.ROOT, "%-15s %-9s %9.3g %10.2f %9d %7.2f %7.2f %10d %9.3f %9.1f %9.4f %9.4f %7d %7.2f %7.2f%n", kind, side + "x" + side, alarms,
				alarms * images, observed,
				ratio(), error(), with, score / images, pixels / images, skewness / images, tails / images, ok, unflagged.ratio(), unflagged.error());
		}

		Object[] cells(final String kind, final String templateKind, final Row certain) {
			return new Object[] { described(kind), side + "x" + side, described(templateKind), BigDecimal.valueOf(alarms).stripTrailingZeros().toPlainString(),
				images, Math.round(alarms * images), observed, decimals(ratio(), 2), decimals(error(), 2), with, decimals(score / images, 4),
				decimals(pixels / images, 1), decimals(skewness / images, 4), decimals(tails / images, 4), images - ok, ok, certain.observed,
					decimals(certain.ratio(), 2), decimals(certain.error(), 2) };
		}

		private static String decimals(final double value, final int count) {
			return String.format(Locale.ROOT, "%." + count + "f", value);
		}
	}

	/** A kind of noise as the documents name it. */
	private static String described(final String kind) {
		final String[] name = kind.split("(?=[0-9])", 2);
		final String pixels = name.length < 2 ? "" : name[1].equals("1") ? "1 pixel" : name[1] + " pixels";
		return switch (name[0]) {
			case "white" -> "white noise";
			case "poisson" -> "Poisson, 20 photons, on a texture";
			case "speckle" -> "speckle of 2 pixels";
			case "red" -> "1/f noise";
			case "shuffled" -> "photograph with random phases";
			case "blur" -> "Gaussian of " + pixels;
			case "tilt" -> "Gaussian of " + pixels + " along a diagonal, half of it across";
			case "exponential" -> "exponential autocorrelation, " + pixels;
			case "band" -> "difference of Gaussians of " + pixels + " and of twice that";
			case "volume" -> "volume, Gaussian of " + pixels;
			default -> throw new IllegalArgumentException("unknown kind of noise: " + kind);
		};
	}

	private List<Row> image(final String kind, final int index) {
		final Random random = new Random(1_000_003L * index + kind.hashCode() + 999_999_937L * seed);
		final boolean volume = kind.startsWith("volume");
		final int side = Math.max(size[0], size[1]);
		final RandomAccessibleInterval<?> image = volume ? volume(kind, random)
			: Views.interval(ArrayImgs.doubles(noise(kind, side, random), side, side), FinalInterval.createMinSize(0, 0, size[0], size[1])),
				other = volume ? volume(kind, random) : ArrayImgs.doubles(noise(templateKind == null ? kind : templateKind, OTHER, random), OTHER, OTHER);
		final double most = expected.stream().mapToDouble(e -> e).max().orElseThrow();
		final List<Row> rows = new ArrayList<>();
		for (final int t : templates) {
			final long[] extents = new long[image.numDimensions()], min = new long[extents.length];
			Arrays.fill(extents, t);
			Arrays.fill(min, 10);
			final RandomAccessibleInterval<?> template = Views.interval(other,
				FinalInterval.createMinSize(LongStream.concat(Arrays.stream(min), Arrays.stream(extents)).toArray()));
			final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(template).backend("cpu").threads(1)).maxOverlap(1);
			final KeptMaxima kept = matching.falseAlarms(most).keep(image, most);
			for (final double e : expected) {
				final TemplateMatching.Result r = matching.falseAlarms(e).findUnrefined(kept);
				for (final Match m : r.matches()) if (!(m.falseAlarms() <= e * 1.001)) throw new IllegalStateException("false alarms " + m.falseAlarms() + " of a match exceed " + e);
				final Background b = r.backgrounds().get(0);
				final long found = r.matches().size();
				rows.add(new Row(t, e, 1, found, found * found, r.matches().isEmpty() ? 0 : 1, b.minScore(e), b.effectivePixels(), b.skewness(),
					b.tails(), b.state() == BackgroundState.OK ? 1 : 0));
			}
		}
		return rows;
	}

	/**
	 * Noise of one kind; poisson has 20 photons on a texture of 3 pixels, speckle is the squared modulus of a complex field of 2 pixels, red has the
	 * amplitude 1/f.
	 */
	private static double[] noise(final String kind, final int n, final Random random) {
		if (kind.equals("white")) return random.doubles((long) n * n).map(v -> random.nextGaussian()).toArray();
		if (kind.equals("speckle")) {
			final double[] a = filtered(n, random, "blur2"), b = filtered(n, random, "blur2");
			for (int i = 0; i < a.length; i++) a[i] = a[i] * a[i] + b[i] * b[i];
			return a;
		}
		if (kind.equals("poisson")) {
			final double[] a = filtered(n, random, "blur3");
			final double max = Arrays.stream(a).map(Math::abs).max().orElse(1);
			for (int i = 0; i < a.length; i++) a[i] = poisson(20 * (1 + 0.5 * a[i] / max), random);
			return a;
		}
		return kind.equals("shuffled") ? shuffled(n, random) : filtered(n, random, kind);
	}

	/** A part of a photograph with random phases: white noise, filtered by the amplitudes of the photograph under a Hann window, which takes away the jumps at its border. */
	private static double[] shuffled(final int n, final Random random) {
		final RandomAccessibleInterval<?> photo = ImageFiles.read("src/main/resources/sc/fiji/ncc/samples/coins.png").gray().pixels();
		final int m = 256, left = random.nextInt((int) photo.dimension(0) - m + 1), top = random.nextInt((int) photo.dimension(1) - m + 1);
		final double[] f = new double[2 * m * m], g = new double[2 * m * m];
		double mean = 0;
		final var at = photo.randomAccess();
		for (int y = 0; y < m; y++) for (int x = 0; x < m; x++) {
			at.setPosition(new int[] { left + x, top + y });
			mean += (f[2 * (y * m + x)] = ((RealType<?>) at.get()).getRealDouble()) / (m * m);
		}
		for (int y = 0; y < m; y++) for (int x = 0; x < m; x++) {
			f[2 * (y * m + x)] = (f[2 * (y * m + x)] - mean) * Math.sin(Math.PI * (x + 0.5) / m) * Math.sin(Math.PI * (y + 0.5) / m);
			g[2 * (y * m + x)] = random.nextGaussian();
		}
		final DoubleFFT_2D fft = new DoubleFFT_2D(m, m);
		fft.complexForward(f);
		fft.complexForward(g);
		for (int i = 0; i < 2 * m * m; i += 2) {
			final double amplitude = Math.hypot(f[i], f[i + 1]);
			g[i] *= amplitude;
			g[i + 1] *= amplitude;
		}
		fft.complexInverse(g, true);
		final double[] to = new double[n * n];
		for (int y = 0; y < n; y++) for (int x = 0; x < n; x++) to[y * n + x] = g[2 * (y * m + x)];
		return to;
	}

	/** A volume of white noise, filtered by a Gaussian; volume0 is white. */
	private static RandomAccessibleInterval<?> volume(final String kind, final Random random) {
		final int side = VOLUME + 2 * RADIUS, stride = side * side;
		double[] v = random.doubles((long) side * stride).map(d -> random.nextGaussian()).toArray();
		final double sigma = Double.parseDouble(kind.substring(6));
		for (int step = 1; step <= stride && sigma > 0; step *= side) {
			final double[] to = new double[v.length];
			for (int i = 0; i < v.length; i++)
				for (int k = -RADIUS; k <= RADIUS; k++) to[i] += Math.exp(-0.5 * k * k / (sigma * sigma)) * v[Math.floorMod(i + k * step, v.length)];
			v = to;
		}
		return Views.interval(ArrayImgs.doubles(v, side, side, side), FinalInterval.createMinSize(RADIUS, RADIUS, RADIUS, VOLUME, VOLUME, VOLUME));
	}

	private static int poisson(final double mean, final Random random) {
		final double limit = Math.exp(-mean);
		int k = 0;
		for (double p = random.nextDouble(); p > limit; p *= random.nextDouble()) k++;
		return k;
	}

	/** White noise on twice the side, filtered; a quarter of it. */
	private static double[] filtered(final int n, final Random random, final String kind) {
		final DoubleBinaryOperator amplitude = amplitude(kind);
		final int m = 2 * n;
		final double[] f = new double[2 * m * m];
		for (int i = 0; i < m * m; i++) f[2 * i] = random.nextGaussian();
		final DoubleFFT_2D fft = new DoubleFFT_2D(m, m);
		fft.complexForward(f);
		for (int y = 0; y < m; y++) for (int x = 0; x < m; x++) {
			final double g = amplitude.applyAsDouble((x <= m / 2 ? x : x - m) / (double) m, (y <= m / 2 ? y : y - m) / (double) m);
			f[2 * (y * m + x)] *= g;
			f[2 * (y * m + x) + 1] *= g;
		}
		fft.complexInverse(f, true);
		final double[] to = new double[n * n];
		for (int y = 0; y < n; y++) for (int x = 0; x < n; x++) to[y * n + x] = f[2 * (y * m + x)];
		return to;
	}

	/** The amplitudes of a filter at frequencies in cycles per pixel. */
	private static DoubleBinaryOperator amplitude(final String kind) {
		final String[] name = kind.split("(?=[0-9])", 2);
		final double length = name.length > 1 ? Double.parseDouble(name[1]) : 0, square = 4 * Math.PI * Math.PI * length * length;
		return switch (name[0]) {
			case "red" -> (u, v) -> u == 0 && v == 0 ? 0 : 1 / Math.hypot(u, v);
			case "blur" -> (u, v) -> Math.exp(-square / 2 * (u * u + v * v));
			case "tilt" -> (u, v) -> Math.exp(-square / 4 * ((u + v) * (u + v) + (u - v) * (u - v) / 4));
			case "exponential" -> (u, v) -> Math.pow(1 + square * (u * u + v * v), -0.75);
			case "band" -> (u, v) -> Math.exp(-square / 2 * (u * u + v * v)) - Math.exp(-2 * square * (u * u + v * v));
			default -> throw new IllegalArgumentException("unknown kind of noise: " + kind);
		};
	}
}
