package sc.fiji.ncc.cpu.ncc;

import java.nio.Buffer;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.execution.SharedTile;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.response.Rechecks;
import sc.fiji.ncc.cpu.response.ResponseRow;
import sc.fiji.ncc.cpu.response.RowResponses;
import sc.fiji.ncc.cpu.response.SelectedTemplate;
import sc.fiji.ncc.cpu.response.TilePixels;
import sc.fiji.ncc.cpu.response.TilePlane;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.IntWindowSums;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.PairWindowSums;
import sc.fiji.ncc.cpu.window.PartSums;
import sc.fiji.ncc.cpu.window.WeightedMoments;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.cpu.window.WindowSums;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Sink;

/** The memory of one thread for {@link FallbackTiles}, and the order of its fallbacks. */
final class FallbackWorker<N extends Numerator> implements TileMethod.Worker {

	/** Parts of a tile with at most this many lags are not cut into quarters. */
	private static final int MIN_LAGS = 256;

	private FallbackTiles<N> tiles;
	private final Sliding problem;
	private final TemplatePlanes planes;
	private final int[] maxLags;
	private final Weighting weights;
	private final boolean partial, masked;

	private final TilePixels tilePixels, partPixels;
	private final N primary;
	private final ChannelMoments primaryMoments;
	private Numerator fallback;
	/** The moments of a tile in double, and of its quarters. */
	private ChannelMoments fallbackMoments, independentMoments;

	/** The sums of each channel of templates under the image's mask, of a tile and of its parts. Null if no pixel may be missing, or before they are needed. */
	private MaskSums[] maskSums, maskSumsOfPart;

	private SelectedTemplate template;
	private final ResponseRow row;
	private final RowResponses responses;
	private final Rechecks rechecks;
	/** The shared data of the current tile if it has several templates. */
	private final SharedTile ownShared;

	// the current tile
	private TileMethod.Tile tile;
	private int tileX, tileY, tileZ;
	private TileScale scale;
	private ChannelMoments moments;
	private SumsPlace place;
	private BooleanSupplier stop;

	FallbackWorker(final FallbackTiles<N> tiles) {
		problem = tiles.batch.problem();
		planes = tiles.batch.planes();
		weights = tiles.batch.weights();
		maxLags = tiles.numerators.maxLags;
		partial = problem.lags().partial();
		masked = problem.lags().masked();
		tilePixels = new TilePixels(planes, problem.image(), problem.channels(), maxLags[2]);
		partPixels = new TilePixels(planes, problem.image(), problem.channels(), 1);
		ownShared = new SharedTile(problem.channels());
		primary = tiles.numerators.primary();
		primaryMoments = moments(primary, maxLags, false);
		row = ResponseRow.of(problem.precision(), maxLags[0]);
		responses = new RowResponses(problem.lags(), weights.sum(), problem.precision(), row, maxLags[0]);
		rechecks = new Rechecks(planes, problem.channels(), weights.values() != null, partial, row);
		maskSums = masked ? tiles.numerators.channels().stream().map(NumeratorMethod::maskSums).toArray(MaskSums[]::new) : null;
		use(tiles);
	}

	private void use(final FallbackTiles<N> method) {
		tiles = method;
		template = new SelectedTemplate(method.templates);
		fallback = null;
	}

	/** An execution replaces templates only by those of the same algorithm: the method has the type of this worker's. */
	@Override
	@SuppressWarnings("unchecked")
	public boolean adopt(final TileMethod method) {
		use((FallbackTiles<N>) method);
		tiles.numerators.exchange(primary);
		for (int c = 0; masked && c < maskSums.length; c++) tiles.numerators.channels().get(c).exchange(maskSums[c]);
		maskSumsOfPart = null;
		return true;
	}

	/**
	 * The moments of each channel: those that numerators compute, or window sums.
	 *
	 * @param numerator null for window sums
	 * @param independent whether each window is summed independently
	 */
	private ChannelMoments moments(final Numerator numerator, final int[] maxLags, final boolean independent) {
		final WindowMoments[] computed = numerator == null ? null : numerator.channelMoments();
		return new ChannelMoments(computed != null ? computed
			: IntStream.range(0, problem.channels()).mapToObj(c -> moments(maxLags, independent)).toArray(WindowMoments[]::new), maxLags[0]);
	}

