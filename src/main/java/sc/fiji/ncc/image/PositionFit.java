package sc.fiji.ncc.image;

import java.util.Arrays;

import sc.fiji.ncc.numeric.PaddedGrid;
import sc.fiji.ncc.numeric.ResidualCovariance;
import sc.fiji.ncc.numeric.VectorProducts;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * The position of a template between the pixels of an image, and its covariance: Gauss-Newton on the least squares {@code Σ w·(f(x + s) − a − b·t(x))²}, whose minimum over a
 * and b is the maximum of the correlation coefficient. The window f is interpolated by B-splines of degree 5, so all pixels of the template count. The steps use the gradient of the
 * template, which does not depend on the shift (S. Baker and I. Matthews, Lucas-Kanade 20 years on, Int. J. Computer Vision 56 (2004) 221-255, DOI
 * 10.1023/B:VISI.0000011205.11775.fd).
 * <p>
 * The solution makes {@code Σ w·g·(f(x + s) − a − b·t(x))} zero for the gradient g of the template. Without noise that holds at the true position for any g, so the only bias is
 * that of the interpolation. A template that was cut from the image is found at its pixel, but for rounding errors of less than 1e-7 pixels.
 * <p>
 * Values are floats, each array on a {@link PaddedGrid}: C2 vectorises the loops of a step. Arrays are used again for the next window. Only one
 * thread may use an object.
 */
public final class PositionFit {

	private static final int STEPS = 30;
	/** The least number of values of the residual for each value that is fitted: gradients, contrast, and the brightness of each channel. */
	private static final int FEW = 2;
	/** A step that needs no further one, in pixels, and one that may be due to rounding errors: then steps become no shorter. */
	private static final double SHORT = 1e-6, ROUNDING = 1e-4;
	/** The largest distance from the start, in pixels. */
	private static final double FAR = 1;

	/**
	 * A position.
	 *
	 * @param offset from the first pixel of the window, in pixels, at most 1.5 along each dimension
	 * @param covariance of the offset, in square pixels; see {@link ResidualCovariance}
	 */
	public record Fitted(double[] offset, double[][] covariance) {}

	/**
	 * What a window adds to one Gauss-Newton step of several windows with one offset: least squares over the pixels of all of them.
	 *
	 * @param jacobian the derivatives of the sums of products with the gradients, times the square of the contrast if it is below 1: windows
	 *          that are not alike count less
	 * @param right the negative sums, times the same
	 * @param noise the covariance of these sums
	 */
	public record Step(double[][] jacobian, double[] right, double[][] noise) {}

	private final PaddedGrid grid;
	private final int n, count, channels;
	private final int[] size;
	private final ShiftedWindow window;
	/** The template, one spline for each channel. */
	private final SplineBlock[] splines;
	// on the grid, channel after channel
	/** The template and its gradients. */
	private final float[][] own;
	/** The template, centred for the current weights; this and its gradients times the weights. */
	private final float[] centred, t;
	private final float[][] g;
	/** The window at a shift, and its slopes. */
	private final float[][] sampled;
	/** The weights; those for the residual, and 1 for each pixel that has one. */
	private final float[] weights, counted, present;
	/** Used by sums. */
	private final float[] weighed, products, half;
	private final ResidualCovariance residuals;
	private Template template;
	/** Values are those of the template times this one, so that floats hold their products. */
	private double scale;
	/** The sum of the weights of a channel, and the weighted sum of the squares of the template. */
	private double total, energy;

	public PositionFit(final Pixels pixels, final Template template) {
		this(template.size(), template.channels());
		this.template = withRelativeWeights(template);
		final double[] values = filled();
		double most = Double.MIN_NORMAL;
		for (int c = 0; c < values.length; c += count) {
			final double mean = Arrays.stream(values, c, c + count).sum() / count;
			for (int i = c; i < c + count; i++) most = Math.max(most, Math.abs(values[i] -= mean));
		}
		scale = 1 / most;
		window.in(pixels, this.template, null, scale);
		for (int c = 0; c < channels; c++) splines[c].continued(Arrays.copyOfRange(values, c * count, (c + 1) * count), scale);
		differentiate();
	}

