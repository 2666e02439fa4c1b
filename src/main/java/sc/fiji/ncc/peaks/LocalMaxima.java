package sc.fiji.ncc.peaks;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The local maxima of a map in 1 to 4 dimensions. A plateau is a connected set of equal pixels; each pixel has {@code 3^n − 1} neighbours. Most
 * plateaus hold one pixel. A plateau is a peak if no neighbour is greater. It is reported once, at its first pixel in raster order. Pixels at the
 * border of the map have fewer neighbours. NaN is below every number and is no peak.
 * <p>
 * The search reads each row once. In a row it keeps only the runs of equal values that reach the minimum score and that no neighbour along x exceeds.
 * Touching runs of neighbouring rows are compared: one is discarded, or they join into a plateau. A plateau is reported when its last row has no
 * unread neighbour row. Thus the memory holds the rows in between (for a volume one plane and a row) and their runs.
 */
public final class LocalMaxima {

	private final long[] size;
	private final float minScore;
	private final Consumer<Peak> consumer;
	private final Row[] ring;
	private final long[][] before; // for each neighbouring row that is read earlier: the step along y, z, ...
	private final long[] rowsBefore; // for each neighbouring row that is read earlier: the number of rows in between

	private LocalMaxima(final long[] size, final float minScore, final Consumer<Peak> consumer) {
		this.size = size;
		this.minScore = minScore;
		this.consumer = consumer;
		final int n = size.length - 1;
		final int earlier = (pow3(n) - 1) / 2;
		before = new long[earlier][n];
		rowsBefore = new long[earlier];
		long rows = 1;
		for (int d = 1; d <= n; d++) rows = Math.multiplyExact(rows, size[d]);
		long farthest = 0;
		for (int i = 0; i < earlier; i++) {
			long stride = 1;
			for (int d = 0, code = i; d < n; d++, code /= 3) {
				before[i][d] = code % 3 - 1;
				rowsBefore[i] -= before[i][d] * stride;
				stride *= size[d + 1];
			}
			farthest = Math.max(farthest, rowsBefore[i]);
		}
		ring = new Row[Math.toIntExact(Math.min(rows, farthest + 1))];
	}

	/**
	 * Finds all peaks.
	 *
	 * @param rows read once each, in raster order
	 * @param size the map's extents, 1 to 4 of them; the first below 2^31
	 * @param minScore the minimum score of a peak; not NaN
	 * @param consumer receives the peaks, in no particular order
	 */
	public static void find(final MapRows rows, final long[] size, final float minScore, final Consumer<Peak> consumer) {
		if (size.length < 1 || size.length > 4) throw new IllegalArgumentException("a map of " + size.length + " dimensions: use 1 to 4 dimensions");
		for (final long s : size) if (s < 1) throw new IllegalArgumentException("a map of " + Arrays.toString(size) + " has no pixels");
		if (Float.isNaN(minScore)) throw new IllegalArgumentException("the minimum score of a peak is NaN: choose a number");
		new LocalMaxima(size.clone(), minScore, consumer).run(rows);
	}

	private static int pow3(final int n) {
		int p = 1;
		for (int i = 0; i < n; i++) p *= 3;
		return p;
	}

	private void run(final MapRows rows) {
		final long[] start = new long[size.length];
		final int width = Math.toIntExact(size[0]);
		long index = 0;
		do {
			final int slot = (int) (index % ring.length);
			if (ring[slot] == null) ring[slot] = new Row(width);
			else retire(ring[slot]);
			final Row row = ring[slot];
			rows.read(start, row.values);
			row.findRuns(minScore);
			compare(row, index, start);
			index++;
		}
		while (next(start));
		for (final Row row : ring) if (row != null) retire(row);
	}

	private boolean next(final long[] start) {
		for (int d = 1; d < start.length; d++) {
			if (++start[d] < size[d]) return true;
			start[d] = 0;
		}
		return false;
	}

	/** Compares the runs of a row with the touching runs of earlier rows. Runs below another are discarded; equal runs join. */
	private void compare(final Row row, final long index, final long[] start) {
		for (int k = 0; k < row.count; k++) if (!exceeded(row, k, index, start)) row.plateaus[k] = new Plateau(index * size[0] + row.from[k], row.value(k), false);
		for (int i = 0; i < before.length; i++) {
			if (outside(start, before[i])) continue;
			final Row other = ring[(int) ((index - rowsBefore[i]) % ring.length)];
			for (int k = 0; k < other.count; k++) if (other.isOpen(k) && exceeds(row, other, k)) other.plateaus[k].root().exceeded = true;
			for (int k = 0; k < row.count; k++) join(row, k, other);
			for (int k = 0; k < other.count; k++) if (other.isOpen(k) && touchesSlope(other, k, row)) other.plateaus[k].root().exceeded = true;
		}
	}

