package sc.fiji.ncc.cpu.tile;

import sc.fiji.ncc.plan.Sink;

/**
 * The place of the responses, or sums, of a tile in an array.
 *
 * @param to the array, of floats or of doubles
 * @param offset the index of the first sum
 * @param rows the distance between rows of a plane
 * @param planes the distance between planes
 */
public record SumsPlace(Object to, int offset, int rows, int planes) {

	public static SumsPlace of(final Sink.Place place) {
		final int[] strides = place.strides();
		return new SumsPlace(place.array(), place.offset(), strides.length > 1 ? strides[1] : 0, strides.length > 2 ? strides[2] : 0);
	}

	/** A place in a map, or if there is none, in an array of the caller. */
	public static SumsPlace of(final Sink.Place place, final Object buffer, final int tileX, final int tileY) {
		return place == null ? compact(buffer, tileX, tileY) : of(place);
	}

	/** A place that starts at index 0, one row directly after the other. */
	public static SumsPlace compact(final Object to, final int tileX, final int tileY) {
		return new SumsPlace(to, 0, tileX, tileX * tileY);
	}

	public float[] floats() {
		return (float[]) to;
	}

	/** Writes one value. */
	public void set(final int i, final double value) {
		if (to instanceof double[]) ((double[]) to)[i] = value;
		else floats()[i] = (float) value;
	}

	/** The index at which a row of sums begins. */
	public int row(final int z, final int y) {
		return offset + z * planes + y * rows;
	}
}
