package sc.fiji.ncc.bench.accuracy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.IntToDoubleFunction;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.bench.OpenCv;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.oracle.ReferenceNcc.Form;
import sc.fiji.ncc.plan.PixelType;

/**
 * Compares the scores of OpenCV's {@code matchTemplate} (TM_CCOEFF_NORMED) and of this project, both with default settings, with the exact ones, on
 * images whose scores are difficult to compute. OpenCV reads 8-bit pixels and floats. Other pixels are converted to floats for it, as its users do.
 * Ends with 1 if a score of this project is wrong.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.TrustedScores
 * </pre>
 */
@Command(name = "TrustedScores", mixinStandardHelpOptions = true, sortOptions = false)
public final class TrustedScores implements Callable<Integer> {

	private static final double TOLERANCE = 1e-5, HIGH = 0.999, MATCH = 0.99;

	@Option(names = "--side", defaultValue = "300", description = "Width and height of the images. Default: ${DEFAULT-VALUE}.")
	private int side;
	@Option(names = "--template", split = ",", defaultValue = "16,32", description = "Widths of the square templates. Default: ${DEFAULT-VALUE}.")
	private int[] templates;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		System.exit(new CommandLine(new TrustedScores()).execute(args));
	}

	/**
	 * An image and a template, x fastest.
	 *
	 * @param mask one number for each pixel of the template, 0 where it does not count; null: all count
	 */
	private record Case(String name, String pixels, PixelType type, double[] image, double[] template, double[] mask) {}

	/**
	 * @param error the largest difference from the exact score. Windows whose score is not finite are left out
	 * @param high scores from 0.999 on where the exact score is less than 0.99, or where there is none
	 * @param missed scores of less than 0.99 or NaN where the exact score is 0.999 or more
	 * @param notFinite scores that are NaN or infinite
	 */
	private record Found(String error, String high, String missed, String notFinite) {}

	@Override
	public Integer call() throws IOException {
		csv.columns("case", "pixels", "template", "windows", "flat", "opencv_error", "opencv_false", "opencv_missed", "opencv_not_finite", "ncc_error",
			"ncc_false", "ncc_missed", "ncc_not_finite", "opencv");
		boolean right = true;
		for (final int template : templates)
			for (final Case c : cases(template)) right &= compare(c, template);
		csv.write();
		return right ? 0 : 1;
	}

	private boolean compare(final Case c, final int width) throws IOException {
		final int[] size = { side, side }, templateSize = { width, width }, count = { side - width + 1, side - width + 1 };
		final double[] exact = Arrays.stream(c.template).distinct().count() == 1
			? nothing(count) : new ReferenceNcc(c.image, size, c.template, templateSize, c.mask).inside(Form.AFFORDABLE,
			new long[2], count);
		final Found peer = found(openCv(c, width), exact), own = found(own(c, size, templateSize), exact);
		final long flat = Arrays.stream(exact).filter(Double::isNaN).count();
		System.out.println(String.join(" | ", c.name, c.pixels, width + "x" + width, exact.length + " windows, " + flat + " flat", "OpenCV " + peer, own.toString()));
		csv.row(c.name, c.pixels, width + "x" + width, exact.length, flat, peer.error, peer.high, peer.missed, peer.notFinite, own.error, own.high,
			own.missed, own.notFinite, OpenCv.version());
		return own.error.equals("refused") || own.error.equals("-") || Double.parseDouble(own.error) <= TOLERANCE && own.high.equals("0")
			&& own.missed.equals("0") && own.notFinite.equals("0");
	}

	private static double[] nothing(final int[] count) {
		final double[] none = new double[ReferenceNcc.pixels(count)];
		Arrays.fill(none, Double.NaN);
		return none;
	}

	private double[] openCv(final Case c, final int width) {
		final boolean floats = c.type != PixelType.U8;
		final Pixmap mask = c.mask == null ? null : new Pixmap(floats(Arrays.stream(c.mask).map(w -> 255 * w).toArray()), width, width, false);
		try (OpenCv opencv = new OpenCv(List.of(new Pixmap(floats(c.image), side, side, floats)), new Pixmap(floats(c.template), width, width, floats), mask, 2)) {
			opencv.run();
			final float[] map = opencv.map();
			final double[] scores = new double[map.length];
			for (int i = 0; i < map.length; i++) scores[i] = map[i];
			return scores;
		}
	}

	/** Null: the template is refused. */
	private static double[] own(final Case c, final int[] size, final int[] templateSize) {
		try {
			final NormalizedCrossCorrelation ncc = NormalizedCrossCorrelation.of(TestImages.image(c.type, templateSize, c.template)).backend("cpu").threads(2);
			if (c.mask != null) ncc.mask(TestImages.image(PixelType.U8, templateSize, c.mask));
			return TestImages.values(ncc.correlate(TestImages.image(c.type, size, c.image)).map());
		}
		catch (final IllegalArgumentException e) {
			System.out.println(e.getMessage());
			return null;
		}
	}

	private static Found found(final double[] scores, final double[] exact) {
		if (scores == null) return new Found("refused", "-", "-", "-");
		double error = 0;
		int high = 0, missed = 0, notFinite = 0, compared = 0;
		for (int i = 0; i < scores.length; i++) {
			if (!Double.isFinite(scores[i])) notFinite++;
			else if (scores[i] >= HIGH && !(exact[i] >= MATCH)) high++;
			if (exact[i] >= HIGH && !(scores[i] >= MATCH)) missed++;
			if (!Double.isFinite(scores[i]) || Double.isNaN(exact[i])) continue;
			compared++;
			error = Math.max(error, Math.abs(scores[i] - exact[i]));
		}
		final String text = compared == 0 ? "-" : error >= 0.01 ? String.format(Locale.ROOT, "%.2f", error)
			: String.format(Locale.ROOT, "%.1e", error).replace("e-0", "e-");
		return new Found(text, "" + high, "" + missed, "" + notFinite);
	}

	private List<Case> cases(final int width) {
		final Random random = new Random(width);
		final int n = side * side;
		final List<Case> cases = new ArrayList<>();
		final double[] bytes = image(i -> random.nextInt(256));
		cases.add(cut("noise", "8-bit", PixelType.U8, bytes, width));
		cases.add(cut("40000 ± 3", "16-bit", PixelType.U16, image(i -> 39997 + random.nextInt(7)), width));
		cases.add(cut("noise of ± 3 on 1,000,000", "float", PixelType.F32, image(i -> 1e6 + 6 * random.nextFloat() - 3), width));
		cases.add(cut("step from 0 to 1,000,000, noise of ± 3", "float", PixelType.F32, image(i -> (right(i) ? 1e6 : 0) + 6 * random.nextFloat() - 3), width));
		cases.add(cut("right half eight times brighter", "float", PixelType.F32, image(i -> (right(i) ? 8 : 1) * 255 * random.nextFloat()), width));
		final int spot = n / 2 + 3 * side / 4;
		cases.add(cut("one pixel of 1,000,000 in noise of 0 to 1", "float", PixelType.F32, image(i -> i == spot ? 1e6 : random.nextFloat()), width));
		cases.add(cut("noise of 0 to 1e-9", "float", PixelType.F32, image(i -> 1e-9 * random.nextFloat()), width));
		final double[] faint = new double[n];
		Arrays.setAll(faint, i -> 1 + 1e-9 * random.nextDouble());
		cases.add(cut("noise of 1e-9 on 1", "double", PixelType.F64, faint, width));
		final double[] flat = image(i -> right(i) ? 200 : random.nextInt(256));
		cases.add(cut("right half flat", "8-bit", PixelType.U8, flat, width));
		cases.add(cut("the same, divided by 255", "float", PixelType.F32, image(i -> flat[i] / 255), width));
		final double[] disc = new double[width * width];
		Arrays.setAll(disc, i -> Math.hypot(i % width - (width - 1) / 2.0, i / width - (width - 1) / 2.0) <= width / 2.0 ? 1 : 0);
		final Case unmasked = cut("right half flat, round mask", "8-bit", PixelType.U8, flat, width);
		cases.add(new Case(unmasked.name, unmasked.pixels, unmasked.type, flat, unmasked.template, disc));
		cases.add(cut("image and template flat", "8-bit", PixelType.U8, image(i -> 255), width));
		return cases;
	}

	private boolean right(final int i) {
		return i % side >= side / 2;
	}

	/** Pixels that floats can hold. */
	private double[] image(final IntToDoubleFunction pixel) {
		final double[] image = new double[side * side];
		for (int i = 0; i < image.length; i++) image[i] = (float) pixel.applyAsDouble(i);
		return image;
	}

	/** The template is a part of the left half. */
	private Case cut(final String name, final String pixels, final PixelType type, final double[] image, final int width) {
		final double[] template = new double[width * width];
		Arrays.setAll(template, i -> image[(side / 4 + i / width) * side + side / 8 + i % width]);
		return new Case(name, pixels, type, image, template, null);
	}

	private static float[] floats(final double[] values) {
		final float[] floats = new float[values.length];
		for (int i = 0; i < floats.length; i++) floats[i] = (float) values[i];
		return floats;
	}
}
