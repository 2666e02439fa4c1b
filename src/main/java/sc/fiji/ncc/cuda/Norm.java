package sc.fiji.ncc.cuda;

/** What responses are divided by beside the window's own: √(N·ΣT² - (ΣT)²). */
record Norm(double value) {

	/** {@code struct Norm} of the kernels, in whole words: with its inverse, in double and as a pair of floats. */
	long[] struct() {
		final double inverse = 1 / value;
		final float high = (float) inverse, low = (float) (inverse - high);
		return new long[] { Double.doubleToRawLongBits(value), Double.doubleToRawLongBits(inverse),
			Float.floatToRawIntBits(high) & 0xffff_ffffL | (long) Float.floatToRawIntBits(low) << 32 };
	}
}
