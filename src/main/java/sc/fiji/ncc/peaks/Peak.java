package sc.fiji.ncc.peaks;

/**
 * A value at a position, with one coordinate per dimension. The natural order puts the greatest value first, then orders equal values by position
 * in raster order (the last dimension counts most). NaN comes last.
 */
public record Peak(long[] position, double value) implements Comparable<Peak> {

	@Override
	public int compareTo(final Peak other) {
		if (value > other.value) return -1;
		if (value < other.value) return 1;
		if (Double.isNaN(value) != Double.isNaN(other.value)) return Double.isNaN(value) ? 1 : -1;
		for (int d = position.length - 1; d >= 0; d--)
			if (position[d] != other.position[d]) return Long.compare(position[d], other.position[d]);
		return 0;
	}
}
