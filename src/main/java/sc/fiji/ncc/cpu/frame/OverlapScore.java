package sc.fiji.ncc.cpu.frame;

import sc.fiji.ncc.numeric.ExactScore;
import sc.fiji.ncc.numeric.Int128;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * The exact correlation coefficient of the overlap of two frames at a lag. For 8- and 16-bit integers the sums are exact in 64 bits, and numerator and variances in
 * 128 bits. Other pixels go to {@link ExactScore}.
 */
final class OverlapScore {

	/** Sums of this many products of 17 bits are exact in double. */
	private static final int BLOCK = 1 << 16;

	private OverlapScore() {}

	/** The number of pixels that overlap and count in both frames. */
	static long pixels(final FramePixels f, final FramePixels m, final int[] lag) {
		final Box box = new Box(f, m, lag);
		if (f.weights() == null && m.weights() == null) return box.count();
		long n = 0;
		for (int z = box.min[2]; z < box.until[2]; z++)
			for (int y = box.min[1]; y < box.until[1]; y++)
				for (int x = box.min[0], i = box.fixed(y, z), j = box.moving(y, z); x < box.until[0]; x++)
					if (counts(f, i + x) && counts(m, j + x)) n++;
		return n;
	}

	private static boolean counts(final FramePixels frame, final int i) {
		return frame.weights() == null || frame.weights()[i] > 0;
	}

	/** The coefficient; NaN if it is undefined: too few pixels overlap, or all pixels of a frame are equal there. */
	static double of(final FramePixels f, final FramePixels m, final int[] lag) {
		final Box box = new Box(f, m, lag);
		if (box.count() < 2) return Double.NaN;
		if (f.values() != null || m.values() != null) return any(f, m, box);
		if (f.weights() != null || m.weights() != null) return whole(f, m, box);
		final long[] a = sums(f, box.min, box.until), b = sums(m, box.movingMin(), box.movingUntil());
		return Int128.coefficient(box.count(), a[0], b[0], a[1], b[1], products(f, m, box));
	}

	/** The sum of the deviations in a box and that of their squares: of the frame without the pixels around the box if these are fewer. */
	private static long[] sums(final FramePixels p, final int[] min, final int[] until) {
		final long[] sums = { 0, 0 };
		final long inside = (long) (until[0] - min[0]) * (until[1] - min[1]) * (until[2] - min[2]);
		final int[] from = { 0, 0, 0 }, to = { p.extent(0), p.extent(1), p.extent(2) };
		if (2 * inside < p.count()) {
			add(p, min, until, sums);
			return sums;
		}
		// the slabs before and after the box along z, then along y, then along x
		for (int d = 2; d >= 0; d--) {
			add(p, from, with(to, d, min[d]), sums);
			add(p, with(from, d, until[d]), to, sums);
			from[d] = min[d];
			to[d] = until[d];
		}
		return new long[] { p.total() - sums[0], p.squares() - sums[1] };
	}

	private static int[] with(final int[] place, final int d, final int value) {
		final int[] changed = place.clone();
		changed[d] = value;
		return changed;
	}

	private static void add(final FramePixels p, final int[] min, final int[] until, final long[] sums) {
		final float[] a = p.deviations();
		for (int z = min[2]; z < until[2]; z++)
			for (int y = min[1]; y < until[1]; y++)
				for (int x = min[0]; x < until[0]; x += BLOCK) {
					final int row = (z * p.extent(1) + y) * p.extent(0), end = row + Math.min(until[0], x + BLOCK);
					double sum = 0, square = 0;
					for (int i = row + x; i < end; i++) {
						final double v = a[i];
						sum += v;
						square += v * v;
					}
					sums[0] += (long) sum;
					sums[1] += (long) square;
				}
	}

	/** The sum of the products, in four sums, because each addition waits for the one before. */
	private static long products(final FramePixels f, final FramePixels m, final Box box) {
		final float[] a = f.deviations(), b = m.deviations();
		long sum = 0;
		for (int z = box.min[2]; z < box.until[2]; z++)
			for (int y = box.min[1]; y < box.until[1]; y++)
				for (int x = box.min[0]; x < box.until[0]; x += BLOCK) {
					final int until = Math.min(box.until[0], x + BLOCK), i = box.fixed(y, z), j = box.moving(y, z);
					double p = 0, q = 0, r = 0, s = 0;
					int k = x;
					for (; k + 4 <= until; k += 4) {
						p += (double) a[i + k] * b[j + k];
						q += (double) a[i + k + 1] * b[j + k + 1];
						r += (double) a[i + k + 2] * b[j + k + 2];
						s += (double) a[i + k + 3] * b[j + k + 3];
					}
					for (; k < until; k++) p += (double) a[i + k] * b[j + k];
					sum += (long) (p + q + (r + s));
				}
		return sum;
	}

