package sc.fiji.ncc.cpu.fft;

/**
 * The operation of one level of a transform on two rows, with real and imaginary parts in separate arrays. Four arrays that are
 * read and written is the largest body that C2
 * vectorises. C2 does so only where it compiles the loop alone; when it inlines the loop into the walk over the levels, it often does not. Therefore all calls
 * go through {@link #combine}: its one call site meets more subclasses than C2 inlines.
 *
 * @param <A> a row: an array of float or double
 */
abstract class Butterfly<A> {

	/**
	 * All operations, with {@code w} the twiddle factor.
	 *
	 * @param sumAndDifference {@code a + b} and {@code a - b}
	 * @param twiddleAfter {@code a + b} and {@code (a - b)·w}
	 * @param twiddleBefore {@code a + b/w} and {@code a - b/w}
	 * @param sumAndHalf {@code a + b} and {@code a - b/2}
	 * @param sumAndHeight {@code a + b} and {@code (a - b)·√3/2}
	 * @param radix3After {@code (a - i·b)·w} and {@code (a + i·b)·w²}
	 * @param radix3Before {@code a/w + b/w²} and {@code a/w - b/w²}
	 * @param radix3End {@code a + i·√3/2·b} and {@code a - i·√3/2·b}
	 */
	record Set<A>(Butterfly<A> sumAndDifference, Butterfly<A> twiddleAfter, Butterfly<A> twiddleBefore, Butterfly<A> sumAndHalf, Butterfly<A> sumAndHeight,
		Butterfly<A> radix3After, Butterfly<A> radix3Before, Butterfly<A> radix3End)
	{}

	/** Applies an operation in place, with the twiddle factor {@code w = c + i·s}. */
	final void combine(final A aRe, final A aIm, final A bRe, final A bIm, final double c, final double s, final int n) {
		apply(aRe, aIm, bRe, bIm, c, s, n);
	}

	abstract void apply(A aRe, A aIm, A bRe, A bIm, double c, double s, int n);
}
