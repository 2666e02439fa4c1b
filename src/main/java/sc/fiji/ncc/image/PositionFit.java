package sc.fiji.ncc.image;

import java.util.Arrays;

import sc.fiji.ncc.numeric.ResidualCovariance;
import sc.fiji.ncc.numeric.VectorProducts;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;

/**
 * The position of a template between the pixels of an image, and its covariance: Gauss-Newton on the least squares {@code Σ w·(f(x + s) − a − b·t(x))²}, whose minimum over a
 * and b is the maximum of the correlation coefficient. The window f is interpolated by B-splines of degree 5, so all pixels of the template count. The steps use the gradient of the
 * template, which does not depend on the shift (S. Baker and I. Matthews, Lucas-Kanade 20 years on, Int. J. Computer Vision 56 (2004) 221-255, DOI
 * 10.1023/B:VISI.0000011205.11775.fd).
 * <p>
 * The solution makes {@code Σ w·g·(f(x + s) − a − b·t(x))} zero for the gradient g of the template. Without noise that holds at the true position for any g, so the only bias is
 * that of the interpolation. A template that was cut from the image is found exactly at its pixel. Only one thread may use an object.
 */
public final class PositionFit {

	private static final int STEPS = 30;
	/** So many steps at the start, and later each so many steps, have new slopes. */
	private static final int SLOPES = 3;
	/** The least number of values of the residual for each value that is fitted: gradients, contrast, and the brightness of each channel. */
	private static final int FEW = 2;
	/** A step that needs no further one, in pixels. */
	private static final double SMALL = 1e-7;
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
	 * @param noise the covariance of these sums; null if it was not asked for
	 */
	public record Step(double[][] jacobian, double[] right, double[][] noise) {}

	private final Template template;
	private final int n, count, channels;
	private final int[] size;
	private final double[] values;
	private final double[][] gradient;
	private final ShiftedWindow window;
	/** The template, one spline for each channel. */
	private final ShiftSampler[] splines;
	/** Centred values and gradients of the template for the current weights. */
	private final double[] t;
	private final double[][] g;
	/** Whether all weights are 1. */
	private boolean uniform;
	private double energy;

	public PositionFit(final Pixels pixels, final Template template) {
		this(pixels, template, null, null, null);
	}

	/**
	 * A window of one frame in another one. The splines are those of the frames, so a window takes less time.
	 *
	 * @param pixels the other frame, of one channel; {@code spline} is its spline
	 * @param template the window
	 * @param own the spline of the frame of the window, and {@code first} its first pixel there
	 */
	public PositionFit(final Pixels pixels, final Template template, final FrameSpline spline, final FrameSpline own, final long[] first) {
		this.template = template;
		size = template.size().toIntArray();
		n = size.length;
		channels = template.channels();
		count = template.values().length / channels;
		window = new ShiftedWindow(pixels, template, spline);
		gradient = new double[n][template.values().length];
		values = filled();
		splines = new ShiftSampler[channels];
		for (int c = 0; c < channels; c++) {
			splines[c] = own == null ? SplineBlock.continued(size, Arrays.copyOfRange(values, c * count, (c + 1) * count)) : own.window(first, size);
			for (int d = 0; d < n; d++) splines[c].sample(new double[n], d, gradient[d], c * count);
		}
		t = new double[values.length];
		g = new double[n][values.length];
	}

