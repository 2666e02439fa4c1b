package sc.fiji.ncc.peaks;

import java.util.Arrays;

/** Neighbours and faces in a map, or in a box of a map. Responses are given by their indices, x fastest. */
public final class Neighbours {

	private final long[] size;
	/** The {@code 3^n − 1} steps to the neighbours in raster order, and the differences of the indices. */
	private final int[][] steps;
	private final long[] offsets;

	/** @param size the extents, 1 or more of them */
	public Neighbours(final long[] size) {
		this.size = size.clone();
		int count = 1;
		for (int d = 0; d < size.length; d++) count *= 3;
		steps = new int[count - 1][size.length];
		offsets = new long[count - 1];
		for (int i = 0; i < offsets.length; i++) {
			// skip the step of zero in the middle
			int code = i < count / 2 ? i : i + 1;
			long stride = 1;
			for (int d = 0; d < size.length; d++, code /= 3) {
				steps[i][d] = code % 3 - 1;
				offsets[i] += steps[i][d] * stride;
				stride *= size[d];
			}
		}
	}

	/** The indices of the neighbours of a response that lie inside, in raster order. */
	public long[] of(final long index) {
		return of(index, steps.length);
	}

	/** The indices of those neighbours that come before it in raster order. */
	public long[] before(final long index) {
		return of(index, steps.length / 2);
	}

	private long[] of(final long index, final int maxCount) {
		final long[] position = position(index), neighbours = new long[maxCount];
		int count = 0;
		for (int i = 0; i < maxCount; i++) {
			boolean inside = true;
			for (int d = 0; d < position.length; d++) {
				final long p = position[d] + steps[i][d];
				inside &= p >= 0 && p < size[d];
			}
			if (inside) neighbours[count++] = index + offsets[i];
		}
		return count == maxCount ? neighbours : Arrays.copyOf(neighbours, count);
	}

	/** Whether a response is the first or the last along a dimension. */
	public boolean atAFace(final long index) {
		final long[] position = position(index);
		for (int d = 0; d < position.length; d++) if (position[d] == 0 || position[d] == size[d] - 1) return true;
		return false;
	}

	/** The position along each dimension of the response with this index. */
	long[] position(final long index) {
		return position(index, size);
	}

	/** The position of an index in a map of extents {@code size}. */
	static long[] position(final long index, final long[] size) {
		final long[] p = new long[size.length];
		long rest = index;
		for (int d = 0; d < p.length; rest /= size[d++]) p[d] = rest % size[d];
		return p;
	}

	/** The index of the response at this position. */
	long index(final long[] position) {
		long i = 0;
		for (int d = size.length - 1; d >= 0; d--) i = i * size[d] + position[d];
		return i;
	}
}
