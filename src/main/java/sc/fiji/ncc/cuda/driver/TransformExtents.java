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
		int best = 0;
		double lowestCost = Double.POSITIVE_INFINITY;
		for (int m = n; m <= 2 * n && m < lowestCost; m++) {
			if (m % 2 != 0) continue;
			int rest = m;
			for (final int p : PRIMES)
				while (rest % p == 0) rest /= p;
			if (rest != 1) continue;
			final double cost = (m & m - 1) == 0 ? m : 1.25 * m;
			if (cost < lowestCost) {
				lowestCost = cost;
				best = m;
			}
		}
		return best;
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
