package sc.fiji.ncc;

import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.BoundedSearcher;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.pose.PoseMethod;
import sc.fiji.ncc.pose.PosePlan;
import sc.fiji.ncc.pose.PoseSet;
import sc.fiji.ncc.pose.PoseSinks;

/** The device that searches poses without the engine: correlations, bounds and exact scores stay on it. */
final class PoseDevice implements AutoCloseable {

	/** The number of correlations with which device and engine are compared. */
	private static final int TYPICAL_BASIS = 32;

	private final BoundedSearcher searcher;
	private BoundedSearcher.Search search;

	private PoseDevice(final BoundedSearcher searcher) {
		this.searcher = searcher;
	}

	/**
	 * The device for a set and frames like this one; null if there is none, if it does not apply, or if the caller chose no backend and the engine is estimated to be
	 * faster.
	 *
	 * @param frames the expected number of frames
	 * @param engine the engine's estimate for templates
	 */
	static PoseDevice of(final ComputeOptions options, final PoseMethod method, final PoseSet set, final RandomAccessibleInterval<?> frame, final long frames,
		final ToDoubleFunction<List<Template>> engine)
	{
		if (method == PoseMethod.EXHAUSTIVE || set.whole() || options.algorithm().isPresent() || JointImage.channelsOf(frame).size() > 1) return null;
		final BoundedSearcher searcher = options.planner().orElseThrow().boundedSearcher(options.backend()).orElse(null);
		if (searcher == null || searcher.unsupported(ImagePixels.type(frame), frame.numDimensions()).isPresent()) return null;
		if (options.backend().isPresent()) return new PoseDevice(searcher);
		final Template typical = set.typical();
		final double alone = searcher.startSeconds() / frames + searcher.seconds(Size.of(frame.dimensionsAsLongArray()), typical.size(), TYPICAL_BASIS);
		return alone < engine.applyAsDouble(Collections.nCopies(TYPICAL_BASIS, typical)) ? new PoseDevice(searcher) : null;
	}

	BoundedSearcher searcher() {
		return searcher;
	}

	/** Prepares a plan. False if a family has no basis, or if the device failed: then the engine computes. */
	boolean prepare(final PosePlan plan, final double minScore, final RandomAccessibleInterval<?> frame) {
		final List<BoundedSearcher.Bank> banks = plan.bounded(minScore);
		if (banks.isEmpty()) return false;
		try {
			search = searcher.prepare(ImagePixels.type(frame), Size.of(frame.dimensionsAsLongArray()), banks);
			return true;
		}
		catch (final DeviceException e) {
			failed(e);
			return false;
		}
	}

	/** The bytes of the device's memory. */
	long bytes() {
		return search.bytes();
	}

	/** Searches a frame. Null if the device failed: then the engine computes. */
	Report frame(final RandomAccessibleInterval<?> frame, final PoseSinks sinks, final Monitor monitor) {
		try {
			monitor.total(search.responses());
			return search.search(ImagePixels.of(frame), sinks::take, monitor);
		}
		catch (final DeviceException e) {
			failed(e);
			return null;
		}
	}

	private void failed(final DeviceException e) {
		System.getLogger("sc.fiji.ncc").log(System.Logger.Level.WARNING, "the search for poses on " + searcher.device().name() + " failed: " + e.getMessage()
			+ "; it goes on with the engine");
	}

	@Override
	public void close() {
		if (search != null) search.close();
		search = null;
	}
}
