package sc.fiji.ncc.cuda.window;

import java.util.Locale;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.window.PatchCuts;

/** How the kernels cut and store the windows of a problem. Numbers are those of the kernels. */
public final class WindowLayout {

	/** The largest number of lags of a window, of its pixels, and of its width. */
	public static final int MAX_LAGS = 1 << 14, MAX_PIXELS = 1 << 16, MAX_WIDTH = 1 << 11;
	/** Bytes of the results of a window. */
	public static final int FOUND = 136;
	/** Bytes that all kernels may share beside those below, see {@code Fit} and {@code Shared}. */
	private static final int STATIC = 1 << 11;
	/** The places of a row that a block sums. */
	static final int ROW = 1 << 10;
	/** The least number of pixels inside the outermost ones of a window that a GPU fits, as PositionFit counts them. */
	private static final int LEAST_INSIDE = 9;
	/** Of the fit: the coefficients around a window, and the zeros after it. */
	private static final int AROUND = 4, ZEROS = 16;
	/** Lags of a thread along x and y; the most threads of a block of patches, and its shared memory in bytes: all that a GPU of compute capability 7.5 has. */
	private static final int ACROSS = 4, DOWN = 5, MOST_THREADS = 320, SHARED = (64 << 10) - STATIC;
	/** The products of pixels in a launch that shares none of them. */
	private static final double PRODUCTS = 2e9;
	/** The bytes of the sums of patches at a time, and of responses on their way to the host. */
	private static final long TOTALS = 1L << 29, RESPONSES = 1L << 26;

	/** What frames are summed in: bytes of a pixel of a padded frame, of its sum over a window, of that of squares, and of a sum of products. */
	public enum Kind {

		BYTES(1, 4, 4, 4, 4, 1, 32), SHORTS(2, 4, 8, 8, 2, 2, 16), REALS(8, 8, 8, 8, 1, 3, 16);

		final int pixel, sum, square, total;
		/** Pixels of a word, words after it that a thread needs, and the largest side of a patch. */
		final int each, next, side;

		Kind(final int... n) {
			pixel = n[0];
			sum = n[1];
			square = n[2];
			total = n[3];
			each = n[4];
			next = n[5];
			side = n[6];
		}

		public static Kind of(final PixelType type) {
			return !type.exact() ? REALS : type.bytes == 1 ? BYTES : SHORTS;
		}

		String function(final String kernel) {
			return kernel + "_" + name().toLowerCase(Locale.ROOT);
		}
	}

	final WindowPairs problem;
	final Kind kind;
	final int[] frame = new int[2], window = new int[2], spacing = new int[2], lags = new int[2], count = new int[2], margin = new int[2];
	final PatchCuts x, y;
	final int pitch, rows, all;
	/** Words of a row of the widest patch, rows of the highest one, and patches of a block. */
	final int wide, high, patches;

	public WindowLayout(final WindowPairs p) {
		problem = p;
		kind = Kind.of(p.image());
		for (int d = 0; d < 2; d++) {
			frame[d] = Math.toIntExact(p.frame().get(d));
			window[d] = Math.toIntExact(p.window().get(d));
			spacing[d] = (int) Math.min(Integer.MAX_VALUE / 4, p.spacing().get(d));
			lags[d] = Math.toIntExact(p.lags().get(d));
			count[d] = Math.toIntExact(p.count().get(d));
			// a pixel more, for scores beside the last lag
			margin[d] = lags[d] / 2 + 1;
		}
		x = new PatchCuts(count[0], window[0], spacing[0], kind.side);
		y = new PatchCuts(count[1], window[1], spacing[1], kind.side);
		pitch = (frame[0] + 2 * margin[0] + 31) / 32 * 32;
		rows = frame[1] + 2 * margin[1];
		all = lags[0] * lags[1];
		wide = (most(x.extent) + kind.each - 1) / kind.each;
		high = most(y.extent);
		patches = Math.max(1, Math.min(Math.min(x.count(), MOST_THREADS / tasks()), SHARED / patchBytes()));
	}

	private static int most(final int[] extents) {
		int most = 0;
		for (final int e : extents) most = Math.max(most, e);
		return most;
	}

	private int strips() {
		return (lags[0] + ACROSS - 1) / ACROSS;
	}

	private int groups() {
		return (lags[1] + DOWN - 1) / DOWN;
	}

	/** The threads of a patch. */
	private int tasks() {
		return strips() * groups();
	}

	/** The threads of a block of patches. */
	int threads() {
		return Math.min(MOST_THREADS, (patches * tasks() + 31) / 32 * 32);
	}

	/** The shared memory of a patch. */
	private int patchBytes() {
		final int word = kind == Kind.REALS ? Double.BYTES : Integer.BYTES, row = wide + strips() * ACROSS / kind.each + kind.next | 1;
		return word * (wide * high + row * (high + groups() * DOWN - 1));
	}

	int sharedOfPatches() {
		return patches * patchBytes();
	}

