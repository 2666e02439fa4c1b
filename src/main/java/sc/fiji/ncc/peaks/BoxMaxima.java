package sc.fiji.ncc.peaks;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import sc.fiji.ncc.plan.BoxPeaks;

/**
 * Finds the local maxima of one box of a map, so that nobody needs to keep the map: {@link PeakMosaic} puts those of all boxes together. One pass
 * by {@link LocalMaxima}, then one along the faces; the plateaus that touch a face are followed through the box.
 */
public final class BoxMaxima {

	private final int[] size;
	private final Neighbours neighbours;
	private final FloatBuffer responses;
	private final float least;
	/** Those at the faces that were looked at, with all of their plateaus. */
	private final BitSet seen = new BitSet();
	private final Ints rim = new Ints(), plateaus = new Ints();
	/** First indices of the plateaus at the faces that nothing exceeds. */
	private final Set<Integer> open = new HashSet<>();

	private BoxMaxima(final int[] size, final FloatBuffer responses, final float least) {
		this.size = size;
		neighbours = new Neighbours(extents());
		this.responses = responses;
		this.least = least;
	}

	/**
	 * @param min the box's first lag
	 * @param size its extents, 1 to 4 of them
	 * @param from the responses from its position on, x fastest, a FloatBuffer or a DoubleBuffer, which is rounded; not used after the call
	 * @param least a peak's least value; not NaN
	 */
	public static BoxPeaks of(final long[] min, final int[] size, final Buffer from, final float least) {
		int n = 1;
		for (final int s : size) n = Math.multiplyExact(n, s);
		return new BoxMaxima(size, from instanceof FloatBuffer ? ((FloatBuffer) from).slice() : rounded((DoubleBuffer) from, n), least).find(min);
	}

	private static FloatBuffer rounded(final DoubleBuffer from, final int n) {
		final float[] floats = new float[n];
		for (int i = 0; i < n; i++) floats[i] = (float) from.get(from.position() + i);
		return FloatBuffer.wrap(floats);
	}

	/** A box of one response, {@code value}, throughout, which reaches the least one. */
	public static BoxPeaks flat(final long[] min, final int[] size, final float value) {
		final Ints rim = new Ints();
		eachAtAFace(size, rim::add);
		final int[] at = rim.toArray();
		final float[] values = new float[at.length];
		Arrays.fill(values, value);
		return new BoxPeaks(min, size, new int[0], new float[0], at, values, new int[at.length]);
	}

	private long[] extents() {
		return Arrays.stream(size).asLongStream().toArray();
	}

	private BoxPeaks find(final long[] min) {
		eachAtAFace(size, this::look);
		final List<Peak> all = new ArrayList<>();
		LocalMaxima.find((start, row) -> responses.get((int) index(start), row), extents(), least, all::add);
		final int[] peaks = new int[all.size()];
		final float[] values = new float[peaks.length];
		int count = 0;
		for (final Peak p : all) {
			final int at = (int) index(p.position());
			if (open.contains(at)) continue;
			peaks[count] = at;
			values[count++] = (float) p.value();
		}
		final int[] at = rim.toArray();
		final float[] rimValues = new float[at.length];
		for (int i = 0; i < at.length; i++) rimValues[i] = responses.get(at[i]);
		return new BoxPeaks(min.clone(), size.clone(), Arrays.copyOf(peaks, count), Arrays.copyOf(values, count), at, rimValues, plateaus.toArray());
	}

	private long index(final long[] position) {
		long i = 0;
		for (int d = size.length - 1; d >= 0; d--) i = i * size[d] + position[d];
		return i;
	}

	/** Looks at a response at a face. */
	private void look(final int index) {
		final float value = responses.get(index);
		if (!(value >= least) || value == Float.NEGATIVE_INFINITY || seen.get(index)) return;
		final Ints plateau = new Ints();
		plateau.add(index);
		seen.set(index);
		boolean exceeded = false;
		int first = index;
		for (int i = 0; i < plateau.count; i++) {
			exceeded |= follow(plateau.values[i], plateau);
			first = Math.min(first, plateau.values[i]);
		}
		for (int i = 0; i < plateau.count; i++)
			if (neighbours.atAFace(plateau.values[i])) {
				rim.add(plateau.values[i]);
				plateaus.add(exceeded ? -1 : first);
			}
		if (!exceeded) open.add(first);
	}

	/** Adds the equal neighbours of a response to its plateau, and says whether one is greater. */
	private boolean follow(final int index, final Ints plateau) {
		final float value = responses.get(index);
		boolean exceeded = false;
		for (final long at : neighbours.of(index)) {
			final int other = (int) at;
			final float v = responses.get(other);
			exceeded |= v > value;
			if (v == value && !seen.get(other)) {
				seen.set(other);
				plateau.add(other);
			}
		}
		return exceeded;
	}

	private interface Visitor {
		void at(int index);
	}

	private static void eachAtAFace(final int[] size, final Visitor visitor) {
		int rows = 1;
		for (int d = 1; d < size.length; d++) rows *= size[d];
		for (int row = 0; row < rows; row++) {
			boolean whole = false;
			for (int d = 1, rest = row; d < size.length; d++) {
				final int p = rest % size[d];
				whole |= p == 0 || p == size[d] - 1;
				rest /= size[d];
			}
			final int first = row * size[0], last = first + size[0] - 1;
			for (int i = first; i <= last; i += whole ? 1 : Math.max(1, size[0] - 1)) visitor.at(i);
		}
	}

	/** Numbers, as many as come. */
	private static final class Ints {

		private int[] values = new int[8];
		private int count;

		void add(final int value) {
			if (count == values.length) values = Arrays.copyOf(values, 2 * count);
			values[count++] = value;
		}

		int[] toArray() {
			return Arrays.copyOf(values, count);
		}
	}
}
