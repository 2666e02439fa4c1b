package sc.fiji.ncc;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Report;

/**
 * The result of one frame while it comes about; used again for another when it was taken.
 *
 * @param <R> the result
 */
interface FrameSinks<R> extends Sinks {

	/** A frame begins; it is the only one until its result was taken. */
	void begin(RandomAccessibleInterval<?> frame);

	/**
	 * All boxes have come. Called by a thread of its own, while other frames are computed.
	 *
	 * @param seconds since the frame was read
	 */
	R finish(Report report, List<Ranking> rankings, double seconds);
}
