package sc.fiji.ncc.stitch;

import java.util.Arrays;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/**
 * A tile of a mosaic.
 *
 * @param name the name, such as that of its file
 * @param type the pixel type
 * @param size the extents of {@code pixels}, in pixels
 * @param pixels gives the tile; called again whenever the tile is not in memory. The spatial dimensions come first
 * @param position the approximate position of the first pixel, in pixels along x, y and, for volumes, z; null if it is unknown
 */
public record Tile(String name, PixelType type, long[] size, Supplier<? extends RandomAccessibleInterval<?>> pixels, double[] position) {

	public Tile {
		Given.nonNull(name, "name of a tile");
		Given.nonNull(type, "pixel type");
		Given.nonNull(size, "size of a tile");
		Given.nonNull(pixels, "source of the tile's pixels");
		if (position != null) for (final double p : position)
			if (!Double.isFinite(p) || Math.abs(p) > 1e9) throw new IllegalArgumentException("the position of " + name + " is " + Arrays.toString(position)
				+ ": give numbers of pixels within a thousand million");
	}

	/** A tile in memory. */
	public static Tile of(final String name, final RandomAccessibleInterval<?> pixels, final double... position) {
		Given.nonNull(pixels, "tile");
		return new Tile(name, ImagePixels.type(pixels), pixels.dimensionsAsLongArray(), () -> pixels, position);
	}

	/** The same tile at another approximate position. */
	public Tile at(final double... other) {
		return new Tile(name, type, size, pixels, other);
	}

	/** @throws IllegalArgumentException if the pixels differ from what was announced */
	RandomAccessibleInterval<?> load() {
		final RandomAccessibleInterval<?> loaded = pixels.get();
		if (ImagePixels.type(loaded) != type || !Arrays.equals(loaded.dimensionsAsLongArray(), size)) throw new IllegalArgumentException("the tile " + name
			+ " was " + Size.of(size) + " of " + type + ", and is " + Size.of(loaded.dimensionsAsLongArray()) + " of " + ImagePixels.type(loaded)
			+ ": do not change tiles during the run");
		return loaded;
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}

	@Override
	public String toString() {
		return name + ", " + Size.of(size) + " of " + type + (position == null ? "" : " at " + Arrays.toString(position));
	}
}