	/** The values of the template. Pixels of weight 0 continue those beside them, so that the gradient has no jump. */
	private double[] filled() {
		final double[] values = template.values().clone();
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
	 * @return null if the steps do not converge near the start, or if the template does not determine the position, such as a straight edge
	 */
	public Fitted at(final long[] first, final double[] start) {
		if (!window.read(first)) return null;
		prepare();
		final double[] shift = start.clone();
		double[][] inverse = null;
		for (int step = 0; step < STEPS; step++) {
			final double[] f = window.values(shift, -1);
			final double b = product(f, t) / energy;
			if (!(b > 0)) return null;
			// near the solution the slopes change little
			final boolean newSlopes = step < SLOPES || step % SLOPES == 0;
			if (newSlopes) inverse = inverse(shift, b);
			if (inverse == null) return null;
			final double[] right = right(f, b);
			double length = 0;
			for (int d = 0; d < n; d++) {
				double change = 0;
				for (int e = 0; e < n; e++) change += inverse[d][e] * right[e];
				change = Math.max(-0.5, Math.min(0.5, change));
				shift[d] += change;
				length = Math.max(length, Math.abs(change));
				if (!(Math.abs(shift[d] - start[d]) <= FAR) || !(Math.abs(shift[d]) <= ShiftedWindow.MAX_SHIFT)) return null;
			}
			if (length >= SMALL) continue;
			// new slopes are those of this step
			final double[][] last = newSlopes ? inverse : inverse(shift, b);
			return last == null ? null : new Fitted(shift, covariance(shift, last, Double.NaN));
		}
		return null;
	}

	/**
	 * The part of this window in one step of several windows, see {@link Step}. Complexity: linear in the number of pixels.
	 *
	 * @param first the first pixel of the window of a match
	 * @param shift an offset from there in pixels, at most 1.5 along each dimension
	 * @param noise whether the covariance is needed
	 * @return null if the window lies outside, or is not alike: then it adds nothing
	 */
	public Step step(final long[] first, final double[] shift, final boolean noise) {
		if (!window.read(first)) return null;
		prepare();
		final double[] f = window.values(shift, -1);
		final double b = product(f, t) / energy, weight = Math.min(1, b * b);
		if (!(b > 0 && b < Double.POSITIVE_INFINITY)) return null;
		final double[] right = right(f, b);
		final double[][] jacobian = jacobian(shift, b), one = new double[n][n];
		for (int d = 0; d < n; d++) one[d][d] = 1;
		final double[][] s = noise ? covariance(shift, one, b) : null;
		for (int d = 0; d < n; d++) {
			right[d] *= weight;
			for (int e = 0; e < n; e++) {
				jacobian[d][e] *= weight;
				if (noise) s[d][e] *= weight * weight;
			}
		}
		return new Step(jacobian, right, s);
	}

	/**
	 * The negative sums of products of the gradients with the residual, in units of the template. The gradients are centred and orthogonal to the template,
	 * so f needs no centring, and the part of the template drops out.
	 */
	private double[] right(final double[] f, final double b) {
		final double[] right = new double[n];
		for (int d = 0; d < n; d++) right[d] = -product(g[d], f) / b;
		return right;
	}

	/** The inverse of the derivatives of the sums of products with the gradients; null if they do not determine the position. */
	private double[][] inverse(final double[] shift, final double b) {
		return ResidualCovariance.inverse(jacobian(shift, b));
	}

	private double[][] jacobian(final double[] shift, final double b) {
		final double[][] jacobian = new double[n][n];
		for (int d = 0; d < n; d++) {
			final double[] slope = window.values(shift, d);
			for (int e = 0; e < n; e++) jacobian[e][d] = product(g[e], slope) / b;
		}
		return jacobian;
	}

	/**
	 * The residual is that of the pixels as they are, because interpolated pixels have less noise. So the template is interpolated, inside its outermost
	 * pixels. A template of few pixels has too few inside: then all of them count.
	 *
	 * @param contrast by which the residual is divided; NaN for that of these pixels
	 */
	private double[][] covariance(final double[] shift, final double[][] inverse, final double contrast) {
		final double[] whole = new double[n], rest = new double[n];
		for (int d = 0; d < n; d++) {
			whole[d] = Math.rint(shift[d]);
			rest[d] = whole[d] - shift[d];
		}
		final double[] f = window.values(whole, -1), model = new double[f.length];
		for (int c = 0; c < channels; c++) splines[c].sample(rest, -1, model, c * count);
		double[] counted = window.weights().clone();
		for (int d = 0, stride = 1; d < n; stride *= size[d++]) {
			if (size[d] <= 2) continue;
			for (int line = 0; line < count; line += stride * size[d]) {
				Arrays.fill(counted, line, line + stride, 0);
				Arrays.fill(counted, line + stride * (size[d] - 1), line + stride * size[d], 0);
			}
		}
		if (channels * Arrays.stream(counted).filter(w -> w > 0).count() <= FEW * (n + 1 + channels)) counted = window.weights();
		centre(f, counted);
		centre(model, counted);
		final double b = product(f, model, counted) / product(model, model, counted), unit = Double.isNaN(contrast) ? b : contrast, part = b / unit;
		for (int i = 0; i < f.length; i++) f[i] = f[i] / unit - part * model[i];
		final double[][] moments = new double[n][t.length];
		for (int d = 0; d < n; d++) for (int i = 0; i < t.length; i++) moments[d][i] = weight(i) * g[d][i];
		return ResidualCovariance.of(inverse, moments, window.weights(), f, counted, size);
	}

	/** Centres the template, and makes the gradients orthogonal to it, with the weights of the window. */
	private void prepare() {
		uniform = true;
		for (final double w : window.weights()) uniform &= w == 1;
		System.arraycopy(values, 0, t, 0, t.length);
		centre(t);
		energy = product(t, t);
		for (int d = 0; d < n; d++) {
			System.arraycopy(gradient[d], 0, g[d], 0, t.length);
			centre(g[d]);
			final double part = product(g[d], t) / energy;
			for (int i = 0; i < t.length; i++) g[d][i] -= part * t[i];
		}
	}

	private double weight(final int i) {
		return window.weights()[channels == 1 ? i : i % count];
	}

	private void centre(final double[] v) {
		centre(v, window.weights());
	}

	/** Subtracts the weighted mean of each channel. */
	private void centre(final double[] v, final double[] weights) {
		for (int c = 0; c < channels; c++) {
			double sum = 0, weight = 0;
			for (int i = 0; i < count; i++) {
				sum += weights[i] * v[c * count + i];
				weight += weights[i];
			}
			for (int i = 0; i < count; i++) v[c * count + i] -= sum / weight;
		}
	}

	private double product(final double[] a, final double[] b) {
		return uniform ? VectorProducts.dot(a, b) : product(a, b, window.weights());
	}

	private double product(final double[] a, final double[] b, final double[] weights) {
		double sum = 0;
		for (int c = 0; c < a.length; c += count) for (int i = 0; i < count; i++) sum += weights[i] * a[c + i] * b[c + i];
		return sum;
	}
}
