package sc.fiji.ncc.statistics;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;

import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;

/**
 * The modes of the windows of an image, and the template in them, as {@link GaussianScores} needs them. The modes are products of one vector for each axis: the eigenvectors of the
 * covariance of pixels along this axis. For a separable autocorrelation of the image they are independent. Their variances come from windows at regular places.
 */
final class WindowModes {

	/** The largest extents of a template in up to two dimensions, and in three. Of larger ones, a part counts. */
	private static final int SIDE = 64, SIDE_3D = 16;
	/** The number of windows follows from a number of multiplications, within limits. */
	private static final double WORK = 3e6;
	private static final int LEAST = 24, MOST = 160;
	/** The windows are divided into so many parts, whose differences show how exact they are. */
	private static final int PARTS = 4;
	/** One line of pixels of so many shows how the modes change from one window to the next. */
	private static final int LINES = 4;
	/** Modes of a smaller variance, relative to the greatest one, are rounding errors. */
	private static final double ROUNDING = 1e-13;
	/** The number of modes whose correlations are taken off, if the weights of the pixels differ. */
	private static final int STRONG = 128;
	/** Added to the diagonal of their covariance, relative to its trace. */
	private static final double NULL = 1e-9;
	/** The golden ratio, whose multiples spread evenly over [0, 1). */
	private static final double[] STEPS = { 0.7548776662466927, 0.5698402909980532, 0.3247179572447461 };

	private final int[] size;
	private final int count;
	private final double[] weights;
	private final double[] template;

	private WindowModes(final Template whole) {
		final int n = whole.size().dimensions();
		final int[] extents = whole.size().toIntArray(), skipped = new int[n];
		size = new int[n];
		int all = 1;
		for (int d = 0; d < n; d++) {
			size[d] = Math.min(extents[d], n < 3 ? SIDE : SIDE_3D);
			skipped[d] = (extents[d] - size[d]) / 2;
			all *= size[d];
		}
		count = all;
		weights = new double[count];
		template = new double[count];
		for (int i = 0; i < count; i++) {
			int at = 0;
			for (int d = 0, rest = i, stride = 1; d < n; rest /= size[d], stride *= extents[d++]) at += (skipped[d] + rest % size[d]) * stride;
			weights[i] = Math.sqrt(whole.weight(at));
			template[i] = weights[i] > 0 ? whole.values()[at] : 0;
		}
	}

	/**
	 * The scores of background with the autocorrelation of the image.
	 *
	 * @return empty for several channels, or if too few windows are complete or have contrast
	 */
	static Optional<WindowNoise> of(final Template template, final Pixels image) {
		if (template.channels() > 1) return Optional.empty();
		return new WindowModes(template).of(image);
	}

	/** The approximate number of multiplications: those of the windows, and of the strong modes if the weights of the pixels differ. */
	static double multiplications(final Template template) {
		final WindowModes modes = new WindowModes(template);
		return modes.wanted() * modes.work() + (modes.isWeighted() ? 1.5 * STRONG * modes.work() : 0);
	}

	/** The multiplications of a window: a covariance and a product with the modes for each axis. */
	private double work() {
		double work = 0;
		for (final int s : size) work += 2.0 * count * s;
		return work;
	}

	private int wanted() {
		return (int) Math.max(LEAST, Math.min(MOST, WORK / work()));
	}

	private boolean isWeighted() {
		return Arrays.stream(weights).anyMatch(w -> w != weights[0]);
	}

