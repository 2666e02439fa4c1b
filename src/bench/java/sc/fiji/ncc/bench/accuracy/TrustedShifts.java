package sc.fiji.ncc.bench.accuracy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Registration;
import sc.fiji.ncc.bench.OpenCv;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.Texture;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.result.Alignment;

/**
 * Compares the shifts between two parts of one image by OpenCV's {@code phaseCorrelate} and by this project's registration with the true ones. The
 * images are like those of reports to OpenCV and scikit-image.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.TrustedShifts
 * </pre>
 */
@Command(name = "TrustedShifts", mixinStandardHelpOptions = true, sortOptions = false)
public final class TrustedShifts implements Callable<Integer> {

	@Option(names = "--large", defaultValue = "2560", description = "Width and height of the large image. Default: ${DEFAULT-VALUE}.")
	private int large;
	@Mixin
	private CsvOption csv;

	public static void main(final String[] args) {
		System.exit(new CommandLine(new TrustedShifts()).execute(args));
	}

	@Override
	public Integer call() throws IOException {
		csv.columns("case", "pair", "shift", "opencv_shift", "opencv_response", "ncc_shift", "ncc_score", "ncc_doubtful", "opencv");
		final Random random = new Random(1);
		final float[] noise = new float[512 * 512];
		for (int i = 0; i < noise.length; i++) noise[i] = random.nextFloat();
		for (final int n : new int[] { 0, 16, 64, 160 }) compare("noise", new Pixmap(noise, 512, 512, true), 256, 512, n, 0);
		final float[] blobs = blobs(256);
		compare("blobs of 0 and 1", new Pixmap(blobs, 256, 256, true), 236, 236, 5, 3);
		compare("the same, blurred by a Gaussian of 3", OpenCv.blurred(new Pixmap(blobs, 256, 256, true), 3), 236, 236, 5, 3);
		final float[] texture = Texture.blobs(large, large, 2);
		for (int i = 0; i < texture.length; i++) texture[i] *= 257;
		final int width = 2 * large / 3;
		compare("large 16-bit image, halves that overlap", new Pixmap(texture, large, large, true), width, large, large - width, 0);
		csv.write();
		return 0;
	}

	/** Black and white parts of equal area. */
	private static float[] blobs(final int side) {
		final float[] texture = Texture.blobs(side, side, 3), sorted = texture.clone();
		Arrays.sort(sorted);
		for (int i = 0; i < texture.length; i++) texture[i] = texture[i] < sorted[sorted.length / 2] ? 0 : 1;
		return texture;
	}

	/** The second part begins dx and dy pixels after the first, so the content of the first lies at {@code -dx, -dy} in it. */
	private void compare(final String name, final Pixmap image, final int width, final int height, final int dx, final int dy) {
		final int margin = image.height() > height ? (image.height() - height) / 2 : 0, left = Math.min(margin, image.width() - width - dx);
		final Pixmap fixed = part(image, left, margin, width, height), moving = part(image, left + dx, margin + dy, width, height);
		final double[] peer = OpenCv.shift(fixed, moving);
		final Alignment own = Registration.of(fixed.img()).backend("cpu").register(moving.img());
		final List<Object> row = List.of(name, width + "x" + height, text(-dx, -dy), text(peer), number(peer[2]), text(own.shift()), number(own.score()),
			own.doubtful() ? "yes" : "no", OpenCv.version());
		System.out.println(row);
		csv.row(row.toArray());
	}

	private static Pixmap part(final Pixmap image, final int x0, final int y0, final int width, final int height) {
		final float[] part = new float[width * height];
		for (int y = 0; y < height; y++) System.arraycopy(image.values(), (y0 + y) * image.width() + x0, part, y * width, width);
		return new Pixmap(part, width, height, true);
	}

	/** With two decimals. */
	private static String number(final double value) {
		final String text = String.format(Locale.ROOT, "%.2f", value);
		return text.equals("-0.00") ? "0.00" : text;
	}

	private static String text(final double... shift) {
		return number(shift[0]) + ", " + number(shift[1]);
	}
}