	private WindowMoments moments(final int[] maxLags, final boolean independent) {
		final int length = planes.width * planes.height * planes.count;
		if (weights.values() != null) return new WeightedMoments(planes, weights.values(), Tolerance.of(problem.precision()), maxLags[0]);
		if (IntWindowSums.holds(problem.image(), length)) return new IntWindowSums(planes, maxLags);
		return problem.precision() == Precision.DOUBLE ? new PairWindowSums(planes, maxLags, independent) : new WindowSums(planes, maxLags, independent);
	}

	@Override
	public SharedTile share(final TileMethod.Tile tile, final BooleanSupplier stop) {
		start(tile, stop);
		begin();
		final SharedTile shared = new SharedTile(problem.channels());
		share(shared);
		end();
		return shared;
	}

	@Override
	public TileMethod.Count compute(final TileMethod.Tile tile, final SharedTile shared, final int[] templates, final float undefined, final Buffer responses,
		final TileMethod.Output to, final BooleanSupplier stop)
	{
		start(tile, stop);
		if (shared != null) {
			resume(shared);
			beginMask();
		}
		else {
			begin();
			if (templates.length > 1) share(ownShared);
		}
		TileMethod.Count total = new TileMethod.Count(0, 0);
		for (final int t : templates) {
			final Sink.Place inMap = to.place(t);
			place = SumsPlace.of(inMap, responses.array(), tileX, tileY);
			row.to(place.to());
			rechecks.begin(template, place, undefined, stop);
			correlate(t);
			total = total.plus(rechecks.count());
			to.take(t, inMap == null ? responses : null);
		}
		end();
		return total;
	}

	private void start(final TileMethod.Tile tile, final BooleanSupplier stop) {
		this.tile = tile;
		this.stop = stop;
		final int[] size = tile.size();
		tileX = size[0];
		tileY = size.length > 1 ? size[1] : 1;
		tileZ = size.length > 2 ? size[2] : 1;
		tilePixels.begin(tile.in(), tile.lag(), tileX, tileY, tileZ);
		primary.use(tile.frame(), tile.lag());
	}

	/** Releases the image and the responses. */
	private void end() {
		tile = null;
		primary.use(null, null);
		tilePixels.release();
		partPixels.release();
		row.to(null);
	}

	private void begin() {
		tilePixels.load();
		scale = primary.scale();
		if (scale == null) scale = tilePixels.scale();
		primary.begin(tilePixels.readers, scale, tileX, tileY, tileZ, stop);
		primaryMoments.begin(tilePixels.readers, scale, tileX, tileY, tileZ, stop);
		moments = primaryMoments;
		beginMask();
	}

	private void beginMask() {
		if (!masked) return;
		tilePixels.load();
		begin(maskSums, tilePixels, tileX, tileY, tileZ);
	}

	/** Starts a tile under the image's mask, which is the same in all channels. */
	private void begin(final MaskSums[] sums, final TilePixels pixels, final int lagsX, final int lagsY, final int lagsZ) {
		sums[0].begin(ChannelMoments.planes(pixels.readers, 0, sums.length), lagsX, lagsY, lagsZ, stop);
		for (int c = 1; c < sums.length; c++) sums[c].begin(ChannelMoments.planes(pixels.readers, c, sums.length), sums[0]);
	}

	private void share(final SharedTile shared) {
		shared.scale = scale;
		shared.spectra = primary.transform(shared.spectra);
		// the weights that count are the same for all templates
		template.select(0);
		for (int c = 0; c < shared.moments.length; c++)
			shared.moments[c].fill(primaryMoments.channel(c), planes.height, tileX, tileY, tileZ, partial ? this::countedWeights : null, stop);
		moments = new ChannelMoments(shared.moments, tileX);
	}

	/** The weight that counts in each window of a row. */
	private double[] countedWeights(final int z, final int y) {
		// the weights are the same in all channels
		if (masked) return maskSums[0].weights(z, y);
		final PartSums first = parts()[0];
		first.row(lag(z), tile.in().size(), z, y, tileX);
		return first.weight;
	}

