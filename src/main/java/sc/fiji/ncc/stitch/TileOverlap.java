package sc.fiji.ncc.stitch;

/**
 * How much neighbouring tiles of a grid overlap.
 *
 * @param amount a share, or a number of pixels
 * @param share whether the amount is a share of the tile's extent
 */
public record TileOverlap(double amount, boolean share) {

	public TileOverlap {
		if (!(amount > 0) || share && amount >= 1) throw new IllegalArgumentException("the overlap is " + text(amount, share)
			+ ": give more than 0 and less than the whole tile, as in 10% or 50");
	}

	/**
	 * Reads {@code 10%} or a number of pixels.
	 *
	 * @throws IllegalArgumentException if it is neither, or out of range
	 */
	public static TileOverlap of(final String text) {
		final String t = text.trim();
		final boolean percent = t.endsWith("%");
		final double number;
		try {
			number = Double.parseDouble(percent ? t.substring(0, t.length() - 1).trim() : t);
		}
		catch (final NumberFormatException e) {
			throw new IllegalArgumentException("'" + text + "' is not an overlap: give a share or a number of pixels, as in 10% or 50", e);
		}
		return new TileOverlap(percent ? number / 100 : number, percent);
	}

	/** @throws IllegalArgumentException if the overlap is not smaller than the extent */
	double pixels(final long extent) {
		final double pixels = share ? amount * extent : amount;
		if (pixels >= extent) throw new IllegalArgumentException("the overlap is " + this + ", and a tile has " + extent + " pixels: give less than the whole tile");
		return pixels;
	}

	/**
	 * The position of a tile of a grid.
	 *
	 * @param place its column and row
	 * @param size its extents
	 */
	double[] position(final int[] place, final long[] size) {
		final double[] position = new double[size.length];
		for (int d = 0; d < 2; d++) position[d] = place[d] * (size[d] - pixels(size[d]));
		return position;
	}

	private static String text(final double amount, final boolean share) {
		return share ? amount * 100 + " %" : amount + " pixels";
	}

	@Override
	public String toString() {
		return text(amount, share);
	}
}
