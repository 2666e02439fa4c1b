package sc.fiji.ncc.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PreparedTemplates;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.Size;

/**
 * The time of a call with and without preparation of the templates, from array to array, into a new map and into the same map each time: CSV of
 * milliseconds, medians and least times, all by turns. From the project's folder:
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.PreparedCalls -Dexec.args="--backend cuda"
 * </pre>
 */
@Command(name = "PreparedCalls", mixinStandardHelpOptions = true, sortOptions = false)
public final class PreparedCalls implements Callable<Integer> {

	@Option(names = "--image", defaultValue = "2000x2000", description = "${DEFAULT-VALUE}")
	private String image;
	@Option(names = "--template", split = ",", defaultValue = "32x32", description = "${DEFAULT-VALUE}")
	private String[] templates;
	@Option(names = "--bank", split = ",", defaultValue = "0", description = "numbers of templates that are disks; 0: one template without a mask."
		+ " Default: ${DEFAULT-VALUE}")
	private int[] banks;
	@Option(names = "--backend", defaultValue = "auto", description = "${DEFAULT-VALUE}")
	private String backend;
	@Option(names = "--threads", description = "default: all")
	private int threads = Runtime.getRuntime().availableProcessors();
	@Option(names = "--repeats", defaultValue = "60", description = "measured calls of each: ${DEFAULT-VALUE}")
	private int repeats;
	@Option(names = "--warm-up", defaultValue = "5", description = "seconds before the first measured call: ${DEFAULT-VALUE}")
	private double warmUp;

	public static void main(final String[] args) {
		final int code = new CommandLine(new PreparedCalls()).execute(args);
		if (code != 0) System.exit(code);
	}

	@Override
	public Integer call() {
		System.out.println("# " + Machine.describe() + ", " + threads + " threads");
		System.out.println("type,image,template,bank,method,call,call_least,prepared,prepared_least,call_same_map,call_same_map_least,"
			+ "prepared_same_map,prepared_same_map_least,prepare_and_close,prepare_and_close_least");
		for (final String template : templates)
			for (final int bank : banks) {
				measure(Pixmap.size(image), Pixmap.size(template), bank, true);
				measure(Pixmap.size(image), Pixmap.size(template), bank, false);
			}
		return 0;
	}

	private void measure(final int[] size, final int[] t, final int bank, final boolean bytes) {
		final float[] pixels = Texture.blobs(size[0], size[1], 1);
		final RandomAccessibleInterval<?> image = array(pixels, size, bytes);
		final List<RandomAccessibleInterval<?>> all = new ArrayList<>(), disks = new ArrayList<>();
		final List<Img<FloatType>> map = new ArrayList<>();
		final byte[] disk = new byte[t[0] * t[1]];
		for (int i = 0; i < disk.length; i++) disk[i] = (byte) (Math.hypot(i % t[0] - 0.5 * (t[0] - 1), i / t[0] - 0.5 * (t[1] - 1)) <= 0.5 * t[0] ? 1 : 0);
		for (int n = 0; n < Math.max(1, bank); n++) {
			final float[] values = new float[t[0] * t[1]];
			for (int y = 0; y < t[1]; y++) System.arraycopy(pixels, (y + size[1] / 5) * size[0] + size[0] / 4 + n % 64, values, y * t[0], t[0]);
			all.add(array(values, t, bytes));
			disks.add(ArrayImgs.unsignedBytes(disk, t[0], t[1]));
			map.add(ArrayImgs.floats(size[0] - t[0] + 1, size[1] - t[1] + 1));
		}
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(all).threads(threads).backend(backend);
		if (bank > 0) op.masks(disks);
		final Size of = Size.of(size[0], size[1]);
		try (PreparedTemplates prepared = op.prepare(ImagePixels.type(image), of)) {
			final double[][] ms = Turns.milliseconds(List.of(() -> op.correlate(image), () -> prepared.correlate(image), () -> op.correlate(image, map),
				() -> prepared.correlate(image, map), () -> op.prepare(ImagePixels.type(image), of).close()), warmUp, repeats);
			final StringBuilder line = new StringBuilder(ImagePixels.type(image) + "," + of + "," + t[0] + "x" + t[1] + "," + bank + ","
				+ prepared.explain().get(0).best().orElseThrow().name());
			for (final double[] times : ms) line.append(String.format(Locale.ROOT, ",%.3f,%.3f", Turns.median(times), times[0]));
			System.out.println(line);
		}
	}

	private static RandomAccessibleInterval<?> array(final float[] values, final int[] size, final boolean bytes) {
		if (!bytes) return ArrayImgs.floats(values, size[0], size[1]);
		final byte[] b = new byte[values.length];
		for (int i = 0; i < b.length; i++) b[i] = (byte) Math.max(0, Math.min(255, values[i]));
		return ArrayImgs.unsignedBytes(b, size[0], size[1]);
	}
}
