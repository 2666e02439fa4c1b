package sc.fiji.ncc.run;

import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.ComputingOp;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.SlidingSettings;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;

/**
 * An operation that slides a template or a kernel over an image and computes a response at each lag. This class has the options for lags and
 * borders. Each call is a {@link SlidingCall}. Several threads can use an operation at the same time: each call uses the settings at its start.
 *
 * @param <O> the type of the operation itself
 */
public abstract class SlidingOp<O extends SlidingOp<O>> extends ComputingOp<O, SlidingSettings> {

	/** Sets the defaults of the operation. */
	protected SlidingOp(final BiFunction<Integer, Long, List<Backend>> backends, final Extent extent, final Undefined undefined) {
		super(backends, new SlidingSettings(extent, undefined));
	}

	/** What slides, with its current settings, checked as far as the image does not matter. The templates are read. */
	protected abstract SlidingCall.Operation operation();

	/** A call with the current settings. */
	protected final synchronized SlidingCall begin() {
		return new SlidingCall(operation(), settings(), planned(), null);
	}

	/** Sets which lags are computed. Default: {@link Extent#VALID} for a correlation, {@link Extent#SAME} for a convolution. */
	public final O extent(final Extent extent) {
		return set(SlidingSettings::extent, extent);
	}

	/**
	 * Sets the pixels outside the image. Default for a correlation: {@link Border#UNDEFINED} with SAME, {@link Border#OVERLAP} with FULL. Default for
	 * a convolution: {@link Border#EDGE} with SAME, zeros with FULL. VALID has no border.
	 *
	 * @param border null for the default
	 */
	public final O border(final Border border) {
		return set(SlidingSettings::border, border);
	}

	/** Sets the value of an undefined response. Default: {@link Undefined#ZERO} for a correlation, {@link Undefined#NAN} for a convolution. */
	public final O undefined(final Undefined undefined) {
		return set(SlidingSettings::undefined, undefined);
	}

	/**
	 * Restricts the responses to a box of positions. Default: all responses.
	 *
	 * @param responses the positions (see {@link Extent}), in pixels relative to the image's first pixel, one dimension for each dimension of the
	 *        template. With VALID a position is the first pixel of a window, so windows extend beyond the box. Null for all responses
	 */
	public final O search(final Interval responses) {
		return set(SlidingSettings::search, responses);
	}

	/** Sets the maximum number of lags in one box, which is computed in one piece. Default: 2^26. */
	protected final O boxes(final long maxLags) {
		return set(SlidingSettings::maxLags, maxLags);
	}

	/**
	 * Sets the heap that limits the sizes and the number of boxes in flight, for maps that are written to stores. Default: the heap of this
	 * process. Processes that share the boxes of one map need the same value and the same number of threads.
	 *
	 * @param bytes at least 1
	 */
	public final O heap(final long bytes) {
		return set(SlidingSettings::heap, bytes);
	}

	/** Which positions have responses, in words. */
	protected final String positions() {
		return settings().extent().name().toLowerCase(Locale.ROOT) + " positions";
	}

	/**
	 * The candidates for this image, the best first, for the first template and all that are computed together with it.
	 *
	 * @throws IllegalArgumentException as the operation itself
	 * @throws java.util.concurrent.CancellationException if the monitor cancels a measurement
	 */
	public final Ranking explain(final RandomAccessibleInterval<?> image) {
		return explainAll(image).get(0);
	}

	/**
	 * The candidates for each group of templates that are computed together. With extent VALID, for example, these have the same size.
	 *
	 * @throws IllegalArgumentException as the operation itself
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public final List<Ranking> explainAll(final RandomAccessibleInterval<?> image) {
		return begin().explainMaps(image);
	}

	/**
	 * Explains as {@link #explainAll(RandomAccessibleInterval)}, for maps that are written to stores. The boxes consist of whole chunks of the stores.
	 *
	 * @throws IllegalArgumentException as the operation itself; and if a store does not fit its map
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public final List<Ranking> explainAll(final RandomAccessibleInterval<?> image, final List<? extends MapStore> stores) {
		return begin().explain(image, stores);
	}

	/**
	 * The candidates for a stream of frames like this one, for each set of templates that are computed together.
	 *
	 * @param frame the first frame
	 * @param count the number of frames; negative if unknown
	 * @throws IllegalArgumentException as the operation itself
	 * @throws java.util.concurrent.CancellationException as {@link #explain}
	 */
	public final List<Ranking> explainEach(final RandomAccessibleInterval<?> frame, final long count) {
		final SlidingCall call = begin();
		return call.explainEach(frame, count, call.map());
	}

	/** The size and the origin of each map, one per template. Throws as the operation itself. */
	public final List<MapShape> mapShapes(final RandomAccessibleInterval<?> image) {
		return begin().mapShapes(image);
	}
}
