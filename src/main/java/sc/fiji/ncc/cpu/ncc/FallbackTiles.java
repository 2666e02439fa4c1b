package sc.fiji.ncc.cpu.ncc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.window.MomentRecord;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.numeric.Weighting;
import sc.fiji.ncc.numeric.ZeroMeanTemplate;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Templates of one size and any pixel type, correlated in floating point, on the ladder of accuracy.
 * <ol>
 * <li>The tile by the first way, usually in float: pixels about the tile's median, scaled by a power of two.</li>
 * <li>If the estimated error of too many responses exceeds the tolerance, the tile in double, each window summed anew.</li>
 * <li>If that does not help, its quarters, each about a median of its own; masked windows one sum at a time, if they were transformed before.</li>
 * <li>What remains, one window at a time, by {@link sc.fiji.ncc.numeric.ExactScore}.</li>
 * </ol>
 * The estimate is the numerator's (see {@link Numerator}), and for the running sums of the window that its variance stands well above the
 * rounding of what passed through them. It is an estimate, not a bound, fitted with a margin.
 * <p>
 * One template takes its tile row by row, while a row is in the first-level cache. For several, or to keep them, window moments and spectra of
 * the whole tile are computed first ({@link sc.fiji.ncc.cpu.execution.SharedTile}); what comes out is the same to the bit.
 */
final class FallbackTiles implements TileMethod {

	/** What differs between templates; the sums where they overlap the image in part are null if none does. */
	record Prepared(Template template, double norm, OverlapSums overlapSums) {}

	final List<Prepared> templates = new ArrayList<>();
	final TemplatePlanes planes;
	final PixelType image;
	final Precision precision;
	final Lags lags;
	final int[] maxLags;
	private final int[] unit;
	final Supplier<Numerator> first, second;
	final Consumer<Numerator> exchange;
	private final boolean transformsMoments;
	private final ToLongFunction<int[]> spectraBytes;
	/** Of all templates. */
	final Weighting weights;

	/**
	 * @param templates of one size and mask
	 * @param zeroMeans the same about their means
	 * @param weights of all of them
	 * @param precision of the responses
	 * @param maxLags the most lags of a tile along x, y and z
	 * @param unit see {@link TileMethod#unit}; along x, y and z
	 * @param first makes a thread's first way to the numerators
	 * @param second makes its way in double, for tiles of one z
	 * @param exchange has a first way of these algorithms, made for other templates, take these
	 * @param transformsMoments whether the first way yields the moments, with estimates of their errors
	 * @param spectraBytes how many bytes the spectra of a tile of so many lags take
	 */
	FallbackTiles(final List<Template> templates, final List<ZeroMeanTemplate> zeroMeans, final Weighting weights, final PixelType image, final Lags lags,
		final Precision precision, final int[] maxLags, final int[] unit, final Supplier<Numerator> first, final Supplier<Numerator> second,
		final Consumer<Numerator> exchange, final boolean transformsMoments,
		final ToLongFunction<int[]> spectraBytes)
	{
		this.image = image;
		this.lags = lags;
		this.precision = precision;
		this.maxLags = maxLags;
		this.unit = unit;
		this.first = first;
		this.second = second;
		this.exchange = exchange;
		this.transformsMoments = transformsMoments;
		this.spectraBytes = spectraBytes;
		planes = new TemplatePlanes(templates.get(0).size());
		this.weights = weights;
		for (int t = 0; t < templates.size(); t++) {
			final ZeroMeanTemplate zeroMean = zeroMeans.get(t);
			this.templates.add(new Prepared(templates.get(t), zeroMean.norm(),
				lags.partial() ? new OverlapSums(planes.size, weights.values(), zeroMean.deviations(),
					weights.kind() == Weights.REAL ? templates.get(t).weights() : null) : null));
		}
	}

	@Override
	public int maxLags(final int d) {
		return d < 3 ? maxLags[d] : 1;
	}

	@Override
	public int unit(final int d) {
		return d < 3 ? unit[d] : 1;
	}

	@Override
	public boolean writesInPlace() {
		return true;
	}

	@Override
	public long sharedBytes(final int[] size) {
		long n = 1;
		for (final int extent : size) n *= extent;
		return MomentRecord.bytes(n, transformsMoments, precision == Precision.DOUBLE && weights.values() == null) + spectraBytes.applyAsLong(size);
	}

	@Override
	public Worker worker() {
		return new FallbackWorker(this);
	}
}
