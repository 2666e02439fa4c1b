package sc.fiji.ncc.cuda.method;

import java.util.Arrays;

/** The norm of a template: √(N·ΣT² - (ΣT)²). */
record Norm(double value) {

	/** {@code struct Norm} of the kernels, as 64-bit words: the norm and its inverse as doubles, and the inverse as a pair of floats. */
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