	private Optional<WindowNoise> of(final Pixels image) {
		final int n = size.length, wanted = wanted();
		final double[][] windows = new double[wanted][], larger = new double[wanted][];
		final int[] extents = new int[n];
		for (int d = 0; d < n; d++) extents[d] = size[d] + (image.size()[d] > size[d] ? 1 : 0);
		int complete = 0;
		for (int i = 0; i < wanted; i++) {
			final double[] window = read(image, i, extents);
			if (window == null) continue;
			larger[complete] = window;
			windows[complete++] = inner(window, extents);
		}
		if (complete < LEAST) return Optional.empty();
		final int found = complete;
		final double skewness = skewness(windows, complete) * skewness(new double[][] { template }, 1);
		centre(windows, complete);
		// a search on a GPU is so fast that it would wait for this, if one thread did it
		final Steepness.Motion[] motions = new Steepness.Motion[n];
		final double[][][] axes = IntStream.range(0, n).parallel().mapToObj(d -> {
			final EigenDecomposition modes = axis(windows, found, d);
			if (extents[d] > size[d]) motions[d] = motion(windows, larger, extents, found, d, modes);
			return modes.getV().getData();
		}).toArray(double[][][]::new);
		IntStream.range(0, found).parallel().forEach(i -> project(windows[i], axes));
		final double[] variances = new double[count];
		for (int i = 0; i < found; i++) for (int k = 0; k < count; k++) variances[k] += windows[i][k] * windows[i][k] / found;
		final double norm = Arrays.stream(weights).map(w -> w * w).sum();
		final double[] constant = Arrays.stream(weights).map(w -> w / Math.sqrt(norm)).toArray();
		centre(new double[][] { template }, 1);
		project(template, axes);
		project(constant, axes);
		double sum = 0, part = 0;
		for (int k = 0; k < count; k++) {
			sum += variances[k];
			part += variances[k] * template[k] * template[k];
		}
		if (!(sum > 0 && part > 0)) return Optional.empty();
		final Steepness steepness = Steepness.of(GaussianScores.of(variances, template, constant), size, variances, template, constant, motions);
		if (isWeighted()) decorrelate(larger, extents, found, axes, variances, constant, windows);
		final GaussianScores scores = GaussianScores.of(variances, template, constant);
		final double[][] parts = new double[PARTS][count];
		for (int i = 0; i < found; i++) for (int k = 0; k < count; k++) parts[i % PARTS][k] += windows[i][k] * windows[i][k];
		return Optional.of(new WindowNoise(scores, Arrays.stream(parts).map(v -> GaussianScores.of(v, template, constant)).toList(),
			steepness, skewness / (6 * Math.sqrt(scores.effectivePixels())), diagonal(larger, extents, found)));
	}

	/**
	 * Takes the correlations off the strongest modes. Weights that are no product of one factor for each axis, as those of a disk, correlate the modes
	 * of smooth images. Their covariance follows from that of whole windows, whose modes are independent.
	 *
	 * @param variances those of the modes; with the constant window, the windows and the template they are changed to those of the new modes
	 */
	private void decorrelate(final double[][] larger, final int[] extents, final int found, final double[][][] axes, final double[] variances,
		final double[] constant, final double[][] windows) {
		final double[][] whole = new double[found][count];
		double mean = 0;
		for (int w = 0; w < found; w++) for (int i = 0; i < count; i++) mean += (whole[w][i] = larger[w][place(i, extents)]) / found / count;
		for (final double[] w : whole) for (int i = 0; i < count; i++) w[i] -= mean;
		final double[][][] covariances = IntStream.range(0, size.length).mapToObj(d -> covariance(whole, found, d)).toArray(double[][][]::new);
		final double[][][] back = Arrays.stream(axes).map(a -> new Array2DRowRealMatrix(a, false).transpose().getData()).toArray(double[][][]::new);
		final int[] strong = IntStream.range(0, count).boxed().sorted(Comparator.comparingDouble(k -> -variances[k])).limit(STRONG)
			.mapToInt(k -> k).toArray();
		final double[][] correlated = IntStream.of(strong).parallel().mapToObj(k -> {
			final double[] v = new double[count];
			v[k] = 1;
			project(v, back);
			for (int i = 0; i < count; i++) v[i] *= weights[i];
			project(v, covariances);
			for (int i = 0; i < count; i++) v[i] *= weights[i];
			project(v, axes);
			return IntStream.of(strong).mapToDouble(l -> v[l]).toArray();
		}).toArray(double[][]::new);
		final RealMatrix turn = new EigenDecomposition(regular(correlated)).getVT();
		for (final double[] v : windows) turn(v, strong, turn);
		turn(template, strong, turn);
		turn(constant, strong, turn);
		for (final int k : strong) {
			variances[k] = 0;
			for (int i = 0; i < found; i++) variances[k] += windows[i][k] * windows[i][k] / found;
		}
	}

	/** Exactly symmetric, and without a null space, which the iterations would not find. The eigenvectors stay. */
	private static RealMatrix regular(final double[][] matrix) {
		final RealMatrix m = new Array2DRowRealMatrix(matrix, false);
		return m.add(m.transpose()).add(MatrixUtils.createRealIdentityMatrix(matrix.length).scalarMultiply(NULL * m.getTrace()));
	}

