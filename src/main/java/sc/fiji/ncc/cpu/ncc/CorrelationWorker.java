package sc.fiji.ncc.cpu.ncc;

import java.nio.Buffer;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.execution.SharedTile;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.response.CurrentTemplate;
import sc.fiji.ncc.cpu.response.Normalisation;
import sc.fiji.ncc.cpu.response.Rechecks;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TilePixels;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.CountedSums;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Sliding.Correlation;

/**
 * Correlates tiles on one thread, with any {@link CorrelationMethod}: row by row it computes window sums and numerators, and divides.
 * <ol>
 * <li>The tile's reference is subtracted from its pixels: for floating point this is its median, and pixels are scaled by a power of two.</li>
 * <li>If the estimated error of too many responses exceeds the tolerance, the tile is computed with the fallback in double, and each window is summed
 * independently.</li>
 * <li>If this is not enough, its quarters are computed, each about its own median; masked windows are then summed directly, if they were transformed
 * before.</li>
 * <li>The remaining windows are computed one at a time by {@link sc.fiji.ncc.numeric.ExactScore}.</li>
 * </ol>
 * Exact methods need only the first step.
 * <p>
 * If pixels of the image are missing, they are set to the reference, and so to 0: the sums of products and the window sums stay as they are. The template's
 * sums, which then differ from lag to lag, are correlations with the image's mask ({@link MaskSums}).
 * <p>
 * With one template, a tile is computed row by row, while a row is in the first-level cache. With several templates, or if a tile is kept, window moments
 * and spectra of the whole tile are computed first ({@link SharedTile}). The results are equal to the bit.
 */
final class CorrelationWorker implements TileMethod.Worker {

	/** Parts of a tile with at most this many lags are not cut into quarters. */
	private static final int MIN_LAGS = 256;

	private CorrelationMethod method;
	private final Correlation problem;
	private final int channels;

	private final TilePixels tilePixels, partPixels;
	private Numerator numerator, fallback;
	private final ChannelMoments ownMoments;
	/** The moments of a tile in double, and of its quarters. */
	private ChannelMoments fallbackMoments, independentMoments;
	/** The sums of each channel of templates under the image's mask, of a tile and of its parts. Null if no pixel may be missing, or before they are needed. */
	private MaskSums[] maskSums, maskSumsOfPart;

	private CurrentTemplate template;
	private Normalisation normalisation;
	private final Rechecks rechecks;
	/** The shared data of the current tile if it has several templates. */
	private final SharedTile ownShared;

	// the current tile
	private TileMethod.Tile tile;
	private int[] lags;
	private TileInput input;
	private ChannelMoments moments;
	private SumsPlace place;
	private BooleanSupplier stop;

	CorrelationWorker(final CorrelationMethod method) {
		problem = method.batch.problem();
		channels = problem.channels();
		tilePixels = new TilePixels(method.batch.planes(), problem.image(), channels, method.maxLags[2]);
		partPixels = new TilePixels(method.batch.planes(), problem.image(), channels, 1);
		ownShared = new SharedTile(channels);
		rechecks = new Rechecks(method.batch.planes(), channels, method.batch.weights().values() != null, problem.lags().partial());
		use(method);
		ownMoments = moments(numerator, method.maxLags, false);
	}

	/** An execution replaces templates only by those of the same algorithm: the method is of the same kind. */
	@Override
	public boolean adopt(final TileMethod other) {
		use((CorrelationMethod) other);
		return true;
	}

	private void use(final CorrelationMethod other) {
		method = other;
		template = new CurrentTemplate(other.templates);
		numerator = other.numerator(numerator);
		normalisation = other.normalisation();
		fallback = null;
		if (!problem.lags().masked()) return;
		final MaskSums[] previous = maskSums;
		maskSums = IntStream.range(0, channels).mapToObj(c -> other.maskSums(c, previous == null ? null : previous[c])).toArray(MaskSums[]::new);
		maskSumsOfPart = null;
	}