	/** The template with weights of at most 1, so that floats hold their products. Only the ratios of weights count. */
	private static Template withRelativeWeights(final Template template) {
		if (template.weights() == null) return template;
		final double most = Arrays.stream(template.weights()).max().orElse(1);
		return new Template(template.size(), template.type(), template.values(),
			Arrays.stream(template.weights()).map(w -> w / most).toArray(),
			template.channels());
	}

	/** For windows of frames, see {@link #of}. */
	public PositionFit(final Size window) {
		this(window, 1);
	}

	private PositionFit(final Size size, final int channels) {
		this.channels = channels;
		this.size = size.toIntArray();
		grid = PaddedGrid.of(this.size);
		n = size.dimensions();
		count = Math.toIntExact(size.pixels());
		window = new ShiftedWindow(grid, channels);
		splines = new SplineBlock[channels];
		for (int c = 0; c < channels; c++) splines[c] = new SplineBlock(grid);
		final int all = channels * grid.length();
		own = new float[n + 1][all];
		centred = new float[all];
		t = new float[all];
		g = new float[n][all];
		sampled = new float[n + 1][all];
		weights = new float[all];
		counted = new float[all];
		present = new float[all];
		weighed = new float[all];
		products = new float[all];
		half = new float[all];
		residuals = new ResidualCovariance(grid, channels, n);
	}

	/**
	 * A window of one frame in another one. The splines are those of the frames, so a window takes less time.
	 *
	 * @param pixels the other frame, of one channel; {@code spline} is its spline
	 * @param weighted the window
	 * @param frame the spline of the frame of the window, and {@code first} its first pixel there
	 */
	public PositionFit of(final Pixels pixels, final Template weighted, final FrameSpline spline, final FrameSpline frame,
		final long[] first) {
		template = weighted;
		scale = frame.scale();
		window.in(pixels, weighted, spline, scale);
		frame.read(first, size, (float) scale, splines[0]);
		differentiate();
		return this;
	}

	/** Keeps no frame: their memory may be needed before the next call of {@link #of}. */
	public void release() {
		template = null;
		window.release();
	}

	private void differentiate() {
		for (int c = 0; c < channels; c++) splines[c].sample(new double[n], own, c * grid.length());
	}

	/** The values of the template. Pixels of weight 0 continue those beside them, so that the gradient has no jump. */
	private double[] filled() {
		final double[] values = template.values().clone();
		if (template.weights() == null) return values;
		for (int c = 0; c < values.length; c += count) {
			final boolean[] known = new boolean[count];
			for (int i = 0; i < count; i++) known[i] = template.weight(i) > 0;
			for (boolean more = true; more;) {
				final boolean[] before = known.clone();
				more = false;
				for (int i = 0; i < count; i++) if (!before[i]) {
					known[i] = fill(values, c, i, before);
					more |= known[i];
				}
			}
		}
		return values;
	}

	/** Sets a value to the mean of those beside it that are known. */
	private boolean fill(final double[] values, final int channel, final int i, final boolean[] known) {
		double sum = 0;
		int beside = 0;
		for (int d = 0, stride = 1, position = i; d < n; stride *= size[d], position /= size[d++])
			for (int step = -1; step <= 1; step += 2) {
				final int x = position % size[d] + step;
				if (x < 0 || x >= size[d] || !known[i + step * stride]) continue;
				sum += values[channel + i + step * stride];
				beside++;
			}
		if (beside > 0) values[channel + i] = sum / beside;
		return beside > 0;
	}