	private static double whole(final FramePixels f, final FramePixels m, final Box box) {
		final float[] a = f.deviations(), b = m.deviations(), wa = f.weights(), wb = m.weights();
		long n = 0, sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
		for (int z = box.min[2]; z < box.until[2]; z++)
			for (int y = box.min[1]; y < box.until[1]; y++)
				for (int x = box.min[0]; x < box.until[0]; x += BLOCK) {
					final int until = Math.min(box.until[0], x + BLOCK), i = box.fixed(y, z), j = box.moving(y, z);
					double rn = 0, ra = 0, rb = 0, raa = 0, rbb = 0, rab = 0;
					for (int k = x; k < until; k++) {
						final double w = (wa == null ? 1 : wa[i + k]) * (wb == null ? 1 : wb[j + k]);
						final double p = w * a[i + k], q = w * b[j + k];
						rn += w;
						ra += p;
						rb += q;
						raa += p * p;
						rbb += q * q;
						rab += p * q;
					}
					n += (long) rn;
					sa += (long) ra;
					sb += (long) rb;
					aa += (long) raa;
					bb += (long) rbb;
					ab += (long) rab;
				}
		return Int128.coefficient(n, sa, sb, aa, bb, ab);
	}

	private static double any(final FramePixels f, final FramePixels m, final Box box) {
		final int n = Math.toIntExact(box.count());
		final double[] a = new double[n], b = new double[n], w = f.weights() == null && m.weights() == null ? null : new double[n];
		int to = 0;
		for (int z = box.min[2]; z < box.until[2]; z++)
			for (int y = box.min[1]; y < box.until[1]; y++)
				for (int x = box.min[0], i = box.fixed(y, z), j = box.moving(y, z); x < box.until[0]; x++, to++) {
					final boolean counts = counts(f, i + x) && counts(m, j + x);
					a[to] = counts ? value(f, i + x) : 0;
					b[to] = counts ? value(m, j + x) : 0;
					if (w != null) w[to] = counts ? 1 : 0;
				}
		final Size size = Size.of(new long[] { n, 1 });
		final Template template = new Template(size, PixelType.F64, a, w);
		return template.hasContrast() ? new ExactScore(template).score(b) : Double.NaN;
	}

	private static double value(final FramePixels frame, final int i) {
		// deviations of exact pixels differ from the pixels by a constant, which the coefficient ignores
		return frame.values() == null ? frame.deviations()[i] : frame.values()[i];
	}

	/** The overlap, in pixels of the fixed frame. */
	private static final class Box {

		final int[] min = new int[3], until = new int[3];
		private final FramePixels f, m;
		private final int[] lag;

		Box(final FramePixels f, final FramePixels m, final int[] lag) {
			this.f = f;
			this.m = m;
			this.lag = lag;
			for (int d = 0; d < 3; d++) {
				min[d] = Math.max(0, -lag[d]);
				until[d] = Math.max(min[d], Math.min(f.extent(d), m.extent(d) - lag[d]));
			}
		}

		long count() {
			return (long) (until[0] - min[0]) * (until[1] - min[1]) * (until[2] - min[2]);
		}

		int[] movingMin() {
			return new int[] { min[0] + lag[0], min[1] + lag[1], min[2] + lag[2] };
		}

		int[] movingUntil() {
			return new int[] { until[0] + lag[0], until[1] + lag[1], until[2] + lag[2] };
		}

		/** The index of the fixed frame's pixel at column 0. */
		int fixed(final int y, final int z) {
			return (z * f.extent(1) + y) * f.extent(0);
		}

		/** The index of the moving frame's pixel that meets column 0 of the fixed frame. */
		int moving(final int y, final int z) {
			return ((z + lag[2]) * m.extent(1) + y + lag[1]) * m.extent(0) + lag[0];
		}
	}
}
