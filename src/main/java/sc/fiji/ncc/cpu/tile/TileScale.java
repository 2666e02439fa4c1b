package sc.fiji.ncc.cpu.tile;

import java.util.Arrays;

import sc.fiji.ncc.plan.PixelType;

/**
 * The scale of a tile's pixels for computation: they are taken about their median, which a bright spot does not move, and scaled by a power of two so that
 * the greatest distance lies in [1, 2) and no square overflows. 8- and 16-bit pixels are not scaled: they are small and whole.
 */
public final class TileScale {

	private static final int SAMPLES = 255;

	public final double reference, factor;
	/** Whether a pixel is NaN or infinite, or lies too far from the reference for a double. */
	public final boolean nonFinite;
	/** Whether a finite pixel lies too far from the reference for a double. */
	public final boolean overflows;
	/** The maximum magnitude of the scaled finite pixels; NaN if the pixels were not read. */
	public final double maxMagnitude;
	/** Whether the scaled pixels are whole numbers of at most 16 bits. */
	public final boolean whole;
	/** The scale of each of several channels: all have the same factor. Default: null */
	private final TileScale[] channels;

	private TileScale(final double reference, final double factor, final boolean nonFinite, final boolean overflows, final double maxMagnitude,
		final boolean whole)
	{
		this(reference, factor, nonFinite, overflows, maxMagnitude, whole, null);
	}

	private TileScale(final double reference, final double factor, final boolean nonFinite, final boolean overflows, final double maxMagnitude,
		final boolean whole, final TileScale[] channels)
	{
		this.channels = channels;
		this.reference = reference;
		this.factor = factor;
		this.nonFinite = nonFinite;
		this.overflows = overflows;
		this.maxMagnitude = maxMagnitude;
		this.whole = whole;
	}

	/** A scale for whole numbers about a given reference. */
	public static TileScale about(final double reference) {
		return new TileScale(reference, 1, false, false, Double.NaN, true);
	}

	/**
	 * A scale about the median of each channel of a tile, with the factor of the channel with the greatest distance.
	 *
	 * @param readers the planes of each channel that belong to the tile
	 */
	public static TileScale of(final TileReader[][] readers, final PixelType type) {
		if (readers.length == 1) return of(readers[0], readers[0].length, type);
		final TileScale[] each = new TileScale[readers.length];
		double factor = Double.POSITIVE_INFINITY, maxDistance = 0;
		boolean nonFinite = false, overflows = false;
		for (int c = 0; c < each.length; c++) {
			each[c] = of(readers[c], readers[c].length, type);
			factor = Math.min(factor, each[c].factor);
			maxDistance = Math.max(maxDistance, each[c].maxMagnitude / each[c].factor);
			nonFinite |= each[c].nonFinite;
			overflows |= each[c].overflows;
		}
		for (int c = 0; c < each.length; c++)
			each[c] = new TileScale(each[c].reference, factor, each[c].nonFinite, each[c].overflows, each[c].maxMagnitude / each[c].factor * factor, each[c].whole);
		return new TileScale(each[0].reference, factor, nonFinite, overflows, maxDistance * factor, each[0].whole, each);
	}

	/** The scale of one channel. */
	public TileScale channel(final int channel) {
		return channels == null ? this : channels[channel];
	}

	/**
	 * A scale about the median of the pixels of a tile that are present. Missing pixels are set to the median, which becomes 0.
	 *
	 * @param count the number of planes that belong to the tile
	 */
	public static TileScale of(final TileReader[] readers, final int count, final PixelType type) {
		final TileReader[] planes = Arrays.copyOf(readers, count);
		final double median = median(planes);
		for (final TileReader p : planes) p.fill(median);
		if (type.exact()) return about(median);
		double maxDistance = 0;
		for (final TileReader p : planes) maxDistance = Math.max(maxDistance, p.maxDistance(median));
		final boolean nonFinite = !(maxDistance <= Double.MAX_VALUE);
		if (nonFinite) maxDistance = maxFiniteDistance(planes, median);
		final boolean overflows = maxDistance == Double.POSITIVE_INFINITY;
		final double factor = maxDistance == 0 || overflows ? 1 : Math.scalb(1.0, -Math.getExponent(maxDistance));
		return new TileScale(median, factor, nonFinite, overflows, maxDistance * factor, false);
	}

	/** A scale for plain sums: about 0, with the greatest magnitude in [1, 2). 8- and 16-bit pixels are not scaled: they are small and whole. */
	public static TileScale aboutZero(final TileReader[] readers, final int count, final PixelType type) {
		final TileReader[] planes = Arrays.copyOf(readers, count);
		double maxDistance = 0;
		for (final TileReader p : planes) maxDistance = Math.max(maxDistance, p.maxDistance(0));
		final boolean nonFinite = !(maxDistance <= Double.MAX_VALUE);
		if (nonFinite) maxDistance = maxFiniteDistance(planes, 0);
		final double factor = maxDistance == 0 || type.exact() ? 1 : Math.scalb(1.0, -Math.getExponent(maxDistance));
		return new TileScale(0, factor, nonFinite, false, maxDistance * factor, type.exact());
	}

	/** The identity, for pixels that were not read. */
	public static TileScale none() {
		return new TileScale(0, 1, false, false, Double.NaN, false);
	}

	private static double maxFiniteDistance(final TileReader[] planes, final double reference) {
		double maxDistance = 0;
		for (final TileReader p : planes)
			for (int i = 0; i < p.pixels(); i++)
				if (Math.abs(p.value(i)) <= Double.MAX_VALUE) maxDistance = Math.max(maxDistance, Math.abs(p.value(i) - reference));
		return maxDistance;
	}

	/** The median of evenly spread finite pixels; 0 if there are none. It is the value of a pixel. */
	private static double median(final TileReader[] planes) {
		long pixels = 0;
		for (final TileReader p : planes) pixels += p.pixels();
		final double[] sample = new double[(int) Math.min(SAMPLES, pixels)];
		int n = 0;
		long before = 0;
		int next = 0;
		for (final TileReader p : planes) {
			for (; next < sample.length && next * pixels / sample.length < before + p.pixels(); next++) {
				final int i = (int) (next * pixels / sample.length - before);
				final double v = p.value(i);
				if (p.present(i) && Math.abs(v) <= Double.MAX_VALUE) sample[n++] = v;
			}
			before += p.pixels();
		}
		if (n == 0) return firstPresent(planes);
		Arrays.sort(sample, 0, n);
		return sample[n / 2];
	}

	/** The first finite pixel that is present; 0 if there is none. */
	private static double firstPresent(final TileReader[] planes) {
		for (final TileReader p : planes)
			for (int i = 0; i < p.pixels() && p.masked(); i++)
				if (p.present(i) && Math.abs(p.value(i)) <= Double.MAX_VALUE) return p.value(i);
		return 0;
	}
}
