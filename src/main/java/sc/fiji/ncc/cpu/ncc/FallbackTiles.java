package sc.fiji.ncc.cpu.ncc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.response.PreparedTemplate;
import sc.fiji.ncc.cpu.window.FrameData;
import sc.fiji.ncc.cpu.window.MomentRecord;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;

/**
 * Templates of one size and any pixel type, correlated in floating point, with fallbacks where an error estimate exceeds the tolerance.
 * <ol>
 * <li>The tile is computed with the primary numerator, usually in float. The tile's median is subtracted from its pixels, and they are scaled by a power of
 * two.</li>
 * <li>If the estimated error of too many responses exceeds the tolerance, the tile is computed with the fallback numerator in double, and each window is
 * summed independently.</li>
 * <li>If this is not enough, its quarters are computed, each about its own median; masked windows are then summed directly, if they were transformed
 * before.</li>
 * <li>The remaining windows are computed one at a time by {@link sc.fiji.ncc.numeric.ExactScore}.</li>
 * </ol>
 * The estimate has two parts: that of the numerator (see {@link Numerator}), and for running window sums the distance of the variance from the rounding
 * error of all values that were added. It is an estimate with a margin, not a bound.
 * <p>
 * If pixels of the image are missing, they are set to the tile's median, and so to 0: the sums of products and the window sums stay as they are. The
 * template's sums, which then differ from lag to lag, are correlations with the image's mask ({@link sc.fiji.ncc.cpu.window.MaskSums}).
 * <p>
 * With one template, a tile is computed row by row, while a row is in the first-level cache. With several templates, or if a tile is kept, window moments
 * and spectra of the whole tile are computed first ({@link sc.fiji.ncc.cpu.execution.SharedTile}). The results are equal to the bit.
 *
 * @param <N> the type of the primary numerators
 */
final class FallbackTiles<N extends Numerator> implements TileMethod {

	final TemplateBatch batch;
	final NumeratorMethod<N> numerators;
	final List<PreparedTemplate> templates = new ArrayList<>();

	private FallbackTiles(final TemplateBatch batch, final NumeratorMethod<N> numerators) {
		this.batch = batch;
		this.numerators = numerators;
		final boolean overlaps = batch.problem().lags().beyond() && !batch.problem().lags().masked();
		for (int t = 0; t < batch.templates().size(); t++)
			templates.add(new PreparedTemplate(batch.templates().get(t), batch.zeroMeans().get(t).norm(), overlaps ? overlapSums(t) : List.of()));
	}

	/** @param method creates the method for templates with one channel */
	static <N extends Numerator> FallbackTiles<?> of(final TemplateBatch batch, final Function<TemplateBatch, NumeratorMethod<N>> method) {
		return batch.problem().channels() == 1 ? new FallbackTiles<>(batch, method.apply(batch)) : new FallbackTiles<>(batch, JointMethod.of(batch, method));
	}

	private List<OverlapSums> overlapSums(final int t) {
		return IntStream.range(0, batch.problem().channels()).mapToObj(c -> new OverlapSums(batch.planes().size, batch.weights().values(),
			batch.zeroMeans().get(t).channel(c, batch.problem().channels(), batch.weights()).deviations(), batch.given())).toList();
	}

	@Override
	public int maxLags(final int d) {
		return d < 3 ? numerators.maxLags[d] : 1;
	}

	@Override
	public int unit(final int d) {
		return d < 3 ? numerators.unit[d] : 1;
	}

	@Override
	public boolean writesInPlace() {
		return true;
	}

	@Override
	public long sharedBytes(final int[] size) {
		long n = 1;
		for (final int extent : size) n *= extent;
		final boolean pairs = batch.problem().precision() == Precision.DOUBLE && batch.weights().values() == null;
		return batch.problem().channels() * MomentRecord.bytes(n, numerators.transformsMoments(), pairs) + numerators.spectraBytes(size);
	}

	@Override
	public FrameData frame(final Pixels in, final long[] origin, final int[] size) {
		return numerators.frame(in, origin, size);
	}

	@Override
	public boolean oneByOne() {
		return numerators.oneByOne();
	}

	@Override
	public Worker worker() {
		return new FallbackWorker<>(this);
	}
}
