package sc.fiji.ncc.result;

import java.util.Collection;

import net.imglib2.RandomAccessibleInterval;

/** Frames that are read one by one, such as those of the files of a folder, with an estimate of their number for the planner. */
public interface CountedFrames extends Iterable<RandomAccessibleInterval<?>> {

	/** The expected number of all frames. It may change while frames are read. */
	long expected();

	/** The expected number of frames of a source; -1 if unknown. */
	static long expected(final Iterable<?> frames) {
		return frames instanceof Collection ? ((Collection<?>) frames).size() : frames instanceof CountedFrames ? ((CountedFrames) frames).expected() : -1;
	}
}
