package sc.fiji.ncc.result;

import java.io.IOException;

/**
 * Receives the results of a stream, in the order of the frames, in the thread that started the stream.
 *
 * @param <R> the result of a frame
 */
@FunctionalInterface
public interface FrameConsumer<R> {

	/**
	 * Receives the result of a frame while the next frames are computed. Later frames reuse the images of the result: copy what you keep before this method
	 * returns, and do not write to them.
	 *
	 * @param frame the index of the frame, from 0
	 * @throws IOException if the result cannot be processed; as any other exception it ends the stream with a {@link FrameException}
	 */
	void accept(long frame, R result) throws IOException;
}