	/** Whether shared memory has space for the sums of rows and columns of a window. Otherwise parts of windows are summed pixel by pixel. */
	boolean lines() {
		return kind != Kind.REALS && (long) Double.BYTES * all + linesBytes() <= SHARED;
	}

	/** The bytes of a sum of pixels and one of squares for each row and column of a window. */
	private long linesBytes() {
		return 2L * Long.BYTES * (window[0] + window[1]);
	}

	/** The shared memory of the responses of a window. */
	int sharedOfResponses() {
		return Double.BYTES * all + (lines() ? (int) linesBytes() : 0);
	}

	/** The shared memory of the fit of a window. */
	int sharedOfFit() {
		return Float.BYTES * ((window[0] + 2 * AROUND | 1) * (4 * window[1] + 2 * AROUND) + ZEROS);
	}

	/** Whether windows are refined on a GPU with so much shared memory. Larger ones, and those of few pixels, are refined on the host. */
	boolean fits(final int sharedMemory) {
		return sharedOfFit() <= sharedMemory - STATIC && (long) inside(0) * inside(1) >= LEAST_INSIDE;
	}

	private int inside(final int d) {
		return window[d] > 2 ? window[d] - 2 : window[d];
	}

	/** The bytes of shared memory that a GPU must have. */
	public int shared() {
		return STATIC + Math.max(Math.max(sharedOfPatches(), sharedOfResponses()), Double.BYTES * (window[0] + ROW));
	}

	/** The pixels of a padded frame. */
	long pixels() {
		return (long) pitch * rows;
	}

	/** The bytes of the sums of a row of patches. */
	private long rowBytes() {
		return (long) x.count() * tasks() * ACROSS * DOWN * kind.total;
	}

	/** The rows of windows at a time. @param responses whether all responses go to the host */
	int rowsAtATime(final boolean responses) {
		final double each = (double) y.count() / count[1] * rowBytes();
		final double most = (TOTALS - y.most() * rowBytes()) / each, sent = responses ? RESPONSES / (8.0 * all * count[0]) : count[1];
		return (int) Math.max(1, Math.min(count[1], Math.min(most, sent)));
	}

	/** The windows that a launch may sum pixel by pixel, in double: more could take longer than a display allows a kernel to take. */
	int windowsByPixels() {
		return (int) Math.max(1, PRODUCTS / ((double) all * window[0] * window[1]));
	}

	/** The windows whose responses go to the host at a time. */
	int windowsAtATime() {
		return (int) Math.max(1, Math.min(Math.min(1 << 20, windowsByPixels()), RESPONSES / (8L * all)));
	}

	/** The bytes of the sums of patches of some rows of windows. */
	long totals(final int firstRow, final int windows) {
		return (y.to[firstRow + windows - 1] - y.from[firstRow]) * rowBytes();
	}

	/** The bytes on the GPU. */
	public double bytes() {
		final double padded = pixels() * (2.0 * kind.pixel + 2 + 2 * kind.sum + 2 * kind.square), sent = 2.0 * frame[0] * frame[1] * problem.image().bytes;
		final double fit = 5.0 * Float.BYTES * frame[0] * frame[1], windows = (double) count[0] * count[1];
		final int some = rowsAtATime(false);
		return padded + sent + fit + Math.min((some + 1.0) * y.count() / count[1] * rowBytes() + y.most() * rowBytes(), y.count() * (double) rowBytes())
			+ windows * FOUND + RESPONSES;
	}

	/** The products that a pair of frames takes, with those of rounded numbers of lags. */
	public double products() {
		double px = 0, py = 0;
		for (final int e : x.extent) px += e;
		for (final int e : y.extent) py += e + DOWN - 1;
		return px * py * tasks() * ACROSS * DOWN;
	}

	/** The sums of patches that windows add up, and the sums that responses take. */
	public double additions() {
		return (double) count[0] * count[1] * all * (x.most() * y.most() + 2);
	}

	/** {@code struct Windows} for windows from a row on. */
	int[] struct(final int row) {
		return new int[] { frame[0], frame[1], window[0], window[1], spacing[0], spacing[1], lags[0], lags[1], count[0], count[1], margin[0], margin[1], pitch, rows,
			x.count(), y.count(), row, y.from[row] };
	}

	/** The first pixels and the extents of segments, along x, then along y. */
	int[] cuts() {
		return joined(x.start, x.extent, y.start, y.extent);
	}

	/** The first segment of each window and the one after its last, along x, then along y. */
	int[] segments() {
		return joined(x.from, x.to, y.from, y.to);
	}

	private static int[] joined(final int[]... arrays) {
		int n = 0;
		for (final int[] a : arrays) n += a.length;
		final int[] all = new int[n];
		int at = 0;
		for (final int[] a : arrays) {
			System.arraycopy(a, 0, all, at, a.length);
			at += a.length;
		}
		return all;
	}

	/** The largest relative error of a response from sums in double, over the share of an energy in its variance. */
	double rounding() {
		final int products = wide * kind.each * high + x.most() * y.most(), additions = window[0] + window[1];
		return kind != Kind.REALS ? 0 : 2.5 * (Math.max(products, additions) + 8) * 0x1p-53;
	}
}
