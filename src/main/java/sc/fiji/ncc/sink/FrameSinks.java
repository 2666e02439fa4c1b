package sc.fiji.ncc.sink;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * The sinks for the result of one frame. They are reused for another frame after the result was consumed.
 *
 * @param <R> the result
 */
public interface FrameSinks<R> extends Sinks {

	/**
	 * Begins a frame. The sinks serve this frame alone until its result was consumed.
	 *
	 * @param index the index of the frame in its stream
	 */
	void begin(RandomAccessibleInterval<?> frame, long index);

	/**
	 * Makes the result when all boxes are complete. A separate thread calls it while other frames are computed.
	 *
	 * @param seconds the time since the frame was read
	 */
	R finish(Report report, List<Ranking> rankings, double seconds);
}
