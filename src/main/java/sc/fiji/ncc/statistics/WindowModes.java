package sc.fiji.ncc.statistics;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;

import sc.fiji.ncc.plan.Buffers;
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

	private Optional<WindowNoise> of(final Pixels image) {
		final int n = size.length;
		double work = 0;
		for (final int s : size) work += 2.0 * count * s;
		final int wanted = (int) Math.max(LEAST, Math.min(MOST, WORK / work));
		final double[][] windows = new double[wanted][];
		int complete = 0;
		for (int i = 0; i < wanted; i++) {
			final double[] window = read(image, i);
			if (window != null) windows[complete++] = window;
		}
		if (complete < LEAST) return Optional.empty();
		final int found = complete;
		final double skewness = skewness(windows, complete) * skewness(new double[][] { template }, 1);
		centre(windows, complete);
		// a search on a card is so fast that it would wait for this, if one thread did it
		final double[][][] axes = IntStream.range(0, n).parallel().mapToObj(d -> axis(windows, found, d)).toArray(double[][][]::new);
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
		final GaussianScores scores = GaussianScores.of(variances, template, constant);
		return Optional.of(new WindowNoise(scores, skewness / (6 * Math.sqrt(scores.effectivePixels()))));
	}

	/** A window; null if pixels are missing or not finite. */
	private double[] read(final Pixels image, final int index) {
		final int n = size.length;
		final long[] extents = image.size(), min = new long[n];
		for (int d = 0; d < n; d++) {
			final double place = (index + 0.5) * STEPS[d];
			if (extents[d] < size[d]) return null;
			min[d] = (long) ((place - Math.floor(place)) * (extents[d] - size[d] + 1));
		}
		if (image.mask() != null) {
			final byte[] present = new byte[count];
			image.mask().read(min, size, ByteBuffer.wrap(present));
			for (final byte p : present) if (p == 0) return null;
		}
		final Buffer buffer = image.type().allocate(count);
		image.read(min, size, buffer);
		final double[] window = new double[count];
		for (int i = 0; i < count; i++) {
			window[i] = weights[i] > 0 ? Buffers.value(buffer, image.type().min == 0, i) : 0;
			if (!Double.isFinite(window[i])) return null;
		}
		return window;
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

	/** The components of the eigenvectors of the covariance of pixels along an axis: those of the first pixel, of the second pixel, and so on. */
	private double[][] axis(final double[][] windows, final int complete, final int d) {
		final int length = size[d], stride = stride(d);
		final double[][] covariance = new double[length][length];
		final double[] line = new double[length];
		for (int w = 0; w < complete; w++) for (int from = 0; from < count; from += length * stride) for (int k = from; k < from + stride; k++) {
			for (int i = 0; i < length; i++) line[i] = windows[w][k + i * stride];
			for (int i = 0; i < length; i++) add(line[i], line, 0, covariance[i], 0, i + 1);
		}
		for (int i = 0; i < length; i++) for (int j = 0; j < i; j++) covariance[j][i] = covariance[i][j];
		return new EigenDecomposition(new Array2DRowRealMatrix(covariance, false)).getV().getData();
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