	/**
	 * The moments of each channel: those that numerators compute, or window sums.
	 *
	 * @param of null for window sums
	 * @param independent whether each window is summed independently
	 */
	private ChannelMoments moments(final Numerator of, final int[] maxLags, final boolean independent) {
		final WindowMoments[] computed = of == null ? null : of.moments();
		return new ChannelMoments(computed != null ? computed
			: IntStream.range(0, channels).mapToObj(c -> method.moments(maxLags, independent)).toArray(WindowMoments[]::new), maxLags[0]);
	}

	@Override
	public SharedTile share(final TileMethod.Tile tile, final BooleanSupplier stop) {
		start(tile, stop);
		begin(null);
		final SharedTile shared = new SharedTile(channels);
		share(shared);
		end();
		return shared;
	}

	@Override
	public TileMethod.Count compute(final TileMethod.Tile tile, final SharedTile shared, final int[] templates, final float undefined, final Buffer responses,
		final TileMethod.Output to, final BooleanSupplier stop)
	{
		start(tile, stop);
		begin(shared);
		if (shared == null && templates.length > 1) share(ownShared);
		TileMethod.Count total = new TileMethod.Count(0, 0);
		for (final int t : templates) {
			final Sink.Place inMap = to.place(t);
			place = SumsPlace.of(inMap, responses.array(), lags[0], lags[1]);
			normalisation.to(place);
			rechecks.begin(template, place, undefined, stop);
			template.select(t);
			numerator.correlate(t);
			if (maskSums != null) for (final MaskSums sums : maskSums) sums.select(t);
			final Normalisation.Sums sums = new Normalisation.Sums(numerator, moments, parts());
			for (int z = 0; z < lags[2]; z++) {
				final Normalisation.Plane plane = new Normalisation.Plane(sums, tilePixels, input, lag(z), z, place.row(z, 0));
				final long undefinedBefore = rechecks.undefined();
				computePlane(plane);
				if (rechecks.tooMany()) {
					rechecks.discard(undefinedBefore);
					fallBack(plane.lag(), lags[0], lags[1], plane.offset(), true);
				}
				else rechecks.run();
			}
			total = total.plus(rechecks.count());
			to.take(t, inMap == null ? responses : null);
		}
		end();
		return total;
	}

	private void start(final TileMethod.Tile tile, final BooleanSupplier stop) {
		this.tile = tile;
		this.stop = stop;
		lags = tile.extents();
		tilePixels.begin(tile.in(), tile.lag(), lags);
	}

	/** Starts the sums of a tile, from its pixels or from what was kept. */
	private void begin(final SharedTile kept) {
		final boolean fromSpectra = kept != null && kept.spectra != null, masked = problem.lags().masked();
		if (!fromSpectra || masked) tilePixels.load();
		final TileScale scale = kept != null ? kept.scale : tile.frame() != null ? tile.frame().scale() : method.scale(tilePixels);
		if (kept != null && !fromSpectra) tilePixels.fill(scale);
		input = tilePixels.input(scale, tile.frame(), stop);
		numerator.begin(input, fromSpectra ? kept.spectra : null);
		if (kept == null) ownMoments.begin(input);
		moments = kept == null ? ownMoments : new ChannelMoments(kept.moments, lags[0]);
		if (masked) begin(maskSums, input);
	}

	/** Starts a tile under the image's mask, which is the same in all channels. */
	private static void begin(final MaskSums[] sums, final TileInput input) {
		sums[0].begin(input.channel(0, sums.length));
		for (int c = 1; c < sums.length; c++) sums[c].begin(input.channel(c, sums.length), sums[0]);
	}

	/** Computes what all templates share. */
	private void share(final SharedTile shared) {
		shared.scale = input.scale();
		shared.spectra = numerator.share(shared.spectra);
		// the weights that count are the same for all templates
		template.select(0);
		for (int c = 0; c < channels; c++)
			shared.moments[c].fill(ownMoments.channel(c), input.channel(c, channels), problem.lags().partial() ? this::countedWeights : null);
		moments = new ChannelMoments(shared.moments, lags[0]);
	}

