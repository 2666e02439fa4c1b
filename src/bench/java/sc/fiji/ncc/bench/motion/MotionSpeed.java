package sc.fiji.ncc.bench.motion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.bench.OpenCv;
import sc.fiji.ncc.bench.Pixmap;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.ParticlePair;

/**
 * Vectors a second of {@link MotionField}, beside one call of OpenCV's {@code matchTemplate} for each window in the same process: windows of 32x32,
 * spacing 16, shifts of
 * up to 12 pixels. All take turns for some time; times are medians of the turns after the first third. Arguments: threads, seconds for each method,
 * sides of frames.
 */
public final class MotionSpeed {

	private static final int WINDOW = 32, SPACING = 16, SHIFT = 12;

	private MotionSpeed() {}

	/** What is timed. @param seconds runs once */
	private record Method(String name, int passes, boolean refined, DoubleSupplier seconds) {}

	public static void main(final String[] args) {
		final int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2, limit = args.length > 1 ? Integer.parseInt(args[1]) : 3;
		final List<Integer> sides = new ArrayList<>();
		for (int i = 2; i < args.length; i++) sides.add(Integer.parseInt(args[i]));
		if (sides.isEmpty()) sides.addAll(List.of(1000, 2000));
		System.out.println("frame,bits,threads,method,passes,refined,vectors,median_ms,vectors_a_second,over_opencv");
		for (final int side : sides)
			for (final int bits : new int[] { 8, 16 }) compare(side, bits, threads, limit);
	}

	private static void compare(final int side, final int bits, final int threads, final double limit) {
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
			for (int m = 0; m < rates.length; m++) {
				final Method method = methods.get(m);
				System.out.printf(Locale.ROOT, "%dx%d,%d,%d,%s,%d,%s,%d,%.1f,%.0f,%.1f%n", side, side, bits, threads, method.name,
					method.passes, method.refined ? "yes" : "no",
					m == rates.length - 1 ? matched[0] : vectors[0], 1e3 * medians[m], rates[m], rates[m] / rates[rates.length - 1]);
			}
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
