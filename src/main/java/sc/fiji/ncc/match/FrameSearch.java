package sc.fiji.ncc.match;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.sink.FrameSinks;
import sc.fiji.ncc.sink.PeakMaps;
import sc.fiji.ncc.statistics.WindowNoise;

/**
 * Collects the local maxima of one frame after another.
 *
 * @param <R> what is made of the maxima of a frame
 */
public final class FrameSearch<R> implements FrameSinks<R> {

	/** Makes a result of the maxima of a frame. */
	@FunctionalInterface
	public interface Finish<R> {

		R of(FrameSearch<R> found, Report report, List<Ranking> rankings, double seconds);
	}

	private final List<Template> templates;
	private final List<ResponseLayout> layouts;
	private final Undefined undefined;
	private final boolean sampled;
	private final int threads;
	private final PeakMaps peaks;
	private final Finish<R> finish;
	private RandomAccessibleInterval<?> frame;
	private long index;
	private List<CompletableFuture<WindowNoise>> noise = List.of();

	/**
	 * @param least the minimum score of a match
	 * @param sampled whether to keep a sample of each map
	 * @param threads the maximum number of threads that compute the backgrounds
	 */
	public FrameSearch(final List<Template> templates, final List<ResponseLayout> layouts, final Undefined undefined, final double least,
		final boolean sampled, final int threads, final Finish<R> finish)
	{
		this.templates = templates;
		this.layouts = layouts;
		this.undefined = undefined;
		this.sampled = sampled;
		this.threads = threads;
		this.finish = finish;
		peaks = new PeakMaps(layouts, undefined, MatchSelection.leastResponse(least), sampled);
	}

	@Override
	public void begin(final RandomAccessibleInterval<?> pixels, final long frameIndex) {
		frame = pixels;
		index = frameIndex;
		peaks.clear();
		noise = sampled ? FrameMaxima.noise(templates, layouts, pixels, frameIndex, threads) : List.of();
	}

	@Override
	public Sink of(final TemplateBank bank, final long frameIndex, final long[][] box) {
		return peaks.of(bank, frameIndex, box);
	}

	@Override
	public R finish(final Report report, final List<Ranking> rankings, final double seconds) {
		return finish.of(this, report, rankings, seconds);
	}

	/** The current frame. */
	public RandomAccessibleInterval<?> frame() {
		return frame;
	}

	/** The index of the current frame. */
	public long index() {
		return index;
	}

	/** The maxima of the current frame, until the next frame begins. */
	public FrameMaxima maxima() {
		return Parallel.within(threads, () -> FrameMaxima.of(templates, layouts, frame, index, peaks, noise, undefined));
	}

	/** The maxima of the current frame, which stay valid as long as the pixels. */
	public FrameMaxima kept(final RandomAccessibleInterval<?> pixels) {
		return Parallel.within(threads, () -> FrameMaxima.kept(templates, layouts, pixels, index, peaks, noise, undefined));
	}
}