	/** The weight that counts in each window of a row. */
	private double[] countedWeights(final int z, final int y) {
		// the weights are the same in all channels
		if (maskSums != null) return maskSums[0].weights(z, y);
		final CountedSums first = parts()[0];
		first.row(lag(z), tile.in().size(), z, y, lags[0]);
		return first.weight;
	}

	/** The sums over the part of each channel of the current template that counts in the windows of the tile; null if all of it does. */
	private CountedSums[] parts() {
		return !problem.lags().partial() ? null : maskSums != null ? maskSums : template.overlaps();
	}

	private long[] lag(final int z) {
		final long[] lag = tile.lag().clone();
		if (lags[2] > 1) lag[2] += z;
		return lag;
	}

	/** Releases the image and the responses. */
	private void end() {
		tile = null;
		input = null;
		numerator.release();
		tilePixels.release();
		partPixels.release();
		normalisation.to(null);
	}

	/** Writes the responses of a plane, and collects those that must be rechecked and are not flat. */
	private void computePlane(final Normalisation.Plane plane) {
		rechecks.begin(plane);
		for (int y = 0; y < plane.lagsY(); y++) {
			plane.tile().poll();
			final int at = plane.offset() + y * place.rows();
			plane.sums().moments().row(plane.z(), y);
			plane.sums().numerator().startRow(plane.z(), y);
			if (!normalisation.divide(plane, template, y, at) || plane.tile().scale().nonFinite) rechecks.add(normalisation, y, at);
		}
		rechecks.removeFlat();
	}

	/**
	 * Computes lags in double.
	 *
	 * @param lag the first lag
	 * @param whole whether these are all lags of a z, not a part of them
	 */
	private void fallBack(final long[] lag, final int lagsX, final int lagsY, final int offset, final boolean whole) {
		if (fallback == null) {
			fallback = method.fallback();
			final int[] onePlane = { method.maxLags[0], method.maxLags[1], 1 };
			if (independentMoments == null) independentMoments = moments(null, onePlane, true);
			fallbackMoments = fallback.moments() == null ? independentMoments : moments(fallback, onePlane, false);
		}
		final ChannelMoments of = whole ? fallbackMoments : independentMoments;
		partPixels.begin(tile.in(), lag, lagsX, lagsY, 1);
		partPixels.load();
		final TileInput part = partPixels.input(partPixels.scale(), null, stop);
		fallback.begin(part, null);
		fallback.correlate(template.index());
		of.begin(part);
		if (maskSums != null) {
			if (maskSumsOfPart == null) maskSumsOfPart = IntStream.range(0, channels).mapToObj(method::fallbackMaskSums).toArray(MaskSums[]::new);
			begin(maskSumsOfPart, part);
			for (final MaskSums sums : maskSumsOfPart) sums.select(template.index());
		}
		final Normalisation.Sums sums = new Normalisation.Sums(fallback, of, maskSums != null ? maskSumsOfPart : parts());
		final Normalisation.Plane plane = new Normalisation.Plane(sums, partPixels, part, lag, 0, offset);
		final long undefinedBefore = rechecks.undefined();
		computePlane(plane);
		if (rechecks.size() * 8L <= plane.lags() || plane.lags() <= MIN_LAGS) {
			rechecks.runAndCountAll();
			return;
		}
		rechecks.discard(undefinedBefore);
		final int w = (lagsX + 1) / 2, h = (lagsY + 1) / 2;
		for (int y = 0; y < lagsY; y += h)
			for (int x = 0; x < lagsX; x += w) {
				final long[] at = lag.clone();
				at[0] += x;
				if (at.length > 1) at[1] += y;
				fallBack(at, Math.min(w, lagsX - x), Math.min(h, lagsY - y), offset + y * place.rows() + x, false);
			}
	}
}
