package sc.fiji.ncc;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import sc.fiji.ncc.option.ComputingOp;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.stitch.FlatField;
import sc.fiji.ncc.stitch.Fusion;
import sc.fiji.ncc.stitch.MosaicImage;
import sc.fiji.ncc.stitch.StitchParts;
import sc.fiji.ncc.stitch.Tile;
import sc.fiji.ncc.stitch.Tiles;

/**
 * Makes a mosaic from tiles, in two or three dimensions.
 *
 * <pre>
 * Stitching stitching = Stitching.of(List.of(Tile.of("left", left, 0, 0), Tile.of("right", right, 460, 0)));
 * Mosaic mosaic = stitching.measure();
 * Img&lt;?&gt; image = stitching.fuse(mosaic, Fusion.DEFAULT);
 * </pre>
 *
 * Neighbouring tiles are correlated on the strips in which they may overlap, as in {@link Registration}. Each link has a covariance and an expected number of
 * false alarms; a strip without enough structure gives no link. The positions fit all links by weighted least squares, with the stage in place of missing
 * links, and links that contradict the others are left out. Tiles are read when they are needed. Inputs are never changed. Several threads can use an object at
 * the same time: each call uses the settings at its start.
 */
public final class Stitching extends ComputingOp<Stitching, Stitching.Settings> {

	/** The level without another setting, for false alarms and for the rejection of links. */
	public static final double LEVEL = 0.001;

	private final List<Tile> list;
	private final int dimensions;
	private volatile List<Ranking> rankings = List.of();

	/**
	 * How tiles are measured.
	 *
	 * @param measured makes the image that is measured on from a tile
	 * @param flat the illumination; null for an even one
	 * @param stageError in pixels along each dimension; null for an estimate
	 * @param falseAlarms the level for links
	 * @param rejection the probability that any good link is rejected
	 */
	record Settings(UnaryOperator<RandomAccessibleInterval<?>> measured, FlatField flat, long[] stageError, double falseAlarms, double rejection) {

		Settings {
			Given.nonNull(measured, "function");
			Range.PART.of("the level of false alarms is ", falseAlarms);
			Range.PART.of("the level of rejection is ", rejection);
		}
	}

	private Stitching(final List<Tile> tiles, final int dimensions) {
		super(Backends::all, new Settings(UnaryOperator.identity(), null, null, LEVEL, LEVEL));
		list = tiles;
		this.dimensions = dimensions;
		tiles(settings());
	}

	/**
	 * @param tiles at least two tiles of two or three dimensions. Tiles without an approximate position are compared with all others
	 * @throws IllegalArgumentException if tiles do not fit together; the message names the tile
	 */
	public static Stitching of(final List<Tile> tiles) {
		return of(tiles, Given.list(tiles, "tile").get(0).size().length);
	}

	/**
	 * @param tiles as there; further dimensions, such as channels, follow the spatial ones, and move alike
	 * @param dimensions the number of spatial dimensions, 2 or 3
	 */
	public static Stitching of(final List<Tile> tiles, final int dimensions) {
		return new Stitching(tiles, dimensions);
	}

	/**
	 * Sets what is measured on. Default: the tile itself, which then must have the spatial dimensions only.
	 *
	 * @param image makes an image with the spatial dimensions from a tile, such as one channel
	 */
	public Stitching measuredOn(final UnaryOperator<RandomAccessibleInterval<?>> image) {
		return set(Settings::measured, image);
	}

	/**
	 * Sets the largest error of the stage: how far the distance of two neighbours can be from the expected one, in pixels along each dimension. Default: it is
	 * estimated from the first links, up to a tenth of a tile.
	 *
	 * @throws IllegalArgumentException if a number is negative, or their number differs from the number of dimensions
	 */
	public Stitching stageError(final long... pixels) {
		if (Given.nonNull(pixels, "stage error").length != dimensions) throw new IllegalArgumentException("the stage error has " + pixels.length
			+ " numbers, and tiles have " + dimensions + " dimensions: give one number per dimension");
		for (final long p : pixels)
			if (p < 1 || p > Integer.MAX_VALUE / 4) throw new IllegalArgumentException("the stage error is " + p + " pixels: give 1 or more");
		return set(Settings::stageError, pixels.clone());
	}

