package sc.fiji.ncc.oracle;

import java.util.Arrays;

/**
 * The definition of normalized cross-correlation, computed so that its own error cannot matter: with integers of any length, or, where
 * that would take too long, with compensated sums of 106 bits that are checked against the integers. Slow and plain: an oracle for tests.
 * <p>
 * {@code r = (N ΣPT − ΣP ΣT) / sqrt((N ΣP² − (ΣP)²)(N ΣT² − (ΣT)²))}, every Σ weighted, over the pixels of positive weight of the template
 * that lie in the image on a pixel that is present. A response is NaN where it is undefined: all those pixels of the image or of the template are
 * equal, one of the image's is NaN or infinite, there is none, or they have less than the stated share of the weight.
 * <p>
 * The joint response of several channels: numerator and both variances are summed over the channels before the quotient, each channel with its own ΣP and
 * ΣT. It is NaN if the pixels of the image, or those of the template, are equal in each channel, or if one of the image's is NaN or infinite in any.
 */
public final class ReferenceNcc {

	/** Integers of any length are used up to this number of products. Above, compensated sums. */
	private static final long MANY_PRODUCTS = 60_000;

	/** The correlation coefficient over a list of pixels. All are finite, and not all are equal. */
	interface Sums {

		/**
		 * @param imagePixels indices into the image
		 * @param templatePixels indices into the template, in the same order
		 * @param n the number of pixels of one channel; the pixels of the next channel follow
		 */
		double coefficient(int[] imagePixels, int[] templatePixels, int n);
	}

	/** The arithmetic of the sums. */
	public enum Form {
		EXACT, COMPENSATED,
		/** Exact, or compensated if exact sums take long. */
		AFFORDABLE
	}

	private final double[] image;
	private final int[] imageSize;
	private final double[] template;
	private final double[] weights;
	/** 0 for each missing pixel of the image. Null: none is missing. */
	private final double[] present;
	private final double totalWeight;
	private final int channels;
	/** The template's pixels of positive weight, in the first channel. */
	private final int[] counted;
	/** Their positions in the template, and their distances from the first pixel of the window in the image, as indices. */
	private final int[][] position;
	private final int[] step;
	/** The position of the template's last pixel. */
	private final int[] last;
	/** Created when it is first needed. */
	private ExactSums exact;

	/**
	 * All arrays hold x fastest and are not changed.
	 *
	 * @param weights one for each template pixel, at least 0. Null: every weight is 1
	 */
	public ReferenceNcc(final double[] image, final int[] imageSize, final double[] template, final int[] templateSize, final double[] weights) {
		this(image, imageSize, template, templateSize, weights, null);
	}

	/** @param present one for each pixel of the image, 0 where it is missing. Null: none is missing */
	public ReferenceNcc(final double[] image, final int[] imageSize, final double[] template, final int[] templateSize, final double[] weights,
		final double[] present)
	{
		this(image, imageSize, template, templateSize, weights, present, 1);
	}

	/**
	 * The same for images of several channels, one after the other in each array. The weights are those of all channels.
	 *
	 * @param present one for each pixel of one channel of the image, 0 where it is missing in all channels. Null: none is missing
	 */
	public ReferenceNcc(final double[] image, final int[] imageSize, final double[] template, final int[] templateSize, final double[] weights,
		final double[] present, final int channels)
	{
		this.channels = channels;
		if (imageSize.length != templateSize.length) throw new IllegalArgumentException("image and template differ in dimensions");
		final int pixels = pixels(templateSize);
		if (image.length != channels * pixels(imageSize) || template.length != channels * pixels || (weights != null && weights.length != pixels)
			|| (present != null && present.length != pixels(imageSize))) throw new IllegalArgumentException("sizes and arrays disagree");
		this.image = image;
		this.imageSize = imageSize;
		this.template = template;
		this.weights = weights;
		this.present = present;
		final int[] positive = new int[pixels];
		int n = 0;
		double total = 0;
		for (int i = 0; i < pixels; i++) {
			final double w = weights == null ? 1 : weights[i];
			if (!(w >= 0)) throw new IllegalArgumentException("a weight of " + w);
			if (w == 0) continue;
			for (int j = i; j < template.length; j += pixels)
				if (!Double.isFinite(template[j])) throw new IllegalArgumentException("a template value of " + template[j]);
			positive[n++] = i;
			total += w;
		}
		counted = Arrays.copyOf(positive, n);
		last = Arrays.stream(templateSize).map(s -> s - 1).toArray();
		totalWeight = total;
		position = new int[n][templateSize.length];
		step = new int[n];
		for (int k = 0; k < n; k++) {
			unravel(counted[k], templateSize, position[k]);
			step[k] = index(imageSize, position[k]);
		}
	}

