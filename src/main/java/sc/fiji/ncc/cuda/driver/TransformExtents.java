package sc.fiji.ncc.cuda.driver;

/** The extents of a Fourier transform. */
public record TransformExtents(int x, int y, int z) {

	private static final int[] PRIMES = { 2, 3, 5, 7 };

	/** The fastest extents with at least this number of pixels along each axis. The extent along x is even, as the kernels need it. */
	public static TransformExtents of(final int x, final int y, final int z) {
		return new TransformExtents(best(Math.max(2, x)), best(y), best(z));
	}

	/** The fastest extent along an axis. Per number, other products of small primes cost a quarter more than powers of two (measured in two dimensions). */
	public static int best(final int n) {
		if (n == 1) return 1;
		int power = 2;
		while (power < n) power *= 2;
		for (int m = n + n % 2;; m += 2) {
			int rest = m;
			for (final int p : PRIMES)
				while (rest % p == 0) rest /= p;
			if (rest == 1) return power < 1.25 * m ? power : m;
		}
	}

	public long reals() {
		return (long) x * y * z;
	}

	public long complexes() {
		return (x / 2 + 1L) * y * z;
	}

	public int[] struct() {
		return new int[] { x, y, z };
	}
}