	/** Replaces some elements of a vector by their products with a matrix. */
	private static void turn(final double[] v, final int[] elements, final RealMatrix matrix) {
		final double[] turned = matrix.operate(IntStream.of(elements).mapToDouble(k -> v[k]).toArray());
		for (int i = 0; i < turned.length; i++) v[elements[i]] = turned[i];
	}

	/** The pixels of a window, and the next ones along each axis where the image has some; null if pixels are missing or not finite. */
	private double[] read(final Pixels image, final int index, final int[] extents) {
		final int n = size.length;
		final long[] all = image.size(), min = new long[n];
		for (int d = 0; d < n; d++) {
			final double place = (index + 0.5) * STEPS[d];
			if (all[d] < size[d]) return null;
			min[d] = (long) ((place - Math.floor(place)) * (all[d] - extents[d] + 1));
		}
		final int pixels = Arrays.stream(extents).reduce(1, (a, b) -> a * b);
		if (image.mask() != null) {
			final byte[] present = new byte[pixels];
			image.mask().read(min, extents, ByteBuffer.wrap(present));
			for (final byte p : present) if (p == 0) return null;
		}
		final Buffer buffer = image.type().allocate(pixels);
		image.read(min, extents, buffer);
		final double[] window = new double[pixels];
		for (int i = 0; i < pixels; i++) {
			window[i] = Buffers.value(buffer, image.type().min == 0, i);
			if (!Double.isFinite(window[i])) return null;
		}
		return window;
	}

	/** The window itself. */
	private double[] inner(final double[] larger, final int[] extents) {
		final double[] window = new double[count];
		for (int i = 0; i < count; i++) window[i] = larger[place(i, extents)];
		return window;
	}

	/** The index of a pixel of the window in a box of larger extents. */
	private int place(final int index, final int[] extents) {
		int at = 0;
		for (int d = 0, rest = index, stride = 1; d < size.length; rest /= size[d], stride *= extents[d++]) at += rest % size[d] * stride;
		return at;
	}

	/** The greatest magnitude of the correlations of the slopes along two axes. */
	private static double diagonal(final double[][] windows, final int[] extents, final int complete) {
		double most = 0;
		for (int d = 0, stride = 1; d < extents.length; stride *= extents[d++]) for (int e = 0, other = 1; e < d; other *= extents[e++]) {
			double products = 0, first = 0, second = 0;
			for (int w = 0; w < complete; w++) for (int i = 0; i + stride + other < windows[w].length; i++) {
				if (i / stride % extents[d] + 1 == extents[d] || i / other % extents[e] + 1 == extents[e]) continue;
				// over squares of four pixels, so that white noise has no correlation
				final double rising = windows[w][i + stride + other] - windows[w][i], falling = windows[w][i + stride] - windows[w][i + other];
				products += rising * rising - falling * falling;
				first += (rising + falling) * (rising + falling);
				second += (rising - falling) * (rising - falling);
			}
			if (first > 0 && second > 0) most = Math.max(most, Math.abs(products) / Math.sqrt(first * second));
		}
		return most;
	}

	/** The mean skewness of the pixels of a window. */
	private double skewness(final double[][] windows, final int complete) {
		double sum = 0;
		for (int w = 0; w < complete; w++) {
			double all = 0, mean = 0, squares = 0, cubes = 0;
			for (int i = 0; i < count; i++) {
				all += weights[i] * weights[i];
				mean += weights[i] * weights[i] * windows[w][i];
			}
			mean /= all;
			for (int i = 0; i < count; i++) {
				final double v = windows[w][i] - mean, square = weights[i] * weights[i] * v * v;
				squares += square;
				cubes += square * v;
			}
			if (squares > 0) sum += cubes / all / Math.pow(squares / all, 1.5);
		}
		return sum / complete;
	}

	/** Subtracts the weighted mean of all windows, and multiplies by the roots of the weights. */
	private void centre(final double[][] windows, final int complete) {
		double sum = 0, all = 0;
		for (int w = 0; w < complete; w++) for (int i = 0; i < count; i++) {
			sum += weights[i] * weights[i] * windows[w][i];
			all += weights[i] * weights[i];
		}
		for (int w = 0; w < complete; w++) for (int i = 0; i < count; i++) windows[w][i] = weights[i] * (windows[w][i] - sum / all);
	}

