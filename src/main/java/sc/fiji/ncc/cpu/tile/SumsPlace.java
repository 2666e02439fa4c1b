package sc.fiji.ncc.cpu.tile;

import sc.fiji.ncc.plan.Sink;

/**
 * Where the responses of a tile go, or its sums.
 *
 * @param to the array, of floats or of doubles
 * @param offset of the first sum
 * @param rows how far the rows of a plane lie apart
 * @param planes how far planes lie apart
 */
public record SumsPlace(Object to, int offset, int rows, int planes) {

	public static SumsPlace of(final Sink.Place place) {
		final int[] strides = place.strides();
		return new SumsPlace(place.array(), place.offset(), strides.length > 1 ? strides[1] : 0, strides.length > 2 ? strides[2] : 0);
	}

	/** In a map, or if there is no such place in the room given. */
	public static SumsPlace of(final Sink.Place place, final Object room, final int tileX, final int tileY) {
		return place == null ? compact(room, tileX, tileY) : of(place);
	}

	/** One row after the other, from an array's beginning. */
	public static SumsPlace compact(final Object to, final int tileX, final int tileY) {
		return new SumsPlace(to, 0, tileX, tileX * tileY);
	}

	public float[] floats() {
		return (float[]) to;
	}

	/** Writes one value. */
	public void set(final int i, final float value) {
		if (to instanceof double[]) ((double[]) to)[i] = value;
		else floats()[i] = value;
	}

	/** Where a row of sums begins. */
	public int row(final int z, final int y) {
		return offset + z * planes + y * rows;
	}
}
