package sc.fiji.ncc.cpu.response;

import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.WindowFlags;
import sc.fiji.ncc.numeric.WindowCoefficient;

/** The windows of a plane whose responses must be rechecked, and the count of undefined and rechecked responses of a template. Belongs to one thread. */
public final class Rechecks {

	/** Up to this many windows are rechecked one by one, without a test of what they have in common. */
	private static final int FEW = 8;
	/** The cost of a lag in double: a fixed part and a part for each row of the template, in pixels of an exact score. */
	private static final double LAG = 75, ROW = 0.5;

	private final TemplatePlanes planes;
	private final int channels;
	/** The number of pixels of a window, over all channels. */
	private final int length;
	private final boolean weighted;
	private final double[] window, windowWeights;

	// the current template
	private CurrentTemplate template;
	private SumsPlace place;
	private float undefinedValue;
	private BooleanSupplier stop;
	private long undefined, rechecked;

	// the current plane
	private Normalisation.Plane plane;
	private WindowFlags flags;
	/** The windows, as {@code y·lagsX + x}, and their number. */
	private int[] windows = new int[64];
	private int size;

	/**
	 * @param weighted whether the templates have weights
	 * @param partial whether windows may leave the image or have missing pixels
	 */
	public Rechecks(final TemplatePlanes planes, final int channels, final boolean weighted, final boolean partial) {
		this.planes = planes;
		this.channels = channels;
		this.weighted = weighted;
		length = planes.width * planes.height * planes.count * channels;
		window = new double[length];
		windowWeights = partial ? new double[length / channels] : null;
	}

	/**
	 * Starts a template.
	 *
	 * @param undefinedValue the value of an undefined response
	 */
	public void begin(final CurrentTemplate template, final SumsPlace place, final float undefinedValue, final BooleanSupplier stop) {
		this.template = template;
		this.place = place;
		this.undefinedValue = undefinedValue;
		this.stop = stop;
		undefined = rechecked = 0;
	}

	/** Starts a plane without windows to recheck. */
	public void begin(final Normalisation.Plane plane) {
		this.plane = plane;
		size = 0;
		flags = plane.tile().scale().nonFinite ? plane.flags(planes) : null;
	}

	/** The counts of the current template. */
	public TileMethod.Count count() {
		return new TileMethod.Count(undefined, rechecked);
	}

	/** The undefined responses of the current template so far. */
	public long undefined() {
		return undefined;
	}

	/** Discards the results of the current plane: its lags are computed again. */
	public void discard(final long undefinedBefore) {
		undefined = undefinedBefore;
	}

	public int size() {
		return size;
	}

	/** Whether so many responses must be rechecked that a computation of the whole tile in double is faster. */
	public boolean tooMany() {
		return size > FEW && (size * 50L > plane.lags() || (double) size * length > plane.lags() * (LAG + ROW * planes.height));
	}

	/**
	 * Adds the windows of the row just divided that must be rechecked, and writes the responses that are certainly undefined. Further arguments as in
	 * {@link Normalisation#divide}.
	 */
	public void add(final Normalisation row, final int y, final int at) {
		final int lagsX = plane.lagsX();
		if (windows.length < size + lagsX) windows = Arrays.copyOf(windows, 2 * (size + lagsX));
		for (int x = 0; x < lagsX; x++) {
			final boolean nonFinite = flags != null && flags.nonFinite(x, y);
			if (row.undefined[x] || nonFinite && !weighted) {
				place.set(at + x, undefinedValue);
				undefined++;
			}
			else if (plane.tile().scale().overflows || nonFinite || !(row.margin[x] >= 0)) windows[size++] = y * lagsX + x;
		}
	}

	/** Removes the flat windows, whose responses are undefined: one by one if that is faster than a test of all windows. */
	public void removeFlat() {
		if (size <= FEW) return;
		final boolean single = (long) size * length < plane.lags() * WindowFlags.PIXELS;
		if (!single && flags == null) flags = plane.flags(planes);
		final TileReader[] tile = plane.pixels().planes(plane.z());
		int left = 0;
		for (int i = 0; i < size; i++) {
			final int x = windows[i] % plane.lagsX(), y = windows[i] / plane.lagsX();
			if (single ? WindowFlags.flat(tile, channels, planes.width, planes.height, x, y) : flags.flat(x, y)) {
				place.set(index(x, y), undefinedValue);
				undefined++;
			}
			else windows[left++] = windows[i];
		}
		size = left;
	}

	/** Computes the exact scores of the windows. */
	public void run() {
		rechecked += size;
		if (size == 0) return;
		final TileReader[] tile = plane.pixels().planes(plane.z());
		for (int i = 0; i < size; i++) {
			if ((i & 63) == 0 && stop.getAsBoolean()) throw new CancellationException("canceled");
			final int x = windows[i] % plane.lagsX(), y = windows[i] / plane.lagsX();
			final double score = score(tile, x, y);
			if (score != score) undefined++;
			place.set(index(x, y), score != score ? undefinedValue : score);
		}
	}

	/** Computes the exact scores of the windows of a plane in double. Its other responses count as rechecked, too. */
	public void runAndCountAll() {
		rechecked += plane.lags() - size;
		run();
	}

	private int index(final int x, final int y) {
		return plane.offset() + y * place.rows() + x;
	}

	private double score(final TileReader[] tile, final int x, final int y) {
		final int w = planes.width, h = planes.height;
		int i = 0;
		for (final TileReader pixels : tile)
			for (int j = 0; j < h; j++, i += w) {
				pixels.values(y + j, x, w, window, i);
				// the channels overlap the image alike
				if (windowWeights != null && i < windowWeights.length)
					for (int k = 0; k < w; k++) windowWeights[i + k] = pixels.present(x + k, y + j) ? template.weight(i + k) : 0;
			}
		final WindowCoefficient exact = template.exactScore();
		return windowWeights == null ? exact.score(window) : exact.score(window, windowWeights);
	}
}