	/** The eigenvectors of the covariance of pixels along an axis. Their matrix has the components of the first pixel, of the second pixel, and so on. */
	private EigenDecomposition axis(final double[][] windows, final int complete, final int d) {
		return new EigenDecomposition(new Array2DRowRealMatrix(covariance(windows, complete, d), false));
	}

	/** The covariance of pixels along an axis, times the number of lines. */
	private double[][] covariance(final double[][] windows, final int complete, final int d) {
		final int length = size[d], stride = stride(d);
		final double[][] covariance = new double[length][length];
		final double[] line = new double[length];
		for (int w = 0; w < complete; w++) for (int from = 0; from < count; from += length * stride) for (int k = from; k < from + stride; k++) {
			for (int i = 0; i < length; i++) line[i] = windows[w][k + i * stride];
			for (int i = 0; i < length; i++) add(line[i], line, 0, covariance[i], 0, i + 1);
		}
		for (int i = 0; i < length; i++) for (int j = 0; j < i; j++) covariance[j][i] = covariance[i][j];
		return covariance;
	}

	/** How the modes along an axis change from a window to the next one along this axis. */
	private Steepness.Motion motion(final double[][] windows, final double[][] larger, final int[] extents, final int complete, final int d,
		final EigenDecomposition modes) {
		final int length = size[d], stride = stride(d);
		int step = 1;
		for (int e = 0; e < d; e++) step *= extents[e];
		final double[][] moved = new double[length][length], differences = new double[length][length];
		final double[] line = new double[length], difference = new double[length];
		int lines = 0, used = 0;
		for (int w = 0; w < complete; w++) for (int from = 0; from < count; from += length * stride) for (int k = from; k < from + stride; k++) {
			if (lines++ % LINES != 0) continue;
			used++;
			for (int i = 0; i < length; i++) {
				final int at = k + i * stride, place = place(at, extents);
				line[i] = windows[w][at];
				difference[i] = weights[at] > 0 ? weights[at] * (larger[w][place + step] - larger[w][place]) : 0;
			}
			for (int i = 0; i < length; i++) {
				add(line[i], difference, 0, moved[i], 0, length);
				add(difference[i], difference, 0, differences[i], 0, length);
			}
		}
		final RealMatrix v = modes.getV(), turned = new Array2DRowRealMatrix(moved, false);
		final double scale = (double) lines / used;
		final double[] deviations = Arrays.stream(modes.getRealEigenvalues())
			.map(l -> l > ROUNDING * modes.getRealEigenvalue(0) ? Math.sqrt(l) : Double.POSITIVE_INFINITY).toArray();
		return new Steepness.Motion(scaled(v.transpose().multiply(turned.subtract(turned.transpose())).multiply(v), deviations, scale / 2),
			scaled(v.transpose().multiply(new Array2DRowRealMatrix(differences, false)).multiply(v), deviations, scale));
	}

	private static double[][] scaled(final RealMatrix matrix, final double[] deviations, final double factor) {
		final double[][] m = matrix.getData();
		for (int i = 0; i < m.length; i++) for (int j = 0; j < m.length; j++) m[i][j] *= factor / (deviations[i] * deviations[j]);
		return m;
	}

	private int stride(final int d) {
		int stride = 1;
		for (int e = 0; e < d; e++) stride *= size[e];
		return stride;
	}

	/** Replaces pixels by their modes. */
	private void project(final double[] v, final double[][][] axes) {
		for (int d = 0; d < size.length; d++) {
			final int length = size[d], stride = stride(d);
			final double[] lines = new double[length * stride];
			for (int from = 0; from < count; from += lines.length) {
				System.arraycopy(v, from, lines, 0, lines.length);
				Arrays.fill(v, from, from + lines.length, 0);
				for (int j = 0; j < length; j++) {
					if (stride == 1) add(lines[j], axes[d][j], 0, v, from, length);
					else for (int i = 0; i < length; i++) add(axes[d][j][i], lines, j * stride, v, from + i * stride, stride);
				}
			}
		}
	}

	/** Adds multiples of some elements to others. */
	private static void add(final double factor, final double[] from, final int first, final double[] to, final int at, final int n) {
		for (int i = 0; i < n; i++) to[at + i] += factor * from[first + i];
	}
}