	/** The sums over the part of each channel of the current template that counts in the windows of the tile; null if all of it does. */
	private PartSums[] parts() {
		return !partial ? null : masked ? maskSums : template.overlaps();
	}

	private void resume(final SharedTile shared) {
		scale = shared.scale;
		if (shared.spectra != null) primary.resume(shared.spectra, tileX, tileY, tileZ, stop);
		else {
			tilePixels.load();
			tilePixels.fill(scale);
			primary.begin(tilePixels.readers, scale, tileX, tileY, tileZ, stop);
		}
		moments = new ChannelMoments(shared.moments, tileX);
	}

	private long[] lag(final int z) {
		final long[] lag = tile.lag().clone();
		if (tileZ > 1) lag[2] += z;
		return lag;
	}

	private void correlate(final int t) {
		template.select(t);
		row.select(weights.sum(), template.norm());
		primary.select(t);
		if (masked) for (final MaskSums sums : maskSums) sums.select(t);
		for (int z = 0; z < tileZ; z++) {
			final TilePlane plane = new TilePlane(primary, moments, parts(), tilePixels, scale, lag(z), z, tileX, tileY, place.row(z, 0));
			final long undefinedBefore = rechecks.undefined();
			compute(plane);
			if (rechecks.tooMany()) {
				rechecks.discard(undefinedBefore);
				fallBack(plane.lag(), tileX, tileY, plane.offset(), true);
			}
			else rechecks.run();
		}
	}

	/**
	 * Computes lags in double.
	 *
	 * @param lag the first lag
	 * @param whole whether these are all lags of a z, not a part of them
	 */
	private void fallBack(final long[] lag, final int lagsX, final int lagsY, final int offset, final boolean whole) {
		if (fallback == null) {
			fallback = tiles.numerators.fallback();
			final int[] onePlane = { maxLags[0], maxLags[1], 1 };
			if (independentMoments == null) independentMoments = moments(null, onePlane, true);
			fallbackMoments = fallback.channelMoments() == null ? independentMoments : moments(fallback, onePlane, false);
		}
		final ChannelMoments moments = whole ? fallbackMoments : independentMoments;
		partPixels.begin(tile.in(), lag, lagsX, lagsY, 1);
		partPixels.load();
		final TileScale scale = partPixels.scale();
		fallback.begin(partPixels.readers, scale, lagsX, lagsY, 1, stop);
		fallback.select(template.index());
		moments.begin(partPixels.readers, scale, lagsX, lagsY, 1, stop);
		if (masked) {
			if (maskSumsOfPart == null) maskSumsOfPart = tiles.numerators.channels().stream().map(NumeratorMethod::fallbackMaskSums).toArray(MaskSums[]::new);
			begin(maskSumsOfPart, partPixels, lagsX, lagsY, 1);
			for (final MaskSums sums : maskSumsOfPart) sums.select(template.index());
		}
		final TilePlane plane = new TilePlane(fallback, moments, masked ? maskSumsOfPart : parts(), partPixels, scale, lag, 0, lagsX, lagsY, offset);
		final long undefinedBefore = rechecks.undefined();
		compute(plane);
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

	/** Writes the responses of a plane, and collects those that must be rechecked and are not flat. */
	private void compute(final TilePlane plane) {
		rechecks.begin(plane);
		for (int r = 0; r < plane.lagsY() + planes.height - 1; r++) {
			if (stop.getAsBoolean()) throw new CancellationException("canceled");
			final int y = r - planes.height + 1, first = Math.max(0, y), last = Math.min(r, plane.lagsY() - 1);
			plane.numerator().add(plane.z(), r, first, last);
			plane.moments().add(plane.z(), r, first, last);
			if (y < 0) continue;
			final int at = plane.offset() + y * place.rows();
			final boolean sound = responses.compute(plane, template, y, at);
			if (!sound || plane.scale().defective) rechecks.add(y, at, responses.slack, responses.outside);
		}
		rechecks.removeFlat();
	}
}