	/**
	 * Sets the level for links: a link counts if fewer peaks as high as its own are expected by chance. Default: 0.001.
	 *
	 * @throws IllegalArgumentException if it is not above 0 and at most 1
	 */
	public Stitching falseAlarms(final double level) {
		return set(Settings::falseAlarms, level);
	}

	/**
	 * Sets the probability that any good link is taken for one that contradicts the others. Default: 0.001.
	 *
	 * @throws IllegalArgumentException if it is not above 0 and at most 1
	 */
	public Stitching rejection(final double level) {
		return set(Settings::rejection, level);
	}

	/**
	 * Sets an image of the illumination, by which tiles are divided. Null for an even illumination. Default: null.
	 *
	 * @param dark the value of a pixel without light
	 * @throws IllegalArgumentException if its size is not that of a tile
	 */
	public Stitching flatField(final RandomAccessibleInterval<?> image, final double dark) {
		return set(Settings::flat, image == null ? null : FlatField.of(image, dark, Arrays.copyOf(list.get(0).size(), dimensions)));
	}

	/**
	 * Takes the smoothed mean of all tiles as the illumination, see {@link #flatField}. It needs many tiles of different content:
	 * {@link Mosaic#flatFieldDoubt} says whether there are too few.
	 *
	 * @param dark the value of a pixel without light
	 */
	public Stitching flatFieldOfTiles(final double dark) {
		return set(Settings::flat, FlatField.estimate(new Tiles(list, dimensions, settings().measured()), dark));
	}

	private Tiles tiles(final Settings settings) {
		final Tiles tiles = new Tiles(list, dimensions, settings.measured());
		return settings.flat() == null ? tiles : tiles.with(settings.flat());
	}

	/**
	 * Measures the positions of the tiles.
	 *
	 * @throws IllegalArgumentException if the options name an algorithm that does not apply
	 * @throws CancellationException if the monitor canceled
	 */
	public Mosaic measure() {
		final StitchParts parts = parts();
		final Mosaic mosaic = parts.mosaic();
		rankings = parts.rankings();
		return mosaic;
	}

	/** Divides the measurement into parts that several processes compute. Their positions are those of {@link #measure}. */
	public StitchParts parts() {
		final Settings settings = settings();
		return new StitchParts(tiles(settings), planned(), new StitchParts.Levels(settings.stageError(), settings.falseAlarms(), settings.rejection()));
	}

	/** The rankings of algorithms of the last measurement, one for each size of strips. */
	public List<Ranking> rankings() {
		return rankings;
	}

	/**
	 * The fused image. Its blocks are computed when its pixels are used.
	 *
	 * @param mosaic from {@link #measure}; tiles without a position are left out
	 * @return an image of the pixel type and the dimensions of a tile; its first pixel is at 0
	 * @throws IllegalArgumentException if no tile has a position, or integers are to be NaN outside
	 */
	public Img<?> fuse(final Mosaic mosaic, final Fusion fusion) {
		return fused(mosaic, fusion).image();
	}

	/** The fused image with its origin, as {@link #fuse}. */
	public MosaicImage fused(final Mosaic mosaic, final Fusion fusion) {
		return fused(List.of(Given.nonNull(mosaic, "mosaic")), fusion);
	}

	/**
	 * The fused image with its origin, of frames with positions of their own.
	 *
	 * @param frames one mosaic for each position along the last dimension of a tile, in order, or one for all. Each comes from {@link #measure} with
	 *            {@link #measuredOn} a frame
	 * @throws IllegalArgumentException as {@link #fuse}, and if their number is not that of the frames
	 */
	public MosaicImage fused(final List<Mosaic> frames, final Fusion fusion) {
		Given.nonNull(fusion, "fusion");
		return new MosaicImage(tiles(settings()), Given.list(frames, "mosaic"), fusion);
	}

	/** Such as {@code stitching of 20 tiles of 2 dimensions}. */
	@Override
	public String toString() {
		return "stitching of " + list.size() + " tiles of " + dimensions + " dimensions";
	}
}
