package sc.fiji.ncc.stitch;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.store.CellCache;

/** The tiles of a mosaic. Memory holds those that were used last. */
public final class Tiles {

	/** The share of the heap for tiles. */
	private static final int SHARE_OF_HEAP = 4;
	/** The fewest tiles in memory, and the largest number of tiles without positions, which are compared with all others. */
	private static final int LEAST = 8;
	public static final int MOST_UNKNOWN = 64;

	private final List<Tile> all;
	private final int dimensions;
	private final UnaryOperator<RandomAccessibleInterval<?>> measured;
	private final CellCache<RandomAccessibleInterval<?>> loaded, toMeasure;
	/** Null if the illumination is even. */
	private final FlatField flat;

	/**
	 * @param dimensions the number of spatial dimensions, which come first: 2 or 3
	 * @param measured makes the image to measure on from a tile: it has the spatial dimensions only
	 * @throws IllegalArgumentException if there are fewer than two tiles, names repeat, or types or numbers of dimensions differ
	 */
	public Tiles(final List<Tile> tiles, final int dimensions, final UnaryOperator<RandomAccessibleInterval<?>> measured) {
		this(tiles, dimensions, measured, null);
	}

	private Tiles(final List<Tile> tiles, final int dimensions, final UnaryOperator<RandomAccessibleInterval<?>> measured, final FlatField flat) {
		this.flat = flat;
		all = List.copyOf(Given.list(tiles, "tile"));
		this.dimensions = dimensions;
		this.measured = measured;
		if (dimensions < 2 || dimensions > 3) throw new IllegalArgumentException("tiles of " + dimensions + " dimensions cannot be stitched: give 2 or 3");
		if (all.size() < 2) throw new IllegalArgumentException("there is one tile, and a mosaic needs at least two: give more tiles");
		final Tile first = all.get(0);
		final Set<String> names = new HashSet<>();
		long bytes = 1;
		for (final Tile t : all) {
			if (!names.add(t.name())) throw new IllegalArgumentException("two tiles have the name " + t.name() + ": give each tile once");
			if (t.size().length < dimensions || t.size().length != first.size().length) throw new IllegalArgumentException(t.name() + " has " + t.size().length
				+ " dimensions, and " + first.name() + " has " + first.size().length + ": give tiles with the same dimensions");
			if (t.type() != first.type()) throw new IllegalArgumentException(t.name() + " has pixels of " + t.type().words() + ", and " + first.name() + " of "
				+ first.type().words() + ": give tiles of one pixel type");
			if (!Arrays.equals(t.size(), dimensions, t.size().length, first.size(), dimensions, first.size().length))
				throw new IllegalArgumentException(t.name() + " is " + Size.of(t.size()) + ", and " + first.name() + " is " + Size.of(first.size())
					+ ": give tiles with as many channels and frames");
			if (t.position() != null && t.position().length != dimensions) throw new IllegalArgumentException("the position of " + t.name() + " has "
				+ t.position().length + " numbers, and tiles have " + dimensions + " dimensions: give one number for each dimension, or none");
			bytes = Math.max(bytes, Size.of(t.size()).pixels() * (flat == null ? t.type().bytes : Float.BYTES));
		}
		final long unknown = all.stream().filter(t -> t.position() == null).count();
		if (unknown > MOST_UNKNOWN) throw new IllegalArgumentException(unknown + " tiles have no positions, and up to " + MOST_UNKNOWN
			+ " can be compared with all others: give a grid or a file of positions");
		final int most = (int) Math.max(LEAST, Math.min(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / bytes, all.size()));
		loaded = new CellCache<>(most, i -> {
			final RandomAccessibleInterval<?> tile = Views.zeroMin(all.get((int) i).load());
			return flat == null ? tile : flat.apply(tile);
		});
		// sums of channels and means of frames are computed once
		toMeasure = new CellCache<>(most, i -> measured.apply(loaded.get(i)));
	}

	/** The same tiles with an even illumination, in floats. */
	public Tiles with(final FlatField illumination) {
		return new Tiles(all, dimensions, measured, illumination);
	}

	/** That of {@link FlatField#doubt}; empty if the illumination is even. */
	String flatFieldDoubt() {
		return flat == null ? "" : flat.doubt();
	}

	/** The pixel type of the recorded tiles, which the mosaic has, too. */
	PixelType type() {
		return all.get(0).type();
	}

	public int count() {
		return all.size();
	}

	public Tile get(final int tile) {
		return all.get(tile);
	}

	public int dimensions() {
		return dimensions;
	}

	/** Whether a tile has an approximate position. */
	boolean isPlaced(final int tile) {
		return all.get(tile).position() != null;
	}

	/** The tiles with approximate positions. */
	int[] placed() {
		return IntStream.range(0, count()).filter(this::isPlaced).toArray();
	}

	/** The spatial extents of a tile. */
	public long[] size(final int tile) {
		return Arrays.copyOf(all.get(tile).size(), dimensions);
	}

	/** All dimensions of a tile, with its first pixel at 0. */
	RandomAccessibleInterval<?> pixels(final int tile) {
		return loaded.get(tile);
	}

	/** The image of a tile to measure on, with its first pixel at 0. */
	RandomAccessibleInterval<?> measured(final int tile) {
		return toMeasure.get(tile);
	}
}
