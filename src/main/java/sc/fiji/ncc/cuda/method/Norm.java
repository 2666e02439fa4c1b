package sc.fiji.ncc.cuda.method;

import java.util.Arrays;

/** What responses are divided by beside the window's own: √(N·ΣT² - (ΣT)²). */
record Norm(double value) {

	/** {@code struct Norm} of the kernels, in whole words: with its inverse, in double and as a pair of floats. */
	long[] struct() {
		final double inverse = 1 / value;
		final float high = (float) inverse, low = (float) (inverse - high);
		return new long[] { Double.doubleToRawLongBits(value), Double.doubleToRawLongBits(inverse),
			Float.floatToRawIntBits(high) & 0xffff_ffffL | (long) Float.floatToRawIntBits(low) << 32 };
	}

	/** {@code struct NormAndSum}. */
	long[] struct(final long sum) {
		final long[] words = Arrays.copyOf(struct(), 4);
		words[3] = sum & 0xffff_ffffL;
		return words;
	}
}