	/**
	 * Fits the position. Complexity: the number of pixels of the template, times the number of steps, which is seldom above 10.
	 *
	 * @param first the first pixel of the window of a match
	 * @param start an offset from there in pixels
	 * @return null if the steps do not converge near the start, or if the template does not determine the position: a straight edge, whose other
	 *         texture is weaker by a factor of about 10⁴
	 */
	public Fitted at(final long[] first, final double[] start) {
		if (!window.read(first)) return null;
		prepare();
		final double[] shift = start.clone();
		double before = Double.POSITIVE_INFINITY;
		for (int step = 0; step < STEPS; step++) {
			window.sample(shift, sampled);
			final double b = contrast();
			if (!(b > 0)) return null;
			final double[][] inverse = ResidualCovariance.inverseOfFloats(jacobian(b));
			if (inverse == null) return null;
			final double[] right = right(b);
			double length = 0;
			for (int d = 0; d < n; d++) {
				double change = 0;
				for (int e = 0; e < n; e++) change += inverse[d][e] * right[e];
				change = Math.max(-0.5, Math.min(0.5, change));
				shift[d] += change;
				length = Math.max(length, Math.abs(change));
				if (!(Math.abs(shift[d] - start[d]) <= FAR) || !(Math.abs(shift[d]) <= ShiftedWindow.MAX_SHIFT)) return null;
			}
			if (length < SHORT || length < ROUNDING && length > before / 2) {
				final double contrast = residual(shift);
				return new Fitted(shift, covariance(inverse, contrast, contrast));
			}
			before = length;
		}
		return null;
	}

	/**
	 * The part of this window in one step of several windows, see {@link Step}. Complexity: linear in the number of pixels.
	 *
	 * @param first the first pixel of the window of a match
	 * @param shift an offset from there in pixels, at most 1.5 along each dimension
	 * @return null if the window lies outside, or is not alike: then it adds nothing
	 */
	public Step step(final long[] first, final double[] shift) {
		if (!window.read(first)) return null;
		prepare();
		window.sample(shift, sampled);
		final double b = contrast(), weight = Math.min(1, b * b) / (scale * scale);
		if (!(b > 0 && b < Double.POSITIVE_INFINITY)) return null;
		final double[] right = right(b);
		final double[][] jacobian = jacobian(b), one = new double[n][n];
		for (int d = 0; d < n; d++) one[d][d] = 1;
		final double[][] s = covariance(one, residual(shift), b);
		for (int d = 0; d < n; d++) {
			right[d] *= weight;
			for (int e = 0; e < n; e++) {
				jacobian[d][e] *= weight;
				s[d][e] *= weight * weight;
			}
		}
		return new Step(jacobian, right, s);
	}

	/** Centres the window, and returns its contrast in units of the template. */
	private double contrast() {
		centre(sampled[0], weights, total);
		return product(sampled[0], t) / energy;
	}

	/**
	 * The negative sums of products of the gradients with the residual, in units of the template. The gradients are centred and orthogonal to the template, so
	 * brightness and contrast drop out; but without them, sums of floats have smaller errors.
	 */
	private double[] right(final double b) {
		VectorProducts.add(sampled[0], centred, (float) -b);
		final double[] right = new double[n];
		for (int d = 0; d < n; d++) right[d] = -product(g[d], sampled[0]) / b;
		return right;
	}

	/** The derivatives of the sums of products with the gradients. */
	private double[][] jacobian(final double b) {
		final double[][] jacobian = new double[n][n];
		for (int d = 0; d < n; d++) for (int e = 0; e < n; e++) jacobian[e][d] = product(g[e], sampled[d + 1]) / b;
		return jacobian;
	}

