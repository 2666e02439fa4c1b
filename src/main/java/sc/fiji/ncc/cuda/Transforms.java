package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.List;

/** The transforms of one template, one for each stream that needs it, kept until the template goes. Safe for use by several threads. */
final class Transforms implements AutoCloseable {

	/** The extents of a transform. */
	record Extents(int x, int y, int z) {

		/** The best that hold so many pixels along each axis; along x an even number, as the kernels want it. */
		static Extents of(final int x, final int y, final int z) {
			return new Extents(best(Math.max(2, x)), best(y), best(z));
		}

		/** Along an axis: powers of two cost least, others of small primes a quarter more for each number (measured in two dimensions on an H200). */
		static int best(final int n) {
			if (n == 1) return 1;
			int best = 0;
			double least = Double.POSITIVE_INFINITY;
			for (int m = n; m <= 2 * n; m++) {
				if (m % 2 != 0) continue;
				int rest = m;
				for (final int p : new int[] { 2, 3, 5, 7 })
					while (rest % p == 0) rest /= p;
				if (rest != 1) continue;
				final double cost = (m & m - 1) == 0 ? m : 1.25 * m;
				if (cost < least) {
					least = cost;
					best = m;
				}
			}
			return best;
		}

		long reals() {
			return (long) x * y * z;
		}

		long complexes() {
			return (x / 2 + 1L) * y * z;
		}

		int[] struct() {
			return new int[] { x, y, z };
		}
	}

	private final List<Cufft.Transform> all = new ArrayList<>();

	/** One more, for one stream; closed with the others. */
	Cufft.Transform make(final Extents e, final Cufft.Type type) {
		final Cufft.Transform made = new Cufft.Transform(e.x, e.y, e.z, type);
		synchronized (this) {
			all.add(made);
		}
		return made;
	}

	@Override
	public synchronized void close() {
		all.forEach(Cufft.Transform::close);
		all.clear();
	}
}
