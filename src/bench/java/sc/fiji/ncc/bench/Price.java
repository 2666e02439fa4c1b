package sc.fiji.ncc.bench;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import javax.imageio.ImageIO;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.result.Response;

/**
 * The cost of the recheck: the time of each algorithm for images of one size, from noise, which needs no recheck, to images on which plain float fails, and the
 * share of rechecked responses. Medians, in turns. From the project folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.Price
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.Price -Dexec.args="--picture camera.png --type float --mask"
 * </pre>
 */
@Command(name = "Price", mixinStandardHelpOptions = true, sortOptions = false)
public final class Price implements Callable<Integer> {

	@Option(names = "--side", defaultValue = "512", description = "of the images: ${DEFAULT-VALUE}")
	private int side;
	@Option(names = "--template", split = ",", defaultValue = "8,32,64", description = "sides of templates: ${DEFAULT-VALUE}")
	private int[] templates;
	@Option(names = "--type", split = ",", defaultValue = "u8,float", description = "pixel types, u8 or float: ${DEFAULT-VALUE}")
	private String[] types;
	@Option(names = "--picture", description = "a photograph, read as 8-bit grey and repeated in mirror images. Default: the sample image")
	private File photograph;
	@Option(names = "--mask", description = "under a mask, a disc")
	private boolean masked;
	@Option(names = "--threads", defaultValue = "2", description = "${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--repeats", defaultValue = "9", description = "measured calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "4", description = "seconds before the first measured call: ${DEFAULT-VALUE}")
	private double warmUp;

	/** What an image's pixels are; {@code v} is noise of mean 128 and deviation 40. */
	private enum Content {

		NOISE("noise"), PHOTOGRAPH("photograph"), SPOT("faint field with a bright spot"), HALF("a half eight times brighter"), STEP("step of 10^6, or of 200 in 8 bits");

		private final String words;

		Content(final String words) {
			this.words = words;
		}

		float[] pixels(final int n, final float[] noise, final float[] photograph, final boolean floats) {
			if (this == PHOTOGRAPH) return photograph;
			final float[] p = new float[n * n];
			final Random random = new Random(1);
			for (int i = 0; i < p.length; i++) {
				final int x = i % n, y = i / n;
				p[i] = switch (this) {
					// 8 bits hold no fainter field that is not flat
					case SPOT -> x == n / 2 && y == n / 3 ? floats ? 1e5f : 255 : floats ? (noise[i] - 128) / 40 : 20 + 4 * random.nextInt(2);
					case HALF -> x < n / 2 ? noise[i] / 8 : noise[i];
					case STEP -> floats && x < n / 2 ? 1e6f + noise[i] : floats ? noise[i] : x < n / 2 ? 200 + noise[i] / 8 : noise[i] / 8;
					default -> noise[i];
				};
			}
			return p;
		}
	}

	public static void main(final String[] args) {
		final int code = new CommandLine(new Price()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.printf("%dx%d, %d threads%s; medians of %d calls, by turns%n%-9s %-6s %-18s %-36s %9s %10s %15s%n", side, side, threads, masked ? ", under a mask" : "",
			repeats, "template", "type", "method", "image", "ms", "of noise's", "computed again");
		final float[] photo = photograph();
		final Random random = new Random(3);
		final float[] noise = new float[side * side];
		for (int i = 0; i < noise.length; i++) noise[i] = (float) Math.max(0, Math.min(255, 128 + 40 * random.nextGaussian()));
		for (final int template : templates)
			for (final String type : types)
				for (final String algorithm : List.of("cpu-direct-exact", "cpu-direct", "cpu-fourier"))
					if (Pixmap.floats(type) ? !algorithm.equals("cpu-direct-exact") : true) measure(template, type, algorithm, noise, photo);
		return 0;
	}

	private void measure(final int template, final String type, final String algorithm, final float[] noise, final float[] photo) {
		final boolean floats = Pixmap.floats(type);
		final List<NormalizedCrossCorrelation> ops = new ArrayList<>();
		final List<RandomAccessibleInterval<?>> images = new ArrayList<>();
		for (final Content content : Content.values()) {
			final Pixmap map = new Pixmap(content.pixels(side, noise, photo, floats), side, side, floats);
			images.add(map.img());
			NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(map.cut(template, template).img()).threads(threads).algorithm(algorithm);
			if (masked) op = op.mask(disc(template));
			ops.add(op);
		}
		final Response[] last = new Response[ops.size()];
		final List<Runnable> runs = new ArrayList<>();
		for (int i = 0; i < last.length; i++) {
			final int k = i;
			runs.add(() -> last[k] = ops.get(k).correlate(images.get(k)));
		}
		final double[][] ms = Turns.milliseconds(runs, warmUp, repeats);
		for (final Content p : Content.values()) {
			final int i = p.ordinal();
			System.out.printf(Locale.ROOT, "%-9s %-6s %-18s %-36s %9.2f %10.2f %14.2f%%%n", template + "x" + template, type, algorithm, p.words, Turns.median(ms[i]),
				Turns.median(ms[i]) / Turns.median(ms[0]), 100.0 * last[i].report().rechecked() / last[i].report().responses());
		}
	}

	private static RandomAccessibleInterval<?> disc(final int side) {
		final byte[] mask = new byte[side * side];
		for (int i = 0; i < mask.length; i++) {
			final double u = 2.0 * (i % side) + 1 - side, v = 2.0 * (i / side) + 1 - side;
			mask[i] = (byte) (u * u + v * v <= side * side ? 255 : 0);
		}
		return ArrayImgs.unsignedBytes(mask, side, side);
	}

	/** Grey, as large as wanted: beyond its edges it is mirrored. */
	private float[] photograph() throws IOException {
		final BufferedImage read = photograph == null ? ImageIO.read(Price.class.getResource("/sc/fiji/ncc/samples/coins.png")) : ImageIO.read(photograph);
		if (read == null) throw new IllegalArgumentException(photograph + " is no image that Java reads");
		final int w = read.getWidth(), h = read.getHeight();
		final BufferedImage grey = new BufferedImage(w, h, BufferedImage.TYPE_BYTE_GRAY);
		grey.getGraphics().drawImage(read, 0, 0, null);
		final float[] pixels = new float[side * side];
		for (int i = 0; i < pixels.length; i++) {
			final int x = i % side % (2 * w), y = i / side % (2 * h);
			pixels[i] = grey.getRaster().getSample(Math.min(x, 2 * w - 1 - x), Math.min(y, 2 * h - 1 - y), 0);
		}
		return pixels;
	}
}
