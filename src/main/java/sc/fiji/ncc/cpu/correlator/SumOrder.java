package sc.fiji.ncc.cpu.correlator;

import sc.fiji.ncc.estimate.Additions;
import sc.fiji.ncc.loops.Vectors;

/**
 * The order in which {@link FloatRowCorrelator} and {@link DoubleRowCorrelator} add products. It determines which partial sums are rounded.
 * <p>
 * With vectors, several rows of responses are computed together. The later rows of such a group add all planes but their last rows first, so a template
 * has several orders: phases.
 */
public final class SumOrder implements Additions {

	private final int width, height, planes, run, together;
	private final boolean wide, twoRuns, inDouble;
	private final boolean[] empty;

	private SumOrder(final int width, final int height, final int planes, final int run, final boolean inDouble, final double[] coefficients) {
		this.width = width;
		this.height = height;
		this.planes = planes;
		this.run = run;
		this.inDouble = inDouble;
		wide = !inDouble && (long) width * height * planes > run;
		twoRuns = wide && Vectors.USED && twoRuns(width, height, planes, run);
		together = !Vectors.USED ? 1 : VectorFloatCorrelator.together(height);
		empty = new boolean[planes * height];
		for (int row = 0; row < empty.length; row++) {
			empty[row] = !inDouble;
			for (int i = row * width; empty[row] && i < (row + 1) * width; i++) empty[row] = coefficients[i] == 0;
		}
	}

	/**
	 * The order of sums in float by {@link FloatRowCorrelator#of}.
	 *
	 * @param run the number of products that are added up in float
	 * @param coefficients all coefficients, plane by plane, x fastest
	 */
	public static SumOrder inFloat(final int width, final int height, final int planes, final int run, final double[] coefficients) {
		return new SumOrder(width, height, planes, run, false, coefficients);
	}

	/** The order of sums in double. */
	public static SumOrder inDouble(final int width, final int height, final int planes) {
		return new SumOrder(width, height, planes, Integer.MAX_VALUE, true, null);
	}

	/**
	 * Whether the vectors add a template in two runs, and the last rows of a group belong to the second one, which they make longer. Then the sums of both
	 * runs are kept in float, which is faster than double: their sum is rounded only once, like that of sums in double.
	 */
	static boolean twoRuns(final int width, final int height, final int planes, final int run) {
		return width <= run && planes * height <= 2 * (run / width);
	}

	@Override
	public int phases() {
		return together;
	}

	/** The maximum number of coefficients in a run of so many additions; at least 16. */
	public static int coefficients(final int width, final int additions) {
		if (Vectors.USED) return Math.max(16, additions);
		final int groups = ShiftedFloatCorrelator.groups(width).length - 1;
		return Math.max(16, (int) ((long) additions * width / groups));
	}

	/** The roundings that a product undergoes at most: the longest run of additions, and those of the products that are added up before. */
	public int roundings() {
		final Longest longest = new Longest();
		for (int phase = 0; phase < together; phase++) walk(phase, longest);
		return longest.most;
	}

	private static final class Longest implements Additions.Sum {

		int most;
		private int additions;

		@Override
		public void start() {
			additions = 0;
		}

		@Override
		public void add(final int i, final int n) {
			most = Math.max(most, ++additions + (n > 1 ? n : 0));
		}
	}

	@Override
	public void walk(final int phase, final Additions.Sum sum) {
		sum.start();
		if (Vectors.USED) vectors(phase, sum);
		else shifted(sum);
	}

	/** {@link ShiftedFloatCorrelator} and {@link ShiftedDoubleCorrelator}: a row of all planes, then the next row. */
	private void shifted(final Additions.Sum sum) {
		int pending = 0;
		final int[] begins = inDouble ? ShiftedDoubleCorrelator.groups(width) : ShiftedFloatCorrelator.groups(width);
		for (int j = 0; j < height; j++)
			for (int p = 0; p < planes; p++) {
				final int row = p * height + j;
				for (int g = 0; g < begins.length - 1 && !empty[row]; g++) {
					final int n = begins[g + 1] - begins[g];
					if (wide && pending + n > run) {
						sum.start();
						pending = 0;
					}
					pending += n;
					sum.add(row * width + begins[g], n);
				}
			}
	}

	/** {@link VectorFloatCorrelator} and {@link VectorDoubleCorrelator}: a plane, then the next plane; then the last rows of all planes. */
	private void vectors(final int phase, final Additions.Sum sum) {
		int pending = 0;
		for (int p = 0; p < planes; p++) pending = rows(p, -phase, height - phase, pending, wide, sum);
		for (int j = height - phase; j < height; j++)
			for (int p = 0; p < planes; p++) pending = rows(p, j, j + 1, pending, wide && !twoRuns, sum);
	}

	/** Rows of a plane; those above the template are zeros, which count as products. {@code ends}: whether a run may end. */
	private int rows(final int plane, final int from, final int until, final int before, final boolean ends, final Additions.Sum sum) {
		int pending = before;
		final int columns = Math.min(width, run);
		for (int i = 0; i < width; i += columns) {
			final int n = Math.min(columns, width - i);
			for (int j = from; j < until; j++) {
				if (ends && pending + n > run) {
					sum.start();
					pending = 0;
				}
				pending = wide ? pending + n : 0;
				if (j >= 0) for (int s = 0; s < n; s++) sum.add((plane * height + j) * width + i + s, 1);
			}
		}
		return pending;
	}
}