	private boolean outside(final long[] start, final long[] step) {
		for (int d = 0; d < step.length; d++) {
			final long p = start[d + 1] + step[d];
			if (p < 0 || p >= size[d + 1]) return true;
		}
		return false;
	}

	private boolean exceeded(final Row row, final int k, final long index, final long[] start) {
		for (int i = 0; i < before.length; i++)
			if (!outside(start, before[i]) && exceeds(ring[(int) ((index - rowsBefore[i]) % ring.length)], row, k)) return true;
		return false;
	}

	/** Whether a pixel of {@code other} that touches run {@code k} is greater. */
	private static boolean exceeds(final Row other, final Row row, final int k) {
		final float value = row.value(k);
		final int to = Math.min(row.to[k] + 1, other.values.length - 1);
		for (int x = Math.max(row.from[k] - 1, 0); x <= to; x++) if (other.values[x] > value) return true;
		return false;
	}

	/** Joins run {@code k} with the touching runs of the same value in {@code other}. If one of them is exceeded, all are. */
	private static void join(final Row row, final int k, final Row other) {
		final float value = row.value(k);
		final int to = Math.min(row.to[k] + 1, other.values.length - 1);
		for (int x = Math.max(row.from[k] - 1, 0); x <= to; x++) {
			if (other.values[x] != value) continue;
			final int j = other.runAt(x);
			final Plateau plateau = row.plateaus[k], neighbour = j < 0 ? null : other.plateaus[j];
			if (plateau != null && neighbour != null) Plateau.join(plateau, neighbour);
			else if (plateau != null) plateau.root().exceeded = true;
			else if (neighbour != null) neighbour.root().exceeded = true;
			if (j >= 0) x = other.to[j];
		}
	}

	/** Whether run {@code k} has an equal neighbour in {@code other} beside which, along x, a value is greater. */
	private static boolean touchesSlope(final Row row, final int k, final Row other) {
		final float value = row.value(k);
		final int to = Math.min(row.to[k] + 1, other.values.length - 1);
		for (int x = Math.max(row.from[k] - 1, 0); x <= to; x++) {
			if (other.values[x] != value) continue;
			final int j = other.runAt(x);
			if (j < 0) return true;
			x = other.to[j];
		}
		return false;
	}

	private void retire(final Row row) {
		for (int k = 0; k < row.count; k++) {
			if (row.plateaus[k] == null) continue;
			final Plateau plateau = row.plateaus[k].root();
			row.plateaus[k] = null;
			if (--plateau.runs == 0 && !plateau.exceeded) consumer.accept(new Peak(Neighbours.position(plateau.first, size), plateau.value));
		}
		row.count = 0;
	}

	/** A row, its runs that are maximal along x, and the plateau of each run; null if the run is no part of a peak. */
	private static final class Row {

		final float[] values;
		int count;
		int[] from = new int[16], to = new int[16];
		Plateau[] plateaus = new Plateau[16];

		Row(final int width) {
			values = new float[width];
		}

		float value(final int k) {
			return values[from[k]];
		}

		boolean isOpen(final int k) {
			return plateaus[k] != null && !plateaus[k].root().exceeded;
		}

		void findRuns(final float minScore) {
			count = 0;
			for (int x = 0; x < values.length; x++) {
				final float v = values[x];
				if (!(v >= minScore)) continue; // the most frequent case; also NaN
				final int first = x;
				while (x + 1 < values.length && values[x + 1] == v) x++;
				final boolean exceeded = first > 0 && values[first - 1] > v || x + 1 < values.length && values[x + 1] > v;
				if (!exceeded && v > Float.NEGATIVE_INFINITY) add(first, x);
			}
		}

		private void add(final int first, final int last) {
			if (count == from.length) {
				from = Arrays.copyOf(from, 2 * count);
				to = Arrays.copyOf(to, 2 * count);
				plateaus = Arrays.copyOf(plateaus, 2 * count);
			}
			from[count] = first;
			to[count] = last;
			plateaus[count++] = null;
		}

		/** The run that contains pixel {@code x}; -1 if none does. */
		int runAt(final int x) {
			final int i = Arrays.binarySearch(from, 0, count, x);
			final int k = i >= 0 ? i : -i - 2;
			return k >= 0 && to[k] >= x ? k : -1;
		}
	}

}
