package sc.fiji.ncc.oracle;

import java.math.BigDecimal;
import java.util.Arrays;

import sc.fiji.ncc.oracle.CompensatedSums.DoubleDouble;
import sc.fiji.ncc.plan.Precision;

/**
 * The definition of a convolution, in the sense of correlation: {@code Σ k(j)·x(i + j)} over the pixels that lie in the image, in decimal numbers of any
 * length or, where that would take long, in sums of 106 bits that are checked against them. An oracle for tests.
 * <p>
 * A response is NaN where it is undefined: a pixel that is NaN or infinite meets a value other than 0, or less than the stated share of the kernel lies in
 * the image.
 */
public final class ReferenceConvolution {

	/** Decimal numbers are used up to this number of products. Above, pairs of doubles. */
	private static final long MANY_PRODUCTS = 20_000;

	private final double[] image, kernel;
	private final int[] imageSize;
	/** Where the kernel's values lie in it, and how far from its first one in the image. */
	private final int[][] position;
	private final int[] step;
	/** That bring the largest values near 1, so that no product of a sum in doubled doubles overflows; and the values so. */
	private final int imageShift, kernelShift;
	private final double[] imageNearOne, kernelNearOne;
	/** The values as decimal numbers, which take longer to create than to multiply; null where they are not finite. Created when they are first needed. */
	private BigDecimal[] decimalImage, decimalKernel;

	/** All arrays hold x fastest and are not changed. */
	public ReferenceConvolution(final double[] image, final int[] imageSize, final double[] kernel, final int[] kernelSize) {
		this.image = image;
		this.imageSize = imageSize;
		this.kernel = kernel;
		position = new int[kernel.length][kernelSize.length];
		step = new int[kernel.length];
		for (int j = 0; j < kernel.length; j++) {
			ReferenceNcc.unravel(j, kernelSize, position[j]);
			step[j] = ReferenceNcc.index(imageSize, position[j]);
		}
		imageShift = -exponent(image);
		kernelShift = -exponent(kernel);
		imageNearOne = Arrays.stream(image).map(x -> Math.scalb(x, imageShift)).toArray();
		kernelNearOne = Arrays.stream(kernel).map(k -> Math.scalb(k, kernelShift)).toArray();
	}

	/** The largest allowed error in single precision: 1e-6·max|x|·Σ|k|, plus half the smallest positive float. */
	public static double tolerance(final double[] image, final double[] kernel) {
		return tolerance(image, kernel, Precision.SINGLE);
	}

	/** The same in either precision: in double 1e-13·max|x|·Σ|k|, and a step, as the reference is rounded, too. */
	public static double tolerance(final double[] image, final double[] kernel, final Precision precision) {
		double most = 0, sum = 0;
		for (final double x : image)
			if (Double.isFinite(x)) most = Math.max(most, Math.abs(x));
		for (final double k : kernel) sum += Math.abs(k);
		// the larger factor first: otherwise a product with the smallest double is 0
		final double large = Math.max(most, sum), small = Math.min(most, sum);
		return precision == Precision.SINGLE ? 1e-6 * large * small + Float.MIN_VALUE / 2.0 : 1e-13 * large * small + Double.MIN_VALUE;
	}

	/** Arguments as in {@link ReferenceNcc#responses}. */
	public double[] responses(final long[] origin, final int[] count, final boolean partial, final double minOverlap) {
		final double[] responses = new double[ReferenceNcc.pixels(count)];
		final boolean decimal = (long) responses.length * kernel.length <= MANY_PRODUCTS;
		// in this thread: a thread that waits in a parallel stream may get another test, which may need the same responses
		Arrays.setAll(responses, i -> {
			final int[] lag = new int[count.length];
			ReferenceNcc.unravel(i, count, lag);
			for (int d = 0; d < lag.length; d++) lag[d] += Math.toIntExact(origin[d]);
			return response(lag, partial ? minOverlap : 0, decimal);
		});
		return responses;
	}

	private static BigDecimal[] decimals(final double[] values) {
		return Arrays.stream(values).mapToObj(v -> Double.isFinite(v) ? new BigDecimal(v) : null).toArray(BigDecimal[]::new);
	}

	/** One response. */
	double response(final int[] lag, final double minOverlap, final boolean decimal) {
		if (decimal && decimalImage == null) {
			decimalImage = decimals(image);
			decimalKernel = decimals(kernel);
		}
		final DoubleDouble sum = new DoubleDouble();
		BigDecimal exact = BigDecimal.ZERO;
		final int first = ReferenceNcc.index(imageSize, lag);
		int inside = 0;
		for (int j = 0; j < kernel.length; j++) {
			if (!ReferenceNcc.inImage(imageSize, lag, position[j])) continue;
			inside++;
			if (kernel[j] == 0) continue;
			final int i = first + step[j];
			if (!Double.isFinite(image[i])) return Double.NaN;
			if (decimal) exact = exact.add(decimalImage[i].multiply(decimalKernel[j]));
			else {
				final double product = imageNearOne[i] * kernelNearOne[j];
				sum.add(product, Math.fma(imageNearOne[i], kernelNearOne[j], -product));
			}
		}
		if (inside < minOverlap * kernel.length) return Double.NaN;
		return decimal ? exact.doubleValue() : Math.scalb(sum.high + sum.low, -imageShift - kernelShift);
	}

	/** The exponent of the largest finite value. */
	private static int exponent(final double[] values) {
		double most = 0;
		for (final double v : values)
			if (Double.isFinite(v)) most = Math.max(most, Math.abs(v));
		return most == 0 ? 0 : Math.getExponent(most);
	}
}