	/**
	 * The residual is that of the pixels as they are, because interpolated pixels have less noise. So the template is interpolated, inside its outermost
	 * pixels. A template of few pixels has too few inside: then all of them count. The centred template and the sampled window are lost.
	 *
	 * @return the contrast of these pixels; they and the interpolated template are in the places of the sampled window
	 */
	private double residual(final double[] shift) {
		final double[] whole = new double[n], rest = new double[n];
		for (int d = 0; d < n; d++) {
			whole[d] = Math.rint(shift[d]);
			rest[d] = whole[d] - shift[d];
		}
		final float[] f = sampled[0], model = sampled[1];
		window.sample(whole, new float[][] { f });
		for (int c = 0; c < channels; c++) splines[c].sample(rest, new float[][] { model }, c * grid.length());
		countInside();
		final double all = sum(counted, 0, grid.length());
		centre(f, counted, all);
		centre(model, counted, all);
		VectorProducts.multiply(centred, model, counted);
		return product(f, centred) / product(model, centred);
	}

	/**
	 * The covariance after {@link #residual}.
	 *
	 * @param contrast of these pixels
	 * @param unit by which the residual is divided, so that floats hold its products
	 */
	private double[][] covariance(final double[][] inverse, final double contrast, final double unit) {
		final float[] f = sampled[0], model = sampled[1];
		final float inverseUnit = (float) (1 / unit);
		for (int i = 0; i < f.length; i++) f[i] *= inverseUnit;
		VectorProducts.add(f, model, (float) (-contrast / unit));
		VectorProducts.multiply(f, f, present);
		return residuals.of(inverse, g, f, present);
	}

	/** Sets what counts for the residual: the weights without those of the outermost pixels, but all of them if few are left. */
	private void countInside() {
		System.arraycopy(weights, 0, counted, 0, counted.length);
		for (int d = 0; d < n; d++) {
			final int stride = grid.strides()[d], line = d == n - 1 ? grid.length() : grid.strides()[d + 1];
			for (int i = 0; i < counted.length && size[d] > 2; i += line) {
				Arrays.fill(counted, i, i + stride, 0);
				Arrays.fill(counted, i + stride * (size[d] - 1), i + stride * size[d], 0);
			}
		}
		if (markCounted() <= FEW * (n + 1 + channels)) {
			System.arraycopy(weights, 0, counted, 0, counted.length);
			markCounted();
		}
	}

	/** Marks what counts, and returns the number of values. */
	private double markCounted() {
		if (template.weights() == null) System.arraycopy(counted, 0, present, 0, present.length);
		else for (int i = 0; i < present.length; i++) present[i] = counted[i] > 0 ? 1 : 0;
		return sum(present, 0, present.length);
	}

	/** Centres the template and its gradients, and makes these orthogonal to it, with the weights of the window, by which all are multiplied then. */
	private void prepare() {
		for (int c = 0; c < channels; c++) grid.put(window.weights(), weights, c * grid.length());
		System.arraycopy(own[0], 0, centred, 0, t.length);
		total = sum(weights, 0, grid.length());
		centre(centred, weights, total);
		VectorProducts.multiply(t, centred, weights);
		energy = product(centred, t);
		for (int d = 0; d < n; d++) {
			System.arraycopy(own[d + 1], 0, g[d], 0, t.length);
			VectorProducts.add(g[d], centred, (float) (-product(g[d], t) / energy));
			centre(g[d], weights, total);
			VectorProducts.multiply(g[d], g[d], weights);
		}
	}

	/** Subtracts the weighted mean of each channel. @param all the sum of the weights */
	private void centre(final float[] v, final float[] weighted, final double all) {
		final int length = grid.length();
		VectorProducts.multiply(weighed, v, weighted);
		for (int c = 0; c < v.length; c += length) subtract(v, (float) (sum(weighed, c, length) / all), c, c + length);
	}

	private static void subtract(final float[] v, final float mean, final int from, final int end) {
		for (int i = from; i < end; i++) v[i] -= mean;
	}

	private double sum(final float[] v, final int from, final int length) {
		System.arraycopy(v, from, products, 0, length);
		return VectorProducts.sum(products, length, half);
	}

	private double product(final float[] a, final float[] b) {
		return VectorProducts.dot(a, b, products, half);
	}
}