	/** Responses at lags whose windows lie inside the image. */
	public double[] inside(final Form form, final long[] origin, final int[] count) {
		return responses(form, origin, count, false, 0);
	}

	/**
	 * @param origin the first lag
	 * @param count the number of lags along each dimension
	 * @param partial whether windows may leave the image
	 * @param minOverlap with {@code partial} or missing pixels: the smallest share of the weight that must remain, 0 to 1
	 * @return one response for each lag, x fastest. NaN where undefined
	 */
	public double[] responses(final Form form, final long[] origin, final int[] count, final boolean partial, final double minOverlap) {
		final double[] responses = new double[pixels(count)];
		final Sums sums = sums(form, responses.length);
		// in this thread: a thread that waits in a parallel stream may get another test, which may need the same responses
		Arrays.setAll(responses, i -> {
			final int[] lag = new int[count.length];
			unravel(i, count, lag);
			for (int d = 0; d < lag.length; d++) lag[d] += Math.toIntExact(origin[d]);
			return response(sums, lag, partial, minOverlap);
		});
		return responses;
	}

	private Sums sums(final Form form, final int lags) {
		if (channels > 1) return exact();
		if (form == Form.COMPENSATED) return new CompensatedSums(image, template, weights, counted);
		final boolean slow = !exact().inLongs() && (long) lags * counted.length > MANY_PRODUCTS;
		return form == Form.AFFORDABLE && slow ? new CompensatedSums(image, template, weights, counted) : exact();
	}

	/** The whole numbers of all pixels, which take longer than one response. */
	private synchronized ExactSums exact() {
		if (exact == null) exact = new ExactSums(image, template, weights, counted, channels);
		return exact;
	}

	private double response(final Sums sums, final int[] lag, final boolean partial, final double minOverlap) {
		final int[] imagePixels = new int[channels * counted.length], templatePixels = new int[channels * counted.length];
		int n = 0;
		double weight = 0;
		final int first = index(imageSize, lag);
		final boolean whole = inImage(imageSize, lag, new int[lag.length]) && inImage(imageSize, lag, last);
		for (int k = 0; k < counted.length; k++) {
			if (!whole && !inImage(imageSize, lag, position[k])) {
				if (partial) continue;
				throw new IllegalArgumentException("the window at " + Arrays.toString(lag) + " leaves the image");
			}
			if (present != null && present[first + step[k]] == 0) continue;
			imagePixels[n] = first + step[k];
			templatePixels[n++] = counted[k];
			weight += weights == null ? 1 : weights[counted[k]];
		}
		final boolean enough = !partial && present == null || weight >= minOverlap * totalWeight;
		if (n == 0 || !enough) return Double.NaN;
		for (int k = n; k < channels * n; k++) {
			imagePixels[k] = imagePixels[k - n] + image.length / channels;
			templatePixels[k] = templatePixels[k - n] + template.length / channels;
		}
		if (flat(image, imagePixels, n, channels) || flat(template, templatePixels, n, channels)) return Double.NaN;
		for (int k = 0; k < channels * n; k++)
			if (!Double.isFinite(image[imagePixels[k]])) return Double.NaN;
		return sums.coefficient(imagePixels, templatePixels, n);
	}

	/** Whether a pixel of the window at a lag lies in the image. */
	static boolean inImage(final int[] size, final int[] lag, final int[] at) {
		for (int d = 0; d < lag.length; d++) {
			final int x = lag[d] + at[d];
			if (x < 0 || x >= size[d]) return false;
		}
		return true;
	}

	/** The index of a position in an array, x fastest. Linear: the index of a sum of positions is the sum of their indices. */
	public static int index(final int[] size, final int[] position) {
		int index = 0;
		for (int d = size.length - 1; d >= 0; d--) index = index * size[d] + position[d];
		return index;
	}

	private static boolean flat(final double[] values, final int[] pixels, final int n, final int channels) {
		for (int k = 0; k < channels * n; k++)
			if (values[pixels[k]] != values[pixels[k / n * n]]) return false;
		return true;
	}

	/** The position of the {@code index}th element of an array, x fastest. */
	public static void unravel(final int index, final int[] size, final int[] position) {
		int rest = index;
		for (int d = 0; d < size.length; d++) {
			position[d] = rest % size[d];
			rest /= size[d];
		}
	}

	public static int pixels(final int[] size) {
		int n = 1;
		for (final int s : size) n = Math.multiplyExact(n, s);
		return n;
	}
}
