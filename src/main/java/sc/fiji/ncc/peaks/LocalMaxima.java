package sc.fiji.ncc.peaks;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The local maxima of a map in 1 to 4 dimensions. A plateau is a set of pixels of one value that hang together through their
 * {@code 3^n − 1} neighbours; a single pixel is the usual case. It is a peak if none of its neighbours is greater, it is reported once, at
 * its first pixel in raster order, and the map's border counts for nothing. NaN is below everything and no peak.
 * <p>
 * One pass over the rows. Of each row only the runs of equal values are kept that no neighbour along x exceeds and that reach the least
 * value; runs of neighbouring rows put each other out, or join into a plateau. A plateau is decided when its last row has left the
 * neighbourhood, so the memory taken is that of the rows in between (one plane and a row of a volume) and of the runs in them.
 */
public final class LocalMaxima {

	private final long[] size;
	private final float least;
	private final Consumer<Peak> found;
	private final Row[] ring;
	private final long[][] before; // the neighbours, in rows, that come earlier: their steps along y, z, ...
	private final long[] rowsBefore; // and how many rows earlier

	private LocalMaxima(final long[] size, final float least, final Consumer<Peak> found) {
		this.size = size;
		this.least = least;
		this.found = found;
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
	 * @param least a peak's least value; not NaN
	 * @param found receives the peaks, in no particular order
	 */
	public static void find(final Rows rows, final long[] size, final float least, final Consumer<Peak> found) {
		if (size.length < 1 || size.length > 4) throw new IllegalArgumentException("a map of " + size.length + " dimensions: 1 to 4 are possible");
		for (final long s : size) if (s < 1) throw new IllegalArgumentException("no pixels in a map of " + Arrays.toString(size));
		if (Float.isNaN(least)) throw new IllegalArgumentException("the least value of a peak is NaN");
		new LocalMaxima(size.clone(), least, found).run(rows);
	}

	private static int pow3(final int n) {
		int p = 1;
		for (int i = 0; i < n; i++) p *= 3;
		return p;
	}

	private void run(final Rows rows) {
		final long[] start = new long[size.length];
		final int width = Math.toIntExact(size[0]);
		long index = 0;
		do {
			final int slot = (int) (index % ring.length);
			if (ring[slot] == null) ring[slot] = new Row(width);
			else retire(ring[slot]);
			final Row row = ring[slot];
			rows.read(start, row.values);
			row.findRuns(least);
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

	/** Lets a row's runs and those of the rows before it that touch it put each other out or join. */
	private void compare(final Row row, final long index, final long[] start) {
		for (int k = 0; k < row.count; k++) if (!exceeded(row, k, index, start)) row.plateaus[k] = new Plateau(index * size[0] + row.from[k], row.value(k));
		for (int i = 0; i < before.length; i++) {
			if (outside(start, before[i])) continue;
			final Row other = ring[(int) ((index - rowsBefore[i]) % ring.length)];
			for (int k = 0; k < other.count; k++) if (other.alive(k) && exceeds(row, other, k)) other.plateaus[k].root().dead = true;
			for (int k = 0; k < row.count; k++) join(row, k, other);
			for (int k = 0; k < other.count; k++) if (other.alive(k) && touchesSlope(other, k, row)) other.plateaus[k].root().dead = true;
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

	/** Whether a pixel of {@code other} beside run {@code k} is greater. */
	private static boolean exceeds(final Row other, final Row row, final int k) {
		final float value = row.value(k);
		final int to = Math.min(row.to[k] + 1, other.values.length - 1);
		for (int x = Math.max(row.from[k] - 1, 0); x <= to; x++) if (other.values[x] > value) return true;
		return false;
	}

	/** Joins run {@code k} with the runs of the same value beside it in {@code other}; all are out if one is. */
	private static void join(final Row row, final int k, final Row other) {
		final float value = row.value(k);
		final int to = Math.min(row.to[k] + 1, other.values.length - 1);
		for (int x = Math.max(row.from[k] - 1, 0); x <= to; x++) {
			if (other.values[x] != value) continue;
			final int j = other.runAt(x);
			final Plateau mine = row.plateaus[k], theirs = j < 0 ? null : other.plateaus[j];
			if (mine != null && theirs != null) Plateau.join(mine, theirs);
			else if (mine != null) mine.root().dead = true;
			else if (theirs != null) theirs.root().dead = true;
			if (j >= 0) x = other.to[j];
		}
	}

	/** Whether run {@code k} has an equal neighbour in {@code other} that rises along x to something greater. */
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
			if (--plateau.runs == 0 && !plateau.dead) found.accept(new Peak(Neighbours.position(plateau.first, size), plateau.value));
		}
		row.count = 0;
	}

	/** A row and its runs that are maximal along x, with the plateau of each, or null once that is known to be none. */
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

		boolean alive(final int k) {
			return plateaus[k] != null && !plateaus[k].root().dead;
		}

		void findRuns(final float least) {
			count = 0;
			for (int x = 0; x < values.length; x++) {
				final float v = values[x];
				if (!(v >= least)) continue; // mostly; NaN too
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

		/** The run that holds pixel {@code x}; negative if none does. */
		int runAt(final int x) {
			final int i = Arrays.binarySearch(from, 0, count, x);
			final int k = i >= 0 ? i : -i - 2;
			return k >= 0 && to[k] >= x ? k : -1;
		}
	}

	/** A node of a forest; the root speaks for the plateau. */
	private static final class Plateau {

		private Plateau parent = this;
		private long first;
		private final float value;
		private int runs = 1; // of rows still in the ring
		private boolean dead;

		Plateau(final long first, final float value) {
			this.first = first;
			this.value = value;
		}

		Plateau root() {
			Plateau p = this;
			while (p.parent != p) {
				p.parent = p.parent.parent;
				p = p.parent;
			}
			return p;
		}

		static void join(final Plateau a, final Plateau b) {
			final Plateau x = a.root(), y = b.root();
			if (x == y) return;
			y.parent = x;
			x.first = Math.min(x.first, y.first);
			x.runs += y.runs;
			x.dead |= y.dead;
		}
	}
}
