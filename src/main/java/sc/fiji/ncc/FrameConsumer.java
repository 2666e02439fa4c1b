package sc.fiji.ncc;

import java.io.IOException;

/**
 * Takes the results of a stream, one frame after the other in their order, in the thread that called.
 *
 * @param <R> what comes of a frame
 */
@FunctionalInterface
public interface FrameConsumer<R> {

	/**
	 * Takes the result of a frame while the next ones are computed. Images in it are used again for later frames: what is to be kept must be copied
	 * before this returns, and nothing may be written to them.
	 *
	 * @param frame counted from 0
	 * @throws IOException if it cannot be taken; as any other exception that ends the stream, with a {@link FrameException}
	 */
	void accept(long frame, R result) throws IOException;
}
