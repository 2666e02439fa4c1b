package sc.fiji.ncc.bench.motion;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.bench.OpenCv;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.bench.document.CsvOption;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.ParticlePair;

/**
 * Vectors a second of {@link MotionField}, beside one call of OpenCV's {@code matchTemplate} for each window in the same process: windows of 32x32,
 * spacing 16, shifts of up to 12 pixels. All take turns for some time; times are medians of the turns after the first third.
 */
@Command(name = "MotionSpeed", mixinStandardHelpOptions = true, sortOptions = false)
public final class MotionSpeed implements Callable<Integer> {

	private static final int WINDOW = 32, SPACING = 16, SHIFT = 12;
	private static final int[] BITS = { 8, 16 };
	private static final String[] COLUMNS = { "frame", "bits", "threads", "method", "passes", "refined", "vectors", "median_ms", "vectors_a_second",
		"over_opencv" };

	@Option(names = "--threads", defaultValue = "2", description = "the number of threads. Default: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--seconds", defaultValue = "3", description = "the least time for each method. Default: ${DEFAULT-VALUE}")
	private double limit;
	@Option(names = "--sides", split = ",", defaultValue = "2000,1000", description = "sides of frames in pixels. Default: ${DEFAULT-VALUE}")
	private int[] sides;
	@Mixin
	private CsvOption csv;

	/** What is timed. @param seconds runs once */
	private record Method(String name, int passes, boolean refined, DoubleSupplier seconds) {}

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new MotionSpeed()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(String.join(",", COLUMNS));
		csv.columns(COLUMNS);
		// the first calls are slow until their code is compiled
		for (final int bits : BITS) compare(sides[sides.length - 1], bits);
		for (final int side : sides)
			for (final int bits : BITS)
				for (final Object[] row : compare(side, bits)) {
					System.out.printf(Locale.ROOT, "%s,%d,%d,%s,%d,%s,%d,%.1f,%.0f,%.1f%n", row);
					csv.row(row);
				}
		csv.write();
		return 0;
	}

	/** @return the rows of the table */
	private List<Object[]> compare(final int side, final int bits) {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(side, side).bits(bits).images(x -> new double[] { 3.3, -2.4 });
		final List<Method> methods = new ArrayList<>();
		final int[] vectors = new int[1];
		for (final int passes : new int[] { 1, 3 })
			for (final boolean refined : new boolean[] { false, true }) {
				final MotionField field = MotionField.ofWindows(WINDOW, WINDOW).spacing(SPACING, SPACING).maxShift(SHIFT, SHIFT).passes(passes).refine(refined).threads(
					threads);
				methods.add(new Method("motion", passes, refined, () -> {
					final MotionFields found = field.measure(pair[0], pair[1]);
					vectors[0] = Math.toIntExact(found.windows());
					return found.seconds();
				}));
			}
		final int[] matched = new int[1];
		// OpenCV has no 16-bit images: floats
		try (OpenCv.Windows windows = new OpenCv.Windows(pixmap(pair[0], bits), pixmap(pair[1], bits), WINDOW, SPACING, SHIFT, threads)) {
			methods.add(new Method("OpenCV", 1, false, () -> {
				final long start = System.nanoTime();
				matched[0] = windows.run();
				return 1e-9 * (System.nanoTime() - start);
			}));
			final List<List<Double>> seconds = new ArrayList<>();
			methods.forEach(m -> seconds.add(new ArrayList<>()));
			for (boolean more = true; more;) {
				more = false;
				for (int m = 0; m < methods.size(); m++) if (seconds.get(m).stream().mapToDouble(s -> s).sum() < limit || seconds.get(m).size() < 3) {
					seconds.get(m).add(methods.get(m).seconds.getAsDouble());
					more = true;
				}
			}
			final double[] medians = new double[methods.size()], rates = new double[medians.length];
			for (int m = 0; m < rates.length; m++) {
				final List<Double> all = seconds.get(m);
				final double[] later = all.subList(all.size() / 3, all.size()).stream().mapToDouble(s -> s).sorted().toArray();
				medians[m] = later[later.length / 2];
				rates[m] = (m == rates.length - 1 ? matched[0] : vectors[0]) / medians[m];
			}
			final List<Object[]> rows = new ArrayList<>();
			for (int m = 0; m < rates.length; m++) {
				final Method method = methods.get(m);
				final String frame = side + "x" + side, refined = method.refined ? "yes" : "no";
				final int count = m == rates.length - 1 ? matched[0] : vectors[0];
				final double ratio = rates[m] / rates[rates.length - 1];
				rows.add(new Object[] { frame, bits, threads, method.name, method.passes, refined, count, 1e3 * medians[m], rates[m], ratio });
			}
			return rows;
		}
	}

	private static Pixmap pixmap(final RandomAccessibleInterval<?> image, final int bits) {
		final int w = (int) image.dimension(0), h = (int) image.dimension(1);
		final float[] values = new float[w * h];
		final Cursor<?> cursor = Views.flatIterable(image).cursor();
		for (int i = 0; i < values.length; i++) values[i] = ((RealType<?>) cursor.next()).getRealFloat();
		return new Pixmap(values, w, h, bits > 8);
	}
}
