package sc.fiji.ncc.stitch;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Size;

/**
 * The brightness of the illumination over the field of view. A tile is corrected to {@code (v − dark)·factor + dark}: the dark level of the
 * camera stays, and the mean brightness too.
 */
public final class FlatField {

	/** The half width of the mean that leaves the illumination of the mean of all tiles, as a share of the extent. It is applied three times. */
	private static final int SHARE = 16;
	/** The brightest factor: pixels that are darker hold no information. */
	private static final double MOST = 20;

	private final long[] size;
	private final float[] factors;
	private final double dark;
	/** What makes an estimate doubtful; empty if nothing does. */
	private final String doubt;

	private FlatField(final long[] size, final double[] brightness, final double dark, final String what, final String doubt) {
		this.doubt = doubt;
		this.size = size;
		this.dark = dark;
		double sum = 0;
		for (final double b : brightness) sum += b - dark;
		final double mean = sum / brightness.length;
		if (!(mean > 0)) throw new IllegalArgumentException("the mean of " + what + " is " + (mean + dark) + ", not above the dark level " + dark
			+ ": give a brighter image, or a lower dark level");
		factors = new float[brightness.length];
		for (int i = 0; i < factors.length; i++) factors[i] = (float) Math.min(MOST, Math.max(1 / MOST, mean / Math.max(1e-9 * mean, brightness[i] - dark)));
	}

	/**
	 * The illumination from an image of an even object.
	 *
	 * @param dark the value of a pixel without light
	 * @throws IllegalArgumentException if its size differs from the spatial extents of tiles, or it is not brighter than the dark level
	 */
	public static FlatField of(final RandomAccessibleInterval<?> image, final double dark, final long[] tile) {
		if (!Arrays.equals(image.dimensionsAsLongArray(), tile)) throw new IllegalArgumentException("the flat field is " + Size.of(image.dimensionsAsLongArray())
			+ ", and a tile is " + Size.of(tile) + ": give an image of the size of a tile");
		return new FlatField(tile, values(image), dark, "the flat field", "");
	}

	/**
	 * The illumination from all tiles: their mean, without detail. It needs many tiles of different content.
	 *
	 * @throws IllegalArgumentException if tiles differ in size
	 */
	public static FlatField estimate(final Tiles tiles, final double dark) {
		final long[] size = tiles.size(0);
		double[] mean = null;
		final Spread spread = new Spread((int) Size.of(size).pixels());
		for (int i = 0; i < tiles.count(); i++) {
			if (!Arrays.equals(size, tiles.size(i))) throw new IllegalArgumentException(tiles.get(i).name() + " is " + Size.of(tiles.size(i))
				+ ", and " + tiles.get(0).name() + " is " + Size.of(size) + ": the mean of tiles needs tiles of one size");
			final double[] values = values(tiles.measured(i));
			if (mean == null) mean = new double[values.length];
			for (int k = 0; k < values.length; k++) mean[k] += values[k] / tiles.count();
			spread.add(smoothed(values, size), dark);
		}
		return new FlatField(size, smoothed(mean, size), dark, "the tiles", spread.doubt(tiles.count()));
	}

	/** How much the shapes of smoothed tiles differ, whatever their brightness. */
	private static final class Spread {

		private final double[] sums, squares, products;
		private double means, meanSquares;

		Spread(final int pixels) {
			sums = new double[pixels];
			squares = new double[pixels];
			products = new double[pixels];
		}

		void add(final double[] tile, final double dark) {
			final double mean = Arrays.stream(tile).average().orElseThrow() - dark;
			means += mean;
			meanSquares += mean * mean;
			for (int k = 0; k < tile.length; k++) {
				final double v = tile[k] - dark;
				sums[k] += v;
				squares[k] += v * v;
				products[k] += mean * v;
			}
		}

		/**
		 * What the correction leaves is the error of the mean shape, and what it removes is the variation of the illumination: that of the mean shape, of which
		 * the error is a part.
		 */
		String doubt(final int n) {
			double variation = 0, error = 0;
			for (int k = 0; k < sums.length; k++) {
				// relative to the mean brightness: the shape, and the sum of the squared differences of the tiles from the shape of their brightness
				final double shape = sums[k] / means;
				variation += (shape - 1) * (shape - 1) / sums.length;
				error += (squares[k] - 2 * shape * products[k] + shape * shape * meanSquares) / (means / n * means / n) / n / (n - 1) / sums.length;
			}
			return variation >= 2 * error ? "" : String.format(Locale.ROOT, "the flat field of %d tiles varies by %.3g %%, with a standard error of %.3g %%: "
				+ "it may make the brightness less even; give an image of an even object, more tiles, or no flat field", n, 100 * Math.sqrt(variation),
				100 * Math.sqrt(error));
		}
	}

	/** What makes an estimate from tiles doubtful: a line without a full stop; empty if nothing does. */
	public String doubt() {
		return doubt;
	}

	private static double[] smoothed(final double[] image, final long[] size) {
		double[] smooth = image;
		int stride = 1;
		for (final long extent : size) {
			for (int round = 0; round < 3; round++) smooth = smoothed(smooth, stride, (int) extent, (int) Math.max(1, extent / SHARE));
			stride *= (int) extent;
		}
		return smooth;
	}

	private static double[] values(final RandomAccessibleInterval<?> image) {
		final ImagePixels pixels = ImagePixels.of(image);
		final Buffer raw = pixels.all();
		final int n = raw.capacity();
		final double[] values = new double[n];
		for (int i = 0; i < n; i++) values[i] = Buffers.value(raw, pixels.type().min == 0, i);
		return values;
	}

	/** Means along one dimension; at the ends, of fewer pixels. */
	private static double[] smoothed(final double[] from, final int stride, final int extent, final int half) {
		final double[] to = new double[from.length], sums = new double[extent + 1];
		for (int line = 0; line < from.length / extent; line++) {
			final int start = line % stride + line / stride * stride * extent;
			for (int i = 0; i < extent; i++) sums[i + 1] = sums[i] + from[start + i * stride];
			for (int i = 0; i < extent; i++) {
				// as many pixels on both sides, so that a slope stays
				final int h = Math.min(half, Math.min(i, extent - 1 - i));
				to[start + i * stride] = (sums[i + h + 1] - sums[i - h]) / (2 * h + 1);
			}
		}
		return to;
	}

	/** A tile with an even illumination, in floats. */
	RandomAccessibleInterval<?> apply(final RandomAccessibleInterval<?> tile) {
		final long[] extents = tile.dimensionsAsLongArray();
		if (!Arrays.equals(Arrays.copyOf(extents, size.length), size))
			throw new IllegalArgumentException("a tile is " + Size.of(extents) + ", and the flat field is " + Size.of(size)
				+ ": give tiles of one size");
		final double[] values = values(tile);
		final float[] even = new float[values.length];
		for (int i = 0; i < even.length; i++) even[i] = (float) ((values[i] - dark) * factors[i % factors.length] + dark);
		return ArrayImgs.floats(even, extents);
	}
}
