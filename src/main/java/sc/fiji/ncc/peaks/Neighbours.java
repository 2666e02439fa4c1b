package sc.fiji.ncc.peaks;

import java.util.Arrays;

/** Which responses of a map, or of a box of one, lie beside each other and at the faces: by their indices, x fastest. */
public final class Neighbours {

	private final long[] size;
	/** The {@code 3^n − 1} ways to a neighbour, in raster order, and how far indices lie apart. */
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
			// the one in the middle is none
			int code = i < count / 2 ? i : i + 1;
			long stride = 1;
			for (int d = 0; d < size.length; d++, code /= 3) {
				steps[i][d] = code % 3 - 1;
				offsets[i] += steps[i][d] * stride;
				stride *= size[d];
			}
		}
	}

	/** Those of a response that are inside, in raster order. */
	public long[] of(final long index) {
		return of(index, steps.length);
	}

	/** Those of them that come before it in raster order. */
	public long[] before(final long index) {
		return of(index, steps.length / 2);
	}

	private long[] of(final long index, final int most) {
		final long[] at = position(index), those = new long[most];
		int count = 0;
		for (int i = 0; i < most; i++) {
			boolean inside = true;
			for (int d = 0; d < at.length; d++) {
				final long p = at[d] + steps[i][d];
				inside &= p >= 0 && p < size[d];
			}
			if (inside) those[count++] = index + offsets[i];
		}
		return count == most ? those : Arrays.copyOf(those, count);
	}

	/** Whether it is the first or the last along some dimension. */
	public boolean atAFace(final long index) {
		final long[] at = position(index);
		for (int d = 0; d < at.length; d++) if (at[d] == 0 || at[d] == size[d] - 1) return true;
		return false;
	}

	/** Where it lies along each dimension. */
	long[] position(final long index) {
		return position(index, size);
	}

	/** The same in a map of any size. */
	static long[] position(final long index, final long[] size) {
		final long[] p = new long[size.length];
		long rest = index;
		for (int d = 0; d < p.length; d++) {
			p[d] = rest % size[d];
			rest /= size[d];
		}
		return p;
	}
}
