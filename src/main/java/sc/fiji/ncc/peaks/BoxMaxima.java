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

import sc.fiji.ncc.plan.Sink.BoxPeaks;
import sc.fiji.ncc.plan.support.Boxes;

/**
 * Finds the local maxima of one box of a map, so that the map need not be stored. {@link PeakMosaic} combines the maxima of all boxes. The box is
 * searched once by {@link LocalMaxima}, and once along its faces. Plateaus that touch a face are followed through the box.
 */
public final class BoxMaxima {

	private final int[] size;
	private final Neighbours neighbours;
	private final FloatBuffer responses;
	private final float minScore;
	/** The responses of all plateaus that touch a face. */
	private final BitSet seen = new BitSet();
	private final Ints rim = new Ints(), plateaus = new Ints();
	/** The first indices of the plateaus that touch a face and that no response of the box exceeds. */
	private final Set<Integer> open = new HashSet<>();

	private BoxMaxima(final int[] size, final FloatBuffer responses, final float minScore) {
		this.size = size;
		neighbours = new Neighbours(extents());
		this.responses = responses;
		this.minScore = minScore;
	}

	/**
	 * @param min the box's first lag
	 * @param size the box's extents, 1 to 4 of them
	 * @param from the responses from its position on, x fastest: a FloatBuffer, or a DoubleBuffer, which is rounded to float; not used after the call
	 * @param minScore the minimum score of a peak; not NaN
	 */
	public static BoxPeaks of(final long[] min, final int[] size, final Buffer from, final float minScore) {
		int n = 1;
		for (final int s : size) n = Math.multiplyExact(n, s);
		return new BoxMaxima(size, from instanceof FloatBuffer ? ((FloatBuffer) from).slice() : rounded((DoubleBuffer) from, n), minScore).find(min);
	}

	private static FloatBuffer rounded(final DoubleBuffer from, final int n) {
		final float[] floats = new float[n];
		for (int i = 0; i < n; i++) floats[i] = (float) from.get(from.position() + i);
		return FloatBuffer.wrap(floats);
	}

	/** The maxima of a box in which all responses equal {@code value}, which must reach the minimum score. */
	public static BoxPeaks flat(final long[] min, final int[] size, final float value) {
		final Ints rim = new Ints();
		forEachAtFace(size, rim::add);
		final int[] indices = rim.toArray();
		final float[] values = new float[indices.length];
		Arrays.fill(values, value);
		return new BoxPeaks(min, size, new int[0], new float[0], indices, values, new int[indices.length]);
	}

	private long[] extents() {
		return Arrays.stream(size).asLongStream().toArray();
	}

	private BoxPeaks find(final long[] min) {
		forEachAtFace(size, this::visit);
		final List<Peak> maxima = new ArrayList<>();
		LocalMaxima.find((start, row) -> responses.get(index(start), row), extents(), minScore, maxima::add);
		final int[] peaks = new int[maxima.size()];
		final float[] values = new float[peaks.length];
		int count = 0;
		for (final Peak p : maxima) {
			final int i = index(p.position());
			if (open.contains(i)) continue;
			peaks[count] = i;
			values[count++] = (float) p.value();
		}
		final int[] rimIndices = rim.toArray();
		final float[] rimValues = new float[rimIndices.length];
		for (int i = 0; i < rimIndices.length; i++) rimValues[i] = responses.get(rimIndices[i]);
		return new BoxPeaks(min.clone(), size.clone(), Arrays.copyOf(peaks, count), Arrays.copyOf(values, count), rimIndices, rimValues, plateaus.toArray());
	}

	private int index(final long[] position) {
		return (int) neighbours.index(position);
	}

	/** Follows the plateau of a response at a face through the box, unless that is done. */
	private void visit(final int index) {
		final float value = responses.get(index);
		if (!(value >= minScore) || value == Float.NEGATIVE_INFINITY || seen.get(index)) return;
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

	/** Adds the equal neighbours of a response to its plateau. Returns whether a neighbour is greater. */
	private boolean follow(final int index, final Ints plateau) {
		final float value = responses.get(index);
		boolean exceeded = false;
		for (final long neighbour : neighbours.of(index)) {
			final int other = (int) neighbour;
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
		void accept(int index);
	}

	private static void forEachAtFace(final int[] size, final Visitor visitor) {
		final int rows = Boxes.rows(size);
		for (int row = 0; row < rows; row++) {
			boolean allAtFace = false;
			for (int d = 1, rest = row; d < size.length; d++) {
				final int p = rest % size[d];
				allAtFace |= p == 0 || p == size[d] - 1;
				rest /= size[d];
			}
			final int first = row * size[0], last = first + size[0] - 1;
			for (int i = first; i <= last; i += allAtFace ? 1 : Math.max(1, size[0] - 1)) visitor.accept(i);
		}
	}

	/** A growing list of ints. */
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
